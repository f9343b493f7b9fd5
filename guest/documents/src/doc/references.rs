//! The notes to which the text refers.

use super::fib::{Fib, Story, Table, positions};
use crate::codepage;
use crate::ole::u16_at;
use crate::word::notes::NoteKind;
use std::collections::BTreeMap;

/// The notes to which the text refers.
#[derive(Default)]
pub struct References {
    /// The kind and the index of the note to which a character refers.
    characters: BTreeMap<usize, (NoteKind, usize)>,
    labels: BTreeMap<(NoteKind, usize), String>,
    /// The indices by kind, in the order of the text.
    pub order: BTreeMap<NoteKind, Vec<usize>>,
    /// The authors of comments.
    authors: Vec<String>,
    /// The index of the author of each comment.
    signatures: Vec<usize>,
}

/// The tables of references, the texts, and the size of an element.
pub const KINDS: [(NoteKind, Table, Table, Story, usize); 3] = [
    (
        NoteKind::Footnote,
        Table::FootnoteReferences,
        Table::FootnoteTexts,
        Story::Footnotes,
        2,
    ),
    (
        NoteKind::Endnote,
        Table::EndnoteReferences,
        Table::EndnoteTexts,
        Story::Endnotes,
        2,
    ),
    (
        NoteKind::Comment,
        Table::CommentReferences,
        Table::CommentTexts,
        Story::Comments,
        30,
    ),
];

impl References {
    /// Reads the references.
    pub fn read(fib: &Fib, stream: &[u8]) -> Self {
        let mut references = Self::default();
        for (kind, table, _, _, size) in KINDS {
            let (places, elements) = positions(fib.table(stream, table), size);
            // The last position is the end of the text.
            let count = places.len().saturating_sub(1);
            for (index, place) in places.iter().take(count).enumerate() {
                references.characters.entry(*place).or_insert((kind, index));
                if kind == NoteKind::Comment {
                    let at = index.saturating_mul(size).saturating_add(20);
                    let author = u16_at(elements, at).map_or(usize::MAX, usize::from);
                    references.signatures.push(author);
                }
            }
        }
        let mut names = fib.table(stream, Table::CommentAuthors);
        while let Some(length) = u16_at(names, 0).map(usize::from) {
            let end = length.saturating_mul(2).saturating_add(2);
            let name = names.get(2..end.min(names.len())).unwrap_or_default();
            references.authors.push(codepage::utf16(name));
            names = names.get(end..).unwrap_or_default();
        }
        references
    }

    /// Returns the note to which a character refers.
    pub fn at(&self, character: usize) -> Option<(NoteKind, usize)> {
        self.characters.get(&character).copied()
    }

    /// Returns the label of a note, by the order of the first references.
    pub fn label(&mut self, kind: NoteKind, index: usize) -> String {
        let order = self.order.entry(kind).or_default();
        let number = order.len().saturating_add(1);
        let label = self.labels.entry((kind, index)).or_insert_with(|| {
            order.push(index);
            kind.label(number)
        });
        label.clone()
    }

    /// Returns the author of a comment.
    pub fn author(&self, index: usize) -> &str {
        let author = self
            .signatures
            .get(index)
            .and_then(|it| self.authors.get(*it));
        author.map(String::as_str).unwrap_or_default()
    }
}
