//! Questions about what a session has shown, as clients of the service and of MCP ask them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use omniread::{Failure, Session};
use serde_json::{Map, Value, json};

/// A question about the state of a session, or a report to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Which files were shown?
    Shown,
    /// Which lines of this file were shown, and as which text?
    Snapshot(String),
    /// Which lines of this file were shown with this tag?
    Tagged(String, String),
    /// Which of the lines that were shown of this file have changed?
    Changes(String),
    /// The client has written these bytes to this file.
    Written(String, Vec<u8>),
    /// The client has compacted its conversation.
    Generation,
    /// Forget everything.
    Clear,
}

/// Why a question has no answer.
#[derive(Debug)]
pub enum Unanswered {
    /// A file cannot be read.
    Failure(Box<Failure>),
    /// The state cannot be written.
    State(String),
}

impl From<Failure> for Unanswered {
    fn from(failure: Failure) -> Self {
        Self::Failure(Box::new(failure))
    }
}

/// The names of questions.
pub const NAMES: [&str; 6] = [
    "shown",
    "snapshot",
    "changes",
    "record_write",
    "start_generation",
    "clear",
];

impl Question {
    /// Parses a question from its name and its fields, which are removed. `None` for another name.
    ///
    /// # Errors
    /// Fails with a message if a field is missing or has a wrong type.
    pub fn parse(name: &str, fields: &mut Map<String, Value>) -> Option<Result<Self, String>> {
        let mut text = |field: &str| match fields.remove(field) {
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Null) | None => Ok(None),
            Some(_) => Err(format!("`{field}` is not a string")),
        };
        let mut needed =
            |field: &str| text(field)?.ok_or_else(|| format!("`{name}` needs the field `{field}`"));
        Some(match name {
            "shown" => Ok(Self::Shown),
            "snapshot" => needed("path").and_then(|path| {
                Ok(match text("tag")? {
                    Some(tag) => Self::Tagged(path, tag),
                    None => Self::Snapshot(path),
                })
            }),
            "changes" => needed("path").map(Self::Changes),
            "record_write" => needed("path").and_then(|path| {
                let bytes = match (text("content")?, text("content_base64")?) {
                    (Some(text), None) => text.into_bytes(),
                    (None, Some(encoded)) => STANDARD
                        .decode(encoded)
                        .map_err(|_| "`content_base64` is not base64".to_owned())?,
                    (None, None) => {
                        return Err(format!(
                            "`{name}` needs the field `content`, or `content_base64`"
                        ));
                    }
                    (Some(_), Some(_)) => {
                        return Err("`content` and `content_base64` exclude each other".to_owned());
                    }
                };
                Ok(Self::Written(path, bytes))
            }),
            "start_generation" => Ok(Self::Generation),
            "clear" => Ok(Self::Clear),
            _ => return None,
        })
    }

    /// The answer, a JSON object.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or if the state cannot be written.
    pub fn answer(&self, session: &Session) -> Result<Value, Unanswered> {
        Ok(match self {
            Self::Shown => {
                let files = session.shown_files().into_iter().map(|file| {
                    let state = session.stale_file(&file);
                    json!({ "path": file.path, "tag": file.tag, "state": state })
                });
                json!({
                    "files": files.collect::<Vec<_>>(),
                    "hidden": session.hidden_files(),
                    "generation": session.generation(),
                })
            }
            Self::Snapshot(path) => {
                let now = session.current(path, false)?;
                let snapshots = session.snapshots(&now.resolved_path);
                let state = session.stale_of(path, &now)?;
                json!({ "snapshots": snapshots, "is_ambiguous": false, "state": state })
            }
            Self::Tagged(path, tag) => {
                let now = session.current(path, false)?;
                let snapshots = match session.tagged(&now.resolved_path, tag) {
                    omniread::files::Tagged::One(one) => vec![one],
                    omniread::files::Tagged::Ambiguous(all) => all,
                    _ => Vec::new(),
                };
                // Several have the same tag, which does not identify one of them.
                let is_ambiguous = snapshots.len() > 1;
                let state = session.stale_of(path, &now)?;
                json!({ "snapshots": snapshots, "is_ambiguous": is_ambiguous, "state": state })
            }
            Self::Changes(path) => json!({ "changes": session.changes(path)? }),
            Self::Written(path, bytes) => {
                json!({ "recorded": session.record_write(path, bytes)? })
            }
            Self::Generation => {
                let started = session.start_generation();
                let generation = started.map_err(|error| Unanswered::State(error.to_string()))?;
                json!({ "generation": generation })
            }
            Self::Clear => {
                let cleared = session.clear();
                cleared.map_err(|error| Unanswered::State(error.to_string()))?;
                json!({ "cleared": true })
            }
        })
    }
}
