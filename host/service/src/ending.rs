//! What is done before a process ends, whether it returns from `main` or a signal ends it.

use std::sync::{Mutex, PoisonError};

/// A call that is made once.
type Call = Box<dyn FnOnce() + Send>;

static CALLS: Mutex<Vec<Call>> = Mutex::new(Vec::new());

static LAST: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// Has a function called last before the process ends, also if a signal ends it at once. It must return at once, and may
/// be called several times.
pub fn last_before_end(call: fn()) {
    let mut calls = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    calls.push(call);
}

/// Calls the functions of [`last_before_end`].
pub(crate) fn call_last() {
    let calls = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for call in calls {
        call();
    }
}

/// Has a function called before the process ends, such as one that ends other processes.
pub fn before_end(call: impl FnOnce() + Send + 'static) {
    let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    calls.push(Box::new(call));
}

/// Calls the functions of [`before_end`] that were not called yet, and those of [`last_before_end`]. Another thread
/// that is in this function is waited for.
pub fn finish_before_end() {
    let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    for call in calls.drain(..) {
        call();
    }
    drop(calls);
    call_last();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    static LAST_CALLS: AtomicU32 = AtomicU32::new(0);

    #[test]
    fn functions_are_called_once() {
        let count = Arc::new(AtomicU32::new(0));
        last_before_end(|| {
            LAST_CALLS.fetch_add(1, Ordering::Relaxed);
        });
        for _ in 0..2 {
            let count = Arc::clone(&count);
            before_end(move || {
                count.fetch_add(1, Ordering::Relaxed);
            });
        }
        finish_before_end();
        finish_before_end();
        assert_eq!(count.load(Ordering::Relaxed), 2);
        assert_eq!(LAST_CALLS.load(Ordering::Relaxed), 2);
    }
}
