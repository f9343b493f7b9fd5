//! The table of a request, the rows in ranges of their numbers, and the result before its notes.

use super::layout::Page;
use super::{Row, Rows};
use crate::limits;
use crate::path::Suffix;
use crate::path::query::Parameters;
use crate::sqlite::Statement;
use crate::subject::Subject;
use crate::window::Total;
use crate::world::World;

/// The table that is read, and the limits of the read.
pub struct TableContext<'p> {
    /// The content that contains the table.
    pub subject: &'p Subject,
    /// The text of the path after the content, for messages.
    pub rest: Option<&'p Suffix>,
    /// The path of the table, to which a selection is appended: `data.csv:`, `book.xlsx:Sales`.
    pub base: String,
    /// The name of the table in statements.
    pub name: String,
    /// The maximum number of rows on a page if the path states no limit and no last row.
    pub rows: u64,
    /// The maximum size in bytes of the text.
    pub room: usize,
    /// The maximum number of tokens of the text. `None` for no limit.
    pub tokens: Option<u64>,
    /// The maximum width of a table in characters. `None` for tables as wide as their values.
    pub table_width: Option<usize>,
    /// Whether the request is a tool call of a model, which cannot set options.
    pub is_call: bool,
}

/// The rows that a path selects, and the page that they fill.
pub struct Selected<'r> {
    pub rows: &'r mut dyn Rows,
    pub ranges: Ranges,
    pub page: Page,
}

impl TableContext<'_> {
    /// A statement on the table, in SQL.
    pub fn statement<'s>(&'s self, sql: &'s str) -> Statement<'s> {
        Statement {
            subject: self.subject,
            rest: self.rest,
            sql,
            room: self.room,
            tokens: self.tokens,
            table_width: self.table_width,
        }
    }

    /// The path of a selection, in the form of [`crate::path::rows::format`].
    pub fn path(&self, selection: &str) -> String {
        let colon = if selection.starts_with('?') { "" } else { ":" };
        format!("{}{colon}{selection}", self.base)
    }
}

/// Ranges of row numbers, each with its first and its last one. `None` is the end of the table.
pub type Ranges = Vec<(u64, Option<u64>)>;

/// The rows of a table in ranges of their numbers.
pub struct RowsInRanges<'r> {
    pub rows: &'r mut dyn Rows,
    /// The ranges that are left.
    pub left: Ranges,
    entered: bool,
    pending: Option<Row>,
}

impl<'r> RowsInRanges<'r> {
    pub fn new(rows: &'r mut dyn Rows, ranges: Ranges) -> Self {
        Self {
            rows,
            left: ranges,
            entered: false,
            pending: None,
        }
    }

    /// The next row in the ranges.
    pub fn next(&mut self) -> Option<Row> {
        loop {
            let (first, last) = *self.left.first()?;
            if self.pending.is_none() && !self.entered {
                self.rows.skip_to(first);
                self.entered = true;
            }
            let row = self.pending.take().or_else(|| self.rows.next())?;
            if row.number < first {
                continue;
            }
            let beyond = last.is_some_and(|last| row.number > last);
            if beyond || last == Some(row.number) {
                self.left.remove(0);
                self.entered = false;
            }
            if !beyond {
                return Some(row);
            }
            self.pending = Some(row);
        }
    }
}

/// The result of a request, before its notes.
pub struct Outcome {
    pub page: Page,
    /// The number of rows that the request selects.
    pub total: Total,
    /// The selection that continues, and whether it is known to select any rows.
    pub next: Option<(Ranges, Parameters, bool)>,
    pub notes: Vec<String>,
}

/// Whether the time that is left should be used to show what was found.
pub fn is_late(world: &dyn World) -> bool {
    let time = world.read_time();
    let spared = time.limit.unwrap_or(0) / limits::SCAN_SPARED;
    time.left().is_some_and(|left| left < spared)
}
