//! A reply or failure in the format of a dialect: its parts, as text and as data.

use super::json;
use crate::answer::{Answer, Body};
use crate::failure::{Failure, Message};
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

/// The reply to a read that succeeded, as text and as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The blocks for the model.
    pub blocks: Vec<Block>,
    /// The data of the reply in the field names of the dialect: one JSON object.
    pub structured: String,
    /// The notes on the answer.
    pub notes: Vec<Message>,
    /// Whether the text block is exactly the requested text, without line numbers and notices.
    pub exact: bool,
    /// The text without line numbers, if it has line numbers.
    pub display: Option<Display>,
    /// The path of the earlier read with the same reply, if the reply only names it.
    pub repeats: Option<String>,
    /// The answer that the reply was rendered from. Of a list of paths, it is the first one.
    pub answer: Answer,
    /// The parts of the reply, if the path is a list of paths.
    pub list: Option<ListReply>,
}

impl Reply {
    /// The path, or list of paths, that reads what the reply leaves out of the requested content.
    pub fn next(&self) -> Option<String> {
        match &self.list {
            Some(list) => list.next.clone(),
            None => self.answer.next(),
        }
    }
}

/// The parts of a reply to a list of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListReply {
    /// The list as it was requested.
    pub path: String,
    /// The paths that were read, in order.
    pub parts: Vec<ListPart>,
    /// The list that reads the rest of the parts, and then the paths that were not read. `None` if nothing is left.
    pub next: Option<String>,
}

/// A path of a list, and what it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPart {
    /// The path as it was requested.
    pub path: String,
    /// The reply to this path, without its blocks.
    pub outcome: Result<Reply, RenderedFailure>,
}

/// A failed read, as a reason for programs and as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedFailure {
    /// The reason and the message.
    pub failure: Failure,
    /// The text for the model.
    pub text: String,
    /// The data of the failure in the field names of the dialect: one JSON object.
    pub structured: String,
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
