//! The number of rows of a batch, which another thread may show.

use std::sync::atomic::{AtomicU64, Ordering};

/// The numbers of a batch that runs.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    pub(crate) read: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) repeated: AtomicU64,
    pub(crate) done_before: AtomicU64,
    pub(crate) left_out: AtomicU64,
}

/// The numbers of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The rows of paths that were read.
    pub read: u64,
    /// The rows of paths that could not be read.
    pub failed: u64,
    /// The paths that had a row already, because they are in the list several times.
    pub repeated: u64,
    /// The paths whose row an earlier run has written.
    pub done_before: u64,
    /// The paths whose read was stopped. They have no row.
    pub left_out: u64,
}

impl Progress {
    /// The numbers now.
    pub fn now(&self) -> Summary {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Summary {
            read: of(&self.read),
            failed: of(&self.failed),
            repeated: of(&self.repeated),
            done_before: of(&self.done_before),
            left_out: of(&self.left_out),
        }
    }

    pub(crate) fn count(number: &AtomicU64) {
        number.fetch_add(1, Ordering::Relaxed);
    }
}

impl Summary {
    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.read + self.failed
    }
}
