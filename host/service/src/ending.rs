//! What is done before a process ends, whether it returns from `main` or a signal ends it.

use std::sync::{Mutex, PoisonError};

/// A call that is made once.
type Call = Box<dyn FnOnce() + Send>;

static CALLS: Mutex<Vec<Call>> = Mutex::new(Vec::new());

/// Has a function called before the process ends, such as one that ends other processes.
pub fn before_end(call: impl FnOnce() + Send + 'static) {
    let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    calls.push(Box::new(call));
}

/// Calls the functions of [`before_end`] that were not called yet. Another thread that is in this function is
/// waited for.
pub fn finish_before_end() {
    let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    for call in calls.drain(..) {
        call();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn functions_are_called_once() {
        let count = Arc::new(AtomicU32::new(0));
        for _ in 0..2 {
            let count = Arc::clone(&count);
            before_end(move || {
                count.fetch_add(1, Ordering::Relaxed);
            });
        }
        finish_before_end();
        finish_before_end();
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }
}
