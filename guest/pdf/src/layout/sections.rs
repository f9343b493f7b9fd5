//! Lines of text that look like rows of a table: headings with a line below them, and lines with text at both sides,
//! such as the name of an employer and the years.

use super::draft::Found;
use super::lines::{Cell, Line};
use super::marker;
use super::words::Word;
use crate::extremes::Extremes as _;

/// The distance of a heading from the line above it, relative to that of lines.
const APART: f32 = 1.15;

/// The number of lines above a heading of which the distance is known.
const STEPS: usize = 16;

/// The least number of letters of a heading in capitals.
const CAPITALS: usize = 4;

/// The size of a heading relative to that of the rows above it.
const LARGER: f32 = 1.04;

/// The distance of the lines of a head in font sizes.
const HEAD_STEP: f32 = 1.5;

/// The difference in font sizes of the places at which two cells start that are in one column.
const ALIGNED: f32 = 0.3;

/// The least white between the texts at both sides, in font sizes, and the distance from the end of the region, in font
/// sizes and as a part of its width.
const WHITE: f32 = 3.0;
const AT_END: f32 = 1.0;
const NEAR_END: f32 = 0.05;

/// The part of the width of the region from which a line is running text.
const PROSE: f32 = 0.55;

/// The number of lines in a row with text at both sides that are rows of a table.
const ROWS: usize = 3;

/// Whether a line looks like a heading: it is heavy or in capitals.
fn looks_like_heading(words: &[Word], line: &Line) -> bool {
    let letters = || {
        let words = line.words.iter().filter_map(|it| words.get(*it));
        words.flat_map(|it| it.text.chars().filter(|it| it.is_alphabetic()))
    };
    let capitals = || letters().count() >= CAPITALS && letters().all(char::is_uppercase);
    line.bold || capitals()
}

/// Whether the last of some lines is a heading that is apart from those above it. A line is below it.
pub fn ends_with_heading(words: &[Word], lines: &[Line]) -> bool {
    let [.., before, last] = lines else {
        return false;
    };
    let first = lines.first().map_or(last.x0, |it| it.x0);
    let steps = lines
        .windows(2)
        .rev()
        .skip(1)
        .take(STEPS)
        .filter_map(|it| match it {
            [a, b] => Some(b.y - a.y),
            _ => None,
        });
    let least = steps.fold(f32::MAX, f32::lesser).lesser(1.5 * last.size);
    last.y - before.y > APART * least
        && last.x0 < first + last.size
        && !(before.bold && last.bold)
        && last.cells.len() < 2
        && (last.size > LARGER * before.size || looks_like_heading(words, last))
}

/// Whether a line beside the rows of a table is the heading of a section: it is larger than they are, or a number and
/// its title are in it. `lines` are those of the table, and the line may be one of them.
pub fn is_heading_by(words: &[Word], (line, cells): (&Line, &[Cell]), lines: &[Line]) -> bool {
    let mut sizes: Vec<f32> = lines
        .iter()
        .filter(|it| it.cells.len() >= 2)
        .map(|it| it.size)
        .collect();
    sizes.sort_by(f32::total_cmp);
    let usual = sizes.get(sizes.len() / 2).copied();
    let larger = usual.is_some_and(|it| line.size > LARGER * it);
    let Some(title) = title(words, line, cells) else {
        // A head may be larger than the rows, and have several lines.
        let beside = |it: &Line| {
            it.cells.len() >= 2
                && it.size * LARGER > line.size
                && (it.y - line.y).abs() < HEAD_STEP * line.size
        };
        return larger && cells.len() < 2 && !lines.iter().any(beside);
    };
    // A row may have a number too. Its second cell is in a column.
    let at = |it: &Line| {
        let near = |it: &Cell| (it.x0 - title.x0).abs() < ALIGNED * line.size;
        it.y.total_cmp(&line.y).is_ne()
            && it.cells.iter().skip(1).any(near)
            && self::title(words, it, &it.cells).is_none()
    };
    larger || line.bold && !lines.iter().any(at)
}

/// The title of a section beside its number, if a line has both.
pub fn title(words: &[Word], line: &Line, cells: &[Cell]) -> Option<Cell> {
    let [number, title] = cells else {
        return None;
    };
    let first = words.get(*line.words.get(number.start)?)?;
    let is_numbered = marker::section_depth(&first.text) > 0;
    (number.end == 1 && is_numbered).then_some(*title)
}

/// Whether a line has text at both sides of the region, whose start and end are given.
pub fn is_pair(line: &Line, sides: (f32, f32)) -> bool {
    match line.cells.as_slice() {
        [a, b] => {
            !line.rtl
                && !line.mono
                && b.x0 - a.x1 > WHITE * line.size
                && sides.1 - b.x1 < (AT_END * line.size).greater(NEAR_END * (sides.1 - sides.0))
        }
        _ => false,
    }
}

/// Whether a table of two columns is text: a few lines with text at both sides, which end where running text does.
pub fn is_text(found: &Found, lines: &[Line], sides: (f32, f32)) -> bool {
    let own = lines.get(..found.lines).unwrap_or_default();
    if found.columns.len() != 2 || !own.first().is_some_and(|it| is_pair(it, sides)) {
        return false;
    }
    // A text that goes on below itself at the right side is a cell.
    let wrapped = own.windows(2).any(|it| match it {
        [above, line] => {
            let last = above.cells.last().filter(|_| line.cells.len() < 2);
            last.is_some_and(|it| it.x0 > above.x0 && (line.x0 - it.x0).abs() < ALIGNED * line.size)
        }
        _ => false,
    });
    let width = sides.1 - sides.0;
    let prose = |it: &Line| it.cells.len() < 2 && it.x1 - it.x0 > PROSE * width;
    if wrapped || !lines.iter().any(prose) {
        return false;
    }
    // The texts of a column start at one place, unless it has numbers.
    let several = |it: &&Line| it.cells.len() >= 2;
    if !own.iter().filter(several).all(|it| is_pair(it, sides)) {
        return false;
    }
    let rows = own.split(|it| it.cells.len() < 2);
    rows.map(<[Line]>::len).all(|it| it < ROWS)
}
