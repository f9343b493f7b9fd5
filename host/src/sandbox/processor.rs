//! The processor time of a thread, and limits on it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The maximum processor time that is counted between two checks. Checks are usually some
/// milliseconds apart. If a virtual machine is paused, the processor time of a thread jumps by the
/// length of the pause.
const STEP: Duration = Duration::from_millis(100);

/// The [`processor_time`] that one thread has used since the value was created on it.
#[derive(Debug)]
pub struct ProcessorTime {
    /// The processor time of the thread at the last count, in nanoseconds.
    last: AtomicU64,
    /// The processor time that was counted, in nanoseconds.
    counted: AtomicU64,
}

impl Default for ProcessorTime {
    fn default() -> Self {
        Self::at(processor_time())
    }
}

impl ProcessorTime {
    fn at(now: Duration) -> Self {
        Self {
            last: AtomicU64::new(nanoseconds(now)),
            counted: AtomicU64::new(0),
        }
    }

    /// Counts the processor time up to now, and returns it. To be called on the thread.
    pub fn count(&self) -> Duration {
        self.count_to(processor_time())
    }

    /// Counts the processor time up to the time `now` of the [`ThreadClock`] of the thread, and returns it. May be called
    /// on any thread.
    pub fn count_to(&self, now: Duration) -> Duration {
        let now = nanoseconds(now);
        let last = self.last.fetch_max(now, Ordering::Relaxed);
        let step = now.saturating_sub(last).min(nanoseconds(STEP));
        let counted = self.counted.fetch_add(step, Ordering::Relaxed);
        Duration::from_nanos(counted.saturating_add(step))
    }

    /// The processor time that was counted so far. May be called on any thread.
    pub fn counted(&self) -> Duration {
        Duration::from_nanos(self.counted.load(Ordering::Relaxed))
    }
}

/// A limit on the [`processor_time`] of one thread, from the creation of the limit on it.
#[derive(Debug)]
pub struct ProcessorLimit {
    used: ProcessorTime,
    limit: Duration,
}

impl ProcessorLimit {
    /// Creates a limit that this thread reaches after it has used `limit` of processor time from `now` on, which is its
    /// [`processor_time`].
    pub fn new(limit: Duration, now: Duration) -> Self {
        Self {
            used: ProcessorTime::at(now),
            limit,
        }
    }

    /// Counts the processor time of the thread up to `now`, and returns whether the limit is reached. May be called on any
    /// thread.
    pub fn is_reached(&self, now: Duration) -> bool {
        self.used.count_to(now) >= self.limit
    }
}

/// The clock of the processor time of one thread, which other threads can read.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
pub struct ThreadClock {
    id: libc::clockid_t,
}

#[cfg(target_os = "linux")]
impl ThreadClock {
    /// The clock of this thread.
    pub fn of_this_thread() -> Option<Self> {
        let mut id = 0;
        #[expect(unsafe_code, reason = "rustix has no clocks of other threads")]
        // SAFETY: the thread exists, and `id` is a place for the result.
        let failed = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut id) };
        (failed == 0).then_some(Self { id })
    }

    /// The time of the clock. `None` if the thread has ended.
    pub fn now(self) -> Option<Duration> {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        #[expect(unsafe_code, reason = "as above")]
        // SAFETY: `time` is a place for the result. An unknown clock is an error.
        let failed = unsafe { libc::clock_gettime(self.id, &raw mut time) };
        let seconds = u64::try_from(time.tv_sec).ok()?;
        let nanoseconds = u32::try_from(time.tv_nsec).ok()?;
        (failed == 0).then(|| Duration::new(seconds, nanoseconds))
    }
}

/// A clock that other threads can read. Only Linux has one.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy, Debug)]
pub enum ThreadClock {}

#[cfg(not(target_os = "linux"))]
impl ThreadClock {
    /// None.
    pub fn of_this_thread() -> Option<Self> {
        None
    }

    /// There is no clock to ask.
    pub fn now(self) -> Option<Duration> {
        match self {}
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The time for which this thread has run on a processor. Time in which it waited, or in which
/// other programs ran, does not count. This is a system call.
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
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_ignores_jumps_of_the_clock() {
        let ms = Duration::from_millis;
        let time = ProcessorTime::at(ms(500));
        // Eighty steps of 10 ms.
        for step in 1..=80 {
            assert_eq!(time.count_to(ms(500 + step * 10)), ms(step * 10));
        }
        // The machine stood still for a minute. Only one step of it counts.
        assert_eq!(time.count_to(ms(61_300)), ms(900));
        assert_eq!(time.count_to(ms(61_400)), ms(1000));
        assert_eq!(time.count_to(ms(61_400)), ms(1000));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn another_thread_counts_the_time_of_a_thread() {
        let (limit, clock) = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                let clock = ThreadClock::of_this_thread().unwrap();
                let limit = ProcessorLimit::new(Duration::from_millis(20), processor_time());
                while !std::thread::scope(|scope| {
                    let look = scope.spawn(|| limit.is_reached(clock.now().unwrap()));
                    look.join().unwrap()
                }) {
                    std::hint::black_box((0..100_000).sum::<u64>());
                }
                (limit, clock)
            });
            other.join().unwrap()
        });
        assert!(limit.used.counted() >= Duration::from_millis(20));
        assert_eq!(clock.now(), None);
    }

    #[test]
    #[cfg(unix)]
    fn processor_limit_is_reached_by_work_alone() {
        let limit = ProcessorLimit::new(Duration::from_millis(20), processor_time());
        std::thread::sleep(Duration::from_millis(40));
        assert!(!limit.is_reached(processor_time()));
        while !limit.is_reached(processor_time()) {
            std::hint::spin_loop();
        }
        assert!(limit.used.counted() >= Duration::from_millis(20));
    }
}
