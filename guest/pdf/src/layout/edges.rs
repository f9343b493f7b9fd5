//! Lines at the upper and the lower edges of pages, with the numbers at their ends.

use super::feet::{self, NumberPlace};
use super::lines::{self, Cell, Line};
use super::prepared::Prepared;
use super::words::{self, Word};
use super::{limits, text};

/// The part of the height of a page at its upper and at its lower edge where running heads and feet are.
const EDGE: f32 = 0.13;

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

/// The maximum number of characters of a line that are compared.
const CHARACTERS: usize = 300;

/// The maximum number of digits of the number of a page.
const DIGITS: usize = 6;

/// The maximum number of words of the number of a page, such as `Page 3 of 7`, with the signs around it.
const NUMBER_WORDS: usize = 8;

/// The maximum number of letters before a number in the label of a page, such as `MS-12`.
const LABEL_LETTERS: usize = 3;

/// The words in the numbers of pages, and those before the number of all pages.
const PAGE_WORDS: [&str; 17] = [
    "page",
    "pages",
    "pg",
    "p",
    "s",
    "seite",
    "página",
    "pagina",
    "pàgina",
    "strona",
    "sida",
    "side",
    "стр",
    "страница",
    "第",
    "页",
    "頁",
];
const OF_WORDS: [&str; 8] = ["of", "von", "de", "di", "sur", "из", "van", "z"];

/// What two lines have in common if one repeats the other: the whole text, the text with `#` for a number, or the text
/// without a number, and the number minus the index of the page.
pub type Id = (String, Option<i64>);

/// A line at an edge of a page.
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
    /// Whether it is the last row of a list with numbers.
    pub listed: bool,
    /// The gap to the next line towards the middle of the page, relative to the size.
    pub gap: f32,
}

/// A number at the start or the end of a line that may be the number of the page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageNumber {
    /// The number.
    pub value: i64,
    /// Whether white, a sign or a word such as `page` is between it and the rest of the line.
    pub apart: bool,
    /// Whether its form is that of the number of a page, such as `Page 3` or `3/7`.
    pub sure: bool,
    /// The number of words that it has.
    used: usize,
    /// The rest of the line, as [`Edge::key`]. It is empty if the line has nothing else.
    pub rest: String,
}

impl Edge {
    /// What the line has in common with lines that repeat it. `index` is the number of the page, from 0.
    pub fn ids(&self, index: usize) -> Vec<Id> {
        let mut out = vec![(self.key.clone(), None)];
        let numbers = self.numbers.iter().flatten();
        let numbers = numbers.map(|it| (it.value, it.rest.clone()));
        let roman = [self.without(0), self.without(1)];
        for (value, rest) in numbers.chain(roman.into_iter().flatten()) {
            out.push(without_number(&rest));
            out.push((rest, Some(offset(value, index))));
        }
        out
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

/// A text without white space in lower case.
pub fn key(text: &str) -> String {
    let ink = text.chars().filter(|it| !it.is_whitespace());
    ink.flat_map(char::to_lowercase).take(CHARACTERS).collect()
}

/// The lines at the edges of a page, each edge from the outside.
pub fn edges(page: &Prepared) -> Vec<Edge> {
    let (upper, lower) = (EDGE * page.height, (1.0 - EDGE) * page.height);
    let sides = page.words.iter().fold((f32::MAX, f32::MIN), |all, it| {
        (all.0.min(it.x0), all.1.max(it.x1))
    });
    let mut out = Vec::new();
    for top in [true, false] {
        let (mut words, mut indices): (Vec<Word>, Vec<usize>) = (Vec::new(), Vec::new());
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
        for pair in 0..lines.len().min(limits::EDGE_LINES) {
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
                white / line.size.max(1.0) + SOLID
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
            out.push(Edge {
                top,
                listed,
                key: key(&content),
                text: content,
                framed: framed(&words, line, sides, top),
                ends,
                numbers: page_numbers(&words, line),
                line: own,
                gap,
            });
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

/// The part of a word that may be the number of a page.
enum Token {
    /// A number, such as `3`, `[3]` or `1/3`.
    Number(i64),
    /// A word such as `page`.
    Page,
    /// A word or a sign before the number of all pages.
    Of,
    /// Signs.
    Sign,
    /// Other text.
    Other,
}

fn token(word: &str) -> Token {
    let inner = word.trim_matches(|it: char| !it.is_alphanumeric());
    if inner.is_empty() {
        return if word == "/" { Token::Of } else { Token::Sign };
    }
    let lower = inner.to_lowercase();
    if PAGE_WORDS.contains(&lower.as_str()) {
        return Token::Page;
    }
    if OF_WORDS.contains(&lower.as_str()) {
        return Token::Of;
    }
    // `Page3`, `第3页`
    let digits = lower.trim_matches(|it: char| !it.is_ascii_digit());
    let letters: String = lower.chars().filter(|it| it.is_alphabetic()).collect();
    let known = matches!(
        letters.as_str(),
        "" | "page" | "seite" | "第页" | "第頁" | "页" | "頁"
    );
    let inside = digits
        .bytes()
        .all(|it| it.is_ascii_digit() || matches!(it, b'/' | b'-'));
    let mut numbers = digits.split(['/', '-']);
    let (Some(first), second, None) = (numbers.next(), numbers.next(), numbers.next()) else {
        return Token::Other;
    };
    // The page of a chapter, such as `4-17`.
    let value = match second {
        Some(second) if digits.contains('-') => {
            if first.len() > 2 {
                return Token::Other;
            }
            second
        }
        _ => first,
    };
    if !known || !inside || value.len() > DIGITS {
        return Token::Other;
    }
    value.parse().map_or(Token::Other, Token::Number)
}

/// The letters and the number of a label such as `MS-12`.
fn label(word: &str) -> Option<(&str, i64)> {
    let (letters, digits) = word.split_once('-')?;
    let short = !letters.is_empty() && letters.chars().count() <= LABEL_LETTERS;
    let all =
        letters.chars().all(char::is_alphabetic) && digits.bytes().all(|it| it.is_ascii_digit());
    let value = digits.parse().ok().filter(|_| digits.len() <= DIGITS)?;
    (short && all).then_some((letters, value))
}

/// What may be the number of the page at the start and the end of a line.
fn page_numbers(words: &[Word], line: &Line) -> [Option<PageNumber>; 2] {
    let (mut start, mut end) = (number(words, line, false), number(words, line, true));
    if let (Some(start), Some(end)) = (&mut start, &mut end)
        && start.value == end.value
        && let Some(last) = line.words.len().checked_sub(end.used)
        && let Some(inner) = line.words.get(start.used..last)
    {
        let inner = inner.iter().filter_map(|it| words.get(*it));
        start.rest = key(&inner.map(|it| it.text.as_str()).collect::<String>());
        end.rest.clone_from(&start.rest);
        for it in [start, end] {
            (it.apart, it.sure) = (true, true);
        }
    }
    [start, end]
}

/// What may be the number of the page at the start or the end of a line.
fn number(words: &[Word], line: &Line, end: bool) -> Option<PageNumber> {
    let count = line.words.len();
    if let [only] = line.words.as_slice()
        && let Some((letters, value)) = label(&words.get(*only)?.text)
    {
        return Some(PageNumber {
            value,
            apart: true,
            sure: true,
            used: 1,
            rest: key(letters),
        });
    }
    // The words from the outside.
    let place = |step: usize| {
        if end {
            count.checked_sub(step.checked_add(1)?)
        } else {
            (step < count).then_some(step)
        }
    };
    let word = |step: usize| words.get(*line.words.get(place(step)?)?);
    let mut found: Vec<i64> = Vec::new();
    let (mut apart, mut page, mut of, mut all) = (false, false, false, false);
    let mut used = 0;
    // After a number, a sign or a word belongs to it, but another number only after `of`.
    for step in 0..count.min(NUMBER_WORDS) {
        let Some(word) = word(step) else { break };
        match token(&word.text) {
            Token::Number(value) if found.is_empty() || of || found.last() == Some(&value) => {
                found.push(value);
                apart = false;
                all |= of || word.text.contains('/');
            }
            Token::Page => page = true,
            Token::Sign => apart = true,
            Token::Of if found.len() == 1 => {
                of = true;
                continue;
            }
            _ => break,
        }
        of = false;
        used = step.saturating_add(1);
    }
    let value = if end { found.last() } else { found.first() };
    let value = *value?;
    let mut rest: Vec<&str> = Vec::new();
    for step in used..count {
        rest.extend(word(step).map(|it| it.text.as_str()));
    }
    if end {
        rest.reverse();
    }
    // Wide white is between two cells.
    let inner = place(used);
    let outer = used.checked_sub(1).and_then(place);
    let cell = |at: Option<usize>| {
        let at = at?;
        line.cells
            .iter()
            .position(|it| (it.start..it.end).contains(&at))
    };
    Some(PageNumber {
        value,
        apart: apart || page || rest.is_empty() || cell(inner) != cell(outer),
        sure: page || all || rest.is_empty(),
        used,
        rest: key(&rest.concat()),
    })
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
        ] {
            assert_eq!(
                at_end(text),
                Some((value, apart, rest.to_owned())),
                "{text}"
            );
        }
        for text in ["Invoice 2024-0815", "Sum 19.50", "7 of them"] {
            assert_eq!(at_end(text), None, "{text}");
        }
    }
}
