//! Reads of many files: the rows of `omniread-batch`, as an iterator.
//!
//! Threads of the batch read, without the lock of the interpreter. The thread that iterates takes paths from Python
//! when few are left, and waits for rows. Rows that nobody takes make the threads wait, so that memory is bounded.

use crate::options;
use crate::running::{Begun, Owner, begin, check_process, is_forked};
use omniread_batch::{Batch, Done, Entry, Finished, Paths, Settings, Stopper};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyString};
use std::collections::VecDeque;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The size in bytes of the rows that wait until they are taken. More make the reads wait.
const ROWS: usize = 4 << 20;

/// The number of paths below which more are taken from Python, and the number that is there then.
const PATHS: (usize, usize) = (64, 256);

/// The time after which the main thread looks for signals while it waits for a row.
const SIGNALS: Duration = Duration::from_millis(100);

/// The number of rows that wake the thread which waits for them. Waking it for each row takes as long as a small read.
const TOGETHER: usize = 32;

/// The time after which a thread that waits takes fewer rows. Later ones wake it at once.
const COLLECT: Duration = Duration::from_millis(2);

/// The time after which a thread checks whether another one has taken paths.
const SHORT: Duration = Duration::from_millis(1);

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
    End,
    Cut,
    Failed(String),
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
        let mut state = self.lock();
        if state.is_closed {
            return if state.is_cut { Step::Cut } else { Step::End };
        }
        let is_hungry = state.paths.len() < PATHS.0 && !state.has_all_paths;
        if is_hungry && state.ended.is_none() {
            return Step::Paths;
        }
        if let Some(row) = state.rows.pop_front() {
            state.size = state.size.saturating_sub(row.line.len());
            if mem::take(&mut state.is_full) {
                self.changed.notify_all();
            }
            return Step::Row(Box::new(row));
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
            let is_hungry = state.paths.len() < PATHS.0 && !state.has_all_paths;
            !state.rows.is_empty() || state.ended.is_some() || state.is_closed || is_hungry
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
            state = self.0.wait(state);
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
    paths: Py<PyIterator>,
    /// Whether a thread takes paths from Python.
    is_taking: AtomicBool,
}

impl Rows {
    /// Starts a batch.
    pub(crate) fn start(
        py: Python<'_>,
        paths: &Bound<'_, PyAny>,
        (settings, done): (Settings, Done),
        owner: Owner,
    ) -> PyResult<Self> {
        if paths.is_instance_of::<PyString>() || paths.hasattr("__fspath__")? {
            return Err(PyTypeError::new_err(
                "the paths of a batch are a list or another iterable, not one path",
            ));
        }
        let paths = paths.try_iter()?.unbind();
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
            is_taking: AtomicBool::new(false),
        })
    }

    /// Takes paths from Python, until there are enough of them.
    fn take(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_taking.swap(true, Ordering::SeqCst) {
            // Another thread does.
            py.detach(|| thread::sleep(SHORT));
            return Ok(());
        }
        let taken = self.take_some(py);
        self.is_taking.store(false, Ordering::SeqCst);
        if taken.is_err() {
            self.ending.end(false);
        }
        taken
    }

    fn take_some(&self, py: Python<'_>) -> PyResult<()> {
        let mut paths = self.paths.bind(py).clone();
        let wanted = PATHS.1 - self.shared.lock().paths.len().min(PATHS.1);
        let mut some = Vec::with_capacity(wanted);
        let mut has_all_paths = false;
        while some.len() < wanted {
            let Some(path) = paths.next() else {
                has_all_paths = true;
                break;
            };
            some.push(Entry::Path(options::path(&path?)?));
        }
        let mut state = self.shared.lock();
        if !state.is_closed {
            state.paths.extend(some);
        }
        state.has_all_paths = has_all_paths;
        self.shared.changed.notify_all();
        Ok(())
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
        loop {
            match self.shared.step() {
                Step::Row(row) => return Ok(Some(Row { row })),
                Step::End => return Ok(None),
                Step::Cut => return Err(PyValueError::new_err("the reader is closed")),
                Step::Failed(error) => return Err(PyRuntimeError::new_err(error)),
                Step::Paths => self.take(py)?,
                Step::Wait => {
                    py.detach(|| self.shared.wait_for_rows());
                    py.check_signals()?;
                }
            }
        }
    }

    /// End the reads. The iterator then has no more rows.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.ending.end(false));
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }
}

/// What a path of a batch has led to. ``str(row)`` is its JSON, as ``omniread batch`` writes it.
#[pyclass(frozen, module = "omniread")]
pub(crate) struct Row {
    row: Box<Finished>,
}

#[pymethods]
impl Row {
    /// The path as it is in the list, or that of a file, a member or a page to which an entry of the list has led.
    #[getter]
    fn path(&self) -> String {
        self.row.path.to_string_lossy().into_owned()
    }

    /// Whether it was read.
    #[getter]
    fn ok(&self) -> bool {
        self.row.is_read
    }

    /// The blocks of the reply as JSON. None if the path was not read.
    #[getter]
    fn blocks(&self) -> Option<&str> {
        self.row.blocks()
    }

    /// The facts of the reply as JSON, without ``display_content``. None if the path was not read.
    #[getter]
    fn details(&self) -> Option<&str> {
        self.row.details()
    }

    /// The error as JSON. None if the path was read.
    #[getter]
    fn error(&self) -> Option<&str> {
        self.row.error()
    }

    /// The row as ``json.loads`` returns it: ``path``, ``ok``, ``blocks``, ``details`` and ``error``.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = py.import("json")?;
        json.call_method1("loads", (self.__str__(),))
    }

    fn __str__(&self) -> &str {
        std::str::from_utf8(&self.row.line).map_or("", str::trim_end)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let path = self.path().into_pyobject(py)?.repr()?;
        let what = if self.row.is_read { "" } else { "failed " };
        Ok(format!("<Row {what}{path}>"))
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
    let others = PyDict::new(arguments.py());
    for (name, value) in arguments {
        match name.cast::<PyString>()?.to_str()? {
            "members" => settings.members = value.extract()?,
            "recursive" => settings.recursive = value.extract()?,
            "pages" => settings.pages = value.extract()?,
            "ordered" => settings.is_ordered = value.extract()?,
            "jobs" => settings.jobs = value.extract::<Option<_>>()?.unwrap_or(settings.jobs),
            "done" => done = paths_of(Some(&value))?,
            _ => others.set_item(name, value)?,
        }
    }
    settings.options = options::options(Some(&others))?;
    Ok((settings, done))
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
    for path in done.try_iter()? {
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
