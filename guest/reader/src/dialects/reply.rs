//! A reply or failure in the format of a dialect: its parts, as text and as data.

use super::json;
use crate::answer::Body;
use serde::Serialize;

/// An image or attachment in the form of model APIs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaBlock {
    /// The MIME type.
    pub mime: &'static str,
    /// The bytes in base64.
    pub data: String,
}

/// One part of a reply, in the order in which a model should see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Text.
    Text(String),
    /// The header and the notices on the exact text in the block before this one.
    Notice(String),
    /// An image.
    Image(MediaBlock),
    /// A file that is passed through unchanged.
    Attachment(MediaBlock),
}

/// A reply or failure, rendered as text and as data in the field names of the dialect.
pub struct Rendered<W> {
    /// The blocks for the model, or the text of a failure.
    pub content: W,
    /// The data as one JSON object.
    pub structured: String,
    /// The text without line numbers, for display to a person.
    pub display: Option<Display>,
}

impl<W> Rendered<W> {
    /// A reply or failure that has no line numbers.
    pub fn new(content: W, structured: &impl Serialize) -> Self {
        Self {
            content,
            structured: json::json(structured),
            display: None,
        }
    }
}

/// The text of a reply without line numbers, for display to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    /// The lines, joined by `\n`.
    pub text: String,
    /// The number of the first line. A negative number counts from the end of the text.
    pub start: i64,
}

/// The data of a failure, for agents that do not define a format for it.
#[derive(Serialize)]
pub struct Failed<'a> {
    /// The message.
    pub error: &'a str,
}

/// Whether the block with the text of an answer is exactly the requested text.
pub fn is_exact(body: &Body) -> bool {
    matches!(body, Body::Text(text) if text.window.selector.raw)
}
