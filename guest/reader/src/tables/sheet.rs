//! The rows of a sheet of a workbook. The numbers of the rows are those of the sheet.
//!
//! ```text
//! mod     SheetRows
//! cells   cells and rows of a sheet as those of a table
//! header  the row with the names of the columns
//! shared  texts that cells share in memory
//! notes   the description of a sheet, and the notes on it
//! ```

mod cells;
mod header;
mod notes;
mod shared;

use super::{Advanced, Row, Rows, SqlValue};
use crate::limits;
use crate::path::cells::{index, letters, quoted_name};
use crate::world::{Document, DocumentError, FileError};
use notes::{About, HiddenRows};
use omniread_document::workbook;
use shared::SharedTexts;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;

/// A sheet, or a rectangle of it, as rows.
pub struct SheetRows {
    name: String,
    facts: Rc<workbook::SheetFacts>,
    /// The rectangle that is read.
    range: workbook::Range,
    /// The columns that are read, from 1, in ascending order. All of the rectangle, unless it is so
    /// wide that most of them are empty.
    places: Vec<u32>,
    columns: Vec<String>,
    /// The number of the row that has the names of the columns.
    header: Option<u32>,
    /// Whether formulas are shown beside values.
    formulas: bool,
    source: Source,
    /// The rows that are read but not returned.
    buffer: VecDeque<workbook::Row>,
    /// The number of the first row that is not in the buffer.
    next: u32,
    /// The number of rows that were returned since the start. `None` if some were skipped.
    returned: Option<u64>,
    cells: u64,
    notes: Vec<String>,
    /// Whether other programs hide the sheet.
    is_hidden: bool,
    /// The number of rows above the header that are left out.
    above: usize,
    /// The hidden rows that were returned.
    hidden: HiddenRows,
    /// The path of the text of the sheet.
    text_path: String,
}

/// Where the rows come from.
enum Source {
    /// The document engine, and the index of the sheet.
    Engine(Box<dyn Document>, u64),
    /// All rows of the rectangle, in memory, and the index of the next one.
    Memory(Vec<workbook::Row>, usize),
}

/// A sheet of a workbook.
#[derive(Clone, Copy, Debug)]
pub struct NamedSheet<'n> {
    /// The index, from 0.
    pub index: u64,
    /// The name.
    pub name: &'n str,
    /// The path of its text, which shows what its rows do not.
    pub text_path: &'n str,
}

/// What is read of a sheet.
#[derive(Clone, Copy, Debug, Default)]
pub struct SheetOptions {
    /// The rectangle. `None` is everything.
    pub range: Option<workbook::Range>,
    /// Whether formulas are shown beside values.
    pub formulas: bool,
    /// Whether all rows are loaded first, so that another engine can run. Rows above the row with
    /// the names of the columns are left out.
    pub loaded: bool,
    /// Whether rows above the row with the names of the columns are read too.
    pub all: bool,
}

impl SheetRows {
    /// Opens a sheet of a workbook.
    ///
    /// # Errors
    /// Fails if the engine fails, or if all rows are loaded and there are too many.
    pub fn open(
        mut document: Box<dyn Document>,
        sheet: NamedSheet<'_>,
        wanted: SheetOptions,
    ) -> Result<Self, DocumentError> {
        let index = sheet.index;
        let facts = document.sheet(index)?;
        let unit = usize::try_from(index).ok();
        let unit = unit.and_then(|index| document.facts().list.get(index));
        let is_hidden = unit.is_some_and(|unit| unit.hidden);
        let used = facts.used.unwrap_or(workbook::Range {
            first_row: 1,
            first_column: 1,
            last_row: 1,
            last_column: 1,
        });
        let range = wanted.range.map_or(used, |range| within(range, used));
        let mut sheet = Self {
            name: sheet.name.to_owned(),
            range,
            places: Vec::new(),
            columns: Vec::new(),
            header: None,
            formulas: wanted.formulas,
            source: Source::Engine(document, index),
            buffer: VecDeque::new(),
            next: range.first_row,
            returned: Some(0),
            cells: 0,
            notes: facts.notes.clone(),
            facts,
            is_hidden,
            above: 0,
            hidden: HiddenRows::default(),
            text_path: sheet.text_path.to_owned(),
        };
        sheet.fetch(limits::HEADER_CELLS)?;
        let width = range
            .last_column
            .saturating_sub(range.first_column)
            .saturating_add(1);
        let is_wide = u64::from(width) > limits::DENSE_COLUMNS;
        if wanted.loaded || is_wide {
            sheet.load()?;
        }
        sheet.places = if is_wide {
            sheet.filled_columns()
        } else {
            (range.first_column..=range.last_column).collect()
        };
        // A selected rectangle has no header unless it starts with one.
        let rows = sheet.first_rows();
        let header = header::find(&rows, &sheet.facts);
        let columns = header::names(header, &rows, &sheet.places, &sheet.facts.merged);
        (sheet.header, sheet.columns) = (header, columns);
        if !wanted.all {
            let first = sheet.header.map_or(0, |row| row.saturating_add(1));
            sheet.drop_before(first);
        }
        Ok(sheet)
    }

    /// Reads rows into the buffer.
    fn fetch(&mut self, cells: usize) -> Result<(), DocumentError> {
        let Source::Engine(document, index) = &mut self.source else {
            return Ok(());
        };
        if self.next > self.range.last_row || self.facts.used.is_none() {
            return Ok(());
        }
        let window = workbook::Window {
            range: workbook::Range {
                first_row: self.next,
                ..self.range
            },
            formulas: self.formulas,
            cells,
        };
        let rows = document.rows(*index, &window)?;
        self.notes.extend(rows.notes);
        let last = rows.rows.last().map(|row| row.number);
        self.next = match last {
            Some(last) if rows.more => last.max(self.next).saturating_add(1),
            _ => self.range.last_row.saturating_add(1),
        };
        for row in &rows.rows {
            self.cells = self.cells.saturating_add(row.cells.len() as u64);
        }
        self.buffer.extend(rows.rows);
        Ok(())
    }

    /// Reads all rows, and closes the engine.
    fn load(&mut self) -> Result<(), DocumentError> {
        let mut texts = SharedTexts::default();
        let mut shared = 0usize;
        loop {
            for row in self.buffer.iter_mut().skip(shared) {
                texts.share(row);
            }
            shared = self.buffer.len();
            if self.cells > limits::LOADED_CELLS {
                return Err(DocumentError::Exhausted("cells".to_owned()));
            }
            if texts.bytes() > limits::LOADED_TEXT_BYTES {
                return Err(DocumentError::Exhausted("size of texts".to_owned()));
            }
            if self.next > self.range.last_row || self.facts.used.is_none() {
                break;
            }
            self.fetch(limits::LOADED_BATCH_CELLS)?;
        }
        let rows = std::mem::take(&mut self.buffer).into();
        self.source = Source::Memory(rows, 0);
        Ok(())
    }

    /// The columns that have a value in a loaded row.
    fn filled_columns(&self) -> Vec<u32> {
        let Source::Memory(rows, _) = &self.source else {
            return Vec::new();
        };
        let cells = rows.iter().flat_map(|row| &row.cells);
        let mut columns = std::collections::BTreeSet::new();
        // Unlike `collect`, this does not sort the columns of all cells first.
        columns.extend(cells.map(|cell| cell.column));
        columns.into_iter().collect()
    }

    /// The first rows, which are read already.
    fn first_rows(&self) -> Vec<&workbook::Row> {
        match &self.source {
            Source::Engine(..) => self.buffer.iter().take(limits::HEADER_ROWS).collect(),
            Source::Memory(rows, _) => rows.iter().take(limits::HEADER_ROWS).collect(),
        }
    }

    /// Leaves out the rows before a number.
    fn drop_before(&mut self, first: u32) {
        self.range.first_row = self.range.first_row.max(first);
        let header = self.header;
        let mut above = 0usize;
        let mut keep = |row: &workbook::Row| {
            let is_kept = row.number >= first;
            above = above.saturating_add(usize::from(!is_kept && Some(row.number) != header));
            is_kept
        };
        match &mut self.source {
            Source::Engine(..) => self.buffer.retain(&mut keep),
            Source::Memory(rows, _) => rows.retain(&mut keep),
        }
        self.above = above;
    }

    /// The number of the next row, and the row.
    fn pop(&mut self) -> Option<(u32, Row)> {
        if let Source::Memory(rows, place) = &mut self.source {
            let row = rows.get(*place)?;
            *place = place.saturating_add(1);
            if row.hidden {
                self.hidden.add(row.number);
            }
            return Some((row.number, cells::to_row(row, &self.places)));
        }
        if self.buffer.is_empty()
            && let Err(error) = self.fetch(limits::SHEET_BATCH_CELLS)
        {
            self.notes.push(format!("rows are missing: {error}"));
            self.next = self.range.last_row.saturating_add(1);
        }
        let row = self.buffer.pop_front()?;
        if row.hidden {
            self.hidden.add(row.number);
        }
        Some((row.number, cells::to_row(&row, &self.places)))
    }

    /// The row in memory that was read last.
    fn last_row(&self) -> Option<&workbook::Row> {
        match &self.source {
            Source::Memory(rows, place) => rows.get(place.checked_sub(1)?),
            Source::Engine(..) => None,
        }
    }

    /// A cell of this row.
    fn last_cell(&self, index: usize) -> Option<&workbook::Cell> {
        cells::cell(self.last_row()?, &self.places, index)
    }
}

impl SheetRows {
    /// What the notes say of the sheet.
    fn about(&self) -> About<'_> {
        About {
            name: &self.name,
            is_hidden: self.is_hidden,
            facts: &self.facts,
            range: self.range,
            header: self.header,
            above: self.above,
            hidden: &self.hidden,
            text_path: &self.text_path,
        }
    }
}

impl Rows for SheetRows {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next(&mut self) -> Option<Row> {
        loop {
            let (number, row) = self.pop()?;
            // The header is shown above the rows.
            if Some(number) == self.header && self.range.last_row > number {
                continue;
            }
            self.returned = self.returned.map(|count| count.saturating_add(1));
            return Some(row);
        }
    }

    fn advance(&mut self) -> Advanced {
        loop {
            let Source::Memory(rows, place) = &mut self.source else {
                return self.next().map_or(Advanced::End, Advanced::Row);
            };
            let Some(row) = rows.get(*place) else {
                return Advanced::End;
            };
            *place = place.saturating_add(1);
            let number = row.number;
            if row.hidden {
                self.hidden.add(number);
            }
            if Some(number) == self.header && self.range.last_row > number {
                continue;
            }
            let width = cells::width(row, &self.places);
            self.returned = self.returned.map(|count| count.saturating_add(1));
            return Advanced::Lazy {
                number: number.into(),
                width,
            };
        }
    }

    fn value(&self, index: usize) -> Option<Cow<'_, [u8]>> {
        let text = cells::text(self.last_cell(index)?);
        Some(Cow::Owned(text.into_bytes()))
    }

    fn has_typed(&self) -> bool {
        true
    }

    fn typed(&self, index: usize) -> Option<SqlValue> {
        self.last_cell(index).map(cells::value)
    }

    fn bytes(&self) -> usize {
        let cells = self.last_row().map(|row| row.cells.iter());
        cells.into_iter().flatten().map(cells::text_bytes).sum()
    }

    fn current(&mut self) -> Row {
        match self.last_row() {
            Some(row) => cells::to_row(row, &self.places),
            None => Row {
                number: 0,
                cells: Vec::new(),
            },
        }
    }

    fn skip_to(&mut self, number: u64) {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        if number > self.range.first_row {
            self.returned = None;
        }
        match &mut self.source {
            Source::Memory(rows, place) => {
                *place = rows.partition_point(|row| row.number < number);
            }
            Source::Engine(..) => {
                while self
                    .buffer
                    .pop_front_if(|row| row.number < number)
                    .is_some()
                {}
                if self.buffer.is_empty() {
                    self.next = self.next.max(number);
                }
            }
        }
    }

    fn restart(&mut self) -> Result<(), FileError> {
        self.returned = Some(0);
        self.hidden = HiddenRows::default();
        match &mut self.source {
            Source::Memory(_, place) => *place = 0,
            Source::Engine(..) => {
                self.buffer.clear();
                self.next = self.range.first_row;
            }
        }
        Ok(())
    }

    fn position(&self) -> u64 {
        // A cell takes about as many bytes in a text file.
        self.cells.saturating_mul(8)
    }

    fn last(&self) -> Option<u64> {
        Some(u64::from(self.range.last_row))
    }

    fn left(&self) -> Option<u64> {
        // The facts count the rows of the whole sheet.
        let whole = self.facts.used.is_some_and(|used| {
            used.last_row == self.range.last_row
                && used.first_column == self.range.first_column
                && used.last_column == self.range.last_column
        });
        let first = self.facts.used?.first_row;
        let header = u64::from(self.header.is_some());
        // Rows above the header are left out, or they are returned.
        let is_complete = self.range.first_row <= first || self.header == Some(first);
        let rows = u64::from(self.facts.rows).saturating_sub(header);
        (whole && is_complete)
            .then(|| Some(rows.saturating_sub(self.returned?)))
            .flatten()
    }

    fn heading(&self, first: u64, last: u64) -> Option<String> {
        let (first_column, last_column) = (self.places.first()?, self.places.last()?);
        let (left, right) = (letters(index(*first_column)), letters(index(*last_column)));
        let name = quoted_name(&self.name);
        Some(format!("{name}!{left}{first}:{right}{last}"))
    }

    fn describe(&self) -> String {
        notes::describe(&self.about())
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        notes.extend(notes::of(&self.about()));
        notes
    }
}

/// The part of a range in another one. If they do not overlap, it is empty: its last row is before
/// its first.
fn within(range: workbook::Range, other: workbook::Range) -> workbook::Range {
    workbook::Range {
        first_row: range.first_row.max(other.first_row),
        first_column: range.first_column.max(other.first_column),
        last_row: range.last_row.min(other.last_row),
        last_column: range.last_column.min(other.last_column),
    }
}

#[cfg(test)]
mod tests;
