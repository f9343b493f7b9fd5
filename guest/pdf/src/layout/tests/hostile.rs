//! False positions and huge counts: no panic, and the rest of the text.

use super::*;

#[test]
fn positions_that_make_no_sense() {
    let values = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        -0.0,
        1e30,
    ];
    let mut page = Builder::new().lines(50.0, 100.0, 10.0, &PROSE);
    for a in values {
        for b in values {
            page.page
                .glyphs
                .push(glyph('x', (a, b), 100.0, 10.0, REGULAR));
            page.page
                .glyphs
                .push(glyph('y', (10.0, 15.0), a, b, REGULAR));
            page.page.glyphs.push(glyph('z', (a, a), b, 1e-20, 999));
            page = page
                .across(a, b, a)
                .down(b, a, b)
                .fill(a, b, a, b)
                .image([a, a, b, b], 1)
                .link([a, b, b, a], "x");
        }
    }
    page.page.width = f32::NAN;
    page.page.height = f32::INFINITY;
    let text = page.markdown();
    assert!(
        text.contains("in the order in which they were written"),
        "{text}"
    );
}

#[test]
fn all_glyphs_at_one_point() {
    let mut page = Builder::new();
    for index in 0..200_000_u32 {
        let character = char::from_u32(97 + index % 26).unwrap_or('a');
        page.page
            .glyphs
            .push(glyph(character, (100.0, 100.0), 100.0, 10.0, REGULAR));
    }
    let _ = page.markdown();
}

#[test]
fn glyphs_without_order() {
    let mut page = Builder::new();
    let mut state = 1_u32;
    let mut next = |most: f32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 16_777_216.0 * most
    };
    for _ in 0..60_000 {
        let (x, y, size) = (next(600.0), next(800.0), 1.0 + next(40.0));
        page.page
            .glyphs
            .push(glyph('a', (x, x + 0.5 * size), y, size, REGULAR));
    }
    for _ in 0..4000 {
        let (x, y) = (next(600.0), next(800.0));
        let (w, h) = (next(600.0), next(800.0));
        page = page
            .across(x, x + w, y)
            .down(x, y, y + h)
            .fill(x, y, x + w, y + h);
    }
    let _ = page.markdown();
}

#[test]
fn an_empty_page() {
    assert_eq!(Builder::new().markdown(), "");
    let page = PageContent::default();
    assert_eq!(markdown_of(&[page]), [""]);
}

#[test]
fn a_cell_over_rows_with_very_many_lines() {
    // Each comparison of all lines of a cell with all lines beside it takes a second.
    let mut page = Builder::new();
    for x in [50.0, 300.0, 550.0] {
        page = page.down(x, 50.0, 60_000.0);
    }
    for y in [50.0, 60_000.0] {
        page = page.across(50.0, 550.0, y);
    }
    for y in [100.0, 150.0] {
        page = page.across(300.0, 550.0, y);
    }
    page = page
        .text((310.0, 60.0), 1.0, REGULAR, "x")
        .text((310.0, 110.0), 1.0, REGULAR, "x");
    for index in 0..25_000_u16 {
        let y = 155.0 + 2.0 * f32::from(index);
        page = page
            .text((60.0, y), 1.0, REGULAR, "a")
            .text((310.0, y + 1.0), 1.0, REGULAR, "b");
    }
    let text = page.markdown();
    assert_eq!(text.matches('b').count(), 25_000);
}
