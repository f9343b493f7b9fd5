//! Running heads, feet and page numbers: which of them a page shows.
//!
//! The first page that has a running head or a foot shows it. It is not shown again on pages that follow. Which page
//! is the first is known from the sample of the document and from two pages before, so that the text of a page does
//! not depend on which pages were read.

use crate::layout::{Head, Id, REPEATS};
use crate::limits;
use omniread_document::markdown;
use omniread_document::model::{Block, Inline};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The note on running heads, feet and page numbers that are left out.
pub const LEFT_OUT: &str = "Running heads, feet and page numbers are left out; `:all` shows them.";

/// The note on other artifacts.
pub const MARKED: &str =
    "Text that the file marks as decoration, such as line numbers, is left out; `:all` shows it.";

/// The number of letters and digits from which a line is in another one not by chance.
const LONG: usize = 12;

/// What lines at the edges of pages have in common, by the number of the page from 0.
#[derive(Debug, Default)]
pub struct Lines {
    pages: BTreeMap<usize, Rc<Vec<Id>>>,
}

impl Lines {
    /// The lines of a page, if they are known.
    pub fn get(&self, index: usize) -> Option<Rc<Vec<Id>>> {
        self.pages.get(&index).map(Rc::clone)
    }

    /// Adds the lines of a page.
    pub fn add(&mut self, index: usize, lines: Vec<Id>) -> Rc<Vec<Id>> {
        while self.pages.len() >= limits::EDGE_PAGES {
            // The first pages are needed again.
            let pages = self.pages.keys().copied().filter(|it| *it > 1);
            let Some(far) = pages.max_by_key(|it| it.abs_diff(index)) else {
                break;
            };
            self.pages.remove(&far);
        }
        let lines = Rc::new(lines);
        self.pages.insert(index, Rc::clone(&lines));
        lines
    }
}

/// The running heads and feet that a page shows.
#[derive(Debug, Default)]
pub struct Shown {
    /// Those before the text.
    pub above: Vec<Block>,
    /// Those after the text.
    pub below: Vec<Block>,
    /// Whether others are left out.
    pub left_out: bool,
}

impl Shown {
    /// Adds the heads of the page `index`. `before` are pages before it that may have the same, and `lines` returns
    /// the lines of a page.
    pub fn add(
        &mut self,
        index: usize,
        heads: &[Head],
        before: &[usize],
        lines: &mut dyn FnMut(usize) -> Option<Rc<Vec<Id>>>,
    ) {
        for head in heads {
            if head.number {
                self.left_out |= !head.named;
                continue;
            }
            let mut has = |page: usize| {
                lines(page).is_some_and(|all| head.ids.iter().any(|it| all.contains(it)))
            };
            let repeats = head.repeats || {
                let near = [index.checked_sub(1), index.checked_add(1)];
                let mut pages = head.pages.clone();
                pages.extend(near.into_iter().flatten().filter(|it| has(*it)));
                pages.len() >= REPEATS
            };
            if repeats && (head.shown || before.iter().any(|it| has(*it))) {
                self.left_out = true;
                continue;
            }
            let block = Block::Paragraph(vec![Inline::plain(head.text.clone())]);
            if head.top {
                self.above.push(block);
            } else {
                self.below.push(block);
            }
        }
    }

    /// The text of the page with the running heads and feet, and the bytes that they have at its start and at its
    /// end. `comments` follow the page.
    pub fn around(self, mut text: Vec<Block>, comments: Vec<Block>) -> (String, [usize; 2]) {
        if self.above.is_empty() && self.below.is_empty() {
            text.extend(comments);
            return (markdown::render(&text), [0, 0]);
        }
        let text = markdown::render(&text);
        let ink = |it: &str| -> String { it.chars().filter(|it| it.is_alphanumeric()).collect() };
        let page: BTreeSet<String> = text.lines().map(ink).collect();
        // The head of a table that goes on, or a title, is shown.
        let others = |blocks: Vec<Block>| {
            let all = blocks.into_iter().map(|it| markdown::render(&[it]));
            let is_shown = |it: &str| {
                let own = ink(it);
                let long = own.chars().count() >= LONG;
                !own.is_empty()
                    && (page.contains(&own) || long && page.iter().any(|it| it.contains(&own)))
            };
            let all: Vec<String> = all.filter(|it| !is_shown(it)).collect();
            all.join("\n\n")
        };
        let (above, below) = (others(self.above), others(self.below));
        let comments = markdown::render(&comments);
        let after = if comments.is_empty() { below.len() } else { 0 };
        // A head over the title of the page does not separate it from the headings of other pages.
        let (title, text) = title(&text);
        let before = if title.is_empty() { above.len() } else { 0 };
        let edges = [before, after];
        (joined(&[title, &above, text, &below, &comments]), edges)
    }
}

/// The heading with which a text starts, and the rest. It may be empty.
fn title(text: &str) -> (&str, &str) {
    let is_heading = text.trim_start_matches('#').starts_with(' ') && text.starts_with('#');
    match text.split_once("\n\n") {
        _ if !is_heading => ("", text),
        Some((title, rest)) => (title, rest),
        None => (text, ""),
    }
}

/// Texts with an empty line between them.
pub fn joined(texts: &[&str]) -> String {
    let texts: Vec<&str> = texts.iter().copied().filter(|it| !it.is_empty()).collect();
    texts.join("\n\n")
}
