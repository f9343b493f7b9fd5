//! Tables with lines around their cells.
//!
//! Lines that cross or touch each other are a grid. A cell without a line at one side covers the
//! next position as well.

use super::cells::{line_words, split_rows, unmerged, without_empty};
use super::draft::Draft;
use super::limits;
use super::strokes::{NEAR, Stroke, merged};
use super::turned::TurnedWords;
use super::words::Word;
use crate::page::Rect;

/// A table with lines.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The outer sides.
    pub rect: Rect,
    /// The number of columns.
    pub columns: usize,
    /// The rows with their cells.
    pub rows: Vec<Vec<Draft>>,
}

/// Finds the grids of a page, and takes the words in them: `taken` has an entry for each word.
pub fn grids(
    across: Vec<Stroke>,
    down: Vec<Stroke>,
    words: &[Word],
    turned: &mut TurnedWords,
    taken: &mut [bool],
) -> Vec<Grid> {
    let across = merged(across);
    let down = merged(down);
    if across.is_empty() || down.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by(|a, b| {
        let y = |it: &usize| words.get(*it).map_or(0.0, |it| it.y);
        y(a).total_cmp(&y(b))
    });
    for (h, v) in components(&across, &down) {
        let Some(lattice) = Lattice::of(&h, &v) else {
            continue;
        };
        if let Some(grid) = lattice.fill(words, &order, turned, taken) {
            out.push(grid);
        }
    }
    out
}

/// Groups of lines that touch.
fn components(across: &[Stroke], down: &[Stroke]) -> Vec<(Vec<Stroke>, Vec<Stroke>)> {
    let count = across.len().saturating_add(down.len());
    let mut parents: Vec<usize> = (0..count).collect();
    let mut budget = limits::CROSSINGS;
    for (index, v) in down.iter().enumerate() {
        let first = across.partition_point(|it| it.at < v.start - NEAR);
        for (offset, h) in across.iter().enumerate().skip(first) {
            if h.at > v.end + NEAR || budget == 0 {
                break;
            }
            budget = budget.saturating_sub(1);
            if h.start - NEAR <= v.at && v.at <= h.end + NEAR {
                join(&mut parents, offset, across.len().saturating_add(index));
            }
        }
    }
    let mut groups: std::collections::BTreeMap<usize, (Vec<Stroke>, Vec<Stroke>)> =
        std::collections::BTreeMap::new();
    for (index, stroke) in across.iter().chain(down).enumerate() {
        let root = root(&mut parents, index);
        let group = groups.entry(root).or_default();
        if index < across.len() {
            group.0.push(*stroke);
        } else {
            group.1.push(*stroke);
        }
    }
    groups.into_values().collect()
}

fn root(parents: &mut [usize], mut at: usize) -> usize {
    while let Some(up) = parents.get(at).copied().filter(|it| *it != at) {
        // Halve the path.
        let over = parents.get(up).copied().unwrap_or(up);
        if let Some(own) = parents.get_mut(at) {
            *own = over;
        }
        at = over;
    }
    at
}

fn join(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parents, a), root(parents, b));
    if let Some(own) = parents.get_mut(a.max(b)) {
        *own = a.min(b);
    }
}

/// The positions of the lines of a grid, and which sides of its cells have a line.
struct Lattice {
    xs: Vec<f32>,
    ys: Vec<f32>,
    /// For each horizontal position and column: whether there is a line.
    across: Vec<bool>,
    /// For each row and vertical position: whether there is a line.
    down: Vec<bool>,
}

impl Lattice {
    fn of(h: &[Stroke], v: &[Stroke]) -> Option<Self> {
        // A frame has four lines. A cross has two.
        if h.is_empty() || v.is_empty() || h.len().saturating_add(v.len()) < 3 {
            return None;
        }
        let mut ys = positions(h.iter().map(|it| it.at));
        let mut xs = positions(v.iter().map(|it| it.at));
        // A table may be open at its sides.
        let ends = |all: &[Stroke]| {
            let start = all.iter().map(|it| it.start).fold(f32::MAX, f32::min);
            let end = all.iter().map(|it| it.end).fold(f32::MIN, f32::max);
            (start, end)
        };
        extend(&mut xs, ends(h));
        extend(&mut ys, ends(v));
        let columns = xs.len().checked_sub(1)?;
        let rows = ys.len().checked_sub(1)?;
        let cells = rows.checked_mul(columns)?;
        if !(2..=limits::CELLS).contains(&cells) {
            return None;
        }
        let mut out = Self {
            across: vec![false; cells.saturating_add(columns)],
            down: vec![false; cells.saturating_add(rows)],
            xs,
            ys,
        };
        for stroke in h {
            let row = index_of(&out.ys, stroke.at);
            for column in covered(&out.xs, stroke) {
                let at = row.saturating_mul(columns).saturating_add(column);
                if let Some(it) = out.across.get_mut(at) {
                    *it = true;
                }
            }
        }
        let wide = columns.saturating_add(1);
        for stroke in v {
            let column = index_of(&out.xs, stroke.at);
            for row in covered(&out.ys, stroke) {
                let at = row.saturating_mul(wide).saturating_add(column);
                if let Some(it) = out.down.get_mut(at) {
                    *it = true;
                }
            }
        }
        Some(out)
    }

    fn columns(&self) -> usize {
        self.xs.len().saturating_sub(1)
    }

    fn rows(&self) -> usize {
        self.ys.len().saturating_sub(1)
    }

    /// Whether there is a line above a position.
    fn above(&self, row: usize, column: usize) -> bool {
        let at = row.saturating_mul(self.columns()).saturating_add(column);
        self.across.get(at).copied().unwrap_or(true)
    }

    /// Whether there is a line at the left of a position.
    fn before(&self, row: usize, column: usize) -> bool {
        let at = row.saturating_mul(self.xs.len()).saturating_add(column);
        self.down.get(at).copied().unwrap_or(true)
    }

    /// Puts the words into the cells. `None` if it is a frame and no table.
    fn fill(
        &self,
        words: &[Word],
        order: &[usize],
        turned: &mut TurnedWords,
        taken: &mut [bool],
    ) -> Option<Grid> {
        let (columns, rows) = (self.columns(), self.rows());
        let rect = Rect {
            x0: *self.xs.first()?,
            y0: *self.ys.first()?,
            x1: *self.xs.last()?,
            y1: *self.ys.last()?,
        };
        let mut owner: Vec<usize> = vec![usize::MAX; rows.saturating_mul(columns)];
        let mut cells: Vec<(usize, Draft)> = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                self.claim(row, column, &mut owner, &mut cells);
            }
        }
        let first =
            order.partition_point(|it| words.get(*it).is_some_and(|it| it.y < rect.y0 - 2.0));
        let mut inside: Vec<usize> = Vec::new();
        let mut per_cell: Vec<Vec<usize>> = vec![Vec::new(); cells.len()];
        for index in order.iter().skip(first) {
            let Some(word) = words.get(*index) else {
                continue;
            };
            let y = word.y - 0.3 * word.size;
            if y > rect.y1 {
                break;
            }
            if !rect.contains(word.mid(), y) || taken.get(*index).copied().unwrap_or(true) {
                continue;
            }
            let cell = self.cell_at(&owner, word.mid(), y);
            if let Some(cell) = cell.and_then(|it| per_cell.get_mut(it)) {
                cell.push(*index);
                inside.push(*index);
            }
        }
        let filled = per_cell.iter().filter(|it| !it.is_empty()).count();
        if filled < 2 || columns < 2 {
            return None;
        }
        for ((_, cell), indices) in cells.iter_mut().zip(per_cell) {
            cell.lines = line_words(words, indices);
        }
        for (cell, line) in turned.take(&rect, |x, y| self.cell_at(&owner, x, y)) {
            if let Some((_, cell)) = cells.get_mut(cell) {
                cell.lines.push(line);
            }
        }
        let mut out: Vec<Vec<Draft>> = vec![Vec::new(); rows];
        for (row, cell) in cells {
            if let Some(row) = out.get_mut(row) {
                row.push(cell);
            }
        }
        for row in &mut out {
            row.sort_by_key(|it| it.column);
        }
        let out = out
            .into_iter()
            .map(|row| {
                row.into_iter()
                    .flat_map(|it| unmerged(words, it, &self.xs))
                    .collect()
            })
            .collect();
        let out = split_rows(words, out, &self.xs);
        for index in inside {
            if let Some(it) = taken.get_mut(index) {
                *it = true;
            }
        }
        let out = without_empty(out, columns);
        Some(Grid {
            rect,
            columns: out.1,
            rows: out.0,
        })
    }

    /// The number of the cell at a point. `owner` has the cell of each position.
    fn cell_at(&self, owner: &[usize], x: f32, y: f32) -> Option<usize> {
        let (columns, rows) = (self.columns(), self.rows());
        let row = self.ys.partition_point(|it| *it <= y).saturating_sub(1);
        let column = self.xs.partition_point(|it| *it <= x).saturating_sub(1);
        let at = row
            .min(rows.saturating_sub(1))
            .saturating_mul(columns)
            .saturating_add(column.min(columns.saturating_sub(1)));
        owner.get(at).copied()
    }

    /// Makes the cell of a position that no cell has yet.
    fn claim(
        &self,
        row: usize,
        column: usize,
        owner: &mut [usize],
        cells: &mut Vec<(usize, Draft)>,
    ) {
        let columns = self.columns();
        let at = |row: usize, column: usize| row.saturating_mul(columns).saturating_add(column);
        let free = |owner: &[usize], row: usize, column: usize| {
            owner
                .get(at(row, column))
                .is_some_and(|it| *it == usize::MAX)
        };
        if !free(owner, row, column) {
            return;
        }
        let mut end = column.saturating_add(1);
        while end < columns && !self.before(row, end) && free(owner, row, end) {
            end = end.saturating_add(1);
        }
        let mut last = row.saturating_add(1);
        while last < self.rows()
            && (column..end).all(|it| !self.above(last, it) && free(owner, last, it))
        {
            last = last.saturating_add(1);
        }
        let number = cells.len();
        for row in row..last {
            for column in column..end {
                if let Some(it) = owner.get_mut(at(row, column)) {
                    *it = number;
                }
            }
        }
        let draft = Draft {
            column,
            span: end.saturating_sub(column),
            height: last.saturating_sub(row),
            lines: Vec::new(),
        };
        cells.push((row, draft));
    }
}

/// Distinct positions, sorted.
fn positions(all: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut out: Vec<f32> = all.collect();
    out.sort_by(f32::total_cmp);
    out.dedup_by(|next, last| *next - *last < 2.5);
    out
}

/// Adds the ends of the lines in the other direction.
fn extend(positions: &mut Vec<f32>, ends: (f32, f32)) {
    if positions.first().is_some_and(|it| ends.0 < *it - 6.0) {
        positions.insert(0, ends.0);
    }
    if positions.last().is_some_and(|it| ends.1 > *it + 6.0) {
        positions.push(ends.1);
    }
}

/// The index of the nearest position.
fn index_of(positions: &[f32], at: f32) -> usize {
    let next = positions.partition_point(|it| *it < at);
    let before = next.saturating_sub(1);
    let distance = |it: usize| positions.get(it).map_or(f32::MAX, |it| (it - at).abs());
    if distance(before) <= distance(next) {
        before
    } else {
        next
    }
}

/// The intervals that a line covers for the most part.
fn covered(positions: &[f32], stroke: &Stroke) -> impl Iterator<Item = usize> {
    let (start, end) = (stroke.start, stroke.end);
    positions
        .windows(2)
        .enumerate()
        .filter_map(move |(index, pair)| {
            let [a, b] = pair else { return None };
            let common = end.min(*b) - start.max(*a);
            (common > 0.6 * (b - a)).then_some(index)
        })
}
