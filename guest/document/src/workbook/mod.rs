//! Workbooks: sheets of typed cells.
//!
//! Rows and columns are numbered from 1, as in `B4`. Only cells with a value are stored, so that a
//! sheet never becomes a dense grid.
//!
//! ```text
//! general  numbers in the format General
//! decimal  the decimal digits of a number
//! packed   cells as bytes
//! ```

pub mod decimal;
pub mod general;
pub mod packed;

use crate::model::Block;
use std::rc::Rc;

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
    /// The links. If several contain a cell, the first one counts.
    pub links: Vec<CellLink>,
    /// The first and the last column of each sequence of hidden columns.
    pub hidden_columns: Vec<(u32, u32)>,
    /// Notes on damage of the sheet.
    pub notes: Vec<String>,
}

/// A comment of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// The row of the cell, from 1.
    pub row: u32,
    /// The column of the cell, from 1.
    pub column: u32,
    /// The name of the author. It may be empty.
    pub author: String,
    /// The text. It may have several lines.
    pub text: String,
    /// Whether it is the reply to the comment before.
    pub reply: bool,
}

/// A link of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellLink {
    /// The cells.
    pub range: Range,
    /// The address. Empty where only the cells are known.
    pub url: String,
}

/// An image, a chart or a text box on a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The row of its upper left corner, from 1.
    pub row: u32,
    /// The column of its upper left corner, from 1.
    pub column: u32,
    /// Its content.
    pub blocks: Vec<Block>,
}

/// What a sheet has beside the values of its cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    /// The comments, in any order. A reply is after its comment.
    pub comments: Vec<Comment>,
    /// The drawings, in any order.
    pub drawings: Vec<Drawing>,
    /// Notes on damage.
    pub notes: Vec<String>,
}

/// A value of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text, which many cells may share.
    Text(Rc<str>),
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

impl Row {
    /// Sorts cells that are in any order. The last cell of a column counts.
    pub fn sort_cells(&mut self) {
        if !self
            .cells
            .is_sorted_by(|one, next| one.column < next.column)
        {
            self.cells.reverse();
            self.cells.sort_by_key(|cell| cell.column);
            self.cells.dedup_by_key(|cell| cell.column);
        }
    }
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

    /// The facts about a sheet, which a workbook may keep. `sheet` is from 0.
    fn sheet(&mut self, sheet: usize) -> Rc<SheetFacts>;

    /// Reads rows of a sheet. Calls for consecutive rectangles together cost as much as one call for
    /// all of them.
    fn rows(&mut self, sheet: usize, window: &Window) -> Rows;

    /// Reads rows as [`Workbook::rows`] does, and calls `pass` with each of them, so that not all of them are in
    /// memory. The result has none.
    fn pass_rows(&mut self, sheet: usize, window: &Window, pass: &mut dyn FnMut(Row)) -> Rows {
        let mut found = self.rows(sheet, window);
        std::mem::take(&mut found.rows).into_iter().for_each(pass);
        found
    }

    /// Reads what a sheet has beside the values of its cells.
    fn objects(&mut self, _sheet: usize) -> Objects {
        Objects::default()
    }

    /// The bytes of the image `number`, from 1, as blocks of [`Objects::drawings`] refer to it. `None`
    /// if there is no such image.
    fn image(&mut self, _number: usize) -> Option<Vec<u8>> {
        None
    }
}

impl Range {
    /// Returns whether the range contains a cell.
    pub fn contains(&self, row: u32, column: u32) -> bool {
        (self.first_row..=self.last_row).contains(&row)
            && (self.first_column..=self.last_column).contains(&column)
    }

    /// Reads a range of cells: `B4:H24`, `B4`, `B:C` or `4:6`, with or without `$`.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, last) = text.trim().split_once(':').unwrap_or((text, text));
        let (first_row, first_column) = cell_position(first)?;
        let (last_row, last_column) = cell_position(last)?;
        let range = Self {
            first_row: first_row.unwrap_or(1),
            first_column: first_column.unwrap_or(1),
            last_row: last_row.unwrap_or(LAST_ROW),
            last_column: last_column.unwrap_or(LAST_COLUMN),
        };
        (range.first_row <= range.last_row && range.first_column <= range.last_column)
            .then_some(range)
    }
}

/// Reads the row and the column of a cell, such as `$B$4`. One of them may be missing.
fn cell_position(text: &str) -> Option<(Option<u32>, Option<u32>)> {
    let text = text.trim();
    let text = text.strip_prefix('$').unwrap_or(text);
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, digits) = text.split_at_checked(letters)?;
    let digits = digits.strip_prefix('$').unwrap_or(digits);
    let column = match name {
        "" => None,
        name => Some(column_number(name)?),
    };
    let row = match digits {
        "" => None,
        digits => Some(
            digits
                .parse()
                .ok()
                .filter(|it| (1..=LAST_ROW).contains(it))?,
        ),
    };
    (row.is_some() || column.is_some()).then_some((row, column))
}

/// Returns the number of a column, such as 28 for `AB`. `None` if there is no such column.
pub fn column_number(name: &str) -> Option<u32> {
    let mut number = 0_u32;
    for byte in name.bytes() {
        let letter = byte.to_ascii_uppercase();
        let digit = letter.checked_sub(b'A').filter(|it| *it < 26)?;
        number = number.checked_mul(26)?;
        number = number.checked_add(u32::from(digit))?.checked_add(1)?;
    }
    (1..=LAST_COLUMN).contains(&number).then_some(number)
}

/// Returns the name of a column, such as `AB` for 28.
pub fn column_name(number: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = number;
    while let Some(before) = rest.checked_sub(1) {
        let digit = before.checked_rem(26).unwrap_or(0);
        letters.push(char::from_u32(digit.saturating_add(65)).unwrap_or('A'));
        rest = before.checked_div(26).unwrap_or(0);
    }
    letters.iter().rev().collect()
}

impl Value {
    /// The value as text without a number format: numbers with up to 15 significant digits.
    pub fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.to_string(),
            Self::Date(text) | Self::Error(text) => text.clone(),
            Self::Number(number) => general::plain(*number),
            Self::Bool(true) => "TRUE".to_owned(),
            Self::Bool(false) => "FALSE".to_owned(),
        }
    }
}
