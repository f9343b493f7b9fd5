//! The library of SQLite.

use rusqlite::Connection;

/// `.cargo/config.toml` disables what a session does not use: it would be a fourth of a megabyte of each program.
#[test]
fn sqlite_without_unused_parts() {
    let connection = Connection::open_in_memory().unwrap();
    let mut statement = connection.prepare("PRAGMA compile_options").unwrap();
    let options = statement.query_map([], |row| row.get(0)).unwrap();
    let options: Vec<String> = options.map(Result::unwrap).collect();
    let unused = [
        "ENABLE_DBSTAT_VTAB",
        "ENABLE_FTS3",
        "ENABLE_FTS3_PARENTHESIS",
        "ENABLE_FTS5",
        "ENABLE_RTREE",
    ];
    for name in unused {
        assert!(!options.iter().any(|option| option == name), "{name}");
    }
    assert!(options.iter().any(|option| option == "OMIT_JSON"));
}
