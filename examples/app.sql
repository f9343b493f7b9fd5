-- What examples/app.db was made of: sqlite3 app.db < app.sql
create table users(
  id integer primary key,
  name text not null,
  age int
);
create table notes(id text primary key, body text, picture blob);
create view adults as select id, name from users where age >= 18;
insert into users(name, age) values
  ('Ada', 36), ('Alan', 41), ('Barbara', 28), ('Donald', 12), ('Edsger', 72),
  ('Frances', 45), ('Grace', 85), ('John', 9), ('Ken', 31), ('Margaret', 33);
insert into notes values
  ('first', 'one line' || char(10) || 'and another', null),
  ('second', 'with a picture', x'89504e470d0a1a0a');
