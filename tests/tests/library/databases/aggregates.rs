//! Statements that aggregate the rows of one table. Their results are those of SQLite without a sandbox.

use super::{database, refused};
use omniread::Session;
use omniread_tests::Workspace;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// A table with more rows than a statement may visit before it is evaluated without the virtual machine of SQLite. Its
/// columns have values of all types.
const ROWS: &str = "
    create table t(id integer primary key, g int, x real, name text, any);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 9000)
    insert into t select i, i % 7, i / 3.0, case i % 5 when 0 then null else 'Name ' || (i % 11) end,
        case i % 4 when 0 then i % 3 when 1 then (i % 3) * 1.0 when 2 then 't' || (i % 3) else x'61' end
    from n;
    insert into t values(-5, null, 1e300, 'é', null), (-4, 9223372036854775807, -0.0, '', 9007199254740993);";

/// The rows of a statement, as SQLite without a sandbox returns them.
fn expected(database: &Connection, sql: &str) -> Vec<String> {
    let mut statement = database.prepare(sql).expect("a statement");
    let width = statement.column_count();
    let mut rows = statement.query([]).expect("rows");
    let mut lines = Vec::new();
    while let Some(row) = rows.next().expect("a row") {
        let value = |at| match row.get_ref(at).expect("a value") {
            ValueRef::Null => "NULL".to_owned(),
            ValueRef::Integer(number) => number.to_string(),
            ValueRef::Real(number) => format!("{number:?}"),
            ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
            ValueRef::Blob(blob) => format!("<BLOB {}B>", blob.len()),
        };
        let values: Vec<String> = (0..width).map(value).collect();
        lines.push(format!("|{}|", values.join("|")));
    }
    lines
}

fn same(session: &Session, database: &Connection, sql: &str) {
    let path = format!("a.db?q={sql}");
    let reply = session.read(&path).expect("a reply").text();
    // The names of the columns and a line below them come first.
    let rows: Vec<&str> = reply.lines().skip(2).collect();
    assert_eq!(rows, expected(database, sql), "{sql}");
}

#[test]
fn statements_have_the_results_of_sqlite() {
    let workspace = Workspace::new();
    let database = database(&workspace, "a.db", ROWS);
    let session = workspace.session();
    for sql in [
        "select g, count(*), avg(x) from t group by g",
        "select any, count(*), sum(id), total(x) from t group by any",
        "select name, min(any), max(any), count(any) from t group by name order by 2, 1 desc",
        "select g, name, count(*) n from t group by g, name having n > 100 order by n desc, g limit 5 offset 2",
        "select count(*), sum(g), avg(any) from t where g < 9 and typeof(any) <> 'text'",
        "select count(*) from t where name like '%e 1%' and x >= 1.5 or g is null",
        "select count(*), min(name), max(x) from t where name > 'Name 3' and id between -4 and 8000",
        "select g + 1, sum(id * 2) from t group by g + 1",
        "select any, id, max(x) from t group by any",
        "select count(distinct name), g from t group by g",
        "select x > 0.3, count(*) from t group by 1",
        "select name collate nocase, count(*) from t group by 1",
        "select count(*) from t where any = 1 or any = '1' or any = x'61'",
    ] {
        same(&session, &database, sql);
    }
    let failure = refused(&session, "a.db?q=select sum(g) from t where id > -9");
    assert!(failure.message.contains("integer overflow"), "{failure:?}");
}

#[test]
fn other_storage_has_the_results_of_sqlite() {
    for settings in [
        "pragma page_size = 512;",
        "pragma encoding = 'UTF-16le';",
        "pragma journal_mode = wal;",
        "pragma auto_vacuum = 1;",
    ] {
        let workspace = Workspace::new();
        let database = database(&workspace, "a.db", &format!("{settings}{ROWS}"));
        let change = "
            alter table t add column later text default 'none';
            insert into t select id + 100000, g, x, name, any, printf('%.*c', 3000, 'y') from t where id % 500 = 0;
            delete from t where id % 13 = 0;";
        database.execute_batch(change).expect("statements");
        let session = workspace.session();
        for sql in [
            "select g, count(*), sum(x) from t group by g",
            "select g, count(later), min(later), count(x) from t group by g",
        ] {
            same(&session, &database, sql);
        }
    }
}

/// A program shows 16 digits of a number.
#[test]
fn numbers_with_many_digits_are_exact() {
    let workspace = Workspace::new();
    let statements = "
        create table t(x real, y real, e1 int);
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
        insert into t select 1.0000000000000002, 1, i from n union all select 1.0, 2, i from n;
        create view w as select * from t where x = 10000000000000002e-16;
        create view z as select x, y, x >= 1.000_000_000_000_000_2 as big from t;";
    let database = database(&workspace, "a.db", statements);
    let session = workspace.session();
    for sql in [
        "select count(*), sum(y) from t where x = 1.0000000000000002",
        "select count(*), sum(y) from t where x = 1.000_000_000_000_000_2",
        "select count(*), max(x) > 1.0 from t where x < 10000000000000002e-16",
        "select count(*), sum(y) from t where x > 1.5 or e1 < 100.5",
        "select count(*), sum(y) from w where y < 1.5",
        "select count(*), sum(y) from z where big",
    ] {
        same(&session, &database, sql);
    }
}

/// More groups than are worth collecting, and an order with many of them.
#[test]
fn many_groups_have_the_results_of_sqlite() {
    let workspace = Workspace::new();
    let statements = "
        create table t(a integer primary key, b int, c real);
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
        insert into t select i, i % 9000, i * 0.5 from n;";
    let database = database(&workspace, "a.db", statements);
    let session = workspace.session();
    for sql in [
        "select a + 1, count(*) from t group by a + 1 limit 3",
        "select b, sum(a) s from t group by b order by s desc limit 3 offset 8000",
        "select b, count(c) from t group by b order by b desc limit 2",
    ] {
        same(&session, &database, sql);
    }
}

#[test]
fn values_are_shown_alike_whatever_the_type_of_their_column() {
    let workspace = Workspace::new();
    let values = "
        (1, 7, 'plain'), (2, x'0001', x'e4bda0'), (3, 2.5, 'a' || char(0) || 'b'), (4, null, ''),
        (5, -1, cast(x'61ff62' as text)), (6, 3, printf('%.*c', 70000, 'ä')), (7, 'NULL', 'NULL'),
        (8, zeroblob(90000), printf('%.*c', 16383, 'x')), (9, 1, printf('%.*c', 16384, 'x'));";
    let statements = format!(
        "create table typed(id integer primary key, a int, b text); insert into typed values {values}
        create table other(id integer primary key, a, b); insert into other values {values}"
    );
    let _open = database(&workspace, "a.db", &statements);
    let session = workspace.session();
    let read = |table: &str, rest: &str| {
        let reply = session
            .read(format!("a.db:{table}{rest}"))
            .expect("a reply");
        reply.text().replace(table, "TABLE")
    };
    let keys = (1..=9).map(|key| format!(":{key}"));
    let pages = ["?limit=20", "?where=id>2&limit=3", "?order=b:desc&limit=4"];
    for rest in keys.chain(pages.map(str::to_owned)) {
        assert_eq!(read("typed", &rest), read("other", &rest), "{rest}");
    }
}
