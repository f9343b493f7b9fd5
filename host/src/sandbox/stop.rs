//! How a read is stopped from outside: by its caller, or by its deadline.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Stops reads from another thread.
///
/// Clones stop together. A read that was stopped fails with
/// [`Reason::Cancelled`](crate::Reason::Cancelled). It waits for no call of the host any more; one that
/// waits for a network may end later. Reads that start with a token that was already used fail at once.
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

/// Why a read or an engine was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Its caller gave up.
    Cancelled,
    /// The time of the read was up.
    Deadline,
    /// An engine used the processor for longer than it may.
    Processor,
    /// It wanted more memory than it may have.
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

/// How often a waiting read checks whether it is to stop.
pub const TURN: Duration = Duration::from_millis(10);

/// What stops one read, or a call of an engine for it.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// The caller's token.
    pub token: Option<CancelToken>,
    /// When the time of the read is up.
    pub deadline: Option<Instant>,
    /// The processor time that the call of an engine may use.
    pub processor: Option<Arc<ProcessorLimit>>,
}

impl Stop {
    /// How long the read may go on; `None` if there is no limit.
    pub fn time_left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Checks a read or call that runs on this thread.
    ///
    /// # Errors
    /// If it is to stop.
    pub fn check(&self) -> Result<(), Stopped> {
        self.check_waiting()?;
        match &self.processor {
            Some(limit) if limit.is_reached(processor_time()) => Err(Stopped::Processor),
            _ => Ok(()),
        }
    }

    /// Waits for a signal, for one [`TURN`] at most, and checks the read. The guard is
    /// returned in any case.
    pub fn wait_turn<'g, T>(
        &self,
        signal: &Condvar,
        guard: MutexGuard<'g, T>,
    ) -> (MutexGuard<'g, T>, Result<(), Stopped>) {
        let waited = signal.wait_timeout(guard, TURN);
        let guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        (guard, self.check_waiting())
    }

    /// Checks a read that waits for something.
    ///
    /// # Errors
    /// If it is to stop.
    pub fn check_waiting(&self) -> Result<(), Stopped> {
        if self.token.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Err(Stopped::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::Deadline),
            _ => Ok(()),
        }
    }
}

/// The longest step of the clock that counts. Checks are some milliseconds apart. In a
/// virtual machine that its host stopped, the clock of a thread goes on, and jumps.
const STEP: Duration = Duration::from_millis(100);

/// A limit on the [`processor_time`] of one thread.
#[derive(Debug)]
pub struct ProcessorLimit {
    /// The time at the last check, in nanoseconds.
    checked: AtomicU64,
    /// The time that is left, in nanoseconds.
    left: AtomicU64,
}

impl ProcessorLimit {
    /// A limit that this thread reaches after it has run for `time` more.
    pub fn new(time: Duration) -> Self {
        Self::at(processor_time(), time)
    }

    fn at(now: Duration, time: Duration) -> Self {
        Self {
            checked: AtomicU64::new(nanoseconds(now)),
            left: AtomicU64::new(nanoseconds(time)),
        }
    }

    /// Whether the limit is reached at this time of the thread.
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

/// The time for which this thread has run on a processor: time in which it
/// waited, or in which other programs had the processor, does not count.
#[cfg(unix)]
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Whether [`processor_time`] is that, or the time since some moment: Windows has
/// no such clock in the standard library.
pub const PROCESSOR_TIME_IS_KNOWN: bool = cfg!(unix);

/// The time since some moment.
#[cfg(not(unix))]
pub fn processor_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_the_clock_count_and_jumps_do_not() {
        let ms = Duration::from_millis;
        let limit = ProcessorLimit::at(ms(500), ms(1000));
        // Eighty steps of 10 ms.
        for step in 1..=80 {
            assert!(!limit.is_reached(ms(500 + step * 10)));
        }
        // The machine stood still for a minute, of which one step counts.
        assert!(!limit.is_reached(ms(61_300)));
        assert!(limit.is_reached(ms(61_400)));
        assert!(limit.is_reached(ms(61_400)));
    }
}
