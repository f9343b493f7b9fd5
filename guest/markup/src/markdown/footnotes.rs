//! Which elements of a page are footnotes, and which links refer to them.

use super::settings::Settings;
use super::words::{has_class, has_epub_type};
use crate::dom::{Document, Id, Name, Tag};
use crate::limits;
use std::collections::{BTreeMap, BTreeSet};

/// The footnotes of a page. Each has the label that its first reference shows.
pub struct Footnotes<'d> {
    /// The label of each link that is a reference, and of the `sup` that consists of it.
    references: BTreeMap<Id, &'d str>,
    /// The label of each element that is a note.
    notes: BTreeMap<Id, &'d str>,
}

impl<'d> Footnotes<'d> {
    /// Finds the footnotes of a page.
    pub fn of(document: &'d Document, settings: &Settings<'_>) -> Self {
        let mut found = Self {
            references: BTreeMap::new(),
            notes: BTreeMap::new(),
        };
        let links: Vec<(Id, &str)> = document
            .with_tag(Tag::A)
            .filter_map(|id| Some((id, document.attribute(id, Name::Href)?)))
            .filter(|(id, _)| is_reference(document, *id))
            .filter_map(|(id, href)| match settings.local_id(href) {
                Some(target) => (!target.is_empty()).then_some((id, target)),
                None => {
                    // The notes of a book may be in a chapter of their own.
                    if has_epub_type(document, id, &["noteref"])
                        && let Some(label) = label(document, id)
                    {
                        found.refer(document, id, label);
                    }
                    None
                }
            })
            .collect();
        if links.is_empty() {
            return found;
        }
        let mut targets: BTreeMap<&str, Id> = BTreeMap::new();
        for id in document.subtree(Id::ROOT) {
            if let Some(name) = document.attribute(id, Name::Id) {
                targets.entry(name).or_insert(id);
            }
        }
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for (link, target) in links {
            let Some(target) = targets.get(target).and_then(|id| note(document, *id)) else {
                continue;
            };
            let known = found.notes.get(&target).copied();
            let Some(label) =
                known.or_else(|| label(document, link).filter(|label| used.insert(label)))
            else {
                continue;
            };
            found.notes.insert(target, label);
            found.refer(document, link, label);
        }
        found
    }

    /// Adds a reference.
    fn refer(&mut self, document: &Document, link: Id, label: &'d str) {
        self.references.insert(link, label);
        // `<sup><a>1</a></sup>` is the reference as a whole.
        if let Some(parent) = document.parent(link)
            && document.is(parent, Tag::Sup)
            && document.children(parent).all(|id| {
                id == link
                    || document.text(id).is_some_and(|text| {
                        text.trim()
                            .chars()
                            .all(|c| matches!(c, '[' | ']' | '(' | ')' | ','))
                    })
            })
        {
            self.references.insert(parent, label);
        }
    }

    /// The label of a reference. `None` if the element is not one.
    pub fn reference(&self, id: Id) -> Option<&'d str> {
        self.references.get(&id).copied()
    }

    /// The label of a note. `None` if the element is not one.
    pub fn definition(&self, id: Id) -> Option<&'d str> {
        self.notes.get(&id).copied()
    }
}

/// Whether a link looks like a reference to a footnote.
fn is_reference(document: &Document, id: Id) -> bool {
    const CLASSES: &[&str] = &[
        "footnote",
        "footnote-ref",
        "footnote-reference",
        "footref",
        "noteref",
        "sdfootnoteanc",
    ];
    let mut around = document.ancestors(id).take(2);
    has_class(document, id, CLASSES)
        || document.attribute(id, Name::Role) == Some("doc-noteref")
        || has_epub_type(document, id, &["noteref"])
        || around.any(|id| document.is(id, Tag::Sup))
        || document.children(id).any(|id| document.is(id, Tag::Sup))
}

/// The text of a reference without brackets. `None` if it is too long for a label.
fn label(document: &Document, id: Id) -> Option<&str> {
    let mut texts = document.subtree(id).filter_map(|id| document.text(id));
    let text = texts.find(|text| !text.trim().trim_matches(['[', ']', '(', ')']).is_empty())?;
    let label = text.trim().trim_matches(['[', ']', '(', ')']).trim();
    let plain = label
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '*' | '†' | '‡' | '-' | '.'));
    (plain && !label.is_empty() && label.chars().count() <= limits::LABEL_CHARS).then_some(label)
}

/// The block that contains the text of a note. `target` is the element to which references lead.
fn note(document: &Document, target: Id) -> Option<Id> {
    let is_note = |id: &Id| match document.tag(*id) {
        Some(Tag::Li | Tag::Dd | Tag::Aside) => true,
        Some(Tag::P | Tag::Div) => {
            // Other blocks are notes if they lead back, or say that they are notes.
            has_class(document, *id, &["footnote", "endnote", "fn"])
                || document.attribute(*id, Name::Role) == Some("doc-footnote")
                || has_epub_type(document, *id, &["footnote", "endnote", "rearnote", "note"])
                || document.attribute(*id, Name::Id).is_some_and(|id| {
                    let id = id.to_ascii_lowercase();
                    id.contains("fn") || id.contains("note")
                })
        }
        _ => false,
    };
    std::iter::once(target)
        .chain(document.ancestors(target).take(2))
        .find(is_note)
}
