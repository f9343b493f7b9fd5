//! SQLite, hardened for databases that nobody vouches for.
//!
//! What is advised is that of "Defense Against The Dark Arts" on sqlite.org,
//! with limits that real schemas survive.

#![allow(unsafe_code, reason = "SQLite is C")]

use crate::bindings::exports::omniread::read::sqlite::{
    Error, QueryResult, RowResult, Source, Value,
};
use crate::journal;
use crate::part::{Part, Stamp};
use crate::vfs::{self, Files};
use sqlite_wasm_rs as ffi;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::rc::Rc;

/// Bytes that SQLite may take.
const HEAP: i64 = 256 << 20;

/// Instructions of the virtual machine between two looks at the budget.
const STEP: c_int = 10_000;

/// So many steps a statement may take: a scan with an aggregate over a million
/// rows takes some hundred.
const STEPS: u32 = 100_000;

/// Pragmas that tell and change nothing, as long as they are given no value; of
/// the last ones it names what they tell of.
const PRAGMAS: &[&str] = &[
    "application_id",
    "collation_list",
    "compile_options",
    "encoding",
    "freelist_count",
    "page_count",
    "page_size",
    "schema_version",
    "user_version",
];
const PRAGMAS_OF: &[&str] = &[
    "foreign_key_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "quick_check",
    "table_info",
    "table_list",
    "table_xinfo",
];

/// An open database.
pub struct Connection {
    db: *mut ffi::sqlite3,
    name: String,
    files: Rc<Files>,
    before: (Stamp, Vec<u8>),
    watch: Box<Watch>,
}

/// What the callbacks of a statement found.
#[derive(Default)]
struct Watch {
    /// What it would have done.
    refused: RefCell<Option<String>>,
    /// Steps that are left.
    left: Cell<u32>,
}

impl Connection {
    /// Opens a database.
    pub fn of(source: Source) -> Result<Self, Error> {
        thread_local!(static COUNT: Cell<u32> = const { Cell::new(0) });
        let number = COUNT.get();
        COUNT.set(number.wrapping_add(1));
        vfs::register().map_err(Error::Failed)?;
        let main = Part::from(source.main);
        let journal = source.journal.map(Part::from);
        let undone = journal.map(undo).transpose()?.flatten();
        let wal = source.wal.map(Part::from);
        let files = Rc::new(Files { main, wal, undone });
        let before = state(&files)?;
        let name = format!("/{number}");
        vfs::add(&name, Rc::clone(&files));
        let mut connection = Self {
            db: std::ptr::null_mut(),
            name,
            files,
            before,
            watch: Box::default(),
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
            let opened =
                ffi::sqlite3_open_v2(name.as_ptr(), &raw mut self.db, flags, vfs::NAME.as_ptr());
            if opened != ffi::SQLITE_OK {
                return Err(self.error(opened));
            }
            let none = std::ptr::null_mut::<c_int>();
            ffi::sqlite3_db_config(self.db, ffi::SQLITE_DBCONFIG_DEFENSIVE, 1, none);
            ffi::sqlite3_db_config(self.db, ffi::SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, none);
            ffi::sqlite3_limit(self.db, ffi::SQLITE_LIMIT_ATTACHED, 0);
            for pragma in [
                // Keeps the index of a log in memory, and reads no lock.
                c"PRAGMA locking_mode = EXCLUSIVE",
                c"PRAGMA cell_size_check = ON",
                c"PRAGMA mmap_size = 0",
                c"PRAGMA query_only = ON",
            ] {
                let (none, nobody) = (std::ptr::null_mut(), std::ptr::null_mut());
                ffi::sqlite3_exec(self.db, pragma.as_ptr(), None, nobody, none);
            }
            let watch = (&raw const *self.watch).cast_mut().cast::<c_void>();
            ffi::sqlite3_set_authorizer(self.db, Some(authorize), watch);
            ffi::sqlite3_progress_handler(self.db, STEP, Some(progress), watch);
        }
        Ok(())
    }

    /// Runs one statement that reads.
    pub fn run(
        &self,
        statement: &str,
        parameters: &[Value],
        rows: u32,
    ) -> Result<QueryResult, Error> {
        self.watch.left.set(STEPS);
        self.watch.refused.take();
        let outcome = self.rows(statement, parameters, rows);
        // What was read counts only if it stood still meanwhile.
        match state(&self.files) {
            Ok(after) if after == self.before => outcome,
            Ok(_) => Err(Error::Changed),
            Err(error) => Err(error),
        }
    }

    fn rows(&self, statement: &str, parameters: &[Value], rows: u32) -> Result<QueryResult, Error> {
        let sql = CString::new(statement)
            .map_err(|_| Error::Invalid("it holds a NUL character".to_owned()))?;
        let prepared = Statement::new(self, &sql)?;
        for (at, value) in parameters.iter().enumerate() {
            prepared.bind(
                c_int::try_from(at.saturating_add(1)).unwrap_or(c_int::MAX),
                value,
            );
        }
        let mut result = QueryResult {
            columns: prepared.columns(),
            rows: Vec::new(),
            more: false,
        };
        loop {
            // SAFETY: the statement is alive.
            match unsafe { ffi::sqlite3_step(prepared.pointer) } {
                ffi::SQLITE_ROW if result.rows.len() as u64 >= u64::from(rows) => {
                    result.more = true;
                    return Ok(result);
                }
                ffi::SQLITE_ROW => result.rows.push(RowResult {
                    values: prepared.values(result.columns.len()),
                }),
                ffi::SQLITE_DONE => return Ok(result),
                code => return Err(self.error(code)),
            }
        }
    }

    /// What a result code means.
    fn error(&self, code: c_int) -> Error {
        if let Some(refused) = self.watch.refused.take() {
            return Error::NotAllowed(refused);
        }
        // SAFETY: SQLite gives text that lasts until its next call.
        let words = unsafe { CStr::from_ptr(ffi::sqlite3_errmsg(self.db)) };
        let words = words.to_string_lossy().into_owned();
        match code & 0xff {
            ffi::SQLITE_NOTADB => Error::NotADatabase,
            ffi::SQLITE_CORRUPT => Error::Damaged(words),
            ffi::SQLITE_INTERRUPT => Error::Exhausted("work".to_owned()),
            ffi::SQLITE_NOMEM => Error::Exhausted("memory".to_owned()),
            ffi::SQLITE_READONLY | ffi::SQLITE_AUTH => Error::NotAllowed(words),
            ffi::SQLITE_IOERR | ffi::SQLITE_CANTOPEN => Error::Io(words),
            _ => Error::Invalid(words),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: all statements are gone by now.
        unsafe { ffi::sqlite3_close(self.db) };
        vfs::remove(&self.name);
    }
}

/// What a journal would undo.
fn undo(journal: Part) -> Result<Option<(Part, journal::Rollback)>, Error> {
    let size = journal.size().map_err(Error::Io)?;
    let undone = journal::rollback(size, &mut |at, length| {
        let mut bytes = vec![0; length];
        let read = journal.read(at, &mut bytes).ok()?;
        (read == length).then_some(bytes)
    });
    Ok(undone.map(|undone| (journal, undone)))
}

/// What changes if a program writes into what is read: the database itself, or
/// the start of its log, which begins anew. What is added to a log is not read.
fn state(files: &Files) -> Result<(Stamp, Vec<u8>), Error> {
    let mut header = vec![0; 32];
    let main = files.main.stamp().map_err(Error::Io)?;
    if let Some(wal) = &files.wal {
        let read = wal.read(0, &mut header).map_err(Error::Io)?;
        header.truncate(read);
    }
    Ok((main, header))
}

/// A prepared statement.
struct Statement<'c> {
    pointer: *mut ffi::sqlite3_stmt,
    connection: &'c Connection,
}

impl<'c> Statement<'c> {
    fn new(connection: &'c Connection, sql: &CStr) -> Result<Self, Error> {
        let mut prepared = Self {
            pointer: std::ptr::null_mut(),
            connection,
        };
        let mut tail: *const c_char = std::ptr::null();
        // SAFETY: text and places outlive the call; the tail lies in the text.
        let (code, rest) = unsafe {
            let code = ffi::sqlite3_prepare_v2(
                connection.db,
                sql.as_ptr(),
                -1,
                &raw mut prepared.pointer,
                &raw mut tail,
            );
            let rest = if tail.is_null() {
                c""
            } else {
                CStr::from_ptr(tail)
            };
            (code, rest)
        };
        if code != ffi::SQLITE_OK {
            return Err(connection.error(code));
        }
        if prepared.pointer.is_null() {
            return Err(Error::Invalid("there is no statement".to_owned()));
        }
        let rest = rest.to_bytes();
        if rest
            .iter()
            .any(|byte| !matches!(byte, b';' | b' ' | b'\n' | b'\t' | b'\r'))
        {
            return Err(Error::NotAllowed("more than one statement".to_owned()));
        }
        // SAFETY: the statement is alive.
        if unsafe { ffi::sqlite3_stmt_readonly(prepared.pointer) } == 0 {
            return Err(Error::NotAllowed("a change".to_owned()));
        }
        Ok(prepared)
    }

    fn bind(&self, at: c_int, value: &Value) {
        let bytes = |bytes: &[u8]| c_int::try_from(bytes.len()).unwrap_or(c_int::MAX);
        // SAFETY: the statement is alive, and SQLite copies what it is given.
        unsafe {
            match value {
                Value::Integer(value) => ffi::sqlite3_bind_int64(self.pointer, at, *value),
                Value::Real(value) => ffi::sqlite3_bind_double(self.pointer, at, *value),
                Value::Text(text) => ffi::sqlite3_bind_text(
                    self.pointer,
                    at,
                    text.as_ptr().cast(),
                    bytes(text.as_bytes()),
                    ffi::SQLITE_TRANSIENT(),
                ),
                Value::Blob(blob) => ffi::sqlite3_bind_blob(
                    self.pointer,
                    at,
                    blob.as_ptr().cast(),
                    bytes(blob),
                    ffi::SQLITE_TRANSIENT(),
                ),
                Value::Null => ffi::sqlite3_bind_null(self.pointer, at),
            };
        }
    }

    fn columns(&self) -> Vec<String> {
        // SAFETY: the statement is alive, and names last until the next call.
        let count = unsafe { ffi::sqlite3_column_count(self.pointer) };
        let name = |at| unsafe {
            let name = ffi::sqlite3_column_name(self.pointer, at);
            if name.is_null() {
                String::new()
            } else {
                CStr::from_ptr(name).to_string_lossy().into_owned()
            }
        };
        (0..count).map(name).collect()
    }

    fn values(&self, columns: usize) -> Vec<Value> {
        let columns = c_int::try_from(columns).unwrap_or(c_int::MAX);
        (0..columns).map(|at| self.value(at)).collect()
    }

    fn value(&self, at: c_int) -> Value {
        // SAFETY: the statement stands on a row, and values last until it goes
        // on; length and pointer are those of the same value.
        unsafe {
            let bytes = |pointer: *const c_void| {
                let length = usize::try_from(ffi::sqlite3_column_bytes(self.pointer, at));
                match length {
                    Ok(length) if length > 0 && !pointer.is_null() => {
                        std::slice::from_raw_parts(pointer.cast::<u8>(), length).to_vec()
                    }
                    _ => Vec::new(),
                }
            };
            match ffi::sqlite3_column_type(self.pointer, at) {
                ffi::SQLITE_INTEGER => Value::Integer(ffi::sqlite3_column_int64(self.pointer, at)),
                ffi::SQLITE_FLOAT => Value::Real(ffi::sqlite3_column_double(self.pointer, at)),
                ffi::SQLITE_TEXT => {
                    let text = bytes(ffi::sqlite3_column_text(self.pointer, at).cast());
                    Value::Text(String::from_utf8_lossy(&text).into_owned())
                }
                ffi::SQLITE_BLOB => Value::Blob(bytes(ffi::sqlite3_column_blob(self.pointer, at))),
                _ => Value::Null,
            }
        }
    }
}

impl Drop for Statement<'_> {
    fn drop(&mut self) {
        let _ = self.connection;
        // SAFETY: it is finalized once.
        unsafe { ffi::sqlite3_finalize(self.pointer) };
    }
}

/// Allows what reads.
unsafe extern "C" fn authorize(
    watch: *mut c_void,
    action: c_int,
    first: *const c_char,
    second: *const c_char,
    _: *const c_char,
    _: *const c_char,
) -> c_int {
    let text = |pointer: *const c_char| {
        // SAFETY: SQLite gives text, or nothing.
        (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy())
    };
    let (first, second) = (text(first), text(second));
    let name = first.as_deref().unwrap_or_default().to_ascii_lowercase();
    let allowed = match action {
        ffi::SQLITE_SELECT | ffi::SQLITE_READ | ffi::SQLITE_RECURSIVE => true,
        ffi::SQLITE_FUNCTION => {
            !matches!(second.as_deref(), Some("load_extension" | "fts3_tokenizer"))
        }
        ffi::SQLITE_PRAGMA => {
            PRAGMAS_OF.contains(&name.as_str())
                || (second.is_none() && PRAGMAS.contains(&name.as_str()))
        }
        _ => false,
    };
    if allowed {
        return ffi::SQLITE_OK;
    }
    // SAFETY: this is the watch of the connection, which outlives it.
    let watch = unsafe { &*watch.cast::<Watch>() };
    let what = match action {
        ffi::SQLITE_PRAGMA => format!("PRAGMA {name}"),
        ffi::SQLITE_FUNCTION => second.unwrap_or_default().into_owned(),
        ffi::SQLITE_ATTACH => "ATTACH".to_owned(),
        _ => "a change".to_owned(),
    };
    watch.refused.replace(Some(what));
    ffi::SQLITE_DENY
}

/// Counts steps, and stops a statement that takes too many.
unsafe extern "C" fn progress(watch: *mut c_void) -> c_int {
    // SAFETY: as above.
    let watch = unsafe { &*watch.cast::<Watch>() };
    match watch.left.get().checked_sub(1) {
        Some(left) => {
            watch.left.set(left);
            0
        }
        None => 1,
    }
}
