//! Threads that run reads.
//!
//! Most reads use the processor all the time, so one thread for each core is best. Other reads wait
//! for a file system, a provider or an engine. If requests wait and no thread becomes free, threads
//! are added, up to [`limits::RUNNING`]: after [`limits::STUCK`] if this process hardly uses the
//! processor, and later otherwise. Added threads end if the processor is the limit.

use super::limits;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A piece of work for a thread.
pub type Job = Box<dyn FnOnce() + Send>;

/// The threads, and the queue of work for them. Clones share both.
#[derive(Clone)]
pub struct Workers(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Wakes an idle thread.
    work: Condvar,
    /// Wakes the thread that adds threads.
    waiting: Condvar,
    /// Wakes callers of [`Workers::finish`].
    finished: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    threads: usize,
    idle: usize,
    /// The number of processor cores.
    cores: u32,
    /// The number of threads that run while no read waits for anything.
    usual: usize,
    /// The number of jobs that were started.
    started: u64,
    /// When a thread was added, or a surplus thread ended.
    changed: Option<Instant>,
    /// Whether the running jobs use the processor instead of waiting, as far as is known.
    is_busy: bool,
    /// Whether a thread has been idle since the supervisor last looked.
    was_idle: bool,
    supervisor: Supervisor,
}

impl State {
    /// Whether a thread should end: more threads than usual make nothing faster.
    fn has_surplus(&self) -> bool {
        let is_old = |changed: Instant| changed.elapsed() >= limits::IDLE;
        self.threads > self.usual && self.is_busy && self.changed.is_some_and(is_old)
    }
}

/// The state of the thread that adds threads.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Supervisor {
    /// It is not started.
    #[default]
    None,
    /// It waits for jobs.
    Idle,
    /// It checks whether jobs start.
    Checks,
}

/// How long jobs have waited while none started.
#[derive(Default)]
struct Stuck {
    /// The processor time of each core.
    used: Duration,
    /// The time at least.
    time: Duration,
}

impl Default for Workers {
    /// Creates the queue. Threads start with the first work.
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let usual = cores.min(limits::RUNNING);
        Self(Arc::new(Shared {
            state: Mutex::new(State {
                cores: u32::try_from(cores).unwrap_or(u32::MAX),
                usual,
                ..State::default()
            }),
            work: Condvar::new(),
            waiting: Condvar::new(),
            finished: Condvar::new(),
        }))
    }
}

impl Workers {
    /// Uses one core less, because the caller runs jobs on another thread as well.
    pub fn leave_a_core(&self) {
        let mut state = self.0.lock();
        state.usual = state.usual.saturating_sub(1).max(1);
    }

    /// Runs a job on a thread, after the jobs that were added before it have started.
    pub fn run(&self, job: impl FnOnce() + Send + 'static) {
        let mut state = self.0.lock();
        state.queue.push_back(Box::new(job));
        // An idle thread that was woken counts as idle until it takes its job.
        if state.queue.len() <= state.idle {
            self.0.work.notify_one();
        } else if state.threads < state.usual {
            self.add(&mut state);
        } else {
            self.supervise(&mut state);
        }
    }

    /// Waits until all jobs have ended.
    pub fn finish(&self) {
        let mut state = self.0.lock();
        while !state.queue.is_empty() || state.idle < state.threads {
            state = wait(&self.0.finished, state);
        }
    }

    /// Adds a thread. If the system cannot start one, the existing threads run the jobs.
    fn add(&self, state: &mut State) {
        let shared = Arc::clone(&self.0);
        let spawned = thread::Builder::new()
            .name("omniread-read".to_owned())
            .spawn(move || shared.work());
        match spawned {
            Ok(_) => {
                state.threads += 1;
                state.changed = Some(Instant::now());
            }
            Err(_) if state.threads > 0 => {}
            // There is no thread that could run it later.
            Err(_) => {
                if let Some(job) = state.queue.pop_front() {
                    job();
                }
            }
        }
    }

    /// Starts the thread that adds threads, or wakes it.
    fn supervise(&self, state: &mut State) {
        match state.supervisor {
            Supervisor::Checks => {}
            Supervisor::Idle => {
                state.supervisor = Supervisor::Checks;
                self.0.waiting.notify_one();
            }
            Supervisor::None => {
                let workers = self.clone();
                let spawned = thread::Builder::new()
                    .name("omniread-supervisor".to_owned())
                    .spawn(move || workers.watch());
                if spawned.is_ok() {
                    state.supervisor = Supervisor::Checks;
                }
            }
        }
    }

    /// Adds threads while jobs wait.
    fn watch(&self) {
        let mut state = self.0.lock();
        let cores = state.cores;
        let mut stuck = Stuck::default();
        loop {
            if state.queue.is_empty() {
                stuck = Stuck::default();
                state.supervisor = Supervisor::Idle;
                while state.supervisor == Supervisor::Idle {
                    state = wait(&self.0.waiting, state);
                }
            }
            let started = state.started;
            state.was_idle = state.idle > 0;
            drop(state);
            let used = process_time();
            thread::sleep(limits::STUCK);
            let used = process_time().saturating_sub(used);
            state = self.0.lock();
            // On a busy machine, reads that use the processor get only a part of it.
            state.is_busy = used >= limits::STUCK * cores / 8;
            if state.started == started {
                stuck.used += used / cores;
                stuck.time += limits::STUCK;
            } else {
                stuck = Stuck::default();
            }
            let more = if used < limits::STUCK * cores / 32 && !state.was_idle {
                // All reads wait, and so may the next ones.
                state.threads.max(1)
            } else if stuck.used >= limits::LONG || stuck.time >= limits::LATE {
                1
            } else {
                continue;
            };
            stuck = Stuck::default();
            let wanted = state.queue.len().saturating_sub(state.idle);
            let allowed = limits::RUNNING.saturating_sub(state.threads);
            for _ in 0..more.min(wanted).min(allowed) {
                self.add(&mut state);
            }
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the callers of [`Workers::finish`] if all threads are idle.
    fn wake_finished(&self, state: &State) {
        if state.idle == state.threads {
            self.finished.notify_all();
        }
    }

    /// Runs jobs. Ends if no job comes for [`limits::IDLE`], or if there are too many threads.
    fn work(&self) {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.queue.pop_front() {
                state.started += 1;
                drop(state);
                // A job that panics must not reduce the number of threads.
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
                state = self.lock();
                if !state.has_surplus() {
                    continue;
                }
                state.threads -= 1;
                state.changed = Some(Instant::now());
                self.wake_finished(&state);
                return;
            }
            state.idle += 1;
            state.was_idle = true;
            self.wake_finished(&state);
            let (guard, waited) = self
                .work
                .wait_timeout_while(state, limits::IDLE, |state| state.queue.is_empty())
                .unwrap_or_else(PoisonError::into_inner);
            state = guard;
            state.idle -= 1;
            if waited.timed_out() {
                state.threads -= 1;
                return;
            }
        }
    }
}

/// The processor time that this process has used. Always 0 on systems without such a clock.
pub fn process_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
    }
    #[cfg(not(unix))]
    Duration::ZERO
}

fn wait<'g>(signal: &Condvar, state: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
    signal.wait(state).unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn all_jobs_run() {
        let workers = Workers::default();
        let count = Arc::new(AtomicUsize::new(0));
        for _ in 0..1000 {
            let count = Arc::clone(&count);
            workers.run(move || {
                count.fetch_add(1, Ordering::Relaxed);
            });
        }
        workers.finish();
        assert_eq!(count.load(Ordering::Relaxed), 1000);
    }

    /// Jobs that wait for each other get a thread each, up to the limit.
    #[test]
    fn jobs_that_wait_do_not_block_others() {
        let workers = Workers::default();
        let all = Arc::new(Barrier::new(limits::RUNNING));
        for _ in 0..limits::RUNNING {
            let all = Arc::clone(&all);
            workers.run(move || {
                all.wait();
            });
        }
        workers.finish();
    }

    /// The thread that is idle when a burst arrives gets only its first job.
    #[test]
    fn burst_after_idleness_is_not_blocked_by_its_first_job() {
        let workers = Workers::default();
        for _ in 0..20 {
            workers.run(|| {});
            workers.finish();
            let both = Arc::new(Barrier::new(2));
            for _ in 0..2 {
                let both = Arc::clone(&both);
                workers.run(move || {
                    both.wait();
                });
            }
            workers.finish();
        }
    }

    #[test]
    fn panicking_job_does_not_end_its_thread() {
        let workers = Workers::default();
        let count = Arc::new(AtomicUsize::new(0));
        for number in 0..200 {
            let count = Arc::clone(&count);
            workers.run(move || {
                assert!(number % 2 == 0, "the test panics on purpose");
                count.fetch_add(1, Ordering::Relaxed);
            });
        }
        workers.finish();
        assert_eq!(count.load(Ordering::Relaxed), 100);
    }
}
