//! The stop conditions of a read: cancellation by the caller, and the deadline.

use super::Waits;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
    /// The read reached its deadline.
    Deadline,
    /// The engine exceeded its limit on processor time.
    Processor,
    /// The instance exceeded its memory limit.
    Memory,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cancelled => "cancelled",
            Self::Deadline => "time is up",
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
    /// The deadline of the read, if it does not wait for the network.
    pub deadline: Option<Instant>,
    /// The time for which the read has waited for the network, by which the deadline is later.
    /// `None` if it has no network.
    pub waits: Option<Arc<Waits>>,
    /// The processor time limit of the engine call.
    pub processor: Option<Arc<ProcessorLimit>>,
}

impl Stop {
    /// The time until the deadline. `None` if there is no deadline.
    pub fn time_left(&self) -> Option<Duration> {
        let end = self.end()?;
        Some(end.saturating_duration_since(Instant::now()))
    }

    /// The deadline, which is later by the time for which the read has waited for the network.
    fn end(&self) -> Option<Instant> {
        let waited = self.waits.as_ref().map(|waits| waits.total());
        self.deadline?.checked_add(waited.unwrap_or_default())
    }

    /// Checks the stop conditions, including the processor time, of a read or engine call that runs
    /// on this thread.
    ///
    /// # Errors
    /// Fails if the read or call must stop.
    pub fn check(&self) -> Result<(), Stopped> {
        self.check_waiting()?;
        match &self.processor {
            Some(limit) if limit.is_reached(processor_time()) => Err(Stopped::Processor),
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
        if self.token.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Err(Stopped::Cancelled);
        }
        let is_over = |end: Option<Instant>| end.is_some_and(|end| Instant::now() >= end);
        if is_over(self.deadline) && is_over(self.end()) {
            return Err(Stopped::Deadline);
        }
        Ok(())
    }
}

/// The maximum processor time that is counted between two checks. Checks are usually some
/// milliseconds apart. If a virtual machine is paused, the processor time of a thread jumps by the
/// length of the pause.
const STEP: Duration = Duration::from_millis(100);

/// A limit on the [`processor_time`] of one thread.
#[derive(Debug)]
pub struct ProcessorLimit {
    /// The processor time of the thread at the last check, in nanoseconds.
    checked: AtomicU64,
    /// The processor time that is left, in nanoseconds.
    left: AtomicU64,
}

impl ProcessorLimit {
    /// Creates a limit that this thread reaches after it has used `time` of processor time from now
    /// on.
    pub fn new(time: Duration) -> Self {
        Self::at(processor_time(), time)
    }

    fn at(now: Duration, time: Duration) -> Self {
        Self {
            checked: AtomicU64::new(nanoseconds(now)),
            left: AtomicU64::new(nanoseconds(time)),
        }
    }

    /// Counts the processor time of the thread up to `now`, and returns whether the limit is
    /// reached.
    fn is_reached(&self, now: Duration) -> bool {
        let now = nanoseconds(now);
        let step = now.saturating_sub(self.checked.swap(now, Ordering::Relaxed));
        let left = self.left.load(Ordering::Relaxed);
        let left = left.saturating_sub(step.min(nanoseconds(STEP)));
        self.left.store(left, Ordering::Relaxed);
        left == 0
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The time for which this thread has run on a processor. Time in which it waited, or in which
/// other programs ran, does not count.
#[cfg(unix)]
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Whether [`processor_time`] measures processor time. Windows has no such clock in the
/// standard library.
pub const PROCESSOR_TIME_IS_KNOWN: bool = cfg!(unix);

/// The time since the first call of this function, in place of processor time.
#[cfg(not(unix))]
pub fn processor_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_limit_ignores_jumps_of_the_clock() {
        let ms = Duration::from_millis;
        let limit = ProcessorLimit::at(ms(500), ms(1000));
        // Eighty steps of 10 ms.
        for step in 1..=80 {
            assert!(!limit.is_reached(ms(500 + step * 10)));
        }
        // The machine stood still for a minute. Only one step of it counts.
        assert!(!limit.is_reached(ms(61_300)));
        assert!(limit.is_reached(ms(61_400)));
        assert!(limit.is_reached(ms(61_400)));
    }
}
