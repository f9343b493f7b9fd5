//! Tables.

use super::columns::{self, Columns, Extent, Shape};
use super::maker::Maker;
use super::marked::Marked;
use super::roles::Role;
use super::tree::{Kid, Node};
use crate::bidi;
use crate::content::{Show, content};
use crate::extremes::Extremes as _;
use crate::leaders;
use crate::page::Direction;
use crate::script;
use omniread_document::model::{Block, Cell, Inline, Style, Table};
use std::collections::{BTreeMap, BTreeSet};

impl<'m> Maker<'m> {
    /// Makes a table. A table with one column only places its content.
    pub fn table(mut self, node: &'m Node, out: &mut Vec<Block>) {
        let mut rows = Vec::new();
        let mut others = Vec::new();
        collect(node, &mut rows, &mut others);
        for caption in others.iter().filter(|node| node.role == Role::Caption) {
            self.flow(caption, out);
        }
        let rows: Vec<Vec<&Node>> = rows
            .iter()
            .map(|row| {
                let cells = row.kids.iter().filter_map(|kid| match kid {
                    Kid::Node(cell) if matches!(cell.role, Role::Cell | Role::HeaderCell) => {
                        Some(cell)
                    }
                    _ => None,
                });
                cells.collect::<Vec<&Node>>()
            })
            .filter(|row| !row.is_empty())
            .collect();
        let mut turned = false;
        let mut shapes: Vec<Vec<Shape>> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| self.shape(cell, &mut turned))
                    .collect()
            })
            .collect();
        let columns = Columns::of(&shapes, self.is_from_right(&rows, &shapes)).filter(|_| !turned);
        let mut made: Vec<Vec<Cell>> = Vec::with_capacity(rows.len());
        for (row, shapes) in rows.iter().zip(&mut shapes) {
            made.push(self.row(row, shapes, columns.as_ref()));
        }
        if let Some(columns) = &columns {
            let moves = columns::moves(columns, &shapes);
            for ((row, shapes), moves) in made.iter_mut().zip(&mut shapes).zip(moves) {
                // Images and fields have no text, and no position here.
                let mut unplaced = row.iter().zip(moves.iter().flatten());
                let whole = unplaced.all(|it| *it.1 != usize::MAX || it.0.blocks.is_empty());
                if let Some(moves) = moves.filter(|_| whole) {
                    // Chromium writes no tags for cells without text. That is no contradiction.
                    let is_short = row.len() < columns.count() && moves.is_sorted();
                    place(row, shapes, &moves, columns.count());
                    self.marked.moved.set(self.marked.moved.get() || !is_short);
                }
            }
        }
        fill_gaps(&mut made, &shapes);
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

    /// The cells of a row. A cell whose texts are in several columns becomes several cells.
    fn row(
        self,
        row: &[&'m Node],
        shapes: &mut Vec<Shape>,
        columns: Option<&Columns>,
    ) -> Vec<Cell> {
        let mut inner = self;
        inner.depth = 0;
        let filled = shapes.iter().filter(|it| it.extent.is_some()).count();
        let mut out = Vec::with_capacity(row.len());
        let mut own: Vec<Shape> = Vec::with_capacity(row.len());
        for (cell, shape) in row.iter().zip(shapes.iter()) {
            let parts = columns
                .filter(|it| filled < it.count() && shape.columns == 1 && shape.rows == 1)
                .map(|it| self.split(cell, shape, it))
                .unwrap_or_default();
            if parts.len() < 2 {
                out.push(inner.cell(cell));
                own.push(*shape);
                continue;
            }
            self.marked.moved.set(true);
            for part in &parts {
                let marked = self.marked.part(&part.glyphs);
                let mut maker = Maker::new(&marked);
                maker.plain = inner.plain;
                out.push(maker.cell(cell));
                own.push(Shape {
                    extent: Some(part.sides),
                    ..*shape
                });
            }
        }
        *shapes = own;
        out
    }

    /// Makes a cell.
    fn cell(self, cell: &'m Node) -> Cell {
        let mut blocks = Vec::new();
        // Code in a cell is a part of a line.
        let mut own = self;
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
    }

    /// A cell and the sides of its text. Sets `turned` if it has text of another direction.
    fn shape(self, cell: &'m Node, turned: &mut bool) -> Shape {
        let mut extent: Extent = None;
        for glyph in self.glyphs(cell) {
            *turned |= glyph.direction != Direction::Right;
            if !glyph.text.is_blank() {
                let span = bidi::span(glyph);
                extent = Some(extent.map_or((span.start, span.end), |all| {
                    (all.0.lesser(span.start), all.1.greater(span.end))
                }));
            }
        }
        Shape {
            columns: cell.columns,
            rows: cell.rows,
            extent,
        }
    }

    /// Whether the first column of a table is at the right: most cells are at the left of the cell before, and some text
    /// is read from the right.
    fn is_from_right(self, rows: &[Vec<&'m Node>], shapes: &[Vec<Shape>]) -> bool {
        let (mut left, mut right) = (0usize, 0usize);
        for row in shapes {
            let ends: Vec<(f32, f32)> = row.iter().filter_map(|it| it.extent).collect();
            for pair in ends.windows(2) {
                if let [a, b] = pair {
                    let count = if b.1 < a.0 { &mut left } else { &mut right };
                    *count = count.saturating_add(1);
                }
            }
        }
        left > right
            && rows.iter().flatten().any(|cell| {
                let glyphs = self.glyphs(cell);
                glyphs
                    .iter()
                    .any(|it| it.text.first().is_some_and(script::is_rtl))
            })
    }

    /// The parts of a cell that are in different columns, from the first column. Empty if it is in one.
    fn split(self, cell: &'m Node, shape: &Shape, columns: &Columns) -> Vec<Part> {
        let covered = shape.extent.map(|it| columns.covered(it));
        let Some(covered) = covered.filter(|it| it.len() > 1) else {
            return Vec::new();
        };
        let mut parts: Vec<Part> = Vec::new();
        let mut rest: BTreeSet<usize> = self.places(cell).into_iter().collect();
        let span = |place: &usize| self.marked.page.glyphs.get(*place).map(bidi::span);
        for pair in covered.windows(2) {
            let [column, next] = pair else { continue };
            let (Some(x), true) = (
                columns.between(*column, *next),
                *next == column.saturating_add(1),
            ) else {
                return Vec::new();
            };
            let (mut own, mut others) = (BTreeSet::new(), BTreeSet::new());
            for place in rest {
                let Some(span) = span(&place) else { continue };
                let middle = f32::midpoint(span.start, span.end);
                let first = if columns.is_from_right() {
                    middle > x
                } else {
                    middle < x
                };
                let to = if first { &mut own } else { &mut others };
                to.insert(place);
            }
            rest = others;
            parts.extend(self.part(own));
        }
        parts.extend(self.part(rest));
        let apart = parts.windows(2).all(|it| match it {
            [a, b] => {
                let white = (b.sides.0 - a.sides.1).greater(a.sides.0 - b.sides.1);
                white > APART * a.size
            }
            _ => true,
        });
        if parts.len() == covered.len() && apart {
            parts
        } else {
            Vec::new()
        }
    }

    /// A part of a cell. `None` if it has no text.
    fn part(self, glyphs: BTreeSet<usize>) -> Option<Part> {
        let all = || {
            let own = glyphs
                .iter()
                .filter_map(|it| self.marked.page.glyphs.get(*it));
            own.filter(|it| !it.text.is_blank())
        };
        let size = all().map(|it| it.size).fold(0.0, f32::greater);
        let sides = all()
            .map(|it| {
                let span = bidi::span(it);
                (span.start, span.end)
            })
            .reduce(|all, one| (all.0.lesser(one.0), all.1.greater(one.1)))?;
        Some(Part {
            glyphs,
            sides,
            size,
        })
    }
}

/// A part of a cell that is in a column.
struct Part {
    /// The places of its glyphs.
    glyphs: BTreeSet<usize>,
    sides: (f32, f32),
    size: f32,
}

/// The white between parts of a cell that are in different columns, in font sizes.
const APART: f32 = 0.8;

/// Moves the cells of a row to their columns. Cells without text are made anew.
fn place(row: &mut Vec<Cell>, shapes: &mut Vec<Shape>, columns: &[usize], width: usize) {
    let mut cells: Vec<(usize, Cell, Shape)> = row
        .drain(..)
        .zip(shapes.drain(..))
        .zip(columns)
        .filter(|it| *it.1 != usize::MAX)
        .map(|((cell, shape), column)| (*column, cell, shape))
        .collect();
    cells.sort_by_key(|it| it.0);
    let empty = Shape {
        columns: 1,
        rows: 1,
        extent: None,
    };
    cells.push((width, Cell::new(Vec::new()), empty));
    let mut at: usize = 0;
    for (column, cell, shape) in cells {
        while at < column {
            row.push(Cell::new(Vec::new()));
            shapes.push(empty);
            at = at.saturating_add(1);
        }
        if column < width {
            at = column.saturating_add(shape.columns);
            row.push(cell);
            shapes.push(shape);
        }
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
fn fill_gaps(rows: &mut [Vec<Cell>], places: &[Vec<Shape>]) {
    let simple = |row: &[Cell]| row.iter().all(|cell| cell.columns == 1 && cell.rows == 1);
    let width = rows.iter().map(Vec::len).max().unwrap_or_default();
    if !rows.iter().all(|row| simple(row)) || rows.iter().all(|row| row.len() == width) {
        return;
    }
    let mut columns: Vec<Extent> = vec![None; width];
    for shapes in places.iter().filter(|shapes| shapes.len() == width) {
        for (column, shape) in columns.iter_mut().zip(shapes) {
            *column = match (*column, shape.extent) {
                (Some(all), Some(one)) => Some((all.0.lesser(one.0), all.1.greater(one.1))),
                (all, one) => all.or(one),
            };
        }
    }
    for (row, shapes) in rows.iter_mut().zip(places) {
        if row.len() == width {
            continue;
        }
        let mut filled: Vec<Cell> = Vec::with_capacity(width);
        let count = row.len();
        for (place, (cell, shape)) in row.drain(..).zip(shapes).enumerate() {
            // The cells that follow need a place too.
            let last = width.saturating_sub(count.saturating_sub(place));
            if let Some((left, right)) = shape.extent {
                let distance = |column: &Extent| match column {
                    Some((from, to)) => {
                        (from - right).greater(left - to).greater(0.0)
                            + (f32::midpoint(*from, *to) - f32::midpoint(left, right)).abs() * 0.01
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
