//! Comments of readers that are left out of the main text.

use super::measure::{Element, Measures, block_text};
use super::page::PageType;
use super::phrases::{self, Phrase};
use super::selection::Selection;
use super::words::Kinds;
use crate::dom::{Document, Id, Marks, Tag};

/// The text of the paragraphs of comments above which a note on them is useful. Forms for comments
/// have less.
const COMMENTS: f32 = 300.0;

/// The text of the longest heading over comments.
const HEADING: f32 = 60.0;

/// Whether comments of readers, or reviews of customers, are left out of a selection.
pub fn are_left_out(
    document: &Document,
    measures: &Measures,
    selection: &Selection,
    body: Id,
) -> bool {
    let mut around_roots = Marks::default();
    for root in &selection.roots {
        for id in std::iter::once(*root).chain(document.ancestors(*root)) {
            around_roots.insert(id);
        }
    }
    let search = Search {
        document,
        measures,
        kinds: match selection.page {
            PageType::Product => Kinds::COMMENT.or(Kinds::REVIEW),
            _ => Kinds::COMMENT,
        },
        around_roots,
    };
    let mut text = search.text(body, &selection.roots);
    for root in &selection.roots {
        let mut elements = measures.elements(*root);
        while let Some(element) = elements.next() {
            if selection.dropped.contains(element.id) {
                text += search.text(element.id, &[]);
                elements.skip_children_of(element);
            }
        }
    }
    text >= COMMENTS
}

struct Search<'d> {
    document: &'d Document,
    measures: &'d Measures,
    /// The names of the comments, or of the reviews of a product.
    kinds: Kinds,
    around_roots: Marks,
}

impl Search<'_> {
    /// The text of the comments in an element, outside of the roots.
    fn text(&self, outer: Id, roots: &[Id]) -> f32 {
        let mut text = 0.0;
        let mut elements = self.measures.elements(outer);
        while let Some(element) = elements.next() {
            let is_around_root = self.around_roots.contains(element.id);
            // A column may have the latest comments on other pages, and a dialog the rules for them.
            let is_other = element.tag == Tag::Aside
                || element.facts.kinds.has(Kinds::SIDEBAR.or(Kinds::NOTICE));
            if roots.contains(&element.id) || (is_other && !is_around_root) {
                elements.skip_children_of(element);
            } else if element.facts.kinds.has(self.kinds) && !is_around_root {
                text += element.facts.good;
                elements.skip_children_of(element);
            } else if self.is_heading(element)
                && let Some(section) = self.document.parent(element.id)
                && !self.around_roots.contains(section)
            {
                text += self.measures.of(section).good;
            }
        }
        text
    }

    /// Whether an element is a heading over comments.
    fn is_heading(&self, element: &Element) -> bool {
        element.tag.heading().is_some()
            && element.facts.text <= HEADING
            && block_text(self.document, element.id, phrases::LONGEST)
                .is_some_and(|text| phrases::find(&text, true) == Some(Phrase::Comments))
    }
}
