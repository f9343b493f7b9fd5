//! How a read is stopped from outside: by its caller, or by its deadline.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Stops reads from another thread.
///
/// Clones stop together. A read that was stopped fails with
/// [`Reason::Cancelled`](crate::Reason::Cancelled) and leaves nothing behind;
/// reads that start with a token that was already used fail at once.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that stops nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops every read that was given this token, within milliseconds.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was used.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a read was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Its caller gave up.
    Cancelled,
    /// Its time was up.
    Deadline,
    /// It wanted more memory than it may have.
    Memory,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cancelled => "cancelled",
            Self::Deadline => "time is up",
            Self::Memory => "memory is used up",
        })
    }
}

impl std::error::Error for Stopped {}

/// What stops one read.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// The caller's token.
    pub token: Option<CancelToken>,
    /// When its time is up.
    pub deadline: Option<Instant>,
}

impl Stop {
    /// # Errors
    /// If the read is to stop.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.token.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Err(Stopped::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::Deadline),
            _ => Ok(()),
        }
    }
}
