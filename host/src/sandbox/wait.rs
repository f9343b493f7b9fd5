//! Calls of the host that may block, for example on a network. A read does not wait for them
//! after its time is up.
//!
//! A blocking system call cannot be interrupted, and the clock of the sandbox does not stop
//! code of the host. So such a call runs on a thread of its own. The read waits for it until
//! its time is up or until it is cancelled by a [`CancelToken`](super::CancelToken). Then the
//! call is abandoned: it continues until it returns, and its result is dropped. The time for which
//! the read waits counts.

use super::stop::TURN;
use super::{Stop, Stopped};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum number of calls that run at a time in a process, including those that no read waits
/// for any more. More could use up the threads of the process.
const CALLS: usize = 64;

/// The numbers of running calls, and a signal that a call has ended.
struct Calls {
    counts: Mutex<Counts>,
    ended: Condvar,
}

#[derive(Default)]
struct Counts {
    running: usize,
    /// The number of running calls that no read waits for any more.
    abandoned: usize,
}

static CALLS_OF_PROCESS: Calls = Calls {
    counts: Mutex::new(Counts {
        running: 0,
        abandoned: 0,
    }),
    ended: Condvar::new(),
};

/// The reason why a call has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoResult {
    /// The call panicked.
    Panicked,
    /// The process cannot start a thread for the call.
    NoThread,
    /// As many calls as permitted are running, and no read waits for any of them any more.
    Stuck,
    /// The call did not return within the time that it has stated.
    Late,
}

impl NoResult {
    /// A message that states the reason.
    pub fn message(self) -> &'static str {
        match self {
            Self::Panicked => "the host failed",
            Self::NoThread => "the process has no thread left",
            Self::Stuck => "too many earlier requests have not returned",
            Self::Late => "it did not return within the time that it has stated",
        }
    }
}

/// A guard of a running call. Dropping it makes room for another call.
struct Running {
    calls: &'static Calls,
    /// Whether no read waits for the call any more. The value is changed only while the counts are
    /// locked.
    abandoned: Arc<Mutex<bool>>,
}

impl Calls {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until one more call may run.
    ///
    /// # Errors
    /// The outer error means that the read was stopped. The inner error means that all running
    /// calls are abandoned, so that perhaps none of them ever ends.
    fn start(&'static self, stop: &Stop) -> Result<Result<Running, NoResult>, Stopped> {
        stop.check_waiting()?;
        let mut counts = self.lock();
        loop {
            if counts.running < CALLS {
                counts.running += 1;
                let abandoned = Arc::default();
                return Ok(Ok(Running {
                    calls: self,
                    abandoned,
                }));
            }
            if counts.abandoned >= CALLS {
                return Ok(Err(NoResult::Stuck));
            }
            let checked;
            (counts, checked) = stop.wait_turn(&self.ended, counts);
            checked?;
        }
    }

    /// Records that no read waits for a call any more.
    fn abandon(&self, abandoned: &Mutex<bool>) {
        let mut counts = self.lock();
        let mut abandoned = abandoned.lock().unwrap_or_else(PoisonError::into_inner);
        *abandoned = true;
        counts.abandoned += 1;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut counts = self.calls.lock();
        counts.running -= 1;
        let abandoned = self
            .abandoned
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        counts.abandoned -= usize::from(*abandoned);
        self.calls.ended.notify_one();
    }
}

/// Runs a call that may block, on a thread of its own, and waits for its result.
///
/// # Errors
/// The outer error means that the read was stopped before the call ended. The inner error is
/// the reason why there is no result.
pub fn wait<T: Send + 'static>(
    stop: &Stop,
    call: impl FnOnce() -> T + Send + 'static,
) -> Result<Result<T, NoResult>, Stopped> {
    wait_among(&CALLS_OF_PROCESS, stop, None, call)
}

/// Runs a call that waits for a server, and returns within `limit` in any case. The time for which the read
/// waits does not count, as with requests of the network. `None` is a call as those of [`wait`].
///
/// # Errors
/// Fails as [`wait`] does.
pub fn wait_within<T: Send + 'static>(
    stop: &Stop,
    limit: Option<Duration>,
    call: impl FnOnce() -> T + Send + 'static,
) -> Result<Result<T, NoResult>, Stopped> {
    wait_among(&CALLS_OF_PROCESS, stop, limit, call)
}

fn wait_among<T: Send + 'static>(
    calls: &'static Calls,
    stop: &Stop,
    limit: Option<Duration>,
    call: impl FnOnce() -> T + Send + 'static,
) -> Result<Result<T, NoResult>, Stopped> {
    let running = match calls.start(stop)? {
        Ok(running) => running,
        Err(none) => return Ok(Err(none)),
    };
    let abandoned = Arc::clone(&running.abandoned);
    let (sender, receiver) = sync_channel(1);
    let spawned = thread::Builder::new()
        .name("omniread-host-call".to_owned())
        .spawn(move || {
            // Dropped after the sender, so that there is room for another call as soon as the
            // result is received.
            let _running = running;
            let result = call();
            // If the read was stopped, nobody receives the result.
            let _ = sender.send(result);
        });
    if spawned.is_err() {
        return Ok(Err(NoResult::NoThread));
    }
    let waits = match limit {
        Some(_) => stop.time.network(),
        None => stop.time.inputs(),
    };
    let _waiting = waits.start();
    let began = Instant::now();
    loop {
        match receiver.recv_timeout(TURN) {
            Ok(result) => return Ok(Ok(result)),
            Err(RecvTimeoutError::Disconnected) => return Ok(Err(NoResult::Panicked)),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(stopped) = stop.check_waiting() {
                    calls.abandon(&abandoned);
                    return Err(stopped);
                }
                if limit.is_some_and(|limit| began.elapsed() >= limit) {
                    calls.abandon(&abandoned);
                    return Ok(Err(NoResult::Late));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CancelToken;
    use crate::sandbox::ReadTime;
    use std::sync::mpsc::{Receiver, channel};

    /// Separate counts of calls for a test.
    fn calls() -> &'static Calls {
        Box::leak(Box::new(Calls {
            counts: Mutex::default(),
            ended: Condvar::new(),
        }))
    }

    fn stop_in(time: Duration) -> Stop {
        Stop {
            time: Arc::new(ReadTime::new(Some(time))),
            ..Stop::default()
        }
    }

    #[test]
    fn call_that_ends_returns_its_result() {
        assert_eq!(wait(&Stop::default(), || 7), Ok(Ok(7)));
        let panics = || -> u8 { std::panic::resume_unwind(Box::new(())) };
        assert_eq!(wait(&Stop::default(), panics), Ok(Err(NoResult::Panicked)));
    }

    #[test]
    fn read_does_not_wait_for_a_call_after_its_time() {
        let (hold, never) = channel::<()>();
        let stop = stop_in(Duration::from_millis(50));
        assert_eq!(wait(&stop, move || never.recv()), Err(Stopped::Time));

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

    #[test]
    fn call_with_a_limit_of_its_own_does_not_use_the_time_of_the_read() {
        let stop = stop_in(Duration::from_millis(20));
        let slow = || thread::sleep(Duration::from_millis(60));
        let limit = Some(Duration::from_mins(1));
        assert_eq!(wait_within(&stop, limit, slow), Ok(Ok(())));
        let (hold, never) = channel::<()>();
        let limit = Some(Duration::from_millis(30));
        let late = wait_within(&stop, limit, move || never.recv().is_ok());
        assert_eq!(late, Ok(Err(NoResult::Late)));
        drop(hold);
    }

    #[test]
    fn calls_that_never_return_are_limited() {
        let calls = calls();
        let mut holds = Vec::new();
        let never = |never: Receiver<()>| move || never.recv().is_ok();
        for _ in 0..CALLS {
            let (hold, held) = channel();
            holds.push(hold);
            let stop = stop_in(Duration::ZERO);
            // A call that starts after its read has stopped does not run.
            assert!(wait_among(calls, &stop, None, never(held)).is_err());
        }
        assert_eq!(calls.lock().running, 0);
        for _ in 0..CALLS {
            let (hold, held) = channel();
            holds.push(hold);
            let stop = stop_in(Duration::from_millis(5));
            assert!(wait_among(calls, &stop, None, never(held)).is_err());
        }
        assert_eq!(
            wait_among(calls, &Stop::default(), None, || 1),
            Ok(Err(NoResult::Stuck))
        );
        // Abandoned calls that return make room.
        drop(holds);
        while calls.lock().running > 0 {
            thread::sleep(TURN);
        }
        assert_eq!(calls.lock().abandoned, 0);
        assert_eq!(wait_among(calls, &Stop::default(), None, || 1), Ok(Ok(1)));
    }
}
