//! The types that all converters of documents share, and the Markdown that they write.
//!
//! ```text
//! lib        facts, units and attachments of a document, and the trait of an open one
//! error      why a document cannot be read
//! model      blocks, inline text, tables and lists of a document
//! markdown   the writer of Markdown for documents and pages, and the model → Markdown
//! latex      formulas → LaTeX
//! workbook   sheets of typed cells
//! note       text of a file in a note
//! numerals   numbers in Roman digits and letters
//! order      sorting of short lists
//! date       days and file times
//! base64     base64 in damaged files
//! limits     every limit, with its reason
//! ```

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

pub mod base64;
pub mod date;
mod error;
mod format;
pub mod latex;
pub mod limits;
pub mod markdown;
pub mod model;
pub mod note;
pub mod numerals;
pub mod order;
pub mod workbook;

pub use error::Error;
pub use format::Format;

use workbook::Workbook;

/// The kind of the units of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// A slide of a presentation.
    Slide,
    /// A sheet of a workbook.
    Sheet,
    /// A chapter of a book.
    Chapter,
    /// A mail of a mailbox.
    Mail,
    /// A page.
    Page,
}

/// A file in a document, such as the attachment of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attachment {
    /// The name, which is unique in the document and has no control characters. For a mail of a
    /// mailbox, it starts with the number of the mail and `/`.
    pub name: String,
    /// The name that the mail declares. It may have path separators, and several attachments may have
    /// the same one. Empty if the mail declares none.
    pub declared: String,
    /// The MIME type. It may be empty.
    pub mime: String,
    /// The size in bytes.
    pub size: u64,
}

/// A unit of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitFacts {
    /// The name or the title; for a page its label, such as `iii`. It may be empty.
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

/// An entry of the outline of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The level, from 1.
    pub level: u8,
    /// The title.
    pub title: String,
    /// The unit that it names, from 0.
    pub unit: Option<usize>,
}

/// The Markdown of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Lines with `\n` between them. Images are `![alt](image:N)`, with N from 1.
    pub text: String,
    /// Notes for the reply: damage, and what is left out.
    pub notes: Vec<String>,
    /// The bytes of the running heads at the start of the text, and of the feet at its end.
    pub edges: [usize; 2],
}

impl Unit {
    /// A unit without running heads.
    pub fn new(text: String, notes: Vec<String>) -> Self {
        Self {
            text,
            notes,
            edges: [0, 0],
        }
    }
}

/// An open document.
pub trait Document {
    /// The facts.
    fn facts(&self) -> &Facts;

    /// Notes on the document as a whole.
    fn notes(&self) -> &[String];

    /// The outline, if the file has one.
    fn outline(&self) -> &[Outline] {
        &[]
    }

    /// Converts a unit. `index` is from 0. Damage is in the notes.
    fn unit(&mut self, index: usize) -> Unit;

    /// Converts a unit with text that cannot be seen, such as white text. Documents without such text
    /// give the same as [`Self::unit`].
    fn whole_unit(&mut self, index: usize) -> Unit {
        self.unit(index)
    }

    /// Sets whether a unit is converted without reading others, which a document without such an influence
    /// ignores.
    fn set_alone(&mut self, _alone: bool) {}

    /// The layout of the document as bytes: what several units say about all of them, such as the sizes of headings.
    /// It is returned once after it was derived. `None` if it was not derived since the document was opened, if a unit
    /// for it could not be read or units are converted alone, if it has too many bytes, or if the document needs a
    /// password. Formats other than PDF have none.
    fn layout(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// Sets the layout that [`Self::layout`] returned for the same bytes of a document, so that other units are not
    /// read for it. To be called before the first unit is converted. Returns false if it has no effect: the bytes are
    /// damaged or those of another version, or there is a layout already.
    fn set_layout(&mut self, _layout: &[u8]) -> bool {
        false
    }

    /// Draws a page as it looks, on white paper. `index` is from 0. The longer side has at most `longest`
    /// pixels, the image at most `pixels`. Returns a PNG file. `None` if there is no such page, or if the
    /// document has no pages that are drawn.
    ///
    /// # Errors
    /// Fails with [`Error::Exhausted`] if drawing the page would take too much time or memory, and with
    /// [`Error::Unsupported`] if the page has no area.
    fn page_image(
        &mut self,
        _index: usize,
        _longest: u32,
        _pixels: u64,
    ) -> Result<Option<Vec<u8>>, Error> {
        Ok(None)
    }

    /// The bytes of the image `number`, from 1. `None` if there is no such image.
    fn image(&mut self, number: usize) -> Option<Vec<u8>>;

    /// The attachments.
    fn attachments(&self) -> &[Attachment] {
        &[]
    }

    /// The bytes of an attachment. `index` is from 0. `None` if there is no such attachment.
    fn attachment(&mut self, _index: usize) -> Option<Vec<u8>> {
        None
    }

    /// The document as a workbook. `None` if it is not a workbook.
    fn workbook(&mut self) -> Option<&mut dyn Workbook> {
        None
    }
}
