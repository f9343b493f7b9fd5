//! Reads of many files: the rows of `omniread-batch`, as an iterator.
//!
//! Threads of the batch read, without the lock of the interpreter. The thread that iterates returns a row that is ready.
//! Without such a row, it takes paths from Python, one after the other, as long as few are left, and then waits for rows.
//! Rows that nobody takes make the threads wait, so that memory is bounded.

use crate::options;
use crate::row::Row;
use crate::running::{Begun, Owner, begin, check_process, is_forked};
use omniread_batch::{Batch, Done, Entry, Finished, Paths, Settings, Stopper};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyString};
use pyo3::{PyTraverseError, PyVisit};
use std::collections::VecDeque;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The size in bytes of the rows that wait until they are taken. More make the reads wait.
const ROWS: usize = 4 << 20;

/// The number of paths below which more are taken from Python, and the number up to which they are.
const PATHS: (usize, usize) = (64, 256);

/// The time after which the main thread looks for signals while it waits for a row.
const SIGNALS: Duration = Duration::from_millis(100);

/// The number of rows that wake the thread which waits for them. Waking it for each row takes as long as a small read.
const TOGETHER: usize = 32;

/// The time after which a thread that waits takes fewer rows. Later ones wake it at once.
const COLLECT: Duration = Duration::from_millis(2);

/// What the threads of a batch and the thread that iterates share. No code of Python runs while it is locked.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct State {
    paths: VecDeque<Entry>,
    has_all_paths: bool,
    /// Whether more paths are taken until there are enough of them.
    is_filling: bool,
    /// Whether a thread of the batch waits for a path.
    is_starving: bool,
    /// The thread that takes a path from Python.
    taking: Option<ThreadId>,
    rows: VecDeque<Finished>,
    /// The size of the rows.
    size: usize,
    /// Whether the batch waits until rows are taken.
    is_full: bool,
    /// The number of threads that each row wakes.
    idle: usize,
    /// Why the batch has ended. `None` while it runs.
    ended: Option<Result<(), String>>,
    /// Whether no more rows are wanted.
    is_closed: bool,
    /// Whether the reader was closed before the last row was taken.
    is_cut: bool,
}

/// What the thread that iterates does next.
enum Step {
    Row(Box<Finished>),
    Paths,
    Wait,
    /// The iterator of the paths asks for a row.
    Reentered,
    End,
    Cut,
    Failed(String),
}

impl State {
    /// Whether a thread is to take a path from Python.
    fn is_hungry(&self) -> bool {
        let is_wanted = self.is_filling || self.paths.len() < PATHS.0;
        is_wanted && !self.has_all_paths && self.ended.is_none() && self.taking.is_none()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn step(&self) -> Step {
        let thread = thread::current().id();
        let mut state = self.lock();
        if state.taking == Some(thread) {
            return Step::Reentered;
        }
        if state.is_closed {
            return if state.is_cut { Step::Cut } else { Step::End };
        }
        if let Some(row) = state.rows.pop_front() {
            state.size = state.size.saturating_sub(row.line.len());
            if mem::take(&mut state.is_full) {
                self.changed.notify_all();
            }
            return Step::Row(Box::new(row));
        }
        if state.is_hungry() {
            state.taking = Some(thread);
            return Step::Paths;
        }
        match state.ended.take() {
            Some(ended) => {
                state.is_closed = true;
                ended.map_or_else(Step::Failed, |()| Step::End)
            }
            None => Step::Wait,
        }
    }

    /// Waits until the next step is another one, or signals are due.
    fn wait_for_rows(&self) {
        let is_over = |state: &State| {
            let has_ended = state.ended.is_some() || state.is_closed;
            !state.rows.is_empty() || has_ended || state.is_hungry()
        };
        let wait = |state, time| {
            let waited = self.changed.wait_timeout(state, time);
            waited.unwrap_or_else(PoisonError::into_inner).0
        };
        let mut state = self.lock();
        if is_over(&state) {
            return;
        }
        state = wait(state, COLLECT);
        if !is_over(&state) {
            state.idle += 1;
            state = wait(state, SIGNALS);
            state.idle -= 1;
        }
    }

    /// Ends what began with [`Step::Paths`]. `None` is the end of the paths.
    fn add(&self, path: Option<Entry>) {
        let mut state = self.lock();
        state.taking = None;
        match path {
            Some(path) if !state.is_closed => state.paths.push_back(path),
            Some(_) => {}
            None => state.has_all_paths = true,
        }
        state.is_filling = state.paths.len() < PATHS.1;
        // Another thread that iterates may have to take the next path.
        if state.is_starving || state.idle > 0 || state.has_all_paths {
            self.changed.notify_all();
        }
    }

    /// Has the threads of the batch wait for nothing.
    fn close(&self, is_cut: bool) {
        let mut state = self.lock();
        state.is_cut |= is_cut && !state.is_closed;
        state.is_closed = true;
        state.rows.clear();
        state.paths.clear();
        self.changed.notify_all();
    }
}

/// The list of the batch.
struct List(Arc<Shared>);

impl Paths for List {
    fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        let mut state = self.0.lock();
        loop {
            if state.is_closed {
                return Ok(None);
            }
            if let Some(path) = state.paths.pop_front() {
                // The thread that iterates may wait for a row, and takes more paths then.
                if state.paths.len() + 1 == PATHS.0 || state.paths.is_empty() {
                    self.0.changed.notify_all();
                }
                return Ok(Some(path));
            }
            if state.has_all_paths {
                return Ok(None);
            }
            state.is_starving = true;
            state = self.0.wait(state);
            state.is_starving = false;
        }
    }

    fn is_ready(&self) -> bool {
        let state = self.0.lock();
        !state.paths.is_empty() || state.has_all_paths || state.is_closed
    }
}

/// The rows of the batch.
struct Output(Arc<Shared>);

impl omniread_batch::Rows for Output {
    fn row(&mut self, row: &Finished) -> io::Result<()> {
        let mut state = self.0.lock();
        while !state.is_closed && !state.rows.is_empty() && state.size + row.line.len() > ROWS {
            state.is_full = true;
            state = self.0.wait(state);
        }
        if state.is_closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        state.size += row.line.len();
        state.rows.push_back(row.clone());
        if state.idle > 0 || state.rows.len() >= TOGETHER {
            self.0.changed.notify_all();
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Ends a batch without waiting for it.
struct Ending {
    shared: Arc<Shared>,
    stopper: Stopper<Output>,
}

impl Ending {
    /// `is_cut` says that the program still takes rows, as far as is known.
    fn end(&self, is_cut: bool) {
        // The threads are those of the parent then, and so may be the locks.
        if is_forked() {
            return;
        }
        self.shared.close(is_cut);
        self.stopper.cancel();
    }
}

/// The rows of many paths, one after the other. :meth:`Reader.batch` and :meth:`Reader.expand` return it.
///
/// Reads run ahead of the rows that are taken, up to 4 MiB of rows. ``with`` or :meth:`close` ends them.
#[pyclass(frozen, module = "omniread")]
pub(crate) struct Rows {
    shared: Arc<Shared>,
    ending: Arc<Ending>,
    /// The iterator of the paths, until its end. The lock is taken for moments, and no code of Python runs meanwhile.
    paths: Mutex<Option<Py<PyIterator>>>,
}

impl Rows {
    /// Starts a batch.
    pub(crate) fn start(
        py: Python<'_>,
        paths: &Bound<'_, PyAny>,
        (settings, done): (Settings, Done),
        owner: Owner,
    ) -> PyResult<Self> {
        let paths = Mutex::new(Some(iterator(paths, "the paths of a batch")?.unbind()));
        let shared = Arc::new(Shared::default());
        let batch = Batch::new(settings, Output(Arc::clone(&shared)));
        let ending = Arc::new(Ending {
            shared: Arc::clone(&shared),
            stopper: batch.stopper(),
        });
        let stop = Arc::clone(&ending);
        let begun = begin(py, owner, move || stop.end(true))?;
        let of_batch = Arc::clone(&shared);
        let named = thread::Builder::new().name("omniread-batch".to_owned());
        let thread = named.spawn(move || run((batch, done), &of_batch, begun));
        thread.map_err(|error| PyOSError::new_err(format!("cannot start a thread: {error}")))?;
        Ok(Self {
            shared,
            ending,
            paths,
        })
    }

    /// Takes a path from Python, after [`Step::Paths`].
    fn take(&self, py: Python<'_>) -> PyResult<()> {
        let taken = self.take_one(py);
        let is_last = !matches!(taken, Ok(Some(_)));
        if taken.is_err() {
            self.ending.end(false);
        }
        let (path, outcome) = match taken {
            Ok(path) => (path, Ok(())),
            Err(error) => (None, Err(error)),
        };
        self.shared.add(path);
        if is_last {
            self.release_paths();
        }
        outcome
    }

    fn take_one(&self, py: Python<'_>) -> PyResult<Option<Entry>> {
        let paths = self.lock_paths().as_ref().map(|paths| paths.clone_ref(py));
        let next = paths.and_then(|paths| paths.into_bound(py).next());
        let path = next.transpose()?.map(|path| options::path(&path));
        Ok(path.transpose()?.map(Entry::Path))
    }

    fn lock_paths(&self) -> MutexGuard<'_, Option<Py<PyIterator>>> {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops the iterator of the paths, which may run code of Python.
    fn release_paths(&self) {
        let paths = self.lock_paths().take();
        drop(paths);
    }
}

/// Runs a batch on its own thread.
fn run((batch, done): (Batch<Output>, Done), shared: &Arc<Shared>, begun: Begun) {
    let list = List(Arc::clone(shared));
    let outcome = catch_unwind(AssertUnwindSafe(|| batch.run(list, done)));
    let ended = match outcome {
        Ok(outcome) => outcome.map(|_| ()).map_err(|error| error.to_string()),
        Err(_) => Err("the batch failed".to_owned()),
    };
    drop(begun);
    shared.lock().ended = Some(ended);
    shared.changed.notify_all();
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.ending.end(false);
    }
}

#[pymethods]
impl Rows {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Row>> {
        check_process(py)?;
        let ended = loop {
            match self.shared.step() {
                Step::Row(row) => return Ok(Some(Row::new(row))),
                Step::End => break Ok(None),
                Step::Cut => break Err(PyValueError::new_err("the reader is closed")),
                Step::Failed(error) => break Err(PyRuntimeError::new_err(error)),
                Step::Reentered => {
                    return Err(PyRuntimeError::new_err(
                        "the iterator of the paths of a batch cannot take a row of this batch",
                    ));
                }
                Step::Paths => self.take(py)?,
                Step::Wait => py.detach(|| self.shared.wait_for_rows()),
            }
            py.check_signals()?;
        };
        self.release_paths();
        ended
    }

    /// End the reads. The iterator then has no more rows.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.ending.end(false));
        self.release_paths();
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.paths.try_lock() {
            Ok(paths) => visit.call(paths.as_ref()),
            Err(_) => Ok(()),
        }
    }

    fn __clear__(&self) {
        self.release_paths();
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }
}

/// The settings of a batch, from the keyword arguments of :meth:`Reader.batch`. The others are options of the reads.
///
/// # Errors
/// Fails with a `TypeError` or a `ValueError` if an argument is wrong.
pub(crate) fn settings(
    reader: omniread::Reader,
    dialect: &str,
    arguments: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Settings, Done)> {
    let mut settings = Settings::new(reader);
    settings.dialect = options::dialect(dialect)?;
    let Some(arguments) = arguments else {
        return Ok((settings, Done::default()));
    };
    let mut done = Done::default();
    let mut has_done = false;
    let others = PyDict::new(arguments.py());
    for (name, value) in arguments {
        match name.cast::<PyString>()?.to_str()? {
            "members" => settings.members = value.extract()?,
            "recursive" => settings.recursive = value.extract()?,
            "pages" => settings.pages = value.extract()?,
            "ordered" => settings.is_ordered = value.extract()?,
            "jobs" => settings.jobs = value.extract::<Option<_>>()?.unwrap_or(settings.jobs),
            "done" => {
                has_done = !value.is_none();
                done = paths_of(Some(&value))?;
            }
            _ => others.set_item(name, value)?,
        }
    }
    if settings.pages && has_done {
        return Err(PyValueError::new_err(
            "`pages` and `done` exclude each other: the further pages of a path that has a row would be missing",
        ));
    }
    settings.options = options::options(Some(&others))?;
    Ok((settings, done))
}

/// The iterator of an argument.
///
/// # Errors
/// Fails with a `TypeError` if it is one path, whose letters nobody means, or not an iterable.
fn iterator<'py>(paths: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyIterator>> {
    let is_text = paths.is_instance_of::<PyString>() || paths.is_instance_of::<PyBytes>();
    if is_text || paths.hasattr("__fspath__")? {
        return Err(PyTypeError::new_err(format!(
            "{what} are a list or another iterable, not one path"
        )));
    }
    paths.try_iter()
}

/// The paths that have a row already.
///
/// # Errors
/// Fails if they are not paths.
pub(crate) fn paths_of(done: Option<&Bound<'_, PyAny>>) -> PyResult<Done> {
    let mut paths = Done::default();
    let Some(done) = done.filter(|done| !done.is_none()) else {
        return Ok(paths);
    };
    for path in iterator(done, "the paths of `done`")? {
        paths.insert(&options::path(&path?)?);
    }
    Ok(paths)
}

/// The settings of a batch that finds paths. One thread suffices: it lists directories.
pub(crate) fn only_paths(reader: omniread::Reader, recursive: bool) -> Settings {
    let mut settings = Settings::new(reader);
    settings.only_paths = true;
    settings.recursive = recursive;
    settings.jobs = 1;
    settings
}
