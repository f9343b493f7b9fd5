//! The limits of a tree.

use crate::dom::{Document, Id, Tag, parse, parse_fragment, parse_xhtml};

#[test]
fn deep_tables_keep_their_cells_in_rows() {
    for around in 0..12 {
        let html = "<div>".repeat(around) + &"<table><tr><td>".repeat(200) + "x";
        let document = parse(&html);
        let text = document.subtree(Id::ROOT).last().unwrap();
        assert_eq!(document.text(text), Some("x"));
        let outer: Vec<_> = document
            .ancestors(text)
            .take(4)
            .map(|id| document.tag(id))
            .collect();
        let expected = [Tag::Td, Tag::Tr, Tag::Tbody, Tag::Table].map(Some);
        assert_eq!(outer, expected, "{around}");
    }
}

/// The largest number of elements around a node.
fn depth(document: &Document) -> usize {
    let nodes = document.subtree(Id::ROOT);
    nodes
        .map(|id| document.ancestors(id).count())
        .max()
        .unwrap()
}

#[test]
fn depth_is_limited_whatever_the_tags_are() {
    for part in [
        "<div>",
        "<b>",
        "<b><div>",
        "<a><div></a>",
        "<form><div></form>",
        "<a><svg><desc>",
        "<table><tr><td>",
        "<table><b>",
        "<template><tr>",
        "<i><b><u><p></i></b>",
        "<object><b></b>",
        "<li><ul>",
        "<svg><g>",
        "<math><mi><b>",
        "<select><div>",
        "<nobr><p>",
        "<frameset>",
        "<a><table><a>",
        "<x><div></x>",
        "<ruby><rtc>",
        "<button><p></button><b>",
        "<form><a><div></form></a><template>",
        "<h1><div>",
        "<caption><table><caption>",
    ] {
        let html = part.repeat(2000);
        for document in [parse(&html), parse_fragment(&html), parse_xhtml(&html)] {
            assert!(
                depth(&document) <= crate::limits::DEPTH + 1,
                "{part}: {}",
                depth(&document)
            );
        }
    }
}

#[test]
fn formatting_is_limited() {
    let open: String = (0..1000).map(|n| format!("<b id={n}>")).collect();
    let closed: String = (0..1000).map(|n| format!("<p><b id={n}></p>")).collect();
    for start in [open, closed] {
        let document = parse(&format!("{start}{}", "<p>x</p>".repeat(1000)));
        let copies = document.with_tag(Tag::B).count();
        assert!(
            copies <= 1000 + 1000 * crate::limits::FORMATTING,
            "{copies}"
        );
    }
}
