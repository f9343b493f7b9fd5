//! Lines at the upper and the lower edges of pages, with the numbers at their ends.

use super::feet::{self, NumberPlace};
use super::lines::{self, Cell, Line};
use super::page_number::{PageNumber, key, page_numbers};
use super::prepared::Prepared;
use super::words::{self, Word};
use super::{limits, text};
use crate::extremes::Extremes as _;

/// The part of the height of a page at its upper and at its lower edge where running heads and feet are.
const EDGE: f32 = 0.13;

/// The same for the outermost line if it is only a number. Some styles have wide margins.
const NUMBER_EDGE: f32 = 0.2;

/// The height of a line beyond the edges, in points. The gap to it is compared.
const NEXT_LINE: f32 = 40.0;

/// The gap to the next line in font sizes, of a line of which nothing follows.
const NO_NEXT: f32 = 9.0;

/// The distance of lines without white between them, in font sizes: [`words::ASCENT`] and [`words::DESCENT`].
const SOLID: f32 = 0.97;

/// The distance of the parts of a line from the margins in font sizes, and the least part of the width that is white
/// between them.
const AT_MARGIN: f32 = 2.0;
const WHITE: f32 = 0.3;

/// Words before numbers that are not those of pages.
const COUNTERS: [&str; 5] = ["no", "nr", "nº", "n°", "№"];

/// The least number of words before a number that are no name of what is counted, such as `Exercise`.
const TITLE_WORDS: usize = 3;

/// What two lines have in common if one repeats the other: the whole text, the text with `#` for a number, or the text
/// without a number, and the number minus the index of the page.
pub type Id = (String, Option<i64>);

/// A line at an edge of a page.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent properties"
)]
pub struct Edge {
    /// Whether it is at the upper edge.
    pub top: bool,
    /// The text.
    pub text: String,
    /// The text without white space in lower case.
    pub key: String,
    /// The line.
    pub line: Line,
    /// The number at its start or its end, with its place. Roman numbers are less than all others.
    pub ends: [Option<(NumberPlace, i64)>; 2],
    /// What may be the number of the page, at the start and at the end.
    pub numbers: [Option<PageNumber>; 2],
    /// Whether it has parts at both margins with much white between them: of a head, the same text twice,
    /// and of a foot, a number at the end.
    pub framed: bool,
    /// Whether it is only a number that is farther from the edge than other running heads.
    pub far: bool,
    /// Whether it is the last row of a list with numbers.
    pub listed: bool,
    /// The gap to the next line towards the middle of the page, relative to the size.
    pub gap: f32,
}

impl Edge {
    /// What the line has in common with lines that repeat it. `index` is the number of the page, from 0.
    pub fn ids(&self, index: usize) -> Vec<Id> {
        let mut out = vec![(self.key.clone(), None)];
        let numbers = self.numbers.iter().flatten();
        let numbers = numbers.flat_map(|it| {
            let rests = [Some(&it.rest), it.whole_rest.as_ref()];
            let rests: Vec<String> = rests.into_iter().flatten().cloned().collect();
            rests.into_iter().map(|rest| (it.value, rest))
        });
        let roman = [self.without(0), self.without(1)];
        for (value, rest) in numbers.chain(roman.into_iter().flatten()) {
            out.push(without_number(&rest));
            out.push((rest, Some(offset(value, index))));
        }
        out
    }

    /// Whether the text beside the number at the start or the end is no name of what is counted, such as `Exercise`.
    pub fn has_title(&self, end: usize) -> bool {
        let Some(Some(number)) = self.numbers.get(end) else {
            return false;
        };
        let mut words: Vec<&str> = self.text.split(' ').collect();
        if end == 0 {
            // `3. Exercise`
            let listed = words.first().is_some_and(|it| it.ends_with(['.', ')']));
            let count = words.len().saturating_sub(number.used);
            return count >= if listed { TITLE_WORDS } else { 1 };
        }
        words.truncate(words.len().saturating_sub(number.used));
        let last = words.last().map(|it| it.trim_matches(['.', ':', '#']));
        words.len() >= TITLE_WORDS
            && last
                .is_some_and(|it| !it.is_empty() && !COUNTERS.contains(&it.to_lowercase().as_str()))
    }

    /// Whether the line is only a number.
    fn is_number(&self) -> bool {
        let roman = self.ends.iter().flatten().any(|it| it.1 < 0);
        roman && self.line.words.len() == 1
            || self.numbers.iter().flatten().any(|it| it.rest.is_empty())
    }

    /// The Roman number at the start or the end, and the rest of the line.
    pub fn without(&self, end: usize) -> Option<(i64, String)> {
        let (place, value) = self.ends.get(end)?.as_ref()?;
        let word = if place.end {
            self.text.rsplit_once(' ').map(|it| (it.1, it.0))
        } else {
            self.text.split_once(' ')
        };
        let (_, rest) = word.unwrap_or((self.text.as_str(), ""));
        (*value < 0).then(|| (*value, key(rest)))
    }
}

/// What lines have in common that differ by the number of the page.
pub fn without_number(rest: &str) -> Id {
    (format!("{rest}#"), None)
}

/// A number minus the index of its page.
pub fn offset(value: i64, index: usize) -> i64 {
    value.saturating_sub(i64::try_from(index).unwrap_or_default())
}

/// The lines at the edges of a page, each edge from the outside.
pub fn edges(page: &Prepared) -> Vec<Edge> {
    let ends = page.words.iter().fold((f32::MAX, f32::MIN), |all, it| {
        (all.0.lesser(it.y), all.1.greater(it.y))
    });
    let sides = page.words.iter().fold((f32::MAX, f32::MIN), |all, it| {
        (all.0.lesser(it.x0), all.1.greater(it.x1))
    });
    let mut out = Vec::new();
    for top in [true, false] {
        let (mut words, mut indices): (Vec<Word>, Vec<usize>) = (Vec::new(), Vec::new());
        let far = if top {
            ends.0 > EDGE * page.height
        } else {
            ends.1 < (1.0 - EDGE) * page.height
        };
        let part = if far { NUMBER_EDGE } else { EDGE };
        let (upper, lower) = (part * page.height, (1.0 - part) * page.height);
        for (index, word) in page.words.iter().enumerate() {
            // One more line, for the gap.
            let inside = if top {
                word.y < upper + NEXT_LINE
            } else {
                word.y > lower - NEXT_LINE
            };
            if inside {
                words.push(word.clone());
                indices.push(index);
            }
        }
        let all: Vec<usize> = (0..words.len()).collect();
        let mut lines = lines::lines(&mut words, all);
        if !top {
            lines.reverse();
        }
        let most = if far { 1 } else { limits::EDGE_LINES };
        for pair in 0..lines.len().min(most) {
            let Some(line) = lines.get(pair) else { break };
            if top && line.y > upper || !top && line.y < lower {
                break;
            }
            let next = lines.get(pair.saturating_add(1));
            // 1.2 is the usual distance of lines. A large line next to it is higher.
            let gap = next.map_or(NO_NEXT, |it| {
                let (upper, lower) = if top { (line, it) } else { (it, line) };
                let white =
                    lower.y - words::ASCENT * lower.size - upper.y - words::DESCENT * upper.size;
                white / line.size.greater(1.0) + SOLID
            });
            let content = text::plain(&words, &[&line.words]);
            let mut own = line.clone();
            own.words = line
                .words
                .iter()
                .filter_map(|it| indices.get(*it).copied())
                .collect();
            let ends = feet::ends(&words, line);
            // A line that is only a number is the number of the page below a column of numbers.
            let listed = !top
                && line.words.len() > 1
                && ends
                    .iter()
                    .flatten()
                    .any(|it| feet::is_listed(&page.words, *it));
            let edge = Edge {
                top,
                far,
                listed,
                key: key(&content),
                text: content,
                framed: framed(&words, line, sides, top),
                ends,
                numbers: page_numbers(&words, line),
                line: own,
                gap,
            };
            if !far || edge.is_number() {
                out.push(edge);
            }
        }
    }
    out
}

/// Whether a line is a running head such as `LESS(1) Commands LESS(1)`, or a foot such as
/// `Version 3 2026-01-27 1`.
fn framed(words: &[Word], line: &Line, sides: (f32, f32), top: bool) -> bool {
    let [first, .., last] = line.cells.as_slice() else {
        return false;
    };
    let text = |it: &Cell| -> String {
        let all = line.words.get(it.start..it.end).unwrap_or_default();
        all.iter()
            .filter_map(|it| words.get(*it))
            .map(|it| it.text.as_str())
            .collect()
    };
    let ink: f32 = line.cells.iter().map(|it| it.x1 - it.x0).sum();
    let near = AT_MARGIN * line.size;
    let ends = first.x0 - sides.0 < near && sides.1 - last.x1 < near;
    let (first, last) = (text(first), text(last));
    let fits = if top {
        first == last && first.contains(char::is_alphabetic)
    } else {
        last.bytes().all(|it| it.is_ascii_digit()) && first.contains(char::is_alphanumeric)
    };
    ends && fits && line.x1 - line.x0 - ink > WHITE * (sides.1 - sides.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Page;
    use crate::layout::tests::{Builder, REGULAR};

    /// The numbers at the end of a line. Three spaces are wide white.
    fn at_end(text: &str) -> Option<(i64, bool, String)> {
        let page = Builder::new().text((50.0, 40.0), 10.0, REGULAR, text).page;
        let edge = edges(&Page::new(page).take()).into_iter().next()?;
        let [_, end] = edge.numbers;
        end.map(|it| (it.value, it.apart, it.rest))
    }

    #[test]
    fn numbers_of_pages_are_found_at_the_end() {
        for (text, value, apart, rest) in [
            ("7", 7, true, ""),
            ("- 7 -", 7, true, ""),
            ("Page 3 of 7", 3, true, ""),
            ("Seite 3 von 7", 3, true, ""),
            ("Report | Page 3 / 7", 3, true, "report"),
            ("Report      1/3", 1, true, "report"),
            ("4 Report 4/9 4", 4, true, "report"),
            ("Report 2024 - 3", 3, true, "report2024"),
            ("Invoice 4711", 4711, false, "invoice"),
            ("Exercise 2", 2, false, "exercise"),
            ("MS-12", 12, true, "ms"),
            ("p3", 3, true, ""),
            ("S.3", 3, true, ""),
            ("Surname / TITLE / 3", 3, true, "surname/title"),
            ("Surname / TITLE / 3 / 7", 3, true, "surname/title"),
        ] {
            assert_eq!(
                at_end(text),
                Some((value, apart, rest.to_owned())),
                "{text}"
            );
        }
        for text in [
            "Invoice 2024-0815",
            "Sum 19.50",
            "7 of them",
            "S3",
            "Model p3",
        ] {
            assert_eq!(at_end(text), None, "{text}");
        }
    }
}
