//! HTML as a tree.
//!
//! ```text
//! names       names of elements and attributes
//! attributes  the attributes of one start tag
//! parse       tokens of the markup → calls of the builder
//! doctype     the document type, which may be one of old pages
//! build       start tags, end tags and text → nodes, as browsers do
//! links       nodes added to elements, and moved
//! ```
//!
//! The nodes of a tree are in one list, and its text is in one string.

mod attributes;
mod build;
#[cfg(test)]
mod conformance;
mod doctype;
mod links;
mod names;
mod parse;

pub use names::{Name, Tag};
pub use parse::{parse, parse_fragment, parse_xhtml};

use std::num::NonZeroU32;

/// The index of a node, plus one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(NonZeroU32);

impl Id {
    /// The root of every document, which contains the element `html` or the nodes of a fragment.
    pub const ROOT: Self = Self(NonZeroU32::MIN);

    fn of(index: usize) -> Option<Self> {
        let number = u32::try_from(index.checked_add(1)?).ok()?;
        NonZeroU32::new(number).map(Self)
    }

    /// The index of the node in the list of nodes. The number of nodes is [`Document::node_count`].
    pub fn index(self) -> usize {
        (self.0.get() as usize).saturating_sub(1)
    }
}

/// A part of the text of a document: the start and the end in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Span {
    start: u32,
    end: u32,
}

/// The content of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Data {
    Element {
        tag: Tag,
        /// The index of the first attribute, and the number of attributes.
        attributes: (u32, u16),
    },
    Text(Span),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: Option<Id>,
    first: Option<Id>,
    last: Option<Id>,
    previous: Option<Id>,
    next: Option<Id>,
    data: Data,
}

/// A tree of elements and texts.
#[derive(Debug)]
pub struct Document {
    nodes: Vec<Node>,
    attributes: Vec<(Name, Span)>,
    text: String,
    /// The nodes that a browser does not show, without those in them.
    hidden: Marks,
    /// The elements whose style makes their text code.
    preformatted: Marks,
    /// The damage or the limits that affect the tree.
    pub(crate) notes: Vec<String>,
    /// The boundaries that have a node before them in the same element, in the order of the page,
    /// each with that node.
    pub(crate) boundaries: Vec<(Id, Boundary)>,
}

/// A comment with which React marks the start or the end of a part of a page that is sent after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    Start,
    End,
}

impl Document {
    /// The number of nodes, including those that are not in the tree any more.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The number of bytes of the text and of the attributes.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    fn node(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id.index())
    }

    /// States which nodes a browser does not show.
    pub fn hide(&mut self, hidden: &Marks) {
        self.hidden = hidden.clone();
    }

    /// Whether [`Document::hide`] named the node itself.
    pub fn is_hidden(&self, id: Id) -> bool {
        self.hidden.contains(id)
    }

    /// States which elements have a style that makes their text code.
    pub fn preformat(&mut self, elements: &Marks) {
        self.preformatted = elements.clone();
    }

    /// Whether [`Document::preformat`] named the element.
    pub fn is_preformatted(&self, id: Id) -> bool {
        self.preformatted.contains(id)
    }

    /// The element that contains a node. `None` for the root.
    pub fn parent(&self, id: Id) -> Option<Id> {
        self.node(id)?.parent
    }

    /// The first node in an element.
    pub fn first_child(&self, id: Id) -> Option<Id> {
        self.node(id)?.first
    }

    /// The last node in an element.
    pub fn last_child(&self, id: Id) -> Option<Id> {
        self.node(id)?.last
    }

    /// The node after a node in the same element.
    pub fn next_sibling(&self, id: Id) -> Option<Id> {
        self.node(id)?.next
    }

    /// The node before a node in the same element.
    pub fn previous_sibling(&self, id: Id) -> Option<Id> {
        self.node(id)?.previous
    }

    /// The tag of an element. `None` for a text. The root is [`Tag::Other`].
    pub fn tag(&self, id: Id) -> Option<Tag> {
        match self.node(id)?.data {
            Data::Element { tag, .. } => Some(tag),
            Data::Text(_) => None,
        }
    }

    /// Whether a node is an element with this tag.
    pub fn is(&self, id: Id, tag: Tag) -> bool {
        self.tag(id) == Some(tag)
    }

    /// The text of a text node. `None` for an element.
    pub fn text(&self, id: Id) -> Option<&str> {
        match self.node(id)?.data {
            Data::Text(span) => Some(self.span(span)),
            Data::Element { .. } => None,
        }
    }

    /// The value of an attribute of an element.
    pub fn attribute(&self, id: Id, name: Name) -> Option<&str> {
        let found = self.attributes(id).iter().find(|(known, _)| *known == name);
        found.map(|(_, span)| self.span(*span))
    }

    /// Whether an element has an attribute.
    pub fn has(&self, id: Id, name: Name) -> bool {
        self.attributes(id).iter().any(|(known, _)| *known == name)
    }

    /// Whether an element has an attribute whose name fulfils a condition.
    pub fn has_any(&self, id: Id, condition: impl Fn(Name) -> bool) -> bool {
        self.attributes(id).iter().any(|(name, _)| condition(*name))
    }

    /// The attributes of an element, each with its value.
    pub fn attributes_of(&self, id: Id) -> impl Iterator<Item = (Name, &str)> {
        let attributes = self.attributes(id).iter();
        attributes.map(|(name, value)| (*name, self.span(*value)))
    }

    fn attributes(&self, id: Id) -> &[(Name, Span)] {
        let Some(Data::Element {
            attributes: (start, count),
            ..
        }) = self.node(id).map(|node| node.data)
        else {
            return &[];
        };
        let start = start as usize;
        let end = start.saturating_add(usize::from(count));
        self.attributes.get(start..end).unwrap_or_default()
    }

    fn span(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    /// The nodes in an element, without those in these nodes.
    pub fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    /// The siblings before a node, the nearest first.
    pub fn siblings_before(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(self.previous_sibling(id), |id| self.previous_sibling(*id))
    }

    /// The siblings after a node, the nearest first.
    pub fn siblings_after(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(self.next_sibling(id), |id| self.next_sibling(*id))
    }

    /// The nearest sibling before a node that is an element.
    pub fn element_before(&self, id: Id) -> Option<Id> {
        self.siblings_before(id).find(|id| self.tag(*id).is_some())
    }

    /// The nearest sibling after a node that is an element.
    pub fn element_after(&self, id: Id) -> Option<Id> {
        self.siblings_after(id).find(|id| self.tag(*id).is_some())
    }

    /// The elements that contain a node, from the innermost to the root.
    pub fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(self.parent(id), |parent| self.parent(*parent))
    }

    /// The node itself and all nodes in it, in document order.
    pub fn subtree(&self, id: Id) -> Subtree<'_> {
        Subtree {
            document: self,
            root: id,
            next: Some(id),
        }
    }

    /// The node that follows in document order, without the nodes in `id` itself. `root` ends the
    /// search.
    pub fn after(&self, id: Id, root: Id) -> Option<Id> {
        let mut node = id;
        loop {
            if node == root {
                return None;
            }
            if let Some(next) = self.next_sibling(node) {
                return Some(next);
            }
            node = self.parent(node)?;
        }
    }

    /// Appends the text of a node and of all nodes in it to `out`, as it is in the source.
    pub fn raw_text(&self, id: Id, out: &mut String) {
        for node in self.subtree(id) {
            if let Some(text) = self.text(node) {
                out.push_str(text);
            }
        }
    }

    /// The elements with this tag, in the order of their start tags. This does not walk the tree.
    pub fn with_tag(&self, tag: Tag) -> impl Iterator<Item = Id> + '_ {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(move |(index, node)| match node.data {
            Data::Element { tag: found, .. } if found == tag => Id::of(index),
            _ => None,
        })
    }

    /// The first element with this tag, in the order of the start tags.
    pub fn find(&self, tag: Tag) -> Option<Id> {
        self.with_tag(tag).next()
    }

    /// Whether an element of the document has one of these attributes.
    pub fn mentions(&self, names: &[Name]) -> bool {
        self.attributes.iter().any(|(name, _)| names.contains(name))
    }

    /// The element that contains the text of the page: `body`, or the root if there is text outside
    /// of the body.
    pub fn body(&self) -> Id {
        let Some(body) = self.find(Tag::Body) else {
            return Id::ROOT;
        };
        let is_outside = |id: &Id| match self.tag(*id) {
            None => self.text(*id).is_some_and(|text| !text.trim().is_empty()),
            Some(tag) => !matches!(
                tag,
                Tag::Html
                    | Tag::Head
                    | Tag::Body
                    | Tag::Script
                    | Tag::Style
                    | Tag::Link
                    | Tag::Meta
                    | Tag::Base
                    | Tag::Title
                    | Tag::Template
                    | Tag::Noscript
            ),
        };
        let around = self.ancestors(body).flat_map(|outer| self.children(outer));
        if around.into_iter().any(|id| is_outside(&id)) {
            Id::ROOT
        } else {
            body
        }
    }
}

/// A set of nodes of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(Vec<u64>);

impl Marks {
    /// Adds a node.
    pub fn insert(&mut self, id: Id) {
        let word = id.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word.saturating_add(1), 0);
        }
        if let Some(bits) = self.0.get_mut(word) {
            *bits |= Self::bit(id);
        }
    }

    /// Adds the nodes of another set.
    pub fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (bits, more) in self.0.iter_mut().zip(&other.0) {
            *bits |= more;
        }
    }

    /// Whether the set contains a node.
    pub fn contains(&self, id: Id) -> bool {
        let bits = self.0.get(id.index() / 64);
        bits.is_some_and(|bits| bits & Self::bit(id) != 0)
    }

    /// The nodes, by their index.
    pub fn iter(&self) -> impl Iterator<Item = Id> + '_ {
        let words = self.0.iter().enumerate().filter(|(_, bits)| **bits != 0);
        words.flat_map(|(word, bits)| {
            (0..64_usize).filter_map(move |bit| {
                let id = Id::of(word.saturating_mul(64).saturating_add(bit))?;
                (bits & Self::bit(id) != 0).then_some(id)
            })
        })
    }

    fn bit(id: Id) -> u64 {
        1_u64.wrapping_shl(u32::try_from(id.index() % 64).unwrap_or(0))
    }
}

/// An iterator over the nodes of a subtree, in document order.
#[derive(Clone, Debug)]
pub struct Subtree<'d> {
    document: &'d Document,
    root: Id,
    next: Option<Id>,
}

impl Subtree<'_> {
    /// Skips the nodes in the node that was returned last.
    pub fn skip_children_of(&mut self, id: Id) {
        self.next = self.document.after(id, self.root);
    }
}

impl Iterator for Subtree<'_> {
    type Item = Id;

    fn next(&mut self) -> Option<Id> {
        let id = self.next?;
        self.next = self
            .document
            .first_child(id)
            .or_else(|| self.document.after(id, self.root));
        Some(id)
    }
}
