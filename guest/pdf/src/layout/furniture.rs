//! Running heads, feet and page numbers: lines at the edges of pages that recur.
//!
//! A line is left out if its number is the page's own, or if it repeats word for word on at least three pages.
//! Lines that may be running heads without that evidence are paragraphs of their own.

use super::edges::{self, Edge, Id, offset};
use super::feet::{self, NumberPlace};
use super::head::{Head, Known, REPEATS, of_file};
use super::page_number;
use super::prepared::Prepared;
use super::text::squeezed;
use super::titles;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

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

/// The number of characters from which a line with a number is text, and one without a number.
const NUMBERED_CHARACTERS: usize = 100;
const HEAD_CHARACTERS: usize = 80;

/// The distances in points up to which lines of several pages are at one position: of page numbers, and of a page
/// that is compared with others.
const SAME_NUMBER: f32 = 4.0;
const NEAR: f32 = 6.0;

/// The difference of sizes in points of a running head and the number at the other edge.
const SAME_SIZE: f32 = 0.2;

/// The number of pages with a number at one position that show that it is the page number.
const NUMBERED_PAGES: usize = 3;

/// The number of pages with the same text beside the number of the page that show that it is no counter.
const TITLED_PAGES: usize = 4;

/// The lines at the edges of pages that are no part of the text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Furniture {
    /// Texts at the upper or lower edge that recur word for word but for the number of the page, with the pages and
    /// the positions.
    texts: BTreeMap<(bool, String), Vec<(usize, f32)>>,
    /// Where the page numbers are: at the upper edge or not, the number minus the index of the page,
    /// and the position.
    numbers: Vec<(bool, i64, f32)>,
    /// Where lines at the lower edge start or end with a number that grows from page to page.
    places: Vec<NumberPlace>,
    /// Titles of the document, which recur as running heads.
    titles: BTreeSet<String>,
    /// The first sampled page that has a line.
    first: BTreeMap<Id, usize>,
    /// Lines with a number that several sampled pages have.
    several: BTreeSet<Id>,
    #[serde(skip)]
    known: Rc<Known>,
    body: f32,
}

/// A number of a line that may be the number of the page.
struct Candidate {
    index: usize,
    y: f32,
    rest: String,
    /// Whether it may be the number of a page, whatever the others are.
    plausible: bool,
}

/// The number of a page in a line, and the rest of the line.
struct Own {
    value: i64,
    rest: String,
    apart: bool,
    /// Whether other pages show that it is the number of the page.
    proven: bool,
}

impl Furniture {
    /// Finds what recurs on the sampled pages. `lines` are the lines at their edges.
    pub fn of(
        first: Option<&Prepared>,
        lines: &[(usize, &[Edge])],
        body: f32,
        known: Rc<Known>,
    ) -> Self {
        let mut out = Self {
            known,
            body,
            ..Self::default()
        };
        if let Some(first) = first {
            out.titles.extend(titles::of_page(first, body));
        }
        let mut candidates: BTreeMap<(bool, i64), Vec<Candidate>> = BTreeMap::new();
        let mut counted: Vec<feet::Counted> = Vec::new();
        let titled = titled(lines, &out.known);
        for (index, edge) in all(lines) {
            if edge.line.size > LARGEST * body {
                out.titles.insert(squeezed(&edge.text));
            }
            if out.is_foot(edge) {
                counted.extend(out.counted(index, edge));
            }
            for (end, number) in edge.numbers.iter().enumerate() {
                let Some(number) = number else { continue };
                let key = (edge.top, offset(number.value, index));
                let found = candidates.entry(key).or_default();
                // A row of a table may have the number twice.
                if found.last().is_none_or(|it| it.index != index) {
                    found.push(Candidate {
                        index,
                        y: edge.line.y,
                        rest: number.rest.clone(),
                        plausible: number.sure
                            || number.apart && out.is_in_file(number.value)
                            || titled.contains(&(edge.top, end, number.rest.as_str())),
                    });
                }
            }
            for id in edge.ids(index) {
                let first = *out.first.entry(id.clone()).or_insert(index);
                if first != index {
                    out.several.insert(id);
                }
            }
        }
        out.places = feet::growing(&counted);
        out.numbers = numbers(&candidates, lines.len());
        let mut texts: BTreeMap<(bool, String), Vec<(usize, f32)>> = BTreeMap::new();
        for (index, edge) in all(lines) {
            for key in out.keys(index, edge) {
                let places = texts.entry((edge.top, key)).or_default();
                if places.last().is_none_or(|it| it.0 != index) {
                    places.push((index, edge.line.y));
                }
            }
        }
        texts.retain(|_, places| places.len() > 1);
        out.texts = texts;
        out
    }

    /// Whether all measures are those that the analysis of pages may find. `body` is the size of running text.
    pub fn is_sound(&self, body: f32) -> bool {
        let texts = self.texts.values().flatten().map(|it| it.1);
        let numbers = self.numbers.iter().map(|it| it.2);
        let places = self.places.iter().flat_map(|it| [it.x, it.y]);
        let mut measures = texts.chain(numbers).chain(places);
        self.body.to_bits() == body.to_bits() && measures.all(f32::is_finite)
    }

    /// Sets what the file says about its pages, after it was read from bytes.
    pub fn set_known(&mut self, known: Rc<Known>) {
        self.known = known;
    }

    /// The heads of a page, and what the lines at its edges have in common with those of other pages. Marks the
    /// words of the heads as taken.
    pub fn remove(&self, index: usize, edges: &[Edge], taken: &mut [bool]) -> (Vec<Head>, Vec<Id>) {
        let mut out = Vec::new();
        for top in [true, false] {
            let own = edges.iter().filter(|it| it.top == top);
            let mut found: Vec<(&Edge, Head)> = own
                .map_while(|it| Some((it, self.head(index, it)?)))
                .collect();
            // A gap is between the running head and the text.
            while found.pop_if(|it| it.0.gap < GAP).is_some() {}
            if found.is_empty() && top {
                found.extend(
                    self.small_head(index, edges)
                        .map(|it| (it, Head::of(&self.known, index, it))),
                );
            }
            for word in found.iter().flat_map(|it| &it.0.line.words) {
                if let Some(it) = taken.get_mut(*word) {
                    *it = true;
                }
            }
            if !top {
                found.reverse();
            }
            out.extend(found.into_iter().map(|it| it.1));
        }
        let ids = edges.iter().flat_map(|it| it.ids(index)).collect();
        (out, ids)
    }

    /// Whether a line may be a foot: a short line in the size of the text or smaller, away from it.
    fn is_foot(&self, edge: &Edge) -> bool {
        // A number that is far from the edge has to count the pages. Only Roman numbers are compared by their places.
        let far = edge.far && edge.numbers.iter().any(Option::is_some);
        !(edge.top || edge.listed || far)
            && edge.gap > FAR
            && edge.line.size <= USUAL_SIZE * self.body
            && edge.line.chars < NUMBERED_CHARACTERS
    }

    /// Whether a number may be that of a page of the file. Numbers of invoices are often larger.
    fn is_in_file(&self, value: i64) -> bool {
        usize::try_from(value).is_ok_and(|it| it <= self.known.pages)
    }

    /// The numbers at the ends of a foot.
    fn counted(&self, index: usize, edge: &Edge) -> Vec<feet::Counted> {
        let numbers = [0, 1].map(|end| {
            let (place, value) = (*edge.ends.get(end)?)?;
            let number = edge
                .numbers
                .get(end)?
                .as_ref()
                .filter(|it| it.value == value);
            let rest = match number {
                Some(number) => number.rest.clone(),
                None => edge.without(end)?.1,
            };
            let plausible = rest.is_empty()
                || number.is_some_and(|it| it.sure || it.apart && self.is_in_file(it.value));
            Some(feet::Counted {
                place,
                value,
                index,
                rest,
                plausible,
            })
        });
        numbers.into_iter().flatten().collect()
    }

    /// The running head of a page whose number is at the lower edge in the same small size.
    fn small_head<'e>(&self, index: usize, edges: &'e [Edge]) -> Option<&'e Edge> {
        let small = |it: &&Edge| it.line.size < SMALL * self.body && it.gap > FAR;
        let number = edges.iter().find(|it| !it.top).filter(small)?;
        let mut numbers = number.numbers.iter().flatten();
        if !numbers.any(|it| it.rest.is_empty() && it.value == of_file(index)) {
            return None;
        }
        let head = edges.iter().find(|it| it.top).filter(small)?;
        let same = (head.line.size - number.line.size).abs() < SAME_SIZE;
        (same && head.line.chars < HEAD_CHARACTERS).then_some(head)
    }

    /// The number of the page in a line.
    fn own(&self, index: usize, edge: &Edge) -> Option<Own> {
        let y = edge.line.y;
        let numbers = edge.numbers.iter().rev().flatten();
        let mut own: Vec<Own> = numbers
            .filter_map(|number| {
                let offset = offset(number.value, index);
                let proven = self
                    .numbers
                    .iter()
                    .any(|it| it.0 == edge.top && it.1 == offset && (it.2 - y).abs() < NEAR);
                let near = !edge.far || edge.line.size < SMALL * self.body;
                let named = number.apart && near && self.known.is_named(index, number.value, "");
                (proven || named).then(|| Own {
                    value: number.value,
                    rest: number.rest.clone(),
                    apart: number.apart,
                    proven,
                })
            })
            .collect();
        own.sort_by_key(|it| !it.proven);
        own.into_iter().next()
    }

    /// The texts by which a line is compared with those of other pages: all of it, and without the page number.
    fn keys(&self, index: usize, edge: &Edge) -> Vec<String> {
        let mut out = vec![edge.key.clone()];
        out.extend(self.own(index, edge).map(|it| format!("{}#", it.rest)));
        out
    }

    /// The line as a head, if it is one.
    fn head(&self, index: usize, edge: &Edge) -> Option<Head> {
        if edge.line.size > LARGEST * self.body || edge.listed {
            return None;
        }
        let mut out = Head::of(&self.known, index, edge);
        let own = self.own(index, edge);
        if let Some(own) = &own {
            out.numbered(&own.rest);
            let numbers = edge.numbers.iter().flatten();
            let rests = numbers.filter_map(|it| it.whole_rest.as_deref());
            out.ids.extend(rests.map(edges::without_number));
            out.named = self.known.is_named(index, own.value, &edge.text);
            out.shown |= self.known.titles.contains(&squeezed(&own.rest));
        }
        let title = self.is_title(edge, own.as_ref());
        if let Some(own) = &own
            && self.is_numbered(edge, own)
        {
            out.repeats = true;
        } else if let Some(roman) = self.foot(edge) {
            let (value, rest) = roman;
            out.numbered(&rest);
            out.named = self.known.is_named(index, value, &edge.text);
            out.repeats = true;
        } else if title {
            out.repeats = true;
        } else if let Some(pages) = self.repeated(index, edge) {
            // `LESS(1)` at both margins is there twice.
            out.repeats = pages.len() >= REPEATS || edge.framed && edge.top;
            out.pages = pages;
            let usual = !edge.line.bold && edge.line.size <= USUAL_SIZE * self.body;
            if !(out.repeats || usual && edge.line.chars < HEAD_CHARACTERS) {
                return None;
            }
        } else if !(edge.gap > FAR && edge.line.size <= USUAL_SIZE * self.body)
            || edge.line.bold
            || !(edge.framed && edge.top || self.counts(index, edge))
        {
            return None;
        }
        out.shown |= title || self.is_before(&out.ids, index);
        Some(out)
    }

    /// Whether a line has a number that counts the pages, whatever it is the number of.
    fn counts(&self, index: usize, edge: &Edge) -> bool {
        let short = edge.line.chars < HEAD_CHARACTERS;
        let mut numbers = edge.numbers.iter().flatten();
        short
            && numbers.any(|it| {
                let id = (it.rest.clone(), Some(offset(it.value, index)));
                self.several.contains(&id)
            })
    }

    /// Whether a sampled page before has one of the lines.
    fn is_before(&self, ids: &[Id], index: usize) -> bool {
        ids.iter()
            .any(|it| self.first.get(it).is_some_and(|first| *first < index))
    }

    /// The pages that have the text of a line at its place, if there are several.
    fn repeated(&self, index: usize, edge: &Edge) -> Option<BTreeSet<usize>> {
        // A row of a table that is repeated on each page stays.
        if edge.gap <= APART && edge.line.cells.len() > 1 {
            return None;
        }
        self.keys(index, edge)
            .into_iter()
            .filter_map(|key| {
                let places = self.texts.get(&(edge.top, key))?.iter();
                let near = places.filter(|it| (it.1 - edge.line.y).abs() < NEAR);
                let mut pages: BTreeSet<usize> = near.map(|it| it.0).collect();
                pages.insert(index);
                (pages.len() > 1).then_some(pages)
            })
            .max_by_key(BTreeSet::len)
    }

    /// Whether a line with the number of the page is a head. Other lines may have it by chance: a heading, or an
    /// item of a list.
    fn is_numbered(&self, edge: &Edge, own: &Own) -> bool {
        let size = if own.rest.is_empty() && !own.proven {
            TITLE_SIZE
        } else {
            USUAL_SIZE
        };
        edge.gap > if own.proven { NUMBERED } else { FAR }
            && edge.line.size <= size * self.body
            && edge.line.chars < NUMBERED_CHARACTERS
            && (own.apart || !edge.line.bold)
    }

    /// The number of the page in a foot, and the rest of the foot: one that grows from page to page, or one of two
    /// pages that are side by side.
    fn foot(&self, edge: &Edge) -> Option<(i64, String)> {
        if !self.is_foot(edge) {
            return None;
        }
        for (end, found) in edge.ends.iter().enumerate() {
            let Some((place, value)) = found else {
                continue;
            };
            if self.places.iter().any(|it| it.is_near(place)) {
                let number = edge.numbers.get(end).into_iter().flatten();
                let mut rest = number.filter(|it| it.value == *value);
                let rest = rest.next().map(|it| it.rest.clone());
                return Some((*value, rest.or_else(|| Some(edge.without(end)?.1))?));
            }
        }
        if let [Some((_, left)), Some((_, right))] = edge.ends
            && edge.framed
            && left > 0
            && left.saturating_add(1) == right
        {
            let (_, rest) = edge.text.split_once(' ')?;
            let (rest, _) = rest.rsplit_once(' ').unwrap_or_default();
            return Some((left, page_number::key(rest)));
        }
        None
    }

    /// Whether a line has a title of the document.
    fn is_title(&self, edge: &Edge, own: Option<&Own>) -> bool {
        if edge.gap <= FAR || edge.line.size > TITLE_SIZE * self.body {
            return false;
        }
        let is_title = |it: &str| {
            let it = squeezed(it);
            it.len() >= titles::LEAST_BYTES && self.titles.contains(&it)
        };
        is_title(&edge.text) || own.is_some_and(|it| is_title(&it.rest))
    }
}

/// The lines of all pages.
fn all<'l>(lines: &'l [(usize, &'l [Edge])]) -> impl Iterator<Item = (usize, &'l Edge)> {
    let pages = lines.iter();
    pages.flat_map(|(index, edges)| edges.iter().map(|edge| (*index, edge)))
}

/// The texts beside numbers that are the number of the page on all pages that have the text, and on several: whether
/// they are at the upper edge, and the end of the line with the number.
fn titled<'l>(lines: &'l [(usize, &'l [Edge])], known: &Known) -> BTreeSet<(bool, usize, &'l str)> {
    let mut pages: BTreeMap<(bool, usize, &str), (usize, bool)> = BTreeMap::new();
    for (index, edge) in all(lines) {
        for (end, number) in edge.numbers.iter().enumerate() {
            let Some(number) = number else { continue };
            let key = (edge.top, end, number.rest.as_str());
            let (count, titled) = pages.entry(key).or_insert((0, true));
            *count = count.saturating_add(1);
            *titled &=
                edge.gap > FAR && edge.has_title(end) && known.is_named(index, number.value, "");
        }
    }
    pages.retain(|_, it| it.0 >= TITLED_PAGES && it.1);
    pages.into_keys().collect()
}

/// Where the numbers of the pages are, of the numbers that count the pages.
fn numbers(
    candidates: &BTreeMap<(bool, i64), Vec<Candidate>>,
    pages: usize,
) -> Vec<(bool, i64, f32)> {
    let mut out = Vec::new();
    for ((top, offset), found) in candidates {
        let rests: BTreeSet<&str> = found.iter().map(|it| it.rest.as_str()).collect();
        // The words before numbers of exercises and invoices are equal.
        let vary = rests.len() > 1 && found.len() >= NUMBERED_PAGES;
        let found: Vec<f32> = found
            .iter()
            .filter(|it| vary || it.plausible)
            .map(|it| it.y)
            .collect();
        for (place, y) in found.iter().enumerate() {
            let is_near = |it: &&f32| (**it - y).abs() < SAME_NUMBER;
            // The first of several at one place is enough.
            if found.iter().take(place).any(|it| is_near(&it)) {
                continue;
            }
            let same = found.iter().filter(is_near).count();
            let enough = same >= NUMBERED_PAGES || same == 2 && (pages == 2 || found.len() > 2);
            if enough && found.len().saturating_mul(2) >= pages {
                out.push((*top, *offset, *y));
            }
        }
    }
    out
}
