//! Documents as Markdown: the formats of office programs, e-books and mail.
//!
//! ```text
//! package    the parts of a zip package, within limits
//! xml        XML as events and as a tree
//! model      blocks, inline text, tables and lists of a document
//! markdown   the model → Markdown
//! math       formulas of office programs → LaTeX
//! chart      charts → tables
//! diagram    diagrams → lists
//! docx       WordprocessingML
//! pptx       PresentationML
//! roman      numbers of lists in Roman digits
//! limits     every limit, with its reason
//! ```
//!
//! [`open`] reads the facts and the list of units. [`Document::unit`] converts a unit when it is
//! shown. Nothing here reads files or the network.

#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

#[cfg(target_family = "wasm")]
mod bindings;
pub mod chart;
#[cfg(target_family = "wasm")]
mod component;
pub mod diagram;
pub mod docx;
pub mod limits;
pub mod markdown;
pub mod math;
pub mod model;
pub mod package;
pub mod pptx;
mod roman;
#[cfg(test)]
mod testing;
pub mod xml;

/// The format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// WordprocessingML: docx, docm, dotx, dotm.
    Docx,
    /// PresentationML: pptx, pptm, potx, ppsx.
    Pptx,
}

/// The kind of the units of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// A slide of a presentation.
    Slide,
    /// A sheet of a workbook.
    Sheet,
    /// A chapter of a book.
    Chapter,
}

/// A unit of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitFacts {
    /// The name or the title. It may be empty.
    pub name: String,
    /// Whether programs do not show the unit, such as a hidden slide.
    pub hidden: bool,
}

/// Facts about a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The name of the format, such as `Word document`.
    pub format: String,
    /// Facts in the order in which they are shown: `title`, `author`, `created`, `modified`,
    /// `subject`, `keywords`, `language`, `description`.
    pub metadata: Vec<(String, String)>,
    /// The kind of the units. `None` if the document is one text.
    pub units: Option<UnitKind>,
    /// The units. A document that is one text has one, without a name.
    pub list: Vec<UnitFacts>,
}

/// The Markdown of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Lines with `\n` between them. Images are `![alt](image:N)`, with N from 1.
    pub text: String,
    /// Notes for the reply: damage, and what is left out.
    pub notes: Vec<String>,
}

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is encrypted, and the password is missing or wrong.
    Encrypted,
    /// It is damaged, or has another format. Contains what is wrong.
    Damaged(String),
    /// A limit was exceeded. Contains the name of the limit.
    Exhausted(&'static str),
}

/// An open document.
pub trait Document {
    /// The facts.
    fn facts(&self) -> &Facts;

    /// Notes on the document as a whole.
    fn notes(&self) -> &[String];

    /// Converts a unit. `index` is from 0. Damage is in the notes.
    fn unit(&mut self, index: usize) -> Unit;

    /// The bytes of the image `number`, from 1. `None` if there is no such image.
    fn image(&mut self, number: usize) -> Option<Vec<u8>>;
}

/// Opens a document.
///
/// # Errors
/// Fails if nothing of the document can be read.
pub fn open(bytes: Vec<u8>, format: Format) -> Result<Box<dyn Document>, Error> {
    match format {
        Format::Docx => Ok(Box::new(docx::open(bytes)?)),
        Format::Pptx => pptx::open(bytes),
    }
}
