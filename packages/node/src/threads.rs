//! Threads for reads. They start when reads wait for one, and end when they have been idle for some time.
//!
//! The threads of tokio are not used: the library would find the runtime of such a thread, and use it for its connections.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The most threads. The library runs as many reads at a time.
const MOST: usize = 64;

/// The time for which an idle thread is kept: longer than the pauses between the reads of an agent.
const IDLE: Duration = Duration::from_secs(10);

type Job = Box<dyn FnOnce() + Send>;

struct State {
    jobs: VecDeque<Job>,
    idle: usize,
    threads: usize,
}

/// The threads of this copy of the package, for all threads of JavaScript.
static STATE: Mutex<State> = Mutex::new(State {
    jobs: VecDeque::new(),
    idle: 0,
    threads: 0,
});

static ADDED: Condvar = Condvar::new();

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs something on a thread, as soon as one is free. It must not panic.
///
/// # Errors
/// Fails if the system cannot start a thread, and no other thread is left to run it.
pub fn run(job: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut state = lock();
    if state.idle <= state.jobs.len() && state.threads < MOST {
        let thread = thread::Builder::new().name("omniread".to_owned());
        match thread.spawn(work) {
            Ok(_) => state.threads += 1,
            Err(error) if state.threads == 0 => return Err(error),
            Err(_) => {}
        }
    }
    state.jobs.push_back(Box::new(job));
    drop(state);
    ADDED.notify_one();
    Ok(())
}

fn work() {
    let mut state = lock();
    loop {
        if let Some(job) = state.jobs.pop_front() {
            drop(state);
            job();
            state = lock();
            continue;
        }
        state.idle += 1;
        let waited = ADDED.wait_timeout(state, IDLE);
        let (next, timed_out) = waited.unwrap_or_else(PoisonError::into_inner);
        state = next;
        state.idle -= 1;
        if timed_out.timed_out() && state.jobs.is_empty() {
            state.threads -= 1;
            return;
        }
    }
}
