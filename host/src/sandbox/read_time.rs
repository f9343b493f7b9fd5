//! The time of a read, and its limit.
//!
//! The time that counts is the processor time of the thread of the read, and the time for which the
//! read waits for standard input or for a provider. The time in which other programs, other reads or
//! a server are waited for does not count, so that none of them changes the outcome of a read.

use super::Waits;
use super::processor::{PROCESSOR_TIME_IS_KNOWN, ProcessorTime};
use crate::limits::REAL_TIME;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time of one read. Only the thread of the read counts its processor time.
#[derive(Debug)]
pub struct ReadTime {
    /// The limit. `None` if the read may take any time.
    limit: Option<Duration>,
    began: Instant,
    processor: ProcessorTime,
    /// The processor time of the threads that have helped, in nanoseconds.
    helped: AtomicU64,
    /// The time for which the read has waited for standard input and for providers.
    inputs: Waits,
    /// The time for which the read has waited for the network. It has a limit of its own.
    network: Arc<Waits>,
    /// The number of checks of the stop conditions, which wraps around.
    checks: AtomicU32,
}

impl Default for ReadTime {
    /// The time of a read that begins now and has no limit.
    fn default() -> Self {
        Self::new(None)
    }
}

impl ReadTime {
    /// The time of a read that begins now, on this thread.
    pub fn new(limit: Option<Duration>) -> Self {
        Self {
            limit,
            began: Instant::now(),
            processor: ProcessorTime::default(),
            helped: AtomicU64::new(0),
            inputs: Waits::default(),
            network: Arc::default(),
            checks: AtomicU32::new(0),
        }
    }

    /// Notes that the read has checked its stop conditions.
    pub fn count_check(&self) {
        self.checks.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of checks of the stop conditions so far. It changes with each check.
    pub fn checks(&self) -> u32 {
        self.checks.load(Ordering::Relaxed)
    }

    /// The limit. `None` if the read may take any time.
    pub fn limit(&self) -> Option<Duration> {
        self.limit
    }

    /// The waits for standard input and for providers.
    pub fn inputs(&self) -> &Waits {
        &self.inputs
    }

    /// The waits for the network.
    pub fn network(&self) -> &Arc<Waits> {
        &self.network
    }

    /// The real time since the read began, without the time for which it has waited for the network.
    pub fn real(&self) -> Duration {
        self.began.elapsed().saturating_sub(self.network.total())
    }

    /// The processor time that the read has used. `None` if the system does not measure it.
    pub fn ran(&self) -> Option<Duration> {
        PROCESSOR_TIME_IS_KNOWN.then(|| self.processor.count())
    }

    /// The time that the read has used itself. It decides what the reply contains, so that it does not
    /// depend on other programs and other reads. To be called on the thread of the read.
    pub fn used(&self) -> Duration {
        self.processor.count();
        self.own(self.real())
    }

    /// The time that the read may still use itself. `None` if there is no limit. `now` is the
    /// [`processor_time`](super::processor_time) of its thread.
    pub fn left(&self, now: Duration) -> Option<Duration> {
        self.processor.count_to(now);
        Some(self.limit?.saturating_sub(self.own(self.real())))
    }

    /// The part of `real` time that the read has used itself.
    fn own(&self, real: Duration) -> Duration {
        if PROCESSOR_TIME_IS_KNOWN {
            let processor = self.processor.counted().saturating_add(self.helped());
            processor.saturating_add(self.inputs.total())
        } else {
            real
        }
    }

    /// The part of `real` time that counts towards the limit. It is at least a share of it, so that the
    /// read ends in any case.
    fn counted(&self, real: Duration) -> Duration {
        self.own(real).max(real / REAL_TIME)
    }

    /// Counts the processor time of the thread of the read, of whose clock this is the time. May be called on any thread.
    pub fn count_to(&self, now: Duration) {
        self.processor.count_to(now);
    }

    /// Whether the limit is reached for a read that waits, and therefore uses no processor time. May be
    /// called on any thread.
    pub fn is_up_for_a_wait(&self) -> bool {
        let Some(limit) = self.limit else {
            return false;
        };
        // The time that counts on one thread is not longer than the real time, which is faster to find out.
        self.began.elapsed().saturating_add(self.helped()) >= limit
            && self.counted(self.real()) >= limit
    }

    /// The time of another thread that helps the read from now on. To be called on that thread.
    pub fn helper(&self) -> HelperTime<'_> {
        HelperTime {
            read: self,
            processor: ProcessorTime::default(),
            given: Cell::new(Duration::ZERO),
        }
    }

    /// The processor time of the threads that have helped.
    fn helped(&self) -> Duration {
        Duration::from_nanos(self.helped.load(Ordering::Relaxed))
    }
}

/// The time of a thread that helps a read. It counts as that of the read.
#[derive(Debug)]
pub struct HelperTime<'r> {
    read: &'r ReadTime,
    processor: ProcessorTime,
    /// The part that was added to the time of the read.
    given: Cell<Duration>,
}

impl HelperTime<'_> {
    /// Adds the time up to now to that of the read.
    pub fn count(&self) {
        let used = self.processor.count();
        let more = used.saturating_sub(self.given.replace(used)).as_nanos();
        let more = u64::try_from(more).unwrap_or(u64::MAX);
        self.read.helped.fetch_add(more, Ordering::Relaxed);
    }
}

impl Drop for HelperTime<'_> {
    fn drop(&mut self) {
        self.count();
    }
}

#[cfg(test)]
mod tests {
    use super::super::processor_time;
    use super::*;
    use std::thread;

    /// Uses the processor until this thread has used this much of it.
    fn work(time: Duration) {
        let used = ProcessorTime::default();
        while used.count() < time {
            std::hint::spin_loop();
        }
    }

    /// A read that began `ago`, as if its thread had waited since.
    fn began(ago: Duration, limit: Duration) -> ReadTime {
        let mut time = ReadTime::new(Some(limit));
        time.began = Instant::now().checked_sub(ago).unwrap();
        time
    }

    /// Whether the limit is reached on this thread.
    fn is_up(time: &ReadTime) -> bool {
        time.count_to(processor_time());
        time.is_up_for_a_wait()
    }

    const LIMIT: Duration = Duration::from_mins(1);

    #[test]
    fn time_without_the_processor_does_not_count() {
        let time = began(LIMIT * 5, LIMIT);
        assert!(!is_up(&time));
        if PROCESSOR_TIME_IS_KNOWN {
            // The content of a reply does not depend on it.
            assert!(time.left(processor_time()).unwrap() + Duration::from_secs(1) > LIMIT);
        }
        // It counts a little, so that the read ends in any case.
        assert!(is_up(&began(LIMIT * REAL_TIME, LIMIT)));
    }

    #[test]
    #[cfg(unix)]
    fn processor_time_counts() {
        let limit = Duration::from_millis(50);
        let time = ReadTime::new(Some(limit));
        work(Duration::from_millis(20));
        assert!(time.used() >= Duration::from_millis(20));
        assert!(!is_up(&time));
        work(limit);
        assert!(is_up(&time));
        assert!(time.ran().unwrap() >= limit);
        // Also if another thread looks.
        thread::scope(|scope| {
            let looking = scope.spawn(|| time.is_up_for_a_wait());
            assert!(looking.join().unwrap());
        });
    }

    #[test]
    #[cfg(unix)]
    fn time_of_helpers_counts_as_that_of_the_read() {
        let limit = Duration::from_millis(60);
        let time = ReadTime::new(Some(limit));
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let helper = time.helper();
                    work(limit / 4);
                    helper.count();
                    work(limit / 4);
                });
            }
        });
        // Both together have used the limit, perhaps in half of it.
        assert!(time.is_up_for_a_wait());
        assert!(time.used() >= limit);
    }

    #[test]
    fn waits_for_inputs_count_and_those_for_the_network_do_not() {
        let time = began(LIMIT * 2, LIMIT);
        assert!(!is_up(&time));
        time.inputs.add(LIMIT);
        assert!(time.is_up_for_a_wait());

        let time = began(LIMIT * REAL_TIME, LIMIT);
        time.network.add(LIMIT * (REAL_TIME - 5));
        assert!(!is_up(&time));
        assert!(time.real() < LIMIT * 6);
    }

    #[test]
    fn read_without_a_limit_does_not_end() {
        let time = ReadTime {
            began: Instant::now().checked_sub(LIMIT * 20).unwrap(),
            ..ReadTime::default()
        };
        assert!(!is_up(&time) && time.left(processor_time()).is_none());
    }
}
