//! Tables.

use super::maker::Maker;
use super::marked::Marked;
use super::roles::Role;
use super::tree::{Kid, Node};
use crate::bidi;
use crate::content::{Show, content};
use crate::leaders;
use omniread_document::model::{Block, Cell, Inline, Style, Table};
use std::collections::BTreeMap;

/// The left and the right side of the text of a cell. `None` if it is empty.
type Extent = Option<(f32, f32)>;

impl<'m> Maker<'m> {
    /// Makes a table. A table with one column only places its content.
    pub fn table(mut self, node: &'m Node, out: &mut Vec<Block>) {
        let mut rows = Vec::new();
        let mut others = Vec::new();
        collect(node, &mut rows, &mut others);
        for caption in others.iter().filter(|node| node.role == Role::Caption) {
            self.flow(caption, out);
        }
        let mut made = Vec::new();
        let mut places: Vec<Vec<Extent>> = Vec::new();
        for row in &rows {
            let cells = row.kids.iter().filter_map(|kid| match kid {
                Kid::Node(cell) if matches!(cell.role, Role::Cell | Role::HeaderCell) => Some(cell),
                _ => None,
            });
            let mut inner = self;
            inner.depth = 0;
            let mut extents = Vec::new();
            let cells: Vec<Cell> = cells
                .map(|cell| {
                    extents.push(self.extent(cell));
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
                    if let Some(Block::Paragraph(content)) = blocks.last_mut() {
                        leaders::trim(content);
                    }
                    Cell {
                        blocks,
                        columns: cell.columns,
                        rows: cell.rows,
                    }
                })
                .collect();
            if !cells.is_empty() {
                made.push(cells);
                places.push(extents);
            }
        }
        fill_gaps(&mut made, &places);
        trim(&mut made);
        if node.continued {
            // The table goes on from another page. Its head is repeated, so that the page can be read alone.
            made.insert(0, self.head(node, &made));
        }
        let width = made
            .iter()
            .map(|row| row.iter().map(|cell| cell.columns).sum::<usize>())
            .max()
            .unwrap_or_default();
        let is_filled = |cell: &&Cell| !cell.blocks.is_empty();
        let filled = made.iter().flatten().filter(is_filled).count();
        if width <= 1 || filled <= 1 {
            for row in made {
                for cell in row {
                    out.extend(cell.blocks);
                }
            }
        } else {
            out.push(Block::Table(Table { rows: made }));
        }
        for other in others.iter().filter(|node| node.role != Role::Caption) {
            self.node(other, out);
        }
    }

    /// The head of a table that goes on from another page. It is empty if the table has no head.
    fn head(self, node: &Node, rows: &[Vec<Cell>]) -> Vec<Cell> {
        let width = rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.columns).sum::<usize>())
            .max()
            .unwrap_or_default();
        let empty = || vec![Cell::new(Vec::new()); width];
        let Some((index, row)) = node.head.as_deref() else {
            return empty();
        };
        let page = content(self.marked.file, *index, Show::Visible);
        let marked = Marked::new(
            self.marked.file,
            &page,
            BTreeMap::new(),
            self.marked.options,
        );
        let mut cells = Vec::new();
        for kid in &row.kids {
            if let Kid::Node(cell) = kid
                && matches!(cell.role, Role::Cell | Role::HeaderCell)
            {
                let mut blocks = Vec::new();
                let mut maker = Maker::new(&marked);
                maker.depth = 1;
                maker.flow(cell, &mut blocks);
                blocks.iter_mut().for_each(plain);
                cells.push(Cell {
                    blocks,
                    columns: cell.columns,
                    rows: 1,
                });
            }
        }
        if cells.iter().map(|cell| cell.columns).sum::<usize>() == width {
            cells
        } else {
            empty()
        }
    }

    /// The sides of the text of a cell.
    fn extent(self, cell: &'m Node) -> Extent {
        let glyphs = self.glyphs(cell);
        let sides = glyphs
            .iter()
            .filter(|glyph| !glyph.text.is_blank())
            .map(|glyph| {
                let span = bidi::span(glyph);
                (span.start, span.end)
            });
        sides.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
    }
}

/// Leaves out rows without content at the start and the end. Rows between others may be a part of a form.
fn trim(rows: &mut Vec<Vec<Cell>>) {
    let is_empty = |row: &Vec<Cell>| row.iter().all(|cell| cell.blocks.is_empty());
    while rows.pop_if(|row| is_empty(row)).is_some() {}
    let simple = |row: &Vec<Cell>| row.iter().all(|cell| cell.rows <= 1);
    let first = rows
        .iter()
        .take_while(|row| is_empty(row) && simple(row))
        .count();
    rows.drain(..first);
}

/// Adds the empty cells that programs leave out. The text of the other rows says where the columns are.
fn fill_gaps(rows: &mut [Vec<Cell>], places: &[Vec<Extent>]) {
    let simple = |row: &[Cell]| row.iter().all(|cell| cell.columns == 1 && cell.rows == 1);
    let width = rows.iter().map(Vec::len).max().unwrap_or_default();
    if !rows.iter().all(|row| simple(row)) || rows.iter().all(|row| row.len() == width) {
        return;
    }
    let mut columns: Vec<Extent> = vec![None; width];
    for extents in places.iter().filter(|extents| extents.len() == width) {
        for (column, extent) in columns.iter_mut().zip(extents) {
            *column = match (*column, *extent) {
                (Some(all), Some(one)) => Some((all.0.min(one.0), all.1.max(one.1))),
                (all, one) => all.or(one),
            };
        }
    }
    for (row, extents) in rows.iter_mut().zip(places) {
        if row.len() == width {
            continue;
        }
        let mut filled: Vec<Cell> = Vec::with_capacity(width);
        let count = row.len();
        for (place, (cell, extent)) in row.drain(..).zip(extents).enumerate() {
            // The cells that follow need a place too.
            let last = width.saturating_sub(count.saturating_sub(place));
            if let Some((left, right)) = extent {
                let distance = |column: &Extent| match column {
                    Some((from, to)) => {
                        (from - right).max(left - to).max(0.0)
                            + (f32::midpoint(*from, *to) - f32::midpoint(*left, *right)).abs()
                                * 0.01
                    }
                    None => f32::MAX,
                };
                let free = columns.get(filled.len()..=last).unwrap_or_default();
                let best = free
                    .iter()
                    .enumerate()
                    .min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
                for _ in 0..best.map_or(0, |best| best.0) {
                    filled.push(Cell::new(Vec::new()));
                }
            }
            filled.push(cell);
        }
        *row = filled;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_rows_at_the_ends_are_left_out() {
        let empty = || vec![Cell::new(Vec::new()), Cell::new(Vec::new())];
        let full = || vec![Cell::text("a"), Cell::new(Vec::new())];
        let mut rows = vec![empty(), full(), empty(), full(), empty(), empty()];
        trim(&mut rows);
        let filled: Vec<bool> = rows
            .iter()
            .map(|row| row.iter().any(|cell| !cell.blocks.is_empty()))
            .collect();
        assert_eq!(filled, [true, false, true]);
        let mut rows = vec![empty(), empty()];
        trim(&mut rows);
        assert!(rows.is_empty());
    }
}
