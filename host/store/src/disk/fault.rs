//! Errors of SQLite, and their counts.

use crate::error::{Dropped, Problem, StoreError};
use rusqlite::ErrorCode;
use std::sync::atomic::{AtomicU64, Ordering};

/// An error inside a store on disk.
#[derive(Debug)]
pub(super) enum Fault {
    Sql(rusqlite::Error),
    /// A value does not have the form in which it was written.
    Damaged,
    /// An error for the caller.
    Store(StoreError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl Fault {
    pub(super) fn problem(&self) -> Problem {
        use rusqlite::Error;
        match self {
            Self::Sql(Error::SqliteFailure(error, _)) => match error.code {
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Problem::Busy,
                ErrorCode::DiskFull => Problem::Full,
                ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Problem::ReadOnly,
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Problem::Damaged,
                _ => Problem::Other,
            },
            // A value of another type than its column, or a missing row of `total`.
            Self::Sql(
                Error::FromSqlConversionFailure(..)
                | Error::IntegralValueOutOfRange(..)
                | Error::InvalidColumnType(..)
                | Error::QueryReturnedNoRows
                | Error::Utf8Error(..),
            )
            | Self::Damaged => Problem::Damaged,
            Self::Sql(_) | Self::Store(_) => Problem::Other,
        }
    }

    /// Whether SQLite found the file itself damaged, and not only one value.
    pub(super) fn is_of_the_file(&self) -> bool {
        matches!(self, Self::Sql(_)) && self.problem() == Problem::Damaged
    }

    /// The error for the caller of a write.
    pub(super) fn of_write(self) -> StoreError {
        match self {
            Self::Store(error) => error,
            fault => StoreError::Write(fault.problem()),
        }
    }

    /// The error for the caller of a read.
    pub(super) fn of_read(self) -> StoreError {
        match self {
            Self::Store(error) => error,
            fault => StoreError::Read(fault.problem()),
        }
    }
}

/// The counts of dropped writes and failed reads.
#[derive(Debug, Default)]
pub(super) struct Counts {
    busy: AtomicU64,
    full: AtomicU64,
    read_only: AtomicU64,
    damaged: AtomicU64,
    other: AtomicU64,
    reads: AtomicU64,
}

impl Counts {
    pub(super) fn count_write(&self, fault: &Fault) {
        // The caller reports it.
        if matches!(fault, Fault::Store(_)) {
            return;
        }
        let count = match fault.problem() {
            Problem::Busy => &self.busy,
            Problem::Full => &self.full,
            Problem::ReadOnly => &self.read_only,
            Problem::Damaged => &self.damaged,
            Problem::Other => &self.other,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_read(&self) {
        self.reads.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn dropped(&self) -> Dropped {
        Dropped {
            busy: self.busy.load(Ordering::Relaxed),
            full: self.full.load(Ordering::Relaxed),
            read_only: self.read_only.load(Ordering::Relaxed),
            damaged: self.damaged.load(Ordering::Relaxed),
            other: self.other.load(Ordering::Relaxed),
            reads: self.reads.load(Ordering::Relaxed),
        }
    }
}
