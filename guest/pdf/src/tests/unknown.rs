//! Glyphs whose characters the file does not say.

use super::{page, shown};
use crate::open;
use crate::testing::pages;

/// Helvetica, a font without characters, and a font that has only the letter a.
const FONTS: &str = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> \
    /F2 << /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Odd /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Odd /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 >>] >> \
    /F3 << /Type /Font /Subtype /Type3 /Name /Three /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << >> /FirstChar 97 /LastChar 99 /Widths [500 500 500] /Encoding << /Differences [97 /a /one1 /two2] >> >> >> >>";

fn file(content: &str) -> Vec<u8> {
    // The resources of the builder get another name, so that these count.
    let file = pages(&[content], FONTS, "", &[]);
    let file = String::from_utf8(file).unwrap();
    file.replacen("/Resources", "/Reservoir", 1).into_bytes()
}

fn unit(bytes: Vec<u8>) -> omniread_document::Unit {
    open(bytes, None).unwrap().unit(0)
}

/// A line of glyphs of the font without characters.
fn odd(count: usize, y: usize) -> String {
    let codes = "0123".repeat(count);
    format!("BT /F2 10 Tf 72 {y} Td <{codes}> Tj ET ")
}

#[test]
fn text_of_a_font_without_characters_is_left_out() {
    let known = "BT /F1 10 Tf 72 700 Td (This text is known, and it has many characters that say so.) Tj ET ";
    let content = format!("{known}{}{}", odd(20, 600), odd(12, 580));
    let unit = unit(file(&content));
    assert!(!unit.text.contains('\u{fffd}'), "{}", unit.text);
    assert!(unit.text.contains("say so."), "{}", unit.text);
    assert!(
        unit.text.starts_with("![Page 1](page:1:img)"),
        "{}",
        unit.text
    );
    let note = "Text whose characters are unknown is left out: 32 signs of the font `Odd`. An image shows it.";
    assert_eq!(unit.notes, [note]);
}

#[test]
fn a_page_without_characters_is_an_image() {
    let unit = unit(file(&format!("{}{}", odd(3, 600), odd(4, 300))));
    assert_eq!(unit.text.trim(), "![Page 1](page:1:img)");
    assert_eq!(unit.notes.len(), 1);
    assert!(
        unit.notes[0].contains("none of the text"),
        "{:?}",
        unit.notes
    );
}

#[test]
fn a_few_unknown_signs_keep_their_places() {
    let content = "BT /F1 10 Tf 72 700 Td (Known words before) Tj /F2 10 Tf <012301230123> Tj /F1 10 Tf (and after.) Tj ET";
    assert_eq!(
        shown(&page(file(content))),
        "Known words before\u{fffd}\u{fffd}\u{fffd}and after."
    );
    // A font of which most characters are known, and one of which few are.
    let known = "BT /F3 10 Tf 72 700 Td (abcaaabaacaaaabcaaaabbaaabaaaabaaabaaaaacaa) Tj ET";
    assert!(shown(&page(file(known))).starts_with("a\u{fffd}\u{fffd}a"));
    let few = "BT /F3 10 Tf 72 700 Td (abcbbcbcbbcbbcbcabcbbcbcbcbacbcbcbbcbcb) Tj ET";
    assert!(shown(&page(file(few))).starts_with("\u{fffe}\u{fffe}"));
}

#[test]
fn unknown_signs_at_the_start_of_lines_are_bullets() {
    let line = |y: usize| {
        format!("BT /F2 10 Tf 72 {y} Td <0123> Tj /F1 10 Tf 18 0 Td (One item of it) Tj ET ")
    };
    let lines: String = (0..20).map(|it| line(700 - 14 * it)).collect();
    let unit = unit(file(&lines));
    assert!(
        unit.text.starts_with("- One item of it\n- One item"),
        "{}",
        unit.text
    );
    assert!(unit.notes.is_empty(), "{:?}", unit.notes);
    // A sign inside a line stays.
    let lines = format!(
        "{lines} BT /F1 10 Tf 72 100 Td (before) Tj /F2 10 Tf <0123> Tj /F1 10 Tf ( after) Tj ET"
    );
    assert!(shown(&page(file(&lines))).contains('\u{fffd}'));
}
