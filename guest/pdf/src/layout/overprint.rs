//! Lines that are printed over the rows of a table.
//!
//! A program may print remarks at a fixed place, which is in the middle of a table. They follow the table.

use super::lines::Line;
use crate::extremes::Extremes as _;

/// The least number of cells of a row.
const CELLS: usize = 3;

/// The distance of the starts of cells of one column in points.
const SAME_START: f32 = 1.0;

/// The greatest distance of two rows in font sizes.
const STEP: f32 = 4.0;

/// The number of cells on which a line is printed at least, and the distance of its baseline from theirs, in font
/// sizes: less than the height of letters.
const CROSSED: usize = 2;
const OVER: f32 = 0.7;

/// Moves lines that are printed over rows to the end of the rows. `None` if no line is printed over rows.
pub fn moved(lines: &[Line]) -> Option<Vec<Line>> {
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    let mut over: Vec<Line> = Vec::new();
    let mut any = false;
    for (index, line) in lines.iter().enumerate() {
        let next = lines.get(index.saturating_add(1));
        let row = out.last();
        if let (Some(row), Some(next)) = (row, next)
            && is_over(line, row, next)
        {
            over.push(line.clone());
            any = true;
            continue;
        }
        if !over.is_empty() && !out.last().is_some_and(|row| are_rows(row, line)) {
            out.append(&mut over);
        }
        out.push(line.clone());
    }
    out.append(&mut over);
    any.then_some(out)
}

/// Whether a line is printed over one of two rows.
fn is_over(line: &Line, row: &Line, next: &Line) -> bool {
    line.cells.len() == 1 && are_rows(row, next) && (crosses(line, row) || crosses(line, next))
}

/// Whether two lines have several cells, most of which start at the same places.
fn are_rows(a: &Line, b: &Line) -> bool {
    let (few, many) = if a.cells.len() < b.cells.len() {
        (a, b)
    } else {
        (b, a)
    };
    let starts = |x0: f32| {
        many.cells
            .binary_search_by(|it| {
                if (it.x0 - x0).abs() < SAME_START {
                    std::cmp::Ordering::Equal
                } else {
                    it.x0.total_cmp(&x0)
                }
            })
            .is_ok()
    };
    let same = few.cells.iter().filter(|it| starts(it.x0)).count();
    few.cells.len() >= CELLS
        && same.saturating_mul(3) >= many.cells.len().saturating_mul(2)
        && (b.y - a.y).abs() < STEP * a.size
}

/// Whether the letters of a line are on those of several cells.
fn crosses(line: &Line, row: &Line) -> bool {
    let on = |x0: f32, x1: f32| line.x0 < x1 && line.x1 > x0;
    let cells = row.cells.iter().filter(|it| on(it.x0, it.x1)).count();
    cells >= CROSSED && (line.y - row.y).abs() < OVER * line.size.lesser(row.size)
}
