//! Double-spaced text.

use super::*;

/// Double-spaced lines.
fn spaced(mut page: Builder, y: f32, lines: &[&str]) -> Builder {
    let mut at = y;
    for line in lines {
        page = page.text((50.0, at), 10.0, REGULAR, line);
        at += 20.0;
    }
    page
}

#[test]
fn double_spaced_text_is_one_paragraph_beside_single_spaced_notes() {
    let page = spaced(Builder::new(), 60.0, &PROSE);
    let text = page.lines(50.0, 220.0, 8.0, &PROSE[..4]).markdown();
    let first = text.split("\n\n").next().unwrap_or_default();
    assert!(first.ends_with("were written"), "{text}");
}

#[test]
fn a_note_at_the_edge_of_the_page_does_not_end_the_lines() {
    let page = spaced(Builder::new(), 60.0, &PROSE);
    let text = page
        .text((330.0, 210.0), 8.0, REGULAR, "Paper 14, at the edge")
        .markdown();
    assert!(text.contains("gap between both lines until"), "{text}");
}
