//! The stop conditions of a read: cancellation by the caller, and the limit on its time.

use super::processor::processor_time;
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
#[derive(Clone, Default)]
pub struct CancelToken(Arc<Token>);

/// The state that the clones of a token share.
#[derive(Default)]
struct Token {
    is_cancelled: AtomicBool,
    check: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancelToken")
            .field(&self.is_cancelled())
            .finish()
    }
}

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a token that is cancelled by [`cancel`](Self::cancel), or when `check` returns true.
    ///
    /// A read calls `check` on the thread that called it, about every 10 milliseconds while it runs or waits, and
    /// more often in some loops, so that an interpreter can look for signals there. Threads that help the read may
    /// call it as well. While `check` runs, the read does not go on. A read does not call it in a long loop of a parser
    /// that calls no function, which ends at the time limit of the read.
    pub fn with_check(check: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(Token {
            is_cancelled: AtomicBool::new(false),
            check: Some(Box::new(check)),
        }))
    }

    /// Cancels all reads with this token, within milliseconds.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the token was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// Whether the token was cancelled, or is cancelled now because its check returns true.
    fn checks_cancelled(&self) -> bool {
        if !self.is_cancelled() && self.0.check.as_ref().is_some_and(|check| check()) {
            self.cancel();
        }
        self.is_cancelled()
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
        self.time.count_check();
        self.check_token()?;
        self.reached(processor_time()).map_or(Ok(()), Err)
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
        self.time.count_check();
        self.check_token()?;
        if self.time.is_up_for_a_wait() {
            return Err(Stopped::Time);
        }
        Ok(())
    }

    /// Why the read or call must stop, for another thread than that of the read, of whose clock `now` is the time. The
    /// check of a token is not called: it belongs to the thread of the read.
    pub fn must_end(&self, now: Option<Duration>) -> Option<Stopped> {
        if self.token.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Some(Stopped::Cancelled);
        }
        match now {
            Some(now) => self.reached(now),
            None => self.time.is_up_for_a_wait().then_some(Stopped::Time),
        }
    }

    /// The limit that is reached when the thread of the read has used this processor time.
    fn reached(&self, now: Duration) -> Option<Stopped> {
        self.time.count_to(now);
        if self.time.is_up_for_a_wait() {
            return Some(Stopped::Time);
        }
        let is_reached = self.processor.as_ref()?.is_reached(now);
        is_reached.then_some(Stopped::Processor)
    }

    fn check_token(&self) -> Result<(), Stopped> {
        match &self.token {
            Some(token) if token.checks_cancelled() => Err(Stopped::Cancelled),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn token_whose_check_returns_true_stays_cancelled() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let token = CancelToken::with_check(move || counted.fetch_add(1, Ordering::Relaxed) == 1);
        let stop = Stop {
            token: Some(token.clone()),
            ..Stop::default()
        };
        assert_eq!(stop.check_waiting(), Ok(()));
        assert!(!token.is_cancelled());
        assert_eq!(stop.check(), Err(Stopped::Cancelled));
        assert_eq!(stop.check(), Err(Stopped::Cancelled));
        assert!(token.is_cancelled());
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }
}
