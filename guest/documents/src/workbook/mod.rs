//! Workbooks: sheets of typed cells.
//!
//! Rows and columns are numbered from 1, as in `B4`. Only cells with a value are stored, so that a
//! sheet never becomes a dense grid.
//!
//! ```text
//! number_format  numbers → displayed text
//! document       a workbook as a document: its sheets as Markdown
//! binary         what binary workbooks of all versions share
//! formula        formulas of binary workbooks → text
//! ```

pub mod binary;
pub mod document;
pub mod formula;
pub mod number_format;

/// The number of the last row of a sheet (Excel's limit).
pub const LAST_ROW: u32 = 1 << 20;

/// The number of the last column of a sheet (Excel's limit): `XFD`.
pub const LAST_COLUMN: u32 = 1 << 14;

/// A rectangle of cells, such as `B4:H24`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first row, from 1.
    pub first_row: u32,
    /// The first column, from 1.
    pub first_column: u32,
    /// The last row.
    pub last_row: u32,
    /// The last column.
    pub last_column: u32,
}

/// Whether a sheet is shown by other programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// It is shown.
    #[default]
    Visible,
    /// A user can show it.
    Hidden,
    /// Only a macro can show it.
    VeryHidden,
}

/// A table that the workbook defines on a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTable {
    /// Its name.
    pub name: String,
    /// Its cells, including its header.
    pub range: Range,
    /// Whether its first row has the names of the columns.
    pub header: bool,
}

/// The name of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetName {
    /// The name.
    pub name: String,
    /// Whether other programs show it.
    pub visibility: Visibility,
}

/// Facts about the content of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetFacts {
    /// The rectangle around all cells with a value. `None` if the sheet has no such cell.
    pub used: Option<Range>,
    /// The number of rows with a value.
    pub rows: u32,
    /// The tables that the workbook defines on the sheet.
    pub tables: Vec<NamedTable>,
    /// The title of each chart on the sheet. A title may be empty.
    pub charts: Vec<String>,
    /// Merged cells. The value is in the first cell.
    pub merged: Vec<Range>,
    /// Notes on damage of the sheet.
    pub notes: Vec<String>,
}

/// A value of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// A date, a time or both, in the form of ISO 8601: `2024-01-31`, `2024-01-31 12:30:00`,
    /// `12:30:00`. Durations of more than a day are `36:00:00`.
    Date(String),
    /// A truth value.
    Bool(bool),
    /// An error, such as `#DIV/0!`.
    Error(String),
}

/// A cell with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The column, from 1.
    pub column: u32,
    /// The value.
    pub value: Value,
    /// The value as a program displays it, such as `12.5%` or `31/01/2024`. `None` if it is equal to
    /// [`Value::plain`].
    pub shown: Option<String>,
    /// The formula without `=`, if it was requested and the cell has one.
    pub formula: Option<String>,
}

/// A row with at least one cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The number of the row, from 1.
    pub number: u32,
    /// Whether other programs hide the row.
    pub hidden: bool,
    /// The cells with a value, in the order of their columns.
    pub cells: Vec<Cell>,
}

/// Which cells of a sheet are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The rectangle.
    pub range: Range,
    /// Whether formulas are read.
    pub formulas: bool,
    /// The number of cells after which no further row is started. At least one row is returned.
    pub cells: usize,
}

/// Rows of a sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The rows in ascending order of their numbers.
    pub rows: Vec<Row>,
    /// Whether the rectangle may have more rows after the last one.
    pub more: bool,
    /// Notes on damage.
    pub notes: Vec<String>,
}

/// A workbook. A call on a sheet reads that sheet only.
pub trait Workbook {
    /// The sheets in their order.
    fn sheets(&self) -> &[SheetName];

    /// The facts about a sheet. `sheet` is from 0.
    fn sheet(&mut self, sheet: usize) -> SheetFacts;

    /// Reads rows of a sheet. Calls for consecutive rectangles together cost as much as one call for
    /// all of them.
    fn rows(&mut self, sheet: usize, window: &Window) -> Rows;
}

impl Value {
    /// The value as text without a number format: numbers with up to 15 significant digits.
    pub fn plain(&self) -> String {
        match self {
            Self::Text(text) | Self::Date(text) | Self::Error(text) => text.clone(),
            Self::Number(number) => number_format::plain(*number),
            Self::Bool(true) => "TRUE".to_owned(),
            Self::Bool(false) => "FALSE".to_owned(),
        }
    }
}
