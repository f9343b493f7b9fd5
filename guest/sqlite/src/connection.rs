//! Opening and hardening of SQLite databases from untrusted sources.
//!
//! The settings follow "Defense Against The Dark Arts" on sqlite.org. The limits accept
//! real schemas: they are the defaults of SQLite, except where memory requires a lower
//! limit.

#![allow(unsafe_code, reason = "SQLite is C")]

use crate::bindings::exports::omniread::parts::sqlite::{
    Bounds, Cut, Database, Error, Outcome, QueryResult, RowResult, Value,
};
use crate::handle::Handle;
use crate::hooks;
use crate::input::Input;
use crate::journal;
use crate::limits;
use crate::prepared;
use crate::scan;
use crate::statement::{Statement, head};
use crate::unread;
use crate::vfs::{self, Files, Place};
use crate::witness::Witness;
use sqlite_wasm_rs as ffi;
use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_int};
use std::rc::Rc;

/// Whether the schema of a database was read, and whether it can be parsed.
#[derive(Clone, Default)]
enum Schema {
    #[default]
    Unread,
    Sound,
    /// Only a part of the schema can be parsed. Contains the error.
    Damaged(String),
}

/// An open database.
pub struct Connection {
    pub(crate) handle: Handle,
    /// The files of the database. `None` for a database in memory.
    on_disk: Option<OnDisk>,
    notes: Vec<String>,
    schema: RefCell<Schema>,
}

/// The files of a database.
struct OnDisk {
    /// The name by which SQLite opens the database.
    name: String,
    files: Rc<Files>,
    /// The state of the files before they were read.
    before: Witness,
}

impl Connection {
    /// Opens a database.
    pub fn of(database: Database) -> Result<Self, Error> {
        thread_local!(static COUNT: Cell<u32> = const { Cell::new(0) });
        let number = COUNT.get();
        COUNT.set(number.wrapping_add(1));
        Self::named(format!("/{number}"), database)
    }

    /// Opens a database, and gives it a name by which SQLite opens it.
    pub(crate) fn named(name: String, database: Database) -> Result<Self, Error> {
        vfs::register().map_err(Error::Failed)?;
        let main = Input::from(database.main);
        let wal = database.wal.map(Input::from);
        let journal = database.journal.map(Input::from);
        // Before the files are read, so that every later change is detected.
        let before = Witness::of(&main, wal.as_ref(), journal.as_ref())?;
        let (undone, notes) = match &journal {
            Some(journal) => undo(journal, before.size())?,
            None => (None, Vec::new()),
        };
        let is_as_stored = undone.is_none();
        let files = Rc::new(Files {
            main,
            size: before.size(),
            wal,
            journal,
            undone,
        });
        let mut prepared = prepared::take(&name);
        if prepared.is_some() && !(is_as_stored && unread::fits(before.header())) {
            prepared = None;
            // Its opening used some, and they are equal in every read.
            hooks::restart_random();
        }
        let handle = match prepared {
            Some(prepared) => {
                // The place is empty, because a prepared connection is used once.
                let _ = prepared.place.set(Rc::clone(&files));
                prepared.handle
            }
            None => {
                vfs::add(&name, Rc::new(Place::from(Rc::clone(&files))));
                let opened = CString::new(name.as_str()).unwrap_or_default();
                Handle::open(&opened)?
            }
        };
        let connection = Self {
            handle,
            on_disk: Some(OnDisk {
                name,
                files,
                before,
            }),
            notes,
            schema: RefCell::default(),
        };
        if !connection.is_small() {
            // Two megabytes of pages fit into the cache of the processor too, which makes scans a tenth faster. This
            // reads the schema, which may be damaged.
            connection.handle.set_up(c"PRAGMA cache_size = -2000");
        }
        Ok(connection)
    }

    /// Creates an empty database in memory.
    pub fn in_memory() -> Result<Self, Error> {
        vfs::register().map_err(Error::Failed)?;
        if prepared::discard() {
            // Its opening used some, and they are equal in every read.
            hooks::restart_random();
        }
        Ok(Self {
            handle: Handle::in_memory()?,
            on_disk: None,
            notes: Vec::new(),
            schema: RefCell::new(Schema::Sound),
        })
    }

    /// Whether the database is in memory, so that tables can be added to it.
    pub fn is_in_memory(&self) -> bool {
        self.on_disk.is_none()
    }

    /// Whether the pages of the database fit into memory together, so that statements which access
    /// rows in no order read each page once.
    fn is_small(&self) -> bool {
        let size = self.on_disk.as_ref().map(|it| it.before.size());
        size.is_some_and(|size| size <= limits::CACHED_BYTES)
    }

    /// Notes on how the database was opened, such as that an unfinished transaction is left out.
    pub fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Runs one read-only statement. Fails if a program changes the database at the same time.
    pub fn run(
        &self,
        statement: &str,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<Outcome, Error> {
        self.unchanged(|| {
            self.handle.watch.start(bounds.work);
            let damage = self.schema()?;
            let mut outcome = self.rows(statement, parameters, bounds)?;
            outcome.damage = outcome.damage.or(damage);
            Ok(outcome)
        })
    }

    /// Returns the result of `read`. Fails if a program changes the database at the same time.
    pub(crate) fn unchanged<T>(&self, read: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let outcome = read();
        // The result is valid only if the files did not change during the statement.
        if let Some(on_disk) = &self.on_disk {
            on_disk.before.again(&on_disk.files)?;
        }
        outcome
    }

    /// The file of a database that has neither a write-ahead log nor an unfinished transaction.
    pub(crate) fn plain_file(&self) -> Option<&Input> {
        let files = &self.on_disk.as_ref()?.files;
        let plain = files.wal.is_none() && files.undone.is_none();
        plain.then_some(&files.main)
    }

    /// The header of the database file when it was opened.
    pub(crate) fn header(&self) -> &[u8] {
        self.on_disk.as_ref().map_or(&[], |it| it.before.header())
    }

    /// The size of the database file in bytes when it was opened.
    pub(crate) fn size(&self) -> u64 {
        self.on_disk.as_ref().map_or(0, |it| it.before.size())
    }

    /// Reads the schema, if that was not done before. Returns the message on the damage if the
    /// schema or the file is damaged. SQLite then uses the part of the schema that it can parse.
    pub(crate) fn schema(&self) -> Result<Option<String>, Error> {
        match &*self.schema.borrow() {
            Schema::Unread => {}
            Schema::Sound => return Ok(None),
            Schema::Damaged(message) => return Ok(Some(message.clone())),
        }
        let query = || Statement::new(&self.handle, c"SELECT name FROM sqlite_schema").map(drop);
        let damage = match query() {
            Ok(()) => None,
            Err(Error::Damaged(message) | Error::Invalid(message)) => {
                // SQLite ignores schema entries that cannot be parsed from now on.
                self.handle.set(ffi::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true);
                if query().is_err() {
                    // Missing pages are ignored as well, which a defensive connection
                    // treats as an error. The database is still protected from writes by
                    // the authorizer and by the VFS.
                    self.handle.set(ffi::SQLITE_DBCONFIG_DEFENSIVE, false);
                    query()?;
                }
                Some(message)
            }
            Err(error) => return Err(error),
        };
        let damage = self.missing().or(damage);
        let known = damage.clone().map_or(Schema::Sound, Schema::Damaged);
        self.schema.replace(known);
        Ok(damage)
    }

    /// The message on a truncated database file, with the number of missing bytes. `None` if the
    /// file is complete or its full size is not known. SQLite would read the missing pages as
    /// empty.
    fn missing(&self) -> Option<String> {
        self.plain_file()?;
        let head = self.header();
        let long = |at: usize| Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?));
        // The stated number of pages is valid only if it was written with the last
        // change.
        let pages = long(28).filter(|pages| *pages > 0 && long(24) == long(92))?;
        let page = match u16::from_be_bytes(head.get(16..18)?.try_into().ok()?) {
            1 => 65536,
            page => u64::from(page),
        };
        let missing = page.checked_mul(pages.into())?.checked_sub(self.size())?;
        (missing > 0).then(|| format!("{missing} bytes are missing at its end"))
    }

    pub(crate) fn rows(
        &self,
        statement: &str,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<Outcome, Error> {
        let sql = CString::new(statement)
            .map_err(|_| Error::Invalid("it contains a NUL character".to_owned()))?;
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
        let mut room = Room::of(bounds);
        let mut code = match self.probed(&prepared, statement, bounds)? {
            Probed::Code(code) => code,
            Probed::Rows(rows) => {
                for row in rows {
                    let width = outcome.result.columns.len();
                    let mut values = row.iter().take(width);
                    if !room.takes(&mut outcome, &mut |longest| {
                        Some(kept(values.next()?, longest))
                    }) {
                        break;
                    }
                }
                return Ok(outcome);
            }
        };
        loop {
            match code {
                ffi::SQLITE_ROW => {
                    let width = outcome.result.columns.len();
                    let mut columns = 0..width;
                    let mut value = |longest| Some(prepared.value(columns.next()?, longest));
                    if !room.takes(&mut outcome, &mut value) {
                        return Ok(outcome);
                    }
                }
                ffi::SQLITE_DONE => return Ok(outcome),
                code => match self.handle.error(code) {
                    // Rows before the damage are returned.
                    Error::Damaged(message) => {
                        outcome.damage = Some(message);
                        return Ok(outcome);
                    }
                    error => return Err(error),
                },
            }
            code = prepared.step();
        }
    }

    /// Advances a statement to its first row. A statement that takes long before its first row is evaluated without
    /// SQLite, if that is possible.
    fn probed(
        &self,
        prepared: &Statement<'_>,
        statement: &str,
        bounds: Bounds,
    ) -> Result<Probed, Error> {
        let is_sound = matches!(*self.schema.borrow(), Schema::Sound);
        if !is_sound || self.plain_file().is_none() || !scan::plan::is_candidate(statement) {
            return Ok(Probed::Code(prepared.step()));
        }
        let watch = &self.handle.watch;
        let later = watch.hold(limits::PROBE);
        let code = prepared.step();
        watch.release(later);
        if code & 0xff != ffi::SQLITE_INTERRUPT || later == 0 {
            return Ok(Probed::Code(code));
        }
        prepared.reset();
        // One more row shows that there are more.
        let most = usize::try_from(bounds.rows).unwrap_or(usize::MAX);
        Ok(match self.evaluated(statement, most.saturating_add(1))? {
            Some(rows) => Probed::Rows(rows),
            None => Probed::Code(prepared.step()),
        })
    }
}

/// The first step of a statement.
enum Probed {
    /// The result code of SQLite.
    Code(c_int),
    /// All rows, which were evaluated without SQLite.
    Rows(Vec<Vec<scan::value::Value>>),
}

/// The room for the values of a result.
struct Room {
    rows: u64,
    longest: usize,
    left: usize,
}

/// A function that returns the next value of a row, at most so many bytes of it, and its full length in bytes.
type Next<'n> = &'n mut dyn FnMut(usize) -> Option<(Value, usize)>;

impl Room {
    fn of(bounds: Bounds) -> Self {
        Self {
            rows: bounds.rows.into(),
            longest: usize::try_from(bounds.bytes).unwrap_or(usize::MAX),
            left: limits::RESULT_BYTES,
        }
    }

    /// Adds a row to a result. Returns false if there is no room for it.
    fn takes(&mut self, outcome: &mut Outcome, next: Next<'_>) -> bool {
        let rows = outcome.result.rows.len() as u64;
        if rows >= self.rows || (self.left == 0 && rows > 0) {
            outcome.more = true;
            return false;
        }
        let mut values = Vec::with_capacity(outcome.result.columns.len());
        while let Some((value, length)) = next(self.longest.min(self.left)) {
            let (used, cut) = size(&value, length);
            self.left = self
                .left
                .saturating_sub(used.saturating_add(limits::VALUE_BYTES));
            if cut {
                outcome.cuts.push(Cut {
                    row: u32::try_from(rows).unwrap_or(u32::MAX),
                    column: u32::try_from(values.len()).unwrap_or(u32::MAX),
                    length: length as u64,
                });
            }
            values.push(value);
        }
        outcome.result.rows.push(RowResult { values });
        true
    }
}

/// A value of a result that was evaluated, at most `longest` bytes of it, and its full length in bytes.
fn kept(value: &scan::value::Value, longest: usize) -> (Value, usize) {
    use scan::value::Cell;
    match value.cell() {
        Cell::Null => (Value::Null, 0),
        Cell::Integer(number) => (Value::Integer(number), 0),
        Cell::Real(number) => (Value::Real(number), 0),
        Cell::Text(text) => (Value::Text(head(text, longest)), text.len()),
        Cell::Blob(blob) => {
            let part = blob.get(..longest).unwrap_or(blob);
            (Value::Blob(part.to_vec()), blob.len())
        }
    }
}

/// The size in bytes of a text or blob, and whether it was cut. `length` is its size before the
/// cut. The size of any other value is 0.
fn size(value: &Value, length: usize) -> (usize, bool) {
    match value {
        Value::Text(text) => (text.len(), text.len() < length),
        Value::Blob(blob) => (blob.len(), blob.len() < length),
        Value::Integer(_) | Value::Real(_) | Value::Null => (0, false),
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(on_disk) = &self.on_disk {
            vfs::remove(&on_disk.name);
        }
    }
}

/// The rollback of an unfinished transaction, and notes about it. `size` is the size of the
/// database in bytes. `None` if the journal contains no such transaction.
fn undo(journal: &Input, size: u64) -> Result<(Option<journal::Rollback>, Vec<String>), Error> {
    // A journal next to an empty database has no effect.
    if size == 0 {
        return Ok((None, Vec::new()));
    }
    let length = journal.size().map_err(Error::Io)?;
    // A read error must not be treated as the end of the journal: the uncommitted pages would be
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
