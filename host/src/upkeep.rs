//! Work between reads: memory of instances that ended is cleaned up, and fresh instances are prepared.
//!
//! Both take as long as a small read itself. A read that runs alone leaves them to a thread, or to its own thread after
//! the reply was sent ([`AfterReply`]). Reads that run beside others do the work themselves, as each core has enough to
//! do.
//!
//! Nothing here makes a read wait: if a lock is taken, the read goes on without what it protects.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError, Weak};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// The maximum number of instances that are prepared: one of the reader, and one of each engine.
pub(crate) const SPARES: u32 = 5;

/// The maximum number of instances that ended and are not cleaned up yet. A read has one, and one of an engine, and
/// those of the read before it may still be there.
pub(crate) const ENDED: u32 = 4;

/// The time for which the thread looks for more work before it sleeps. Waking it takes a read some microseconds, or some
/// tens of them if its core sleeps too, and small reads that follow each other are hardly further apart.
const AWAKE: Duration = Duration::from_micros(250);

/// The time after which other threads may run between two looks at the work.
const ALONE: Duration = Duration::from_micros(40);

/// The number of looks at the work between two looks at the clock.
const LOOKS: u32 = 32;

/// The time that waking the thread may take. If it takes longer, the machine has no core for the thread, which then runs in
/// place of the read. Waking a core that sleeps takes less.
const WAKE: Duration = Duration::from_micros(50);

/// The time for which reads do the work themselves when the thread had no core. Then it is tried again, which may cost a
/// read some tens of microseconds.
const CROWDED: Duration = Duration::from_millis(10);

/// The number of calls of a process after which instances are prepared. A process that reads once has no use for them.
const CALLS: usize = 1;

/// An instance that can be prepared.
pub(crate) trait Prepare: Send + Sync {
    /// Prepares the instance, if it is wanted.
    fn prepare(&self);

    /// Releases the instance if it is prepared.
    fn release(&self);
}

/// The work between the reads of a process.
pub(crate) struct Upkeep {
    /// Whether there is any. Without a pool, instances have no place to wait in.
    is_enabled: bool,
    work: Mutex<Work>,
    has_work: AtomicBool,
    /// The number of calls that run.
    running: AtomicUsize,
    /// The number of calls that have ended, up to [`CALLS`].
    ended: AtomicUsize,
    /// When the process began.
    began: Instant,
    /// The time from then, in microseconds, at which the thread may have a core again. 0 if it has one.
    crowded: AtomicU64,
    /// Whether the thread sleeps.
    sleeps: AtomicBool,
    /// Started by the second read. `None` if it cannot be started, or if there is one core.
    thread: OnceLock<Option<Thread>>,
    /// All instances that may be prepared.
    spares: Mutex<Vec<Weak<dyn Prepare>>>,
}

#[derive(Default)]
struct Work {
    wanted: Vec<Arc<dyn Prepare>>,
    ended: Vec<Box<dyn Send>>,
    /// The number of instances that ended, also those that are being cleaned up.
    uncleaned: u32,
}

/// A guard of a call that runs.
pub(crate) struct Call<'u>(&'u Upkeep);

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
        if self.0.ended.load(Ordering::Relaxed) < CALLS {
            self.0.ended.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Upkeep {
    /// The work of a process. `is_enabled` says whether there is any.
    pub(crate) fn new(is_enabled: bool) -> Arc<Self> {
        Arc::new(Self {
            is_enabled,
            work: Mutex::default(),
            has_work: AtomicBool::new(false),
            running: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            began: Instant::now(),
            crowded: AtomicU64::new(0),
            sleeps: AtomicBool::new(false),
            thread: OnceLock::new(),
            spares: Mutex::default(),
        })
    }

    /// Notes that an instance may be prepared, so that it is released when the process is idle.
    pub(crate) fn add(&self, spare: Weak<dyn Prepare>) {
        self.spares().push(spare);
    }

    /// Notes that a call runs until the guard is dropped.
    pub(crate) fn begin(&self) -> Call<'_> {
        self.running.fetch_add(1, Ordering::Relaxed);
        Call(self)
    }

    /// Whether instances are prepared and cleaned up by the thread, or after the reply. Otherwise a call does it.
    pub(crate) fn is_apart(&self) -> bool {
        self.is_enabled
            && self.ended.load(Ordering::Relaxed) >= CALLS
            && self.running.load(Ordering::Relaxed) <= 1
            && !self.is_crowded()
    }

    /// Whether the thread had no core a moment ago.
    fn is_crowded(&self) -> bool {
        let until = self.crowded.load(Ordering::Relaxed);
        if until == 0 {
            return false;
        }
        let is_over = self.microseconds() >= until;
        if is_over {
            self.crowded.store(0, Ordering::Relaxed);
        }
        !is_over
    }

    /// Has reads do the work themselves for a while.
    fn leave_to_reads(&self) {
        let crowded = u64::try_from(CROWDED.as_micros()).unwrap_or(u64::MAX);
        let until = self.microseconds().saturating_add(crowded);
        self.crowded.store(until, Ordering::Relaxed);
    }

    fn microseconds(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Has an instance prepared when the call that runs ends. Returns false if it is not possible now.
    pub(crate) fn want(self: &Arc<Self>, spare: Arc<dyn Prepare>) -> bool {
        let Some(mut work) = self.try_work() else {
            return false;
        };
        work.wanted.push(spare);
        self.has_work.store(true, Ordering::SeqCst);
        drop(work);
        is_put_off(self);
        true
    }

    /// Has an instance that ended cleaned up. Returns it if the caller has to drop it.
    pub(crate) fn clean<T: Send + 'static>(self: &Arc<Self>, ended: T) -> Option<T> {
        if !self.is_apart() {
            return Some(ended);
        }
        let is_put_off = is_put_off(self);
        if !is_put_off && self.thread().is_none() {
            return Some(ended);
        }
        match self.try_work() {
            Some(mut work) if work.uncleaned < ENDED => {
                work.uncleaned += 1;
                work.ended.push(Box::new(ended));
                self.has_work.store(true, Ordering::SeqCst);
            }
            Some(_) => {
                self.leave_to_reads();
                return Some(ended);
            }
            None => return Some(ended),
        }
        if !is_put_off {
            self.wake();
        }
        None
    }

    /// Begins the work that is wanted, after a call whose instance needs none.
    pub(crate) fn start(self: &Arc<Self>) {
        let is_wanted = self.has_work.load(Ordering::SeqCst) && self.is_apart();
        if is_wanted && !is_put_off(self) && self.thread().is_some() {
            self.wake();
        }
    }

    /// Releases the instances that are prepared. To be called when no read has run for a while.
    pub(crate) fn release(&self) {
        self.spares().retain(|spare| {
            let spare = spare.upgrade();
            spare.is_some_and(|spare| {
                spare.release();
                true
            })
        });
    }

    /// Does the work.
    pub(crate) fn work(&self) {
        while let Some(task) = self.next() {
            match task {
                // After a panic, an instance is missing, but the work goes on.
                Task::Clean(ended) => {
                    let _ = catch_unwind(AssertUnwindSafe(|| drop(ended)));
                    self.locked().uncleaned -= 1;
                }
                Task::Prepare(spare) => {
                    let _ = catch_unwind(AssertUnwindSafe(|| spare.prepare()));
                }
            }
        }
    }

    /// Memory is cleaned up first, so that the next instance gets it.
    fn next(&self) -> Option<Task> {
        let mut work = self.locked();
        if let Some(ended) = work.ended.pop() {
            return Some(Task::Clean(ended));
        }
        if let Some(spare) = work.wanted.pop() {
            return Some(Task::Prepare(spare));
        }
        self.has_work.store(false, Ordering::SeqCst);
        None
    }

    fn run(upkeep: &Weak<Self>) {
        while let Some(upkeep) = upkeep.upgrade() {
            upkeep.work();
            if upkeep.waits_for_work() {
                continue;
            }
            upkeep.sleeps.store(true, Ordering::SeqCst);
            // Work that came meanwhile did not wake this thread.
            if !upkeep.has_work.load(Ordering::SeqCst) {
                drop(upkeep);
                thread::park();
                continue;
            }
            upkeep.sleeps.store(false, Ordering::SeqCst);
        }
    }

    /// Waits for work for a short time, while at most one read runs. Returns whether there is some.
    fn waits_for_work(&self) -> bool {
        let began = Instant::now();
        let mut passed = Duration::ZERO;
        while passed < AWAKE && self.running.load(Ordering::Relaxed) <= 1 {
            if passed > ALONE {
                thread::yield_now();
            }
            for _ in 0..LOOKS {
                if self.has_work.load(Ordering::SeqCst) {
                    return true;
                }
                std::hint::spin_loop();
            }
            passed = began.elapsed();
        }
        false
    }

    /// The thread. The first call starts it.
    fn thread(self: &Arc<Self>) -> Option<&Thread> {
        let start = || {
            let cores = thread::available_parallelism().map_or(1, NonZero::get);
            if cores < 2 {
                return None;
            }
            let upkeep = Arc::downgrade(self);
            let thread = thread::Builder::new().name("omniread-upkeep".to_owned());
            let started = thread.spawn(move || Self::run(&upkeep)).ok()?;
            Some(started.thread().clone())
        };
        self.thread.get_or_init(start).as_ref()
    }

    fn wake(&self) {
        if self.sleeps.load(Ordering::SeqCst)
            && self.sleeps.swap(false, Ordering::SeqCst)
            && let Some(Some(thread)) = self.thread.get()
        {
            let began = Instant::now();
            thread.unpark();
            if began.elapsed() > WAKE {
                self.leave_to_reads();
            }
        }
    }

    fn locked(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_work(&self) -> Option<MutexGuard<'_, Work>> {
        try_lock(&self.work)
    }

    fn spares(&self) -> MutexGuard<'_, Vec<Weak<dyn Prepare>>> {
        self.spares.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Upkeep {
    fn drop(&mut self) {
        // The thread finds that the work is gone, and ends.
        if let Some(Some(thread)) = self.thread.get() {
            thread.unpark();
        }
    }
}

enum Task {
    Clean(Box<dyn Send>),
    Prepare(Arc<dyn Prepare>),
}

/// The lock, unless another thread has it. In the child of a fork, a thread that is not there may have it.
pub(crate) fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

thread_local! {
    /// The work that this thread does later. `None` if it does not put it off.
    static LATER: RefCell<Option<Vec<Arc<Upkeep>>>> = const { RefCell::new(None) };
}

/// Whether this thread does the work later.
fn is_put_off(upkeep: &Arc<Upkeep>) -> bool {
    LATER.with_borrow_mut(|later| {
        let Some(later) = later else {
            return false;
        };
        if !later.iter().any(|other| Arc::ptr_eq(other, upkeep)) {
            later.push(Arc::clone(upkeep));
        }
        true
    })
}

/// Puts off the work between the reads of this thread. While the value exists, a read does not clean up the memory that
/// it used, and dropping the value does that, and prepares the next read. A server drops it after it has sent the reply.
///
/// Reads of a thread without such a value leave the work to a thread of the library.
#[derive(Debug)]
pub struct AfterReply {
    is_first: bool,
    /// It belongs to a thread.
    thread: PhantomData<*const ()>,
}

impl AfterReply {
    /// Puts off the work until the value is dropped.
    #[must_use]
    pub fn new() -> Self {
        let is_first = LATER.with_borrow_mut(|later| {
            let is_first = later.is_none();
            later.get_or_insert_default();
            is_first
        });
        Self {
            is_first,
            thread: PhantomData,
        }
    }
}

impl Default for AfterReply {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for AfterReply {
    fn drop(&mut self) {
        if !self.is_first {
            return;
        }
        let later = LATER.with_borrow_mut(Option::take);
        for upkeep in later.unwrap_or_default() {
            // Another thread would take a core from the receiver of the reply.
            upkeep.work();
        }
    }
}

#[cfg(test)]
mod tests;
