//! SQLite, hardened for databases that nobody vouches for.
//!
//! What is advised is that of "Defense Against The Dark Arts" on sqlite.org,
//! with limits that real schemas survive: those of SQLite itself, except where
//! memory sets them.

#![allow(unsafe_code, reason = "SQLite is C")]

use crate::bindings::exports::omniread::read::sqlite::{
    Bounds, Cut, Database, Error, Outcome, QueryResult, RowResult, Value,
};
use crate::handle::Handle;
use crate::input::Input;
use crate::journal;
use crate::statement::Statement;
use crate::vfs::{self, Files};
use crate::witness::Witness;
use sqlite_wasm_rs as ffi;
use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_int};
use std::rc::Rc;

/// Bytes that SQLite may take: sorting and grouping are done in memory.
const HEAP: i64 = 256 << 20;

/// Bytes of all values that a query gives, so that they cross the sandbox.
const RESULT: usize = 16 << 20;

/// Bytes that a value takes beside those of its text.
const VALUE: usize = 32;

/// What is known of the schema of a database.
#[derive(Clone, Default)]
enum Schema {
    #[default]
    Unread,
    Sound,
    /// A part of it can be made sense of. Holds why not all.
    Damaged(String),
}

/// An open database.
pub struct Connection {
    handle: Handle,
    name: String,
    files: Rc<Files>,
    before: Witness,
    notes: Vec<String>,
    schema: RefCell<Schema>,
}

impl Connection {
    /// Opens a database.
    pub fn of(database: Database) -> Result<Self, Error> {
        thread_local!(static COUNT: Cell<u32> = const { Cell::new(0) });
        let number = COUNT.get();
        COUNT.set(number.wrapping_add(1));
        vfs::register().map_err(Error::Failed)?;
        let main = Input::from(database.main);
        let wal = database.wal.map(Input::from);
        let journal = database.journal.map(Input::from);
        // Before anything is made of them, so that whatever comes later shows.
        let before = Witness::of(&main, wal.as_ref(), journal.as_ref())?;
        let (undone, notes) = match &journal {
            Some(journal) => undo(journal, main.size().map_err(Error::Io)?)?,
            None => (None, Vec::new()),
        };
        let files = Rc::new(Files {
            main,
            wal,
            journal,
            undone,
        });
        let name = format!("/{number}");
        vfs::add(&name, Rc::clone(&files));
        let mut connection = Self {
            handle: Handle::new(),
            name,
            files,
            before,
            notes,
            schema: RefCell::default(),
        };
        connection.start()?;
        Ok(connection)
    }

    fn start(&mut self) -> Result<(), Error> {
        let name = CString::new(self.name.as_str()).unwrap_or_default();
        let flags = ffi::SQLITE_OPEN_READONLY;
        // SAFETY: the name and the place for the result outlive the call; the
        // watch lives in a box of its own as long as the connection.
        unsafe {
            ffi::sqlite3_hard_heap_limit64(HEAP);
            let opened = ffi::sqlite3_open_v2(
                name.as_ptr(),
                &raw mut self.handle.db,
                flags,
                vfs::NAME.as_ptr(),
            );
            if opened != ffi::SQLITE_OK {
                return Err(self.handle.error(opened));
            }
            self.set(ffi::SQLITE_DBCONFIG_DEFENSIVE, true);
            self.set(ffi::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false);
            ffi::sqlite3_limit(self.handle.db, ffi::SQLITE_LIMIT_ATTACHED, 0);
            for pragma in [
                // Keeps the index of a log in memory, and reads no lock.
                c"PRAGMA locking_mode = EXCLUSIVE",
                c"PRAGMA cell_size_check = ON",
                c"PRAGMA mmap_size = 0",
                // Two megabytes: what the processor keeps near, which makes
                // scans a tenth faster than with SQLite's sixteen here.
                c"PRAGMA cache_size = -2000",
                c"PRAGMA query_only = ON",
            ] {
                let (none, nobody) = (std::ptr::null_mut(), std::ptr::null_mut());
                ffi::sqlite3_exec(self.handle.db, pragma.as_ptr(), None, nobody, none);
            }
            self.handle.watch.over(self.handle.db);
        }
        Ok(())
    }

    /// What is to be said of the way in which it was opened.
    pub fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Runs one statement that reads.
    pub fn run(
        &self,
        statement: &str,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<Outcome, Error> {
        self.handle.watch.start(bounds.work);
        let outcome = self.schema().and_then(|damage| {
            let mut outcome = self.rows(statement, parameters, bounds)?;
            outcome.damage = outcome.damage.or(damage);
            Ok(outcome)
        });
        // What was read counts only if it stood still meanwhile.
        self.before.again(&self.files)?;
        outcome
    }

    /// Looks at the schema. One that is damaged is taken for what can be made of
    /// it; what is wrong with it is told.
    fn schema(&self) -> Result<Option<String>, Error> {
        match &*self.schema.borrow() {
            Schema::Unread => {}
            Schema::Sound => return Ok(None),
            Schema::Damaged(words) => return Ok(Some(words.clone())),
        }
        let look = || Statement::new(&self.handle, c"SELECT name FROM sqlite_schema").map(drop);
        let damage = match look() {
            Ok(()) => None,
            Err(Error::Damaged(words) | Error::Invalid(words)) => {
                // What cannot be parsed of the schema is left out from now on.
                self.set(ffi::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true);
                if look().is_err() {
                    // And pages that are missing are, which a defensive
                    // connection takes for an end. It writes as little as before:
                    // neither the authorizer nor the files let it.
                    self.set(ffi::SQLITE_DBCONFIG_DEFENSIVE, false);
                    look()?;
                }
                Some(words)
            }
            Err(error) => return Err(error),
        };
        let damage = self.missing().or(damage);
        let known = damage.clone().map_or(Schema::Sound, Schema::Damaged);
        self.schema.replace(known);
        Ok(damage)
    }

    /// Sets a property of the connection.
    fn set(&self, property: c_int, value: bool) {
        let none = std::ptr::null_mut::<c_int>();
        // SAFETY: the connection is open; these properties take a number, and a
        // place for the old one that may be null.
        unsafe { ffi::sqlite3_db_config(self.handle.db, property, c_int::from(value), none) };
    }

    /// What a file lacks that was cut off: pages that were never there would
    /// count as empty ones.
    fn missing(&self) -> Option<String> {
        if self.files.wal.is_some() || self.files.undone.is_some() {
            return None;
        }
        let mut head = [0; 100];
        if self.files.main.read(0, &mut head) != Ok(100) {
            return None;
        }
        let long = |at: usize| Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?));
        // The number of pages counts if it was written with the last change.
        let pages = long(28).filter(|pages| *pages > 0 && long(24) == long(92))?;
        let page = match u16::from_be_bytes([head[16], head[17]]) {
            1 => 65536,
            page => u64::from(page),
        };
        let size = self.files.main.size().ok()?;
        let missing = page.checked_mul(pages.into())?.checked_sub(size)?;
        (missing > 0).then(|| format!("{missing} bytes are missing at its end"))
    }

    fn rows(
        &self,
        statement: &str,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<Outcome, Error> {
        let sql = CString::new(statement)
            .map_err(|_| Error::Invalid("it holds a NUL character".to_owned()))?;
        let prepared = Statement::new(&self.handle, &sql)?;
        prepared.bind(parameters)?;
        let columns = prepared.columns();
        let mut outcome = Outcome {
            result: QueryResult {
                columns,
                rows: Vec::new(),
            },
            more: false,
            cuts: Vec::new(),
            damage: None,
        };
        let mut left = RESULT;
        loop {
            let rows = outcome.result.rows.len() as u64;
            match prepared.step() {
                ffi::SQLITE_ROW if rows >= u64::from(bounds.rows) || (left == 0 && rows > 0) => {
                    outcome.more = true;
                    return Ok(outcome);
                }
                ffi::SQLITE_ROW => {
                    let width = outcome.result.columns.len();
                    let mut values = Vec::with_capacity(width);
                    for column in 0..width {
                        let longest = usize::try_from(bounds.bytes).unwrap_or(usize::MAX);
                        let (value, length) = prepared.value(column, longest.min(left));
                        let (held, cut) = size(&value, length);
                        left = left.saturating_sub(held.saturating_add(VALUE));
                        if cut {
                            outcome.cuts.push(Cut {
                                row: u32::try_from(rows).unwrap_or(u32::MAX),
                                column: u32::try_from(column).unwrap_or(u32::MAX),
                                length: length as u64,
                            });
                        }
                        values.push(value);
                    }
                    outcome.result.rows.push(RowResult { values });
                }
                ffi::SQLITE_DONE => return Ok(outcome),
                code => match self.handle.error(code) {
                    // What came before the damage is there.
                    Error::Damaged(words) => {
                        outcome.damage = Some(words);
                        return Ok(outcome);
                    }
                    error => return Err(error),
                },
            }
        }
    }
}

/// Bytes that a value holds, and whether it is a part of one of `length`.
fn size(value: &Value, length: usize) -> (usize, bool) {
    match value {
        Value::Text(text) => (text.len(), text.len() < length),
        Value::Blob(blob) => (blob.len(), blob.len() < length),
        Value::Integer(_) | Value::Real(_) | Value::Null => (0, false),
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        vfs::remove(&self.name);
    }
}

/// What a journal would undo in a database of `size` bytes, and what is to be
/// said of that.
fn undo(journal: &Input, size: u64) -> Result<(Option<journal::Rollback>, Vec<String>), Error> {
    // Beside an empty database a journal means nothing.
    if size == 0 {
        return Ok((None, Vec::new()));
    }
    let length = journal.size().map_err(Error::Io)?;
    // One that cannot be read is not one that ends: what it would undo would be
    // shown.
    let mut failed = None;
    let mut read = |at, length| {
        let mut bytes = vec![0; length];
        match journal.read(at, &mut bytes) {
            Ok(read) => (read == length).then_some(bytes),
            Err(why) => {
                failed.get_or_insert(why);
                None
            }
        }
    };
    let undone = journal::rollback(length, &mut read);
    let name = undone
        .as_ref()
        .and_then(|_| journal::super_journal(length, &mut read));
    if let Some(why) = failed {
        return Err(Error::Io(why));
    }
    let Some(undone) = undone else {
        return Ok((None, Vec::new()));
    };
    let mut note = "a transaction has not ended: what it changed is left out".to_owned();
    if let Some(name) = name {
        note.push_str(&format!(
            " (it spans several databases; if `{name}` is gone, it has ended)"
        ));
    }
    Ok((Some(undone), vec![note]))
}
