//! The words of a page → regions in reading order: columns, and bands over the full width.
//!
//! A page is cut along the tallest column of white between two columns of prose, and the parts
//! above and below are cut in the same way. White between the cells of a table is no such column.

use super::pieces::{Hints, Piece, What};
use super::raster::{Gutter, gutters};
use super::strokes::Stroke;
use super::{limits, number, sizes};
use crate::extremes::Extremes as _;

/// The number of pieces from which a region may have columns.
const PIECES: usize = 6;

/// The distance of baselines of a row in font sizes.
const ON_ROW: f32 = 0.4;

/// The part of its size by which a heading is below the end of the other side.
const BELOW: f32 = 0.5;

/// The distance of the baselines of rows of two sides that are at one height, in sizes of running text.
const SAME_HEIGHT: f32 = 0.25;

/// The parts of the rows that are most of them, in tenths: rows that are running text, pieces that are cells, and
/// rows at one height, which are fewer by chance.
const MOST: usize = 6;
const MOST_ALIGNED: usize = 8;

/// The least number of rows of a column, of rows at one height that are a table, and of rows of columns whose text goes on, or
/// which are drawn one after the other.
const ROWS: usize = 3;
const TABLE_ROWS: usize = 4;
const MANY_ROWS: usize = 6;

/// The least numbers of rows of running text: on both sides together at a known place, on each side and on both
/// sides together at another, and on one side if the other has notes.
const KNOWN_PROSE: usize = 4;
const SIDE_PROSE: usize = 2;
const PROSE: usize = 5;

/// The least number of characters of a side if little of it is running text: a line of a page.
const CHARACTERS: usize = 60;

/// The part of the width of a column from which a row is as wide as the others.
const AS_WIDE: f32 = 0.7;

/// The width of a character in font sizes above which it is Chinese. Such letters are one size wide, Latin ones half.
const CHINESE: f32 = 0.75;

/// The least number of characters of a row of running text, in Chinese and in other letters.
const CHINESE_CHARACTERS: usize = 8;
const ROW_CHARACTERS: usize = 20;

/// The part of the width of a row of running text that its words cover at least.
const INK: f32 = 0.74;

/// The distance of rows in font sizes below which they are of cells that are not at one height.
const STEP: f32 = 1.05;

/// The distance of rows from which white separates them, and the distance of cells at one height, relative to the
/// usual distance of rows.
const SEPARATE: f32 = 1.17;
const LEVEL: f32 = 0.3;

/// The greatest numbers of rows of the pieces of a table: of both of two pieces, of a piece on average, and of the
/// tallest one.
const TWO_PIECES: usize = 6;
const PIECE: usize = 4;
const TALLEST: usize = 14;

/// The least number of pieces of a table.
const TABLE_PIECES: usize = 3;

/// Pieces that are not in columns, as far as they show it themselves, and the lines beside them.
pub struct Uncut {
    pieces: Vec<Piece>,
    edges: Vec<Stroke>,
}

/// Cuts the pieces of a page into regions, in reading order. If they are those of `uncut`, which were searched with
/// the same size of running text, columns are not looked for again.
pub fn regions(pieces: Vec<Piece>, hints: &Hints<'_>, uncut: Option<&Uncut>) -> Vec<Vec<Piece>> {
    let is_uncut = |it: &Uncut| it.pieces == pieces && it.edges == hints.edges;
    if hints.gutter.is_none() && !pieces.is_empty() && uncut.is_some_and(is_uncut) {
        return vec![pieces];
    }
    let mut out = Vec::new();
    cut(pieces, hints, 0, &mut out);
    out
}

/// The middle of the white between the two columns of a page. An error if there is none.
pub fn main_gutter(pieces: Vec<Piece>, edges: Vec<Stroke>, body: f32) -> Result<f32, Uncut> {
    let hints = Hints {
        body,
        gutter: None,
        edges: &edges,
    };
    let mut found = None;
    if pieces.len() >= PIECES {
        let all = gutters(&pieces, &hints);
        found = all.into_iter().find_map(|it| accept(&pieces, it, &hints));
    }
    match found {
        Some(found) => Ok(0.5 * (found.left + found.right)),
        None => Err(Uncut { pieces, edges }),
    }
}

fn cut(pieces: Vec<Piece>, hints: &Hints<'_>, depth: usize, out: &mut Vec<Vec<Piece>>) {
    if pieces.is_empty() {
        return;
    }
    if pieces.len() < PIECES || depth > limits::CUT_DEPTH {
        out.push(pieces);
        return;
    }
    let Some(found) = gutters(&pieces, hints)
        .into_iter()
        .find_map(|it| accept(&pieces, it, hints))
    else {
        out.push(pieces);
        return;
    };
    let middle = 0.5 * (found.left + found.right);
    let (mut above, mut left, mut right, mut below) = (vec![], vec![], vec![], vec![]);
    for piece in pieces {
        let y = 0.5 * (piece.top + piece.bottom);
        let side = if y < found.top {
            &mut above
        } else if y > found.bottom {
            &mut below
        } else if 0.5 * (piece.x0 + piece.x1) < middle {
            &mut left
        } else {
            &mut right
        };
        side.push(piece);
    }
    if left.is_empty() || right.is_empty() {
        let mut all = above;
        all.append(&mut left);
        all.append(&mut right);
        all.append(&mut below);
        out.push(all);
        return;
    }
    let next = depth.saturating_add(1);
    for part in [above, left, right, below] {
        cut(part, hints, next, out);
    }
}

/// A row of one side.
#[derive(Clone, Copy, Debug)]
struct Row {
    y: f32,
    x0: f32,
    x1: f32,
    chars: usize,
    /// The sum of the widths of its words.
    ink: f32,
    /// The number of blocks.
    blocks: usize,
    size: f32,
    bold: bool,
    /// The first and the last of its words in the order of the stream.
    range: (usize, usize),
    /// Whether it starts with a small letter.
    lower: bool,
}

/// The rows of a side, from the top.
fn rows(pieces: &[&Piece]) -> Vec<Row> {
    let mut order: Vec<&&Piece> = pieces.iter().collect();
    order.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut out: Vec<Row> = Vec::new();
    for it in order {
        let chars = it.chars;
        let index = match it.what {
            What::Word(index) => index,
            What::Block(_) => usize::MAX,
        };
        match out.last_mut() {
            Some(row) if (it.y - row.y).abs() < ON_ROW * it.size.greater(1.0) => {
                if it.x0 < row.x0 {
                    row.x0 = it.x0;
                    row.lower = it.lower;
                }
                row.x1 = row.x1.greater(it.x1);
                row.chars = row.chars.saturating_add(chars);
                row.ink += it.x1 - it.x0;
                row.size = row.size.greater(it.size);
                row.bold &= it.bold;
                row.range = (row.range.0.min(index), row.range.1.max(index));
            }
            _ => out.push(Row {
                y: it.y,
                x0: it.x0,
                x1: it.x1,
                chars,
                ink: it.x1 - it.x0,
                blocks: usize::from(matches!(it.what, What::Block(_))),
                size: it.size,
                bold: it.bold,
                range: (index, index),
                lower: it.lower,
            }),
        }
    }
    out
}

/// Returns the gutter, with exact ends, if the text at both sides is in columns.
fn accept(pieces: &[Piece], gutter: Gutter, hints: &Hints<'_>) -> Option<Gutter> {
    let middle = 0.5 * (gutter.left + gutter.right);
    let (mut left, mut right): (Vec<&Piece>, Vec<&Piece>) = (Vec::new(), Vec::new());
    for it in pieces {
        let y = 0.5 * (it.top + it.bottom);
        if y >= gutter.top && y <= gutter.bottom {
            let side = if 0.5 * (it.x0 + it.x1) < middle {
                &mut left
            } else {
                &mut right
            };
            side.push(it);
        }
    }
    let (a, b) = (rows(&left), rows(&right));
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let end = |rows: &[Row]| rows.last().map_or(0.0, |it| it.y);
    // A heading at the lower end of one side belongs to what follows over the full width.
    let (la, lb) = (end(&a), end(&b));
    let mut bottom = gutter.bottom;
    let longer = if la > lb { &a } else { &b };
    let follows = pieces
        .iter()
        .any(|it| 0.5 * (it.top + it.bottom) > gutter.bottom);
    for row in longer.iter().rev().filter(|_| follows) {
        let is_heading = row.size > sizes::LARGE * hints.body || row.bold;
        if row.y <= la.lesser(lb) + BELOW * row.size || !is_heading || row.blocks > 0 {
            break;
        }
        bottom = row.y - row.size;
    }
    let known = hints
        .gutter
        .is_some_and(|it| it > gutter.left - hints.body && it < gutter.right + hints.body);
    let ok = (!drawn_across(&a, &b, SAME_HEIGHT * hints.body) || (goes_on(&a) && goes_on(&b)))
        && (columns(&a, &b, hints) || known && known_columns(&a, &b, hints));
    ok.then_some(Gutter { bottom, ..gutter })
}

/// Whether two sides are columns of text, at a place where other pages have columns.
fn known_columns(a: &[Row], b: &[Row], hints: &Hints<'_>) -> bool {
    let few = a.len().min(b.len());
    let aligned = matched(a, b, SAME_HEIGHT * hints.body);
    let rows = aligned.saturating_mul(10) > few.saturating_mul(MOST);
    let text = prose(a).saturating_add(prose(b)) >= KNOWN_PROSE;
    a.len().max(b.len()) >= ROWS && !coupled(a, b) && (text || !rows)
}

/// Whether two sides are columns of text.
fn columns(a: &[Row], b: &[Row], hints: &Hints<'_>) -> bool {
    let (pa, pb) = (prose(a), prose(b));
    let few = a.len().min(b.len());
    let aligned = matched(a, b, SAME_HEIGHT * hints.body);
    let rows = few >= TABLE_ROWS && aligned.saturating_mul(10) > few.saturating_mul(MOST_ALIGNED);
    // The values of a form may be drawn after all labels, but at their heights. They are no running text, and there
    // are as many values as labels.
    let enough = pa >= SIDE_PROSE && pb >= SIDE_PROSE && pa.saturating_add(pb) >= PROSE;
    let longer = aligned.saturating_mul(10) < a.len().max(b.len()).saturating_mul(MOST);
    if (!rows || enough && longer) && drawn_apart(a, b) {
        return true;
    }
    if a.len() < ROWS || b.len() < ROWS || coupled(a, b) {
        return false;
    }
    // Lines at the same heights are rows of a table, unless nearly all of them are running text.
    let most = |part: usize, all: usize| part.saturating_mul(10) >= all.saturating_mul(MOST);
    let text = !rows || (most(pa, a.len()) && most(pb, b.len()));
    if enough && text {
        return true;
    }
    // Lines that are not at the same height are not the cells of rows.
    let chars = |rows: &[Row]| {
        rows.iter()
            .map(|it| it.chars)
            .fold(0, usize::saturating_add)
    };
    // One side may be short notes beside the text.
    let notes = pa >= PROSE && most(pa, a.len()) || pb >= PROSE && most(pb, b.len());
    (pa >= 1 && pb >= 1 || notes)
        && chars(a) >= CHARACTERS
        && chars(b) >= CHARACTERS
        && aligned.saturating_mul(5) < few.saturating_mul(2)
}

/// The number of rows that look like running text: long, and as wide as the others.
fn prose(rows: &[Row]) -> usize {
    let x0 = rows.iter().map(|it| it.x0).fold(f32::MAX, f32::lesser);
    let x1 = rows.iter().map(|it| it.x1).fold(f32::MIN, f32::greater);
    let width = x1 - x0;
    rows.iter()
        .filter(|it| it.x1 - it.x0 > AS_WIDE * width && it.size > 0.0)
        .filter(|it| {
            // Chinese letters are as wide as two Latin ones.
            let per_char = (it.x1 - it.x0) / (number::float(it.chars.max(1)) * it.size);
            let least = if per_char > CHINESE {
                CHINESE_CHARACTERS
            } else {
                ROW_CHARACTERS
            };
            // Wide white between words is a table.
            it.chars >= least && it.ink > INK * (it.x1 - it.x0)
        })
        .count()
}

/// The number of rows that have a row at the same height on the other side.
fn matched(a: &[Row], b: &[Row], near: f32) -> usize {
    pairs(a, b, near).count()
}

/// The rows at the same height on both sides.
fn pairs<'r>(a: &'r [Row], b: &'r [Row], near: f32) -> impl Iterator<Item = (&'r Row, &'r Row)> {
    let mut rest = b.iter().peekable();
    a.iter().filter_map(move |row| {
        while rest.next_if(|it| it.y < row.y - near).is_some() {}
        let other = rest.peek().filter(|it| it.y <= row.y + near)?;
        Some((row, *other))
    })
}

/// Whether most rows are running text that goes on from the row above.
fn goes_on(rows: &[Row]) -> bool {
    let lower = rows.iter().filter(|it| it.lower).count();
    rows.len() >= MANY_ROWS
        && lower.saturating_mul(2) >= rows.len()
        && prose(rows).saturating_mul(10) >= rows.len().saturating_mul(MOST)
}

/// Whether the text is drawn over both sides, row by row: running text with white that is at one place
/// by chance, or a table.
fn drawn_across(a: &[Row], b: &[Row], near: f32) -> bool {
    let (mut all, mut across) = (0usize, 0usize);
    for (left, right) in pairs(a, b, near) {
        all = all.saturating_add(1);
        let follows = left.range.1.saturating_add(1) == right.range.0;
        across = across.saturating_add(usize::from(follows));
    }
    all >= 2 && across.saturating_mul(2) >= all
}

/// Whether one side is drawn as a whole before the other one. The cells of a table are drawn row by row.
fn drawn_apart(a: &[Row], b: &[Row]) -> bool {
    let words = |rows: &[Row]| rows.iter().all(|it| it.blocks == 0);
    let last = a.iter().map(|it| it.range.1).max();
    let first = b.iter().map(|it| it.range.0).min();
    a.len() >= MANY_ROWS && b.len() >= MANY_ROWS && words(a) && words(b) && last < first
}

/// The rows of one side between white over both sides.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    rows: usize,
    top: f32,
    bottom: f32,
}

/// Whether both sides are rows of one table: white over both sides cuts them into short pieces that
/// start at the same height.
fn coupled(a: &[Row], b: &[Row]) -> bool {
    let mut all: Vec<(f32, bool)> = a.iter().map(|it| (it.y, false)).collect();
    all.extend(b.iter().map(|it| (it.y, true)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut steps: Vec<f32> = Vec::new();
    for rows in [a, b] {
        for pair in rows.windows(2) {
            if let [a, b] = pair {
                steps.push(b.y - a.y);
            }
        }
    }
    // Cells in the middle of a row are at other heights than the lines of their neighbours.
    let size = a
        .iter()
        .chain(b)
        .map(|it| it.size)
        .fold(f32::MAX, f32::lesser);
    steps.retain(|it| *it > STEP * size);
    steps.sort_by(f32::total_cmp);
    let Some(pitch) = steps.get(steps.len() / 4).copied() else {
        return false;
    };
    let (mut pieces, mut both, mut rows) = (0usize, 0usize, 0usize);
    let mut tallest = 0usize;
    let mut chunk = [Extent::default(); 2];
    let mut last = f32::MIN;
    let mut close = |chunk: &[Extent; 2]| {
        let [a, b] = chunk;
        let most = a.rows.max(b.rows);
        if most == 0 {
            return;
        }
        pieces = pieces.saturating_add(1);
        rows = rows.saturating_add(most);
        tallest = tallest.max(most);
        // The text of cells starts at the upper side, or is in the middle.
        let near = |a: f32, b: f32| (a - b).abs() < LEVEL * pitch;
        let level = near(a.top, b.top) || near(a.top + a.bottom, b.top + b.bottom);
        if a.rows > 0 && b.rows > 0 && level {
            both = both.saturating_add(1);
        }
    };
    for (y, right) in all {
        if y - last > SEPARATE * pitch {
            close(&chunk);
            chunk = [Extent::default(); 2];
        }
        let [a, b] = &mut chunk;
        let side = if right { b } else { a };
        if side.rows == 0 {
            side.top = y;
        }
        side.bottom = y;
        side.rows = side.rows.saturating_add(1);
        last = y;
    }
    close(&chunk);
    if pieces == 2 {
        return both == 2 && rows <= TWO_PIECES;
    }
    pieces >= TABLE_PIECES
        && both.saturating_mul(10) >= pieces.saturating_mul(MOST)
        && rows <= pieces.saturating_mul(PIECE)
        && tallest <= TALLEST
}
