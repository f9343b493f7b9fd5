//! The number and the size of the requests that have not ended.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The maximum number of requests that have not ended.
const REQUESTS: usize = 1024;

/// The maximum size of these requests in bytes.
const BYTES: usize = 8 << 20;

/// Counts the requests that have not ended. Clones share the count. A request that was cancelled
/// counts until the thread that runs it, or would have run it, is done with it.
#[derive(Clone, Default)]
pub struct Waiting(Arc<Shared>);

#[derive(Default)]
struct Shared {
    sum: Mutex<Sum>,
    /// Wakes threads that wait for room.
    fewer: Condvar,
}

#[derive(Default)]
struct Sum {
    requests: usize,
    bytes: usize,
}

impl Sum {
    fn is_full(&self) -> bool {
        self.requests >= REQUESTS || self.bytes > BYTES
    }
}

impl Waiting {
    /// Counts a request of this size until the value is dropped.
    pub fn enter(&self, bytes: usize) -> Place {
        self.count(self.lock(), bytes)
    }

    /// Counts a request of this size, unless there are too many.
    pub fn try_enter(&self, bytes: usize) -> Option<Place> {
        let sum = self.lock();
        (!sum.is_full()).then(|| self.count(sum, bytes))
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

/// A request that has not ended.
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
        let waiting = Waiting::default();
        let mut places: Vec<_> = (0..REQUESTS).map_while(|_| waiting.try_enter(1)).collect();
        assert_eq!(places.len(), REQUESTS);
        assert!(waiting.try_enter(1).is_none());
        places.pop();
        places.push(waiting.try_enter(BYTES).expect("there is room"));
        places.truncate(1);
        waiting.wait_for_room();
        places.push(waiting.enter(BYTES));
        assert!(waiting.try_enter(1).is_none());
        drop(places);
        assert!(waiting.try_enter(1).is_some());
    }
}
