//! Documents as Markdown: the formats of office programs, e-books and mail.
//!
//! ```text
//! The formats:
//! docx       WordprocessingML
//! doc        documents of Word before 2007
//! rtf        RTF
//! pptx       PresentationML
//! ppt        presentations of PowerPoint before 2007
//! xlsx       SpreadsheetML
//! xlsb       binary workbooks of Excel since 2007
//! xls        workbooks of Excel before 2007
//! xlml       workbooks in the XML of Excel 2003
//! odf        OpenDocument: texts, presentations and spreadsheets
//! epub       e-books
//! mail       mails, mailboxes and mails of Outlook
//! What formats share:
//! word       documents of word processors
//! slides     presentations
//! workbook   workbooks
//! chart      charts → tables
//! diagram    diagrams → lists
//! math       formulas of Office → LaTeX
//! objects    names of embedded objects, and notes on them
//! report     what is left out, and the notes on it
//! Containers:
//! encryption encrypted packages
//! package    the parts of a zip package, within limits
//! ole        compound files, the container of the formats before 2007
//! xml        XML as events and as a tree
//! Text and limits:
//! symbols    characters of symbol fonts
//! codepage   code pages of Windows and DOS → text
//! numerals   numbers of lists in letters and digits of several writing systems
//! budget     what the conversion of a document may use
//! limits     every limit, with its reason
//! ```
//!
//! [`open`] reads the facts and the list of units. [`Document::unit`] converts a unit when it is
//! shown. Nothing here reads files or the network. The model of a document, its Markdown and the types
//! of its facts are in `omniread_document`.

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
mod codepage;
pub mod diagram;
pub mod doc;
pub mod docx;
pub mod encryption;
pub mod epub;
pub mod limits;
pub mod mail;
pub mod math;
mod numerals;
mod objects;
pub mod odf;
pub mod ole;
pub mod package;
pub mod ppt;
pub mod pptx;
mod report;
pub mod rtf;
mod slides;
mod symbols;
#[cfg(test)]
mod testing;
mod word;
pub mod workbook;
pub mod xlml;
pub mod xls;
pub mod xlsb;
pub mod xlsx;
pub mod xml;

pub use omniread_document::{
    Attachment, Document, Error, Facts, Outline, Unit, UnitFacts, UnitKind, markdown, model, note,
};

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
    /// Workbooks of Excel before 2007: xls, xlt, and those in the XML of Excel 2003.
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
        Format::Xls if xml::is_xml(&bytes) => xlml::open(&bytes),
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
