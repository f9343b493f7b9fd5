//! Columns of ruled tables that only white separates.

use super::limits;
use super::marker;
use super::values;
use super::words::Word;
use crate::extremes::Extremes as _;

/// A line of a cell.
#[derive(Clone, Copy, Debug)]
pub struct CellLine<'a> {
    /// The baseline.
    pub y: f32,
    /// The size of its letters.
    pub size: f32,
    /// The words, from the left.
    pub words: &'a [usize],
}

impl<'a> CellLine<'a> {
    /// A line of a cell with these words.
    pub fn of(words: &[Word], line: &'a [usize]) -> Option<Self> {
        let own = || line.iter().filter_map(|it| words.get(*it));
        let large = own().max_by(|a, b| a.size.total_cmp(&b.size))?;
        Some(Self {
            y: large.y,
            size: large.size,
            words: line,
        })
    }

    /// The words on both sides of each gap.
    fn gaps<'w>(&self, words: &'w [Word]) -> impl Iterator<Item = (&'w Word, &'w Word)> {
        self.words.windows(2).filter_map(|pair| match pair {
            [a, b] => words.get(*a).zip(words.get(*b)),
            _ => None,
        })
    }
}

/// The least white between words in font sizes. Parts of a word with different formats have less.
const GAP: f32 = 0.2;

/// The white between words of different columns, if it is the same in all lines, and the difference of the whites
/// otherwise, in font sizes.
const WIDE: f32 = 0.95;
const VARIED: f32 = 0.5;

/// The width of a space at most, in font sizes: of text and of code.
const SPACE: f32 = 0.55;
const CODE_SPACE: f32 = 0.65;

/// The least numbers of lines with white between two columns: of which one has numbers, and of texts.
const LINES: usize = 2;
const TEXT_LINES: usize = 4;

/// The distance of the starts or of the ends of the texts of a column in font sizes.
const ALIGNED: f32 = 0.3;

/// Returns the places of white in a column of a lattice, from the left. `several` tells whether its cells have several
/// lines: the cells of a table with lines between all rows are whole.
pub fn boundaries(words: &[Word], lines: &[CellLine<'_>], several: bool) -> Vec<f32> {
    let least = if several { LINES } else { TEXT_LINES };
    let mut ends: Vec<(f32, bool)> = Vec::new();
    for line in lines {
        for (a, b) in line.gaps(words) {
            if b.x0 - a.x1 > GAP * line.size {
                ends.push((a.x1, true));
                ends.push((b.x0, false));
            }
        }
    }
    if ends.len() < least.saturating_mul(2) {
        return Vec::new();
    }
    // The places that are in the white of most lines.
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut open: usize = 0;
    let mut places: Vec<Place> = Vec::new();
    for pair in ends.windows(2) {
        let [a, b] = pair else { continue };
        open = if a.1 {
            open.saturating_add(1)
        } else {
            open.saturating_sub(1)
        };
        if a.1 && !b.1 && open >= least {
            places.push(Place {
                lines: open,
                x: 0.5 * (a.0 + b.0),
                width: b.0 - a.0,
                crossed: 0,
            });
        }
    }
    places.sort_by(|a, b| b.lines.cmp(&a.lines).then(b.width.total_cmp(&a.width)));
    places.truncate(limits::WHITES);
    places.retain(|it| is_between(words, lines, it.x, several));
    for place in &mut places {
        place.crossed = lines
            .iter()
            .filter(|it| crosses(words, it, place.x))
            .count();
    }
    places.sort_by(|a, b| a.x.total_cmp(&b.x));
    // Words that are only in one line, such as the header, do not make a column.
    let mut found: Vec<Place> = Vec::new();
    for place in places {
        let Some(last) = found.last_mut() else {
            found.push(place);
            continue;
        };
        let inside = |it: &usize| {
            words
                .get(*it)
                .is_some_and(|it| it.mid() > last.x && it.mid() < place.x)
        };
        let filled = |it: &&CellLine<'_>| it.words.iter().any(inside);
        if lines.iter().filter(filled).count() >= LINES {
            found.push(place);
        } else if (place.crossed, last.width) < (last.crossed, place.width) {
            *last = place;
        }
    }
    found.into_iter().map(|it| it.x).collect()
}

/// A place in the white of several lines.
struct Place {
    lines: usize,
    x: f32,
    width: f32,
    /// The number of lines that go over it.
    crossed: usize,
}

/// Whether a line goes over a place without white.
pub fn crosses(words: &[Word], line: &CellLine<'_>, x: f32) -> bool {
    let inside = |it: &Word| it.x0 < x - 0.5 && it.x1 > x + 0.5;
    line.words
        .iter()
        .filter_map(|it| words.get(*it))
        .any(inside)
        || line
            .gaps(words)
            .any(|(a, b)| a.mid() < x && b.mid() > x && is_space(line, a, b))
}

/// Whether the white between two words may be a space.
fn is_space(line: &CellLine<'_>, a: &Word, b: &Word) -> bool {
    let space = if a.face.mono { CODE_SPACE } else { SPACE };
    let numbers = values::is_number(&a.text) || values::is_number(&b.text);
    !numbers && b.x0 - a.x1 < space * line.size
}

/// The texts of a line on both sides of a place, and the words next to it.
struct Sides<'a> {
    left: &'a Word,
    right: &'a Word,
    /// Whether the left word is the first one.
    first: bool,
    size: f32,
}

/// The words of a line on both sides of a place.
fn sides<'a>(words: &'a [Word], line: &CellLine<'_>, x: f32) -> Option<Sides<'a>> {
    let at = line
        .words
        .iter()
        .position(|it| words.get(*it).is_some_and(|it| it.mid() > x))?;
    let left = words.get(*line.words.get(at.checked_sub(1)?)?)?;
    let right = words.get(*line.words.get(at)?)?;
    Some(Sides {
        left,
        right,
        first: at == 1,
        size: line.size,
    })
}

/// Whether white at a place is between two columns.
fn is_between(words: &[Word], lines: &[CellLine<'_>], x: f32, several: bool) -> bool {
    let mut found: Vec<Sides<'_>> = Vec::new();
    let (mut crossed, mut sized) = (0usize, true);
    for line in lines {
        if crosses(words, line, x) {
            // Headers are over several columns.
            crossed = crossed.saturating_add(usize::from(!found.is_empty()));
        } else if let Some(sides) = sides(words, line, x) {
            sized &= sides.size > 0.0;
            found.push(sides);
        }
    }
    if !sized || found.len() < LINES || crossed.saturating_mul(3) > found.len() {
        return false;
    }
    let most = |test: &dyn Fn(&Sides<'_>) -> bool| {
        found.iter().filter(|it| test(it)).count().saturating_mul(5)
            >= found.len().saturating_mul(3)
    };
    let gap = |it: &Sides<'_>| (it.right.x0 - it.left.x1) / it.size;
    let widest = found.iter().map(gap).fold(0.0, f32::greater);
    let least = found.iter().map(gap).fold(f32::MAX, f32::lesser);
    let wide = most(&|it| gap(it) >= WIDE);
    if !wide && (widest < WIDE || widest - least < VARIED) {
        return false;
    }
    // Signs and units, marks of notes, and groups of digits belong to the number beside them.
    let is_sign = |text: &str| !text.chars().any(char::is_alphanumeric);
    let is_note = |text: &str| {
        values::is_enclosed(text) && text.chars().filter(|it| it.is_alphanumeric()).count() < 3
    };
    let attached = |it: &Sides<'_>| {
        is_sign(&it.left.text) && !values::is_absent(&it.left.text)
            || matches!(
                it.left.text.as_str(),
                "$" | "€" | "£" | "¥" | "±" | "+" | "-"
            )
            || is_sign(&it.right.text) && matches!(it.right.text.as_str(), "%" | "*" | "±" | "+")
            || is_note(&it.right.text)
            || gap(it) < CODE_SPACE && values::is_grouped(&it.left.text, &it.right.text)
    };
    if most(&attached) {
        return false;
    }
    let number = |text: &str| values::is_number(text) || values::is_absent(text);
    let left = most(&|it| number(&it.left.text));
    let right = most(&|it| number(&it.right.text));
    let marked = most(&|it| it.first && marker::marker(&it.left.text).is_some());
    if left && right {
        return found.len() >= LINES.max(if several { LINES } else { 3 });
    }
    if !several || marked || !wide {
        return false;
    }
    if right {
        return true;
    }
    // Columns of text are aligned.
    let even = |place: &dyn Fn(&Sides<'_>) -> f32| {
        let size = found.first().map_or(1.0, |it| it.size);
        let least = found.iter().map(place).fold(f32::MAX, f32::lesser);
        let most = found.iter().map(place).fold(f32::MIN, f32::greater);
        most - least < ALIGNED * size
    };
    let starts = even(&|it| it.right.x0);
    starts && (left || found.len() >= TEXT_LINES)
}
