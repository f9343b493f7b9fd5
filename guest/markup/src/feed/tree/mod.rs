//! The elements of a feed, in the order of the document.

mod build;
mod html;

pub use html::escape;

use std::cell::Cell;

use super::vocabulary::Vocabulary;
use crate::url;
use crate::xml::attributes::Attributes;
use crate::xml::entities::{References, decode};
use crate::xml::local;
use crate::xml::tokens::{Fault, Kind, Tokens, slice};

/// An element. Index 0 is a root above all elements of the document.
#[derive(Clone, Debug)]
pub struct Element<'a> {
    /// The name without its prefix, in the case of the document.
    pub name: &'a str,
    /// The namespace.
    pub vocabulary: Vocabulary,
    /// The element around this one.
    pub parent: usize,
    /// The element has child elements.
    pub markup: bool,
    attributes: &'a str,
    start: usize,
    inner: (usize, usize),
    first: Option<usize>,
    next: Option<usize>,
    base: usize,
}

/// The elements of a document.
#[derive(Debug)]
pub struct Tree<'a> {
    source: &'a str,
    elements: Vec<Element<'a>>,
    bases: Vec<String>,
    unknown_entity: Cell<bool>,
    /// The first syntax error.
    pub fault: Option<Fault>,
    /// The document has more elements than the limit.
    pub truncated: bool,
}

impl<'a> Tree<'a> {
    /// The element with an index.
    pub fn element(&self, index: usize) -> Option<&Element<'a>> {
        self.elements.get(index)
    }

    /// The indexes of all elements, in the order of the document.
    pub fn all(&self) -> std::ops::Range<usize> {
        1..self.elements.len()
    }

    /// The indexes of the child elements.
    pub fn children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.element(index).and_then(|element| element.first);
        std::iter::successors(first, |&index| self.element(index)?.next)
    }

    /// The first child element with a name.
    pub fn child(&self, index: usize, name: &str) -> Option<usize> {
        self.children(index).find(|&child| self.is(child, name))
    }

    /// Whether an element of RSS or Atom has a name.
    pub fn is(&self, index: usize, name: &str) -> bool {
        self.element(index).is_some_and(|element| {
            element.vocabulary == Vocabulary::Core && element.name.eq_ignore_ascii_case(name)
        })
    }

    /// The value of an attribute, without regard to its prefix. `None` if it is missing or empty.
    pub fn attribute(&self, index: usize, name: &str) -> Option<String> {
        let attributes = Attributes::new(self.element(index)?.attributes);
        let mut values = attributes.filter(|attribute| {
            let local = local(attribute.name).1;
            local.eq_ignore_ascii_case(name) && !attribute.name.starts_with("xmlns:")
        });
        let value = self.decoded(values.next()?.value?);
        Some(value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    /// The offset of the start tag of an element.
    pub fn start_of(&self, index: usize) -> usize {
        self.element(index).map_or(0, |element| element.start)
    }

    /// The source of the attributes of an element.
    pub fn attributes(&self, index: usize) -> &'a str {
        self.element(index).map_or("", |element| element.attributes)
    }

    /// The text in an element and its descendants, trimmed.
    pub fn text(&self, index: usize) -> String {
        let mut text = String::new();
        for token in Tokens::new(self.source_of(index)) {
            match token.kind {
                Kind::Text(part) => self.decode(part, &mut text),
                Kind::Cdata(part) => text.push_str(part),
                _ => {}
            }
        }
        text.trim().to_owned()
    }

    /// The source between the start tag and the end tag.
    pub fn source_of(&self, index: usize) -> &'a str {
        self.element(index).map_or("", |element| {
            slice(self.source, element.inner.0, element.inner.1)
        })
    }

    /// Resolves a URL relative to an element.
    pub fn resolve(&self, index: usize, reference: &str) -> Option<String> {
        url::resolve(self.base(index), reference)
    }

    /// The URL to which links in an element are relative, as far as `xml:base` gives it.
    pub fn base(&self, index: usize) -> &str {
        let base = self
            .element(index)
            .and_then(|element| self.bases.get(element.base));
        base.map_or("", String::as_str)
    }

    /// Decodes entity references in a text.
    pub fn decode(&self, text: &str, out: &mut String) {
        if decode(text, References::Html, out) {
            self.unknown_entity.set(true);
        }
    }

    fn decoded(&self, text: &str) -> String {
        let mut out = String::new();
        self.decode(text, &mut out);
        out
    }

    /// Whether a decoded text had an entity that only a DTD declares.
    pub fn has_unknown_entity(&self) -> bool {
        self.unknown_entity.get()
    }
}

#[cfg(test)]
mod tests;
