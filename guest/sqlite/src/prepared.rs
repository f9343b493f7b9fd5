//! Work that needs no database, and is done before a read needs the engine: SQLite is started, and a connection is
//! opened.

use crate::bindings::exports::omniread::parts::sqlite::{Bounds, Database};
use crate::bindings::omniread::parts::inputs::Input;
use crate::connection::Connection;
use crate::handle::Handle;
use crate::hooks;
use crate::vfs::{self, Place};
use std::cell::RefCell;
use std::ffi::CString;
use std::rc::Rc;

/// The name of the database of the prepared connection: that of the first database.
const NAME: &str = "/0";

/// The size of the pages of nearly all databases, as a header has it.
const PAGE_SIZE: [u8; 2] = [0x10, 0];

/// The offset of the size of pages in the header of a database.
const PAGE_SIZE_AT: usize = 16;

/// The offset of the number of unused bytes at the end of each page, which is 0 in nearly all databases.
const UNUSED_AT: usize = 20;

/// An open connection whose database is not known yet.
pub struct Prepared {
    /// The connection. It has not read its file.
    pub handle: Handle,
    /// The place for the files of the database.
    pub place: Rc<Place>,
}

thread_local!(static PREPARED: RefCell<Option<Prepared>> = const { RefCell::new(None) });

/// Takes the connection to the database with this name, if one is prepared.
pub fn take(name: &str) -> Option<Prepared> {
    PREPARED.with_borrow_mut(|prepared| prepared.take_if(|_| name == NAME))
}

/// Whether a connection to a database with this header is in the state of the prepared one, before it reads more than the
/// header.
pub fn fits(header: &[u8]) -> bool {
    let size = header.get(PAGE_SIZE_AT..PAGE_SIZE_AT + PAGE_SIZE.len());
    size == Some(&PAGE_SIZE) && header.get(UNUSED_AT) == Some(&0)
}

/// Reads the file of the prepared connection, of which only the size of pages is known. Returns the number of bytes.
pub fn read(offset: u64, room: &mut [u8]) -> usize {
    let mut header = [0; UNUSED_AT + 1];
    if let Some(size) = header.get_mut(PAGE_SIZE_AT..PAGE_SIZE_AT + PAGE_SIZE.len()) {
        size.copy_from_slice(&PAGE_SIZE);
    }
    let known = if offset == 0 { &header[..] } else { &[] };
    room.fill(0);
    room.iter_mut()
        .zip(known)
        .for_each(|(to, byte)| *to = *byte);
    known.len().min(room.len())
}

/// Prepares the connection. Without it, the read opens one and reports an error.
pub fn prepare() {
    let Ok(name) = CString::new(NAME) else {
        return;
    };
    if vfs::register().is_err() {
        return;
    }
    warm_up();
    // They are equal in every read, and the example used some.
    hooks::restart_random();
    let place = Rc::new(Place::new());
    vfs::add(NAME, Rc::clone(&place));
    if let Ok(handle) = Handle::open(&name) {
        PREPARED.set(Some(Prepared { handle, place }));
    }
}

/// Reads a row of a small database, so that the code and the memory that every read needs were used before.
fn warm_up() {
    let database = Database {
        main: Input::Bytes(example()),
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

/// A database with a table of one row.
fn example() -> Vec<u8> {
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
        let [_, _, .., high, low] = start.to_be_bytes() else {
            return;
        };
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
