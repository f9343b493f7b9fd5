//! Documents as Markdown: the formats of office programs, e-books and mail.
//!
//! Modules import only from groups after their own, or from modules of their group. Formats import each
//! other only for what one contains of another: ppt from xls and odf for charts, mail from rtf for the text
//! of mails of Outlook, and xlsb from xlsx for the parts that are XML in both.
//!
//! ```text
//! open       a document of any format
//!
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
//!
//! word       what word processors share
//! slides     what presentations share
//! workbook   what workbooks share
//! chart      charts → tables
//! diagram    diagrams → lists
//! math       formulas of Office → LaTeX
//! report     what is left out, and the notes on it
//! objects    names of embedded objects, and notes on them
//! budget     what the conversion of a document may use
//!
//! encryption encrypted packages
//! ole        compound files, the container of the formats before 2007
//! package    the parts of a zip package, within limits
//! mime       mails: parts, header fields and charsets
//! xml        XML as events and as a tree
//!
//! symbols    characters of symbol fonts
//! fonts      names of fonts
//! codepage   code pages of Windows and DOS → text
//! numerals   numbers of lists in letters and digits of several writing systems
//! limits     every limit, with its reason
//! ```
//!
//! [`open()`] reads the facts and the list of units. [`Document::unit`] converts a unit when it is
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
mod fonts;
pub mod limits;
pub mod mail;
pub mod math;
mod mime;
mod numerals;
mod objects;
pub mod odf;
pub mod ole;
mod open;
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
    Attachment, Document, Error, Facts, Format, Outline, Unit, UnitFacts, UnitKind, markdown,
    model, note,
};

pub use open::open;
