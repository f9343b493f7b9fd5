//! Texts and images that a page has twice: for narrow and wide screens, in a bar that stays in view,
//! in each thumbnail of a gallery.

use std::collections::BTreeSet;

use super::gallery::address_around;
use super::groups;
use super::measure::Measures;
use super::page::PageType;
use super::selection::Selection;
use super::words::Kinds;
use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::limits;

/// The words of the shortest text that is left out as a repetition. Shorter ones are values, such
/// as prices and names.
const WORDS: f32 = 3.0;

/// The bytes of the longest text that is compared. Longer ones stay.
const TEXT: usize = 4096;

/// The words of the smallest part of a page of a product that is left out as a repetition, with its
/// headings and values.
const PART_WORDS: f32 = 12.0;

/// Drops the texts and images in the chosen elements that repeat others. Returns the images and the titles
/// that may still be shown, in their order.
pub fn drop_repeats(
    document: &Document,
    measures: &Measures,
    selection: &mut Selection,
) -> Vec<Id> {
    let roots = &selection.roots;
    let mut search = Search {
        document,
        measures,
        dropped: &mut selection.dropped,
        texts: BTreeSet::new(),
        parts: BTreeSet::new(),
        is_under_new: false,
        headings: Vec::new(),
        is_product: selection.page == PageType::Product,
        read: 0,
    };
    let is_discussion = selection.page == PageType::Forum;
    for root in roots {
        search.walk(*root, is_discussion);
    }
    search.images(roots)
}

/// The words of texts, up to [`TEXT`] bytes.
fn normalized<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut words = String::new();
    for word in texts.flat_map(str::split_whitespace) {
        if words.len() >= TEXT {
            break;
        }
        words.push_str(word);
        words.push(' ');
    }
    words
}

struct Search<'d> {
    document: &'d Document,
    measures: &'d Measures,
    dropped: &'d mut Marks,
    /// The texts that were seen, with the addresses of their links.
    texts: BTreeSet<String>,
    /// The same, of parts of the page with several texts.
    parts: BTreeSet<String>,
    /// Whether the heading over the next text is not repeated, so that the text belongs to it.
    is_under_new: bool,
    /// The headings before the next text that are repeated, with their levels.
    headings: Vec<(Id, u8)>,
    /// Whether the page is that of a product.
    is_product: bool,
    /// The bytes that may have been read to compare parts of the page.
    read: usize,
}

impl Search<'_> {
    fn walk(&mut self, root: Id, is_discussion: bool) {
        let whole = self.measures.of(root);
        let mut elements = self.measures.elements(root);
        while let Some(element) = elements.next() {
            let (id, tag, facts) = (element.id, element.tag, &element.facts);
            let is_quoted = tag == Tag::Blockquote || facts.kinds.has(Kinds::EMBED);
            if self.dropped.contains(id) || is_quoted || groups::is_code(self.document, id, tag) {
                elements.skip_children_of(element);
                continue;
            }
            let is_leaf = facts.own.text > 0.0 && facts.text <= facts.own.text;
            let is_group = groups::is_group(tag, facts, whole);
            if self.is_product
                && id != root
                && !is_leaf
                && facts.words >= PART_WORDS
                && facts.images == 0.0
                && !self.is_below_heading(id)
                && self.is_part(id)
                && self.is_seen(id, true)
            {
                self.dropped.insert(id);
                elements.skip_children_of(element);
                continue;
            }
            if !(is_leaf || is_group) {
                continue;
            }
            elements.skip_children_of(element);
            // Two people say the same on purpose.
            let is_new = !self.is_seen(id, false) || is_discussion;
            if let Some(level) = tag.heading() {
                self.heading(id, level, is_new);
            } else if is_new || self.is_under_new || facts.words < WORDS || facts.images > 0.0 {
                self.headings.clear();
            } else {
                self.dropped.insert(id);
            }
        }
        self.drop_headings(0);
    }

    /// Whether a part follows a heading that stays, which would be without text if the part did not.
    fn is_below_heading(&self, id: Id) -> bool {
        self.document.element_before(id).is_some_and(|id| {
            let tag = self.document.tag(id);
            tag.is_some_and(|tag| tag.heading().is_some()) && !self.dropped.contains(id)
        })
    }

    /// Whether an element has less text than the one around it, and may still be compared as a whole.
    fn is_part(&mut self, id: Id) -> bool {
        let words = self.measures.of(id).words;
        let outer = self.document.parent(id);
        let is_part = outer.is_some_and(|outer| self.measures.of(outer).words >= words + 1.0)
            && self.read < limits::REPEATED_PARTS;
        if is_part {
            self.read = self.read.saturating_add(TEXT);
        }
        is_part
    }

    /// A heading is left out only if nothing remains under it.
    fn heading(&mut self, id: Id, level: u8, is_new: bool) {
        self.drop_headings(level);
        self.is_under_new = is_new;
        if is_new {
            self.headings.clear();
        } else {
            self.headings.push((id, level));
        }
    }

    /// Drops the repeated headings from a level on.
    fn drop_headings(&mut self, level: u8) {
        while let Some((id, other)) = self.headings.last().copied() {
            if other < level {
                break;
            }
            self.dropped.insert(id);
            self.headings.pop();
        }
    }

    /// Whether a text with the same links was seen before.
    fn is_seen(&mut self, id: Id, is_part: bool) -> bool {
        let mut texts = Vec::new();
        let mut addresses = Vec::new();
        let mut nodes = self.document.subtree(id);
        while let Some(node) = nodes.next() {
            if self.document.tag(node).is_none() {
                texts.extend(self.document.text(node));
            } else if self.measures.place(node).is_none() {
                nodes.skip_children_of(node);
            } else if self.document.is(node, Tag::A) {
                addresses.extend(self.document.attribute(node, Name::Href));
            }
        }
        // Signs are compared too: `-5 V` is not `+5 V`.
        let mut text = normalized(texts.into_iter());
        if text.is_empty() || text.len() >= TEXT {
            return false;
        }
        for address in addresses {
            text.push('\n');
            text.push_str(address);
        }
        if is_part {
            !self.parts.insert(text)
        } else {
            !self.texts.insert(text)
        }
    }

    /// Drops images with the description of another one, and thumbnails without a description in
    /// links that have a text elsewhere. Returns the images and the titles.
    fn images(&mut self, roots: &[Id]) -> Vec<Id> {
        let mut links = BTreeSet::new();
        let mut shown = Vec::new();
        for root in roots {
            let mut elements = self.measures.elements(*root);
            while let Some(element) = elements.next() {
                if self.dropped.contains(element.id) {
                    elements.skip_children_of(element);
                    continue;
                }
                match element.tag {
                    Tag::A if element.facts.text > 0.0 => {
                        links.extend(self.document.attribute(element.id, Name::Href));
                    }
                    Tag::Img | Tag::H1 => shown.push(element.id),
                    _ => {}
                }
            }
        }
        let mut descriptions = BTreeSet::new();
        for id in &shown {
            if self.document.is(*id, Tag::H1) {
                continue;
            }
            let alt = normalized(self.document.attribute(*id, Name::Alt).into_iter());
            let address = address_around(self.document, *id);
            let is_linked = address.is_some_and(|address| links.contains(address));
            let repeats = if alt.is_empty() {
                is_linked
            } else {
                let is_known = self.texts.contains(&alt) || !descriptions.insert(alt);
                is_known && (is_linked || address.is_none())
            };
            if repeats {
                self.dropped.insert(*id);
            }
        }
        shown
    }
}
