//! The clock of the sandbox: a thread that makes running instances check their stop conditions.

use crate::safepoints::Safepoints;
use crate::sandbox::{Stop, Stopped, ThreadClock};
use crate::upkeep::Upkeep;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, Thread};
use std::time::Duration;

/// The interval at which a running read checks its stop conditions.
const TICK: Duration = Duration::from_millis(10);

/// A thread that makes running instances check their stop conditions: it sets the flags of their safepoints. The thread
/// sleeps while no read runs.
pub(crate) struct Ticker {
    running: AtomicUsize,
    watched: Mutex<Vec<Watched>>,
    parked: AtomicBool,
    /// Started by the first read, after its code was loaded: changes to the memory map take longer in
    /// a process with several threads.
    thread: Mutex<Option<Thread>>,
    upkeep: Arc<Upkeep>,
}

/// The time without a read after which prepared instances are released. Each takes about 70 KB of memory.
const KEPT: Duration = Duration::from_mins(1);

/// The number of ticks without a running read after which the thread sleeps. A read that starts
/// while the thread is awake has no extra cost. Waking the thread costs a few microseconds.
const IDLE_TICKS: u32 = 100;

impl Ticker {
    /// A clock, whose thread was not started yet.
    pub(crate) fn new(upkeep: &Arc<Upkeep>) -> Arc<Self> {
        Arc::new(Self {
            running: AtomicUsize::new(0),
            watched: Mutex::default(),
            parked: AtomicBool::new(false),
            thread: Mutex::new(None),
            upkeep: Arc::clone(upkeep),
        })
    }

    fn run(clock: &Weak<Self>) {
        let mut idle = 0;
        loop {
            thread::sleep(TICK);
            let Some(ticker) = clock.upgrade() else {
                return;
            };
            if ticker.running.load(Ordering::SeqCst) > 0 {
                ticker.watched().iter_mut().for_each(Watched::turn);
                idle = 0;
                continue;
            }
            idle += 1;
            if idle >= IDLE_TICKS {
                idle = 0;
                ticker.parked.store(true, Ordering::SeqCst);
                // A read that started meanwhile did not see that this thread sleeps, so this
                // checks once more.
                if ticker.running.load(Ordering::SeqCst) == 0 {
                    drop(ticker);
                    thread::park_timeout(KEPT);
                    let Some(ticker) = clock.upgrade() else {
                        return;
                    };
                    if ticker.parked.load(Ordering::SeqCst) {
                        ticker.upkeep.release();
                        drop(ticker);
                        thread::park();
                    }
                }
            }
        }
    }

    /// Makes an instance check its stop conditions about once in each tick, until the returned guard is dropped.
    ///
    /// # Errors
    /// Fails if the thread cannot be started.
    pub(crate) fn watch(self: &Arc<Self>, safepoints: Safepoints, stop: Stop) -> io::Result<Watch> {
        let ticking = self.tick()?;
        self.watched().push(Watched {
            checks: stop.time.checks(),
            clock: ThreadClock::of_this_thread(),
            safepoints,
            stop,
            is_asked: false,
            ended: None,
        });
        Ok(Watch {
            ticking,
            safepoints,
        })
    }

    fn watched(&self) -> MutexGuard<'_, Vec<Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the thread awake until the returned guard is dropped.
    ///
    /// # Errors
    /// Fails if the thread cannot be started. A read without it would have no timeout.
    fn tick(self: &Arc<Self>) -> io::Result<Ticking> {
        self.running.fetch_add(1, Ordering::SeqCst);
        let ticking = Ticking(Arc::clone(self));
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        match &*thread {
            None => *thread = Some(self.start()?),
            Some(thread) if self.parked.swap(false, Ordering::SeqCst) => thread.unpark(),
            Some(_) => {}
        }
        Ok(ticking)
    }

    fn start(self: &Arc<Self>) -> io::Result<Thread> {
        let ticker = Arc::downgrade(self);
        let thread = thread::Builder::new().name("omniread-ticker".to_owned());
        let started = thread.spawn(move || Self::run(&ticker))?;
        Ok(started.thread().clone())
    }
}

/// A guard of a running read. The thread is awake while there are guards.
struct Ticking(Arc<Ticker>);

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A running instance.
struct Watched {
    safepoints: Safepoints,
    stop: Stop,
    /// The processor time of its thread.
    clock: Option<ThreadClock>,
    /// The number of checks of the read at the last tick.
    checks: u32,
    /// Whether it was asked to check at the last tick.
    is_asked: bool,
    /// The reason why the instance must end.
    ended: Option<Stopped>,
}

impl Watched {
    /// Makes the instance ask. If it has not done so since the last tick and must stop, it may be in a loop without calls,
    /// where it ends.
    fn turn(&mut self) {
        let checks = self.stop.time.checks();
        if checks != self.checks {
            self.checks = checks;
            if self.ended.take().is_some() {
                self.safepoints.clear();
            }
        } else if self.is_asked {
            let now = self.clock.and_then(ThreadClock::now);
            self.ended = self.stop.must_end(now);
            if self.ended.is_some() {
                self.safepoints.end();
            }
        }
        self.safepoints.ask();
        self.is_asked = true;
    }
}

/// A guard of a running instance, which the clock makes check its stop conditions.
pub(crate) struct Watch {
    ticking: Ticking,
    safepoints: Safepoints,
}

impl Watch {
    /// The reason why the clock ended the instance, if it did.
    pub(crate) fn ended(&self) -> Option<Stopped> {
        let watched = self.ticking.0.watched();
        let mut found = watched.iter();
        found
            .find(|watched| watched.safepoints == self.safepoints)?
            .ended
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut watched = self.ticking.0.watched();
        let found = watched
            .iter()
            .position(|watched| watched.safepoints == self.safepoints);
        // The clock does not write to the memory any more. A later call of the instance continues.
        if found.is_some_and(|at| watched.swap_remove(at).is_asked) {
            self.safepoints.clear();
        }
    }
}
