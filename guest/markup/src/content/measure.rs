//! Measures of each element: text, links and paragraphs.
//!
//! One walk counts the text of each block and reads classes. The end of each element adds its counts
//! to the element that contains it, so that no subtree is read twice. The elements are then in one
//! list, in document order, which is faster to walk than the tree.

use super::count::{Count, count};
use super::words::{Kinds, kinds};
use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::markdown::{is_math_script, is_shadow_root};
use crate::metadata::text_of;

/// Measures of an element and everything in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// The kinds by class, id and role.
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

/// A visible element with its measures.
pub struct Element {
    pub id: Id,
    pub tag: Tag,
    pub facts: Facts,
    /// The index of the first element after those in this one.
    end: usize,
    /// The index of the element that contains it. Its own index for the outermost one.
    parent: usize,
}

/// The measures of a document.
pub struct Measures {
    /// The visible elements, each before those in it.
    elements: Vec<Element>,
    /// The index in `elements` of each node, plus one. 0 for a node that is not there.
    places: Vec<u32>,
    /// The measures of a node that is not measured.
    none: Facts,
    /// The number of headings of level 1.
    pub titles: usize,
    /// Elements that have no text of the page, such as scripts.
    pub without_text: Marks,
}

impl Measures {
    /// The measures of an element. All are 0 for a text and for a hidden element.
    pub fn of(&self, id: Id) -> &Facts {
        self.place(id)
            .and_then(|place| self.elements.get(place))
            .map_or(&self.none, |element| &element.facts)
    }

    /// The index of an element among the visible ones.
    pub fn place(&self, id: Id) -> Option<usize> {
        let place = self.places.get(id.index()).copied()?;
        (place as usize).checked_sub(1)
    }

    /// The number of visible elements.
    pub fn count(&self) -> usize {
        self.elements.len()
    }

    /// The visible elements from the last to the first, each with its index and that of the element
    /// that contains it.
    pub fn reversed(&self) -> impl Iterator<Item = (usize, usize, &Element)> {
        let elements = self.elements.iter().enumerate().rev();
        elements.map(|(place, element)| (place, element.parent, element))
    }

    /// An element and the visible elements in it, each before those in it.
    pub fn elements(&self, root: Id) -> Elements<'_> {
        let start = self.place(root);
        let end = start.and_then(|start| self.elements.get(start));
        Elements {
            all: &self.elements,
            next: start.unwrap_or(0),
            end: end.map_or(0, |root| root.end),
        }
    }

    fn at(&mut self, place: usize) -> Option<&mut Facts> {
        self.elements
            .get_mut(place)
            .map(|element| &mut element.facts)
    }
}

/// An iterator over visible elements.
pub struct Elements<'m> {
    all: &'m [Element],
    next: usize,
    end: usize,
}

impl Elements<'_> {
    /// Skips the elements in an element that was returned last.
    pub fn skip_children_of(&mut self, element: &Element) {
        self.next = element.end;
    }

    /// Whether the element that was returned last is in an element with this [`Element::end`], which
    /// was returned before.
    pub fn is_inside(&self, end: usize) -> bool {
        self.next <= end
    }
}

impl<'m> Iterator for Elements<'m> {
    type Item = &'m Element;

    fn next(&mut self) -> Option<&'m Element> {
        if self.next >= self.end {
            return None;
        }
        let element = self.all.get(self.next)?;
        self.next = self.next.saturating_add(1);
        Some(element)
    }
}

impl Element {
    /// The index of the first element after those in this one.
    pub fn end(&self) -> usize {
        self.end
    }
}

/// An element that contains the next node.
#[derive(Clone, Copy)]
struct Open {
    id: Id,
    /// The index of the element.
    place: usize,
    /// The index of the block that contains its text.
    block: usize,
    is_in_link: bool,
}

/// Measures the visible nodes in an element.
pub fn measure(document: &Document, root: Id, hidden: &Marks) -> Measures {
    let mut measures = Measures {
        elements: Vec::with_capacity(document.node_count() / 2),
        places: vec![0; document.node_count()],
        none: Facts::default(),
        titles: 0,
        without_text: Marks::default(),
    };
    let mut known = KnownClasses::default();
    let mut open: Vec<Open> = Vec::new();
    let mut nodes = document.subtree(root);
    while let Some(id) = nodes.next() {
        if hidden.contains(id) {
            nodes.skip_children_of(id);
            continue;
        }
        let parent = document.parent(id);
        while let Some(last) = open.last()
            && Some(last.id) != parent
        {
            measures.close(last.place);
            open.pop();
        }
        let outer = open.last().copied();
        let Some(tag) = document.tag(id) else {
            if let Some(outer) = outer {
                measures.text(&outer, document.text(id).unwrap_or_default());
            }
            continue;
        };
        let is_without_text =
            is_without_text(tag) && !is_math_script(document, id) && !is_shadow_root(document, id);
        if is_without_text || (tag == Tag::Noscript && !is_lazy_image(document, id)) {
            if !is_embedded(tag) {
                measures.without_text.insert(id);
            }
            nodes.skip_children_of(id);
            continue;
        }
        if tag == Tag::H1 {
            measures.titles = measures.titles.saturating_add(1);
        }
        let place = measures.elements.len();
        let kinds = named(document, id, tag, &mut known);
        let is_embed = tag == Tag::Blockquote || kinds.has(Kinds::EMBED);
        measures.elements.push(Element {
            id,
            tag,
            facts: Facts {
                kinds,
                embeds: if is_embed { 1.0 } else { 0.0 },
                images: if tag == Tag::Img { 1.0 } else { 0.0 },
                ..Facts::default()
            },
            end: place.saturating_add(1),
            parent: outer.map_or(place, |outer| outer.place),
        });
        if let Some(index) = measures.places.get_mut(id.index()) {
            *index = u32::try_from(place.saturating_add(1)).unwrap_or(0);
        }
        open.push(Open {
            id,
            place,
            block: match outer {
                Some(outer) if !is_block(tag) => outer.block,
                _ => place,
            },
            is_in_link: tag == Tag::A || outer.is_some_and(|outer| outer.is_in_link),
        });
    }
    while let Some(last) = open.pop() {
        measures.close(last.place);
    }
    measures
}

impl Measures {
    /// Counts a text.
    fn text(&mut self, outer: &Open, text: &str) {
        let counted = count(text);
        let link = if outer.is_in_link { counted.text } else { 0.0 };
        if let Some(facts) = self.at(outer.place) {
            facts.text += counted.text;
            facts.words += counted.words;
            facts.link += link;
        }
        if let Some(facts) = self.at(outer.block) {
            facts.own.add(counted);
            facts.own_link += link;
        }
    }

    /// Ends an element, and adds its counts to the element that contains it.
    fn close(&mut self, place: usize) {
        let end = self.elements.len();
        let Some(element) = self.elements.get_mut(place) else {
            return;
        };
        element.end = end;
        let facts = &mut element.facts;
        if facts.is_paragraph() {
            facts.good += facts.own.text - facts.own_link;
            facts.paragraphs += 1.0;
        }
        let is_heading = element.tag.heading().is_some();
        let linked = is_heading && facts.text > 0.0 && facts.link >= 0.8 * facts.text;
        if element.parent == place {
            return;
        }
        let entry = !is_heading && (1.0..=2.0).contains(&facts.linked_headings);
        let item = entry && facts.good < ITEM_TEXT;
        let facts = *facts;
        let parent = element.parent;
        if let Some(sum) = self.at(parent) {
            sum.linked_headings += if linked { 1.0 } else { facts.linked_headings };
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

/// Elements that show another page or file, to which a link is a part of a text.
fn is_embedded(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Iframe | Tag::Object | Tag::Embed | Tag::Audio | Tag::Video
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

/// The number of classes whose meaning is kept. A page repeats a few of them.
const KNOWN: usize = 64;

/// The kinds of the classes that were read last.
struct KnownClasses<'d>([(&'d str, Kinds); KNOWN]);

impl Default for KnownClasses<'_> {
    fn default() -> Self {
        Self([("", Kinds::default()); KNOWN])
    }
}

impl<'d> KnownClasses<'d> {
    /// The kinds of a class.
    fn kinds(&mut self, class: &'d str) -> Kinds {
        // Classes differ most in their length and in their last characters.
        let last = class.bytes().rev().take(3).fold(class.len(), |key, byte| {
            key.wrapping_mul(31).wrapping_add(usize::from(byte))
        });
        let Some(known) = self.0.get_mut(last % KNOWN) else {
            return kinds(class);
        };
        if known.0 != class {
            *known = (class, kinds(class));
        }
        known.1
    }
}

fn named<'d>(document: &'d Document, id: Id, tag: Tag, classes: &mut KnownClasses<'d>) -> Kinds {
    let mut all = Kinds::default();
    // Rows of tables of sports have classes such as `player`.
    if matches!(tag, Tag::Html | Tag::Body | Tag::Tr | Tag::Th | Tag::Tbody) {
        return all;
    }
    let mut class = "";
    let mut name = "";
    for (attribute, value) in document.attributes_of(id) {
        match attribute {
            Name::Class => class = value,
            Name::Id => name = value,
            Name::Role => all = all.or(of_role(value)),
            Name::Itemprop
                if value
                    .split_ascii_whitespace()
                    .any(|one| one == "articleBody") =>
            {
                all = all.or(Kinds::BODY);
            }
            _ => {}
        }
    }
    all = all.or(classes.kinds(class));
    // Programs make ids from headings: `<section id=comments>` is a section about comments.
    let is_section = || {
        tag.heading().is_some()
            || matches!(tag, Tag::Section | Tag::A | Tag::Dt | Tag::Span | Tag::P)
            || class.split_ascii_whitespace().any(|word| word == "section")
    };
    if !name.is_empty() && !is_section() {
        all = all.or(kinds(name));
    }
    all
}

fn of_role(role: &str) -> Kinds {
    match role {
        "navigation" | "menu" | "menubar" | "search" => Kinds::NAVIGATION,
        "complementary" => Kinds::SIDEBAR,
        "contentinfo" => Kinds::FOOTER,
        "dialog" | "alertdialog" | "alert" => Kinds::NOTICE,
        "toolbar" | "tablist" => Kinds::CONTROL,
        _ => Kinds::default(),
    }
}

/// The text of a block, if it is not longer than `limit` bytes.
pub fn block_text(document: &Document, id: Id, limit: usize) -> Option<String> {
    text_of(document, id, limit)
}
