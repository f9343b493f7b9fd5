//! A small database. It is read before a read needs the engine, so that the code and the memory that every read needs
//! were used before.

use crate::bindings::exports::omniread::parts::sqlite::{Bounds, Database};
use crate::bindings::omniread::parts::inputs::Input;
use crate::connection::Connection;
use crate::unread::{PAGE_SIZE, PAGE_SIZE_AT};

/// Reads a row of the database.
pub fn read() {
    let database = Database {
        main: Input::Bytes(database()),
        wal: None,
        journal: None,
    };
    let Ok(connection) = Connection::named("/example".to_owned(), database) else {
        return;
    };
    for statement in [
        "PRAGMA table_xinfo(\"t\")",
        "SELECT \"a\", \"b\" FROM \"t\" WHERE \"a\" IN ('1') LIMIT 2",
        "SELECT count(*) FROM t WHERE a < 2",
    ] {
        let bounds = Bounds {
            rows: 2,
            bytes: 100,
            work: 1000,
        };
        // The result is of no interest.
        let _ = connection.run(statement, &[], bounds);
    }
}

/// The bytes of the database, whose table has one row.
fn database() -> Vec<u8> {
    const SQL: &[u8] = b"CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)";
    const PAGE: usize = 4096;
    const HEADER: usize = 100;
    let mut database = vec![0; 2 * PAGE];
    let mut put = |at: usize, bytes: &[u8]| {
        if let Some(place) = database.get_mut(at..at.saturating_add(bytes.len())) {
            place.copy_from_slice(bytes);
        }
    };
    put(0, b"SQLite format 3\0");
    put(PAGE_SIZE_AT, &PAGE_SIZE);
    // The versions of the format, no unused bytes, and the fractions of a page that payloads may take.
    put(18, &[1, 1, 0, 64, 32, 32]);
    // The number of changes, and that of pages.
    put(24, &[0, 0, 0, 1, 0, 0, 0, 2]);
    // The versions of the schema and of its format, and UTF-8.
    put(40, &[0, 0, 0, 1, 0, 0, 0, 4]);
    put(56, &[0, 0, 0, 1]);
    // The number of changes for which the number of pages is valid.
    put(92, &[0, 0, 0, 1]);
    // The types of a record: texts have 13 and twice their length.
    let length = u8::try_from(SQL.len()).unwrap_or_default();
    let text = length.saturating_mul(2).saturating_add(13);
    let table = [&[6, 23, 15, 15, 1, text][..], b"tablett", &[2], SQL].concat();
    let row = [3, 0, 15, b'x'];
    let mut leaf = |page: usize, head: usize, record: &[u8]| {
        let size = u8::try_from(record.len()).unwrap_or_default();
        let cell = [&[size, 1], record].concat();
        let start = PAGE.saturating_sub(cell.len());
        let [high, low] = u16::try_from(start).unwrap_or_default().to_be_bytes();
        // A leaf with one cell.
        let page = page.saturating_mul(PAGE);
        put(
            page.saturating_add(head),
            &[13, 0, 0, 0, 1, high, low, 0, high, low],
        );
        put(page.saturating_add(start), &cell);
    };
    leaf(0, HEADER, &table);
    leaf(1, 0, &row);
    database
}
