//! The rows of a batch.

use omniread::{Failure, Reply};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::io;
use std::ops::Range;
use std::path::Path;

/// What a path has led to.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It was read.
    Reply(Box<Reply>),
    /// It was only found.
    Found,
    /// It could not be read.
    Failure(Box<Failure>),
    /// It could not be read because of the list or of this process.
    Error(OwnError),
}

/// An error that is not one of a read.
#[derive(Debug)]
pub(crate) struct OwnError {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<&'static str>,
}

/// A row as JSON.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// One object and a line feed.
    bytes: Vec<u8>,
    parts: Parts,
}

/// Where the values of fields are in a row. The place of `null` is empty.
#[derive(Clone, Debug, Default)]
struct Parts {
    blocks: Range<usize>,
    details: Range<usize>,
    error: Range<usize>,
}

impl Line {
    /// Adds a field. Returns where its value is.
    fn add(
        &mut self,
        name: &str,
        value: Option<&impl Serialize>,
    ) -> serde_json::Result<Range<usize>> {
        self.bytes.extend_from_slice(b",\"");
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(b"\":");
        let start = self.bytes.len();
        let Some(value) = value else {
            self.bytes.extend_from_slice(b"null");
            return Ok(start..start);
        };
        serde_json::to_writer(&mut self.bytes, value)?;
        Ok(start..self.bytes.len())
    }
}

/// Serializes as the `error` of a failure: `{"kind", "message", "hint"}`.
impl Serialize for OwnError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(3))?;
        out.serialize_entry("kind", self.kind)?;
        out.serialize_entry("message", &self.message)?;
        out.serialize_entry("hint", &self.hint)?;
        out.end()
    }
}

impl Outcome {
    pub(crate) fn is_read(&self) -> bool {
        matches!(self, Self::Reply(_) | Self::Found)
    }

    /// The row of a path: `{"path", "ok", "blocks", "details", "error"}`. `blocks` and `details` are those of a reply as
    /// JSON, the latter without the text that is in the blocks. `error` is that of a failure.
    ///
    /// # Errors
    /// Fails if the reply has no JSON, which is a defect.
    pub(crate) fn line(&self, path: &Path) -> serde_json::Result<Line> {
        let mut line = Line {
            bytes: Vec::with_capacity(2048),
            ..Line::default()
        };
        line.bytes.extend_from_slice(b"{\"path\":");
        serde_json::to_writer(&mut line.bytes, &path.to_string_lossy())?;
        line.add("ok", Some(&self.is_read()))?;
        let reply = match self {
            Self::Reply(reply) => Some(reply),
            _ => None,
        };
        line.parts.blocks = line.add("blocks", reply.map(|reply| &reply.blocks))?;
        line.parts.details = line.add("details", reply.map(|reply| reply.facts()).as_ref())?;
        line.parts.error = match self {
            Self::Failure(failure) => line.add("error", Some(&failure.facts()))?,
            Self::Error(error) => line.add("error", Some(error))?,
            Self::Reply(_) | Self::Found => line.add("error", None::<&()>)?,
        };
        line.bytes.extend_from_slice(b"}\n");
        Ok(line)
    }
}

/// A row that is ready to be written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// The path as it is in the list.
    pub path: Box<Path>,
    /// Whether it was read.
    pub is_read: bool,
    /// Whether the path is that of the row alone. Otherwise it is the path of a directory whose entries are not
    /// all known, or empty. A manifest has no record of such a row.
    pub has_path: bool,
    /// One JSON object and a line feed.
    pub line: Vec<u8>,
    parts: Parts,
}

impl Finished {
    pub(crate) fn new(path: Box<Path>, outcome: &Outcome, has_path: bool) -> Self {
        let defect = |error: serde_json::Error| {
            let error = Outcome::Error(OwnError {
                kind: "internal",
                message: format!("the reply has no JSON: {error}"),
                hint: None,
            });
            // Only texts are in it.
            error.line(&path).unwrap_or_default()
        };
        let Line { bytes, parts } = outcome.line(&path).unwrap_or_else(defect);
        Self {
            is_read: outcome.is_read(),
            path,
            has_path,
            line: bytes,
            parts,
        }
    }

    /// The JSON of the field `blocks`. `None` if it is `null`.
    pub fn blocks(&self) -> Option<&str> {
        self.part(&self.parts.blocks)
    }

    /// The JSON of the field `details`. `None` if it is `null`.
    pub fn details(&self) -> Option<&str> {
        self.part(&self.parts.details)
    }

    /// The JSON of the field `error`. `None` if it is `null`.
    pub fn error(&self) -> Option<&str> {
        self.part(&self.parts.error)
    }

    fn part(&self, place: &Range<usize>) -> Option<&str> {
        let text = std::str::from_utf8(self.line.get(place.clone())?).ok()?;
        (!text.is_empty()).then_some(text)
    }
}

/// Where rows are written. One thread calls it at a time.
pub trait Rows: Send {
    /// Writes a row, now or at the next call of [`flush`](Self::flush).
    ///
    /// # Errors
    /// Fails if nothing more can be written.
    fn row(&mut self, row: &Finished) -> io::Result<()>;

    /// Writes all rows.
    ///
    /// # Errors
    /// Fails if they cannot be written.
    fn flush(&mut self) -> io::Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_of_a_list_has_the_fields_of_a_row() {
        let outcome = Outcome::Error(OwnError {
            kind: "invalid_path",
            message: "it is too long".to_owned(),
            hint: None,
        });
        let line = outcome.line(Path::new("a \"b\"\n")).expect("JSON");
        assert_eq!(
            String::from_utf8_lossy(&line.bytes),
            "{\"path\":\"a \\\"b\\\"\\n\",\"ok\":false,\"blocks\":null,\"details\":null,\
             \"error\":{\"kind\":\"invalid_path\",\"message\":\"it is too long\",\"hint\":null}}\n"
        );
    }

    #[test]
    fn fields_of_a_row_are_parts_of_its_line() {
        let outcome = Outcome::Error(OwnError {
            kind: "limit",
            message: "ä".to_owned(),
            hint: Some("b"),
        });
        let row = Finished::new(Path::new("a").into(), &outcome, true);
        assert!(!row.is_read);
        assert_eq!((row.blocks(), row.details()), (None, None));
        let error = "{\"kind\":\"limit\",\"message\":\"ä\",\"hint\":\"b\"}";
        assert_eq!(row.error(), Some(error));
        let row = Finished::new(Path::new("a").into(), &Outcome::Found, true);
        assert!(row.is_read && row.error().is_none());
        let line = "{\"path\":\"a\",\"ok\":true,\"blocks\":null,\"details\":null,\"error\":null}\n";
        assert_eq!(row.line, line.as_bytes());
    }
}
