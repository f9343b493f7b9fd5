//! Tables: rows of cells whose right edges are positions on the page.

use crate::limits;
use crate::model::{Block, Cell, Table};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The role of a cell in merged cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Merge {
    /// The cell is not merged.
    #[default]
    None,
    /// The first of merged cells.
    First,
    /// Another of merged cells.
    Continued,
}

/// The definition of a cell: `\cellx` and the words before it.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellFormat {
    /// The position of the right edge in twentieths of a point.
    pub right: i32,
    /// The role among the cells of the row.
    pub across: Merge,
    /// The role among the cells of the column.
    pub down: Merge,
}

/// The definition of a row: `\trowd` and the words after it.
#[derive(Clone, Debug, Default)]
pub struct RowFormat {
    /// The position of the left edge.
    pub left: i32,
    /// The cells.
    pub cells: Vec<CellFormat>,
    /// The words before the next `\cellx`.
    pub next: CellFormat,
}

impl RowFormat {
    /// Ends the definition of a cell.
    fn cell(&mut self, right: i32) {
        if self.cells.len() < limits::RTF_CELLS {
            let next = std::mem::take(&mut self.next);
            self.cells.push(CellFormat { right, ..next });
        }
    }
}

/// Reads a control word for the definition of a row. Returns whether it is one.
pub fn word(format: &mut Rc<RowFormat>, name: &str, value: i32) -> bool {
    if !matches!(
        name,
        "cellx" | "trleft" | "clmgf" | "clmrg" | "clvmgf" | "clvmrg"
    ) {
        return false;
    }
    if Rc::strong_count(format) > 1 {
        // Rows have this definition. Without `\trowd`, the next one has the same left edge.
        *format = Rc::new(RowFormat {
            left: format.left,
            ..RowFormat::default()
        });
    }
    let Some(format) = Rc::get_mut(format) else {
        return true;
    };
    match name {
        "cellx" => format.cell(value),
        "trleft" => format.left = value,
        "clmgf" => format.next.across = Merge::First,
        "clmrg" => format.next.across = Merge::Continued,
        "clvmgf" => format.next.down = Merge::First,
        _ => format.next.down = Merge::Continued,
    }
    true
}

/// A row: the cells and their definition.
struct Row {
    format: Rc<RowFormat>,
    cells: Vec<Vec<Block>>,
}

/// A table whose end is not read yet.
#[derive(Default)]
pub struct Builder {
    rows: Vec<Row>,
    cells: Vec<Vec<Block>>,
    /// The blocks of the current cell.
    pub blocks: Vec<Block>,
}

/// Edges of cells that are this close to each other are the same. Programs round positions.
const TOLERANCE: i32 = 30;

impl Builder {
    /// Ends a cell.
    pub fn cell(&mut self) {
        self.cells.push(std::mem::take(&mut self.blocks));
    }

    /// Ends a row.
    pub fn row(&mut self, format: &Rc<RowFormat>) {
        if !self.blocks.is_empty() {
            self.cell();
        }
        if !self.cells.is_empty() {
            self.rows.push(Row {
                format: Rc::clone(format),
                cells: std::mem::take(&mut self.cells),
            });
        }
    }

    /// Returns the table. A table of one cell is a frame around its content.
    pub fn finish(mut self, format: &Rc<RowFormat>) -> Vec<Block> {
        self.row(format);
        let edges = self.edges();
        let mut merged: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        let mut rows: Vec<Vec<Cell>> = Vec::with_capacity(self.rows.len());
        for row in self.rows {
            let mut cells = Vec::with_capacity(row.cells.len());
            // The place of the last edge, and of the column after it.
            let mut column = place(&edges, row.format.left);
            if column > 0 {
                let mut empty = Cell::new(Vec::new());
                empty.columns = column;
                cells.push(empty);
            }
            let known = row.format.cells.len();
            let formats = row.format.cells.iter().copied().map(Some);
            for (format, blocks) in formats.chain(std::iter::repeat(None)).zip(row.cells) {
                let right = format.map_or(0, |format| place(&edges, format.right));
                let columns = right.saturating_sub(column).max(1);
                let format = format.unwrap_or_default();
                let start = column;
                column = column.saturating_add(columns);
                if format.across == Merge::Continued
                    && let Some(last) = cells.last_mut()
                {
                    let last: &mut Cell = last;
                    last.columns = last.columns.saturating_add(columns);
                    last.blocks.extend(blocks);
                    continue;
                }
                if format.down == Merge::Continued
                    && let Some((row, at)) = merged.get(&start)
                    && let Some(first) = rows.get_mut(*row).and_then(|row| row.get_mut(*at))
                {
                    first.rows = first.rows.saturating_add(1);
                    continue;
                }
                if format.down == Merge::First && known > 0 {
                    merged.insert(start, (rows.len(), cells.len()));
                } else {
                    merged.remove(&start);
                }
                let mut cell = Cell::new(blocks);
                cell.columns = columns;
                cells.push(cell);
            }
            rows.push(cells);
        }
        if let [row] = &mut rows[..]
            && let [cell] = &mut row[..]
        {
            return std::mem::take(&mut cell.blocks);
        }
        if rows.is_empty() {
            return Vec::new();
        }
        vec![Block::Table(Table { rows })]
    }

    /// Returns the edges of all columns in their order.
    fn edges(&self) -> Vec<i32> {
        let mut all: Vec<i32> = Vec::new();
        let mut last: Option<&Rc<RowFormat>> = None;
        for row in self.rows.iter().filter(|row| !row.format.cells.is_empty()) {
            // Rows share a definition.
            if last.is_some_and(|last| Rc::ptr_eq(last, &row.format)) {
                continue;
            }
            last = Some(&row.format);
            all.push(row.format.left);
            all.extend(row.format.cells.iter().map(|cell| cell.right));
        }
        all.sort_unstable();
        let mut edges: Vec<i32> = Vec::new();
        for edge in all {
            let is_new = edges
                .last()
                .is_none_or(|last| edge.saturating_sub(*last) > TOLERANCE);
            if is_new && edges.len() < limits::COLUMNS {
                edges.push(edge);
            }
        }
        edges
    }
}

/// Returns the place of the edge at or before a position.
fn place(edges: &[i32], position: i32) -> usize {
    edges
        .partition_point(|edge| *edge <= position)
        .saturating_sub(1)
}
