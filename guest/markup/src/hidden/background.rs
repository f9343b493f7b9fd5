//! Backgrounds of elements that style sheets in other files probably set.

use crate::dom::{Document, Id, Name, Tag};
use std::collections::BTreeMap;

/// Whether an element or one around it probably has a background of its own.
pub fn is_in_own_background(document: &Document, id: Id, known: &mut BTreeMap<Id, bool>) -> bool {
    let mut path = Vec::new();
    let mut found = false;
    for outer in std::iter::once(id).chain(document.ancestors(id)) {
        if let Some(is_in) = known.get(&outer) {
            found = *is_in;
            break;
        }
        path.push(outer);
    }
    for id in path.into_iter().rev() {
        found = found || has_own_background(document, id);
        known.insert(id, found);
    }
    found
}

/// Whether an element probably has a background of its own, by its name or class. Style sheets in
/// other files are not read.
fn has_own_background(document: &Document, id: Id) -> bool {
    const WORDS: &[&str] = &[
        "alert",
        "badge",
        "banner",
        "bg",
        "box",
        "btn",
        "button",
        "callout",
        "caption",
        "card",
        "chip",
        "cover",
        "cta",
        "dark",
        "foot",
        "footer",
        "head",
        "header",
        "hero",
        "jumbotron",
        "label",
        "menu",
        "nav",
        "navbar",
        "overlay",
        "panel",
        "pill",
        "sidebar",
        "slide",
        "slider",
        "tag",
        "toolbar",
    ];
    if matches!(
        document.tag(id),
        Some(Tag::Button | Tag::Nav | Tag::Header | Tag::Footer | Tag::Th)
    ) {
        return true;
    }
    [Name::Class, Name::Id].into_iter().any(|name| {
        document.attribute(id, name).is_some_and(|value| {
            value
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str()))
        })
    })
}
