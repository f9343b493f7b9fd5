//! The rule for calls of the host that may wait, such as for a network: they end
//! with the read, whatever they wait for.
//!
//! A system call that waits cannot be interrupted, and the clock of the sandbox
//! stops no code of the host. So such a call runs on a thread of its own, and its
//! read waits for it until the deadline or a [`CancelToken`](super::CancelToken),
//! whichever comes first. Then the thread is left to itself, and its result is
//! dropped.

use super::{Stop, Stopped};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Condvar, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often a waiting read checks whether it is to stop.
const TURN: Duration = Duration::from_millis(10);

/// Calls that run at a time in a process, those that were left to themselves
/// included: more of them would use up the threads of the process.
const CALLS: usize = 64;

/// How many calls run.
static RUNNING: Mutex<usize> = Mutex::new(0);

/// Signals that a call ended.
static ENDED: Condvar = Condvar::new();

/// A call that runs, until this is dropped.
struct Running;

impl Running {
    /// Waits until one more call may run.
    ///
    /// # Errors
    /// If the read is to stop before that.
    fn start(stop: &Stop) -> Result<Self, Stopped> {
        let mut running = lock();
        loop {
            stop.check_waiting()?;
            if *running < CALLS {
                *running += 1;
                return Ok(Self);
            }
            let waited = ENDED.wait_timeout(running, TURN);
            running = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        *lock() -= 1;
        ENDED.notify_one();
    }
}

fn lock() -> MutexGuard<'static, usize> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a call that may wait. `None` if it panicked, or there is no thread for it.
///
/// # Errors
/// If the read is to stop before the call ends.
pub fn wait<T: Send + 'static>(
    stop: &Stop,
    call: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>, Stopped> {
    let running = Running::start(stop)?;
    let (sender, receiver) = sync_channel(1);
    let spawned = thread::Builder::new()
        .name("omniread-host-call".to_owned())
        .spawn(move || {
            let _running = running;
            // The read may have stopped; then nobody receives.
            let _ = sender.send(call());
        });
    if spawned.is_err() {
        return Ok(None);
    }
    loop {
        match receiver.recv_timeout(TURN) {
            Ok(result) => return Ok(Some(result)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => stop.check_waiting()?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CancelToken;
    use std::sync::mpsc::channel;
    use std::time::Instant;

    #[test]
    fn call_that_ends_returns_its_result() {
        assert_eq!(wait(&Stop::default(), || 7), Ok(Some(7)));
        let panics = || -> u8 { std::panic::resume_unwind(Box::new(())) };
        assert_eq!(wait(&Stop::default(), panics), Ok(None));
    }

    #[test]
    fn call_that_never_returns_ends_with_the_read() {
        let (hold, never) = channel::<()>();
        let stop = Stop {
            deadline: Instant::now().checked_add(Duration::from_millis(50)),
            ..Stop::default()
        };
        assert_eq!(wait(&stop, move || never.recv()), Err(Stopped::Deadline));

        let (hold_too, never) = channel::<()>();
        let token = CancelToken::new();
        let stop = Stop {
            token: Some(token.clone()),
            ..Stop::default()
        };
        let cancelling = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            token.cancel();
        });
        assert_eq!(wait(&stop, move || never.recv()), Err(Stopped::Cancelled));
        cancelling.join().unwrap();
        drop((hold, hold_too));
    }
}
