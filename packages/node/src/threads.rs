//! Threads for reads. They start when reads wait for one, and end when they have been idle for some time.
//!
//! The threads of tokio are not used: the library would find the runtime of such a thread, and use it for its connections.

use std::collections::VecDeque;
use std::hint;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most threads. The library runs as many reads at a time.
const MOST: usize = 64;

/// The time for which an idle thread is kept: longer than the pauses between the reads of an agent.
const IDLE: Duration = Duration::from_secs(10);

/// The time for which a thread that has no job looks for one before it sleeps. A program that awaits its reads one after the
/// other starts the next one sooner, and waking a thread takes 10 to 20 microseconds.
const LOOK: Duration = Duration::from_micros(100);

type Job = Box<dyn FnOnce() + Send>;

struct State {
    jobs: VecDeque<Job>,
    /// The threads without a job, with those that look for one.
    idle: usize,
    /// Whether a thread looks for a job before it sleeps. One is enough, and others would take the cores from the reads.
    looking: bool,
    threads: usize,
}

/// The threads of this copy of the package, for all threads of JavaScript.
static STATE: Mutex<State> = Mutex::new(State {
    jobs: VecDeque::new(),
    idle: 0,
    looking: false,
    threads: 0,
});

static ADDED: Condvar = Condvar::new();

/// The number of jobs that wait, which threads look at without the lock. It may be old.
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// Whether a thread may look for a job. On one core, it would take the time of the thread of JavaScript that adds it.
static MAY_LOOK: LazyLock<bool> =
    LazyLock::new(|| thread::available_parallelism().is_ok_and(|cores| cores.get() > 1));

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
    WAITING.store(state.jobs.len(), Ordering::Release);
    // The thread that looks takes the first job without being woken.
    let wake = !state.looking || state.jobs.len() > 1;
    drop(state);
    if wake {
        ADDED.notify_one();
    }
    Ok(())
}

fn work() {
    let mut state = lock();
    loop {
        if let Some(job) = state.jobs.pop_front() {
            WAITING.store(state.jobs.len(), Ordering::Release);
            drop(state);
            job();
            state = lock();
            continue;
        }
        state.idle += 1;
        if !state.looking && *MAY_LOOK {
            state.looking = true;
            drop(state);
            look();
            state = lock();
            state.looking = false;
        }
        let mut timed_out = false;
        if state.jobs.is_empty() {
            let waited = ADDED.wait_timeout(state, IDLE);
            let (next, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = next;
            timed_out = timeout.timed_out();
        }
        state.idle -= 1;
        if timed_out && state.jobs.is_empty() {
            state.threads -= 1;
            return;
        }
    }
}

/// Waits until a job is there, for a short time and without sleeping.
fn look() {
    let began = Instant::now();
    while WAITING.load(Ordering::Acquire) == 0 && began.elapsed() < LOOK {
        hint::spin_loop();
    }
}
