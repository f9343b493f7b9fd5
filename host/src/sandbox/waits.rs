//! The time for which a read has waited, such as for the network or for standard input.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time for which a read has waited. Waits that overlap count once.
#[derive(Debug, Default)]
pub struct Waits(Mutex<Total>);

#[derive(Debug, Default)]
struct Total {
    /// The time of all waits that have ended.
    ended: Duration,
    /// The number of waits that have not ended.
    running: u32,
    /// The time at which the first of these waits began.
    began: Option<Instant>,
}

/// A guard of a wait. Dropping it ends the wait.
#[derive(Debug)]
pub struct Waiting<'w>(&'w Waits);

impl Waits {
    fn lock(&self) -> MutexGuard<'_, Total> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time for which the read has waited so far.
    pub fn total(&self) -> Duration {
        let total = self.lock();
        let running = total.began.map_or(Duration::ZERO, |began| began.elapsed());
        total.ended.saturating_add(running)
    }

    /// Starts a wait.
    pub fn start(&self) -> Waiting<'_> {
        let mut total = self.lock();
        if total.running == 0 {
            total.began = Some(Instant::now());
        }
        total.running = total.running.saturating_add(1);
        Waiting(self)
    }

    /// Adds the time of a wait that has ended.
    #[cfg(test)]
    pub fn add(&self, time: Duration) {
        self.lock().ended += time;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut total = self.0.lock();
        total.running = total.running.saturating_sub(1);
        if total.running == 0
            && let Some(began) = total.began.take()
        {
            total.ended = total.ended.saturating_add(began.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    #[test]
    fn waits_that_overlap_count_once() {
        let waits = Waits::default();
        assert_eq!(waits.total(), Duration::ZERO);
        let start = Instant::now();
        let (first, second) = (waits.start(), waits.start());
        sleep(Duration::from_millis(20));
        drop(first);
        // A wait that has not ended counts.
        assert!(waits.total() >= Duration::from_millis(20));
        drop(second);
        let total = waits.total();
        assert!(total >= Duration::from_millis(20) && total <= start.elapsed());
        sleep(Duration::from_millis(5));
        assert_eq!(waits.total(), total);
    }
}
