//! The clock of the sandbox: a thread that advances the epoch while reads run.

use crate::upkeep::Upkeep;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::{self, Thread};
use std::time::Duration;
use wasmtime::{Engine, EngineWeak};

/// The interval at which a running read checks its stop conditions.
const TICK: Duration = Duration::from_millis(10);

/// A thread that advances the epoch of wasmtime while reads run, so that they check their stop
/// conditions. The thread sleeps while no read runs.
pub(crate) struct Ticker {
    engine: EngineWeak,
    running: AtomicUsize,
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
    /// A clock for an engine. Its thread was not started yet.
    pub(crate) fn new(engine: &Engine, upkeep: &Arc<Upkeep>) -> Arc<Self> {
        Arc::new(Self {
            engine: engine.weak(),
            running: AtomicUsize::new(0),
            parked: AtomicBool::new(false),
            thread: Mutex::new(None),
            upkeep: Arc::clone(upkeep),
        })
    }

    fn run(clock: &Weak<Self>, engine: &wasmtime::EngineWeak) {
        let mut idle = 0;
        loop {
            thread::sleep(TICK);
            let (Some(ticker), Some(engine)) = (clock.upgrade(), engine.upgrade()) else {
                return;
            };
            if ticker.running.load(Ordering::SeqCst) > 0 {
                engine.increment_epoch();
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
                    drop(engine);
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

    /// Makes the thread advance the epoch until the returned guard is dropped.
    ///
    /// # Errors
    /// Fails if the thread cannot be started. A read without it would have no timeout.
    pub(crate) fn tick(self: &Arc<Self>) -> io::Result<Ticking> {
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
        let (ticker, engine) = (Arc::downgrade(self), self.engine.clone());
        let thread = thread::Builder::new().name("omniread-ticker".to_owned());
        let started = thread.spawn(move || Self::run(&ticker, &engine))?;
        Ok(started.thread().clone())
    }
}

/// A guard of a running read. The epoch advances while there are guards.
pub(crate) struct Ticking(Arc<Ticker>);

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}
