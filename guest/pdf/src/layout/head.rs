//! Running heads, feet and page numbers that were found, and those that a file marks as artifacts.

use super::edges::{self, Edge, Id};
use super::prepared::Prepared;
use super::text::squeezed;
use std::collections::BTreeSet;

/// The number of pages with the same text that show that it is a running head.
pub const REPEATS: usize = 3;

/// The maximum number of titles of the outline. Books have some thousand.
const TITLES: usize = 10_000;

/// What the file says about its pages.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The number of pages.
    pub pages: usize,
    /// The labels of the pages. They may be empty.
    pub labels: Vec<String>,
    /// Texts that a reader of the document sees in other places, as [`squeezed`]: the title and the entries of the
    /// outline.
    pub titles: BTreeSet<String>,
}

impl Known {
    /// From the labels of the pages, and titles.
    pub fn of<'t>(labels: Vec<String>, titles: impl Iterator<Item = &'t str>) -> Self {
        let titles = titles.take(TITLES).map(squeezed);
        Self {
            pages: labels.len(),
            labels,
            titles: titles.filter(|it| !it.is_empty()).collect(),
        }
    }

    /// Whether a number or a text is the one under which the page is read.
    pub fn is_named(&self, index: usize, value: i64, text: &str) -> bool {
        let label = self.labels.get(index).map(String::as_str);
        let is_label = |it: &str| !it.is_empty() && label == Some(it);
        value == of_file(index) || is_label(text) || is_label(&value.to_string())
    }
}

/// A running head, a foot or a page number, which is no part of the text.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent properties"
)]
#[derive(Clone, Debug)]
pub struct Head {
    /// Whether it is at the upper edge.
    pub top: bool,
    /// The text.
    pub text: String,
    /// What lines that repeat it have in common with it.
    pub ids: Vec<Id>,
    /// Whether it is known to repeat. Otherwise, it does so if it is on [`REPEATS`] pages.
    pub repeats: bool,
    /// The known pages that have it.
    pub pages: BTreeSet<usize>,
    /// Whether it is only a number.
    pub number: bool,
    /// Whether the number is the one under which the page is read.
    pub named: bool,
    /// Whether the text is in another place, or on a page before.
    pub shown: bool,
}

impl Head {
    /// A head of which nothing is known.
    pub fn of(known: &Known, index: usize, edge: &Edge) -> Self {
        Self {
            top: edge.top,
            text: edge.text.clone(),
            ids: vec![(edge.key.clone(), None)],
            repeats: false,
            pages: BTreeSet::from([index]),
            number: false,
            named: false,
            shown: known.titles.contains(&squeezed(&edge.text)),
        }
    }

    /// Sets the rest of the line without the number of the page.
    pub fn numbered(&mut self, rest: &str) {
        self.ids.push(edges::without_number(rest));
        self.number = rest.is_empty();
    }
}

/// The artifacts of a page.
#[derive(Debug)]
pub struct Artifacts {
    /// Running heads, feet and page numbers.
    pub heads: Vec<Head>,
    /// What they have in common with those of other pages.
    pub lines: Vec<Id>,
    /// Whether there are letters and digits in other artifacts.
    pub others: bool,
}

impl Artifacts {
    /// Finds the heads in the text of artifacts.
    pub fn of(known: &Known, index: usize, page: &Prepared) -> Self {
        let edges = edges::edges(page);
        let mut heads = Vec::new();
        let ink = |it: &str| it.chars().filter(|it| it.is_alphanumeric()).count();
        let words = page.others.iter().flat_map(|it| &it.words);
        let words = words.chain(&page.words).chain(&page.oblique);
        let all = words.map(|it| ink(&it.text)).fold(0, usize::saturating_add);
        let mut own: usize = 0;
        for top in [true, false] {
            let mut found: Vec<Head> = Vec::new();
            for edge in edges.iter().filter(|it| it.top == top) {
                own = own.saturating_add(ink(&edge.text));
                let mut head = Head::of(known, index, edge);
                head.repeats = true;
                // Their numbers may be those of pages, or others.
                head.ids
                    .extend(edge.ids(index).into_iter().filter(|it| it.1.is_some()));
                for number in edge.numbers.iter().flatten() {
                    head.number |= number.rest.is_empty();
                    head.named |= known.is_named(index, number.value, &edge.text);
                }
                if let Some((value, rest)) = edge.without(1) {
                    head.number |= rest.is_empty();
                    head.named |= known.is_named(index, value, &edge.text);
                }
                found.push(head);
            }
            if !top {
                found.reverse();
            }
            heads.extend(found);
        }
        Self {
            heads,
            lines: edges.iter().flat_map(|it| it.ids(index)).collect(),
            others: own < all,
        }
    }
}

/// The number of a page in the file.
pub fn of_file(index: usize) -> i64 {
    i64::try_from(index).unwrap_or_default().saturating_add(1)
}
