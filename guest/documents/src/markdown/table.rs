//! Tables → Markdown. Merged cells repeat their text.

use super::inline::{self, Context};
use crate::limits;
use crate::model::{Block, Table};
use std::rc::Rc;

/// A cell that covers rows below.
#[derive(Clone)]
struct Covering {
    rows: usize,
    text: Rc<str>,
}

/// The number of cells that merged cells may add to the tables of a document.
pub struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(limits::REPEATED_CELLS_TOTAL)
    }
}

/// What merged cells may add to a table.
struct Rest {
    cells: usize,
    bytes: usize,
}

impl Rest {
    /// Returns the text for one more position. `None` if there may be no more positions.
    fn repeat(&mut self, text: &Rc<str>) -> Option<Rc<str>> {
        self.cells = self.cells.checked_sub(1)?;
        if let Some(rest) = self.bytes.checked_sub(text.len()) {
            self.bytes = rest;
            return Some(Rc::clone(text));
        }
        Some(Rc::from(""))
    }
}

/// Writes a table.
pub fn render(table: &Table, budget: &mut Budget) -> String {
    let grid = without_repeated_columns(grid(table, budget));
    let empty = grid
        .iter()
        .all(|row| row.iter().all(|cell| cell.is_empty()));
    if empty {
        return String::new();
    }
    let width = grid.iter().map(Vec::len).max().unwrap_or_default();
    let cells: usize = grid.iter().map(Vec::len).sum();
    // Short rows are valid. One wide row must not make all others wide.
    let padded = width.saturating_mul(grid.len()) <= cells.saturating_mul(4).max(10_000);
    let mut out = String::new();
    for (index, row) in grid.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push('|');
        for cell in row {
            if !cell.is_empty() {
                out.push(' ');
                out.push_str(cell);
            }
            out.push_str(" |");
        }
        if padded || index == 0 {
            for _ in row.len()..width {
                out.push_str(" |");
            }
        }
        if index == 0 {
            out.push_str("\n|");
            for _ in 0..width {
                out.push_str(" --- |");
            }
        }
    }
    out
}

/// Removes the columns in which no cell starts. Programs divide the columns of a table to place
/// cells, so that each cell may cover several.
fn without_repeated_columns(grid: Grid) -> Vec<Vec<Rc<str>>> {
    let Grid { mut rows, starts } = grid;
    if starts.iter().all(|starts| *starts) {
        return rows;
    }
    for row in &mut rows {
        let mut column = 0_usize;
        row.retain(|_| {
            let keep = starts.get(column).copied().unwrap_or(true);
            column = column.saturating_add(1);
            keep
        });
    }
    rows
}

/// The text of each position, and whether a cell starts in each column.
struct Grid {
    rows: Vec<Vec<Rc<str>>>,
    starts: Vec<bool>,
}

/// Returns the text of each position.
fn grid(table: &Table, all: &mut Budget) -> Grid {
    let most = limits::REPEATED_CELLS.min(all.0);
    let mut budget = Rest {
        cells: most,
        bytes: limits::REPEATED_TOTAL,
    };
    let mut above: Vec<Option<Covering>> = Vec::new();
    let mut starts: Vec<bool> = Vec::new();
    let mut grid = Vec::with_capacity(table.rows.len());
    for row in &table.rows {
        let mut texts: Vec<Rc<str>> = Vec::new();
        for cell in &row[..] {
            while texts.len() < limits::COLUMNS && push_covered(&mut texts, &mut above, &mut budget)
            {
            }
            let text: Rc<str> = Rc::from(cell_text(&cell.blocks));
            let positions = cell.columns.saturating_mul(cell.rows).saturating_sub(1);
            let is_short = text.len().saturating_mul(positions) <= limits::REPEATED_BYTES;
            let repeated: Rc<str> = if is_short {
                Rc::clone(&text)
            } else {
                Rc::from("")
            };
            let first = texts.len();
            if starts.len() <= first {
                starts.resize(first.saturating_add(1), false);
            }
            if let Some(start) = starts.get_mut(first) {
                *start = true;
            }
            for column in 0..cell.columns.clamp(1, limits::COLUMNS) {
                if texts.len() >= limits::COLUMNS {
                    break;
                }
                let shown = if column == 0 {
                    Rc::clone(&text)
                } else if let Some(shown) = budget.repeat(&repeated) {
                    shown
                } else {
                    break;
                };
                let position = texts.len();
                texts.push(shown);
                if above.len() <= position {
                    above.resize(position.saturating_add(1), None);
                }
                if let Some(below) = above.get_mut(position) {
                    *below = (cell.rows > 1).then(|| Covering {
                        rows: cell.rows.saturating_sub(1),
                        text: Rc::clone(&repeated),
                    });
                }
            }
        }
        while texts.len() < limits::COLUMNS && push_covered(&mut texts, &mut above, &mut budget) {}
        starts.resize(starts.len().max(texts.len()), false);
        grid.push(texts);
    }
    all.0 = all.0.saturating_sub(most.saturating_sub(budget.cells));
    Grid { rows: grid, starts }
}

/// Adds the text of a cell above that covers the next position. Returns whether there is one.
fn push_covered(
    texts: &mut Vec<Rc<str>>,
    above: &mut [Option<Covering>],
    budget: &mut Rest,
) -> bool {
    let Some(slot) = above.get_mut(texts.len()) else {
        return false;
    };
    let Some(covering) = slot else {
        return false;
    };
    let Some(text) = budget.repeat(&covering.text) else {
        *slot = None;
        return false;
    };
    covering.rows = covering.rows.saturating_sub(1);
    if covering.rows == 0 {
        *slot = None;
    }
    texts.push(text);
    true
}

/// Writes blocks in one line.
fn cell_text(blocks: &[Block]) -> String {
    let mut lines = Vec::new();
    collect(blocks, &mut lines);
    lines.retain(|line| !line.is_empty());
    lines.join("<br>")
}

fn collect(blocks: &[Block], lines: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Heading { content, .. } | Block::Paragraph(content) => {
                lines.push(inline::render(content, Context::Cell));
            }
            Block::Item { marker, blocks, .. } => {
                let marker = if marker.is_empty() { "-" } else { marker };
                lines.push(format!("{marker} {}", cell_text(blocks)));
            }
            Block::Table(table) => {
                for row in &table.rows {
                    let cells: Vec<String> = row
                        .iter()
                        .map(|cell| cell_text(&cell.blocks))
                        .filter(|text| !text.is_empty())
                        .collect();
                    lines.push(cells.join("; "));
                }
            }
            Block::Code { text, .. } => {
                for line in text.lines() {
                    lines.push(inline::code_span(line).replace('|', "\\|"));
                }
            }
            Block::Quote(blocks) => collect(blocks, lines),
            Block::Math(latex) => lines.push(format!("${}$", inline::math(latex, Context::Cell))),
            Block::Footnote { label, blocks } => {
                lines.push(format!("[^{label}]: {}", cell_text(blocks)));
            }
            Block::Rule | Block::Comment(_) => {}
        }
    }
}
