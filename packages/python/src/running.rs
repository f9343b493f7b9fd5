//! Running reads: without the lock of the interpreter, and with every reason for which they end early.

use crate::failure::{fork_error, read_error};
use omniread::{Failure, Session};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The time after which a read of the main thread looks for signals, and the interval at which it does so again. Each
/// time it waits for the lock of the interpreter. A person does not notice a tenth of a second.
const SIGNALS: Duration = Duration::from_millis(100);

/// The time for which the end of the interpreter waits for cancelled reads. They end within milliseconds, unless a file
/// system does not answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// The process that has built the first reader. Its threads do not exist in a child of `fork`.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// The thread that handles signals.
static MAIN: OnceLock<ThreadId> = OnceLock::new();

/// All running reads of this copy of the package.
static READS: Reads = Reads {
    running: Mutex::new(Running {
        reads: BTreeMap::new(),
        next: 0,
        has_ended: false,
    }),
    ended: Condvar::new(),
};

struct Reads {
    running: Mutex<Running>,
    ended: Condvar,
}

struct Running {
    reads: BTreeMap<u64, Read>,
    next: u64,
    /// Whether the interpreter ends, so that no read may start.
    has_ended: bool,
}

struct Read {
    /// Cancels the read, or ends the batch, without waiting for it.
    cancel: Box<dyn Fn() + Send>,
    owner: Owner,
}

/// The reader and the session of a read, by their numbers. A reader that is closed ends the reads of its sessions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) reader: u64,
    pub(crate) session: Option<u64>,
}

/// The number of a new reader or session.
pub(crate) fn number() -> u64 {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

impl Reads {
    fn lock(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a read. `None` if the interpreter ends.
    fn begin(&'static self, owner: Owner, cancel: impl Fn() + Send + 'static) -> Option<Begun> {
        let mut running = self.lock();
        if running.has_ended {
            return None;
        }
        let number = running.next;
        running.next += 1;
        let cancel = Box::new(cancel);
        running.reads.insert(number, Read { cancel, owner });
        Some(Begun(number))
    }
}

/// A guard of a running read, or of a batch.
pub(crate) struct Begun(u64);

impl Drop for Begun {
    fn drop(&mut self) {
        let mut running = READS.lock();
        running.reads.remove(&self.0);
        if running.has_ended {
            READS.ended.notify_all();
        }
    }
}

/// Cancels the running reads of a reader, or of one session.
pub(crate) fn cancel(reader: u64, session: Option<u64>) {
    if is_forked() {
        return;
    }
    for read in READS.lock().reads.values() {
        let is_of_session = session.is_none() || session == read.owner.session;
        if read.owner.reader == reader && is_of_session {
            (read.cancel)();
        }
    }
}

/// Cancel all reads, wait for their end, and refuse others.
///
/// The package calls this before the interpreter ends, so that no thread of it is in a read then.
#[pyfunction]
pub(crate) fn shut_down(py: Python<'_>) {
    py.detach(|| {
        if is_forked() {
            return;
        }
        let deadline = Instant::now() + PATIENCE;
        let mut running = READS.lock();
        running.has_ended = true;
        for read in running.reads.values() {
            (read.cancel)();
        }
        while !running.reads.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = READS.ended.wait_timeout(running, left);
            running = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    });
}

/// Whether this process is a child of `fork` whose parent has built a reader. Running reads and locks are those of
/// threads of the parent then, and nothing may wait for them.
pub(crate) fn is_forked() -> bool {
    PROCESS.get().is_some_and(|&first| first != process::id())
}

/// Drops a reader or a session, unless this process was forked: the end of a runtime would wait for threads that it
/// does not have, and a database belongs to the parent. The memory is that of a process that should call `exec`.
pub(crate) fn release<T>(value: T) {
    if is_forked() {
        std::mem::forget(value);
    }
}

/// Checks that this process is the one that has built the first reader.
///
/// # Errors
/// Fails with a `ForkError` in a child of `fork`.
pub(crate) fn check_process(py: Python<'_>) -> PyResult<()> {
    let id = process::id();
    let first = *PROCESS.get_or_init(|| id);
    if first == id {
        return Ok(());
    }
    Err(fork_error(
        py,
        format!(
            "omniread was used in process {first} before it was forked to {id}, which has none of its threads: start \
             processes with `multiprocessing.get_context(\"spawn\")` or \"forkserver\", or use omniread only after \
             the fork"
        ),
    ))
}

/// Cancels reads from another thread. A read that starts with a cancelled token fails at once.
#[pyclass(frozen, module = "omniread")]
pub(crate) struct CancelToken(Arc<AtomicBool>);

#[pymethods]
impl CancelToken {
    #[new]
    fn new() -> Self {
        Self(Arc::default())
    }

    /// Cancel all reads with this token, within milliseconds.
    fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the token was cancelled.
    #[getter]
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn __repr__(&self) -> String {
        format!(
            "<CancelToken cancelled={}>",
            if self.cancelled() { "True" } else { "False" }
        )
    }
}

/// The exception that a handler of a signal has raised during a read.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// Runs a call of a session without the lock of the interpreter. Other threads run meanwhile.
///
/// # Errors
/// Fails with the exception of a failed read, with that of a handler of a signal, such as `KeyboardInterrupt`, or with
/// the reason why no read can start.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    session: &Session,
    owner: Owner,
    user: Option<&CancelToken>,
    call: impl FnOnce(&Session) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let raised = is_main_thread(py)?.then(Raised::default);
    let token = token(raised.clone(), user);
    let cancelled = token.clone();
    let begun = begin(py, owner, move || cancelled.cancel())?;
    let session = session.with_cancel(&token);
    let outcome = py.detach(|| call(&session));
    // Dropped with the lock, so that the end of the interpreter waits until this thread has it again.
    drop(begun);
    if let Some(raised) = raised
        && let Some(error) = raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    {
        return Err(error);
    }
    outcome.map_err(|failure| read_error(py, &failure))
}

/// Records a read, or a batch, until the guard is dropped.
///
/// # Errors
/// Fails if the interpreter ends, or if this process was forked.
pub(crate) fn begin(
    py: Python<'_>,
    owner: Owner,
    cancel: impl Fn() + Send + 'static,
) -> PyResult<Begun> {
    check_process(py)?;
    let begun = READS.begin(owner, cancel);
    begun.ok_or_else(|| PyRuntimeError::new_err("cannot read: the interpreter is ending"))
}

/// The token of one read.
fn token(raised: Option<Raised>, user: Option<&CancelToken>) -> omniread::CancelToken {
    let user = user.map(|token| Arc::clone(&token.0));
    if raised.is_none() && user.is_none() {
        return omniread::CancelToken::new();
    }
    let is_cancelled = move || {
        user.as_ref()
            .is_some_and(|user| user.load(Ordering::Relaxed))
    };
    let is_late = is_cancelled();
    let signals = raised.map(Signals::new);
    let token = omniread::CancelToken::with_check(move || {
        is_cancelled() || signals.as_ref().is_some_and(Signals::check)
    });
    if is_late {
        token.cancel();
    }
    token
}

/// The check of a read on the main thread for signals.
struct Signals {
    began: Instant,
    /// The milliseconds after which the next check is due.
    due: AtomicU64,
    raised: Raised,
}

impl Signals {
    fn new(raised: Raised) -> Self {
        Self {
            began: Instant::now(),
            due: AtomicU64::new(millis(SIGNALS)),
            raised,
        }
    }

    /// Runs the handlers of signals that have arrived. Returns whether one has raised an exception.
    fn check(&self) -> bool {
        let now = millis(self.began.elapsed());
        // Threads that help a read check its token as well, but only the main thread runs handlers.
        if now < self.due.load(Ordering::Relaxed) || MAIN.get() != Some(&thread::current().id()) {
            return false;
        }
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method is for one lifetime only"
        )]
        let handled = Python::try_attach(|py| py.check_signals());
        let now = millis(self.began.elapsed());
        self.due.store(now + millis(SIGNALS), Ordering::Relaxed);
        let Some(Err(error)) = handled else {
            return false;
        };
        *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        true
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Whether this is the thread that handles signals.
fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let this = thread::current().id();
    if let Some(main) = MAIN.get() {
        return Ok(*main == this);
    }
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    let is_main = main.eq(threading.call_method0("get_ident")?)?;
    if is_main {
        let _ = MAIN.set(this);
    }
    Ok(is_main)
}
