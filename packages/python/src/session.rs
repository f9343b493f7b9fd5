//! Sessions, and their reads.

use crate::data::python;
use crate::failure::session_error;
use crate::options;
use crate::reader::Reader;
use crate::reply::Reply;
use crate::running::{self, CancelToken, Owner, number, release, run};
use omniread::sessions::StoreLimits;
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Reads that share what was shown, and a cache of up to 32 MiB. Use one for each conversation.
///
/// :meth:`Reader.session` creates one. Threads can read at the same time.
#[pyclass(frozen, subclass, module = "omniread._native")]
pub(crate) struct Session {
    /// `None` after the session was closed.
    inner: Mutex<Option<omniread::Session>>,
    reader: Py<Reader>,
    number: u64,
}

impl Drop for Session {
    fn drop(&mut self) {
        let session = self.inner.get_mut();
        release(session.unwrap_or_else(PoisonError::into_inner).take());
    }
}

impl Session {
    /// The session, and the numbers by which its reads can be cancelled.
    fn open(&self, py: Python<'_>) -> PyResult<(omniread::Session, Owner)> {
        running::check_process(py)?;
        // A reader that was closed has no open sessions.
        let reader = self.reader.get();
        reader.open()?;
        let session = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let session = session
            .clone()
            .ok_or_else(|| PyValueError::new_err("the session is closed"))?;
        let owner = Owner {
            reader: reader.number,
            session: Some(self.number),
        };
        Ok((session, owner))
    }
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (reader, directory=None))]
    fn new(
        py: Python<'_>,
        reader: &Bound<'_, Reader>,
        directory: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        running::check_process(py)?;
        let open = reader.get().open()?;
        let session = match directory {
            None => open.session(),
            Some(directory) => kept(py, &open, &options::path(directory)?)?,
        };
        Ok(Self {
            inner: Mutex::new(Some(session)),
            reader: reader.clone().unbind(),
            number: number(),
        })
    }

    /// The reader of the session.
    #[getter]
    fn reader(&self, py: Python<'_>) -> Py<Reader> {
        self.reader.clone_ref(py)
    }

    /// Whether the session or its reader was closed.
    #[getter]
    fn closed(&self) -> bool {
        let is_open = self
            .inner
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some();
        !is_open || self.reader.get().is_closed()
    }

    /// Read a path in a dialect.
    ///
    /// The path may end in a selector, as in ``src/main.rs:1-40``, or go on into a container, as in
    /// ``report.pdf:page:3`` or ``data.sqlite:users``.
    ///
    /// Raises :class:`ReadError` if there is nothing to show, ``TypeError`` or ``ValueError`` if an option or the
    /// dialect is wrong, and ``KeyboardInterrupt`` if ``Ctrl-C`` ended the read.
    #[pyo3(signature = (path, dialect="omp", *, cancel=None, **options))]
    fn read(
        &self,
        py: Python<'_>,
        path: &Bound<'_, PyAny>,
        dialect: &str,
        cancel: Option<&Bound<'_, CancelToken>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Reply> {
        let (session, owner) = self.open(py)?;
        let path = options::path(path)?;
        let dialect = options::dialect(dialect)?;
        let options = options::options(options)?;
        let cancel = cancel.map(Bound::get);
        let reply = run(py, &session, owner, cancel, move |session| {
            session.read_as(path, dialect, &options)
        })?;
        Ok(Reply::new(reply))
    }

    /// Run the tool of a dialect with the arguments of a model, which are JSON or a mapping.
    ///
    /// Raises :class:`ReadError` if the arguments are wrong or there is nothing to show. Its ``text`` is for the
    /// model.
    #[pyo3(signature = (dialect, arguments, *, cancel=None, **options))]
    fn call(
        &self,
        py: Python<'_>,
        dialect: &str,
        arguments: &Bound<'_, PyAny>,
        cancel: Option<&Bound<'_, CancelToken>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Reply> {
        let (session, owner) = self.open(py)?;
        let dialect = options::dialect(dialect)?;
        let arguments = json(arguments)?;
        let options = options::options(options)?;
        let cancel = cancel.map(Bound::get);
        let reply = run(py, &session, owner, cancel, move |session| {
            session.call(dialect, &arguments, &options)
        })?;
        Ok(Reply::new(reply))
    }

    /// Whether a file has changed since this session read it.
    fn stale(&self, py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let (session, owner) = self.open(py)?;
        let path = options::path(path)?;
        let staleness = run(py, &session, owner, None, move |session| {
            session.stale(path)
        })?;
        Ok(staleness.name())
    }

    /// What has changed in the lines of a file that this session showed.
    ///
    /// The keys are ``state``, which is as :meth:`stale` returns it, ``is_complete``, and ``hunks``: a list of
    /// ``old_first``, ``old``, ``new_first`` and ``new``, with numbers of lines from 1 and lists of lines.
    fn changes<'py>(
        &self,
        py: Python<'py>,
        path: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (session, owner) = self.open(py)?;
        let path = options::path(path)?;
        let changes = run(py, &session, owner, None, move |session| {
            session.changes(path)
        })?;
        python(py, &changes)
    }

    /// Say that the program has written this content to a file, so that it is not reported as a change.
    ///
    /// Call it after the write. Returns False if the session cannot keep it.
    fn record_write(
        &self,
        py: Python<'_>,
        path: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let (session, owner) = self.open(py)?;
        let path: PathBuf = options::path(path)?;
        let data: Vec<u8> = if let Ok(bytes) = data.cast::<PyBytes>() {
            bytes.as_bytes().to_vec()
        } else if let Ok(text) = data.cast::<PyString>() {
            text.to_str()?.as_bytes().to_vec()
        } else {
            let kind = data.get_type();
            let kind = kind.qualname()?;
            return Err(PyTypeError::new_err(format!(
                "the content is bytes or str, not `{kind}`"
            )));
        };
        run(py, &session, owner, None, move |session| {
            session.record_write(path, &data)
        })
    }

    /// Remove everything that the session keeps.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let (session, _) = self.open(py)?;
        let cleared = py.detach(|| session.clear());
        cleared.map_err(|error| session_error(py, error.to_string()))
    }

    /// Cancel the reads of this session, and refuse others. ``with`` calls this at its end.
    fn close(&self, py: Python<'_>) {
        running::cancel(self.reader.get().number, Some(self.number));
        let session = self
            .inner
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        // The state of a session on disk is written.
        py.detach(move || release(session));
    }

    #[expect(clippy::unused_self, reason = "Python calls it on the object")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "cannot pickle a Session: create one in each process, or open it with a `directory`, which processes can share",
        ))
    }
}

/// A session whose state is in a directory. What its user should know is a warning, as on the command line.
fn kept(
    py: Python<'_>,
    reader: &omniread::Reader,
    directory: &Path,
) -> PyResult<omniread::Session> {
    let opened = py.detach(|| omniread::Session::open(reader, directory, StoreLimits::DISK));
    let opened = opened.map_err(|error| session_error(py, error.to_string()))?;
    let shown = directory.display();
    if let Some(aside) = &opened.set_aside {
        let (reason, path) = (&aside.reason, aside.path.display());
        warn(
            py,
            &format!(
                "the session in `{shown}` could not be used and starts empty: {reason}; it was renamed to `{path}`"
            ),
        )?;
    }
    if opened.is_in_root {
        warn(
            py,
            &format!(
                "the session in `{shown}` is where files are read, so that reads of it are denied; name a directory outside"
            ),
        )?;
    }
    Ok(opened.session)
}

/// Warns the caller of `Reader.session`, which is two calls away.
fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    let arguments = (message, py.get_type::<PyUserWarning>(), 2);
    py.import("warnings")?.call_method1("warn", arguments)?;
    Ok(())
}

/// The arguments of a tool as JSON. A model gives JSON or an object.
fn json(arguments: &Bound<'_, PyAny>) -> PyResult<String> {
    if arguments.is_instance_of::<PyString>() {
        return arguments.extract();
    }
    let json = arguments.py().import("json")?;
    json.call_method1("dumps", (arguments,))?.extract()
}
