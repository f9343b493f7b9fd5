//! Brackets in text that is read from the right.
//!
//! A bracket of such text is drawn as its mirror image (UAX #9, rule L4). Fonts of PDF files map the glyph
//! to the character that it looks like, or to the character that was written, as the program likes. Here all
//! become what they look like. The order of reading mirrors them again.
//!
//! A pair of brackets on a line shows which of them the font means: what looks like `(` is on the left of
//! what looks like `)`. A line without a pair is like most lines of its page.

use crate::bidi;
use crate::inline;
use crate::page::{Glyph, PageContent, Text};
use crate::script;

/// A line with letters from the right and brackets.
struct Line {
    /// The places of its brackets, from left to right.
    brackets: Vec<usize>,
    /// Whether it is read from the right.
    from_right: bool,
    /// The number of pairs that look like pairs, less the number of those that would if mirrored.
    pairs: isize,
}

/// Makes brackets on lines with letters from the right what they look like.
pub fn by_look(page: &mut PageContent) {
    let lines = lines(&page.glyphs);
    let own = lines.iter().filter(|it| it.from_right);
    let votes: isize = own.map(|it| it.pairs.signum()).sum();
    for line in lines {
        let mirrored = if line.from_right && votes != 0 {
            votes < 0
        } else {
            line.pairs < 0 && votes <= 0
        };
        if !mirrored {
            continue;
        }
        for place in line.brackets {
            if let Some(glyph) = page.glyphs.get_mut(place)
                && let Text::One(one) = &mut glyph.text
            {
                *one = script::mirrored(*one);
            }
        }
    }
}

/// The lines with letters from the right and brackets.
fn lines(glyphs: &[Glyph]) -> Vec<Line> {
    let mut out = Vec::new();
    let has = |property: fn(char) -> bool| {
        glyphs
            .iter()
            .any(|it| it.text.first().is_some_and(property))
    };
    if !has(script::is_rtl) || !has(is_bracket) {
        return out;
    }
    let mut start = 0_usize;
    for own in glyphs.chunk_by(|a, b| !inline::is_new_line(a, b)) {
        let first = start;
        start = start.saturating_add(own.len());
        let mut brackets: Vec<(f32, usize, char)> = Vec::new();
        for (place, glyph) in own.iter().enumerate() {
            if let Text::One(one) = glyph.text
                && is_bracket(one)
            {
                brackets.push((bidi::span(glyph).start, first.saturating_add(place), one));
            }
        }
        if brackets.is_empty() {
            continue;
        }
        let Some(from_right) = bidi::direction(own) else {
            continue;
        };
        brackets.sort_by(|a, b| a.0.total_cmp(&b.0));
        let shown = || brackets.iter().map(|it| it.2);
        let pairs = pairs(shown()).saturating_sub(pairs(shown().map(script::mirrored)));
        out.push(Line {
            brackets: brackets.iter().map(|it| it.1).collect(),
            from_right,
            pairs,
        });
    }
    out
}

fn is_bracket(it: char) -> bool {
    is_open(it) || is_open(script::mirrored(it))
}

/// Whether it is a bracket on the left of a pair.
fn is_open(it: char) -> bool {
    matches!(it, '(' | '[' | '{' | '«' | '‹')
}

/// The number of pairs of brackets that look like pairs, from left to right.
fn pairs(brackets: impl Iterator<Item = char>) -> isize {
    let mut open: Vec<char> = Vec::new();
    let mut count = 0_isize;
    for bracket in brackets {
        if is_open(bracket) {
            open.push(bracket);
        } else if open.last() == Some(&script::mirrored(bracket)) {
            open.pop();
            count = count.saturating_add(1);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Colour, Direction, FontId};

    /// The characters of lines after the change. The lines are given from left to right.
    fn changed(lines: &[&str]) -> Vec<String> {
        let mut page = PageContent::default();
        for (y, line) in (0_u8..).zip(lines) {
            for (x, character) in (0_u8..).zip(line.chars()) {
                let (x, y) = (f32::from(x) * 6.0, f32::from(y) * 14.0);
                page.glyphs.push(Glyph {
                    text: Text::One(character),
                    x0: x,
                    x1: x + 6.0,
                    y,
                    y1: y,
                    size: 10.0,
                    direction: Direction::Right,
                    font: FontId::default(),
                    colour: Colour::BLACK,
                    invisible: false,
                    heavy: false,
                    artifact: false,
                    mcid: None,
                });
            }
        }
        by_look(&mut page);
        let lines = page.glyphs.chunk_by(|a, b| a.y.to_bits() == b.y.to_bits());
        lines
            .map(|line| {
                let mut out = String::new();
                for glyph in line {
                    glyph.text.push_to(&mut out);
                }
                out
            })
            .collect()
    }

    #[test]
    fn brackets_that_look_like_pairs_stay() {
        assert_eq!(changed(&["(ב) א", "[a] ג"]), ["(ב) א", "[a] ג"]);
    }

    #[test]
    fn brackets_of_the_other_direction_are_mirrored() {
        assert_eq!(changed(&[")ב( א", "»ב« א"]), ["(ב) א", "«ב» א"]);
    }

    #[test]
    fn a_line_without_a_pair_is_like_the_page() {
        assert_eq!(changed(&[")ב( א", "א ב("]), ["(ב) א", "א ב)"]);
        assert_eq!(changed(&["(ב) א", "א ב("]), ["(ב) א", "א ב("]);
        assert_eq!(changed(&["א ב("]), ["א ב("]);
    }

    #[test]
    fn two_halves_of_pairs_are_like_the_page() {
        let lines = ["(ב) א", "(ד) ג", "ב) א (ד"];
        assert_eq!(changed(&lines), lines);
    }

    #[test]
    fn a_line_from_the_left_is_by_its_own_pairs() {
        assert_eq!(changed(&[")ב( א", "see (abc) א"]), ["(ב) א", "see (abc) א"]);
        assert_eq!(changed(&[")ב( א", "see )abc( א"]), ["(ב) א", "see (abc) א"]);
    }

    #[test]
    fn pages_without_letters_from_the_right_stay() {
        assert_eq!(changed(&["a) b ("]), ["a) b ("]);
    }
}
