//! XML as a tree.

use super::{Event, Events};
use crate::limits;
use std::borrow::Cow;

/// A node of a tree.
enum Node<'a> {
    Element {
        name: &'a str,
        /// The first attribute and the one after the last.
        attributes: (u32, u32),
        /// The node after the last descendant.
        end: u32,
    },
    Text(Cow<'a, str>),
}

/// The elements and texts of a part, in the order of the document.
pub struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    attributes: Vec<(&'a str, Cow<'a, str>)>,
    damage: Option<String>,
}

/// The number of bytes of a part for which a tree has room for a node from the start.
const NODE_BYTES: usize = 32;
/// The maximum number of nodes for which a tree has room from the start.
const FIRST_NODES: usize = 1024;
/// The number of open elements for which there is room from the start.
const USUAL_DEPTH: usize = 16;

impl<'a> Tree<'a> {
    /// Parses a decoded part.
    pub fn parse(text: &'a str) -> Self {
        Self::parse_without(text, &[])
    }

    /// Parses a decoded part without the elements of some names. They are skipped without reading
    /// their content, which must not have elements of the same name.
    pub fn parse_without(text: &'a str, skipped: &[&str]) -> Self {
        // Most parts are small, and have a node for each few dozen bytes.
        let size = (text.len() / NODE_BYTES).min(FIRST_NODES);
        let mut tree = Self {
            nodes: Vec::with_capacity(size),
            attributes: Vec::with_capacity(size / 2),
            damage: None,
        };
        let mut open: Vec<usize> = Vec::with_capacity(USUAL_DEPTH);
        let mut events = Events::new(text);
        let mut adjacent = false;
        while let Some(event) = events.next() {
            if tree.nodes.len() >= limits::XML_NODES
                || tree.attributes.len() >= limits::XML_ATTRIBUTES
            {
                tree.damage = Some("it has too many elements, and the rest is left out".to_owned());
                break;
            }
            match event {
                Event::Start(start) if skipped.contains(&start.name) => {
                    events.skip_element(&start);
                    adjacent = false;
                }
                Event::Start(start) => {
                    let first = index(tree.attributes.len());
                    for (name, value) in start.attributes() {
                        // Word writes the identifiers of editing sessions to most elements.
                        if !name.starts_with("rsid") {
                            tree.attributes.push((name, value));
                        }
                    }
                    open.push(tree.nodes.len());
                    tree.nodes.push(Node::Element {
                        name: start.name,
                        attributes: (first, index(tree.attributes.len())),
                        end: 0,
                    });
                    adjacent = false;
                }
                Event::End(name) => {
                    let nearest = open.iter().rev().take(limits::XML_UNCLOSED);
                    let matching = nearest
                        .enumerate()
                        .find(|(_, at)| tree.is_element(**at, name));
                    if let Some((above, _)) = matching {
                        for _ in 0..=above {
                            tree.close(open.pop());
                        }
                    }
                    adjacent = false;
                }
                Event::Text(piece) => {
                    if adjacent && let Some(Node::Text(last)) = tree.nodes.last_mut() {
                        last.to_mut().push_str(&piece);
                    } else {
                        tree.nodes.push(Node::Text(piece));
                    }
                    adjacent = true;
                }
            }
        }
        if tree.damage.is_none() {
            tree.damage = events.damage().map(str::to_owned).or_else(|| {
                (!open.is_empty()).then(|| "the XML ends before the document does".to_owned())
            });
        }
        while !open.is_empty() {
            tree.close(open.pop());
        }
        tree
    }

    /// Returns what is wrong with the part.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Returns the outermost element. Its name is empty if the part has no element.
    pub fn root(&self) -> Element<'_, 'a> {
        let first = self
            .nodes
            .iter()
            .position(|node| matches!(node, Node::Element { .. }));
        Element {
            tree: self,
            index: first.unwrap_or(self.nodes.len()),
        }
    }

    fn is_element(&self, at: usize, wanted: &str) -> bool {
        matches!(self.nodes.get(at), Some(Node::Element { name, .. }) if is_same(name, wanted))
    }

    fn close(&mut self, at: Option<usize>) {
        let count = index(self.nodes.len());
        if let Some(at) = at
            && let Some(Node::Element { end, .. }) = self.nodes.get_mut(at)
        {
            *end = count;
        }
    }
}

/// Whether two names are the same. Names are short, so that a loop over their bytes is faster than a call of `memcmp`.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().eq(other.bytes())
}

/// Returns a position in a tree. Limits keep it small.
fn index(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// An element of a tree.
#[derive(Clone, Copy)]
pub struct Element<'t, 'a> {
    tree: &'t Tree<'a>,
    index: usize,
}

impl<'t, 'a> Element<'t, 'a> {
    /// Returns the local name.
    pub fn name(&self) -> &'a str {
        match self.tree.nodes.get(self.index) {
            Some(Node::Element { name, .. }) => name,
            _ => "",
        }
    }

    /// Returns the position in the document. Each element has its own.
    pub fn position(&self) -> usize {
        self.index
    }

    /// Lists the attributes.
    pub fn attributes(&self) -> &'t [(&'a str, Cow<'a, str>)] {
        let Some(Node::Element { attributes, .. }) = self.tree.nodes.get(self.index) else {
            return &[];
        };
        let (first, end) = *attributes;
        let range = first as usize..end as usize;
        self.tree.attributes.get(range).unwrap_or_default()
    }

    /// Returns the value of an attribute.
    pub fn attr(&self, name: &str) -> Option<&'t str> {
        let mut list = self.attributes().iter();
        let (_, value) = list.find(|(found, _)| is_same(found, name))?;
        Some(value)
    }

    /// Lists the elements directly inside.
    pub fn children(&self) -> Children<'t, 'a> {
        Children {
            tree: self.tree,
            next: self.index.saturating_add(1),
            end: self.end(),
            deep: false,
        }
    }

    /// Lists all elements inside, in the order of the document.
    pub fn descendants(&self) -> Children<'t, 'a> {
        Children {
            deep: true,
            ..self.children()
        }
    }

    /// Lists the elements and the texts directly inside.
    pub fn content(&self) -> impl Iterator<Item = Content<'t, 'a>> + use<'t, 'a> {
        self.nodes(false)
    }

    /// Lists all elements and texts inside, in the order of the document.
    pub fn all_content(&self) -> impl Iterator<Item = Content<'t, 'a>> + use<'t, 'a> {
        self.nodes(true)
    }

    fn nodes(&self, deep: bool) -> impl Iterator<Item = Content<'t, 'a>> + use<'t, 'a> {
        let tree = self.tree;
        let mut next = self.index.saturating_add(1);
        let end = self.end();
        std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            let index = next;
            next = index.saturating_add(1);
            Some(match tree.nodes.get(index)? {
                Node::Element { end, .. } => {
                    if !deep {
                        next = next.max(*end as usize);
                    }
                    Content::Element(Element { tree, index })
                }
                Node::Text(text) => Content::Text(text),
            })
        })
    }

    /// Returns the first child with the name.
    pub fn child(&self, name: &str) -> Option<Element<'t, 'a>> {
        self.children().find(|child| is_same(child.name(), name))
    }

    /// Returns the element at a path of names.
    pub fn at(&self, path: &[&str]) -> Option<Element<'t, 'a>> {
        path.iter().try_fold(*self, |at, name| at.child(name))
    }

    /// Returns the first descendant with the name.
    pub fn find(&self, name: &str) -> Option<Element<'t, 'a>> {
        self.descendants().find(|found| found.name() == name)
    }

    /// Returns the attribute `val` of the first child with the name.
    pub fn val(&self, name: &str) -> Option<&'t str> {
        self.child(name)?.attr("val")
    }

    /// Returns the text of the element and of those inside.
    pub fn text(&self) -> Cow<'t, str> {
        let range = self.index.saturating_add(1)..self.end();
        let nodes = self.tree.nodes.get(range).unwrap_or_default();
        let mut texts = nodes.iter().filter_map(|node| match node {
            Node::Text(text) => Some(text),
            Node::Element { .. } => None,
        });
        let Some(first) = texts.next() else {
            return Cow::Borrowed("");
        };
        let mut all = Cow::Borrowed(first.as_ref());
        for text in texts {
            all.to_mut().push_str(text);
        }
        all
    }

    fn end(&self) -> usize {
        match self.tree.nodes.get(self.index) {
            Some(Node::Element { end, .. }) => *end as usize,
            _ => 0,
        }
    }
}

/// An element or a text inside an element.
#[derive(Clone, Copy)]
pub enum Content<'t, 'a> {
    /// An element.
    Element(Element<'t, 'a>),
    /// A text.
    Text(&'t str),
}

/// The elements inside an element.
pub struct Children<'t, 'a> {
    tree: &'t Tree<'a>,
    next: usize,
    end: usize,
    deep: bool,
}

impl<'t, 'a> Iterator for Children<'t, 'a> {
    type Item = Element<'t, 'a>;

    fn next(&mut self) -> Option<Element<'t, 'a>> {
        while self.next < self.end {
            let index = self.next;
            let inside = index.saturating_add(1);
            match self.tree.nodes.get(index)? {
                Node::Element { end, .. } => {
                    self.next = if self.deep {
                        inside
                    } else {
                        inside.max(*end as usize)
                    };
                    return Some(Element {
                        tree: self.tree,
                        index,
                    });
                }
                Node::Text(_) => self.next = inside,
            }
        }
        None
    }
}

impl omniread_document::latex::mathml::Element for Element<'_, '_> {
    fn name(&self) -> &str {
        Self::name(self)
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.attr(name)
    }

    fn children(&self) -> impl Iterator<Item = Self> {
        Self::children(self)
    }

    fn text(&self) -> String {
        Self::text(self).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of all elements and the texts, in order.
    fn shape(tree: &Tree) -> String {
        let mut out = String::new();
        for node in &tree.nodes {
            match node {
                Node::Element { name, .. } => out.push_str(&format!("<{name}>")),
                Node::Text(text) => out.push_str(text),
            }
        }
        out
    }

    #[test]
    fn elements_without_some() {
        let text = "<w:a xmlns:w=\"w\">1<w:b><w:c>2</w:c></w:b>3<w:b/><b>4</b><w:bb>5</w:bb></w:a>";
        let whole = Tree::parse(text);
        assert_eq!(shape(&whole), "<a>1<b><c>23<b><b>4<bb>5");
        let tree = Tree::parse_without(text, &["b"]);
        assert_eq!(shape(&tree), "<a>13<bb>5");
        assert_eq!(tree.damage(), None);
        // What follows has its own place in the tree.
        let children: Vec<&str> = tree.root().children().map(|child| child.name()).collect();
        assert_eq!(children, ["bb"]);
    }

    #[test]
    fn elements_without_an_end_are_read() {
        let tree = Tree::parse_without("<a><b>1</c>2", &["b"]);
        assert_eq!(shape(&tree), "<a>12");
        assert!(tree.damage().is_some());
    }

    #[test]
    fn skipped_content_is_not_checked_and_counts_no_nodes() {
        let inner = "<x>&wrong;<y a=>".repeat(1000);
        let text = format!("<a><skip>{inner}</skip><b/></a>");
        let tree = Tree::parse_without(&text, &["skip"]);
        assert_eq!(shape(&tree), "<a><b>");
        assert_eq!(tree.damage(), None);
    }
}
