//! A thread that lets waiting requests check their stop conditions.
//!
//! A timer of the runtime for each wait would wake the thread that waits for the network, to tell it about the
//! timer: several times in a request of a fifth of a millisecond.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread::{self, Thread};
use std::time::Duration;

/// The interval at which a waiting request checks whether the read was stopped.
pub const TURN: Duration = Duration::from_millis(10);

/// The number of turns without a waiting request after which the thread sleeps. Waking it costs a few microseconds.
const IDLE_TURNS: u32 = 100;

/// The number of last wakers that are compared with a new one. A request whose body arrives in many parts waits for
/// each of them.
const COMPARED: usize = 8;

/// The requests that wait, and the thread that wakes them.
struct Turns {
    waiting: Vec<Waker>,
    thread: Option<Thread>,
    is_asleep: bool,
}

static TURNS: Mutex<Turns> = Mutex::new(Turns {
    waiting: Vec::new(),
    thread: None,
    is_asleep: false,
});

fn lock() -> MutexGuard<'static, Turns> {
    TURNS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Wakes a task at the end of this turn.
pub fn wake_later(waker: &Waker) {
    let mut turns = lock();
    let mut last = turns.waiting.iter().rev().take(COMPARED);
    if last.any(|other| other.will_wake(waker)) {
        return;
    }
    turns.waiting.push(waker.clone());
    let is_asleep = std::mem::take(&mut turns.is_asleep);
    if let Some(thread) = &turns.thread {
        if is_asleep {
            thread.unpark();
        }
        return;
    }
    let thread = thread::Builder::new().name("omniread-turns".to_owned());
    match thread.spawn(run) {
        Ok(started) => turns.thread = Some(started.thread().clone()),
        // Without a thread, the request checks all the time.
        Err(_) => waker.wake_by_ref(),
    }
}

fn run() {
    let mut idle = 0;
    loop {
        thread::sleep(TURN);
        let mut turns = lock();
        let waiting = std::mem::take(&mut turns.waiting);
        if !waiting.is_empty() {
            drop(turns);
            idle = 0;
            waiting.into_iter().for_each(Waker::wake);
            continue;
        }
        idle += 1;
        if idle < IDLE_TURNS {
            continue;
        }
        idle = 0;
        turns.is_asleep = true;
        while turns.is_asleep {
            drop(turns);
            thread::park();
            turns = lock();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::task::Poll;
    use std::time::Instant;

    #[test]
    fn tasks_are_woken_at_the_end_of_a_turn() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let begin = Instant::now();
        // After a pause, the thread is asleep.
        for pause in [0, 2000] {
            thread::sleep(Duration::from_millis(pause));
            for _ in 0..3 {
                let mut polls = 0;
                runtime.block_on(poll_fn(|context| {
                    polls += 1;
                    if polls > 2 {
                        return Poll::Ready(());
                    }
                    wake_later(context.waker());
                    Poll::Pending
                }));
            }
        }
        assert!(begin.elapsed() >= Duration::from_millis(2050));
    }
}
