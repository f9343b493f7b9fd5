//! Lines of tables → rows: which lines start a row, and which continue the cells of the line above.

use super::draft::Draft;
use super::lines::{Cell, Line};
use super::words::Word;
use super::{limits, values};
use crate::extremes::Extremes as _;

/// The size below which a line is a remark on its row, relative to the size of the row.
const REMARK: f32 = 0.93;

/// The distance of lines below which they are cells in the middle of one row, in font sizes.
const IN_ROW: f32 = 0.95;

/// The number of edges between lines from which they may be between all rows.
const EDGES: usize = 3;

/// The number of columns from which a line with nearly all cells is a row.
const COLUMNS: usize = 3;

/// The least number of steps between rows that separate them from the steps inside of rows, unless the table has few
/// lines.
const LARGE_STEPS: usize = 2;
const FEW_LINES: usize = 4;

/// Distances of rows are equal up to this: to the least one over an edge, and to the least one.
const OVER_EDGE: f32 = 0.97;
const ABOVE_LEAST: f32 = 1.02;

/// The distance of the starts of a remark and its cell, and that of their lines, in font sizes.
const REMARK_START: f32 = 0.1;
const REMARK_STEP: f32 = 1.6;

/// The distances of the lines of a cell: the least and the greatest in font sizes, and the greatest relative to the
/// least one.
const CELL_STEP: f32 = 0.8;
const CELL_STEP_MOST: f32 = 1.8;
const CELL_PITCH: f32 = 1.15;

/// The quotient of a step between rows and a step inside of rows at least. Steps of text that is raised differ by
/// less.
const JUMP: f32 = 1.17;

/// Joins the cells of lines to rows.
pub fn joined(drafts: Vec<Vec<Draft>>, starts: &[bool]) -> Vec<Vec<Draft>> {
    let mut rows: Vec<Vec<Draft>> = Vec::new();
    for (cells, start) in drafts.into_iter().zip(starts) {
        match rows.last_mut() {
            Some(row) if !start => {
                for cell in cells {
                    let own = row.iter_mut().find(|it| {
                        cell.column >= it.column && cell.column < it.column.saturating_add(it.span)
                    });
                    if let Some(own) = own {
                        own.lines.extend(cell.lines);
                    } else {
                        row.push(cell);
                        row.sort_by_key(|it| it.column);
                    }
                }
            }
            _ => rows.push(cells),
        }
    }
    rows
}

/// Tells for each line whether it starts a row.
pub fn starts(
    words: &[Word],
    lines: &[Line],
    drafts: &[Vec<Draft>],
    columns: usize,
    breaks: &[bool],
) -> Vec<bool> {
    let steps: Vec<f32> = lines
        .windows(2)
        .filter_map(|it| match it {
            [a, b] => Some(b.y - a.y),
            _ => None,
        })
        .collect();
    let inner = breaks
        .iter()
        .take(lines.len())
        .skip(1)
        .filter(|it| **it)
        .count();
    // Lines between all rows. One line is below the header, and one may be above the total.
    let full = drafts.iter().filter(|it| it.len() == columns).count();
    let valued: Vec<bool> = drafts
        .iter()
        .map(|it| has_values(words, it, columns))
        .collect();
    let open_values = valued
        .windows(2)
        .zip(breaks.iter().skip(1))
        .any(|it| matches!(it, ([true, true], false)));
    let ruled = inner >= EDGES && inner.saturating_mul(2).saturating_add(1) >= full && !open_values;
    let size = lines.iter().map(|it| it.size).fold(0.0, f32::greater);
    // The first column that is not empty below the header.
    let filled = |column: usize| {
        let has = |it: &&Vec<Draft>| it.iter().any(|it| it.column == column);
        drafts.iter().skip(1).filter(has).count()
    };
    let key = (0..columns).find(|it| filled(*it) >= 2).unwrap_or_default();
    // Lines that are closer than their height are cells in the middle of one row.
    let overlap = IN_ROW * size;
    // Steps over a line are known.
    let open = |index: usize| {
        !breaks
            .get(index.saturating_add(1))
            .copied()
            .unwrap_or(false)
    };
    let real: Vec<f32> = steps
        .iter()
        .enumerate()
        .filter(|(index, it)| **it >= overlap && open(*index))
        .map(|it| *it.1)
        .collect();
    let least = real.iter().copied().fold(f32::MAX, f32::lesser);
    let is_few = |cells: &Vec<Draft>| cells.len().saturating_mul(2) <= columns;
    let limit = jump(&real).filter(|limit| {
        // Many rows of a table may have only one cell.
        let rows = || {
            steps
                .iter()
                .zip(drafts.iter().skip(1))
                .filter(|it| it.0 >= limit)
        };
        let alone = rows().filter(|it| is_few(it.1)).count();
        let sparse = alone.saturating_mul(3) >= rows().count();
        // Small steps inside of rows: most of these lines lack their first cell.
        let small = steps
            .iter()
            .zip(drafts.iter().skip(1))
            .filter(|it| (overlap..*limit).contains(it.0));
        let (all, partial) = small.fold((0usize, 0usize), |sum, (_, cells)| {
            let first = cells.first().is_some_and(|it| it.column <= key);
            let few = !sparse && is_few(cells);
            let lacks = usize::from(!first || few);
            (sum.0.saturating_add(1), sum.1.saturating_add(lacks))
        });
        let large = real.iter().filter(|it| **it >= *limit).count();
        all > 0
            && partial.saturating_mul(2) >= all
            && (large >= LARGE_STEPS || lines.len() <= FEW_LINES)
    });
    // The least step over a line.
    let between = steps
        .iter()
        .enumerate()
        .filter(|it| !open(it.0))
        .fold(f32::MAX, |least, it| least.lesser(*it.1));
    // The other steps are between rows, if the rows have cells at several heights.
    let low = steps.iter().filter(|it| **it < overlap).count();
    let stacked = low > 0 && low.saturating_mul(3) >= steps.len();
    // Lines with nearly all cells are rows, if the small steps are those to remarks.
    let is_small = |it: &Line| it.size < REMARK * size;
    let is_row = |it: (&Line, &Vec<Draft>)| {
        !is_small(it.0) && it.1.len().saturating_mul(3) >= columns.saturating_mul(2)
    };
    let remarks = columns >= COLUMNS
        && lines.iter().any(is_small)
        && lines
            .iter()
            .zip(drafts)
            .all(|it| is_row(it) || is_small(it.0));
    let mut out = Vec::with_capacity(lines.len());
    for (index, cells) in drafts.iter().enumerate() {
        let step = index.checked_sub(1).and_then(|it| steps.get(it).copied());
        let Some(step) = step else {
            out.push(true);
            continue;
        };
        let broken = breaks.get(index).copied().unwrap_or(false);
        let has_first = cells.iter().any(|it| it.column <= key);
        let start = if ruled || broken {
            // Every second row of a table with stripes has no edge to the header.
            broken || cells.len() == columns && step > OVER_EDGE * between
        } else if step < overlap {
            false
        } else if stacked && limit.is_none() {
            true
        } else if let Some(limit) = limit {
            let line = lines.get(index).zip(drafts.get(index));
            step >= limit || remarks && line.is_some_and(is_row)
        } else if has_first {
            // A line with only a first cell may continue the one above.
            true
        } else {
            columns >= COLUMNS
                && cells.len().saturating_add(1) >= columns
                && step > ABOVE_LEAST * least
        };
        out.push(start);
    }
    out
}

/// Whether a line has a text in each column, and values after the first one: it is a whole row.
fn has_values(words: &[Word], cells: &[Draft], columns: usize) -> bool {
    let value = |cell: &Draft| match cell.lines.as_slice() {
        [line] => match line.as_slice() {
            [word] => words
                .get(*word)
                .is_some_and(|it| values::is_number(&it.text) && !values::is_enclosed(&it.text)),
            _ => false,
        },
        _ => false,
    };
    columns >= COLUMNS && cells.len() == columns && cells.iter().skip(1).all(value)
}

/// Whether a line is a remark on a row: smaller text below one of its later cells, which may be wider than
/// the cell. `next` is the line that follows, and `remarks` is where other remarks of the table start.
pub fn is_remark(row: &Line, line: &Line, next: Option<&Line>, remarks: Option<f32>) -> bool {
    let near = |a: f32, b: f32| (a - b).abs() < REMARK_START * line.size;
    let small = line.size < REMARK * row.size && line.y - row.y < REMARK_STEP * row.size;
    let mut later = row.cells.iter().skip(1);
    if !small
        || !(COLUMNS..=limits::COLUMNS).contains(&row.cells.len())
        || !later.any(|it| near(it.x0, line.x0))
    {
        return false;
    }
    // A row with the same cells shows that the table goes on.
    let goes_on = next.is_some_and(|it| {
        let same = |cell: &Cell| row.cells.iter().any(|it| near(it.x0, cell.x0));
        let same = it.cells.iter().take(limits::COLUMNS).filter(|it| same(it));
        same.count().saturating_mul(3) >= row.cells.len().saturating_mul(2)
    });
    goes_on || remarks.is_some_and(|it| near(it, line.x0))
}

/// A line of a cell.
struct CellLine {
    /// The first of its words in the order of the stream.
    order: usize,
    column: usize,
    /// The index of the line.
    line: usize,
}

/// Tells for each line whether it starts a row, by the order in which the cells are drawn: most programs
/// draw all lines of a cell, and then the next cell of the row. `None` if the cells are not drawn so.
pub fn drawn(words: &[Word], lines: &[Line], drafts: &[Vec<Draft>]) -> Option<Vec<bool>> {
    let mut cells: Vec<CellLine> = Vec::new();
    for (line, drafts) in drafts.iter().enumerate() {
        for draft in drafts {
            let all = draft.lines.iter().flatten();
            let order = all.filter_map(|it| words.get(*it)).map(|it| it.order).min();
            cells.extend(order.map(|order| CellLine {
                order,
                column: draft.column,
                line,
            }));
        }
    }
    cells.sort_by_key(|it| it.order);
    let y = |cell: &CellLine| lines.get(cell.line).map_or(0.0, |it| it.y);
    let size = |cell: &CellLine| lines.get(cell.line).map_or(0.0, |it| it.size);
    // The distance of the lines of cells: lines of one column that are drawn one after the other.
    let mut pitch = f32::MAX;
    for pair in cells.windows(2) {
        if let [a, b] = pair
            && a.column == b.column
            && y(b) - y(a) > CELL_STEP * size(a)
        {
            pitch = pitch.lesser(y(b) - y(a));
        }
    }
    // The first and the last line of each row, and whether a cell of it has several lines.
    let mut rows: Vec<(usize, usize)> = Vec::new();
    let (mut wrapped, mut beside) = (0usize, 0usize);
    let mut before: Option<&CellLine> = None;
    for cell in &cells {
        let goes_on = before.is_some_and(|it| {
            let step = y(cell) - y(it);
            match cell.column.cmp(&it.column) {
                std::cmp::Ordering::Greater => true,
                std::cmp::Ordering::Equal => {
                    step > CELL_STEP * size(it)
                        && step < (CELL_PITCH * pitch).lesser(CELL_STEP_MOST * size(it))
                }
                std::cmp::Ordering::Less => false,
            }
        });
        match rows.last_mut() {
            Some(row) if goes_on => {
                if before.is_some_and(|it| it.column == cell.column) {
                    wrapped = wrapped.saturating_add(1);
                } else if before.is_some_and(|it| it.line > cell.line) {
                    beside = beside.saturating_add(1);
                }
                *row = (row.0.min(cell.line), row.1.max(cell.line));
            }
            _ => rows.push((cell.line, cell.line)),
        }
        before = Some(cell);
    }
    // Cells of one line show nothing, nor does a single column.
    if wrapped == 0 || beside == 0 || rows.len() < 2 {
        return None;
    }
    let apart = rows.windows(2).all(|it| match it {
        [a, b] => a.1 < b.0,
        _ => true,
    });
    if !apart {
        return None;
    }
    let mut out = vec![false; lines.len()];
    for row in rows {
        if let Some(start) = out.get_mut(row.0) {
            *start = true;
        }
    }
    Some(out)
}

/// Tells for each line whether it starts a row, by the white over all cells. `None` if all steps are
/// alike.
pub fn apart(lines: &[Line]) -> Option<Vec<bool>> {
    let steps: Vec<f32> = lines
        .windows(2)
        .filter_map(|it| match it {
            [a, b] => Some(b.y - a.y),
            _ => None,
        })
        .collect();
    let size = lines.iter().map(|it| it.size).fold(0.0, f32::greater);
    let real: Vec<f32> = steps
        .iter()
        .copied()
        .filter(|it| *it >= IN_ROW * size)
        .collect();
    let limit = jump(&real)?;
    let mut out = vec![true];
    out.extend(steps.iter().map(|it| *it >= limit));
    Some(out)
}

/// The step that separates the steps inside of rows from those between rows. `None` if all steps are
/// alike.
fn jump(steps: &[f32]) -> Option<f32> {
    let mut steps = steps.to_vec();
    steps.sort_by(f32::total_cmp);
    let (mut best, mut limit) = (JUMP, None);
    for pair in steps.windows(2) {
        if let [a, b] = pair
            && b / a > best
        {
            (best, limit) = (b / a, Some(0.5 * (a + b)));
        }
    }
    limit
}
