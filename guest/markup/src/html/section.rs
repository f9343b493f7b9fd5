//! The section of a page that an id names.

use crate::dom::{Document, Id, Name, Tag};
use crate::letters::normalized;
use crate::limits;
use percent_encoding::percent_decode_str;
use std::fmt;

/// The error for a section that a page does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSection {
    /// The ids of the first sections of the page.
    pub sections: Vec<String>,
}

impl fmt::Display for NoSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sections.is_empty() {
            return f.write_str("the page has no sections with an id");
        }
        let ids: Vec<String> = self.sections.iter().map(|id| format!("#{id}")).collect();
        write!(f, "the page has the sections {}", ids.join(", "))
    }
}

/// The nodes of the section with this id, in order. The id is that of an element, the name of an
/// anchor, or the text of a heading in the form that is usual for ids.
pub fn find(document: &Document, wanted: &str) -> Result<Vec<Id>, NoSection> {
    let decoded = percent_decode_str(wanted).decode_utf8_lossy();
    let names = [Name::Id, Name::Name];
    let body = document.body();
    let mut nodes = document.subtree(body);
    let named = nodes.find(|id| {
        let mut values = names
            .iter()
            .filter_map(|name| document.attribute(*id, *name));
        values.any(|value| value == wanted || value == decoded)
    });
    let found = named.or_else(|| {
        let plain = normalized(&decoded);
        let mut nodes = document.subtree(body);
        nodes.find(|id| {
            is_heading(document, *id) && !plain.is_empty() && heading_text(document, *id) == plain
        })
    });
    match found {
        Some(id) => Ok(nodes_of(document, id)),
        None => Err(NoSection {
            sections: sections(document),
        }),
    }
}

fn heading_text(document: &Document, id: Id) -> String {
    let mut text = String::new();
    document.raw_text(id, &mut text);
    normalized(&text)
}

fn is_heading(document: &Document, id: Id) -> bool {
    level(document, id).is_some()
}

fn level(document: &Document, id: Id) -> Option<u8> {
    document.tag(id)?.heading()
}

/// The level of the first heading in an element, if nothing else is before it.
fn level_of_start(document: &Document, id: Id) -> Option<u8> {
    let nodes = document.subtree(id).take(limits::SECTION_NODES);
    let is_blank = |id: &Id| document.text(*id).is_none_or(|text| text.trim().is_empty());
    nodes
        .take_while(is_blank)
        .find_map(|id| level(document, id))
}

/// The nodes of the section that starts at an element.
fn nodes_of(document: &Document, id: Id) -> Vec<Id> {
    let around = document.ancestors(id).take(limits::ANCHOR_ANCESTORS);
    let heading = std::iter::once(id)
        .chain(around)
        .find(|id| is_heading(document, *id));
    let heading = heading.or_else(|| anchored(document, id));
    let Some(heading) = heading else {
        // A term is shown with its definitions.
        if document.is(id, Tag::Dt) {
            return term(document, id);
        }
        return vec![id];
    };
    let level = level(document, heading).unwrap_or(6);
    // The heading may be in an element of its own.
    let mut start = heading;
    while let Some(parent) = document.parent(start)
        && document
            .next_sibling(start)
            .is_none_or(|next| is_empty_to_end(document, next))
        && !document.is(parent, Tag::Body)
        && parent != Id::ROOT
    {
        start = parent;
    }
    let following = document.siblings_after(start);
    let following =
        following.take_while(|id| level_of_start(document, *id).is_none_or(|next| next > level));
    std::iter::once(start).chain(following).collect()
}

/// A term, the terms that share its definitions, and the definitions.
fn term(document: &Document, id: Id) -> Vec<Id> {
    let is_shared = |id: &Id| document.tag(*id).is_none_or(|tag| tag == Tag::Dt);
    let before = document.siblings_before(id);
    let start = before.take_while(is_shared).last().unwrap_or(id);
    let nodes = std::iter::successors(Some(start), |id| document.next_sibling(*id));
    let mut is_defined = false;
    nodes
        .take_while(|id| {
            let tag = document.tag(*id);
            is_defined |= tag == Some(Tag::Dd);
            !(is_defined && tag == Some(Tag::Dt))
        })
        .collect()
}

/// The heading to which an empty anchor before it belongs.
fn anchored(document: &Document, id: Id) -> Option<Id> {
    let mut text = String::new();
    document.raw_text(id, &mut text);
    if !text.trim().is_empty() || !matches!(document.tag(id), Some(Tag::A | Tag::Span | Tag::Div)) {
        return None;
    }
    let body = document.body();
    let next = document.after(id, body)?;
    let following = std::iter::successors(Some(next), |id| document.after(*id, body));
    let mut blank = following.take(limits::ANCHOR_NODES).skip_while(|id| {
        document
            .text(*id)
            .is_some_and(|text| text.trim().is_empty())
    });
    blank.next().filter(|id| is_heading(document, *id))
}

/// Whether a node and those after it in the same element contain no text. A link for editing may
/// follow a heading.
fn is_empty_to_end(document: &Document, id: Id) -> bool {
    let mut rest = std::iter::successors(Some(id), |id| document.next_sibling(*id));
    rest.all(|id| match document.tag(id) {
        None => document.text(id).is_some_and(|text| text.trim().is_empty()),
        Some(tag) => matches!(tag, Tag::A | Tag::Span | Tag::Button),
    })
}

/// The ids of the first headings with one.
fn sections(document: &Document) -> Vec<String> {
    let headings = document
        .subtree(document.body())
        .filter(|id| is_heading(document, *id));
    let ids = headings.filter_map(|id| {
        let own = document
            .subtree(id)
            .take(limits::HEADING_NODES)
            .find_map(|id| document.attribute(id, Name::Id));
        own.or_else(|| document.attribute(document.parent(id)?, Name::Id))
    });
    ids.take(limits::NAMED_SECTIONS)
        .map(str::to_owned)
        .collect()
}
