//! Tables of rows that are not in a database: requests for rows, conditions and statements over
//! any source of rows.
//!
//! ```text
//! mod        Rows, a source of rows; Row
//! value      Cell, and values in SQL: number, text, empty
//! types      types of columns of text
//! names      names of columns
//! unnamed    tables in texts whose name does not state a format
//! read       a request: which rows, and the notes on them
//! selected   the table, ranges of its rows, and the result before its notes
//! filter     conditions: batches of rows in the SQL engine
//! load       orders and statements: the whole table in the SQL engine
//! direct     conditions, orders and statements of simple forms, without the SQL engine
//! sql        tables of rows in the SQL engine
//! layout     rows as text
//! part       a row that does not fit on a page
//! size       the size of rows as text
//! tokens     the tokens of rows as text
//! feed       decoded text of a source, in order
//! separated  CSV and TSV as rows
//! records    JSON lines as rows
//! sheet      sheets of workbooks as rows
//! ```
//!
//! Invariants: without an order or a statement, memory does not depend on the number of rows, and
//! reading stops when the page is full. A value is cut only with a note.

mod direct;
mod feed;
mod filter;
mod layout;
mod load;
mod names;
mod part;
mod read;
mod records;
mod selected;
mod separated;
mod sheet;
mod size;
mod sql;
mod tokens;
mod types;
mod unnamed;
mod value;

pub use load::statement_on;
pub use read::read;
pub use records::JsonRows;
pub use selected::TableContext;
pub use separated::SeparatedRows;
pub use sheet::{NamedSheet, SheetOptions, SheetRows};
pub use unnamed::is_table;
pub use value::{Cell, SqlValue};

use crate::world::FileError;
use std::borrow::Cow;
use types::ColumnType;

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The number of the row in its own numbering. The numbers of a table ascend.
    pub number: u64,
    /// The values. There may be more or fewer than columns.
    pub cells: Vec<Cell>,
}

/// The result of [`Rows::advance`].
pub enum Advanced {
    /// The next row.
    Row(Row),
    /// The next row has this number and this many values, which are not made yet.
    Lazy {
        /// The number of the row.
        number: u64,
        /// The number of its values.
        width: usize,
    },
    /// There are no more rows.
    End,
}

/// A source of rows, which are read in order.
pub trait Rows {
    /// The names of the columns, which are unique. A column without a name has its letter.
    fn columns(&self) -> &[String];

    /// The name of the first value after the columns, if it is not a letter.
    fn extra_column(&self) -> Option<&str> {
        None
    }

    /// The types of the columns, if they decide the values of cells in SQL.
    fn types(&self) -> &[ColumnType] {
        &[]
    }

    /// The next row. `None` after the last one.
    fn next(&mut self) -> Option<Row>;

    /// The next row, for conditions and statements on a few of its values.
    fn advance(&mut self) -> Advanced {
        self.next().map_or(Advanced::End, Advanced::Row)
    }

    /// The whole text of a value of the row that [`Rows::advance`] returned as [`Advanced::Lazy`]. `None` if
    /// the row has no such value.
    fn value(&self, _index: usize) -> Option<Cow<'_, [u8]>> {
        None
    }

    /// Whether [`Rows::typed`] may return a value.
    fn has_typed(&self) -> bool {
        false
    }

    /// The value of a cell of the row that [`Rows::advance`] returned as [`Advanced::Lazy`], if its text does not
    /// decide it.
    fn typed(&self, _index: usize) -> Option<SqlValue> {
        None
    }

    /// The size in bytes of the texts of the row that [`Rows::advance`] returned as [`Advanced::Lazy`].
    fn bytes(&self) -> usize {
        0
    }

    /// The row that [`Rows::advance`] returned as [`Advanced::Lazy`].
    fn current(&mut self) -> Row {
        Row {
            number: 0,
            cells: Vec::new(),
        }
    }

    /// Whether [`Rows::restart`] works at any time, because the source is not a stream.
    fn can_restart(&self) -> bool {
        false
    }

    /// Skips up to `count` rows. Returns the number of skipped rows, which is lower only at the end.
    fn skip(&mut self, count: u64) -> u64 {
        (0..count).take_while(|_| self.next().is_some()).count() as u64
    }

    /// Skips the rows before the row `number`, or before the next one if there is no such row.
    fn skip_to(&mut self, number: u64);

    /// Starts again before the first row.
    ///
    /// # Errors
    /// Fails if the source is a stream that can be read only once.
    fn restart(&mut self) -> Result<(), FileError>;

    /// The number of bytes that were read so far.
    fn position(&self) -> u64;

    /// The number of the last row, if it is known without reading to it.
    fn last(&self) -> Option<u64> {
        None
    }

    /// The number of rows after the last one that was returned, if it is known without reading them.
    fn left(&self) -> Option<u64> {
        None
    }

    /// The line above rows with consecutive numbers, such as `Sales!B5:H24`. `first` and `last` are
    /// the numbers of the first and the last row.
    fn heading(&self, _first: u64, _last: u64) -> Option<String> {
        None
    }

    /// A description of the table, such as `CSV: 5 columns, named by the first record`.
    fn describe(&self) -> String;

    /// Notes on the rows that were read, such as those about damage.
    fn notes(&self) -> Vec<String>;
}
