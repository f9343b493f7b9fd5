//! Tables of texts and slides, with cells that are merged over columns and rows.

use super::body::flat_text;
use super::convert::Converter;
use crate::limits;
use crate::model::{Block, Cell, Table};
use crate::xml::{Content, Element};

/// The note on cells above the limit.
const REPEATS: &str = "Too many cells are repeated. The others are left out.";

impl Converter<'_> {
    /// Converts a table. A table of one cell is a frame around its content.
    pub fn table(&mut self, element: Element, depth: usize, out: &mut Vec<Block>) {
        let mut rows = Vec::new();
        self.rows(element, depth.saturating_add(1), &mut rows);
        if let [row] = &mut rows[..]
            && let [cell] = &mut row[..]
            && !self.is_slide
        {
            out.append(&mut cell.blocks);
        } else if !rows.is_empty() {
            out.push(Block::Table(Table { rows }));
        }
    }

    fn rows(&mut self, parent: Element, depth: usize, rows: &mut Vec<Vec<Cell>>) {
        if depth >= limits::DEPTH {
            self.report.flattened = true;
            rows.push(vec![Cell::text(flat_text(parent))]);
            return;
        }
        for child in parent.children() {
            match child.name() {
                "table-row" => self.row(child, depth, rows),
                "table-header-rows" | "table-rows" | "table-row-group" => {
                    self.rows(child, depth.saturating_add(1), rows);
                }
                _ => {}
            }
        }
    }

    fn row(&mut self, row: Element, depth: usize, rows: &mut Vec<Vec<Cell>>) {
        let mut cells = Vec::new();
        let mut size = 0_usize;
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
                    let each = weight(cell);
                    size = size.saturating_add(each);
                    for _ in 0..more.min(limits::COLUMNS) {
                        if !self.may_repeat(each) {
                            break;
                        }
                        size = size.saturating_add(each);
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
            if !self.may_repeat(size.max(1)) {
                break;
            }
            rows.push(cells.clone());
        }
        rows.push(cells);
    }

    /// Counts repeated cells by their size. Returns whether they may be shown.
    fn may_repeat(&mut self, size: usize) -> bool {
        let rest = self.repeats.checked_sub(size);
        if rest.is_none() && !self.report.notes.iter().any(|note| note == REPEATS) {
            self.report.notes.push(REPEATS.to_owned());
        }
        self.repeats = rest.unwrap_or(self.repeats);
        rest.is_some()
    }
}

/// Returns the size of a cell in elements and texts. 100 bytes of text count as one.
fn weight(cell: Element) -> usize {
    let nodes = cell.all_content().map(|node| match node {
        Content::Element(_) => 1,
        Content::Text(text) => text.len().div_ceil(100),
    });
    nodes.fold(1_usize, usize::saturating_add)
}
