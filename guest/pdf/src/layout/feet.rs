//! Numbers of pages at the ends of feet, found by their place.

use super::lines::Line;
use super::marker;
use super::words::Word;
use serde::{Deserialize, Serialize};

/// The number of pages of which the numbers show that they count the pages.
const PAGES: usize = 3;

/// The maximum number of digits of the number of a page.
const DIGITS: usize = 5;

/// The greatest distance of a row from the row above, relative to the distance of the rows above it. Rows may have
/// more than one line.
const ROW_STEP: f32 = 2.5;

/// The difference of places in points up to which they are the same.
const SAME_PLACE: f32 = 2.0;

/// More than each Roman number.
const ROMAN: i64 = 1_000_000;

/// The place of a number at the start or the end of a line at the lower edge.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct NumberPlace {
    /// Whether the line ends with it.
    pub end: bool,
    /// The outer side.
    pub x: f32,
    /// The baseline.
    pub y: f32,
}

impl NumberPlace {
    /// Whether two places are the same.
    pub fn is_near(&self, other: &Self) -> bool {
        self.end == other.end
            && (self.x - other.x).abs() < SAME_PLACE
            && (self.y - other.y).abs() < SAME_PLACE
    }
}

/// A number at the start or the end of a foot.
pub struct Counted {
    /// Its place.
    pub place: NumberPlace,
    /// The number.
    pub value: i64,
    /// The number of the page, from 0.
    pub index: usize,
    /// The rest of the foot.
    pub rest: String,
    /// Whether it may be the number of a page, whatever the others are.
    pub plausible: bool,
}

/// The places with numbers that grow from page to page, by as much as the pages or more: a file may have only
/// some of the pages of a document. The words before numbers of invoices are equal, those before numbers of pages
/// are not.
pub fn growing(counted: &[Counted]) -> Vec<NumberPlace> {
    let mut out: Vec<NumberPlace> = Vec::new();
    for Counted { place, .. } in counted {
        if out.iter().any(|it| it.is_near(place)) {
            continue;
        }
        let all: Vec<_> = counted
            .iter()
            .filter(|it| it.place.is_near(place))
            .collect();
        let grows = all.windows(2).all(|it| match it {
            [a, b] => {
                let pages = i64::try_from(b.index.saturating_sub(a.index)).unwrap_or(i64::MAX);
                b.value.saturating_sub(a.value) >= pages.max(1)
            }
            _ => false,
        });
        let counts = all.iter().all(|it| it.plausible)
            || all.windows(2).any(|it| match it {
                [a, b] => a.rest != b.rest,
                _ => false,
            });
        if all.len() >= PAGES && grows && counts {
            out.push(*place);
        }
    }
    out
}

/// Whether a number at the lower edge is in the last row of a list: the two numbers above it in its column are at equal
/// distances, or differ by equal steps.
pub fn is_listed(words: &[Word], (place, value): (NumberPlace, i64)) -> bool {
    let mut above: [Option<(f32, i64)>; 2] = [None, None];
    for word in words {
        let x = if place.end { word.x1 } else { word.x0 };
        let step = place.y - word.y;
        if (x - place.x).abs() >= SAME_PLACE || step < SAME_PLACE {
            continue;
        }
        let Some(value) = digits(&word.text) else {
            continue;
        };
        let own = Some((step, value));
        let is_next = |it: Option<(f32, i64)>| it.is_none_or(|it| step < it.0);
        let [first, second] = &mut above;
        if is_next(*first) {
            *second = std::mem::replace(first, own);
        } else if is_next(*second) {
            *second = own;
        }
    }
    let [Some(first), Some(second)] = above else {
        return false;
    };
    let step = second.0 - first.0;
    let counts = value.saturating_sub(first.1);
    (first.0 - step).abs() < SAME_PLACE
        || counts != 0 && counts == first.1.saturating_sub(second.1) && first.0 < ROW_STEP * step
}

/// The number that a word is.
fn digits(word: &str) -> Option<i64> {
    let all = word.len() <= DIGITS && word.bytes().all(|it| it.is_ascii_digit());
    word.parse().ok().filter(|_| all)
}

/// The numbers at the start and the end of a line.
pub fn ends(words: &[Word], line: &Line) -> [Option<(NumberPlace, i64)>; 2] {
    let number = |index: Option<&usize>, end: bool| {
        let word = index.and_then(|it| words.get(*it))?;
        let value = if word.text.bytes().all(|it| it.is_ascii_digit()) {
            digits(&word.text)?
        } else {
            let lower = word.text.bytes().all(|it| it.is_ascii_lowercase());
            let value = marker::roman(&word.text).filter(|_| lower)?;
            i64::from(value).saturating_sub(ROMAN)
        };
        let place = NumberPlace {
            end,
            x: if end { word.x1 } else { word.x0 },
            y: line.y,
        };
        Some((place, value))
    };
    [
        number(line.words.first(), false),
        number(line.words.last(), true),
    ]
}
