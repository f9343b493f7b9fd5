//! The interface of the document engine.

use crate::escapes::escape_invisible;
use crate::failure::{Failure, OperatorHint, Reason};
use std::fmt;
use std::rc::Rc;

/// A format of documents that the engine converts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// The format of Word: docx, docm, dotx, dotm.
    Docx,
    /// The format of PowerPoint: pptx, pptm, potx, ppsx.
    Pptx,
    /// The format of Excel: xlsx, xlsm, xltx.
    Xlsx,
    /// The binary format of Excel since 2007: xlsb.
    Xlsb,
    /// The formats of Excel before 2007: xls, xlt, and the XML of Excel 2003.
    Xls,
    /// The format of Word before 2007: doc, dot.
    Doc,
    /// The format of PowerPoint before 2007: ppt, pot, pps.
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
    /// A mail: eml.
    Eml,
    /// A mail of Outlook: msg.
    Msg,
    /// A mailbox: mbox.
    Mbox,
    /// PDF.
    Pdf,
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
    /// Mails of a mailbox.
    Mails,
    /// Pages.
    Pages,
}

/// A unit of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentUnit {
    /// The name or the title; for a page its label, such as `iii`. It may be empty.
    pub name: String,
    /// Whether other programs do not show the unit, such as a hidden slide.
    pub hidden: bool,
}

/// An entry of the outline of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentHeading {
    /// The level, from 1.
    pub level: u8,
    /// The title.
    pub title: String,
    /// The index of the unit that it leads to, counted from 0.
    pub unit: u64,
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
    /// The outline. It may be empty.
    pub outline: Vec<DocumentHeading>,
}

/// The Markdown of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentText {
    /// Lines with `\n` between them. Images are `![alt](image:N)`, with N from 1.
    pub text: String,
    /// Notes on damage, and on content that is left out.
    pub notes: Vec<String>,
}

/// A file in a document, such as the attachment of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentAttachment {
    /// The name, which is unique in the document.
    pub name: String,
    /// The name that the mail declares. It may have path separators, and several attachments may have
    /// the same one. Empty if the mail declares none.
    pub declared: String,
    /// The MIME type. It may be empty.
    pub mime: String,
    /// The size in bytes.
    pub size: u64,
}

/// A rectangle of cells of a sheet. Rows and columns are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRange {
    /// The first row.
    pub first_row: u32,
    /// The first column.
    pub first_column: u32,
    /// The last row.
    pub last_row: u32,
    /// The last column.
    pub last_column: u32,
}

/// A table that a workbook defines on a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTable {
    /// The name.
    pub name: String,
    /// The cells, including the header.
    pub cells: CellRange,
    /// Whether the first row has the names of the columns.
    pub header: bool,
}

/// The facts about the content of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetFacts {
    /// The rectangle around all cells with a value. `None` if no cell has one.
    pub used: Option<CellRange>,
    /// The number of rows with a value.
    pub rows: u32,
    /// The tables that the workbook defines on the sheet.
    pub tables: Vec<NamedTable>,
    /// The titles of the charts on the sheet. A title may be empty.
    pub charts: Vec<String>,
    /// Merged cells. The value is in the first cell.
    pub merged: Vec<CellRange>,
    /// Cells with a link to something outside of the workbook.
    pub links: Vec<CellRange>,
    /// The first and the last column of each sequence of hidden columns.
    pub hidden_columns: Vec<(u32, u32)>,
    /// Notes on damage.
    pub notes: Vec<String>,
}

/// The value of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum CellValue {
    /// A text, which many cells may share.
    Text(Rc<str>),
    /// A number.
    Number(f64),
    /// A date, a time or both, as in ISO 8601: `2024-01-31 12:30:00`.
    Date(String),
    /// A truth value.
    Bool(bool),
    /// An error, such as `#DIV/0!`.
    Error(String),
}

/// A cell with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetCell {
    /// The column, from 1.
    pub column: u32,
    /// The value.
    pub value: CellValue,
    /// The value as other programs display it, if that differs from the value as text.
    pub shown: Option<String>,
    /// The formula without `=`, if it was requested.
    pub formula: Option<String>,
}

/// A row with at least one cell that has a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SheetRow {
    /// The number of the row, from 1.
    pub number: u32,
    /// Whether other programs hide the row.
    pub hidden: bool,
    /// The cells with a value, in the order of their columns.
    pub cells: Vec<SheetCell>,
}

/// Which cells of a sheet are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetWindow {
    /// The rectangle.
    pub cells: CellRange,
    /// Whether formulas are read.
    pub formulas: bool,
    /// The number of cells after which no further row is started.
    pub count: u32,
}

/// Rows of a sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SheetRows {
    /// The rows in ascending order of their numbers.
    pub rows: Vec<SheetRow>,
    /// Whether the rectangle may have more rows after the last one.
    pub more: bool,
    /// Notes on damage.
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

impl DocumentError {
    /// The reason of a failure for this error, whose message is `why`.
    pub fn reason(&self, why: String) -> Reason {
        match self {
            Self::Exhausted(what) => Reason::limit(format!("document-{what}"), 0),
            _ => Reason::Unsupported(why),
        }
    }

    /// The next step of the person who sets the options of the reader.
    fn operator_hint(&self) -> Option<OperatorHint> {
        match self {
            Self::Encrypted => Some(OperatorHint::Password),
            Self::Exhausted(what) if what == "time" => Some(OperatorHint::MoreTime),
            _ => None,
        }
    }

    /// The error as a part of an answer. A model, whose calls have `is_call`, cannot set options.
    pub fn text(&self, is_call: bool) -> String {
        match self {
            Self::Encrypted if !is_call => {
                "it is encrypted, and the password, which `--password-file` sets, is missing or wrong".to_owned()
            }
            Self::Exhausted(what) if what == "time" && !is_call => {
                "it exceeds the limit `time`, which `--timeout` raises".to_owned()
            }
            error => error.to_string(),
        }
    }

    /// The failure for this error. `message` comes before the error.
    pub fn failure(&self, message: &str) -> Failure {
        let why = escape_invisible(&self.to_string());
        let failure = Failure::new(self.reason(why.clone()), format!("{message}: {why}"));
        match self.operator_hint() {
            Some(hint) => failure.operator_hint(hint),
            None => failure,
        }
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encrypted => f.write_str("it is encrypted, and the password is missing or wrong"),
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

    /// Sets whether a unit is converted without reading others, so that a unit that ends the engine does
    /// not end it for others too. Formats other than PDF do not read other units.
    fn set_alone(&mut self, _alone: bool) {}

    /// Converts a unit to Markdown. `index` is from 0.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn unit(&mut self, index: u64) -> Result<DocumentText, DocumentError>;

    /// Converts a unit to Markdown, with text that other programs do not show, such as white text.
    /// `index` is from 0. Formats other than PDF have no such text.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn unit_with_hidden(&mut self, index: u64) -> Result<DocumentText, DocumentError> {
        self.unit(index)
    }

    /// The bytes of the image with this number, counted from 1. `None` if there is no such image.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn image(&mut self, number: u64) -> Result<Option<Vec<u8>>, DocumentError>;

    /// An image of the page with this index, counted from 0, as PNG. `side` is the maximum length in
    /// pixels of its longer side. `None` if there is no such page. Only PDF documents have such images.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn page_image(&mut self, _index: u64, _side: u32) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(None)
    }

    /// The attachments.
    fn attachments(&mut self) -> Vec<DocumentAttachment>;

    /// The bytes of an attachment. `index` is from 0. `None` if there is no such attachment.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn attachment(&mut self, index: u64) -> Result<Option<Vec<u8>>, DocumentError>;

    /// The facts about a sheet of a workbook. `index` is from 0.
    ///
    /// # Errors
    /// Fails if there is no such sheet, or if the engine exceeds a limit or crashes.
    fn sheet(&mut self, index: u64) -> Result<SheetFacts, DocumentError>;

    /// Reads rows of a sheet of a workbook. Calls for consecutive rectangles together cost as much
    /// as one call for all of them.
    ///
    /// # Errors
    /// Fails if there is no such sheet, or if the engine exceeds a limit or crashes.
    fn rows(&mut self, index: u64, window: &SheetWindow) -> Result<SheetRows, DocumentError>;
}
