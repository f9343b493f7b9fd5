//! The cells of a table, which may span rows and columns, as a table in Markdown.

use crate::limits;

/// The number of bytes that a cell adds to its text in Markdown: two spaces and a bar.
const CELL_BYTES: usize = 3;

/// The number of bytes that the repeated text of spanning cells may add to the text of a page of
/// `bytes` bytes.
pub fn spare(bytes: usize) -> usize {
    bytes
        .saturating_mul(limits::SPANNED_PER_BYTE)
        .saturating_add(limits::SPANNED_BYTES)
        .min(limits::MAX_SPANNED_BYTES)
}

/// A table that is converted to Markdown row by row.
#[derive(Default)]
pub struct Grid {
    /// Rows of the header.
    head: Vec<Vec<String>>,
    /// The rows that are not in the header, as Markdown lines.
    body: String,
    /// The number of columns of the widest row.
    width: usize,
    group: Group,
    row: Row,
    /// The kind and the spans of the cell that is being read.
    cell: Cell,
    /// For each column, the text of a cell that spans several rows, and the number of rows in which
    /// the text must still be repeated. The number is 0 if the column has no such cell.
    reach: Vec<Reach>,
    /// Whether spans were ignored because too much text was repeated.
    cut: bool,
}

/// The row group to which the next rows belong: `<thead>` or another one.
#[derive(Default, PartialEq, Eq)]
enum Group {
    /// No row group was started.
    #[default]
    Unknown,
    Head,
    Body,
}

/// The row that is being read. It is open once one of its own cells has ended. Cells of rows above
/// that span this row are not its own.
#[derive(Default)]
struct Row {
    cells: Vec<String>,
    open: bool,
}

#[derive(Default)]
struct Cell {
    columns: usize,
    rows: usize,
}

#[derive(Clone, Default)]
struct Reach {
    rows: usize,
    text: String,
}

impl Grid {
    /// Ends the open row and starts a row group. `head` is whether the group is `<thead>`.
    pub fn group(&mut self, head: bool, spare: &mut usize) {
        self.row(spare);
        self.group = if head { Group::Head } else { Group::Body };
        self.reach.clear();
    }

    /// Ends the open row and adds it to the table. Does nothing if no row is open.
    pub fn row(&mut self, spare: &mut usize) {
        if !self.row.open {
            return;
        }
        while self.row.cells.len() < self.reach.len() {
            if self.reached(spare) {
                continue;
            }
            if !spend("", spare) {
                self.stop();
            }
            self.row.cells.push(String::new());
        }
        while self.reach.last().is_some_and(|reach| reach.rows == 0) {
            self.reach.pop();
        }
        let row = std::mem::take(&mut self.row);
        self.width = self.width.max(row.cells.len());
        let first = self.head.is_empty() && self.body.is_empty();
        let header = match self.group {
            Group::Head => self.head.len() < limits::HEADER_ROWS && self.body.is_empty(),
            Group::Unknown | Group::Body => first,
        };
        if header {
            self.head.push(row.cells);
        } else {
            line(&row.cells, &mut self.body);
        }
    }

    /// Starts a cell that spans these numbers of columns and rows.
    pub fn cell(&mut self, (columns, rows): (usize, usize)) {
        // A row span of 0 extends to the end of the group.
        let rows = if rows == 0 { usize::MAX } else { rows };
        self.cell = Cell {
            columns: columns.clamp(1, limits::SPANNED_COLUMNS),
            rows: rows.clamp(1, limits::SPANNED_ROWS),
        };
    }

    /// Ends the open cell, whose text is `text`. The text is repeated in each row and column that
    /// the cell spans.
    pub fn end_cell(&mut self, text: &str, spare: &mut usize) {
        while self.reached(spare) {}
        self.row.open = true;
        let text = text.replace('|', "\\|");
        let below = self.cell.rows.saturating_sub(1);
        for n in 0..self.cell.columns {
            if n > 0 && !spend(&text, spare) {
                self.stop();
                break;
            }
            let column = self.row.cells.len();
            if below > 0 {
                if self.reach.len() <= column {
                    self.reach
                        .resize(column.saturating_add(1), Reach::default());
                }
                if let Some(reach) = self.reach.get_mut(column) {
                    *reach = Reach {
                        rows: below,
                        text: text.clone(),
                    };
                }
            } else if let Some(reach) = self.reach.get_mut(column) {
                // The cell overlaps a cell from above.
                reach.rows = reach.rows.saturating_sub(1);
            }
            self.row.cells.push(text.clone());
        }
    }

    /// The table as Markdown lines.
    pub fn markdown(&mut self, spare: &mut usize) -> String {
        self.row(spare);
        let mut out = String::new();
        if self.width == 0 {
            return out;
        }
        line(&merged(&self.head, self.width), &mut out);
        out.push('|');
        for _ in 0..self.width {
            out.push_str(" --- |");
        }
        out.push('\n');
        out.push_str(&self.body);
        out.pop();
        out
    }

    /// Whether spans were ignored because too much text was repeated.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Adds the text of a cell from a row above to the current row, if that cell spans the next
    /// column of this row. Returns whether a cell was added.
    fn reached(&mut self, spare: &mut usize) -> bool {
        let column = self.row.cells.len();
        let Some(reach) = self.reach.get_mut(column).filter(|reach| reach.rows > 0) else {
            return false;
        };
        if !spend(&reach.text, spare) {
            self.stop();
            return false;
        }
        reach.rows = reach.rows.saturating_sub(1);
        let text = reach.text.clone();
        self.row.cells.push(text);
        true
    }

    /// Ends all row spans, and records that spans are ignored from this row on.
    fn stop(&mut self) {
        self.reach.clear();
        self.cut = true;
    }
}

/// Subtracts the bytes of a repeated cell from `spare`, the number of bytes that spans may still
/// add. Returns `false` and sets `spare` to 0 if too few bytes are left.
fn spend(text: &str, spare: &mut usize) -> bool {
    let left = spare.checked_sub(text.len().saturating_add(CELL_BYTES));
    *spare = left.unwrap_or(0);
    left.is_some()
}

/// Merges the rows of a header into one row of `width` cells. The texts of each column are joined
/// with ` / `.
fn merged(rows: &[Vec<String>], width: usize) -> Vec<String> {
    let mut merged = vec![String::new(); width];
    let mut last = vec![""; width];
    for row in rows {
        for ((text, last), cell) in merged.iter_mut().zip(&mut last).zip(row) {
            // A cell that spans rows has the same text in each.
            if cell.is_empty() || cell == last {
                continue;
            }
            if !text.is_empty() {
                text.push_str(" / ");
            }
            text.push_str(cell);
            *last = cell;
        }
    }
    merged
}

fn line(cells: &[String], out: &mut String) {
    out.push('|');
    for cell in cells {
        out.push(' ');
        out.push_str(cell);
        out.push_str(" |");
    }
    out.push('\n');
}
