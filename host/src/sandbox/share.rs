//! Work in parts that a read shares with helpers.

use super::{Stop, Stopped, helpers};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time for which a read waits for the last parts of its helpers, before it does these parts itself. A part takes
/// some ten microseconds, but a helper may have lost its processor to another program.
const PATIENCE: Duration = Duration::from_micros(100);

/// Work in parts, with the results of those that are done.
struct Shared<R, P> {
    part: P,
    count: usize,
    /// The number of parts that a thread has begun.
    begun: AtomicUsize,
    has_ended: AtomicBool,
    results: Mutex<Results<R>>,
    /// Notified when a thread has no more parts.
    left: Condvar,
    stop: Stop,
}

struct Results<R> {
    parts: Vec<Option<R>>,
    /// The number of helpers that work.
    helpers: usize,
}

impl<R, P: Fn(usize) -> R> Shared<R, P> {
    fn lock(&self) -> MutexGuard<'_, Results<R>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does parts until none is left. `go_on` is asked before each.
    fn work(&self, go_on: impl Fn() -> bool) {
        while !self.has_ended.load(Ordering::Relaxed) && go_on() {
            let number = self.begun.fetch_add(1, Ordering::Relaxed);
            if number >= self.count {
                return;
            }
            let done = (self.part)(number);
            if let Some(part) = self.lock().parts.get_mut(number) {
                *part = Some(done);
            }
        }
    }

    /// The work of a helper, whose time counts as that of the read.
    fn help(&self) {
        // A job that begins late finds no part, and needs not be waited for.
        if self.begun.load(Ordering::Relaxed) >= self.count {
            return;
        }
        self.lock().helpers += 1;
        let helping = Helping(self);
        let time = self.stop.time.helper();
        self.work(|| {
            time.count();
            true
        });
        drop(time);
        drop(helping);
    }
}

/// A guard of a helper that works.
struct Helping<'s, R, P: Fn(usize) -> R>(&'s Shared<R, P>);

impl<R, P: Fn(usize) -> R> Drop for Helping<'_, R, P> {
    fn drop(&mut self) {
        self.0.lock().helpers -= 1;
        self.0.left.notify_all();
    }
}

/// Calls `part` with each number below `count`, on this thread and on helpers. Returns the results in order.
///
/// # Errors
/// Fails if the read was stopped. Helpers then end after the part that they do.
pub fn share<R: Send + 'static>(
    count: usize,
    stop: &Stop,
    part: impl Fn(usize) -> R + Send + Sync + 'static,
) -> Result<Vec<R>, Stopped> {
    share_with(helpers::count(), count, stop, part)
}

/// As [`share`], with this number of helpers.
fn share_with<R: Send + 'static>(
    helpers: usize,
    count: usize,
    stop: &Stop,
    part: impl Fn(usize) -> R + Send + Sync + 'static,
) -> Result<Vec<R>, Stopped> {
    let shared = Arc::new(Shared {
        part,
        count,
        begun: AtomicUsize::new(0),
        has_ended: AtomicBool::new(false),
        results: Mutex::new(Results {
            parts: (0..count).map(|_| None).collect(),
            helpers: 0,
        }),
        left: Condvar::new(),
        stop: stop.clone(),
    });
    for _ in 0..helpers.min(count.saturating_sub(1)) {
        // A job that begins after the work keeps nothing of it.
        let shared = Arc::downgrade(&shared);
        helpers::give(Box::new(move || {
            if let Some(shared) = shared.upgrade() {
                shared.help();
            }
        }));
    }
    // Counts the time of this thread, too.
    shared.work(|| stop.check().is_ok());
    stop.check_waiting()?;
    let mut results = shared.lock();
    if results.helpers > 0 {
        let waited = shared.left.wait_timeout(results, PATIENCE);
        results = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    shared.has_ended.store(true, Ordering::Relaxed);
    let parts = std::mem::take(&mut results.parts);
    drop(results);
    let mut done = Vec::with_capacity(count);
    for (number, part) in parts.into_iter().enumerate() {
        done.push(match part {
            Some(part) => part,
            // The helper has no processor, waits for a file system, or has failed.
            None => {
                stop.check_waiting()?;
                (shared.part)(number)
            }
        });
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CancelToken;
    use std::thread;
    use std::time::Instant;

    #[test]
    fn results_are_in_order_whoever_made_them() {
        for helpers in [0, 1, 3] {
            let stop = Stop::default();
            let squares = share_with(helpers, 500, &stop, |number| number * number).unwrap();
            assert!(
                squares
                    .iter()
                    .enumerate()
                    .all(|(n, square)| *square == n * n)
            );
            assert_eq!(squares.len(), 500);
        }
        assert_eq!(share(0, &Stop::default(), |number| number), Ok(Vec::new()));
    }

    #[test]
    fn part_of_a_helper_that_fails_is_done_again() {
        let here = thread::current().id();
        let part = move |number| {
            if thread::current().id() != here {
                std::panic::resume_unwind(Box::new(()));
            }
            thread::sleep(Duration::from_millis(1));
            number
        };
        let done = share_with(2, 20, &Stop::default(), part).unwrap();
        assert_eq!(done, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn read_does_not_wait_long_for_a_helper() {
        let token = CancelToken::new();
        let stop = Stop {
            token: Some(token.clone()),
            ..Stop::default()
        };
        let here = thread::current().id();
        let start = Instant::now();
        let stopped = share_with(2, 4, &stop, move |number| {
            if thread::current().id() != here {
                // The file system does not answer.
                thread::sleep(Duration::from_secs(3));
            } else if number > 0 {
                token.cancel();
            }
        });
        assert_eq!(stopped, Err(Stopped::Cancelled));
        // A part that takes long is not waited for.
        let late = share_with(2, 40, &Stop::default(), move |number| {
            let is_helper = thread::current().id() != here;
            thread::sleep(Duration::from_millis(if is_helper { 3_000 } else { 1 }));
            number
        });
        assert_eq!(late, Ok((0..40).collect()));
        // A guard against hangs.
        assert!(start.elapsed() < Duration::from_secs(15));
    }

    #[test]
    #[cfg(unix)]
    fn time_of_helpers_ends_a_read() {
        let time = super::super::ReadTime::new(Some(Duration::from_millis(80)));
        let stop = Stop {
            time: Arc::new(time),
            ..Stop::default()
        };
        let stopped = share_with(2, 1000, &stop, |_| {
            let used = Instant::now();
            while used.elapsed() < Duration::from_millis(2) {
                std::hint::spin_loop();
            }
        });
        assert_eq!(stopped.map(|_| ()), Err(Stopped::Time));
    }
}
