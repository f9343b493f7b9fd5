//! Tables, with cells that are merged over columns and rows.
//!
//! A document has no grid: each row states the edges of its cells. The columns of a table are between
//! the edges of all of its rows.

use super::sprms::{HORIZONTAL, Row, VERTICAL, VERTICAL_FIRST};
use crate::model::{Block, Cell};
use crate::word::table::{Builder, Merge};

/// Edges that are closer are the same, in twips: 2 mm.
const SAME: i32 = 113;

/// The open tables, one inside the other.
#[derive(Default)]
pub struct Tables {
    open: Vec<Open>,
}

/// A table that is being read.
#[derive(Default)]
struct Open {
    rows: Vec<(Vec<Vec<Block>>, Row)>,
    /// The cells of the current row.
    cells: Vec<Vec<Block>>,
    /// The blocks of the current cell.
    blocks: Vec<Block>,
}

impl Tables {
    /// Ends the tables that are deeper than a level, and starts those that are missing. Returns the
    /// bytes of the rows of the tables that end.
    pub fn enter(&mut self, level: usize, out: &mut Vec<Block>) -> usize {
        let mut bytes: usize = 0;
        while self.open.len() > level
            && let Some(mut table) = self.open.pop()
        {
            table.end();
            for (_, row) in &table.rows {
                bytes = bytes.saturating_add(row.edges.len().saturating_mul(4));
            }
            let parent = match self.open.last_mut() {
                Some(parent) => &mut parent.blocks,
                None => &mut *out,
            };
            finish(table.rows, parent);
        }
        while self.open.len() < level {
            self.open.push(Open::default());
        }
        bytes
    }

    /// Returns the blocks of the current cell, or those outside of tables.
    pub fn blocks<'b>(&'b mut self, out: &'b mut Vec<Block>) -> &'b mut Vec<Block> {
        match self.open.last_mut() {
            Some(table) => &mut table.blocks,
            None => out,
        }
    }

    /// Ends the current cell.
    pub fn end_cell(&mut self) {
        if let Some(table) = self.open.last_mut() {
            let blocks = std::mem::take(&mut table.blocks);
            table.cells.push(blocks);
        }
    }

    /// Ends the current row.
    pub fn end_row(&mut self, row: Row) {
        if let Some(table) = self.open.last_mut() {
            let cells = std::mem::take(&mut table.cells);
            if !cells.is_empty() {
                table.rows.push((cells, row));
            }
        }
    }
}

impl Open {
    /// Ends a row that has no end.
    fn end(&mut self) {
        if !self.blocks.is_empty() {
            let blocks = std::mem::take(&mut self.blocks);
            self.cells.push(blocks);
        }
        if !self.cells.is_empty() {
            let cells = std::mem::take(&mut self.cells);
            self.rows.push((cells, Row::default()));
        }
    }
}

/// Builds a table from rows. A table of one cell is a frame around its content.
fn finish(rows: Vec<(Vec<Vec<Block>>, Row)>, out: &mut Vec<Block>) {
    let grid = grid(&rows);
    let mut builder = Builder::default();
    for (cells, row) in rows {
        builder.start_row();
        let mut column = 0;
        if let (Some(grid), Some(edge)) = (&grid, row.edges.first()) {
            column = position(grid, *edge);
            for _ in 0..column {
                builder.push(Cell::new(Vec::new()), Merge::None);
            }
        }
        let mut first = 0;
        for (index, blocks) in cells.into_iter().enumerate() {
            let end = row.edges.get(index.saturating_add(1));
            let columns = match (&grid, end) {
                (Some(grid), Some(end)) => position(grid, *end).saturating_sub(column).max(1),
                _ => 1,
            };
            column = column.saturating_add(columns);
            let flags = row.flags.get(index).copied().unwrap_or(0);
            // The first cell of a set has one value, and the others have another.
            let side = flags & HORIZONTAL;
            if side != 0 && first != 0 && side != first {
                for _ in 0..columns {
                    builder.widen();
                }
                continue;
            }
            first = side;
            let mut cell = Cell::new(blocks);
            cell.columns = columns;
            let merge = if flags & VERTICAL_FIRST != 0 {
                Merge::First
            } else if flags & VERTICAL != 0 {
                Merge::Continued
            } else {
                Merge::None
            };
            builder.push(cell, merge);
        }
    }
    builder.finish(out);
}

/// Returns the edges between which the columns are. `None` if the cells of all rows are the columns.
fn grid(rows: &[(Vec<Vec<Block>>, Row)]) -> Option<Vec<i32>> {
    let (first, _) = rows.first()?;
    let count = first.len();
    let is_complete = |row: &Row, cells: usize| row.edges.len() > cells;
    if !rows
        .iter()
        .all(|(cells, row)| is_complete(row, cells.len()))
    {
        return None;
    }
    if rows.iter().all(|(cells, _)| cells.len() == count) {
        // Each column has a line that is in its cell in all rows.
        let aligned = (0..count).all(|index| {
            let start = rows
                .iter()
                .filter_map(|(_, row)| row.edges.get(index))
                .max();
            let next = index.saturating_add(1);
            let end = rows.iter().filter_map(|(_, row)| row.edges.get(next)).min();
            start < end
        });
        if aligned {
            return None;
        }
    }
    let edges = rows
        .iter()
        .flat_map(|(cells, row)| row.edges.iter().take(cells.len().saturating_add(1)));
    let mut edges: Vec<i32> = edges.copied().map(i32::from).collect();
    edges.sort_unstable();
    let mut grid: Vec<i32> = Vec::new();
    for edge in edges {
        if grid
            .last()
            .is_none_or(|last| edge.saturating_sub(*last) > SAME)
        {
            grid.push(edge);
        }
    }
    Some(grid)
}

/// Returns the position of an edge among those of the grid.
fn position(grid: &[i32], edge: i16) -> usize {
    let edge = i32::from(edge);
    grid.partition_point(|own| *own <= edge).saturating_sub(1)
}
