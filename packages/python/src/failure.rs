//! Failures as exceptions. Their classes are in Python, because a class of the stable interface cannot extend an
//! exception before Python 3.12.

use crate::data::python;
use omniread::Failure;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// What the Python part of the package provides.
struct Installed {
    /// A function of the facts, the text and the `structured` of a failure: the exception of the read.
    of_failure: Py<PyAny>,
    /// The class of errors about the arguments of a reader.
    config: Py<PyAny>,
    /// The class of errors about the directory of a session.
    session: Py<PyAny>,
    /// The class of errors about a process that was forked.
    fork: Py<PyAny>,
}

/// Each copy of the package has its own, because each has its own copy of this library.
static INSTALLED: PyOnceLock<Installed> = PyOnceLock::new();

/// Tell this module the classes of the package. The package calls it when it is imported.
#[pyfunction]
pub(crate) fn install(
    py: Python<'_>,
    read_error: Py<PyAny>,
    config_error: Py<PyAny>,
    session_error: Py<PyAny>,
    fork_error: Py<PyAny>,
) {
    let installed = Installed {
        of_failure: read_error,
        config: config_error,
        session: session_error,
        fork: fork_error,
    };
    // A module that is imported again, as after `importlib.reload`, keeps the first classes.
    let _ = INSTALLED.set(py, installed);
}

/// The exception of a failed read.
pub(crate) fn read_error(py: Python<'_>, failure: &Failure) -> PyErr {
    let raised = || -> PyResult<PyErr> {
        let installed = installed(py)?;
        let all = python(py, failure)?;
        let facts = all.get_item("error")?;
        let structured = all.get_item("structured")?;
        let arguments = (facts, failure.text.as_str(), structured);
        let error = installed.of_failure.bind(py).call1(arguments)?;
        Ok(PyErr::from_value(error))
    };
    raised().unwrap_or_else(|error| error)
}

/// The exception about arguments of a reader.
pub(crate) fn config_error(py: Python<'_>, message: String) -> PyErr {
    of_class(py, |installed| &installed.config, message)
}

/// The exception about the directory of a session.
pub(crate) fn session_error(py: Python<'_>, message: String) -> PyErr {
    of_class(py, |installed| &installed.session, message)
}

/// The exception about a process that was forked.
pub(crate) fn fork_error(py: Python<'_>, message: String) -> PyErr {
    of_class(py, |installed| &installed.fork, message)
}

fn of_class(
    py: Python<'_>,
    class: impl FnOnce(&Installed) -> &Py<PyAny>,
    message: String,
) -> PyErr {
    let raised = installed(py).and_then(|installed| class(installed).bind(py).call1((message,)));
    raised.map_or_else(|error| error, PyErr::from_value)
}

fn installed(py: Python<'_>) -> PyResult<&'static Installed> {
    let installed = INSTALLED.get(py);
    installed.ok_or_else(|| PyRuntimeError::new_err("import `omniread`, not `omniread._native`"))
}
