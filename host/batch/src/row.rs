//! The rows of a batch.

use omniread::{Failure, Reply};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::io;
use std::path::Path;

/// What a path has led to.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It was read.
    Reply(Box<Reply>),
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

/// Serializes as `{"path", "ok", "blocks", "details", "error"}`. `blocks` and `details` are those of a reply as JSON,
/// the latter without the text that is in the blocks. `error` is that of a failure.
struct Row<'r> {
    path: &'r Path,
    outcome: &'r Outcome,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const NONE: Option<()> = None;
        let mut out = serializer.serialize_map(Some(5))?;
        out.serialize_entry("path", &self.path.to_string_lossy())?;
        out.serialize_entry("ok", &self.outcome.is_read())?;
        match self.outcome {
            Outcome::Reply(reply) => {
                out.serialize_entry("blocks", &reply.blocks)?;
                out.serialize_entry("details", &reply.facts())?;
                out.serialize_entry("error", &NONE)?;
            }
            Outcome::Failure(failure) => {
                out.serialize_entry("blocks", &NONE)?;
                out.serialize_entry("details", &NONE)?;
                out.serialize_entry("error", &failure.facts())?;
            }
            Outcome::Error(error) => {
                out.serialize_entry("blocks", &NONE)?;
                out.serialize_entry("details", &NONE)?;
                out.serialize_entry("error", error)?;
            }
        }
        out.end()
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
        matches!(self, Self::Reply(_))
    }

    /// The row of a path, as a line of JSON.
    ///
    /// # Errors
    /// Fails if the reply has no JSON, which is a defect.
    pub(crate) fn line(&self, path: &Path) -> serde_json::Result<Vec<u8>> {
        let row = Row {
            path,
            outcome: self,
        };
        let mut line = Vec::with_capacity(2048);
        serde_json::to_writer(&mut line, &row)?;
        line.push(b'\n');
        Ok(line)
    }
}

/// A row that is ready to be written.
#[derive(Debug)]
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
        let line = outcome.line(&path).unwrap_or_else(defect);
        Self {
            is_read: outcome.is_read(),
            path,
            has_path,
            line,
        }
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
            String::from_utf8_lossy(&line),
            "{\"path\":\"a \\\"b\\\"\\n\",\"ok\":false,\"blocks\":null,\"details\":null,\
             \"error\":{\"kind\":\"invalid_path\",\"message\":\"it is too long\",\"hint\":null}}\n"
        );
    }
}
