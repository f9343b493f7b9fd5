//! Numbers of pages at the ends of feet, found by their place.

use super::lines::Line;
use super::marker;
use super::words::Word;

/// The number of pages of which the numbers show that they count the pages.
const PAGES: usize = 3;

/// The maximum number of digits of the number of a page.
const DIGITS: usize = 5;

/// More than each Roman number.
const ROMAN: i64 = 1_000_000;

/// The place of a number at the start or the end of a line at the lower edge.
#[derive(Clone, Copy, Debug)]
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
        self.end == other.end && (self.x - other.x).abs() < 2.0 && (self.y - other.y).abs() < 2.0
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

/// The numbers at the start and the end of a line.
pub fn ends(words: &[Word], line: &Line) -> [Option<(NumberPlace, i64)>; 2] {
    let number = |index: Option<&usize>, end: bool| {
        let word = index.and_then(|it| words.get(*it))?;
        let value = if word.text.bytes().all(|it| it.is_ascii_digit()) {
            word.text
                .parse()
                .ok()
                .filter(|_| word.text.len() <= DIGITS)?
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
