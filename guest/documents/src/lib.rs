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
//! odf        OpenDocument: texts, presentations and spreadsheets
//! rtf        RTF
//! ole        compound files, the container of the formats before 2007
//! encryption encrypted packages
//! doc        documents of Word before 2007
//! ppt        presentations of PowerPoint before 2007
//! workbook   the model of workbooks
//! xlsx       SpreadsheetML
//! xlsb       binary workbooks of Excel since 2007
//! xls        workbooks of Excel before 2007
//! epub       e-books
//! mail       mails, mailboxes and mails of Outlook
//! numerals   numbers of lists in letters and digits of several writing systems
//! note       text of a file in a note
//! budget     what the conversion of a document may use
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

mod budget;
pub mod chart;
pub mod diagram;
pub mod doc;
pub mod docx;
pub mod encryption;
pub mod epub;
pub mod limits;
pub mod mail;
pub mod markdown;
pub mod math;
pub mod model;
pub mod note;
mod numerals;
pub mod odf;
pub mod ole;
pub mod package;
pub mod ppt;
pub mod pptx;
mod roman;
pub mod rtf;
#[cfg(test)]
mod testing;
pub mod workbook;
pub mod xls;
pub mod xlsb;
pub mod xlsx;
pub mod xml;

use workbook::Workbook;

/// The format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// WordprocessingML: docx, docm, dotx, dotm.
    Docx,
    /// PresentationML: pptx, pptm, potx, ppsx.
    Pptx,
    /// SpreadsheetML: xlsx, xlsm, xltx.
    Xlsx,
    /// Binary workbooks of Excel since 2007: xlsb.
    Xlsb,
    /// Workbooks of Excel before 2007: xls, xlt.
    Xls,
    /// Documents of Word before 2007: doc, dot.
    Doc,
    /// Presentations of PowerPoint before 2007: ppt, pot, pps.
    Ppt,
    /// RTF.
    Rtf,
    /// E-books: epub.
    Epub,
    /// Texts of OpenDocument: odt, ott, fodt.
    Odt,
    /// Spreadsheets of OpenDocument: ods, ots, fods.
    Ods,
    /// Presentations of OpenDocument: odp, otp, fodp.
    Odp,
    /// A mail in the Internet Message Format: eml.
    Eml,
    /// A mail of Outlook: msg.
    Msg,
    /// Mails one after the other: mbox.
    Mbox,
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
}

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is encrypted, and the password is missing or wrong.
    Encrypted,
    /// It is damaged, or has another format. Contains what is wrong.
    Damaged(String),
    /// It uses a feature that is not supported. Contains its name.
    Unsupported(String),
    /// A limit was exceeded. Contains the name of the limit.
    Exhausted(&'static str),
    /// Its bytes cannot be read. Contains a message.
    Io(String),
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

/// Opens a document. The password is used only if the document is encrypted.
///
/// # Errors
/// Fails if nothing of the document can be read.
pub fn open(
    bytes: Vec<u8>,
    format: Format,
    password: Option<&str>,
) -> Result<Box<dyn Document>, Error> {
    let bytes = encryption::decrypted(bytes, password)?;
    match format {
        Format::Docx => Ok(Box::new(docx::open(bytes)?)),
        Format::Pptx => pptx::open(bytes),
        Format::Xlsx => xlsx::open(bytes),
        Format::Xlsb => xlsb::open(bytes),
        Format::Xls => xls::open(bytes, password),
        Format::Doc => doc::open(bytes, password),
        Format::Ppt => ppt::open(bytes, password),
        Format::Rtf => rtf::open(bytes),
        Format::Epub => epub::open(bytes),
        Format::Odt | Format::Ods | Format::Odp => odf::open(bytes, format, password),
        Format::Eml => mail::eml::open(bytes),
        Format::Msg => mail::msg::open(bytes),
        Format::Mbox => mail::mbox::open(bytes),
    }
}
