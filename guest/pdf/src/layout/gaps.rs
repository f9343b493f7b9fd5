//! The cells and columns of lines that are known to be of a table: little white is between them.

use super::limits;
use super::lines::{Cell, Line};
use super::words::Word;
use crate::extremes::Extremes as _;
use std::ops::Range;

/// The white between two words of different cells: relative to the usual space, the least and the most in font sizes,
/// and that of code.
const MORE: f32 = 1.35;
const GAP: (f32, f32) = (0.46, 0.55);
const CODE_GAP: f32 = 1.1;

/// The spaces of a page in font sizes, and the distance of the baselines of words of a line.
const SPACES: Range<f32> = 0.1..1.5;
const SAME_LINE: f32 = 0.1;

/// The part of the lines that may have text in the white between columns.
const CROSSING: usize = 10;

/// The least width of the white between columns in font sizes.
const WHITE: f32 = 0.2;

/// The least white between two words of different cells that are close to each other, in font sizes, and relative to
/// the usual white between the words.
const SPACE: f32 = 0.3;
const WIDER: f32 = 1.2;

/// The least number of rows that show columns, and of lines of text.
const ROWS: usize = 2;

/// The white between two words of different cells in font sizes: more than the spaces of the page.
pub fn gap(words: &[Word]) -> f32 {
    let mut all: Vec<f32> = words
        .windows(2)
        .filter_map(|it| match it {
            [a, b] if (a.y - b.y).abs() < SAME_LINE * a.size => Some((b.x0 - a.x1) / a.size),
            _ => None,
        })
        .filter(|it| SPACES.contains(it))
        .collect();
    all.sort_by(f32::total_cmp);
    let usual = all.get(all.len() / 4).copied().unwrap_or_default();
    (MORE * usual).clamp(GAP.0, GAP.1)
}

/// The parts of a line between white that is wider than spaces.
pub fn cells(words: &[Word], line: &Line, gap: f32) -> Vec<Cell> {
    let mut out: Vec<Cell> = Vec::new();
    let mut before: Option<&Word> = None;
    for (position, index) in line.words.iter().enumerate() {
        let Some(word) = words.get(*index) else {
            continue;
        };
        let wide = before.is_none_or(|it| {
            let code = it.face.mono && word.face.mono;
            let least = if code { CODE_GAP } else { gap };
            word.x0 - it.x1 > least * line.size
        });
        let end = position.saturating_add(1);
        match out.last_mut() {
            Some(cell) if !wide => {
                cell.x1 = cell.x1.greater(word.x1);
                cell.end = end;
            }
            _ => out.push(Cell {
                x0: word.x0,
                x1: word.x1,
                start: position,
                end,
            }),
        }
        before = Some(word);
    }
    out
}

/// The columns of lines, of which the first ones are the head: what is between white that nearly all lines have.
pub fn columns(lines: &[Line], head: usize) -> Option<Vec<(f32, f32)>> {
    let several = |it: &&Line| it.cells.len() >= 2;
    let rows: Vec<&Line> = lines.iter().skip(head).filter(several).collect();
    // The cells of a head may be over several columns.
    let all: Vec<&Line> = if rows.len() >= ROWS {
        rows
    } else {
        lines.iter().filter(several).collect()
    };
    let size = all.iter().map(|it| it.size).fold(f32::MAX, f32::lesser);
    // Where cells start and end, and how many lines have text there.
    let mut ends: Vec<(f32, bool)> = Vec::new();
    for cell in all.iter().flat_map(|it| &it.cells) {
        ends.push((cell.x0, true));
        ends.push((cell.x1, false));
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let most = all.len() / CROSSING;
    let mut depth: usize = 0;
    let mut out: Vec<(f32, f32)> = Vec::new();
    for (x, starts) in ends {
        if starts {
            depth = depth.saturating_add(1);
            if depth == most.saturating_add(1) {
                match out.last_mut() {
                    Some(last) if x - last.1 < WHITE * size => {}
                    _ => out.push((x, x)),
                }
            }
        } else {
            if depth == most.saturating_add(1)
                && let Some(last) = out.last_mut()
            {
                last.1 = x;
            }
            depth = depth.saturating_sub(1);
        }
    }
    // Other cells in one column widen it, and those in no column are one. A head over several columns may be in the
    // middle of them.
    let most = lines.iter().take(head).map(|it| it.cells.len()).max();
    for (index, line) in lines.iter().enumerate() {
        let own = line.cells.len() >= 2 && (index >= head || Some(line.cells.len()) == most);
        for cell in &line.cells {
            let count = hits(&out, cell);
            if count == 1 {
                let on = |it: &&mut (f32, f32)| cell.x0 < it.1 && cell.x1 > it.0;
                if let Some(own) = out.iter_mut().find(on) {
                    *own = (own.0.lesser(cell.x0), own.1.greater(cell.x1));
                }
            } else if count == 0 && own && out.len() < limits::COLUMNS {
                let at = out.partition_point(|it| it.0 < cell.x0);
                out.insert(at, (cell.x0, cell.x1));
            }
        }
    }
    (2..=limits::COLUMNS).contains(&out.len()).then_some(out)
}

/// The cells of a line, of which those over several columns are split where white between words shows it.
pub fn split(words: &[Word], line: &Line, columns: &[(f32, f32)]) -> Vec<Cell> {
    let mut out: Vec<Cell> = Vec::new();
    for cell in &line.cells {
        if hits(columns, cell) < 2 {
            out.push(*cell);
            continue;
        }
        let word = |at: usize| line.words.get(at).and_then(|it| words.get(*it));
        // The white before each word, with its middle.
        let mut gaps: Vec<(usize, f32, f32)> = Vec::new();
        for at in (cell.start..cell.end).skip(1) {
            if let (Some(a), Some(b)) = (word(at.saturating_sub(1)), word(at)) {
                gaps.push((at, b.x0 - a.x1, 0.5 * (a.x1 + b.x0)));
            }
        }
        let mut widths: Vec<f32> = gaps.iter().map(|it| it.1).collect();
        widths.sort_by(f32::total_cmp);
        let usual = widths.get(widths.len() / 2).copied().unwrap_or_default();
        let mut at: Vec<usize> = Vec::new();
        for pair in columns.windows(2) {
            let [a, b] = pair else { continue };
            let near = |it: &&(usize, f32, f32)| (a.1 - line.size..b.0 + line.size).contains(&it.2);
            let widest = gaps.iter().filter(near).max_by(|a, b| a.1.total_cmp(&b.1));
            let least = SPACE * line.size;
            at.extend(
                widest
                    .filter(|it| it.1 > least && (it.1 > WIDER * usual || gaps.len() == 1))
                    .map(|it| it.0),
            );
        }
        at.dedup();
        let mut start = cell.start;
        for end in at.into_iter().chain([cell.end]) {
            if let (Some(first), Some(last)) = (word(start), word(end.saturating_sub(1)))
                && start < end
            {
                out.push(Cell {
                    x0: first.x0,
                    x1: last.x1,
                    start,
                    end,
                });
            }
            start = end;
        }
    }
    out
}

/// Whether the lines of a band are text that goes through the columns.
pub fn is_text(lines: &[Line], columns: &[(f32, f32)]) -> bool {
    let through = |it: &&Line| it.cells.iter().any(|it| hits(columns, it) >= 2);
    let count = lines.iter().filter(through).count();
    count >= ROWS && count.saturating_mul(2) >= lines.len()
}

/// The number of columns that a cell touches.
pub fn hits(columns: &[(f32, f32)], cell: &Cell) -> usize {
    let on = |it: &&(f32, f32)| cell.x0 < it.1 && cell.x1 > it.0;
    columns.iter().filter(on).count()
}
