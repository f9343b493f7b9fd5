//! The positions of the rows of a sheet in a stream of records.
//!
//! The index is built in one pass over the headers of the records. A window of rows is then read
//! from its position. Rows out of order, which some programs write, are sorted.

use crate::limits;
use crate::workbook::{Cell, LAST_COLUMN, LAST_ROW, Range, Row, Rows, Value, Window};

/// Consecutive records with cells of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of the row, from 0.
    pub row: u32,
    /// The position of the first record in the stream.
    pub at: u32,
}

/// The rows of a sheet with a value or a formula.
#[derive(Debug, Default)]
pub struct RowIndex {
    runs: Vec<Run>,
    sorted: bool,
    /// Whether the next cell starts a run.
    start: bool,
    /// The smallest rectangle around the cells with a value.
    used: Option<Range>,
    rows: u32,
    /// Whether rows are left out.
    cut: bool,
    /// The last row with a value, from 0.
    last: Option<u32>,
}

/// The cells of a row while its runs are read.
#[derive(Debug, Default)]
pub struct RowContent {
    cells: Vec<Cell>,
    /// Whether the row is hidden.
    pub hidden: bool,
    /// The number of bytes that the texts of this row and of the next ones may have.
    pub budget: usize,
    /// Whether texts were cut.
    pub cut: bool,
}

impl RowContent {
    /// Adds a cell. Cuts its text to the size of a cell and to the rest of the budget.
    pub fn push(&mut self, mut cell: Cell) {
        self.cut |= fit(&mut cell, &mut self.budget);
        self.cells.push(cell);
    }
}

impl RowIndex {
    /// Returns an index without rows.
    pub fn new() -> Self {
        Self {
            sorted: true,
            ..Self::default()
        }
    }

    /// Ends the run. The next cell starts another one, even if it is in the same row.
    pub fn end_run(&mut self) {
        self.start = true;
    }

    /// Adds a cell. Positions are from 0. `at` is the position of the run of records of its row.
    /// `blank` is a cell without a value but with a formula. Cells outside of a sheet are ignored.
    pub fn add(&mut self, row: u32, column: u32, at: usize, blank: bool) {
        if row >= LAST_ROW || column >= LAST_COLUMN {
            return;
        }
        let Ok(at) = u32::try_from(at) else {
            return;
        };
        match self.runs.last() {
            Some(run) if run.row == row && !self.start => {}
            _ if self.runs.len() >= limits::SHEET_ROWS => {
                self.cut = true;
                return;
            }
            last => {
                self.start = false;
                self.sorted &= last.is_none_or(|run| run.row <= row);
                self.runs.push(Run { row, at });
            }
        }
        if blank {
            return;
        }
        if self.last != Some(row) {
            self.last = Some(row);
            self.rows = self.rows.saturating_add(1);
        }
        let (row, column) = (row.saturating_add(1), column.saturating_add(1));
        let used = self.used.get_or_insert(Range {
            first_row: row,
            first_column: column,
            last_row: row,
            last_column: column,
        });
        used.first_row = used.first_row.min(row);
        used.last_row = used.last_row.max(row);
        used.first_column = used.first_column.min(column);
        used.last_column = used.last_column.max(column);
    }

    /// Sorts the rows after the last cell was added.
    pub fn finish(&mut self) {
        if !self.sorted {
            self.runs.sort_by_key(|run| run.row);
            let rows = self.runs.chunk_by(|run, next| run.row == next.row).count();
            self.rows = u32::try_from(rows).unwrap_or(u32::MAX);
        }
        self.runs.shrink_to_fit();
    }

    /// Whether rows were out of order, before [`Self::finish`].
    pub fn is_sorted(&self) -> bool {
        self.sorted
    }

    /// The number of runs in memory.
    pub fn size(&self) -> usize {
        self.runs.len()
    }

    /// A note if rows are left out.
    pub fn note(&self) -> Option<String> {
        self.cut
            .then(|| "The sheet has too many rows. The last ones are left out.".to_owned())
    }

    /// The rectangle around the cells with a value.
    pub fn used(&self) -> Option<Range> {
        self.used
    }

    /// The number of rows with a value.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Reads the rows of a window. `read` adds the cells of a run to its row.
    pub fn read(&self, window: &Window, mut read: impl FnMut(Run, &mut RowContent)) -> Rows {
        let mut found = Rows::default();
        let (mut count, mut budget, mut cut) = (0_usize, limits::ROWS_BYTES, false);
        let start = window.range.first_row;
        let first = self
            .runs
            .partition_point(|run| run.row.saturating_add(1) < start);
        let rest = self.runs.get(first..).unwrap_or_default();
        for runs in rest.chunk_by(|run, next| run.row == next.row) {
            let number = runs
                .first()
                .map_or(u32::MAX, |run| run.row.saturating_add(1));
            if number > window.range.last_row {
                break;
            }
            let full = count >= window.cells || budget < limits::ROWS_BYTES / 2;
            if full && !found.rows.is_empty() {
                found.more = true;
                break;
            }
            let mut row = RowContent {
                budget,
                ..RowContent::default()
            };
            for run in runs {
                read(*run, &mut row);
            }
            let RowContent {
                mut cells, hidden, ..
            } = row;
            budget = row.budget;
            cut |= row.cut;
            sort(&mut cells);
            count = count.saturating_add(cells.len());
            if !cells.is_empty() {
                found.rows.push(Row {
                    number,
                    hidden,
                    cells,
                });
            }
        }
        if cut {
            found
                .notes
                .push("Some texts are longer than a sheet can show. They are cut.".to_owned());
        }
        found
    }
}

/// Sorts the cells of a row by their columns. Of two cells in a column, the later one stays.
fn sort(cells: &mut Vec<Cell>) {
    if cells.is_sorted_by(|cell, next| cell.column < next.column) {
        return;
    }
    cells.reverse();
    cells.sort_by_key(|cell| cell.column);
    cells.dedup_by_key(|cell| cell.column);
}

/// Cuts a text to the size of a cell and to the rest of the budget. Returns whether it was cut.
fn fit(cell: &mut Cell, budget: &mut usize) -> bool {
    let formula = cell.formula.as_ref().map_or(0, String::len);
    let Value::Text(text) = &mut cell.value else {
        *budget = budget.saturating_sub(formula);
        return false;
    };
    let limit = limits::CELL_BYTES.min(*budget);
    let cut = text.len() > limit;
    if cut {
        *text = text
            .get(..text.floor_char_boundary(limit))
            .unwrap_or_default()
            .into();
        cell.shown = None;
    }
    *budget = budget.saturating_sub(text.len().saturating_add(formula));
    cut
}
