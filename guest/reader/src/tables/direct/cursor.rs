//! The rows of a table in ranges of their numbers, with the values of the columns that a condition or
//! statement needs.

use super::condition::{Name, Values};
use crate::limits;
use crate::tables::selected::Ranges;
use crate::tables::types::loaded::LoadedColumn;
use crate::tables::{Advanced, Row, Rows, SqlValue, sql};
use std::borrow::Cow;

/// Rows, of which one is the current one.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of each other"
)]
pub struct Cursor<'r> {
    rows: &'r mut dyn Rows,
    /// The ranges that are left.
    left: Ranges,
    entered: bool,
    /// Whether the current row is after the range before, so that it may be in the next one.
    pending: bool,
    columns: Vec<LoadedColumn>,
    /// The columns whose values are made: those that are used, and those that are counted for notes.
    used: Vec<usize>,
    values: Vec<SqlValue>,
    /// Whether the texts of some values do not decide them.
    has_typed: bool,
    number: u64,
    /// The number of values of the current row.
    width: usize,
    /// The current row, if its values are made already.
    row: Option<Row>,
    /// Whether a value is cut, because it is longer than the limit.
    pub cut: bool,
}

impl<'r> Cursor<'r> {
    /// The rows in `ranges`. `used` are the indexes in `columns` of those whose values are used.
    pub fn new(
        rows: &'r mut dyn Rows,
        ranges: Ranges,
        columns: Vec<LoadedColumn>,
        used: &[usize],
    ) -> Self {
        let all = columns.iter().enumerate();
        let all = all.filter(|(at, column)| column.is_counted() || used.contains(at));
        let used = all.map(|(at, _)| at).collect();
        let values = vec![SqlValue::Null; columns.len()];
        let has_typed = rows.has_typed();
        Self {
            rows,
            has_typed,
            left: ranges,
            entered: false,
            pending: false,
            columns,
            used,
            values,
            number: 0,
            width: 0,
            row: None,
            cut: false,
        }
    }

    /// Moves to the next row in the ranges, and returns its number. `None` after the last one.
    pub fn advance(&mut self) -> Option<u64> {
        loop {
            let (first, last) = *self.left.first()?;
            if !self.pending && !self.entered {
                self.rows.skip_to(first);
                self.entered = true;
            }
            if !std::mem::take(&mut self.pending) {
                match self.rows.advance() {
                    Advanced::Lazy { number, width } => {
                        (self.number, self.width) = (number, width);
                        self.row = None;
                    }
                    Advanced::Row(row) => {
                        (self.number, self.width) = (row.number, row.cells.len());
                        self.row = Some(row);
                    }
                    Advanced::End => return None,
                }
            }
            if self.number < first {
                continue;
            }
            let beyond = last.is_some_and(|last| self.number > last);
            if beyond || last == Some(self.number) {
                self.left.remove(0);
                self.entered = false;
            }
            if !beyond {
                self.load();
                return Some(self.number);
            }
            self.pending = true;
        }
    }

    /// Makes the values of the current row.
    fn load(&mut self) {
        if let Some(row) = &self.row {
            for (at, column) in self.columns.iter_mut().enumerate() {
                let cell = row.cells.get(column.index);
                let value = cell.map_or(SqlValue::Null, |cell| {
                    let value = column.value(cell, row.number);
                    self.cut |= value == SqlValue::Text && (cell.text.len() as u64) < cell.bytes;
                    value
                });
                if let Some(place) = self.values.get_mut(at) {
                    *place = value;
                }
            }
            return;
        }
        for at in &self.used {
            if let (Some(column), Some(value)) =
                (self.columns.get_mut(*at), self.values.get_mut(*at))
            {
                let index = column.index;
                let typed = self.has_typed.then(|| self.rows.typed(index)).flatten();
                *value = match typed {
                    Some(value) => column.counted(value, self.number, || self.rows.value(index)),
                    None => match self.rows.value(index) {
                        Some(text) => column.value_of(&text, self.number),
                        None => SqlValue::Null,
                    },
                };
            }
        }
    }

    /// The current row.
    pub fn row(&mut self) -> Row {
        match &self.row {
            Some(row) => row.clone(),
            None => self.rows.current(),
        }
    }

    /// The size in bytes of the current row in memory.
    pub fn size(&self) -> usize {
        let texts = match &self.row {
            Some(row) => row.cells.iter().map(|cell| cell.text.len()).sum(),
            None => self.rows.bytes(),
        };
        texts.saturating_add(self.width.saturating_mul(limits::CELL_BYTES))
    }

    /// The number of bytes of the source that were read.
    pub fn position(&self) -> u64 {
        self.rows.position()
    }

    /// The columns, without the rows.
    pub fn into_columns(self) -> Vec<LoadedColumn> {
        self.columns
    }

    /// The notes on the use of the columns.
    pub fn notes(&self) -> Vec<String> {
        sql::column_notes(&self.columns)
    }
}

impl Values for Cursor<'_> {
    fn value(&self, column: usize) -> &SqlValue {
        self.values.get(column).unwrap_or(&SqlValue::Null)
    }

    fn bytes(&self, column: usize) -> Cow<'_, [u8]> {
        // Most texts are ASCII, for which the check is short.
        if self.row.is_none()
            && matches!(self.values.get(column), Some(SqlValue::Text))
            && let Some(found) = self.columns.get(column)
            && let Some(Cow::Borrowed(text)) = self.rows.value(found.index)
            && text.is_ascii()
        {
            return Cow::Borrowed(text);
        }
        match self.text(column) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }
    }

    fn text(&self, column: usize) -> Cow<'_, str> {
        let Some(found) = self.columns.get(column) else {
            return Cow::Borrowed("");
        };
        if let Some(SqlValue::Other(text)) = self.values.get(column) {
            return Cow::Borrowed(text);
        }
        if let Some(row) = &self.row {
            let cell = row.cells.get(found.index);
            return Cow::Borrowed(cell.map_or("", |cell| &cell.text));
        }
        match self.rows.value(found.index) {
            None => Cow::Borrowed(""),
            // The check of a short text is faster without the search for the parts of another one.
            Some(Cow::Borrowed(text)) => match str::from_utf8(text) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(text),
            },
            Some(Cow::Owned(text)) => Cow::Owned(match String::from_utf8(text) {
                Ok(text) => text,
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            }),
        }
    }
}

/// The columns, as the parser sees them.
pub fn names(columns: &[LoadedColumn]) -> Vec<Name<'_>> {
    let names = columns.iter().map(|column| Name {
        name: column.name(),
        is_text: column.is_text(),
    });
    names.collect()
}
