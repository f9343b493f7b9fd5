//! Tables of the model, and the text of their cells.

use super::grid::{Budget, Grid};
use super::inline;
use super::line::{Context, Line};
use crate::model::{Block, Cell, Table};

/// The number of paragraphs in the only cell of a row. More are a text in a frame.
const FRAME_PARAGRAPHS: usize = 2;

/// The number of bytes of such a text. Shorter ones are entries of a table.
const FRAME_BYTES: usize = 500;

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
    let mut grid = Grid::default();
    for row in &table.rows {
        grid.row(budget);
        for cell in row {
            grid.cell(&cell_text(&cell.blocks), cell.columns, cell.rows, budget);
        }
    }
    grid.markdown(budget)
}

/// Writes blocks in one line.
fn cell_text(blocks: &[Block]) -> String {
    let mut line = inline::line(Context::Cell);
    push(blocks, &mut line);
    line.take()
}

/// Adds blocks to a line, each on a line of the cell.
fn push(blocks: &[Block], line: &mut Line) {
    for block in blocks {
        let start = line.len();
        match block {
            Block::Heading { content, .. } | Block::Paragraph(content) => {
                inline::push(content, line);
            }
            Block::Item { marker, blocks, .. } => {
                line.exactly(if marker.is_empty() { "-" } else { marker });
                line.space();
                push(blocks, line);
            }
            Block::Table(table) => {
                for row in &table.rows {
                    let start = line.len();
                    for cell in row {
                        push_entry(&cell.blocks, line);
                    }
                    if line.len() > start {
                        line.line_break();
                    }
                }
            }
            Block::Code { text, .. } => {
                for code in text.lines() {
                    line.code(code);
                    line.line_break();
                }
            }
            Block::Quote(blocks) => push(blocks, line),
            Block::Math(latex) => line.formula(latex, true),
            Block::Footnote { label, blocks } => {
                line.exactly(&format!("[^{label}]:"));
                line.space();
                push(blocks, line);
            }
            Block::Rule | Block::Comment(_) => {}
        }
        if line.len() > start {
            line.line_break();
        }
    }
}

/// Adds a cell of a table in a cell.
fn push_entry(blocks: &[Block], line: &mut Line) {
    let start = line.len();
    push(blocks, line);
    if line.len() > start {
        line.entry();
    }
}
