//! Elements with a meaning of their own: those that are not shown, that contain code or a formula, or that
//! contain blocks.

use super::words::has_class;
use crate::dom::{Document, Id, Marks, Name, Tag};

/// Whether an element is a template whose content is shown in place of that of the element around
/// it: a declarative shadow root.
pub fn is_shadow_root(document: &Document, id: Id) -> bool {
    document.is(id, Tag::Template) && document.has(id, Name::Shadowrootmode)
}

/// Whether the content of an element is not shown on a page.
pub fn is_never_shown(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Head
            | Tag::Script
            | Tag::Style
            | Tag::Template
            | Tag::Noframes
            | Tag::Noembed
            | Tag::Datalist
            | Tag::Param
            | Tag::Source
            | Tag::Track
            | Tag::Meta
            | Tag::Link
            | Tag::Base
            | Tag::Title
            | Tag::Rp
    )
}

/// The elements that are not blocks themselves, but contain blocks.
pub fn with_blocks(document: &Document) -> Marks {
    let mut marks = Marks::default();
    for id in document.subtree(Id::ROOT) {
        let Some(tag) = document.tag(id) else {
            continue;
        };
        let has_page = tag == Tag::Iframe && document.has(id, Name::Srcdoc);
        if has_page {
            marks.insert(id);
        }
        let is_block = tag.is_block() || has_page;
        if !is_block || matches!(tag, Tag::Option | Tag::Optgroup | Tag::Title) {
            continue;
        }
        for ancestor in document.ancestors(id) {
            if marks.contains(ancestor) {
                break;
            }
            match document.tag(ancestor) {
                Some(tag) if tag.is_block() => break,
                _ => marks.insert(ancestor),
            }
        }
    }
    marks
}

/// Whether a block contains code in other elements than `pre`: those of an editor or a highlighter, or
/// with a style that keeps white space.
pub fn is_code_block(document: &Document, id: Id) -> bool {
    matches!(document.tag(id), Some(Tag::Div | Tag::P))
        && (has_class(
            document,
            id,
            &["CodeMirror-code", "view-lines", "cm-content"],
        ) || document.is_preformatted(id))
}

/// Whether an element is a script that contains a formula.
pub fn is_math_script(document: &Document, id: Id) -> bool {
    document.is(id, Tag::Script)
        && document
            .attribute(id, Name::Type)
            .is_some_and(|kind| kind.trim_start().starts_with("math/tex"))
        && !has_class(document, id, &["hidden"])
}
