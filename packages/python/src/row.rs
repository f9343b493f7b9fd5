//! The rows of a batch, as Python gets them.

use omniread_batch::Finished;
use pyo3::prelude::*;

/// What a path of a batch has led to. ``str(row)`` is its JSON, as ``omniread batch`` writes it.
#[pyclass(frozen, module = "omniread")]
pub(crate) struct Row {
    row: Box<Finished>,
}

impl Row {
    pub(crate) fn new(row: Box<Finished>) -> Self {
        Self { row }
    }
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
