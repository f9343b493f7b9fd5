//! Formulas of binary workbooks → text ([MS-XLS] 2.5.198, [MS-XLSB] 2.5.97).
//!
//! A formula is stored as tokens in postfix notation. Its text is that of the formula bar in
//! English, without `=`.
//!
//! ```text
//! tokens     tokens → an expression
//! expression an expression → text
//! reference  references to cells and sheets
//! array      constant arrays
//! functions  names of functions
//! strings    texts in formulas
//! ```

mod array;
mod expression;
mod functions;
pub mod reference;
mod strings;
#[cfg(test)]
mod tests;
mod tokens;

pub use tokens::{master, text};

use crate::codepage::CodePage;
use std::collections::BTreeMap;

/// The version of the tokens.
#[derive(Clone, Copy, Debug)]
pub enum Version {
    /// Excel 5.0 and 95, with the code page of texts.
    Biff5(CodePage),
    /// Excel 97 to 2003.
    Biff8,
    /// Binary workbooks since Excel 2007.
    Biff12,
}

/// The columns of a table to which formulas refer.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The name.
    pub name: String,
    /// The names of the columns.
    pub columns: Vec<String>,
}

/// What formulas of a workbook refer to.
#[derive(Debug)]
pub struct Links {
    /// The version of the tokens.
    pub version: Version,
    /// The names of the sheets.
    pub sheets: Vec<String>,
    /// For each link, what is before `!`, with quotes.
    pub prefixes: Vec<String>,
    /// For each link, the index in `external_names`.
    pub books: Vec<usize>,
    /// For each link, the index in `sheets`. `None` for several sheets and for other workbooks.
    pub targets: Vec<Option<usize>>,
    /// The names of the workbook.
    pub names: Vec<String>,
    /// The names of other workbooks and of add-ins.
    pub external_names: Vec<Vec<String>>,
    /// The tables by their identifiers.
    pub tables: BTreeMap<u32, Table>,
}

impl Links {
    /// Returns links of a workbook without sheets and names.
    pub fn new(version: Version) -> Self {
        Self {
            version,
            sheets: Vec::new(),
            prefixes: Vec::new(),
            books: Vec::new(),
            targets: Vec::new(),
            names: Vec::new(),
            external_names: Vec::new(),
            tables: BTreeMap::new(),
        }
    }

    /// Adds a link to sheets of a book. `first` and `last` are indexes of sheets. Negative ones are
    /// the workbook as a whole, or deleted sheets.
    pub fn add(&mut self, book: &Book, index: usize, first: i32, last: i32) {
        let sheets = match book {
            Book::Own => &self.sheets,
            Book::Other { sheets, .. } => sheets,
            Book::AddIns => &Vec::new(),
        };
        let name = |index: i32| {
            let index = usize::try_from(index).ok()?;
            sheets.get(index).map(String::as_str)
        };
        let file = match book {
            Book::Other { file, .. } => file.as_str(),
            _ => "",
        };
        let prefix = match (name(first), name(last)) {
            (Some(one), Some(two)) if first != last => reference::prefix(file, one, Some(two)),
            (Some(one), _) => reference::prefix(file, one, None),
            _ if first == -2 && file.is_empty() => String::new(),
            _ if first == -2 => reference::prefix(file, "", None),
            _ if matches!(book, Book::AddIns) => String::new(),
            _ => "#REF".to_owned(),
        };
        let target = usize::try_from(first).ok();
        let is_own = matches!(book, Book::Own) && first == last;
        self.targets.push(target.filter(|_| is_own));
        self.prefixes.push(prefix);
        self.books.push(index);
    }
}

/// A workbook to which formulas refer.
#[derive(Clone, Debug)]
pub enum Book {
    /// The workbook itself.
    Own,
    /// Functions of add-ins.
    AddIns,
    /// Another workbook.
    Other {
        /// The name of its file.
        file: String,
        /// Its sheets.
        sheets: Vec<String>,
    },
}
