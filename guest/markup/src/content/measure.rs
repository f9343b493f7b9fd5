//! Measures of each element: text, links and paragraphs.
//!
//! One walk forwards counts the text of each block and reads classes. One walk backwards adds up
//! the counts of the children, so that no subtree is read twice.

use super::count::{Count, count};
use super::words::{Kinds, kinds};
use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::metadata::text_of;

/// Measures of an element and everything in it, or of a text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// What the class, the id and the role say.
    pub kinds: Kinds,
    /// Text in the subtree.
    pub text: f32,
    /// Text in links in the subtree.
    pub link: f32,
    /// Words in the subtree.
    pub words: f32,
    /// Text of the paragraphs in the subtree, without their links.
    pub good: f32,
    /// The number of paragraphs in the subtree.
    pub paragraphs: f32,
    /// Text directly in this block and in its inline elements.
    pub own: Count,
    /// Text of `own` that is in links.
    pub own_link: f32,
    /// Whether the node is in a link.
    pub in_link: bool,
    /// Images in the subtree.
    pub images: f32,
    /// Headings in the subtree that are links.
    pub linked_headings: f32,
    /// Quotations and embedded texts in the subtree.
    pub embeds: f32,
    /// Children that are items of a list: each has a heading that is a link, and little text.
    pub items: f32,
    /// The text of these children.
    pub item_text: f32,
    /// Children that have a heading that is a link, with any amount of text.
    pub entries: f32,
    /// The text of these children.
    pub entry_text: f32,
}

impl Facts {
    /// The part of the text that is in links.
    pub fn density(&self) -> f32 {
        if self.text > 0.0 {
            self.link / self.text
        } else {
            0.0
        }
    }

    /// Whether the element only lists other texts.
    pub fn is_list(&self) -> bool {
        self.items >= 2.0 && self.item_text >= 0.7 * self.text
    }

    /// Whether the block itself is a paragraph: it has sentences, or is long.
    pub fn is_paragraph(&self) -> bool {
        let plain = self.own.text - self.own_link;
        if plain < 25.0 || self.own_link > plain {
            return false;
        }
        plain >= 120.0
            || (self.own.marks >= 1.0 && (plain >= 50.0 || (self.own.ends && plain >= 30.0)))
    }
}

/// The text of the paragraphs of an item above which it is a text of its own.
const ITEM_TEXT: f32 = 400.0;

/// The measures of a document.
pub struct Measures {
    facts: Vec<Facts>,
    /// The measures of a node that is not measured.
    none: Facts,
    /// The visible nodes, each before its children.
    pub order: Vec<Id>,
    /// The number of headings of level 1.
    pub titles: usize,
    /// Elements that have no text of the page, such as scripts.
    pub without_text: Marks,
}

impl Measures {
    pub fn of(&self, id: Id) -> &Facts {
        self.facts.get(id.index()).unwrap_or(&self.none)
    }

    fn at(&mut self, id: Id) -> Option<&mut Facts> {
        self.facts.get_mut(id.index())
    }
}

/// Measures the visible nodes in an element.
pub fn measure(document: &Document, root: Id, hidden: &Marks) -> Measures {
    let mut measures = Measures {
        facts: vec![Facts::default(); document.node_count()],
        none: Facts::default(),
        order: Vec::with_capacity(document.node_count()),
        titles: 0,
        without_text: Marks::default(),
    };
    // The block that contains each element.
    let mut blocks: Vec<Option<Id>> = vec![None; document.node_count()];
    let mut nodes = document.subtree(root);
    while let Some(id) = nodes.next() {
        if hidden.contains(id) {
            nodes.skip_children_of(id);
            continue;
        }
        let parent = document.parent(id).filter(|_| id != root);
        let in_link = parent.is_some_and(|parent| measures.of(parent).in_link);
        let block = parent.and_then(|parent| blocks.get(parent.index()).copied().flatten());
        match document.tag(id) {
            None => {
                let counted = count(document.text(id).unwrap_or_default());
                let link = if in_link { counted.text } else { 0.0 };
                if let Some(facts) = measures.at(id) {
                    facts.text = counted.text;
                    facts.words = counted.words;
                    facts.link = link;
                    facts.in_link = in_link;
                }
                if let Some(facts) = block.and_then(|block| measures.at(block)) {
                    facts.own.add(counted);
                    facts.own_link += link;
                }
            }
            Some(tag) => {
                if is_without_text(tag) || (tag == Tag::Noscript && !is_lazy_image(document, id)) {
                    measures.without_text.insert(id);
                    nodes.skip_children_of(id);
                    continue;
                }
                if tag == Tag::H1 {
                    measures.titles = measures.titles.saturating_add(1);
                }
                if let Some(facts) = measures.at(id) {
                    facts.kinds = named(document, id, tag);
                    facts.in_link = in_link || tag == Tag::A;
                    if tag == Tag::Blockquote || facts.kinds.has(Kinds::EMBED) {
                        facts.embeds = 1.0;
                    }
                    facts.images = if tag == Tag::Img { 1.0 } else { 0.0 };
                }
                if let Some(place) = blocks.get_mut(id.index()) {
                    *place = if is_block(tag) || block.is_none() {
                        Some(id)
                    } else {
                        block
                    };
                }
            }
        }
        measures.order.push(id);
    }
    for at in (0..measures.order.len()).rev() {
        let Some(id) = measures.order.get(at).copied() else {
            continue;
        };
        let mut facts = *measures.of(id);
        if facts.is_paragraph() {
            facts.good += facts.own.text - facts.own_link;
            facts.paragraphs += 1.0;
            if let Some(place) = measures.at(id) {
                *place = facts;
            }
        }
        let heading = document.tag(id).is_some_and(|tag| tag.heading().is_some());
        if heading && facts.text > 0.0 && facts.link >= 0.8 * facts.text {
            facts.linked_headings = 1.0;
        }
        let entry =
            !heading && document.tag(id).is_some() && (1.0..=2.0).contains(&facts.linked_headings);
        let item = entry && facts.good < ITEM_TEXT;
        let parent = document.parent(id).filter(|_| id != root);
        if let Some(sum) = parent.and_then(|parent| measures.at(parent)) {
            sum.linked_headings += facts.linked_headings;
            sum.embeds += facts.embeds;
            if entry {
                sum.entries += 1.0;
                sum.entry_text += facts.text;
            }
            if item {
                sum.items += 1.0;
                sum.item_text += facts.text;
            }
            sum.text += facts.text;
            sum.link += facts.link;
            sum.words += facts.words;
            sum.good += facts.good;
            sum.paragraphs += facts.paragraphs;
            sum.images += facts.images;
        }
    }
    measures
}

/// Whether an element starts and ends a block of text. A heading or a paragraph in a link does.
fn is_block(tag: Tag) -> bool {
    tag.is_block() || matches!(tag, Tag::Button | Tag::Select | Tag::Iframe)
}

/// Elements whose text is not text of the page.
pub fn is_without_text(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Head
            | Tag::Script
            | Tag::Style
            | Tag::Template
            | Tag::Svg
            | Tag::Iframe
            | Tag::Object
            | Tag::Embed
            | Tag::Applet
            | Tag::Canvas
            | Tag::Audio
            | Tag::Video
            | Tag::Datalist
            | Tag::Select
            | Tag::Textarea
            | Tag::Noframes
            | Tag::Noembed
            | Tag::Meta
            | Tag::Link
    )
}

/// Whether a `noscript` has only an image, which scripts would load, and no other element has it.
fn is_lazy_image(document: &Document, id: Id) -> bool {
    let mut image = false;
    for node in document.subtree(id).skip(1) {
        match document.tag(node) {
            Some(Tag::Img) => image = true,
            Some(Tag::Picture | Tag::Source | Tag::Figure | Tag::A | Tag::Span | Tag::Div) => {}
            None if document
                .text(node)
                .is_some_and(|text| text.trim().is_empty()) => {}
            _ => return false,
        }
    }
    let beside = [document.previous_sibling(id), document.next_sibling(id)];
    image
        && !beside
            .into_iter()
            .flatten()
            .any(|node| document.is(node, Tag::Img) || document.is(node, Tag::Picture))
}

fn named(document: &Document, id: Id, tag: Tag) -> Kinds {
    let mut all = Kinds::default();
    // Rows of tables of sports have classes such as `player`.
    if matches!(tag, Tag::Html | Tag::Body | Tag::Tr | Tag::Th | Tag::Tbody) {
        return all;
    }
    let class = document.attribute(id, Name::Class).unwrap_or_default();
    all = all.or(kinds(class));
    // Programs make ids from headings: `<section id=comments>` is a section about comments.
    let section = tag.heading().is_some()
        || matches!(tag, Tag::Section | Tag::A | Tag::Dt | Tag::Span | Tag::P)
        || class.split_ascii_whitespace().any(|word| word == "section");
    if !section {
        all = all.or(kinds(document.attribute(id, Name::Id).unwrap_or_default()));
    }
    match document.attribute(id, Name::Role) {
        Some("navigation" | "menu" | "menubar" | "search") => all = all.or(Kinds::NAVIGATION),
        Some("complementary") => all = all.or(Kinds::SIDEBAR),
        Some("contentinfo") => all = all.or(Kinds::FOOTER),
        Some("dialog" | "alertdialog" | "alert") => all = all.or(Kinds::NOTICE),
        Some("toolbar" | "tablist") => all = all.or(Kinds::CONTROL),
        _ => {}
    }
    if document.attribute(id, Name::Itemprop).is_some_and(|value| {
        value
            .split_ascii_whitespace()
            .any(|word| word == "articleBody")
    }) {
        all = all.or(Kinds::BODY);
    }
    all
}

/// The text of a block, if it is not longer than `limit` bytes.
pub fn block_text(document: &Document, id: Id, limit: usize) -> Option<String> {
    text_of(document, id, limit)
}
