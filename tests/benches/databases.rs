//! Benchmark of databases: warm reads, and queries against SQLite without a sandbox, measured
//! alternately.
//!
//! `cargo bench -p omniread-tests --bench databases`

#![allow(
    missing_docs,
    clippy::print_stdout,
    reason = "a bench prints what it found"
)]

mod shared;

use omniread_tests::Workspace;
use rusqlite::{Connection, OpenFlags};
use shared::databases::{large, small};
use shared::{paired, processes, row};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

fn main() {
    let workspace = Workspace::new();
    let path = workspace.path();
    small(&path.join("app.db"));
    large(&path.join("million.db"));
    std::fs::copy(path.join("app.db"), path.join("sparse.db")).expect("a copy");
    padded(&path.join("sparse.db"), 10 << 30);
    workspace.file("12B.txt", "hello world\n");
    let session = workspace.session();
    println!("warm reads, medians; the second column is a read of 12 bytes");
    for path in [
        "app.db",
        "app.db:users",
        "app.db:users:4242",
        "app.db:users?where=age>30&order=name:desc&limit=5",
        "app.db:users?where=id>30000&limit=5",
        "app.db?q=select count(*) from users where id < 100",
        "sparse.db:users:4242",
        "sparse.db?q=select count(*) from team3",
    ] {
        let (ours, least) = paired(
            100,
            || drop(session.read(path).expect("a reply")),
            || drop(session.read("12B.txt").expect("a reply")),
        );
        row(path, ours, least, "12B.txt");
    }
    println!(
        "\nqueries over a million rows, against SQLite without a sandbox, opened for each query"
    );
    for query in [
        "select count(*), sum(b), max(b) from big",
        "select count(*) from big where a like '%9999%'",
        "select g, count(*), avg(b) from big group by g",
        "select * from big order by b desc, id limit 5",
        "select * from big where id between 5000 and 5100",
    ] {
        let requested = format!("million.db?q={query}");
        let (ours, native) = paired(
            7,
            || drop(session.read(&requested).expect("a reply")),
            || native(&path.join("million.db"), query),
        );
        row(query, ours, native, "native");
    }
    println!("\nwhole processes, medians");
    processes(&workspace, &["app.db"], &["sqlite3", "app.db", ".tables"]);
    processes(
        &workspace,
        &["app.db:users:4242"],
        &["sqlite3", "app.db", "select * from users where id = 4242"],
    );
}

/// Enlarges a database file to `bytes` bytes. The added pages are unused, and take no space on the
/// disk.
fn padded(path: &Path, bytes: u64) {
    let options = File::options().read(true).write(true).open(path);
    let mut file = options.expect("a database");
    let mut head = [0; 18];
    file.read_exact(&mut head).expect("its header");
    let page = u64::from(u16::from_be_bytes([head[16], head[17]]));
    file.set_len(bytes).expect("a sparse file");
    file.seek(SeekFrom::Start(28)).expect("its size in pages");
    let pages = u32::try_from(bytes / page).expect("few enough pages");
    file.write_all(&pages.to_be_bytes()).expect("its size");
}

/// Opens a database without a sandbox, runs a query, and accesses every value of the result.
fn native(path: &Path, query: &str) {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let database = Connection::open_with_flags(path, flags).expect("a database");
    let mut statement = database.prepare(query).expect("a statement");
    let columns = statement.column_count();
    let mut rows = statement.query([]).expect("rows");
    while let Some(row) = rows.next().expect("a row") {
        for column in 0..columns {
            let value = row.get_ref(column).expect("a value");
            std::hint::black_box(value);
        }
    }
}
