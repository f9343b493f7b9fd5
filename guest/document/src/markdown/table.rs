//! Tables → Markdown. Merged cells repeat their text.

use super::inline::{self, Context};
use crate::limits;
use crate::model::{Block, Cell, Table};
use std::rc::Rc;

/// The number of paragraphs in the only cell of a row. More are a text in a frame.
const FRAME_PARAGRAPHS: usize = 2;

/// The number of bytes of such a text. Shorter ones are entries of a table.
const FRAME_BYTES: usize = 500;

/// A cell that covers rows below.
#[derive(Clone)]
struct Covering {
    rows: usize,
    place: Place,
}

/// A position of the grid.
#[derive(Clone)]
struct Place {
    text: Rc<str>,
    /// Whether the text repeats that of the position on the left, with which it is merged.
    repeats: bool,
}

/// The kind of the cells that start in a column of the grid.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Starts {
    /// No cell.
    #[default]
    Nothing,
    /// Cells without text.
    Blank,
    /// A cell with text.
    Text,
}

/// The number of cells that merged cells may add to the tables of a document.
pub struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(limits::REPEATED_CELLS_TOTAL)
    }
}

/// The number of cells and bytes that merged cells may still add to a table.
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

/// Returns whether a table is a frame around text: its rows have one cell with content, and one of these
/// is a long text of several paragraphs, lists, headings or tables.
pub fn is_frame(table: &Table) -> bool {
    let is_structure = |block: &Block| {
        matches!(
            block,
            Block::Heading { .. } | Block::Item { .. } | Block::Table(_)
        )
    };
    let is_long = |cell: &Cell| {
        let blocks = &cell.blocks;
        (blocks.len() > FRAME_PARAGRAPHS || blocks.iter().any(is_structure))
            && cell_text(blocks).len() > FRAME_BYTES
    };
    let count = |row: &Vec<Cell>| row.iter().filter(|cell| !cell.blocks.is_empty()).count();
    table.rows.iter().all(|row| count(row) <= 1) && table.rows.iter().flatten().any(is_long)
}

/// Writes a table.
pub fn render(table: &Table, budget: &mut Budget) -> String {
    let grid = without_noise(grid(table, budget));
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

/// Removes what merged cells repeat without a use.
///
/// A column in which no cell starts is removed: programs divide the columns of a table to place cells,
/// so that each cell may cover several. In forms, most positions repeat the cell on their left. There,
/// a column in which only empty cells start and an empty row are removed as well, and the other columns
/// do not repeat texts if most positions still would.
fn without_noise(grid: Grid) -> Vec<Vec<Rc<str>>> {
    let Grid {
        mut rows,
        starts,
        texts,
    } = grid;
    let mut repeated: Vec<usize> = Vec::new();
    for row in &rows {
        repeated.resize(repeated.len().max(row.len()), 0);
        for (place, count) in row.iter().zip(&mut repeated) {
            *count = count.saturating_add(usize::from(place.repeats));
        }
    }
    let sum = |repeated: &[usize], starts: &[Starts]| -> usize {
        let shown = repeated.iter().zip(starts);
        let shown = shown.filter(|(_, starts)| **starts != Starts::Nothing);
        shown.fold(0, |sum, (count, _)| sum.saturating_add(*count))
    };
    let is_form = sum(&repeated, &starts) >= texts.max(1);
    let kept: Vec<Starts> = starts
        .iter()
        .zip(&repeated)
        .map(|(starts, count)| match starts {
            Starts::Blank if is_form && *count > 0 => Starts::Nothing,
            starts => *starts,
        })
        .collect();
    let repeats = !is_form || sum(&repeated, &kept) < texts;
    if is_form {
        rows.retain(|row| row.iter().any(|place| !place.text.is_empty()));
    }
    if kept.contains(&Starts::Nothing) {
        for row in &mut rows {
            let mut column = 0_usize;
            row.retain(|_| {
                let keep = kept.get(column) != Some(&Starts::Nothing);
                column = column.saturating_add(1);
                keep
            });
        }
    }
    let text = |place: Place| {
        if place.repeats && !repeats {
            Rc::from("")
        } else {
            place.text
        }
    };
    rows.into_iter()
        .map(|row| row.into_iter().map(text).collect())
        .collect()
}

/// The text of each position, what starts in each column, and the number of cells with text.
struct Grid {
    rows: Vec<Vec<Place>>,
    starts: Vec<Starts>,
    texts: usize,
}

/// Returns the text of each position.
fn grid(table: &Table, all: &mut Budget) -> Grid {
    let most = limits::REPEATED_CELLS.min(all.0);
    let mut budget = Rest {
        cells: most,
        bytes: limits::REPEATED_TOTAL,
    };
    let mut above: Vec<Option<Covering>> = Vec::new();
    let mut starts: Vec<Starts> = Vec::new();
    let mut count = 0_usize;
    let mut grid = Vec::with_capacity(table.rows.len());
    for row in &table.rows {
        let mut texts: Vec<Place> = Vec::new();
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
                starts.resize(first.saturating_add(1), Starts::Nothing);
            }
            count = count.saturating_add(usize::from(!text.is_empty()));
            if let Some(start) = starts.get_mut(first) {
                *start = if text.is_empty() && *start != Starts::Text {
                    Starts::Blank
                } else {
                    Starts::Text
                };
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
                let repeats = column > 0 && !text.is_empty();
                texts.push(Place {
                    text: shown,
                    repeats,
                });
                if above.len() <= position {
                    above.resize(position.saturating_add(1), None);
                }
                if let Some(below) = above.get_mut(position) {
                    *below = (cell.rows > 1).then(|| Covering {
                        rows: cell.rows.saturating_sub(1),
                        place: Place {
                            text: Rc::clone(&repeated),
                            repeats,
                        },
                    });
                }
            }
        }
        while texts.len() < limits::COLUMNS && push_covered(&mut texts, &mut above, &mut budget) {}
        starts.resize(starts.len().max(texts.len()), Starts::Nothing);
        grid.push(texts);
    }
    all.0 = all.0.saturating_sub(most.saturating_sub(budget.cells));
    Grid {
        rows: grid,
        starts,
        texts: count,
    }
}

/// Adds the text of a cell above that covers the next position. Returns whether there is one.
fn push_covered(texts: &mut Vec<Place>, above: &mut [Option<Covering>], budget: &mut Rest) -> bool {
    let Some(slot) = above.get_mut(texts.len()) else {
        return false;
    };
    let Some(covering) = slot else {
        return false;
    };
    let Some(text) = budget.repeat(&covering.place.text) else {
        *slot = None;
        return false;
    };
    let repeats = covering.place.repeats;
    covering.rows = covering.rows.saturating_sub(1);
    if covering.rows == 0 {
        *slot = None;
    }
    texts.push(Place { text, repeats });
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
