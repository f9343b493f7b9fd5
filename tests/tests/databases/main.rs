//! Databases: looked at in five forms, and never touched.

#![allow(missing_docs, reason = "a test")]

mod forms;
mod hostile;
mod places;
mod untouched;

use omniread::{Failure, Session};
use omniread_tests::Workspace;
use rusqlite::Connection;

/// A database in a workspace, made by these statements.
fn database(workspace: &Workspace, name: &str, statements: &str) -> Connection {
    let database = Connection::open(workspace.path().join(name)).expect("a database");
    database.execute_batch(statements).expect("statements");
    database
}

/// A table of 250 users.
const USERS: &str = "
    create table users(id integer primary key, name text not null, age int);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 250)
    insert into users select i, 'user ' || i, 20 + i % 50 from n;";

/// The failure of a read.
fn refused(session: &Session, path: &str) -> Failure {
    match session.read(path) {
        Ok(reply) => panic!("{path}: {}", reply.text()),
        Err(failure) => failure,
    }
}
