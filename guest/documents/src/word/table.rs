//! The rows of a table, with cells that are merged over columns and rows.

use crate::model::{Block, Cell, Table};
use std::collections::BTreeMap;

/// The role of a cell in a column of merged cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// A cell that is not merged.
    None,
    /// A cell that covers the cells below that continue it.
    First,
    /// A cell that is covered by the cell above.
    Continued,
}

/// The rows of a table so far.
#[derive(Default)]
pub struct Builder {
    rows: Vec<Vec<Cell>>,
    /// The row and the place in it of the merged cell that covers the column below.
    merged: BTreeMap<usize, (usize, usize)>,
    column: usize,
}

impl Builder {
    /// Starts a row.
    pub fn start_row(&mut self) {
        self.drop_empty_row();
        self.rows.push(Vec::new());
        self.column = 0;
    }

    /// Removes the last row if it has no cells. A row whose cells are all covered stays.
    fn drop_empty_row(&mut self) {
        if self.column == 0 {
            self.rows.pop();
        }
    }

    /// Adds a cell.
    pub fn push(&mut self, cell: Cell, merge: Merge) {
        let column = self.column;
        self.column = column.saturating_add(cell.columns);
        let above = self.merged.get(&column).copied();
        if merge == Merge::Continued
            && let Some((row, place)) = above
            && let Some(first) = self.rows.get_mut(row).and_then(|row| row.get_mut(place))
        {
            first.rows = first.rows.saturating_add(1);
            return;
        }
        let at = self.rows.len().saturating_sub(1);
        let Some(row) = self.rows.last_mut() else {
            return;
        };
        if merge == Merge::First {
            self.merged.insert(column, (at, row.len()));
        } else {
            self.merged.remove(&column);
        }
        row.push(cell);
    }

    /// Adds the table to blocks. A table of one cell is a frame around its content.
    pub fn finish(mut self, out: &mut Vec<Block>) {
        self.drop_empty_row();
        if let [row] = &mut self.rows[..]
            && let [cell] = &mut row[..]
        {
            out.append(&mut cell.blocks);
        } else if !self.rows.is_empty() {
            out.push(Block::Table(Table { rows: self.rows }));
        }
    }

    /// Adds a column to the last cell.
    pub fn widen(&mut self) {
        self.column = self.column.saturating_add(1);
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) {
            cell.columns = cell.columns.saturating_add(1);
        }
    }
}
