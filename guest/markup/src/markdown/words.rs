//! The words in the attributes of an element that list several.

use crate::dom::{Document, Id, Name};

/// Whether an element has one of these words in its class.
pub fn has_class(document: &Document, id: Id, words: &[&str]) -> bool {
    document.attribute(id, Name::Class).is_some_and(|classes| {
        classes
            .split_ascii_whitespace()
            .any(|class| words.contains(&class))
    })
}

/// Whether an element has one of these words in its `epub:type`.
pub fn has_epub_type(document: &Document, id: Id, words: &[&str]) -> bool {
    let kinds = document.attribute(id, Name::EpubType);
    kinds.is_some_and(|kinds| {
        kinds
            .split_ascii_whitespace()
            .any(|kind| words.contains(&kind))
    })
}
