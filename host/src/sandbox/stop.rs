//! The stop conditions of a read: cancellation by the caller, and the limit on its time.

use super::{ProcessorLimit, ReadTime};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, MutexGuard, PoisonError};
use std::time::Duration;

/// Cancels reads from another thread.
///
/// Clones of a token cancel the same reads. A cancelled read fails with
/// [`Reason::Cancelled`](crate::Reason::Cancelled). A read that starts with a cancelled token fails
/// at once. A cancelled read does not wait for code of the host that blocks, for example on a
/// network. That code may return later.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels all reads with this token, within milliseconds.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the token was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The reason why a read or an engine was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The caller cancelled the read.
    Cancelled,
    /// The read has used up its time.
    Time,
    /// The engine exceeded its limit on processor time.
    Processor,
    /// The instance exceeded its memory limit.
    Memory,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cancelled => "cancelled",
            Self::Time => "time is up",
            Self::Processor => "processor time is used up",
            Self::Memory => "memory is used up",
        })
    }
}

impl std::error::Error for Stopped {}

/// The interval at which a waiting read checks its stop conditions.
pub const TURN: Duration = Duration::from_millis(10);

/// The stop conditions of one read, or of one call of an engine for a read.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// The cancel token of the caller.
    pub token: Option<CancelToken>,
    /// The time of the read.
    pub time: Arc<ReadTime>,
    /// The processor time limit of the engine call.
    pub processor: Option<Arc<ProcessorLimit>>,
}

impl Stop {
    /// Checks the stop conditions, including the processor time, of a read or engine call that runs
    /// on this thread.
    ///
    /// # Errors
    /// Fails if the read or call must stop.
    pub fn check(&self) -> Result<(), Stopped> {
        self.check_token()?;
        if self.time.is_up() {
            return Err(Stopped::Time);
        }
        match &self.processor {
            Some(limit) if limit.is_reached() => Err(Stopped::Processor),
            _ => Ok(()),
        }
    }

    /// Waits for a signal for at most one [`TURN`], and then checks the stop conditions. The guard
    /// is returned even if the check fails.
    pub fn wait_turn<'g, T>(
        &self,
        signal: &Condvar,
        guard: MutexGuard<'g, T>,
    ) -> (MutexGuard<'g, T>, Result<(), Stopped>) {
        let waited = signal.wait_timeout(guard, TURN);
        let guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        (guard, self.check_waiting())
    }

    /// Checks the stop conditions of a read that waits, and therefore uses no processor time.
    ///
    /// # Errors
    /// Fails if the read must stop.
    pub fn check_waiting(&self) -> Result<(), Stopped> {
        self.check_token()?;
        if self.time.is_up_for_a_wait() {
            return Err(Stopped::Time);
        }
        Ok(())
    }

    fn check_token(&self) -> Result<(), Stopped> {
        match &self.token {
            Some(token) if token.is_cancelled() => Err(Stopped::Cancelled),
            _ => Ok(()),
        }
    }
}
