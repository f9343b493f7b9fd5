//! Tables with lines around their cells.
//!
//! Lines that cross or touch each other are a grid. A cell without a line at one side covers the
//! next position as well.

use super::cells::{line_words, split_rows, unmerged, without_empty};
use super::charts;
use super::draft::Draft;
use super::lattice::Lattice;
use super::limits;
use super::missing;
use super::strokes::{NEAR, Stroke, merged};
use super::surroundings;
use super::turned::TurnedWords;
use super::words::Word;
use crate::extremes::Extremes as _;
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
        let text = Words {
            words,
            order: &order,
        };
        out.extend(text.grid(h, v, turned, taken));
    }
    out
}

/// The outer sides of lines.
fn bounds(h: &[Stroke], v: &[Stroke]) -> Rect {
    let least = |all: &[Stroke]| all.iter().map(|it| it.at).fold(f32::MAX, f32::lesser);
    let most = |all: &[Stroke]| all.iter().map(|it| it.at).fold(f32::MIN, f32::greater);
    Rect {
        x0: least(v),
        y0: least(h),
        x1: most(v),
        y1: most(h),
    }
}

/// The words of a page.
#[derive(Clone, Copy)]
struct Words<'a> {
    words: &'a [Word],
    /// The words by their baselines.
    order: &'a [usize],
}

/// The cells of a lattice with their words.
struct Filled {
    cells: Vec<(usize, Draft)>,
    /// The cell of each position.
    owner: Vec<usize>,
    /// The words in the lattice.
    inside: Vec<usize>,
}

impl Filled {
    /// The number of cells with text.
    fn count(&self) -> usize {
        let filled = self.cells.iter().filter(|it| !it.1.lines.is_empty());
        filled.count()
    }
}

impl Words<'_> {
    /// Makes the table of lines that touch. `None` if they are a frame and no table.
    fn grid(
        self,
        mut h: Vec<Stroke>,
        mut v: Vec<Stroke>,
        turned: &mut TurnedWords,
        taken: &mut [bool],
    ) -> Option<Grid> {
        let words = self.words;
        let mut lattice = Lattice::of(&h, &v)?;
        if charts::has_axis(words, self.order, &bounds(&h, &v)) {
            return None;
        }
        let mut filled = self.fill(&lattice, taken)?;
        if lattice.columns() < 2 || filled.count() < 2 {
            return None;
        }
        if let Some((top, bottom)) = surroundings::inner(words, &lattice, &filled.cells) {
            let inner = (within(&h, top, bottom), clipped(&v, top, bottom));
            if let Some(own) = Lattice::of(&inner.0, &inner.1)
                && own.columns() >= 2
                && let Some(cells) = self.fill(&own, taken).filter(|it| it.count() >= 2)
            {
                (h, v) = inner;
                (lattice, filled) = (own, cells);
            }
        }
        let missing = missing::lines(words, &lattice, &filled.cells);
        let found = !missing.across.is_empty() || !missing.down.is_empty();
        if found {
            h.extend(missing.across);
            v.extend(missing.down);
            if let Some(more) = Lattice::of(&h, &v) {
                lattice = more;
                filled = self.fill(&lattice, taken)?;
            }
        }
        let Filled {
            mut cells,
            owner,
            inside,
        } = filled;
        let rect = lattice.rect()?;
        for (cell, line) in turned.take(&rect, |x, y| lattice.cell_at(&owner, x, y)) {
            if let Some((_, cell)) = cells.get_mut(cell) {
                cell.lines.push(line);
            }
        }
        let mut rows: Vec<Vec<Draft>> = vec![Vec::new(); lattice.rows()];
        for (row, cell) in cells {
            if let Some(row) = rows.get_mut(row) {
                row.push(cell);
            }
        }
        for row in &mut rows {
            row.sort_by_key(|it| it.column);
        }
        let rows = rows
            .into_iter()
            .map(|row| {
                row.into_iter()
                    .flat_map(|it| unmerged(words, it, &lattice.xs))
                    .collect()
            })
            .collect();
        let rows = if found {
            rows
        } else {
            split_rows(words, rows, &lattice.xs)
        };
        for index in inside {
            if let Some(it) = taken.get_mut(index) {
                *it = true;
            }
        }
        let (rows, columns) = without_empty(rows, lattice.columns());
        Some(Grid {
            rect,
            columns,
            rows,
        })
    }

    /// Puts the words into the cells of a lattice.
    fn fill(self, lattice: &Lattice, taken: &[bool]) -> Option<Filled> {
        let rect = lattice.rect()?;
        let (mut cells, owner) = lattice.cells();
        let words = self.words;
        let first = self
            .order
            .partition_point(|it| words.get(*it).is_some_and(|it| it.y < rect.y0 - 2.0));
        let mut inside: Vec<usize> = Vec::new();
        let mut per_cell: Vec<Vec<usize>> = vec![Vec::new(); cells.len()];
        for index in self.order.iter().skip(first) {
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
            let cell = lattice.cell_at(&owner, word.mid(), y);
            if let Some(cell) = cell.and_then(|it| per_cell.get_mut(it)) {
                cell.push(*index);
                inside.push(*index);
            }
        }
        for ((_, cell), indices) in cells.iter_mut().zip(per_cell) {
            cell.lines = line_words(words, indices);
        }
        Some(Filled {
            cells,
            owner,
            inside,
        })
    }
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
    // Double lines.
    for (index, pair) in across.windows(2).enumerate() {
        if let [a, b] = pair
            && are_double(a, b)
        {
            join(&mut parents, index, index.saturating_add(1));
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

/// The horizontal lines between two positions.
fn within(across: &[Stroke], top: f32, bottom: f32) -> Vec<Stroke> {
    let inside = |it: &&Stroke| (top - NEAR..=bottom + NEAR).contains(&it.at);
    across.iter().filter(inside).copied().collect()
}

/// The parts of vertical lines between two positions.
fn clipped(down: &[Stroke], top: f32, bottom: f32) -> Vec<Stroke> {
    down.iter()
        .map(|it| Stroke {
            start: it.start.greater(top),
            end: it.end.lesser(bottom),
            ..*it
        })
        .filter(|it| it.end - it.start > NEAR)
        .collect()
}

/// The distance of two lines that are one double line, and that of their ends, in points.
const DOUBLE: f32 = 4.0;

/// Whether two horizontal lines are a double line.
fn are_double(a: &Stroke, b: &Stroke) -> bool {
    (b.at - a.at).abs() < DOUBLE
        && (a.start - b.start).abs() < DOUBLE
        && (a.end - b.end).abs() < DOUBLE
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
