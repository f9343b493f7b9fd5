//! Runs reads, which block their thread, for the tasks of the runtime.

use omniread_service::Workers;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// The interval at which the runtime is checked.
const TICK: Duration = Duration::from_millis(5);

/// The number of ticks without a call after which the checks pause.
const IDLE_TICKS: u32 = 200;

/// Runs blocking calls.
///
/// If no other call runs, a call runs on the thread of its task. So a small read does not wait until
/// another thread wakes up, which takes as long as the read. If the call takes longer than a tick,
/// another thread of the runtime takes over the other tasks. All other calls run on the threads of
/// [`Workers`].
pub struct Runner {
    own: Arc<Own>,
    workers: Workers,
}

/// The call on the thread of its task.
#[derive(Default)]
struct Own {
    running: AtomicBool,
    /// The number of calls that have started, plus the number of those that have ended. It is odd
    /// while one runs.
    count: AtomicU64,
    /// The thread that checks the runtime.
    watcher: OnceLock<Thread>,
    /// Whether the watcher sleeps.
    sleeping: AtomicBool,
}

impl Runner {
    /// Creates a runner. Until it watches a runtime, all calls run on other threads.
    pub fn new() -> Self {
        Self {
            own: Arc::default(),
            workers: Workers::new(),
        }
    }

    /// Lets another thread of the runtime take over when a call takes long.
    ///
    /// # Errors
    /// Fails if no thread can be started.
    pub fn watch(&self, runtime: Handle) -> std::io::Result<()> {
        let own = Arc::clone(&self.own);
        let watcher = thread::Builder::new()
            .name("omniread-watcher".to_owned())
            .spawn(move || own.watch(&runtime))?;
        let _ = self.own.watcher.set(watcher.thread().clone());
        Ok(())
    }

    /// Runs a call. `alone` means that no other request waits. Returns `None` if the call panics.
    pub async fn run<T: Send + 'static>(
        &self,
        alone: bool,
        call: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        if alone && let Some(_guard) = self.own.begin() {
            return catch_unwind(AssertUnwindSafe(call)).ok();
        }
        let (sender, outcome) = oneshot::channel();
        self.workers.run(move || {
            // The task may have been dropped.
            let _ = sender.send(call());
        });
        outcome.await.ok()
    }

    /// Waits until all calls have ended.
    pub async fn finish(&self) {
        let workers = self.workers.clone();
        let _ = tokio::task::spawn_blocking(move || workers.finish()).await;
        while self.own.running.load(Ordering::Acquire) {
            tokio::time::sleep(TICK).await;
        }
    }
}

impl Own {
    /// Takes the place for the call on its own thread, if it is free.
    fn begin(&self) -> Option<Running<'_>> {
        let watcher = self.watcher.get()?;
        if self.running.swap(true, Ordering::AcqRel) {
            return None;
        }
        self.count.fetch_add(1, Ordering::SeqCst);
        if self.sleeping.swap(false, Ordering::SeqCst) {
            watcher.unpark();
        }
        Some(Running(self))
    }

    fn watch(&self, runtime: &Handle) {
        let (mut last, mut idle) = (0, 0);
        loop {
            thread::sleep(TICK);
            let count = self.count.load(Ordering::SeqCst);
            if count != last {
                (last, idle) = (count, 0);
            } else if count % 2 == 1 {
                // A new task makes an idle thread of the runtime look for tasks. It then waits for
                // input in place of the thread that runs the call.
                runtime.spawn(async {});
            } else {
                idle += 1;
            }
            if idle >= IDLE_TICKS {
                idle = 0;
                self.sleeping.store(true, Ordering::SeqCst);
                // A call that started meanwhile did not see that this thread sleeps.
                if self.count.load(Ordering::SeqCst) == last {
                    thread::park();
                }
            }
        }
    }
}

/// The place for the call on its own thread. Dropping the value frees the place.
struct Running<'o>(&'o Own);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.count.fetch_add(1, Ordering::SeqCst);
        self.0.running.store(false, Ordering::Release);
    }
}
