//! XML as events and as a tree, without copies of the text.
//!
//! Names are local names, so that the strict and the transitional namespaces of Office Open XML are
//! the same. Only attributes in the namespace of relationships have a prefix, which is always `r`:
//! `r:id` is not `id`. Entities other than the predefined and the numeric ones are ignored, so they
//! cannot expand.
//!
//! Damaged XML is read up to the damage. A [`Tree`] has any depth: code that recurses over it has to
//! limit the depth.

use crate::limits;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::attributes::Attributes;
use quick_xml::reader::Reader;
use std::borrow::Cow;

/// Decodes the bytes of a part: UTF-8, or UTF-16 with a byte order mark. Text that needs a copy is
/// cut at [`limits::PART_BYTES`], because a wrong byte becomes three.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [b'<', 0, ..] => utf16(bytes, u16::from_le_bytes),
        [0, b'<', ..] => utf16(bytes, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        _ => utf8(bytes),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Cow<'static, str> {
    let units = bytes.chunks_exact(2).map(|pair| match pair {
        [first, second] => unit([*first, *second]),
        _ => 0,
    });
    let mut text = String::new();
    for char in char::decode_utf16(units) {
        if text.len() >= limits::PART_BYTES {
            break;
        }
        text.push(char.unwrap_or('\u{fffd}'));
    }
    Cow::Owned(text)
}

fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    let mut chunks = bytes.utf8_chunks();
    let Some(first) = chunks.next() else {
        return Cow::Borrowed("");
    };
    // The end of a part that is cut may be inside a character.
    if first.invalid().is_empty() || first.valid().len().saturating_add(4) > bytes.len() {
        return Cow::Borrowed(first.valid());
    }
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        if text.len() >= limits::PART_BYTES {
            break;
        }
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push('\u{fffd}');
        }
    }
    Cow::Owned(text)
}

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The local name.
    pub name: &'a str,
    attributes: &'a str,
    prefixes: Prefixes<'a>,
}

impl<'a> Start<'a> {
    /// Lists the attributes with their decoded values, except declarations of namespaces.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> + use<'a> {
        let prefixes = self.prefixes;
        let mut list = Attributes::new(self.attributes, 0);
        list.with_checks(false);
        list.filter_map(Result::ok).filter_map(move |attribute| {
            let name = attribute.key.0;
            if name == "xmlns" || name.starts_with("xmlns:") {
                return None;
            }
            Some((prefixes.name(name), value(&attribute)))
        })
    }

    /// Returns the value of an attribute.
    pub fn attr(&self, name: &str) -> Option<Cow<'a, str>> {
        let mut list = self.attributes();
        list.find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }
}

/// Decodes the value of an attribute.
fn value<'a>(attribute: &quick_xml::events::attributes::Attribute<'a>) -> Cow<'a, str> {
    let known = |name: &str| Some(resolve_predefined_entity(name).unwrap_or_default());
    let value = attribute.normalized_value_with(XmlVersion::Implicit1_0, 1, known);
    value.unwrap_or_else(|_| attribute.value.clone())
}

/// The prefixes of the namespace of relationships. Documents have one.
#[derive(Clone, Copy, Debug)]
struct Prefixes<'a>(Option<&'a str>);

impl<'a> Prefixes<'a> {
    /// Returns the local name, or the name with `r:` in the namespace of relationships.
    fn name(self, name: &'a str) -> &'a str {
        let Some((prefix, local)) = name.split_once(':') else {
            return name;
        };
        if prefix == "r" && self.0.is_none_or(|own| own == "r") {
            return name;
        }
        if Some(prefix) != self.0 {
            return local;
        }
        match local {
            "id" => "r:id",
            "embed" => "r:embed",
            "link" => "r:link",
            "pict" => "r:pict",
            "dm" => "r:dm",
            "lo" => "r:lo",
            "href" => "r:href",
            _ => local,
        }
    }
}

/// An event of a part.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A start tag.
    Start(Start<'a>),
    /// An end tag, or the end of a tag such as `<w:tab/>`. Contains the local name.
    End(&'a str),
    /// Text. A text with references is several events.
    Text(Cow<'a, str>),
}

/// Reads the events of a part.
pub struct Events<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    prefixes: Prefixes<'a>,
    /// The name of an empty element whose end is the next event.
    empty: Option<&'a str>,
    damage: Option<String>,
}

impl<'a> Events<'a> {
    /// Starts at the beginning of a decoded part.
    pub fn new(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        Self {
            text,
            reader,
            prefixes: Prefixes(None),
            empty: None,
            damage: None,
        }
    }

    /// Returns what is wrong with the part, after the last event.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Returns the offset in bytes of the text after the last event.
    pub fn offset(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }

    /// Returns the part of the text that an event borrows.
    fn borrowed(&self, piece: &str) -> &'a str {
        let start = piece.as_ptr().addr();
        let offset = start.wrapping_sub(self.text.as_ptr().addr());
        let rest = self.text.get(offset..).unwrap_or_default();
        rest.get(..piece.len()).unwrap_or_default()
    }

    /// Reads a start tag.
    fn start(&mut self, tag: &quick_xml::events::BytesStart<'_>) -> Start<'a> {
        let name = self.borrowed(tag.name().0);
        let attributes = self.borrowed(tag.attributes_raw());
        if attributes.contains("xmlns:") {
            let mut list = Attributes::new(attributes, 0);
            list.with_checks(false);
            for attribute in list.filter_map(Result::ok) {
                if let Some(prefix) = attribute.key.0.strip_prefix("xmlns:")
                    && attribute.value.ends_with("/relationships")
                    && attribute.value.contains("officeDocument")
                {
                    self.prefixes = Prefixes(Some(prefix));
                }
            }
        }
        Start {
            name: local(name),
            attributes,
            prefixes: self.prefixes,
        }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        use quick_xml::events::Event as Raw;
        if let Some(name) = self.empty.take() {
            return Some(Event::End(name));
        }
        loop {
            match self.reader.read_event() {
                Ok(Raw::Start(tag)) => return Some(Event::Start(self.start(&tag))),
                Ok(Raw::Empty(tag)) => {
                    let start = self.start(&tag);
                    self.empty = Some(start.name);
                    return Some(Event::Start(start));
                }
                Ok(Raw::End(tag)) => {
                    return Some(Event::End(local(self.borrowed(tag.name().0))));
                }
                Ok(Raw::Text(text)) => return Some(Event::Text(text.xml10_content())),
                Ok(Raw::CData(text)) => return Some(Event::Text(text.xml10_content())),
                Ok(Raw::GeneralRef(name)) => {
                    if name.is_char_ref() {
                        if let Ok(Some(char)) = name.resolve_char_ref() {
                            return Some(Event::Text(Cow::Owned(char.to_string())));
                        }
                    } else if let Some(text) = resolve_predefined_entity(&name) {
                        return Some(Event::Text(Cow::Borrowed(text)));
                    }
                }
                Ok(Raw::Eof) => return None,
                Ok(_) => {}
                Err(error) => {
                    self.damage = Some(error.to_string());
                    return None;
                }
            }
        }
    }
}

/// Returns a name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

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

impl<'a> Tree<'a> {
    /// Parses a decoded part.
    pub fn parse(text: &'a str) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            attributes: Vec::new(),
            damage: None,
        };
        let mut open: Vec<usize> = Vec::new();
        let mut events = Events::new(text);
        let mut adjacent = false;
        for event in &mut events {
            if tree.nodes.len() >= limits::XML_NODES
                || tree.attributes.len() >= limits::XML_ATTRIBUTES
            {
                tree.damage = Some("it has too many elements and is cut".to_owned());
                break;
            }
            match event {
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
        matches!(self.nodes.get(at), Some(Node::Element { name, .. }) if *name == wanted)
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
        let (_, value) = list.find(|(found, _)| *found == name)?;
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
        self.children().find(|child| child.name() == name)
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
