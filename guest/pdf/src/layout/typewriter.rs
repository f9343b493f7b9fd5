//! Documents that are set like the text of a typewriter.
//!
//! Reports of the time before laser printers, transcripts and drafts have one font for all text, in which all glyphs
//! have one width. In other documents such a font is a sign of code. Such text has lines of hyphens where other
//! documents have drawn lines.

use super::prepared::Prepared;
use super::strokes::Stroke;
use super::words::Word;
use super::{limits, number};
use crate::leaders;

/// The part of the characters that must be in a font of one width. The rest are figures, seals and page numbers.
const MOST: f32 = 0.9;

/// The number of characters below which the text does not show what the document is: some lines.
const LEAST: usize = 400;

/// The part of the characters from which signs of programs are too many for prose. Listings have a tenth, prose
/// and its tables less than a hundredth.
const SIGNS: f32 = 0.025;

/// The least part of words that are letters alone, with a mark of punctuation at the end. Tables of numbers have
/// fewer, and are better shown as they are set.
const PLAIN_WORDS: f32 = 0.5;

/// The difference of baselines below which words are on one line, and the height of hyphens, in font sizes.
const ON_LINE: f32 = 0.3;
const MIDDLE: f32 = 0.25;

/// The signs that programs have and prose has not.
const PROGRAM: [char; 14] = [
    '{', '}', ';', '=', '<', '>', '_', '\\', '|', '#', '[', ']', '`', '@',
];

/// Whether nearly all text of the sampled pages is in fonts of one width, and reads like prose.
pub fn is_typewritten(pages: &[Prepared]) -> bool {
    let words = || pages.iter().flat_map(|it| &it.words);
    let (mut all, mut fixed, mut signs) = (0usize, 0usize, 0usize);
    let (mut count, mut plain) = (0usize, 0usize);
    for word in words() {
        all = all.saturating_add(word.chars);
        if word.face.fixed {
            fixed = fixed.saturating_add(word.chars);
            let own = word.text.chars().filter(|it| PROGRAM.contains(it)).count();
            signs = signs.saturating_add(own);
            count = count.saturating_add(1);
            plain = plain.saturating_add(usize::from(is_plain(word)));
        }
    }
    let part = |of: usize, all: usize| number::float(of) / number::float(all.max(1));
    fixed >= LEAST
        && part(fixed, all) >= MOST
        && part(signs, fixed) < SIGNS
        && part(plain, count) >= PLAIN_WORDS
}

/// Makes the text of a page text of the document: its font is no sign of code, and lines of hyphens are drawn lines.
pub fn prepare(page: &mut Prepared) {
    page.without_code();
    let is_rule = |word: &Word| {
        let mut all = word.text.chars();
        word.chars >= 2 && all.all(|it| matches!(it, '-' | '=' | '–' | '—' | '─'))
    };
    drop_leaders(page);
    let rules: Vec<&Word> = page.words.iter().filter(|it| is_rule(it)).collect();
    if rules.is_empty() {
        return;
    }
    let mut others: Vec<f32> = page
        .words
        .iter()
        .filter(|it| !is_rule(it))
        .map(|it| it.y)
        .collect();
    others.sort_by(f32::total_cmp);
    let alone = |word: &Word| {
        let near = ON_LINE * word.size;
        let at = others.partition_point(|it| *it < word.y - near);
        others.get(at).is_none_or(|it| *it > word.y + near)
    };
    let found: Vec<Stroke> = rules
        .iter()
        .filter(|it| alone(it))
        .map(|it| Stroke {
            at: it.y - MIDDLE * it.size,
            start: it.x0,
            end: it.x1,
        })
        .collect();
    let keep: Vec<bool> = page
        .words
        .iter()
        .map(|it| !is_rule(it) || !alone(it))
        .collect();
    let mut keep = keep.into_iter();
    page.words.retain(|_| keep.next().unwrap_or(true));
    page.across.extend(found);
}

/// Leaves out leader dots before the values of a row. Those before one number are of a table of contents.
fn drop_leaders(page: &mut Prepared) {
    let is_leader = |word: &Word| leaders::leader(&word.text).is_some_and(str::is_empty);
    if !page.words.iter().any(is_leader) {
        return;
    }
    let mut order: Vec<(f32, f32)> = page.words.iter().map(|it| (it.y, it.x0)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut budget = limits::LEADERS;
    page.words.retain(|word| {
        if !is_leader(word) || budget == 0 {
            return true;
        }
        budget = budget.saturating_sub(1);
        let near = ON_LINE * word.size;
        let first = order.partition_point(|it| it.0 < word.y - near);
        let line = order
            .iter()
            .skip(first)
            .take_while(|it| it.0 <= word.y + near);
        line.filter(|it| it.1 > word.x0).take(2).count() < 2
    });
}

/// Whether a word is letters, with punctuation around it as in prose.
fn is_plain(word: &Word) -> bool {
    let inner = word
        .text
        .trim_start_matches(['(', '"', '“', '‘', '\''])
        .trim_end_matches([')', '"', '”', '’', '\'', '.', ',', ':', ';', '?', '!']);
    !inner.is_empty()
        && inner
            .chars()
            .all(|it| it.is_alphabetic() || matches!(it, '-' | '’' | '\''))
}
