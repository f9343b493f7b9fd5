//! Lines that touch each other → cells.

use super::draft::Draft;
use super::limits;
use super::strokes::Stroke;
use crate::extremes::Extremes as _;
use crate::page::Rect;

/// The positions of the lines of a grid, and which sides of its cells have a line.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// The positions of vertical lines.
    pub xs: Vec<f32>,
    /// The positions of horizontal lines.
    pub ys: Vec<f32>,
    /// For each horizontal position and column: whether there is a line.
    across: Vec<bool>,
    /// For each row and vertical position: whether there is a line.
    down: Vec<bool>,
}

impl Lattice {
    /// The lattice of lines that touch. `None` if they have no cells, or too many.
    pub fn of(h: &[Stroke], v: &[Stroke]) -> Option<Self> {
        // A frame has four lines. A cross has two.
        if h.is_empty() || v.is_empty() || h.len().saturating_add(v.len()) < 3 {
            return None;
        }
        let mut ys = positions(h.iter().map(|it| it.at));
        let mut xs = positions(v.iter().map(|it| it.at));
        // A table may be open at its sides.
        let ends = |all: &[Stroke]| {
            let start = all.iter().map(|it| it.start).fold(f32::MAX, f32::lesser);
            let end = all.iter().map(|it| it.end).fold(f32::MIN, f32::greater);
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

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.xs.len().saturating_sub(1)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
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

    /// The outer sides.
    pub fn rect(&self) -> Option<Rect> {
        Some(Rect {
            x0: *self.xs.first()?,
            y0: *self.ys.first()?,
            x1: *self.xs.last()?,
            y1: *self.ys.last()?,
        })
    }

    /// The cells without text, each with its row, and the cell of each position.
    pub fn cells(&self) -> (Vec<(usize, Draft)>, Vec<usize>) {
        let mut owner: Vec<usize> = vec![usize::MAX; self.rows().saturating_mul(self.columns())];
        let mut cells: Vec<(usize, Draft)> = Vec::new();
        for row in 0..self.rows() {
            for column in 0..self.columns() {
                self.claim(row, column, &mut owner, &mut cells);
            }
        }
        (cells, owner)
    }

    /// The number of the cell at a point. `owner` has the cell of each position.
    pub fn cell_at(&self, owner: &[usize], x: f32, y: f32) -> Option<usize> {
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
            let common = end.lesser(*b) - start.greater(*a);
            (common > 0.6 * (b - a)).then_some(index)
        })
}
