//! SQLite databases: the five views of them, hostile files, and that a read changes nothing.

mod aggregates;
mod hostile;
mod journals;
mod large;
mod nested;
mod ordered;
mod tokens;
mod views;

use omniread::{Failure, Session};
use omniread_tests::Workspace;
use rusqlite::Connection;

/// Creates a database in a workspace, runs these SQL statements, and returns the open connection.
fn database(workspace: &Workspace, name: &str, statements: &str) -> Connection {
    let database = Connection::open(workspace.path().join(name)).expect("a database");
    database.execute_batch(statements).expect("statements");
    database
}

/// SQL that creates the table `users` with 250 rows.
const USERS: &str = "
    create table users(id integer primary key, name text not null, age int);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 250)
    insert into users select i, 'user ' || i, 20 + i % 50 from n;";

/// Reads a path, which must fail, and returns the failure.
fn refused(session: &Session, path: &str) -> Failure {
    match session.read(path) {
        Ok(reply) => panic!("{path}: {}", reply.text()),
        Err(failure) => failure,
    }
}
