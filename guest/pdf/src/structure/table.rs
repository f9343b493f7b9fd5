//! Tables.

use super::blocks::Maker;
use super::roles::Role;
use super::tree::{Kid, Node};
use omniread_documents::model::{Block, Cell, Inline, Style, Table};

/// Makes a table. A table with one column only places its content.
pub fn table<'m>(mut maker: Maker<'m>, node: &'m Node, out: &mut Vec<Block>) {
    let mut rows = Vec::new();
    let mut others = Vec::new();
    collect(node, &mut rows, &mut others);
    for caption in others.iter().filter(|node| node.role == Role::Caption) {
        maker.flow(caption, out);
    }
    let mut made = Vec::new();
    for row in &rows {
        let cells = row.kids.iter().filter_map(|kid| match kid {
            Kid::Node(cell) if matches!(cell.role, Role::Cell | Role::HeaderCell) => Some(cell),
            _ => None,
        });
        let mut inner = maker;
        inner.depth = 0;
        let cells: Vec<Cell> = cells
            .map(|cell| {
                let mut blocks = Vec::new();
                // Code in a cell is a part of a line.
                let mut own = inner;
                own.depth = 1;
                own.flow(cell, &mut blocks);
                if cell.role == Role::HeaderCell {
                    for block in &mut blocks {
                        plain(block);
                    }
                }
                unbold(&mut blocks);
                Cell {
                    blocks,
                    columns: cell.columns,
                    rows: cell.rows,
                }
            })
            .collect();
        if !cells.is_empty() {
            made.push(cells);
        }
    }
    let width = made
        .iter()
        .map(|row| row.iter().map(|cell| cell.columns).sum::<usize>())
        .max()
        .unwrap_or_default();
    if width <= 1 {
        for row in made {
            for cell in row {
                out.extend(cell.blocks);
            }
        }
    } else {
        out.push(Block::Table(Table { rows: made }));
    }
    for other in others.iter().filter(|node| node.role != Role::Caption) {
        maker.node(other, out);
    }
}

/// Collects the rows of a table, and what else is in it.
fn collect<'m>(node: &'m Node, rows: &mut Vec<&'m Node>, others: &mut Vec<&'m Node>) {
    for kid in &node.kids {
        if let Kid::Node(kid) = kid {
            match kid.role {
                Role::Row => rows.push(kid),
                Role::Rows | Role::Group | Role::Inline(_) => collect(kid, rows, others),
                _ => others.push(kid),
            }
        }
    }
}

/// Removes bold from a cell that is bold as a whole.
fn unbold(blocks: &mut [Block]) {
    let is_bold = |block: &Block| match block {
        Block::Paragraph(content) => content.iter().all(|piece| match piece {
            Inline::Text { text, style } => style.has(Style::BOLD) || text.trim().is_empty(),
            _ => false,
        }),
        _ => false,
    };
    if blocks.iter().all(is_bold) {
        for block in blocks {
            plain(block);
        }
    }
}

fn plain(block: &mut Block) {
    if let Block::Paragraph(content) = block {
        for piece in content {
            if let Inline::Text { style, .. } = piece {
                *style = style.without(Style::BOLD);
            }
        }
    }
}
