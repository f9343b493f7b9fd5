//! Lines that are missing in a grid: between rows and columns that only their text shows.

use super::bands::{self, Band, Height, Text};
use super::draft::Draft;
use super::lattice::Lattice;
use super::limits;
use super::strokes::Stroke;
use super::white::{self, CellLine};
use super::words::Word;
use crate::extremes::Extremes as _;
use std::collections::BTreeMap;

/// The distance of baselines of the cells of a row in font sizes.
const ON_ROW: f32 = 0.4;

/// The part of the font size from the baseline of a line up to its middle.
const MIDDLE: f32 = 0.3;

/// The number of rows of a cell from which its lines may be rows.
const ROWS: usize = 3;

/// The lines that are missing.
#[derive(Clone, Debug, Default)]
pub struct Missing {
    /// Horizontal lines.
    pub across: Vec<Stroke>,
    /// Vertical lines.
    pub down: Vec<Stroke>,
}

/// A cell with its lines.
struct Cell<'a> {
    row: usize,
    draft: &'a Draft,
    lines: Vec<CellLine<'a>>,
}

/// A column, or a part of one between white.
#[derive(Clone, Copy, Debug)]
struct Column {
    /// The column of the lattice.
    own: usize,
    sides: (f32, f32),
}

/// Finds the lines that are missing.
pub fn lines(words: &[Word], lattice: &Lattice, cells: &[(usize, Draft)]) -> Missing {
    let mut out = Missing::default();
    if lattice.columns() > limits::RULED_COLUMNS {
        return out;
    }
    let cells: Vec<Cell<'_>> = cells
        .iter()
        .map(|(row, draft)| Cell {
            row: *row,
            draft,
            lines: draft
                .lines
                .iter()
                .filter_map(|it| CellLine::of(words, it))
                .collect(),
        })
        .collect();
    let filled = cells.iter().filter(|it| !it.lines.is_empty()).count();
    let count: usize = cells.iter().map(|it| it.lines.len()).sum();
    let several = count.saturating_mul(2) >= filled.saturating_mul(3);
    let mut columns: Vec<Column> = Vec::new();
    for (own, pair) in lattice.xs.windows(2).enumerate() {
        let [x0, x1] = pair else { continue };
        let lines: Vec<CellLine<'_>> = cells
            .iter()
            .filter(|it| it.draft.column == own && it.draft.span == 1)
            .flat_map(|it| it.lines.iter().copied())
            .collect();
        let mut from = *x0;
        for x in white::boundaries(words, &lines, several) {
            if x - from > NARROW && x1 - x > NARROW {
                columns.push(Column {
                    own,
                    sides: (from, x),
                });
                from = x;
            }
        }
        columns.push(Column {
            own,
            sides: (from, *x1),
        });
    }
    let finder = Finder {
        words,
        lattice,
        columns: &columns,
        work: std::cell::Cell::new(limits::RULED_WORK),
    };
    let mut rows: Vec<Vec<&Cell<'_>>> = vec![Vec::new(); lattice.rows()];
    for cell in &cells {
        if let Some(row) = rows.get_mut(cell.row) {
            row.push(cell);
        }
    }
    let first = cells
        .iter()
        .filter(|it| !it.lines.is_empty())
        .map(|it| it.row)
        .min();
    let header = first.and_then(|it| rows.get(it));
    let header = header.map(|it| finder.header(it)).unwrap_or_default();
    for (row, own) in rows.iter().enumerate() {
        let header = (first != Some(row)).then_some(header.as_slice());
        let at: Vec<f32> = finder.rows(own, header, &mut out);
        for cell in own {
            finder.columns(cell, &at, &mut out);
        }
    }
    let heights: Vec<Vec<f32>> = rows.iter().map(|it| heights(it)).collect();
    for cell in &cells {
        finder.spanning(cell, &heights, &mut out);
    }
    out
}

/// The baselines of the lines of the cells that are in one row only, from the top.
fn heights(row: &[&Cell<'_>]) -> Vec<f32> {
    let single = row.iter().filter(|it| it.draft.height == 1);
    let mut out: Vec<f32> = single.flat_map(|it| &it.lines).map(|it| it.y).collect();
    out.sort_by(f32::total_cmp);
    out
}

/// The least width of a column in points.
const NARROW: f32 = 6.0;

/// Finds the missing lines of a grid.
struct Finder<'a> {
    words: &'a [Word],
    lattice: &'a Lattice,
    columns: &'a [Column],
    /// The comparisons that may still be made.
    work: std::cell::Cell<usize>,
}

impl Finder<'_> {
    /// Counts comparisons. Returns whether they may be made.
    fn charge(&self, comparisons: usize) -> bool {
        let rest = self.work.get().checked_sub(comparisons);
        self.work.set(rest.unwrap_or_default());
        rest.is_some()
    }

    /// The side between rows and columns.
    fn x(&self, index: usize) -> f32 {
        self.lattice.xs.get(index).copied().unwrap_or_default()
    }

    fn y(&self, index: usize) -> f32 {
        self.lattice.ys.get(index).copied().unwrap_or_default()
    }

    /// The texts of a line by their columns.
    fn texts(&self, line: &CellLine<'_>, out: &mut BTreeMap<usize, Text>) {
        for index in line.words {
            let Some(word) = self.words.get(*index) else {
                continue;
            };
            let at = self
                .columns
                .partition_point(|it| it.sides.1 <= word.mid())
                .min(self.columns.len().saturating_sub(1));
            let text = out.entry(at).or_insert_with(|| Text {
                x0: word.x0,
                first: word.x1 - word.x0,
                ..Text::default()
            });
            if !text.content.is_empty() {
                text.content.push(' ');
            }
            text.content.push_str(&word.text);
            text.x0 = text.x0.lesser(word.x0);
            text.x1 = text.x1.greater(word.x1);
        }
    }

    /// The lines of the cells of the header that are in one column.
    fn header(&self, cells: &[&Cell<'_>]) -> Vec<Height> {
        let own = cells.iter().filter(|it| it.draft.span == 1);
        own.flat_map(|it| &it.lines)
            .map(|line| {
                let mut height = Height {
                    y: line.y,
                    size: line.size,
                    ..Height::default()
                };
                self.texts(line, &mut height.cells);
                height
            })
            .collect()
    }

    /// Finds the rows of a band. `header` has the lines of the first band if this is another one. Returns the heights
    /// of the lines between them.
    fn rows(&self, cells: &[&Cell<'_>], header: Option<&[Height]>, out: &mut Missing) -> Vec<f32> {
        let own = || cells.iter().filter(|it| it.draft.height == 1);
        if own().all(|it| it.lines.len() < 2) {
            return Vec::new();
        }
        // A label in the middle of its rows is at none of their heights.
        let labels: Vec<usize> = own()
            .filter(|it| is_between(it, cells))
            .map(|it| it.draft.column)
            .collect();
        let is_label = |it: &Cell<'_>| labels.contains(&it.draft.column);
        let mut lines: Vec<&CellLine<'_>> = own()
            .filter(|it| !is_label(it))
            .flat_map(|it| &it.lines)
            .collect();
        lines.sort_by(|a, b| a.y.total_cmp(&b.y));
        let mut heights: Vec<Height> = Vec::new();
        for line in lines {
            let same = heights
                .last()
                .is_some_and(|it| line.y - it.y < ON_ROW * line.size);
            if !same {
                heights.push(Height {
                    y: line.y,
                    size: line.size,
                    ..Height::default()
                });
            }
            if let Some(height) = heights.last_mut() {
                self.texts(line, &mut height.cells);
            }
        }
        if !self.charge(heights.len().saturating_mul(self.columns.len())) {
            return Vec::new();
        }
        let band = Band {
            heights,
            sides: self.columns.iter().map(|it| it.sides).collect(),
            head: header.is_none(),
            only: self.lattice.rows() == 1,
            header: header.unwrap_or_default(),
        };
        let Some(starts) = bands::starts(&band) else {
            return Vec::new();
        };
        let at: Vec<f32> = band
            .heights
            .windows(2)
            .zip(starts.iter().skip(1))
            .filter(|it| *it.1)
            .filter_map(|(pair, _)| match pair {
                [a, b] => Some(0.5 * (a.y - MIDDLE * a.size + b.y - MIDDLE * b.size)),
                _ => None,
            })
            .collect();
        // A lattice with more cells is refused.
        if at.len().saturating_mul(self.columns.len()) > limits::CELLS {
            return Vec::new();
        }
        for cell in own() {
            let first = cell.draft.column == 0 || is_first(cell, cells);
            if is_label(cell) || first && is_below(cell, &at) {
                continue;
            }
            let end = cell.draft.column.saturating_add(cell.draft.span);
            let (start, end) = (self.x(cell.draft.column), self.x(end));
            out.across.extend(at.iter().map(|at| Stroke {
                at: *at,
                start,
                end,
            }));
        }
        at
    }

    /// Finds the columns of a cell. `rows` has the lines between its rows.
    fn columns(&self, cell: &Cell<'_>, rows: &[f32], out: &mut Missing) {
        let Draft {
            column,
            span,
            height,
            ..
        } = *cell.draft;
        if span > 1 {
            return;
        }
        let (top, bottom) = (self.y(cell.row), self.y(cell.row.saturating_add(height)));
        let (left, right) = (self.x(column), self.x(column.saturating_add(1)));
        let inner: Vec<f32> = self
            .columns
            .iter()
            .filter(|it| it.own == column && it.sides.1 < right)
            .map(|it| it.sides.1)
            .collect();
        if inner.is_empty() {
            return;
        }
        let mut sides = vec![top];
        sides.extend(rows.iter().copied().filter(|it| *it > top && *it < bottom));
        sides.push(bottom);
        let middle = |it: &CellLine<'_>| it.y - MIDDLE * it.size;
        let mut all: Vec<&CellLine<'_>> = cell.lines.iter().collect();
        all.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
        for pair in sides.windows(2) {
            let [from, to] = pair else { continue };
            let first = all.partition_point(|it| middle(it) < *from);
            let next = all.partition_point(|it| middle(it) < *to);
            let lines = all.get(first..next).unwrap_or_default();
            let over = |it: &CellLine<'_>| inner.iter().any(|x| white::crosses(self.words, it, *x));
            let wide = lines.iter().rposition(|it| over(it));
            let mut from = *from;
            if let Some(wide) = wide {
                // The header of several columns is above their headers.
                let all = lines.iter().take(wide).all(|it| over(it));
                let (Some(a), Some(b), true) =
                    (lines.get(wide), lines.get(wide.saturating_add(1)), all)
                else {
                    // Columns that this line does not go over.
                    for x in &inner {
                        if !lines.iter().any(|it| white::crosses(self.words, it, *x)) {
                            out.down.push(Stroke {
                                at: *x,
                                start: from,
                                end: *to,
                            });
                        }
                    }
                    continue;
                };
                let at = 0.5 * (a.y - MIDDLE * a.size + b.y - MIDDLE * b.size);
                out.across.push(Stroke {
                    at,
                    start: left,
                    end: right,
                });
                for x in &inner {
                    if !lines
                        .iter()
                        .take(wide.saturating_add(1))
                        .any(|it| white::crosses(self.words, it, *x))
                    {
                        out.down.push(Stroke {
                            at: *x,
                            start: from,
                            end: at,
                        });
                    }
                }
                from = at;
            }
            out.down.extend(inner.iter().map(|x| Stroke {
                at: *x,
                start: from,
                end: *to,
            }));
        }
    }

    /// Finds the lines between the rows that a cell covers, if it has a line in each of them.
    /// `heights` has the baselines of each row.
    fn spanning(&self, cell: &Cell<'_>, heights: &[Vec<f32>], out: &mut Missing) {
        let Draft {
            column,
            span,
            height,
            ..
        } = *cell.draft;
        if height < ROWS || cell.lines.len() < ROWS {
            return;
        }
        let end = cell.row.saturating_add(height);
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut same, mut other) = (0usize, 0usize);
        for line in &cell.lines {
            let y = line.y - MIDDLE * line.size;
            let row = self
                .lattice
                .ys
                .partition_point(|it| *it <= y)
                .saturating_sub(1);
            let count = counts.entry(row).or_default();
            *count = count.saturating_add(1);
            let beside = heights.get(row).map_or(&[] as &[f32], Vec::as_slice);
            if !beside.is_empty() {
                let reach = ON_ROW * line.size;
                let first = beside.partition_point(|it| *it <= line.y - reach);
                let near = beside.get(first).is_some_and(|it| *it < line.y + reach);
                let count = if near { &mut same } else { &mut other };
                *count = count.saturating_add(1);
            }
        }
        let single = counts.values().all(|it| *it == 1);
        let most = counts.len().saturating_mul(4) >= height.saturating_mul(3);
        if !single || !most || other.saturating_mul(4) > same {
            return;
        }
        // The lines of one text fill the cell.
        let sides = (self.x(column), self.x(column.saturating_add(span)));
        let texts: Vec<Height> = cell
            .lines
            .iter()
            .map(|line| {
                let mut cells = BTreeMap::new();
                self.texts(line, &mut cells);
                let text = cells.into_values().reduce(|mut all, one| {
                    all.content.push(' ');
                    all.content.push_str(&one.content);
                    all.x1 = all.x1.greater(one.x1);
                    all
                });
                Height {
                    y: line.y,
                    size: line.size,
                    cells: text.map(|it| (0, it)).into_iter().collect(),
                }
            })
            .collect();
        if !bands::are_whole(&texts, sides) {
            return;
        }
        for row in cell.row.saturating_add(1)..end {
            out.across.push(Stroke {
                at: self.y(row),
                start: sides.0,
                end: sides.1,
            });
        }
    }
}

/// Whether the one line of a cell is at none of the heights of the lines of the other cells.
fn is_between(cell: &Cell<'_>, cells: &[&Cell<'_>]) -> bool {
    let [line] = cell.lines.as_slice() else {
        return false;
    };
    let mut others = cells
        .iter()
        .filter(|it| it.draft.column != cell.draft.column)
        .flat_map(|it| &it.lines);
    others.all(|it| (it.y - line.y).abs() >= ON_ROW * line.size)
}

/// Whether a cell has lines in only one of several rows, below the first: it has one text for all of them.
fn is_below(cell: &Cell<'_>, rows: &[f32]) -> bool {
    let row = |line: &CellLine<'_>| rows.partition_point(|it| *it <= line.y - MIDDLE * line.size);
    let first = cell.lines.first().map(&row);
    let last = cell.lines.last().map(&row);
    first.is_some_and(|it| it > 0) && first == last
}

/// Whether the cells before a cell have no text.
fn is_first(cell: &Cell<'_>, cells: &[&Cell<'_>]) -> bool {
    cells
        .iter()
        .filter(|it| it.draft.column < cell.draft.column)
        .all(|it| it.lines.is_empty())
}
