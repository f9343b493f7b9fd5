//! Text that is drawn from its end.
//!
//! A program may draw the letters of a line one by one, from the right. They are turned around, so that they follow
//! each other as in other text.

use crate::page::{Direction, Glyph};
use crate::script;

/// The number of glyphs from which a row of glyphs that go to the left is a text.
const LEAST: usize = 4;

/// The gap between two glyphs, in font sizes.
const GAP: std::ops::Range<f32> = -0.35..0.7;

/// The distance of the baselines of two glyphs, in font sizes.
const LEVEL: f32 = 0.03;

/// Turns the glyphs of texts around that are drawn from their ends.
pub fn turn(glyphs: &mut [Glyph]) {
    let mut start = 0_usize;
    while start < glyphs.len() {
        let rest = glyphs.get(start..).unwrap_or_default();
        let pairs = rest.windows(2);
        let steps = pairs
            .take_while(|pair| matches!(pair, [a, b] if goes_back(a, b)))
            .count();
        let count = steps.saturating_add(1);
        let end = start.saturating_add(count);
        if count >= LEAST
            && let Some(text) = glyphs.get_mut(start..end)
        {
            text.reverse();
        }
        start = end;
    }
}

/// Whether a glyph is at the left of the one before it. Scripts from the right are drawn so.
fn goes_back(before: &Glyph, glyph: &Glyph) -> bool {
    if glyph.x0 >= before.x0 {
        return false;
    }
    let is_rtl = |it: &Glyph| it.text.first().is_some_and(script::is_rtl);
    before.direction == Direction::Right
        && glyph.direction == Direction::Right
        && GAP.contains(&((before.x0 - glyph.x1) / glyph.size))
        && (before.y - glyph.y).abs() < LEVEL * glyph.size
        && before.font == glyph.font
        && glyph.x1 > glyph.x0
        && !is_rtl(before)
        && !is_rtl(glyph)
}

#[cfg(test)]
mod tests {
    use crate::content::{Show, content};
    use crate::file::File;
    use crate::open;
    use crate::testing::pages;

    #[test]
    fn letters_from_the_right_are_turned() {
        let mut text = String::new();
        for (place, letter) in "drawn back".chars().enumerate() {
            let x = 72 + 7 * place;
            text = format!("BT /F1 12 Tf {x} 700 Td ({letter}) Tj ET {text}");
        }
        let file = pages(&[&text], "", "", &[]);
        let page = content(&File::open(file.clone(), None).unwrap(), 0, Show::Visible);
        let mut shown = String::new();
        for glyph in &page.glyphs {
            glyph.text.push_to(&mut shown);
        }
        assert_eq!(shown, "drawn back");
        // The letters have one pitch, so that narrow ones have white at their sides.
        assert_eq!(open(file, None).unwrap().unit(0).text, "drawn back");
    }

    #[test]
    fn words_from_the_right_stay() {
        let text = "BT /F1 12 Tf 150 700 Td (one) Tj -40 0 Td (two) Tj -40 0 Td (three) Tj ET";
        let file = File::open(pages(&[text], "", "", &[]), None).unwrap();
        let mut shown = String::new();
        for glyph in &content(&file, 0, Show::Visible).glyphs {
            glyph.text.push_to(&mut shown);
        }
        assert_eq!(shown, "onetwothree");
    }
}
