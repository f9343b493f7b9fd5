//! Tokens as a tree. The tree closes what has no end.

use std::cell::Cell;

use super::{Element, Tree};
use crate::feed::vocabulary::{self, Vocabulary};
use crate::limits::{FEED_BASES, FEED_ELEMENTS, FEED_NAMESPACES};
use crate::url;
use crate::xml::attributes::Attributes;
use crate::xml::entities::{References, decode};
use crate::xml::local;
use crate::xml::nesting::{Closed, Nesting};
use crate::xml::tokens::{Fault, Kind, Tokens};

/// The error of a start tag.
const NO_END: &str = "an element has no end tag";

/// Data of an open element.
#[derive(Clone, Copy, Debug)]
struct Open {
    index: usize,
    last_child: Option<usize>,
    namespaces: usize,
}

/// Elements of RSS that contain text only. The start of another element of RSS ends them.
const LEAVES: &[&str] = &[
    "title",
    "link",
    "guid",
    "pubdate",
    "lastbuilddate",
    "category",
    "comments",
    "language",
    "copyright",
    "generator",
];

/// Elements of RSS that end [`LEAVES`].
const STARTS: &[&str] = &[
    "item",
    "entry",
    "channel",
    "title",
    "link",
    "guid",
    "pubdate",
    "lastbuilddate",
    "category",
    "comments",
    "description",
    "enclosure",
    "author",
    "summary",
    "content",
    "updated",
    "published",
    "id",
];

/// Elements of RSS that are not HTML, so that they end a description.
const NOT_HTML: &[&str] = &[
    "item",
    "entry",
    "channel",
    "guid",
    "pubdate",
    "lastbuilddate",
    "enclosure",
];

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|one| one.eq_ignore_ascii_case(name))
}

impl<'a> Tree<'a> {
    /// Reads the elements of a document.
    pub fn new(source: &'a str) -> Self {
        let mut builder = Builder::new(source);
        let mut tokens = Tokens::new(source);
        for token in tokens.by_ref() {
            match token.kind {
                Kind::Start {
                    name,
                    attributes,
                    empty,
                } => {
                    if builder.tree.elements.len() >= FEED_ELEMENTS {
                        builder.tree.truncated = true;
                        builder.close_all(token.start);
                        break;
                    }
                    builder.start(name, attributes, token.start, token.end);
                    if empty {
                        builder.close(token.end);
                    }
                }
                Kind::End { name } => {
                    let count = match builder.nesting.closed_by(name) {
                        Closed::Matching => 1,
                        Closed::Outer(count) => {
                            builder.report(token.start, NO_END);
                            count
                        }
                        Closed::Nothing => {
                            builder.report(token.start, "an end tag has no start tag");
                            0
                        }
                    };
                    (0..count).for_each(|_| builder.close(token.start));
                }
                _ => {}
            }
        }
        // The outermost element is not one of the document.
        if builder.nesting.depth() > 1 {
            builder.report(source.trim_ascii_end().len(), NO_END);
        }
        builder.close_all(source.len());
        let faults = [tokens.fault(), builder.misnested];
        builder.tree.fault = faults.into_iter().flatten().min_by_key(|fault| fault.at);
        builder.tree
    }
}

struct Builder<'a> {
    tree: Tree<'a>,
    nesting: Nesting<'a, Open>,
    /// Namespaces in scope, the innermost last.
    namespaces: Vec<(&'a str, Vocabulary)>,
    declared_bases: usize,
    /// The first tag without its counterpart.
    misnested: Option<Fault>,
}

impl<'a> Builder<'a> {
    fn new(source: &'a str) -> Self {
        let root = Element {
            name: "",
            vocabulary: Vocabulary::Other,
            parent: 0,
            markup: true,
            attributes: "",
            start: 0,
            inner: (0, source.len()),
            first: None,
            next: None,
            base: 0,
        };
        let mut nesting = Nesting::default();
        nesting.push(
            "",
            Open {
                index: 0,
                last_child: None,
                namespaces: 0,
            },
        );
        let tree = Tree {
            source,
            elements: vec![root],
            bases: vec![String::new()],
            unknown_entity: Cell::new(false),
            fault: None,
            truncated: false,
        };
        Self {
            tree,
            nesting,
            namespaces: Vec::new(),
            declared_bases: 0,
            misnested: None,
        }
    }

    fn start(&mut self, name: &'a str, attributes: &'a str, start: usize, end: usize) {
        let (prefix, local) = local(name);
        if vocabulary::by_prefix(prefix) == Vocabulary::Core {
            self.close_before(local, start);
        }
        let namespaces = self.namespaces.len();
        let mut declared_base = None;
        for attribute in Attributes::new(attributes) {
            let Some(value) = attribute.value else {
                continue;
            };
            let prefix = match attribute.name.strip_prefix("xmlns") {
                Some("") => Some(""),
                Some(rest) => rest.strip_prefix(':'),
                None => None,
            };
            if let Some(prefix) = prefix.filter(|_| self.namespaces.len() < FEED_NAMESPACES) {
                self.namespaces
                    .push((prefix, vocabulary::by_uri(value, prefix)));
            } else if attribute.name == "xml:base" {
                declared_base = Some(value);
            }
        }
        let declared = self.namespaces.iter().rev().find(|(one, _)| *one == prefix);
        let vocabulary = declared.map_or_else(
            || vocabulary::by_prefix(prefix),
            |&(_, vocabulary)| vocabulary,
        );
        let (parent, previous) = self
            .nesting
            .last()
            .map_or((0, None), |(_, open)| (open.index, open.last_child));
        let parent_base = self.tree.element(parent).map_or(0, |element| element.base);
        let base = declared_base
            .and_then(|base| self.base(parent_base, base))
            .unwrap_or(parent_base);
        let index = self.tree.elements.len();
        self.tree.elements.push(Element {
            name: local,
            vocabulary,
            parent,
            markup: false,
            attributes,
            start,
            inner: (end, end),
            first: None,
            next: None,
            base,
        });
        let link = match previous {
            Some(previous) => self
                .tree
                .elements
                .get_mut(previous)
                .map(|element| &mut element.next),
            None => self
                .tree
                .elements
                .get_mut(parent)
                .map(|element| &mut element.first),
        };
        if let Some(link) = link {
            *link = Some(index);
        }
        if let Some(parent) = self.tree.elements.get_mut(parent) {
            parent.markup = true;
        }
        if let Some(open) = self.nesting.last_mut() {
            open.last_child = Some(index);
        }
        self.nesting.push(
            name,
            Open {
                index,
                last_child: None,
                namespaces,
            },
        );
    }

    /// The index of the base that a declaration gives.
    fn base(&mut self, parent: usize, declared: &str) -> Option<usize> {
        // A base that is refused, because it is too long, takes as much time.
        self.declared_bases = self.declared_bases.saturating_add(1);
        if self.declared_bases > FEED_BASES {
            return None;
        }
        let mut value = String::new();
        decode(declared, References::Html, &mut value);
        let base = url::resolve(self.tree.bases.get(parent)?, &value)?;
        self.tree.bases.push(base);
        Some(self.tree.bases.len().saturating_sub(1))
    }

    /// Closes elements of RSS whose end tag is missing before the start of another.
    fn close_before(&mut self, name: &str, at: usize) {
        let Some((_, open)) = self.nesting.last() else {
            return;
        };
        let Some(element) = self.tree.elements.get(open.index) else {
            return;
        };
        let core = element.vocabulary == Vocabulary::Core;
        let leaf = core && is_one_of(element.name, LEAVES) && is_one_of(name, STARTS);
        let description =
            core && is_one_of(element.name, &["description"]) && is_one_of(name, NOT_HTML);
        if leaf || description {
            self.report(at, NO_END);
            self.close(at);
        }
    }

    fn report(&mut self, at: usize, reason: &'static str) {
        self.misnested.get_or_insert(Fault { at, reason });
    }

    fn close(&mut self, at: usize) {
        let Some(open) = self.nesting.pop() else {
            return;
        };
        self.namespaces.truncate(open.namespaces);
        if let Some(element) = self.tree.elements.get_mut(open.index) {
            element.inner.1 = at.max(element.inner.0);
        }
    }

    fn close_all(&mut self, at: usize) {
        while self.nesting.depth() > 0 {
            self.close(at);
        }
    }
}
