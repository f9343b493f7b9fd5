//! Tables of texts and slides, with cells that are merged over columns and rows.

use super::body::flat_text;
use super::convert::Converter;
use crate::limits;
use crate::model::{Block, Cell, Table};
use crate::xml::Element;

/// The rows of a table so far.
struct Rows {
    rows: Vec<Vec<Cell>>,
    /// The number of cells that may be repeated.
    repeats: usize,
}

impl Converter<'_> {
    /// Converts a table. A table of one cell is a frame around its content.
    pub fn table(&mut self, element: Element, depth: usize, out: &mut Vec<Block>) {
        let mut found = Rows {
            rows: Vec::new(),
            repeats: limits::REPEATED_CELLS,
        };
        self.rows(element, depth.saturating_add(1), &mut found);
        let mut rows = found.rows;
        if let [row] = &mut rows[..]
            && let [cell] = &mut row[..]
            && !self.is_slide
        {
            out.append(&mut cell.blocks);
        } else if !rows.is_empty() {
            out.push(Block::Table(Table { rows }));
        }
    }

    fn rows(&mut self, parent: Element, depth: usize, found: &mut Rows) {
        if depth >= limits::DEPTH {
            self.report.flattened = true;
            found.rows.push(vec![Cell::text(flat_text(parent))]);
            return;
        }
        for child in parent.children() {
            match child.name() {
                "table-row" => self.row(child, depth, found),
                "table-header-rows" | "table-rows" | "table-row-group" => {
                    self.rows(child, depth.saturating_add(1), found);
                }
                _ => {}
            }
        }
    }

    fn row(&mut self, row: Element, depth: usize, found: &mut Rows) {
        let mut cells = Vec::new();
        let mut covered = false;
        for cell in row.children() {
            match cell.name() {
                "table-cell" => {
                    let number = |name| cell.attr(name).and_then(|it| it.parse::<usize>().ok());
                    let own = Cell {
                        blocks: self.blocks(cell, depth.saturating_add(1)),
                        columns: number("number-columns-spanned")
                            .unwrap_or(1)
                            .clamp(1, limits::COLUMNS),
                        rows: number("number-rows-spanned").unwrap_or(1).max(1),
                    };
                    let more = number("number-columns-repeated")
                        .unwrap_or(1)
                        .saturating_sub(1);
                    for _ in 0..more.min(limits::COLUMNS) {
                        let Some(rest) = found.repeats.checked_sub(1) else {
                            break;
                        };
                        found.repeats = rest;
                        cells.push(own.clone());
                    }
                    cells.push(own);
                }
                "covered-table-cell" => covered = true,
                _ => {}
            }
        }
        if cells.is_empty() && !covered {
            return;
        }
        let repeated = row
            .attr("number-rows-repeated")
            .and_then(|it| it.parse::<usize>().ok());
        // Empty rows are repeated to fill pages.
        let is_empty = cells.iter().all(|cell| cell.blocks.is_empty());
        let more = repeated
            .filter(|_| !is_empty)
            .unwrap_or(1)
            .saturating_sub(1);
        for _ in 0..more {
            let Some(rest) = found.repeats.checked_sub(cells.len().max(1)) else {
                break;
            };
            found.repeats = rest;
            found.rows.push(cells.clone());
        }
        found.rows.push(cells);
    }
}
