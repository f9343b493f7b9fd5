//! Databases of a given size.

use rusqlite::Connection;
use std::path::Path;

/// Creates a database of 3 MB: a table of 60,000 rows, and seven small ones.
pub fn small(path: &Path) {
    let mut database = Connection::open(path).expect("a database");
    let change = database.transaction().expect("a transaction");
    change
        .execute_batch("create table users(id integer primary key, name text, age int)")
        .expect("a table");
    for id in 0..60_000 {
        change
            .execute(
                "insert into users values (?, ?, ?)",
                (id, format!("user number {id:05} of some many"), id % 90),
            )
            .expect("a row");
    }
    for team in 0..7 {
        change
            .execute_batch(&format!(
                "create table team{team}(id integer primary key, name text)"
            ))
            .expect("a table");
        for id in 0..100 {
            let insert = format!("insert into team{team} values (?, ?)");
            change.execute(&insert, (id, "a name")).expect("a row");
        }
    }
    change.commit().expect("room on the disk");
}

/// Creates a database with a table of a million rows.
pub fn large(path: &Path) {
    let mut database = Connection::open(path).expect("a database");
    let change = database.transaction().expect("a transaction");
    change
        .execute_batch("create table big(id integer primary key, a text, b int, g int)")
        .expect("a table");
    {
        let mut insert = change
            .prepare("insert into big values (?, ?, ?, ?)")
            .expect("a statement");
        for id in 0..1_000_000_i64 {
            let text = format!("row number {id} with some text to fill it");
            insert
                .execute((id, text, id * 7 % 1000, id % 50))
                .expect("a row");
        }
    }
    change.commit().expect("room on the disk");
}
