//! Parts of a page that the server sent after the rest. React writes a part at the end of the page, as
//! `<div hidden id="S:1">`, and a script moves its content to the place of `<template id="B:1">` or
//! `<template id="P:1">`: <https://react.dev/reference/react-dom/server/renderToPipeableStream>

use crate::dom::{Document, Id, Name, Tag};
use crate::limits;
use std::collections::BTreeMap;

/// Moves each part to its place. A part without a place stays hidden.
pub fn place(document: &mut Document) {
    let places: BTreeMap<String, Id> = document
        .with_tag(Tag::Template)
        .filter_map(|id| {
            let name = document.attribute(id, Name::Id)?;
            let number = name.strip_prefix("B:").or(name.strip_prefix("P:"))?;
            Some((number.to_owned(), id))
        })
        .take(limits::STREAMED_PARTS)
        .collect();
    if places.is_empty() {
        return;
    }
    let nodes = document.subtree(Id::ROOT);
    let parts: Vec<(Id, Id)> = nodes
        .filter_map(|id| {
            let number = document.attribute(id, Name::Id)?.strip_prefix("S:")?;
            let place = places.get(number)?;
            document.has(id, Name::Hidden).then_some((id, *place))
        })
        .take(limits::STREAMED_PARTS)
        .collect();
    let mut left = limits::STREAMED_NODES;
    for (part, place) in parts {
        let depth = document.ancestors(place).count();
        let is_inside = document.ancestors(place).any(|outer| outer == part);
        let fits = height(document, part, &mut left)
            .is_some_and(|height| depth.saturating_add(height) <= limits::DEPTH);
        if is_inside || !fits {
            continue;
        }
        let content: Vec<Id> = document.children(part).collect();
        for node in content {
            document.move_before(node, place);
        }
    }
}

/// The number of levels of nodes in an element. `None` if it has more than `left` nodes.
fn height(document: &Document, root: Id, left: &mut usize) -> Option<usize> {
    let mut node = root;
    let mut level = 0usize;
    let mut height = 0;
    loop {
        *left = left.checked_sub(1)?;
        if let Some(child) = document.first_child(node) {
            node = child;
            level = level.saturating_add(1);
            height = height.max(level);
            continue;
        }
        loop {
            if node == root {
                return Some(height);
            }
            if let Some(next) = document.next_sibling(node) {
                node = next;
                break;
            }
            node = document.parent(node)?;
            level = level.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::html::fragment;

    #[test]
    fn streamed_part_is_shown_in_its_place() {
        for (html, expected) in [
            (
                "<p>a<template id='B:0'></template><p>c<div hidden id='S:0'><p>b</div>",
                "a\n\nb\n\nc",
            ),
            // A part with the place of another one, in any order.
            (
                "<div><template id='B:1'></template></div><p>c<div hidden id='S:a'>b</div>
                 <div hidden id='S:1'>a<template id='P:a'></template></div>",
                "ab\n\nc",
            ),
            (
                "<div><template id='B:1'></template></div><p>c
                 <div hidden id='S:1'>a<template id='P:a'></template></div><div hidden id='S:a'>b</div>",
                "ab\n\nc",
            ),
            // Not parts with a place.
            ("<template id='B:1'></template>a<div hidden id='S:0'>b</div>", "a"),
            ("<p id='B:0'>a</p><div hidden id='S:0'>b</div>", "a"),
            ("a<div hidden id='S:0'>b<template id='B:0'></template></div>", "a"),
            // Each in the other one.
            (
                "a<div hidden id='S:0'>b<template id='B:1'></template></div>
                 <div hidden id='S:1'>c<template id='B:0'></template></div>",
                "a",
            ),
        ] {
            assert_eq!(fragment(html, None).text, expected, "{html}");
        }
    }

    #[test]
    fn nested_parts_do_not_exceed_the_depth_of_a_tree() {
        let mut html = String::from("<p>a<template id='B:0'></template>");
        for part in 0..2000 {
            let open = "<i>".repeat(100);
            let next = part + 1;
            html.push_str(&format!(
                "<div hidden id='S:{part}'>{open}b<template id='B:{next}'></template></div>"
            ));
        }
        let converted = fragment(&html, None);
        assert!(converted.text.contains('b'));
        assert_eq!(converted.notes.len(), 1, "{:?}", converted.notes);
    }
}
