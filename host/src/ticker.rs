//! The clock of the sandbox: a thread that advances the epoch while reads run.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::{self, Thread};
use std::time::Duration;

/// The interval at which a running read checks its stop conditions.
const TICK: Duration = Duration::from_millis(10);

/// A thread that advances the epoch of wasmtime while reads run, so that they check their stop
/// conditions. The thread sleeps while no read runs.
pub(crate) struct Ticker {
    running: AtomicUsize,
    parked: AtomicBool,
    thread: OnceLock<Thread>,
}

/// The number of ticks without a running read after which the thread sleeps. A read that starts
/// while the thread is awake has no extra cost. Waking the thread costs a few microseconds.
const IDLE_TICKS: u32 = 100;

impl Ticker {
    /// Starts the thread.
    pub(crate) fn start(engine: &wasmtime::Engine) -> Arc<Self> {
        let ticker = Arc::new(Self {
            running: AtomicUsize::new(0),
            parked: AtomicBool::new(false),
            thread: OnceLock::new(),
        });
        let (weak, engine) = (Arc::downgrade(&ticker), engine.weak());
        let spawned = thread::Builder::new()
            .name("omniread-ticker".to_owned())
            .spawn(move || {
                Self::run(&weak, &engine);
            });
        if let Ok(handle) = spawned {
            let _ = ticker.thread.set(handle.thread().clone());
        }
        ticker
    }

    fn run(ticker: &Weak<Self>, engine: &wasmtime::EngineWeak) {
        let mut idle = 0;
        loop {
            thread::sleep(TICK);
            let (Some(ticker), Some(engine)) = (ticker.upgrade(), engine.upgrade()) else {
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
                    thread::park();
                }
            }
        }
    }

    /// Makes the thread advance the epoch until the returned guard is dropped.
    pub(crate) fn tick(self: &Arc<Self>) -> Ticking {
        self.running.fetch_add(1, Ordering::SeqCst);
        if self.parked.swap(false, Ordering::SeqCst)
            && let Some(thread) = self.thread.get()
        {
            thread.unpark();
        }
        Ticking(Arc::clone(self))
    }
}

/// A guard of a running read. The epoch advances while there are guards.
pub(crate) struct Ticking(Arc<Ticker>);

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}
