//! The interface of the document engine.

use std::fmt;

/// A format of documents that the engine converts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// The format of Word: docx, docm, dotx, dotm.
    Docx,
}

/// The kind of the units of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentUnits {
    /// Slides of a presentation.
    Slides,
    /// Sheets of a workbook.
    Sheets,
    /// Chapters of a book.
    Chapters,
}

/// A unit of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentUnit {
    /// The name or the title. It may be empty.
    pub name: String,
    /// Whether other programs do not show the unit, such as a hidden slide.
    pub hidden: bool,
}

/// The facts about a document, which are known before its units are converted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentSummary {
    /// The name of the format, such as `Word document`.
    pub format: String,
    /// The metadata, each entry with a name such as `title` and a value.
    pub metadata: Vec<(String, String)>,
    /// The kind of the units. `None` if the document is one text.
    pub kind: Option<DocumentUnits>,
    /// The units. A document that is one text has one.
    pub units: Vec<DocumentUnit>,
}

/// The Markdown of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentText {
    /// Lines with `\n` between them. Images are `![alt](image:N)`, with N from 1.
    pub text: String,
    /// Notes on damage, and on content that is left out.
    pub notes: Vec<String>,
}

/// The reason why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentError {
    /// The document is encrypted, and the password is missing or wrong.
    Encrypted,
    /// The document is damaged, or has another format. Contains what is wrong.
    Damaged(String),
    /// The document uses a feature that is not supported. Contains its name.
    Unsupported(String),
    /// A limit was exceeded. Contains its name: `memory`, `time`, `bytes`, …
    Exhausted(String),
    /// The file cannot be read. Contains the reason.
    Io(String),
    /// The engine failed. Contains the reason.
    Failed(String),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encrypted => f.write_str("it is encrypted"),
            Self::Damaged(what) => write!(f, "it is damaged: {what}"),
            Self::Unsupported(what) => write!(f, "it uses {what}, which is not supported"),
            Self::Exhausted(what) => write!(f, "it exceeds the limit `{what}`"),
            Self::Io(why) => f.write_str(why),
            Self::Failed(why) => write!(f, "the document engine failed: {why}"),
        }
    }
}

/// An open document.
pub trait Document {
    /// The facts about the document.
    fn summary(&self) -> &DocumentSummary;

    /// Notes on the document as a whole.
    fn notes(&self) -> &[String];

    /// Converts a unit to Markdown. `index` is from 0.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn unit(&mut self, index: u64) -> Result<DocumentText, DocumentError>;

    /// The bytes of the image with this number, counted from 1. `None` if there is no such image.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn image(&mut self, number: u64) -> Result<Option<Vec<u8>>, DocumentError>;
}
