//! Pages whose text is made by scripts, so that their markup has almost none.

use super::fragment::fragment;
use crate::dom::{Document, Marks, Tag};
use crate::limits;
use crate::markdown::{is_never_shown, is_shadow_root};
use crate::metadata::Metadata;

/// The note on a page whose markup has almost no text without scripts, and the text of its article in
/// the metadata if there is one.
pub struct Scripted {
    pub note: String,
    pub article: Option<String>,
}

/// Returns `None` if the page has text without scripts.
pub fn find(document: &Document, hidden: &Marks, metadata: &Metadata) -> Option<Scripted> {
    document.with_tag(Tag::Script).next()?;
    if has_text(document, hidden) {
        return None;
    }
    let article = metadata.text.as_deref();
    let article = article.map(|body| fragment(body, None).text);
    let article = article.filter(|text| !text.is_empty());
    let note = match article {
        Some(_) => "the page has no text without scripts; its text is from the metadata (JSON-LD)",
        None => "the page has no text without scripts",
    };
    Some(Scripted {
        note: note.to_owned(),
        article,
    })
}

/// Whether a page has text apart from a message for browsers without scripts.
fn has_text(document: &Document, hidden: &Marks) -> bool {
    let mut characters = 0usize;
    let mut nodes = document.subtree(document.body());
    while let Some(id) = nodes.next() {
        let is_left_out = hidden.contains(id)
            || document
                .tag(id)
                .is_some_and(|tag| is_never_shown(tag) && !is_shadow_root(document, id))
            || document.is(id, Tag::Noscript);
        if is_left_out {
            nodes.skip_children_of(id);
        } else if let Some(text) = document.text(id) {
            let visible = text.chars().filter(|character| !character.is_whitespace());
            characters = characters.saturating_add(visible.count());
        }
        if document.is(id, Tag::Img) || characters >= limits::SCRIPTED_CHARS {
            return true;
        }
    }
    false
}
