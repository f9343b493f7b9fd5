//! Running heads, feet and page numbers: lines at the edges of pages that recur.

use super::feet::NumberPlace;
use super::lines::{self, Cell, Line};
use super::prepared::Prepared;
use super::text::squeezed;
use super::words::{self, Word};
use super::{feet, limits, text};
use std::collections::{BTreeMap, BTreeSet};

/// The part of the height of a page at its upper and at its lower edge where running heads and feet are.
const EDGE: f32 = 0.13;

/// The height of a line beyond the edges, in points. The gap to it is compared.
const NEXT_LINE: f32 = 40.0;

/// The gap to the next line in font sizes, of a line of which nothing follows.
const NO_NEXT: f32 = 9.0;

/// The distance of lines without white between them, in font sizes: [`words::ASCENT`] and [`words::DESCENT`].
const SOLID: f32 = 0.97;

/// The least gaps between a running head and the text in font sizes. The usual distance of lines is 1.2: more than
/// that in the first place, and the more the less else shows that it is one. [`APART`] is for a line that may be the
/// first row of a table, [`NUMBERED`] for one with the number of the page, and [`FAR`] for one that does not recur.
const GAP: f32 = 1.4;
const APART: f32 = 1.5;
const NUMBERED: f32 = 1.6;
const FAR: f32 = 1.9;

/// The size up to which a line may be a running head, relative to running text: any, one that has a title of the
/// document, and one with nothing but a number or two parts. Larger lines are titles.
const LARGEST: f32 = 1.3;
const TITLE_SIZE: f32 = 1.1;
const USUAL_SIZE: f32 = 1.05;

/// The size below which a line is small, relative to running text.
const SMALL: f32 = 0.92;

/// The size of a line of the first page above which it is a title of the document.
const TITLE: f32 = 1.2;

/// The maximum number of words of such lines.
const TITLE_WORDS: usize = 200;

/// The least number of bytes of a title that recurs. Shorter ones are in other lines by chance.
const TITLE_BYTES: usize = 3;

/// The number of characters from which a line with a number is text, and one without a number.
const NUMBERED_CHARACTERS: usize = 100;
const HEAD_CHARACTERS: usize = 80;

/// The distances in points up to which lines of several pages are at one position: of the same text, of page
/// numbers, and of a page that is compared with them.
const SAME_PLACE: f32 = 3.0;
const SAME_NUMBER: f32 = 4.0;
const NEAR: f32 = 6.0;

/// The difference of sizes in points of a running head and the number at the other edge.
const SAME_SIZE: f32 = 0.2;

/// The number of pages with a number at one position that show that it is the page number.
const NUMBERED_PAGES: usize = 3;

/// The maximum number of numbers of a line that may be the page number.
const PAGE_NUMBERS: usize = 3;

/// The maximum number of numbers of a line that are compared, and of its characters.
const NUMBERS: usize = 8;
const CHARACTERS: usize = 300;

/// The distance of the parts of a line from the margins in font sizes, and the least part of the width that is white
/// between them.
const AT_MARGIN: f32 = 2.0;
const WHITE: f32 = 0.3;

/// The lines that are left out.
#[derive(Clone, Debug, Default)]
pub struct Furniture {
    /// Texts that recur at the upper or lower edge, without digits, and where they occur.
    known: BTreeMap<(bool, String), Vec<Place>>,
    /// Where the page numbers are: at the upper edge or not, the number minus the index of the page,
    /// and the position.
    numbers: Vec<(bool, i64, f32)>,
    /// Where lines at the lower edge start or end with a number that grows from page to page.
    places: Vec<NumberPlace>,
    /// Titles of the document, which recur as running heads.
    titles: BTreeSet<String>,
    body: f32,
}

/// Where a text occurs.
#[derive(Clone, Debug)]
struct Place {
    index: usize,
    y: f32,
    numbers: Vec<i64>,
}

impl Place {
    /// Whether it is the same running head at the same position.
    fn recurs(&self, other: &Self) -> bool {
        (self.y - other.y).abs() < SAME_PLACE && self.counts(other)
    }

    /// Whether the numbers are equal, or count the pages. Those of headings, such as `Article 3` and
    /// `Article 9`, and those of rows of a table do not.
    fn counts(&self, other: &Self) -> bool {
        let pages = i64::try_from(other.index)
            .unwrap_or_default()
            .saturating_sub(i64::try_from(self.index).unwrap_or_default());
        self.numbers.len() == other.numbers.len()
            && self.numbers.iter().zip(&other.numbers).all(|(a, b)| {
                let step = b.saturating_sub(*a);
                step == 0 || step == pages
            })
    }
}

/// A line at an edge of a page.
struct Edge {
    top: bool,
    /// The text in lower case with `#` for numbers.
    key: String,
    numbers: Vec<i64>,
    /// Whether the text starts or ends with a number.
    outer: bool,
    line: Line,
    /// The number at its start or its end, with its place. Roman numbers are less than all others.
    ends: [Option<(NumberPlace, i64)>; 2],
    /// Whether it has parts at both margins with much white between them: of a head, the same text twice,
    /// and of a foot, a number at the end.
    framed: bool,
    /// The gap to the next line towards the middle of the page, relative to the size.
    gap: f32,
}

impl Edge {
    /// Whether it may be a foot: a short line in the size of the text or smaller, away from it.
    fn is_foot(&self, body: f32) -> bool {
        !self.top
            && self.gap > FAR
            && self.line.size <= USUAL_SIZE * body
            && self.line.chars < NUMBERED_CHARACTERS
    }
}

impl Furniture {
    /// Finds what recurs on the sampled pages.
    pub fn of(pages: &[(usize, Prepared)], body: f32) -> Self {
        let mut out = Self {
            body,
            ..Self::default()
        };
        let mut seen: BTreeMap<(bool, String), Vec<Place>> = BTreeMap::new();
        let mut offsets: BTreeMap<(bool, i64), Vec<(usize, f32)>> = BTreeMap::new();
        let mut counted: Vec<(NumberPlace, i64, usize)> = Vec::new();
        for (index, page) in pages {
            for edge in edges(page) {
                if edge.is_foot(body) {
                    let ends = edge.ends.iter().flatten();
                    counted.extend(ends.map(|it| (it.0, it.1, *index)));
                }
                if edge.line.size > LARGEST * body {
                    out.titles.insert(without_digits(&edge.key));
                }
                for number in edge.numbers.iter().take(PAGE_NUMBERS) {
                    let offset = number.saturating_sub(i64::try_from(*index).unwrap_or_default());
                    let found = offsets.entry((edge.top, offset)).or_default();
                    // A row of a table may have the number twice.
                    if found.last().is_none_or(|it| it.0 != *index) {
                        found.push((*index, edge.line.y));
                    }
                }
                let places = seen.entry((edge.top, edge.key)).or_default();
                if places.last().is_none_or(|it| it.index != *index) {
                    places.push(Place {
                        index: *index,
                        y: edge.line.y,
                        numbers: edge.numbers,
                    });
                }
            }
            if let Some(first) = pages.first().filter(|it| it.0 == *index) {
                out.titles.extend(large_lines(&first.1, body));
            }
        }
        for (key, places) in seen {
            let again = places.iter().enumerate().any(|(index, place)| {
                let mut rest = places.iter().skip(index.saturating_add(1));
                rest.any(|it| place.recurs(it))
            });
            if again {
                out.known.insert(key, places);
            }
        }
        out.places = feet::growing(&counted);
        for ((top, offset), ys) in offsets {
            let Some((_, first)) = ys.first().copied() else {
                continue;
            };
            let same = ys
                .iter()
                .filter(|it| (it.1 - first).abs() < SAME_NUMBER)
                .count();
            let enough = same >= NUMBERED_PAGES || (same == 2 && pages.len() == 2);
            if enough && same.saturating_mul(2) >= pages.len() {
                out.numbers.push((top, offset, first));
            }
        }
        out
    }

    /// Marks the words of running heads and feet as taken.
    pub fn remove(&self, index: usize, page: &Prepared, taken: &mut [bool]) {
        let edges = edges(page);
        for top in [true, false] {
            let own = edges.iter().filter(|it| it.top == top);
            let mut found: Vec<&Edge> = own.take_while(|it| self.has(index, it)).collect();
            // A gap is between the running head and the text.
            while found.pop_if(|it| it.gap < GAP).is_some() {}
            if found.is_empty() && top {
                found.extend(self.small_head(index, &edges));
            }
            for word in found.iter().flat_map(|it| &it.line.words) {
                if let Some(it) = taken.get_mut(*word) {
                    *it = true;
                }
            }
        }
    }

    /// The running head of a page whose number is at the lower edge in the same small size.
    fn small_head<'e>(&self, index: usize, edges: &'e [Edge]) -> Option<&'e Edge> {
        let small = |it: &&Edge| it.line.size < SMALL * self.body && it.gap > FAR;
        let page = i64::try_from(index).unwrap_or_default().saturating_add(1);
        let number = edges.iter().find(|it| !it.top).filter(small)?;
        if !is_page_number(&number.key) || number.numbers.first() != Some(&page) {
            return None;
        }
        let head = edges.iter().find(|it| it.top).filter(small)?;
        let same = (head.line.size - number.line.size).abs() < SAME_SIZE;
        (same && head.line.chars < HEAD_CHARACTERS).then_some(head)
    }

    fn has(&self, index: usize, edge: &Edge) -> bool {
        if edge.line.size > LARGEST * self.body {
            return false;
        }
        let y = edge.line.y;
        let near = |it: &f32| (it - y).abs() < NEAR;
        // A row of a table that is repeated on each page stays.
        let apart = edge.gap > APART || edge.line.cells.len() < 2;
        let key = (edge.top, edge.key.clone());
        let own = Place {
            index,
            y,
            numbers: edge.numbers.clone(),
        };
        let recurs = |it: &Place| {
            let other = it.index != index || own.numbers.is_empty();
            other && near(&it.y) && it.counts(&own)
        };
        if apart && self.known.get(&key).is_some_and(|it| it.iter().any(recurs)) {
            return true;
        }
        let index = i64::try_from(index).unwrap_or_default();
        let numbered = self.numbers.iter().any(|(top, offset, at)| {
            *top == edge.top && near(at) && edge.numbers.contains(&index.saturating_add(*offset))
        });
        // Other lines may have the number of the page by chance: a heading, or an item of a list.
        let plain = edge.gap > NUMBERED && edge.line.size <= USUAL_SIZE * self.body && edge.outer;
        if numbered && plain && edge.line.chars < NUMBERED_CHARACTERS {
            return true;
        }
        if edge.is_foot(self.body) {
            let mut ends = edge.ends.iter().flatten();
            if ends.any(|it| self.places.iter().any(|known| known.is_near(&it.0))) {
                return true;
            }
            // The numbers of two pages that are side by side.
            if let [Some((_, left)), Some((_, right))] = edge.ends
                && edge.framed
                && left > 0
                && left.saturating_add(1) == right
            {
                return true;
            }
        }
        if edge.gap > FAR && edge.line.size <= TITLE_SIZE * self.body {
            let own = without_digits(&edge.key);
            if own.len() >= TITLE_BYTES && self.titles.contains(&own) {
                return true;
            }
            if is_page_number(&edge.key) && edge.numbers.first() == Some(&index.saturating_add(1)) {
                return true;
            }
            if edge.framed && edge.line.size <= USUAL_SIZE * self.body {
                return edge.top || edge.numbers.last() == Some(&index.saturating_add(1));
            }
        }
        false
    }
}

fn without_digits(key: &str) -> String {
    key.chars().filter(|it| *it != '#').collect()
}

/// Whether a text is only a page number, such as `- 3 -` or `Page 3 of 7`.
fn is_page_number(key: &str) -> bool {
    let words: String = key.chars().filter(|it| it.is_alphabetic()).collect();
    key.contains('#')
        && matches!(
            words.as_str(),
            "" | "page"
                | "pageof"
                | "of"
                | "p"
                | "seite"
                | "seitevon"
                | "von"
                | "página"
                | "páginade"
                | "de"
                | "pagina"
                | "paginadi"
                | "sur"
                | "pagesur"
                | "стр"
                | "страница"
                | "第页"
                | "頁"
        )
}

/// The titles of a page: large lines.
fn large_lines(page: &Prepared, body: f32) -> Vec<String> {
    let mut words: Vec<Word> = page
        .words
        .iter()
        .filter(|it| it.size > TITLE * body)
        .take(TITLE_WORDS)
        .cloned()
        .collect();
    let all: Vec<usize> = (0..words.len()).collect();
    let lines = lines::lines(&mut words, all);
    let mut out: Vec<String> = lines
        .iter()
        .map(|it| squeezed(&text::plain(&words, &[&it.words])))
        .collect();
    // A title of two lines.
    if let [a, b, ..] = lines.as_slice() {
        out.push(squeezed(&text::plain(&words, &[&a.words, &b.words])));
    }
    for it in &mut out {
        it.retain(|it| !it.is_numeric());
    }
    out.retain(|it| it.len() >= TITLE_BYTES);
    out
}

/// The lines at the edges of a page, each edge from the outside.
fn edges(page: &Prepared) -> Vec<Edge> {
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
        let mut found = Vec::new();
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
            found.push(Edge {
                top,
                key: key(&content),
                numbers: numbers(&content),
                framed: framed(&words, line, sides, top),
                ends: feet::ends(&words, line),
                outer: content.starts_with(|it: char| it.is_ascii_digit())
                    || content.ends_with(|it: char| it.is_ascii_digit()),
                line: own,
                gap,
            });
        }
        out.extend(found);
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

/// A text in lower case without white space and punctuation, with `#` for each number.
fn key(text: &str) -> String {
    let mut out = String::new();
    for it in text.chars().take(CHARACTERS) {
        if it.is_numeric() {
            if !out.ends_with('#') {
                out.push('#');
            }
        } else if it.is_alphanumeric() {
            out.extend(it.to_lowercase());
        }
    }
    out
}

/// The numbers of a text.
fn numbers(text: &str) -> Vec<i64> {
    text.split(|it: char| !it.is_ascii_digit())
        .filter(|it| !it.is_empty() && it.len() <= 6)
        .take(NUMBERS)
        .filter_map(|it| it.parse().ok())
        .collect()
}
