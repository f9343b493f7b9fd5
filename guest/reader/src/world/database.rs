//! The interface of the database engine.

use super::{FileError, Remote};
use crate::limits;
use std::fmt;

/// The bytes that an engine reads: those of a document, of a database, or of the write-ahead log or
/// journal of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file in a root (a directory that may be read). Contains the index of the root and the path
    /// relative to the root.
    File(usize, String),
    /// The content of the file, in memory.
    Bytes(Vec<u8>),
    /// The content of the file, which is read over a network when the engine needs it.
    Remote(Remote),
}

/// A database and the files that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The database.
    pub main: Input,
    /// The write-ahead log.
    pub wal: Option<Input>,
    /// The rollback journal.
    pub journal: Option<Input>,
}

impl Parts {
    /// Whether there is a write-ahead log or a rollback journal.
    pub fn has_more(&self) -> bool {
        self.wal.is_some() || self.journal.is_some()
    }
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// A text, which may be cut, and the size of the whole text in bytes.
    Text(String, u64),
    /// A blob. Contains only its size in bytes.
    Blob(u64),
    /// SQL NULL.
    Null,
}

/// Whether a read is useful without the result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It is not. The call may use the whole allowance.
    Required,
    /// It is, so that little is fetched for the call: [`OPTIONAL_FETCHES`](crate::limits::OPTIONAL_FETCHES) ranges, and for
    /// all such calls together [`ALL_OPTIONAL_FETCHES`](crate::limits::ALL_OPTIONAL_FETCHES).
    Optional,
}

/// The work of a statement, in instructions of SQLite's virtual machine. It does not depend on the
/// machine, nor on the other programs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// As much as a query may do in the time of the read: [`limits::QUERY_WORK`] for each second of its
    /// timeout.
    Query,
    /// At most this many instructions, whatever the timeout is.
    Instructions(u64),
}

impl Work {
    /// The work for optional information.
    pub const OPTIONAL: Self = Self::Instructions(limits::OPTIONAL_WORK);

    /// The work for the sample rows of a table or view.
    pub const SAMPLE: Self = Self::Instructions(limits::SAMPLE_WORK);

    /// The maximum number of instructions in a read with this timeout in milliseconds.
    pub fn instructions(self, timeout: u64) -> u64 {
        match self {
            Self::Query => limits::QUERY_WORK.saturating_mul(timeout) / 1000,
            Self::Instructions(count) => count,
        }
    }
}

/// The limits of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The maximum number of rows that are returned.
    pub rows: u64,
    /// The maximum size in bytes of a text in a row. A longer text is cut.
    pub bytes: usize,
    /// The maximum work of SQLite.
    pub work: Work,
    /// How much of a database on a server may be fetched for the statement.
    pub need: Need,
}

/// The result of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, at most [`Bounds::rows`].
    pub rows: Vec<Vec<Value>>,
    /// Whether the statement has more rows than these.
    pub more: bool,
    /// The message of SQLite on damage to the database. `None` if the statement found no damage.
    pub damage: Option<String>,
}

/// A table, as the schema has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Described {
    /// The name of the table.
    pub name: String,
    /// The start of its definition, and the size of the whole definition in bytes. `None` if the schema has none.
    pub definition: Option<(String, u64)>,
    /// The rows of `PRAGMA table_xinfo`, one for each column.
    pub columns: Vec<Vec<Value>>,
}

/// Rows of a table in the order of the values of a column.
#[derive(Clone, Copy, Debug)]
pub struct Ordering<'a> {
    /// The name of the table.
    pub table: &'a str,
    /// The name by which SQL reads the rowid of the table.
    pub rowid: &'a str,
    /// An expression in SQL that is true for the rows. `None` for all rows.
    pub condition: Option<&'a str>,
    /// The name of the column.
    pub column: &'a str,
    /// Whether the largest value is the first.
    pub descending: bool,
    /// The number of rows that are skipped.
    pub offset: u64,
    /// The maximum number of rows that are returned.
    pub limit: u64,
    /// The maximum work of SQLite.
    pub work: Work,
}

/// The first rows of a table in an order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ordered {
    /// The rowids of the rows, in order.
    pub rows: Vec<i64>,
    /// The number of rows for which the condition is true.
    pub matching: u64,
    /// The number of instructions of SQLite's virtual machine that the scan took.
    pub work: u64,
    /// The message of SQLite on damage that ended the scan. There are no rows then.
    pub damage: Option<String>,
}

/// The reason why a database query failed. Contains the message of the engine, unless the variant
/// states otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseError {
    /// The database, its log or its journal cannot be opened.
    File(FileError),
    /// The file is not a database, or it is encrypted.
    NotADatabase(String),
    /// The database is damaged where the statement reads it.
    Damaged(String),
    /// A program changed the database during the read. Contains what changed: `the database`.
    Changed(String),
    /// The statement would do more than read. Contains the predicate of a message: `changes data`.
    Refused(String),
    /// The statement is not valid SQL.
    Invalid(String),
    /// The statement needs more instructions of SQLite's virtual machine than this limit.
    Work(u64),
    /// The statement exceeds another limit. Contains the name of the limit: `memory` or `time`.
    Exhausted(String),
    /// The file cannot be read.
    Io(String),
    /// The engine failed.
    Failed(String),
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Refused(what) => write!(f, "the statement {what}"),
            Self::Exhausted(what) => {
                write!(f, "stopped: it needs more {what} than the limit")
            }
            Self::Work(_) => f.write_str("stopped: it needs more work than the limit"),
            Self::Changed(what) => write!(f, "a program writes to it: {what} changed"),
            Self::NotADatabase(message)
            | Self::Damaged(message)
            | Self::Invalid(message)
            | Self::Io(message)
            | Self::Failed(message) => f.write_str(message),
        }
    }
}

/// A row that is inserted into a table in memory: its number, which is its rowid, and one value for
/// each column. A [`Value::Blob`] is inserted as NULL.
pub type NumberedRow = (i64, Vec<Value>);

/// The error for a connection to a database that is not in memory.
fn not_in_memory() -> DatabaseError {
    DatabaseError::Failed("rows cannot be added to this database".to_owned())
}

/// An open database.
pub trait Connection {
    /// The notes on how the database was opened, such as that an unfinished transaction is left
    /// out.
    fn notes(&mut self) -> Vec<String>;

    /// Runs one read-only statement.
    ///
    /// # Errors
    /// Fails if the statement is not valid or not read-only, exceeds a limit, or cannot read
    /// the database.
    fn execute(
        &mut self,
        statement: &str,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<Rows, DatabaseError>;

    /// Returns the first rows of a table in an order, and counts the rows in the same scan. `None` if only a
    /// statement can do that.
    ///
    /// # Errors
    /// Fails if the engine ends, or if another program changes the database.
    fn first(&mut self, _ordering: &Ordering<'_>) -> Result<Option<Ordered>, DatabaseError> {
        Ok(None)
    }

    /// Finds the table that has one of these names, whatever the case of their letters in ASCII is. `None` if only
    /// statements can find it, if no or more than one table or view has one of the names, or if it is not an ordinary
    /// table.
    ///
    /// # Errors
    /// Fails if the engine ends, or if another program changes the database.
    fn describe(
        &mut self,
        _names: &[String],
        _bounds: Bounds,
    ) -> Result<Option<Described>, DatabaseError> {
        Ok(None)
    }

    /// Counts the rows of a table by its pages, and stops after more than `most`. `None` if only a statement can
    /// count them.
    ///
    /// # Errors
    /// Fails if the engine ends, or if another program changes the database.
    fn count(&mut self, _table: &str, _most: u64) -> Result<Option<u64>, DatabaseError> {
        Ok(None)
    }

    /// Adds an empty table to a database in memory. No column has the name `_rowid_`.
    ///
    /// # Errors
    /// Fails if the database is not in memory, or if the table has too many columns.
    fn define(&mut self, _table: &str, _columns: &[String]) -> Result<(), DatabaseError> {
        Err(not_in_memory())
    }

    /// Inserts rows into a table of a database in memory.
    ///
    /// # Errors
    /// Fails if the database is not in memory, or if its memory is exhausted.
    fn insert(&mut self, _table: &str, _rows: Vec<NumberedRow>) -> Result<(), DatabaseError> {
        Err(not_in_memory())
    }

    /// Removes all rows of a table of a database in memory.
    ///
    /// # Errors
    /// Fails if the database is not in memory.
    fn clear(&mut self, _table: &str) -> Result<(), DatabaseError> {
        Err(not_in_memory())
    }
}
