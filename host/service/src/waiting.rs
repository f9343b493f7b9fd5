//! The number and the size of requests that wait.

use super::limits;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Counts the requests that have a [`Place`]. Clones share the count.
#[derive(Clone)]
pub struct Waiting(Arc<Shared>);

struct Shared {
    sum: Mutex<Sum>,
    /// Wakes threads that wait for room.
    fewer: Condvar,
}

struct Sum {
    requests: usize,
    bytes: usize,
    /// The maximum number of requests.
    most: usize,
}

impl Sum {
    fn is_full(&self) -> bool {
        self.requests >= self.most || self.bytes > limits::WAITING_BYTES
    }
}

impl Waiting {
    /// Creates a count that is full at this number of requests, or above [`limits::WAITING_BYTES`].
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Shared {
            sum: Mutex::new(Sum {
                requests: 0,
                bytes: 0,
                most,
            }),
            fewer: Condvar::new(),
        }))
    }

    /// Counts a request of this size, even if there are too many.
    pub fn enter(&self, bytes: usize) -> Place {
        self.count(self.lock(), bytes)
    }

    /// Counts a request of this size, unless there are too many.
    pub fn try_enter(&self, bytes: usize) -> Option<Place> {
        let sum = self.lock();
        (!sum.is_full()).then(|| self.count(sum, bytes))
    }

    /// Whether no request waits.
    pub fn is_empty(&self) -> bool {
        self.lock().requests == 0
    }

    /// Waits while there are too many requests.
    pub fn wait_for_room(&self) {
        let mut sum = self.lock();
        while sum.is_full() {
            let waited = self.0.fewer.wait(sum);
            sum = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn count(&self, mut sum: MutexGuard<'_, Sum>, bytes: usize) -> Place {
        sum.requests += 1;
        sum.bytes += bytes;
        Place {
            waiting: self.clone(),
            bytes,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Sum> {
        self.0.sum.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is counted until this value is dropped.
pub struct Place {
    waiting: Waiting,
    bytes: usize,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut sum = self.waiting.lock();
        let was_full = sum.is_full();
        sum.requests -= 1;
        sum.bytes -= self.bytes;
        if was_full {
            self.waiting.0.fewer.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_and_size_are_limited() {
        let waiting = Waiting::new(3);
        let mut places: Vec<_> = (0..3).map_while(|_| waiting.try_enter(1)).collect();
        assert_eq!(places.len(), 3);
        assert!(waiting.try_enter(1).is_none());
        places.pop();
        places.push(
            waiting
                .try_enter(limits::WAITING_BYTES)
                .expect("there is room"),
        );
        places.truncate(1);
        waiting.wait_for_room();
        places.push(waiting.enter(limits::WAITING_BYTES));
        assert!(waiting.try_enter(1).is_none());
        drop(places);
        assert!(waiting.is_empty());
        assert!(waiting.try_enter(1).is_some());
    }
}
