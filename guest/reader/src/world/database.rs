//! Databases, as an engine opens them.

use super::FileError;
use std::fmt;

/// Bytes of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file in a root, by the number of that and the path in it.
    File(usize, String),
    /// All of them.
    Bytes(Vec<u8>),
}

/// A database, and what lies beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The database.
    pub main: Input,
    /// Its write-ahead log.
    pub wal: Option<Input>,
    /// Its rollback journal.
    pub journal: Option<Input>,
}

impl Parts {
    /// Whether there is more than the database itself.
    pub fn has_more(&self) -> bool {
        self.wal.is_some() || self.journal.is_some()
    }
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Text, and how many bytes there are of it.
    Text(String, u64),
    /// How many bytes there are.
    Blob(u64),
    /// Nothing.
    Null,
}

/// How much of an answer is wanted, and how much work it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Rows.
    pub rows: u64,
    /// Bytes of one text.
    pub bytes: usize,
    /// Instructions of the engine.
    pub work: u64,
}

/// What a statement gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, as far as they were asked for.
    pub rows: Vec<Vec<Value>>,
    /// There are more.
    pub more: bool,
    /// Damage that was met.
    pub damage: Option<String>,
}

/// Why there is no answer. What it holds are the words of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseError {
    /// A part of it cannot be opened.
    File(FileError),
    /// No database, or an encrypted one.
    Foreign(String),
    /// What was to be read is damaged.
    Damaged(String),
    /// A program changed it while it was read.
    Changed(String),
    /// The statement would do more than read.
    Refused(String),
    /// The statement is no sound SQL.
    Invalid(String),
    /// The statement takes more than it may: `work`, `memory` or `time`.
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
            Self::Refused(what) => write!(f, "it would do more than read: {what}"),
            Self::Exhausted(what) => write!(f, "stopped: it takes more {what} than it may"),
            Self::Changed(what) => write!(f, "a program writes to it: {what} changed"),
            Self::Foreign(words)
            | Self::Damaged(words)
            | Self::Invalid(words)
            | Self::Io(words)
            | Self::Failed(words) => f.write_str(words),
        }
    }
}

/// An open database.
pub trait Connection {
    /// What is to be said of the way in which it was opened.
    fn notes(&mut self) -> Vec<String>;

    /// Runs one statement that reads.
    ///
    /// # Errors
    /// What stands in the way.
    fn execute(
        &mut self,
        statement: &str,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<Rows, DatabaseError>;
}
