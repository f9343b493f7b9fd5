//! Tables: groups of shapes whose edges are the grid.

use crate::model::{Block, Cell, Table};
use crate::slides::area::Area;

/// The maximum number of positions of a grid. A larger table is shown as text.
const POSITIONS: usize = 1 << 20;

/// Edges that are closer are the same, in English metric units: a hundredth of an inch.
const SAME: i64 = 9_144;

/// Builds a table from cells. `None` if the grid is too large.
pub fn build(mut cells: Vec<(Area, Vec<Block>)>) -> Option<Table> {
    let lefts = edges(cells.iter().map(|(area, _)| area.left));
    let tops = edges(cells.iter().map(|(area, _)| area.top));
    if lefts.len().checked_mul(tops.len())? > POSITIONS || cells.is_empty() {
        return None;
    }
    let place = |edges: &[i64], at: i64| {
        let limit = at.saturating_add(SAME);
        edges
            .partition_point(|edge| *edge <= limit)
            .saturating_sub(1)
    };
    cells.sort_by_key(|(area, _)| (place(&tops, area.top), place(&lefts, area.left)));
    let mut table = Table::default();
    table.rows.resize_with(tops.len(), Vec::new);
    // The row below the cell that covers each column.
    let mut covered = vec![0; lefts.len()];
    let mut current = (0, 0);
    for (area, blocks) in cells {
        let row = place(&tops, area.top);
        let column = place(&lefts, area.left);
        if current.0 != row {
            fill(&mut table, &mut covered, current, lefts.len());
            for between in current.0.saturating_add(1)..row {
                fill(&mut table, &mut covered, (between, 0), lefts.len());
            }
            current = (row, 0);
        }
        fill(&mut table, &mut covered, current, column);
        let span = |edges: &[i64], first: usize, end: i64| {
            let limit = end.saturating_sub(SAME);
            let next = edges.partition_point(|edge| *edge < limit);
            next.saturating_sub(first).max(1)
        };
        let mut cell = Cell::new(blocks);
        cell.columns = span(&lefts, column, area.left.saturating_add(area.width));
        cell.rows = span(&tops, row, area.top.saturating_add(area.height));
        let next = column.saturating_add(cell.columns);
        if covered.get(column).is_some_and(|below| *below > row) || column < current.1 {
            // It overlaps another cell.
            continue;
        }
        for below in covered.iter_mut().take(next).skip(column) {
            *below = row.saturating_add(cell.rows);
        }
        if let Some(row) = table.rows.get_mut(row) {
            row.push(cell);
        }
        current.1 = next;
    }
    fill(&mut table, &mut covered, current, lefts.len());
    Some(table)
}

/// Adds empty cells from a position to a column, where no cell above covers them.
fn fill(table: &mut Table, covered: &mut [usize], (row, from): (usize, usize), to: usize) {
    let Some(cells) = table.rows.get_mut(row) else {
        return;
    };
    for below in covered.iter_mut().take(to).skip(from) {
        if *below <= row {
            *below = row.saturating_add(1);
            cells.push(Cell::new(Vec::new()));
        }
    }
}

/// Returns sorted edges without those that are the same.
fn edges(all: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut all: Vec<i64> = all.collect();
    all.sort_unstable();
    all.dedup_by(|next, last| next.saturating_sub(*last) < SAME);
    all
}
