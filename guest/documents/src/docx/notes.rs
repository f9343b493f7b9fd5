//! Footnotes, endnotes and comments.

use super::convert::Converter;
use super::names::sibling;
use crate::model::Block;
use crate::note::quoted_name;
use crate::word::notes::{NoteKind, sign};
use crate::xml::{Element, Tree, decode};
use std::collections::BTreeMap;

impl Converter<'_> {
    /// Converts the notes to which the text refers. Comments on notes are found as well.
    pub fn notes(&mut self, main: &str) -> Vec<Block> {
        let mut out = Vec::new();
        for kind in NoteKind::ALL {
            let (relation, name) = names(kind);
            let expected = self.references.order.get(&kind).map_or(0, Vec::len);
            if expected == 0 {
                continue;
            }
            let relations = self.package.relationships(main);
            let part = relations.first(relation).map(|it| it.target.clone());
            let part = part.unwrap_or_else(|| sibling(main, relation));
            let Some(read) = self.read(&part) else {
                self.report.notes.push(format!(
                    "The part {} is missing: {expected} {relation}.",
                    quoted_name(&part)
                ));
                continue;
            };
            let text = decode(&read.bytes);
            let tree = Tree::parse(&text);
            let damage = read.damage.as_deref();
            self.report.check(&part, damage, tree.damage());
            self.relations = self.package.relationships(&part);
            self.report.notes.extend(self.relations.notes());
            let mut by_id: BTreeMap<&str, Element> = BTreeMap::new();
            for note in tree.root().children().filter(|note| note.name() == name) {
                if let Some(id) = note.attr("id") {
                    by_id.entry(id).or_insert(note);
                }
            }
            // Notes of this kind may refer to others of it.
            let mut place = 0;
            while let Some(id) = self
                .references
                .order
                .get(&kind)
                .and_then(|it| it.get(place))
            {
                place = place.saturating_add(1);
                let id = id.clone();
                let (Some(label), Some(note)) =
                    (self.references.label(kind, &id), by_id.get(id.as_str()))
                else {
                    continue;
                };
                let mut blocks = self.blocks(*note, 1);
                if kind == NoteKind::Comment {
                    sign(&signature(*note), &mut blocks);
                }
                if !blocks.is_empty() {
                    out.push(Block::Footnote { label, blocks });
                }
            }
        }
        out
    }
}

/// Returns the kind of the relationship with the notes of a kind, and the element of a note.
fn names(kind: NoteKind) -> (&'static str, &'static str) {
    match kind {
        NoteKind::Footnote => ("footnotes", "footnote"),
        NoteKind::Endnote => ("endnotes", "endnote"),
        NoteKind::Comment => ("comments", "comment"),
    }
}

/// Returns the author and the date of a comment.
fn signature(comment: Element) -> String {
    let author = comment.attr("author").unwrap_or_default().trim();
    let date = comment.attr("date").and_then(|it| it.split('T').next());
    let parts = [author, date.unwrap_or_default().trim()];
    let parts: Vec<&str> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    parts.join(", ")
}
