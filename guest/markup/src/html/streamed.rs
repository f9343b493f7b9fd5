//! Parts of a page that the server sent after the rest. React writes a part at the end of the page, as
//! `<div hidden id="S:1">`, and a script moves its content to the place of `<template id="B:1">` or
//! `<template id="P:1">`. After the former, up to the comment `<!--/$-->`, is what a browser shows
//! before; the content replaces it: <https://react.dev/reference/react-dom/server/renderToPipeableStream>

use crate::dom::{Boundary, Document, Id, Name, Tag};
use crate::limits;
use crate::markdown::is_never_shown;
use std::collections::BTreeMap;

/// Moves each part to its place, and returns their number. A part without a place stays hidden, and so
/// does every part of a page without the script: a browser shows none of them.
pub fn place(document: &mut Document) -> usize {
    if !has_script(document) {
        return 0;
    }
    let named = document
        .with_tag(Tag::Template)
        .filter(|id| is_shown(document, *id))
        .filter_map(|id| {
            let name = document.attribute(id, Name::Id)?;
            let boundary = name.strip_prefix("B:");
            let number = boundary.or(name.strip_prefix("P:"))?;
            Some((number.to_owned(), (id, boundary.is_some())))
        })
        .take(limits::STREAMED_PARTS);
    let mut places: BTreeMap<String, (Id, bool)> = BTreeMap::new();
    // Unlike `collect`, this does not sort them first, which takes 5 KB of code.
    places.extend(named);
    if places.is_empty() {
        return 0;
    }
    let nodes = document.subtree(Id::ROOT);
    let parts: Vec<(Id, (Id, bool))> = nodes
        .filter_map(|id| {
            let number = document.attribute(id, Name::Id)?.strip_prefix("S:")?;
            let place = places.get(number)?;
            document.has(id, Name::Hidden).then_some((id, *place))
        })
        .take(limits::STREAMED_PARTS)
        .collect();
    let mut boundaries: BTreeMap<Id, Vec<Boundary>> = BTreeMap::new();
    for (after, boundary) in &document.boundaries {
        boundaries.entry(*after).or_default().push(*boundary);
    }
    let mut left = limits::STREAMED_NODES;
    let mut placed = 0usize;
    for (part, (place, is_boundary)) in parts {
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
        if is_boundary {
            for node in fallback(document, &boundaries, place, &mut left) {
                document.remove(node);
            }
        }
        placed = placed.saturating_add(1);
    }
    placed
}

/// The nodes after a place up to the end of its boundary, which a browser shows until the part arrives.
/// None if the boundary has no end in the same element.
fn fallback(
    document: &Document,
    boundaries: &BTreeMap<Id, Vec<Boundary>>,
    place: Id,
    left: &mut usize,
) -> Vec<Id> {
    let mut nodes = Vec::new();
    if boundaries.is_empty() {
        return nodes;
    }
    let mut open = 0usize;
    let mut last = place;
    loop {
        for boundary in boundaries.get(&last).into_iter().flatten() {
            match boundary {
                Boundary::Start => open = open.saturating_add(1),
                Boundary::End if open == 0 => return nodes,
                Boundary::End => open = open.saturating_sub(1),
            }
        }
        let next = document.next_sibling(last);
        let (Some(next), Some(rest)) = (next, left.checked_sub(1)) else {
            return Vec::new();
        };
        *left = rest;
        nodes.push(next);
        last = next;
    }
}

/// Whether a script of the page calls the function of React that moves a part.
fn has_script(document: &Document) -> bool {
    let mut text = String::new();
    document.with_tag(Tag::Script).any(|id| {
        text.clear();
        document.raw_text(id, &mut text);
        text.contains("$RC(") || text.contains("$RS(")
    })
}

/// Whether what is at a place is shown: it is in no element whose content is never shown.
fn is_shown(document: &Document, place: Id) -> bool {
    let mut around = document.ancestors(place).take(limits::DEPTH);
    !around.any(|id| {
        document
            .tag(id)
            .is_some_and(|tag| tag == Tag::Svg || tag == Tag::Noscript || is_never_shown(tag))
    })
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
    use crate::html::{Options, page};

    /// The text of a page with the script of React, and its notes.
    fn shown(html: &str) -> (String, Vec<String>) {
        let html = format!("{html}<script>$RC(\"B:0\",\"S:0\")</script>");
        let page = page(&html, &Options::default()).unwrap();
        (page.text, page.notes)
    }

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
            assert_eq!(shown(html).0, expected, "{html}");
        }
    }

    #[test]
    fn streamed_part_replaces_what_is_shown_before_it() {
        let part = "<div hidden id='S:0'><p>b</div>";
        for (page, expected) in [
            (
                "<p>a</p><!--$?--><template id='B:0'></template><p>Wait<i>…</i></p>more<!--/$-->rest",
                "a\n\nb\n\nrest",
            ),
            // Other boundaries in the text that is replaced, and around it.
            (
                "<div><!--$--><p>a</p><!--$?--><template id='B:0'></template><!--$-->Wait<!--/$-->!<!--/$-->
                 <p>c</p><!--/$--><p>d</p></div>",
                "a\n\nb\n\nc\n\nd",
            ),
            // A place that is no boundary, other comments, and a boundary without an end.
            ("<p>a</p><template id='P:0'></template><p>c</p><!--/$-->", "a\n\nb\n\nc"),
            (
                "<p>a</p><!--$?--><template id='B:0'></template><p>c</p><!--/$$--><!-- /$ --><p>d</p>",
                "a\n\nb\n\nc\n\nd",
            ),
            (
                "<div><p>a</p><!--$?--><template id='B:0'></template><p>c</p></div><!--/$--><p>d</p>",
                "a\n\nb\n\nc\n\nd",
            ),
        ] {
            assert_eq!(shown(&format!("{page}{part}")).0, expected, "{page}");
        }
        // Without the part, the page shows what it has.
        let page = "<p>a</p><!--$?--><template id='B:1'></template><p>Wait</p><!--/$-->";
        assert_eq!(shown(&format!("{page}{part}")).0, "a\n\nWait");
    }

    #[test]
    fn many_boundaries_without_an_end_are_bounded() {
        let places: String = (0..1000)
            .map(|part| {
                format!(
                    "<!--$?--><template id='B:{part}'></template>a<div hidden id='S:{part}'>b</div>"
                )
            })
            .collect();
        let html = format!(
            "{}{places}{}",
            "<!--$-->".repeat(1000),
            "<b>c</b>".repeat(20_000)
        );
        assert!(shown(&html).0.contains('b'));
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
        let (text, notes) = shown(&html);
        assert!(text.contains('b'));
        assert!(
            notes.iter().any(|note| note.starts_with("hidden text")),
            "{notes:?}"
        );
    }

    #[test]
    fn part_that_no_script_places_stays_hidden() {
        let html = "<p>a<template id='B:0'></template><div hidden id='S:0'>b</div>";
        assert_eq!(page(html, &Options::default()).unwrap().text, "a");
        let (text, notes) = shown(html);
        assert_eq!(text, "ab");
        assert!(
            notes
                .iter()
                .any(|note| note.starts_with("text that a script")),
            "{notes:?}"
        );
        // Nothing in these is shown.
        for outer in ["svg", "noscript", "template"] {
            let html = format!(
                "<p>a<{outer}><template id='B:0'></template></{outer}><div hidden id='S:0'>b</div>"
            );
            let (text, notes) = shown(&html);
            assert_eq!(text, "a", "{outer}");
            assert!(
                notes.iter().any(|note| note.starts_with("hidden text")),
                "{notes:?}"
            );
        }
    }
}
