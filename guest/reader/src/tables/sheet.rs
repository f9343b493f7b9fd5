//! The rows of a sheet of a workbook. The numbers of the rows are those of the sheet.

use super::names::unique;
use super::{Cell, Row, Rows, SqlValue};
use crate::limits;
use crate::path::cells::{format_range, index, letters, quoted_name};
use crate::units;
use crate::world::{
    CellRange, CellValue, Document, DocumentError, FileError, NamedTable, SheetCell, SheetFacts,
    SheetRow, SheetWindow,
};
use std::collections::VecDeque;

/// A sheet, or a rectangle of it, as rows.
pub struct SheetRows {
    name: String,
    facts: SheetFacts,
    /// The rectangle that is read.
    range: CellRange,
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
    buffer: VecDeque<SheetRow>,
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
    /// The number of hidden rows that were returned, and the first of them.
    hidden: (u64, u32),
}

/// Where the rows come from.
enum Source {
    /// The document engine, and the index of the sheet.
    Engine(Box<dyn Document>, u64),
    /// All rows of the rectangle, in memory, and the index of the next one.
    Memory(Vec<SheetRow>, usize),
}

/// What is read of a sheet.
#[derive(Clone, Copy, Debug, Default)]
pub struct SheetOptions {
    /// The rectangle. `None` is everything.
    pub range: Option<CellRange>,
    /// Whether formulas are shown beside values.
    pub formulas: bool,
    /// Whether all rows are loaded first, so that another engine can run. Rows above the row with
    /// the names of the columns are left out.
    pub loaded: bool,
    /// Whether rows above the row with the names of the columns are read too.
    pub all: bool,
}

impl SheetRows {
    /// Opens a sheet of a workbook. `index` is from 0.
    ///
    /// # Errors
    /// Fails if the engine fails, or if all rows are loaded and there are too many.
    pub fn open(
        mut document: Box<dyn Document>,
        index: u64,
        name: &str,
        wanted: SheetOptions,
    ) -> Result<Self, DocumentError> {
        let facts = document.sheet(index)?;
        let unit = usize::try_from(index).ok();
        let unit = unit.and_then(|index| document.summary().units.get(index));
        let is_hidden = unit.is_some_and(|unit| unit.hidden);
        let used = facts.used.unwrap_or(CellRange {
            first_row: 1,
            first_column: 1,
            last_row: 1,
            last_column: 1,
        });
        let range = wanted.range.map_or(used, |range| within(range, used));
        let mut sheet = Self {
            name: name.to_owned(),
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
            hidden: (0, 0),
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
        sheet.header = sheet.find_header();
        sheet.name_columns();
        if !wanted.all {
            let first = sheet.header.map_or(0, |row| row.saturating_add(1));
            sheet.drop_before(first);
        }
        Ok(sheet)
    }

    /// Reads rows into the buffer.
    fn fetch(&mut self, cells: u32) -> Result<(), DocumentError> {
        let Source::Engine(document, index) = &mut self.source else {
            return Ok(());
        };
        if self.next > self.range.last_row || self.facts.used.is_none() {
            return Ok(());
        }
        let window = SheetWindow {
            cells: CellRange {
                first_row: self.next,
                ..self.range
            },
            formulas: self.formulas,
            count: cells,
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
        while self.next <= self.range.last_row && self.facts.used.is_some() {
            self.fetch(limits::LOADED_BATCH_CELLS)?;
            if self.cells > limits::LOADED_CELLS {
                return Err(DocumentError::Exhausted("cells".to_owned()));
            }
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
        let columns: std::collections::BTreeSet<u32> = cells.map(|cell| cell.column).collect();
        columns.into_iter().collect()
    }

    /// The first rows, which are read already.
    fn first_rows(&self) -> Vec<&SheetRow> {
        match &self.source {
            Source::Engine(..) => self.buffer.iter().take(limits::HEADER_ROWS).collect(),
            Source::Memory(rows, _) => rows.iter().take(limits::HEADER_ROWS).collect(),
        }
    }

    /// Finds the row that has the names of the columns: the header of a table of the workbook, or
    /// the first row of texts that is about as wide as the rows after it.
    fn find_header(&self) -> Option<u32> {
        let rows = self.first_rows();
        let of_table = |table: &&NamedTable| {
            table.header && rows.iter().any(|row| row.number == table.cells.first_row)
        };
        let size = |table: &&NamedTable| table.cells.last_row.saturating_sub(table.cells.first_row);
        if let Some(table) = self.facts.tables.iter().filter(of_table).max_by_key(size) {
            return Some(table.cells.first_row);
        }
        let widest = rows.iter().map(|row| row.cells.len()).max()?;
        let is_wide = |row: &SheetRow| {
            let cells = row.cells.len();
            cells.saturating_mul(2) > widest && (cells > 1 || widest == 1)
        };
        let (place, header) = rows.iter().enumerate().find(|(_, row)| is_wide(row))?;
        let is_name = |cell: &SheetCell| match &cell.value {
            CellValue::Text(text) => !text.trim().is_empty(),
            // Years and dates name columns too, but not alone.
            CellValue::Date(_) => true,
            CellValue::Number(number) => (1900.0..=2100.0).contains(number),
            CellValue::Bool(_) | CellValue::Error(_) => false,
        };
        let has_text = header
            .cells
            .iter()
            .any(|cell| matches!(cell.value, CellValue::Text(_)));
        let followed = rows.get(place.saturating_add(1)).is_some();
        (has_text && followed && header.cells.iter().all(is_name)).then_some(header.number)
    }

    /// Names the columns by the header, or by letters.
    fn name_columns(&mut self) {
        let header = self.header;
        let found = self
            .first_rows()
            .into_iter()
            .find(|row| Some(row.number) == header);
        let names = self.places.iter().map(|place| {
            let cell = found.and_then(|row| row.cells.iter().find(|cell| cell.column == *place));
            let name = cell.map(shown).unwrap_or_default();
            let words: Vec<&str> = name.split_whitespace().collect();
            match words.join(" ") {
                name if name.is_empty() => letters(index(*place)),
                name => name,
            }
        });
        self.columns = unique(names.collect::<Vec<_>>().into_iter());
    }

    /// Leaves out the rows before a number.
    fn drop_before(&mut self, first: u32) {
        self.range.first_row = self.range.first_row.max(first);
        let header = self.header;
        let mut above = 0usize;
        let mut keep = |row: &SheetRow| {
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
            let hidden = row.hidden;
            let row = (row.number, to_row(row, &self.places));
            self.count_hidden(row.0, hidden);
            return Some(row);
        }
        if self.buffer.is_empty()
            && let Err(error) = self.fetch(limits::SHEET_BATCH_CELLS)
        {
            self.notes.push(format!("rows are missing: {error}"));
            self.next = self.range.last_row.saturating_add(1);
        }
        let row = self.buffer.pop_front()?;
        self.count_hidden(row.number, row.hidden);
        Some((row.number, to_row(&row, &self.places)))
    }

    fn count_hidden(&mut self, number: u32, is_hidden: bool) {
        if is_hidden {
            if self.hidden.0 == 0 {
                self.hidden.1 = number;
            }
            self.hidden.0 = self.hidden.0.saturating_add(1);
        }
    }
}

/// A row with a cell for each column up to its last one with a value.
fn to_row(row: &SheetRow, places: &[u32]) -> Row {
    let mut cells: Vec<Cell> = Vec::with_capacity(places.len());
    let mut places = places.iter();
    for cell in &row.cells {
        for place in places.by_ref() {
            if *place >= cell.column {
                break;
            }
            cells.push(Cell::empty());
        }
        cells.push(of_cell(cell));
    }
    Row {
        number: u64::from(row.number),
        cells,
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
        self.hidden = (0, 0);
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
        let hidden = if self.is_hidden { " (hidden)" } else { "" };
        let mut text = format!("sheet `{}`{hidden}: ", self.name);
        match self.facts.used {
            Some(used) => {
                let rows = units::thousands(u64::from(self.facts.rows));
                let many = if self.facts.rows == 1 { "" } else { "s" };
                text.push_str(&format!("cells {}, {rows} row{many}", format_range(used)));
            }
            None => text.push_str("no cell has a value"),
        }
        match self.header {
            Some(row) => {
                text.push_str(&format!("; row {row} has the names of the columns"));
                match self.above {
                    0 => {}
                    1 => text.push_str(", and 1 row above it is left out"),
                    rows => text.push_str(&format!(", and {rows} rows above it are left out")),
                }
            }
            None => {
                text.push_str("; the columns have letters, because no row here has names for them");
            }
        }
        text
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        match self.hidden {
            (0, _) => {}
            (1, row) => notes.push(format!("row {row} is hidden in the workbook")),
            (count, row) => notes.push(format!(
                "{count} of the rows that were read are hidden in the workbook, the first is {row}"
            )),
        }
        if let [_, ..] = self.facts.tables.as_slice() {
            let tables = self.facts.tables.iter();
            let list =
                tables.map(|table| format!("`{}` {}", table.name, format_range(table.cells)));
            notes.push(format!("tables: {}", shortened(list)));
        }
        let seen = |range: &&CellRange| {
            range.first_row <= self.range.last_row && range.last_row >= self.range.first_row
        };
        let merged: Vec<String> = self
            .facts
            .merged
            .iter()
            .filter(seen)
            .map(|range| format_range(*range))
            .collect();
        if !merged.is_empty() {
            let list = shortened(merged.into_iter());
            notes.push(format!(
                "merged cells, with the value in the first one: {list}"
            ));
        }
        notes
    }
}

/// The first entries of a list, and the number of the others.
fn shortened(list: impl ExactSizeIterator<Item = String>) -> String {
    let more = list.len().saturating_sub(limits::LISTED_RANGES);
    let first: Vec<String> = list.take(limits::LISTED_RANGES).collect();
    let first = first.join(", ");
    match more {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// The part of a range in another one. If they do not overlap, it is empty: its last row is before
/// its first.
fn within(range: CellRange, other: CellRange) -> CellRange {
    CellRange {
        first_row: range.first_row.max(other.first_row),
        first_column: range.first_column.max(other.first_column),
        last_row: range.last_row.min(other.last_row),
        last_column: range.last_column.min(other.last_column),
    }
}

/// The text of a cell.
fn shown(cell: &SheetCell) -> String {
    if let Some(shown) = &cell.shown {
        return shown.clone();
    }
    match &cell.value {
        CellValue::Text(text) | CellValue::Date(text) | CellValue::Error(text) => text.clone(),
        CellValue::Number(number) => number.to_string(),
        CellValue::Bool(true) => "TRUE".to_owned(),
        CellValue::Bool(false) => "FALSE".to_owned(),
    }
}

/// A cell of a table. A condition on a date compares its form in ISO 8601.
fn of_cell(cell: &SheetCell) -> Cell {
    let mut text = shown(cell);
    if let Some(formula) = &cell.formula {
        text.push_str(&format!(" `={formula}`"));
    }
    let value = match &cell.value {
        CellValue::Number(number) => SqlValue::of_number(*number),
        CellValue::Bool(value) => SqlValue::Integer(i64::from(*value)),
        CellValue::Date(date) if *date != text => SqlValue::Other(date.clone()),
        CellValue::Text(value) if *value != text => SqlValue::Other(value.clone()),
        CellValue::Date(_) | CellValue::Text(_) | CellValue::Error(_) => SqlValue::Text,
    };
    Cell {
        bytes: text.len() as u64,
        text,
        value,
    }
}

#[cfg(test)]
mod tests;
