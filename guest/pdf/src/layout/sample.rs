//! A fixed sample of the pages of a document → what is known of the document.

use super::analysis::{Analysis, Ready};
use super::document::{Document, quarters};
use super::edges::Edge;
use super::furniture::Furniture;
use super::head::Known;
use super::headings;
use super::parts::{Class, Kind, Part};
use super::pieces::Piece;
use super::prepared::Prepared;
use super::words::Word;
use super::{limits, number, region, sizes, typewriter};
use crate::extremes::Extremes as _;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The size of running text in points of a document without text.
const BODY: f32 = 10.0;

/// The number of headings at the side of all text that show that headings are there.
const SIDE_HEADINGS: usize = 2;

/// The number of characters from which a line is running text: half a line of a page. Its characters count
/// [`TEXT_WEIGHT`] times.
const TEXT_CHARACTERS: usize = 38;
const TEXT_WEIGHT: usize = 16;

/// The part of its characters that text in a font for code counts.
const CODE_PART: usize = 8;

/// The number of characters from which a line shows where text starts, also in narrow columns.
const START_CHARACTERS: usize = 25;

/// The number of lines that show where text starts.
const SEVERAL: usize = 2;

/// The differences of sizes and baselines below which words are on one line, relative to the size.
const ON_LINE: f32 = 0.1;

/// The part of all text from which the text in a size is much: an eighth.
const COMMON_PART: usize = 8;

/// The difference of the middles of columns of two pages in sizes of running text.
const SAME_GUTTER: f32 = 1.5;

/// What is known of the document when a page is analysed. It comes from the facts of the file and
/// from a fixed sample of its pages, so that it does not depend on which page is read.
#[derive(Debug, Default)]
pub struct Context {
    /// The content of the sampled pages in the frame of its text, with the number of each page from 0.
    pub sample: Vec<(usize, Prepared)>,
    /// The entries of the outline: level from 1, title, page from 0.
    pub outline: Vec<(u8, String, Option<usize>)>,
    /// What the file says about its pages.
    pub known: Rc<Known>,
}

impl Document {
    /// Derives what is known. Returns also the pages of the sample, as far as they are analysed.
    pub fn new(mut context: Context) -> (Self, Studied) {
        let mut out = Self {
            body: BODY,
            ..Self::default()
        };
        context.sample.truncate(limits::SAMPLE);
        let titles = context.outline.iter();
        out.add_titles(titles.map(|it| (it.0, it.1.as_str())));
        let (indexes, mut pages): (Vec<usize>, Vec<Prepared>) = context.sample.into_iter().unzip();
        out.typewritten = typewriter::is_typewritten(&pages);
        if out.typewritten {
            for page in &mut pages {
                typewriter::prepare(page);
            }
        }
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut texts, mut lefts) = (BTreeMap::new(), BTreeMap::new());
        for page in &pages {
            count_sizes(&page.words, &mut sizes);
            count_starts(&page.words, &mut texts, &mut lefts);
            out.vocabulary.add(&page.words);
        }
        out.left = leftmost(&lefts).unwrap_or_default();
        out.text_left = leftmost(&texts);
        out.body = most(&sizes).unwrap_or(BODY);
        out.common = common(&pages);
        let mut pages: Vec<(usize, Ready)> = indexes
            .into_iter()
            .zip(pages.into_iter().map(Ready::of))
            .collect();
        let first = pages.first().map(|it| &it.1.page);
        let edges: Vec<(usize, &[Edge])> = pages
            .iter()
            .map(|it| (it.0, it.1.edges.as_slice()))
            .collect();
        out.furniture = Furniture::of(first, &edges, out.body, context.known);
        out.gutter = gutter(&mut pages, &out);
        let mut classes: Vec<(Class, bool)> = Vec::new();
        let mut authors: Vec<(Class, bool)> = Vec::new();
        let mut side: usize = 0;
        out.slanted_headings = true;
        let mut studied = Studied::default();
        for (index, ready) in pages {
            if !out.may_have_headings(&ready.page.words) {
                studied.ready.insert(index, ready);
                continue;
            }
            let analysis = Analysis::with(&out, index, ready);
            let found = heading_classes(&out, &analysis);
            studied.analysed.insert(index, analysis);
            for (class, own, author) in found {
                side = side.saturating_add(usize::from(own));
                if author {
                    authors.push((class, own));
                } else {
                    classes.push((class, own));
                }
            }
        }
        let heavy = |it: &(Class, bool)| it.0.bold && it.0.size > sizes::LARGE * out.body;
        if !classes.iter().any(heavy) {
            classes.append(&mut authors);
        }
        out.side_headings = side >= SIDE_HEADINGS;
        if out.side_headings {
            classes.retain(|it| it.1 || it.0.size > sizes::LARGE * out.body);
        }
        let mut classes: Vec<Class> = classes.into_iter().map(|it| it.0).collect();
        // One line in italics may be a motto or a remark.
        let slanted = |it: &Class| it.italic && it.size < sizes::LARGE * out.body;
        if classes.iter().filter(|it| slanted(it)).count() < 2 {
            classes.retain(|it| !slanted(it));
            out.slanted_headings = false;
        }
        out.levels = levels(classes);
        studied
            .analysed
            .retain(|_, it| out.answers_as_in_sample(it.asked));
        (out, studied)
    }
}

/// The pages of the sample after what is known of the document was derived from them, by their numbers from 0.
#[derive(Default)]
pub struct Studied {
    /// Those whose analysis is that of the document.
    analysed: BTreeMap<usize, Analysis>,
    /// Those that were not analysed.
    ready: BTreeMap<usize, Ready>,
}

impl Studied {
    /// Takes the analysis of a page, if the page is known.
    pub fn take(&mut self, document: &Document, index: usize) -> Option<Analysis> {
        let analysed = self.analysed.remove(&index);
        analysed.or_else(|| {
            let ready = self.ready.remove(&index)?;
            Some(Analysis::with(document, index, ready))
        })
    }
}

/// The looks of the headings of a page, whether they are at the side of all text, and whether they may be the authors
/// below a title.
fn heading_classes(document: &Document, analysis: &Analysis) -> Vec<(Class, bool, bool)> {
    let mut out = Vec::new();
    let mut before: Option<&Part> = None;
    for part in &analysis.parts {
        if let (Kind::Heading(class), Some(line)) = (&part.kind, part.lines.first()) {
            let author = before.is_some_and(|it| headings::is_title(it, line));
            out.push((*class, !document.has_text_at(line), author && !class.bold));
        }
        before = Some(part);
    }
    out
}

/// The middle of the white between two columns of a page.
fn page_gutter(document: &Document, index: usize, ready: &mut Ready) -> Option<f32> {
    let page = &ready.page;
    let mut taken = vec![false; page.words.len()];
    document.furniture.remove(index, &ready.edges, &mut taken);
    let pieces: Vec<Piece> = page
        .words
        .iter()
        .enumerate()
        .filter(|(index, _)| !taken.get(*index).copied().unwrap_or(true))
        .map(|(index, word)| Piece::word(index, word))
        .collect();
    match region::main_gutter(pieces, page.edges(), document.body) {
        Ok(middle) => Some(middle),
        Err(uncut) => {
            ready.uncut = Some(uncut);
            None
        }
    }
}

/// Counts characters by their size in quarters of a point: those of long lines of text fully, others
/// less, because a large table is not the running text.
fn count_sizes(words: &[Word], sizes: &mut BTreeMap<usize, usize>) {
    for line in words.chunk_by(follows) {
        let chars = line.iter().map(|it| it.chars);
        let chars = chars.fold(0, usize::saturating_add);
        let Some(last) = line.last() else { continue };
        let mut weight = if chars >= TEXT_CHARACTERS {
            chars.saturating_mul(TEXT_WEIGHT)
        } else {
            chars
        };
        if last.face.mono {
            weight /= CODE_PART;
        }
        let count = sizes.entry(quarters(last.size)).or_default();
        *count = count.saturating_add(weight);
    }
}

/// Whether a word follows another one on a line.
fn follows(word: &Word, next: &Word) -> bool {
    (next.y - word.y).abs() < ON_LINE * word.size
        && (next.size - word.size).abs() < ON_LINE * word.size
        && (next.x0 - word.x1).abs().lesser((word.x0 - next.x1).abs()) < word.size
}

/// Counts where lines start: those of running text, and all.
fn count_starts(
    words: &[Word],
    text: &mut BTreeMap<usize, usize>,
    all: &mut BTreeMap<usize, usize>,
) {
    for line in words.chunk_by(follows) {
        let Some(first) = line.first() else { continue };
        let chars = line.iter().map(|it| it.chars);
        let chars = chars.fold(0, usize::saturating_add);
        let add = |to: &mut BTreeMap<usize, usize>| {
            let count = to.entry(number::count(first.x0.round())).or_default();
            *count = count.saturating_add(1);
        };
        add(all);
        if chars >= START_CHARACTERS && !first.face.bold {
            add(text);
        }
    }
}

/// The leftmost position of several lines.
fn leftmost(starts: &BTreeMap<usize, usize>) -> Option<f32> {
    let several = starts.iter().find(|it| *it.1 >= SEVERAL);
    several.map(|it| number::float(*it.0))
}

/// The sizes of at least an eighth of the text.
fn common(pages: &[Prepared]) -> Vec<usize> {
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    let mut total: usize = 0;
    for word in pages.iter().flat_map(|it| &it.words) {
        let count = sizes.entry(quarters(word.size)).or_default();
        *count = count.saturating_add(word.chars);
        total = total.saturating_add(word.chars);
    }
    sizes.retain(|_, count| count.saturating_mul(COMMON_PART) >= total);
    sizes.into_keys().collect()
}

fn most(sizes: &BTreeMap<usize, usize>) -> Option<f32> {
    let best = sizes
        .iter()
        .max_by_key(|it| (*it.1, std::cmp::Reverse(*it.0)))?;
    Some((number::float(*best.0) / 4.0).greater(1.0))
}

/// The number of levels of Markdown.
const LEVELS: usize = 6;

/// The distinct looks, from the first level.
fn levels(mut classes: Vec<Class>) -> Vec<Class> {
    classes.sort_by(|a, b| {
        b.size
            .total_cmp(&a.size)
            .then(b.bold.cmp(&a.bold))
            .then(a.italic.cmp(&b.italic))
            .then(a.depth.max(1).cmp(&b.depth.max(1)))
    });
    // Sizes that are nearly equal are one size.
    let mut last = f32::MAX;
    for class in &mut classes {
        if last - class.size > sizes::tolerance(class.size) {
            last = class.size;
        }
        class.size = last;
        class.depth = class.depth.max(1);
    }
    classes.sort_by(|a, b| {
        b.size
            .total_cmp(&a.size)
            .then(b.bold.cmp(&a.bold))
            .then(a.italic.cmp(&b.italic))
            .then(a.depth.cmp(&b.depth))
    });
    let mut counted: Vec<(Class, usize)> = Vec::new();
    for class in classes {
        match counted.last_mut() {
            Some(last) if last.0 == class => last.1 = last.1.saturating_add(1),
            _ => counted.push((class, 1)),
        }
    }
    // The lines of a cover have many looks. They would take the levels of the headings.
    let first = counted.first().map(|it| it.0);
    if counted.len() > LEVELS {
        counted.retain(|it| it.1 > 1 || Some(it.0) == first);
    }
    counted.into_iter().map(|it| it.0).collect()
}

/// The middle of the white between two columns, if most sampled pages have it.
fn gutter(pages: &mut [(usize, Ready)], document: &Document) -> Option<f32> {
    let mut found: Vec<f32> = pages
        .iter_mut()
        .filter_map(|(index, ready)| page_gutter(document, *index, ready))
        .collect();
    let half = pages.len().div_ceil(2);
    found.sort_by(f32::total_cmp);
    let middle = found.get(found.len() / 2).copied()?;
    let near = found
        .iter()
        .filter(|it| (*it - middle).abs() < SAME_GUTTER * document.body)
        .count();
    (near >= half && near > 0).then_some(middle)
}
