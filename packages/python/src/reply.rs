//! Replies and their blocks.

use crate::data::python;
use omniread::{Block, details::Dimensions};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyTuple};

/// A part of a reply that is text.
#[pyclass(frozen, module = "omniread")]
pub(crate) struct Text {
    text: String,
}

#[pymethods]
impl Text {
    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("text",)
    }

    /// The kind of the part: ``"text"``.
    #[getter(r#type)]
    #[expect(clippy::unused_self, reason = "Python calls it on the object")]
    fn kind(&self) -> &'static str {
        "text"
    }

    /// The text.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Text of {} characters>", self.text.chars().count())
    }
}

/// A part of a reply that is an image, or a file that is passed to the model unchanged.
#[pyclass(frozen, module = "omniread")]
pub(crate) struct Media {
    content: omniread::Media,
    kind: &'static str,
    dimensions: Option<Dimensions>,
    data: PyOnceLock<Py<PyBytes>>,
}

#[pymethods]
impl Media {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("mime", "data")
    }

    /// The kind of the part: ``"image"`` or ``"attachment"``.
    #[getter(r#type)]
    fn kind(&self) -> &'static str {
        self.kind
    }

    /// The MIME type, such as ``image/png``.
    #[getter]
    fn mime(&self) -> &str {
        &self.content.mime
    }

    /// The bytes. The first access decodes them.
    #[getter]
    fn data(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        let data = self.data.get_or_try_init(py, || {
            let bytes = self
                .content
                .bytes()
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
            PyResult::Ok(PyBytes::new(py, &bytes).unbind())
        })?;
        Ok(data.clone_ref(py))
    }

    /// The bytes in base64 with padding, as APIs of models take them.
    #[getter]
    fn base64(&self) -> &str {
        &self.content.data
    }

    /// The number of bytes.
    #[getter]
    fn size(&self) -> usize {
        let text = self.content.data.as_bytes();
        let padding = text.iter().rev().take_while(|&&byte| byte == b'=').count();
        (text.len() / 4 * 3).saturating_sub(padding)
    }

    /// The width of the image in pixels. None for an image of a document, or an attachment.
    #[getter]
    fn width(&self) -> Option<u32> {
        self.dimensions.map(|sides| sides.width)
    }

    /// The height of the image in pixels. None for an image of a document, or an attachment.
    #[getter]
    fn height(&self) -> Option<u32> {
        self.dimensions.map(|sides| sides.height)
    }

    fn __repr__(&self) -> String {
        let sides = self
            .dimensions
            .map(|sides| format!(", {} x {} pixels", sides.width, sides.height));
        format!(
            "<Media {} of {} bytes{}>",
            self.content.mime,
            self.size(),
            sides.unwrap_or_default()
        )
    }
}

/// What a read shows: parts for the model, and facts for the program. ``str(reply)`` is its text.
#[pyclass(frozen, module = "omniread")]
pub(crate) struct Reply {
    content: omniread::Reply,
    blocks: PyOnceLock<Py<PyTuple>>,
    details: PyOnceLock<Py<PyAny>>,
}

impl Reply {
    pub(crate) fn new(reply: omniread::Reply) -> Self {
        Self {
            content: reply,
            blocks: PyOnceLock::new(),
            details: PyOnceLock::new(),
        }
    }

    fn parts(&self, py: Python<'_>) -> PyResult<&Py<PyTuple>> {
        self.blocks.get_or_try_init(py, || {
            let mut parts = Vec::with_capacity(self.content.blocks.len());
            for block in &self.content.blocks {
                parts.push(match block {
                    Block::Image(image) => self.media(py, image, "image")?,
                    Block::Attachment(file) => self.media(py, file, "attachment")?,
                    Block::Text(text) | Block::Notice(text) => {
                        Py::new(py, Text { text: text.clone() })?.into_any()
                    }
                    _ => {
                        return Err(PyTypeError::new_err(
                            "the reply has a block of an unknown kind",
                        ));
                    }
                });
            }
            Ok(PyTuple::new(py, parts)?.unbind())
        })
    }

    fn media(
        &self,
        py: Python<'_>,
        media: &omniread::Media,
        kind: &'static str,
    ) -> PyResult<Py<PyAny>> {
        // Only the details of one image have its sides.
        let payload = self
            .content
            .details
            .image()
            .and_then(|image| image.payload.as_ref());
        let is_only = self.content.images().count() == 1 && kind == "image";
        let dimensions = payload
            .filter(|_| is_only)
            .and_then(|payload| payload.dimensions);
        let media = Media {
            content: media.clone(),
            kind,
            dimensions,
            data: PyOnceLock::new(),
        };
        Ok(Py::new(py, media)?.into_any())
    }

    fn of_kind<'py>(&self, py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyTuple>> {
        let parts = self.parts(py)?.bind(py).iter();
        let media = parts.filter(|part| {
            part.cast::<Media>()
                .is_ok_and(|media| media.get().kind == kind)
        });
        PyTuple::new(py, media.collect::<Vec<_>>())
    }
}

#[pymethods]
impl Reply {
    /// The text of all parts that are text, joined by newlines.
    #[getter]
    fn text(&self) -> String {
        self.content.text()
    }

    /// The parts, in the order in which a model should see them.
    #[getter]
    fn blocks(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        Ok(self.parts(py)?.clone_ref(py))
    }

    /// The images.
    #[getter]
    fn images<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.of_kind(py, "image")
    }

    /// The files that are passed to the model unchanged.
    #[getter]
    fn attachments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.of_kind(py, "attachment")
    }

    /// Facts, as ``details`` in the JSON of the command line, without ``display_content``.
    #[getter]
    fn details(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let details = self.details.get_or_try_init(py, || {
            let all = python(py, &self.content.facts())?;
            PyResult::Ok(all.unbind())
        })?;
        Ok(details.clone_ref(py))
    }

    /// Facts with the field names of the dialect.
    #[getter]
    fn structured<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = serde_json::from_str(&self.content.structured);
        crate::data::object(py, value.unwrap_or_else(|_| serde_json::json!({})))
    }

    /// The kind of the content: ``text``, ``directory``, ``archive``, ``database``, ``document``, ``image``, …
    #[getter]
    fn kind(&self) -> &'static str {
        self.content.details.kind.name()
    }

    /// The path without its selector.
    #[getter]
    fn path(&self) -> &str {
        &self.content.details.path
    }

    /// The path that reads the rest. None if all was shown.
    #[getter]
    fn next(&self) -> Option<&str> {
        self.content.details.next.as_deref()
    }

    /// Facts about the source: its encoding, damage, a repaired path.
    #[getter]
    fn notes(&self) -> Vec<&str> {
        self.content
            .details
            .notes
            .iter()
            .map(String::as_str)
            .collect()
    }

    /// False, as that of a :class:`ReadError` is True.
    #[getter]
    #[expect(clippy::unused_self, reason = "Python calls it on the object")]
    fn is_error(&self) -> bool {
        false
    }

    /// The reply as the command line prints it with ``--json``: ``blocks``, ``details`` and ``structured``.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        Ok(python(py, &self.content)?.cast_into()?)
    }

    fn __str__(&self) -> String {
        self.content.text()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let details = &self.content.details;
        let path = details.path.as_str().into_pyobject(py)?.repr()?;
        let next = match &details.next {
            Some(next) => format!(", next={}", next.as_str().into_pyobject(py)?.repr()?),
            None => String::new(),
        };
        Ok(format!("<Reply {} {path}{next}>", details.kind.name()))
    }

    #[expect(clippy::unused_self, reason = "Python calls it on the object")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "cannot pickle a Reply: pass `reply.text`, or `reply.to_dict()` with its images and facts",
        ))
    }
}
