//! The order of reading of the glyphs of a line, for scripts that are read from the left and from the
//! right, and the spaces between them.
//!
//! ```text
//! mod.rs   glyphs of a line → their order, their spaces and their text
//! items    glyphs → letters with their marks, and spaces, from left to right
//! levels   classes of elements from left to right → their order of reading
//! on_line  glyphs with a place on a line
//! spaces   a line without letters from the right, and the gaps that are spaces
//! ```
//!
//! A page shows a line in visual order. This is the reverse of the Unicode Bidirectional Algorithm
//! (UAX #9) for one line: runs against the direction of the line are turned around. The characters of a
//! glyph, such as a ligature, are in reading order already.
//!
//! Tagged pages give whole lines ([`order`]). The layout of other pages gives the glyphs of a word
//! ([`order_word`]), and then the words of a line ([`levels::reading`]). The rules are the same.

mod items;
pub mod levels;
mod on_line;
mod spaces;

use crate::forms;
use crate::page::{Glyph, Text};
use crate::script;
use levels::Class;
pub use on_line::{OnLine, Placed, Span, span};

/// Whether a glyph has a letter that is read from the right.
fn has_rtl(text: &Text) -> bool {
    match text {
        Text::One(one) => script::is_rtl(*one),
        Text::Many(many) => many.chars().any(script::is_rtl),
        Text::None | Text::Unmapped => false,
    }
}

/// Whether glyphs are read from the right. `None` if they have no letters that are read from the right.
pub fn direction<'g, G: OnLine + 'g>(glyphs: impl IntoIterator<Item = &'g G>) -> Option<bool> {
    levels::is_from_right(glyphs.into_iter().map(|it| Class::of(it.text())))
}

/// Puts the glyphs of a line into the order of reading. They are given in the order of drawing.
/// `from_right` is whether its paragraph is read from the right, if this is known.
pub fn order<G: OnLine>(line: &[&G], from_right: Option<bool>) -> Vec<Placed> {
    if !line.iter().any(|glyph| has_rtl(glyph.text())) && from_right != Some(true) {
        return spaces::from_left(line);
    }
    let from_right = from_right
        .or_else(|| direction(line.iter().copied()))
        .unwrap_or_default();
    reading(&items::items(line, spaces::SPACE), from_right)
}

/// Puts the glyphs of a word with letters from the right into the order of reading. Their positions
/// decide, not the order in which they are given. There are no spaces in it.
pub fn order_word<G: OnLine>(word: &[&G]) -> Vec<Placed> {
    reading(&items::items(word, f32::INFINITY), true)
}

/// The glyphs of elements in the order of reading.
fn reading(items: &[items::Item], from_right: bool) -> Vec<Placed> {
    let classes: Vec<Class> = items.iter().map(|item| item.class).collect();
    let mut out = Vec::with_capacity(items.len());
    let mut space = false;
    let mut last = Class::Neutral;
    for (place, mirrored) in levels::reading(&classes, from_right) {
        let Some(item) = items.get(place) else {
            continue;
        };
        // Programs lose the space between words of different scripts.
        space |= last.is_right() && item.class == Class::Left;
        space |= last == Class::Left && item.class.is_right();
        space |= item.base.is_none();
        last = item.class;
        for index in item.base.iter().chain(&item.marks) {
            out.push(Placed {
                index: *index,
                space: std::mem::take(&mut space) && !out.is_empty(),
                mirrored,
            });
        }
    }
    out
}

/// Adds the characters of a glyph to a text, with the letters of presentation forms.
pub fn push(glyph: &Text, mirrored: bool, out: &mut String) {
    match glyph {
        Text::One(one) if mirrored => forms::push(script::mirrored(*one), out),
        Text::One(one) => forms::push(*one, out),
        Text::Many(many) => many.chars().for_each(|it| forms::push(it, out)),
        Text::None => {}
        Text::Unmapped => out.push('\u{fffd}'),
    }
}

/// The text of a line, whose glyphs are given in the order of drawing.
pub fn text(line: &[&Glyph]) -> String {
    let mut out = String::new();
    for placed in order(line, None) {
        if placed.space && !out.ends_with(' ') {
            out.push(' ');
        }
        if let Some(glyph) = line.get(placed.index) {
            push(&glyph.text, placed.mirrored, &mut out);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Direction;
    use std::rc::Rc;

    /// Glyphs that are 6 wide at size 10, from left to right. `|` separates glyphs of several letters.
    fn line(text: &str) -> Vec<Glyph> {
        let mut x = 0.0;
        let mut out = Vec::new();
        let mut many: Option<String> = None;
        for character in text.chars() {
            if character == '|' {
                if let Some(text) = many.take() {
                    out.push(glyph(Text::Many(Rc::from(text)), x));
                    x += 6.0;
                } else {
                    many = Some(String::new());
                }
            } else if let Some(many) = &mut many {
                many.push(character);
            } else {
                if character != ' ' {
                    out.push(glyph(Text::One(character), x));
                }
                x += 6.0;
            }
        }
        out
    }

    fn glyph(text: Text, x: f32) -> Glyph {
        Glyph {
            text,
            x0: x,
            x1: x + 6.0,
            y: 0.0,
            y1: 0.0,
            size: 10.0,
            direction: Direction::Right,
            font: crate::page::FontId::default(),
            colour: crate::page::Colour::BLACK,
            invisible: false,
            heavy: false,
            artifact: false,
            mcid: None,
        }
    }

    fn read(visual: &str) -> String {
        let glyphs = line(visual);
        text(&glyphs.iter().collect::<Vec<_>>())
    }

    #[test]
    fn lines_from_the_left() {
        assert_eq!(read("to be  or"), "to be or");
        assert_eq!(read("a|ffi|b"), "affib");
    }

    #[test]
    fn lines_from_the_right() {
        // Visual order, from left to right, on the left side.
        assert_eq!(read("גב א"), "א בג");
        assert_eq!(read("1948 םולש"), "שלום 1948");
        assert_eq!(read("ד 10.12 גבא"), "אבג 10.12 ד");
        assert_eq!(read("ד abc def גבא"), "אבג abc def ד");
        assert_eq!(read("(ב) א"), "א (ב)");
        // A ligature of two letters keeps their order.
        assert_eq!(read("ם|לא|ס"), "סלאם");
    }

    #[test]
    fn words_from_the_right_in_a_line_from_the_left() {
        assert_eq!(read("see גבא for more words"), "see אבג for more words");
        assert_eq!(read("one two ב 12 א six"), "one two א 12 ב six");
    }

    #[test]
    fn marks_follow_their_letters() {
        let mut glyphs = line("בא");
        let mut mark = glyph(Text::One('\u{5b0}'), 8.0);
        mark.x1 = 8.0;
        // Drawn before the letter on the right, within the letter.
        glyphs.insert(1, mark);
        assert_eq!(text(&glyphs.iter().collect::<Vec<_>>()), "א\u{5b0}ב");
    }

    #[test]
    fn marks_before_their_letters_in_visual_order_follow_them() {
        // HarfBuzz gives the marks of text from the right before their letter, the last one first.
        let mut glyphs = line("בא");
        let mark = |mark: char, x: f32| Glyph {
            x1: x,
            ..glyph(Text::One(mark), x)
        };
        glyphs.insert(1, mark('\u{5bc}', 7.0));
        glyphs.insert(1, mark('\u{5b0}', 5.5));
        let text_of = |glyphs: &[Glyph]| text(&glyphs.iter().collect::<Vec<_>>());
        assert_eq!(text_of(&glyphs), "א\u{5bc}\u{5b0}ב");
        let word = order_word(&glyphs.iter().collect::<Vec<_>>());
        let word: Vec<usize> = word.iter().map(|it| it.index).collect();
        assert_eq!(word, [3, 2, 1, 0]);
    }

    #[test]
    fn presentation_forms_are_letters() {
        assert_eq!(read("\u{feea}\u{fee0}\u{feed}"), "\u{648}\u{644}\u{647}");
    }

    #[test]
    fn spaced_letters_are_one_word() {
        let mut glyphs = line("HEADINGS");
        for (place, glyph) in (0_u8..).zip(&mut glyphs) {
            glyph.x0 += f32::from(place) * 3.0;
            glyph.x1 += f32::from(place) * 3.0;
        }
        assert_eq!(text(&glyphs.iter().collect::<Vec<_>>()), "HEADINGS");
    }
}
