//! The words of a region → lines.

use super::marker;
use super::raised;
use super::words::{Rise, Word};
use crate::extremes::Extremes as _;

/// A line of a region, with its words from the left.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent properties"
)]
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The words, by their index.
    pub words: Vec<usize>,
    /// The left end.
    pub x0: f32,
    /// The right end.
    pub x1: f32,
    /// The baseline.
    pub y: f32,
    /// The size of most characters.
    pub size: f32,
    /// The number of characters.
    pub chars: usize,
    /// Whether nearly all characters are heavy.
    pub bold: bool,
    /// Whether nearly all characters are slanted.
    pub italic: bool,
    /// Whether nearly all characters have one width.
    pub mono: bool,
    /// Whether it is read from the right.
    pub rtl: bool,
    /// Whether it is a term, whose definition is at its side.
    pub term: bool,
    /// Whether it is of a list of contents.
    pub entry: bool,
    /// The parts between wide gaps: left and right end, and the range of the words.
    pub cells: Vec<Cell>,
}

/// A part of a line between wide gaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The left end.
    pub x0: f32,
    /// The right end.
    pub x1: f32,
    /// The first of its words in the line.
    pub start: usize,
    /// The end of its words in the line.
    pub end: usize,
}

/// The distance of baselines of one line in font sizes. The size of a small word counts [`SMALL_WORD`] times.
const ON_LINE: f32 = 0.22;
const SMALL_WORD: f32 = 1.4;

/// The white between all words of a line, in font sizes, that is not of a justified line with as many gaps.
const FAR: f32 = 4.0;
const FAR_GAPS: usize = 3;

/// The white from which words are in different cells, in font sizes: of text, of code, of which a space is as wide as a
/// letter, and of the text of a typewriter, which has up to two spaces between sentences.
const CELL_GAP: f32 = 0.95;
const CODE_GAP: f32 = 3.5;
const TYPED_GAP: f32 = 1.5;

/// The white before a bullet from which it starts a cell, in font sizes.
const BULLET_GAP: f32 = 0.6;

/// The distance of a header that is code from the row below it, in font sizes, and its least number of cells.
const HEADER_STEP: f32 = 2.7;
const HEADER_CELLS: usize = 3;

/// Of justified lines, in font sizes: the distance of the lines beside them, the least white between words, the part
/// by which white beside code may be wider, and the least white that is stretched.
const BESIDE: f32 = 2.0;
const LEAST_GAP: f32 = 0.16;
const CODE_MORE: f32 = 0.3;
const STRETCHED: f32 = 0.4;

/// The difference of gaps in font sizes up to which they are equal.
const EVEN: f32 = 0.04;

/// The least numbers of equal gaps of a justified line: if all are equal, and if some are spaces.
const EQUAL: usize = 2;
const MOSTLY_EQUAL: usize = 4;

/// Of a line that is stretched, whatever is beside it: the least number of its gaps, the difference of the widths of
/// its words in font sizes, and the width of a gap after punctuation relative to the others at most.
const STRETCHED_GAPS: usize = 3;
const WIDTHS: f32 = 0.5;
const AFTER_SIGN: f32 = 2.2;

/// The width of a space in a line beside a justified one, in font sizes.
const SPACE: f32 = 0.7;

/// Of raised and lowered words that were drawn near the baseline of the line, in sizes of the line: the distances of
/// their baselines, and their greatest size.
const RAISED_NEAR: f32 = 0.12;
const LOWERED_NEAR: f32 = -0.06;
const SMALL_NEAR: f32 = 0.82;

/// The distance of a text that is drawn twice, in font sizes.
const TWICE: f32 = 0.15;

/// The difference of sizes in points of which the words of a line have one, and the maximum number of sizes.
const SAME_SIZE: f32 = 0.2;
const SIZES: usize = 16;

/// Returns the lines of the words with these indices, from the top. Sets the rise of words.
pub fn lines(words: &mut [Word], mut indices: Vec<usize>) -> Vec<Line> {
    let key =
        |words: &[Word], index: usize| words.get(index).map_or((0.0, 0.0), |it| (it.y, it.x0));
    indices.sort_by(|a, b| {
        let (a, b) = (key(words, *a), key(words, *b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut at: Option<(f32, f32)> = None;
    for index in indices {
        let Some(word) = words.get(index) else {
            continue;
        };
        match at {
            Some((y, size))
                if word.y - y < ON_LINE * size.lesser(word.size * SMALL_WORD).greater(0.5) =>
            {
                if let Some(row) = rows.last_mut() {
                    row.push(index);
                }
                at = Some((y, size.greater(word.size)));
            }
            _ => {
                rows.push(vec![index]);
                at = Some((word.y, word.size));
            }
        }
    }
    let rows = raised::attach(words, rows);
    let mut out: Vec<Line> = rows
        .into_iter()
        .filter_map(|row| line(words, row))
        .collect();
    join_justified(words, &mut out);
    split_header(words, &mut out);
    out
}

/// Joins the cells of justified lines: all their gaps are equally wide, and the lines beside them have
/// words there.
fn join_justified(words: &[Word], lines: &mut [Line]) {
    let mut found: Vec<usize> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line.cells.len() < 2 || line.words.len() < 3 {
            continue;
        }
        if is_stretched(words, line) {
            found.push(index);
            continue;
        }
        let gaps = gaps(words, line);
        if !is_even(&gaps, line.size) && !is_mostly_even(&gaps, line.size) {
            continue;
        }
        // The heads of columns may have equal distances.
        let far = gaps.iter().all(|it| it.x1 - it.x0 > FAR * line.size);
        if far && gaps.len() >= FAR_GAPS {
            continue;
        }
        let before = index.checked_sub(1).and_then(|it| lines.get(it));
        let after = lines.get(index.saturating_add(1));
        let near = |it: &&Line| (it.y - line.y).abs() < BESIDE * line.size;
        let covered = [before, after]
            .into_iter()
            .flatten()
            .filter(near)
            .any(|it| {
                let hits = gaps.iter().filter(|gap| covers(words, it, gap)).count();
                hits.saturating_mul(2) >= gaps.len().max(3)
            });
        if covered {
            found.push(index);
        }
    }
    for index in found {
        if let Some(line) = lines.get_mut(index) {
            line.cells = vec![Cell {
                x0: line.x0,
                x1: line.x1,
                start: 0,
                end: line.words.len(),
            }];
        }
    }
}

/// Splits a header that is code into the cells of the row below it, whose gaps are narrower than those of
/// a listing.
fn split_header(words: &[Word], lines: &mut [Line]) {
    let mut found: Vec<(usize, Vec<Cell>)> = Vec::new();
    for (index, pair) in lines.windows(2).enumerate() {
        let [line, row] = pair else { continue };
        let close = row.y - line.y < HEADER_STEP * line.size;
        if !line.mono || row.mono || !close || row.cells.len() < HEADER_CELLS {
            continue;
        }
        let own = cells(words, &line.words, line.size, CELL_GAP);
        if own.len() > line.cells.len() && own.len() <= row.cells.len() && own.len() >= HEADER_CELLS
        {
            found.push((index, own));
        }
    }
    for (index, cells) in found {
        if let Some(line) = lines.get_mut(index) {
            line.cells = cells;
        }
    }
}

/// White between words.
struct Gap {
    x0: f32,
    x1: f32,
    /// Whether it is beside code, whose spaces have another width.
    code: bool,
}

/// The white between the words of a line.
fn gaps(words: &[Word], line: &Line) -> Vec<Gap> {
    let all: Vec<&Word> = line.words.iter().filter_map(|it| words.get(*it)).collect();
    all.windows(2)
        .filter_map(|it| match it {
            [a, b] if b.x0 - a.x1 > LEAST_GAP * line.size => Some(Gap {
                x0: a.x1,
                x1: b.x0,
                code: a.face.mono || b.face.mono,
            }),
            _ => None,
        })
        .collect()
}

/// Whether all gaps are equally wide.
fn is_even(gaps: &[Gap], size: f32) -> bool {
    let (mut least, mut most, mut count) = (f32::MAX, 0.0_f32, 0usize);
    for gap in gaps.iter().filter(|it| !it.code) {
        least = least.lesser(gap.x1 - gap.x0);
        most = most.greater(gap.x1 - gap.x0);
        count = count.saturating_add(1);
    }
    let wide = |it: &Gap| it.code && it.x1 - it.x0 > most + CODE_MORE * size;
    count >= EQUAL && most - least < EVEN * size && !gaps.iter().any(wide)
}

/// Whether a line is text that is stretched: the gaps between words of different widths are equally wide, or a little
/// wider after punctuation. The white between cells depends on their width.
fn is_stretched(words: &[Word], line: &Line) -> bool {
    let all: Vec<&Word> = line.words.iter().filter_map(|it| words.get(*it)).collect();
    // The white after a marker has a width of its own.
    let text = match all.split_first() {
        Some((first, rest)) if marker::marker(&first.text).is_some() => rest,
        _ => all.as_slice(),
    };
    let (mut least, mut most) = (f32::MAX, 0.0_f32);
    let (mut narrow, mut wide) = (f32::MAX, 0.0_f32);
    let (mut count, mut letters) = (0usize, 0usize);
    let (mut signs, mut after) = (0usize, 0.0_f32);
    for pair in text.windows(2) {
        let [a, b] = pair else { continue };
        let gap = b.x0 - a.x1;
        if gap < LEAST_GAP * line.size {
            // A word of several formats.
            continue;
        }
        if a.face.mono || b.face.mono {
            return false;
        }
        if a.text
            .ends_with(['.', ',', ';', ':', '!', '?', ')', '”', '"'])
        {
            signs = signs.saturating_add(1);
            after = after.greater(gap);
            continue;
        }
        least = least.lesser(gap);
        most = most.greater(gap);
        count = count.saturating_add(1);
        narrow = narrow.lesser(a.x1 - a.x0);
        wide = wide.greater(a.x1 - a.x0);
        letters = letters.saturating_add(usize::from(a.text.chars().any(char::is_alphabetic)));
    }
    count >= EQUAL
        && count.saturating_add(signs) >= STRETCHED_GAPS
        && most - least < EVEN * line.size
        && wide - narrow > WIDTHS * line.size
        && letters == count
        && (after == 0.0 || (least..AFTER_SIGN * most).contains(&(after + EVEN * line.size)))
}

/// Whether many gaps of a line are equally wide, and the others are spaces that stay as they are.
fn is_mostly_even(gaps: &[Gap], size: f32) -> bool {
    let wide = || {
        gaps.iter()
            .map(|it| it.x1 - it.x0)
            .filter(|it| *it > STRETCHED * size)
    };
    let (mut least, mut most) = (f32::MAX, 0.0_f32);
    for width in wide() {
        least = least.lesser(width);
        most = most.greater(width);
    }
    wide().count() >= MOSTLY_EQUAL && most - least < EVEN * size
}

/// Whether a line is running text: it has no wide gaps, or they are equally wide.
pub fn is_running(words: &[Word], line: &Line) -> bool {
    line.cells.len() < 2 || is_even(&gaps(words, line), line.size)
}

/// Whether a word of a line or a space between words is over the middle of a gap.
fn covers(words: &[Word], line: &Line, gap: &Gap) -> bool {
    let middle = 0.5 * (gap.x0 + gap.x1);
    let start = |it: &usize| words.get(*it).map_or(0.0, |it| it.x0);
    let next = line.words.partition_point(|it| start(it) <= middle);
    let word = |at: Option<usize>| {
        at.and_then(|it| line.words.get(it))
            .and_then(|it| words.get(*it))
    };
    let Some(left) = word(next.checked_sub(1)) else {
        return false;
    };
    left.x1 > middle || word(Some(next)).is_some_and(|it| it.x0 - left.x1 < SPACE * line.size)
}

/// The line of a row. Text that is drawn twice at one position is kept once.
fn line(words: &mut [Word], mut row: Vec<usize>) -> Option<Line> {
    row.sort_by(|a, b| {
        let x = |it: &usize| words.get(*it).map_or((0.0, 0), |it| (it.x0, it.order));
        let (a, b) = (x(a), x(b));
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    });
    row.dedup_by(|next, last| {
        let (Some(next), Some(last)) = (words.get(*next), words.get(*last)) else {
            return false;
        };
        let near = TWICE * last.size;
        next.text == last.text && (next.x0 - last.x0).abs() < near && (next.y - last.y).abs() < near
    });
    let out = part(words, &row)?;
    // Lowered and raised words that were drawn on a baseline near the line.
    for index in &row {
        if let Some(word) = words.get_mut(*index)
            && word.rise == Rise::None
            && word.size < SMALL_NEAR * out.size
            && !marker::is_strong_bullet(&word.text)
        {
            let up = (out.y - word.y) / out.size;
            if up > RAISED_NEAR {
                word.rise = Rise::Super;
            } else if up < LOWERED_NEAR {
                word.rise = Rise::Sub;
            }
        }
    }
    Some(out)
}

/// The line of words that are sorted from the left.
pub fn part(words: &[Word], row: &[usize]) -> Option<Line> {
    let mut out = Line {
        x0: f32::MAX,
        x1: f32::MIN,
        ..Line::default()
    };
    let (mut bold, mut italic, mut mono, mut rtl) = (0usize, 0usize, 0usize, 0usize);
    let mut sizes: Vec<(f32, usize, f32)> = Vec::new();
    for word in row.iter().filter_map(|it| words.get(*it)) {
        let add = |to: &mut usize, has: bool| {
            if has {
                *to = to.saturating_add(word.chars);
            }
        };
        add(&mut bold, word.face.bold);
        add(&mut italic, word.face.italic);
        add(&mut mono, word.face.mono);
        add(&mut rtl, word.rtl);
        out.chars = out.chars.saturating_add(word.chars);
        out.x0 = out.x0.lesser(word.x0);
        out.x1 = out.x1.greater(word.x1);
        if word.rise == Rise::None {
            let known = sizes
                .iter()
                .position(|it| (it.0 - word.size).abs() < SAME_SIZE);
            if let Some(it) = known.and_then(|it| sizes.get_mut(it)) {
                it.1 = it.1.saturating_add(word.chars);
            } else if sizes.len() < SIZES {
                sizes.push((word.size, word.chars, word.y));
            }
        }
    }
    let most = sizes.iter().max_by_key(|it| it.1).or(sizes.first());
    let (size, _, y) = most.copied().unwrap_or_else(|| {
        let first = row.first().and_then(|it| words.get(*it));
        first.map_or((1.0, 0, 0.0), |it| (it.size, 0, it.y))
    });
    (out.size, out.y) = (size, y);
    let nearly =
        |count: usize| count > 0 && count.saturating_mul(10) >= out.chars.saturating_mul(9);
    // Inline code has no weight of its own.
    let code = if mono.saturating_mul(10) < out.chars.saturating_mul(7) {
        mono
    } else {
        0
    };
    out.bold = bold > 0 && nearly(bold.saturating_add(code).min(out.chars));
    out.italic = nearly(italic);
    out.mono = nearly(mono);
    out.rtl = rtl.saturating_mul(3) > out.chars;
    out.cells = cells(words, row, size, CODE_GAP);
    out.words = row.to_vec();
    (!out.words.is_empty()).then_some(out)
}

/// The line of words from the left, as a part of another line.
pub fn of_words(words: &[Word], row: &[usize]) -> Option<Line> {
    let all = || row.iter().filter_map(|it| words.get(*it));
    let first = all().next()?;
    Some(Line {
        words: row.to_vec(),
        x0: all().map(|it| it.x0).fold(f32::MAX, f32::lesser),
        x1: all().map(|it| it.x1).fold(f32::MIN, f32::greater),
        y: first.y,
        size: first.size,
        chars: all().map(|it| it.chars).fold(0, usize::saturating_add),
        rtl: first.rtl,
        ..Line::default()
    })
}

/// Splits a line at wide gaps. Gaps of code are as wide as `code`, relative to the size.
fn cells(words: &[Word], row: &[usize], size: f32, code: f32) -> Vec<Cell> {
    let mut out: Vec<Cell> = Vec::new();
    let mut before: Option<&Word> = None;
    for (position, index) in row.iter().enumerate() {
        let Some(word) = words.get(*index) else {
            continue;
        };
        let wide = match before {
            Some(last) => {
                let gap = word.x0 - last.x1;
                // A space of code is as wide as a letter.
                let limit = if last.face.mono && word.face.mono {
                    code
                } else if last.face.fixed && word.face.fixed {
                    TYPED_GAP
                } else {
                    CELL_GAP
                };
                // The bullet of the next cell. One between words has spaces at its sides.
                let bullet = marker::is_strong_bullet(&word.text) && gap > BULLET_GAP * size;
                // Text that is spaced out has the gap of its letters on both sides of a space.
                bullet || gap > limit * size + 2.0 * last.tracking.lesser(word.tracking)
            }
            None => true,
        };
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
