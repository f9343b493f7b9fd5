//! Narrow columns of white in tables: columns that are closer to each other than the words of a sentence
//! may be.

use super::lines::{Cell, Line};
use super::strokes::Stroke;
use super::words::Word;
use super::{limits, marker, spans};
use crate::extremes::Extremes as _;

/// The least width of a strip of white, relative to the size. A space is a quarter to a third.
const STRIP: f32 = 0.55;

/// The same before a column that follows a column of numbers.
const NUMBERS: f32 = 0.38;

/// The least number of lines with text at both sides of a strip of white.
const LINES: usize = 4;

/// The difference in points up to which a word is in a column: positions are rounded.
const ROUNDING: f32 = 0.1;

/// The number of lines whose gaps may be strips.
const FIRST_LINES: usize = 2;

/// The distance of starts of the text after numbers, in font sizes.
const SAME_START: f32 = 0.05;

/// The part of the lines with text at both sides of a strip at least, in tenths.
const BOTH: usize = 7;

/// The maximum number of lines over the first row with several cells that may belong to the table.
const LEAD: usize = 8;

/// The distance of these lines in font sizes, and the difference of their sizes in points.
const LEAD_STEP: f32 = 1.6;
const LEAD_SIZE: f32 = 0.5;

/// The distance of lines below which they are cells in the middle of one row, in font sizes.
const IN_ROW: f32 = 0.9;

/// The distance of a heavy line over a table that is its header, in font sizes.
const HEADER_STEP: f32 = 3.0;

/// The distance of a word of a line over a table from its column, in font sizes.
const NEAR_COLUMN: f32 = 0.5;

/// Splits columns at strips of white that nearly all lines have at one place. Returns the columns and
/// the middles of the strips.
pub fn split(
    words: &[Word],
    lines: &[Line],
    columns: &[(f32, f32)],
) -> (Vec<(f32, f32)>, Vec<f32>) {
    let mut out = Vec::with_capacity(columns.len());
    let mut strips = Vec::new();
    for column in columns {
        let mut rest = *column;
        while let Some((left, right)) = strip(words, lines, rest)
            && out.len() < limits::COLUMNS
        {
            out.push((rest.0, left));
            strips.push(0.5 * (left + right));
            rest.0 = right;
        }
        out.push(rest);
    }
    (out, strips)
}

/// The first strip of white in a column.
fn strip(words: &[Word], lines: &[Line], column: (f32, f32)) -> Option<(f32, f32)> {
    let inside = |line: &Line| -> Vec<&Word> {
        let all = line.words.iter().filter_map(|it| words.get(*it));
        all.filter(|it| it.x0 >= column.0 - ROUNDING && it.x1 <= column.1 + ROUNDING)
            .collect()
    };
    let lines: Vec<Vec<&Word>> = lines
        .iter()
        .map(inside)
        .filter(|it| !it.is_empty())
        .collect();
    let first = lines.iter().filter(|it| it.len() >= 2).take(FIRST_LINES);
    let gaps = first.flat_map(|it| it.windows(2)).take(limits::STRIPS);
    for pair in gaps {
        let [a, b] = pair else { continue };
        // A space of code is as wide as a letter.
        // Text follows a bullet.
        if a.face.mono && b.face.mono || marker::is_strong_bullet(&a.text) {
            continue;
        }
        if let Some(found) = common(&lines, (a.x1, b.x0), a.size) {
            return Some(found);
        }
    }
    None
}

/// The part of a gap that is white in all lines. `None` if no part is, or if few lines have text at both
/// sides.
fn common(lines: &[Vec<&Word>], gap: (f32, f32), size: f32) -> Option<(f32, f32)> {
    let (mut left, mut right) = gap;
    let (mut both, mut numbers): (usize, usize) = (0, 0);
    let mut starts = (f32::MAX, f32::MIN);
    for line in lines {
        let middle = 0.5 * (left + right);
        let (mut before, mut after): (Option<&Word>, Option<&Word>) = (None, None);
        for word in line {
            if word.mid() < middle {
                before = Some(word);
            } else if after.is_none() {
                after = Some(word);
            }
        }
        if let Some(word) = before {
            left = left.greater(word.x1);
        }
        if let Some(word) = after {
            right = right.lesser(word.x0);
        }
        if right - left < NUMBERS * size {
            return None;
        }
        if let (Some(before), Some(after)) = (before, after) {
            both = both.saturating_add(1);
            if before.text.bytes().all(|it| it.is_ascii_digit()) {
                numbers = numbers.saturating_add(1);
                starts = (starts.0.lesser(after.x0), starts.1.greater(after.x0));
            }
        }
    }
    // A column of numbers, before text that starts at one place.
    let numbered = numbers.saturating_add(1) >= both && starts.1 - starts.0 < SAME_START * size;
    if right - left < STRIP * size && !numbered {
        return None;
    }
    let enough = both >= LINES && both.saturating_mul(10) >= lines.len().saturating_mul(BOTH);
    enough.then_some((left, right))
}

/// Joins columns that have only the cell of a header with the columns beside them that have only cells
/// below it: a header in the middle of a column may be beside all of its text.
pub fn headed(lines: &[Line], columns: Vec<(f32, f32)>) -> Vec<(f32, f32)> {
    let Some((header, body)) = lines.split_first().filter(|it| it.1.len() >= 2) else {
        return columns;
    };
    let has = |line: &Line, column: &(f32, f32)| {
        let mut cells = line.cells.iter();
        // A wide cell reaches into the column at its side.
        cells.any(|it| it.x1.lesser(column.1) - it.x0.greater(column.0) > 0.5 * (it.x1 - it.x0))
    };
    let mut out: Vec<(f32, f32)> = Vec::with_capacity(columns.len());
    // Whether the last column has a header and a body. `None` if it is joined.
    let mut last: Option<(bool, bool)> = None;
    for column in columns {
        let own = (has(header, &column), body.iter().any(|it| has(it, &column)));
        let joins = matches!(
            (last, own),
            (Some((true, false)), (false, true)) | (Some((false, true)), (true, false))
        );
        match out.last_mut() {
            Some(before) if joins => {
                before.1 = column.1;
                last = None;
            }
            _ => {
                out.push(column);
                last = Some(own);
            }
        }
    }
    out
}

/// The cells of a line, split at the strips between columns.
pub fn cells(words: &[Word], line: &Line, columns: &[(f32, f32)], strips: &[f32]) -> Vec<Cell> {
    // The cells of a header may be close to each other.
    let header = line.bold && columns.len() > 2;
    let mut out: Vec<Cell> = Vec::new();
    for cell in &line.cells {
        let inside = |it: &&(f32, f32)| it.0 < cell.x1 && it.1 > cell.x0;
        let close = header && columns.iter().filter(inside).count() > 1;
        let mut start = cell.start;
        let range = cell.start..cell.end;
        for at in range.skip(1) {
            let word = |at: usize| line.words.get(at).and_then(|it| words.get(*it));
            let (Some(a), Some(b)) = (word(at.saturating_sub(1)), word(at)) else {
                continue;
            };
            let strip = strips.iter().any(|it| a.x1 <= *it && b.x0 >= *it);
            if strip || close && between(columns, a, b) {
                out.extend(part(words, line, start, at));
                start = at;
            }
        }
        out.extend(part(words, line, start, cell.end));
    }
    out
}

/// Whether white between two columns is between two words.
fn between(columns: &[(f32, f32)], a: &Word, b: &Word) -> bool {
    let nearest = |word: &Word| {
        let far = |it: &(f32, f32)| (it.0 - word.mid()).greater(word.mid() - it.1);
        let all = columns.iter().enumerate();
        all.min_by(|x, y| far(x.1).total_cmp(&far(y.1)))
            .map(|it| it.0)
    };
    nearest(a) != nearest(b) && b.x0 - a.x1 > STRIP * a.size
}

/// The cell of some words of a line.
fn part(words: &[Word], line: &Line, start: usize, end: usize) -> Option<Cell> {
    let all = line.words.get(start..end)?;
    let first = all.first().and_then(|it| words.get(*it))?;
    let x1 = all.iter().filter_map(|it| words.get(*it)).map(|it| it.x1);
    Some(Cell {
        x0: first.x0,
        x1: x1.fold(first.x1, f32::greater),
        start,
        end,
    })
}

/// The number of lines over the first line with several cells that belong to it: lines of its cells
/// that are above the other cells, or a header whose columns are close to each other.
pub fn lead(words: &[Word], lines: &[Line], breaks: &[bool], edges: &[Stroke]) -> usize {
    let Some(first) = lines.first().filter(|it| it.cells.len() < 2) else {
        return 0;
    };
    if spans::is_over(lines, edges) {
        return 1;
    }
    let order = |line: &Line| {
        let all = line.words.iter().filter_map(|it| words.get(*it));
        all.map(|it| it.order).min()
    };
    let near =
        |a: &Line, b: &Line| b.y - a.y < LEAD_STEP * a.size && (a.size - b.size).abs() < LEAD_SIZE;
    let Some(count) = lines.iter().take(LEAD).position(|it| it.cells.len() >= 2) else {
        return 0;
    };
    let Some(row) = lines.get(count) else {
        return 0;
    };
    let above = lines.get(..count).unwrap_or_default();
    let broken = breaks
        .iter()
        .take(count.saturating_add(1))
        .skip(1)
        .any(|it| *it);
    let close = lines
        .windows(2)
        .take(count)
        .all(|it| matches!(it, [a, b] if near(a, b)));
    // Lines that are closer than their height are cells in the middle of a row.
    let overlap = lines
        .windows(2)
        .take(count)
        .all(|it| matches!(it, [a, b] if b.y - a.y < IN_ROW * b.size));
    if !broken && overlap {
        return count;
    }
    // The other lines of a page are drawn from the top.
    if !broken && close && above.iter().all(|it| order(it) > order(row)) {
        return count;
    }
    let header = count == 1
        && first.bold
        && !row.bold
        && row.y - first.y < HEADER_STEP * first.size
        && first.size < row.size + LEAD_SIZE;
    usize::from(header)
}

/// Whether the lines over a table fit its columns.
pub fn fits(words: &[Word], above: &[Line], row: &Line, columns: &[(f32, f32)]) -> bool {
    let column = |word: &Word| {
        let mut hits = columns.iter().enumerate().filter(|it| {
            word.x0 < it.1.1 + NEAR_COLUMN * word.size && word.x1 > it.1.0 - NEAR_COLUMN * word.size
        });
        match (hits.next(), hits.next()) {
            (Some(one), None) => Some(one.0),
            (Some(one), Some(two)) => {
                // Between two columns, the nearer one.
                let far = |it: &(f32, f32)| (0.5 * (it.0 + it.1) - word.mid()).abs();
                Some(if far(one.1) <= far(two.1) {
                    one.0
                } else {
                    two.0
                })
            }
            _ => None,
        }
    };
    let hits: Vec<Option<usize>> = above
        .iter()
        .flat_map(|it| it.words.iter())
        .filter_map(|it| words.get(*it))
        .map(column)
        .collect();
    // The words of a heading are close to each other.
    let close = |line: &Line| {
        let all: Vec<&Word> = line.words.iter().filter_map(|it| words.get(*it)).collect();
        let wide = all.windows(2).filter(|it| match it {
            [a, b] => b.x0 - a.x1 > STRIP * a.size,
            _ => false,
        });
        wide.count().saturating_add(1) < columns.len()
    };
    let header = !above.is_empty() && above.iter().all(|it| it.bold) && !row.bold;
    let mut all: Vec<usize> = hits.iter().copied().flatten().collect();
    all.dedup();
    hits.iter().all(Option::is_some)
        && (!header || all.len() == columns.len() && !above.iter().any(close))
}
