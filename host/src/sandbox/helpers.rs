//! Threads that help reads that look at many entries of directories: most of the time of such a read is spent in the
//! kernel, which serves several threads at once.
//!
//! A read never waits for a helper that has not begun. So a process with many reads, or with one processor, does all
//! of the work on the threads of its reads.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// The maximum number of helpers of a process. More gain little, because they wait for the same locks of the kernel.
const HELPERS: usize = 3;

/// The maximum number of jobs that wait for a helper. Further ones are left to their reads.
const WAITING: usize = 16;

/// A part of the work of a read.
type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Helpers {
    jobs: VecDeque<Job>,
    threads: usize,
    /// The number of threads that wait for a job.
    idle: usize,
}

static ALL: Mutex<Helpers> = Mutex::new(Helpers {
    jobs: VecDeque::new(),
    threads: 0,
    idle: 0,
});

static ADDED: Condvar = Condvar::new();

fn lock() -> MutexGuard<'static, Helpers> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of helpers that a read can have. None on a machine with one processor.
pub fn count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        processors.saturating_sub(1).min(HELPERS)
    })
}

/// Gives a job to a helper, which may begin it at any time or never. The first jobs start the threads, which last as
/// long as the process.
pub fn give(job: Job) {
    let mut all = lock();
    if all.jobs.len() >= WAITING {
        return;
    }
    if all.jobs.len() >= all.idle && all.threads < count() {
        let thread = thread::Builder::new().name("omniread-helper".to_owned());
        if thread.spawn(run).is_ok() {
            all.threads += 1;
        }
    }
    if all.threads > 0 {
        all.jobs.push_back(job);
        ADDED.notify_one();
    }
}

fn run() {
    let mut all = lock();
    loop {
        if let Some(job) = all.jobs.pop_front() {
            drop(all);
            // A job that panics is one that was not done.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
            all = lock();
        } else {
            all.idle += 1;
            all = ADDED.wait(all).unwrap_or_else(PoisonError::into_inner);
            all.idle -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn jobs_are_done_and_one_that_panics_ends_no_thread() {
        let (sender, receiver) = channel();
        for number in 0..20 {
            let sender = sender.clone();
            give(Box::new(move || {
                let _ = sender.send(number);
                std::panic::resume_unwind(Box::new(()));
            }));
            // Without a second processor, there is no helper.
            if count() > 0 {
                assert_eq!(receiver.recv(), Ok(number));
            }
        }
        assert!(lock().threads <= HELPERS);
    }
}
