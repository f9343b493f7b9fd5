//! The order of reading of the glyphs of a line, for scripts that are read from the left and from the
//! right, and the spaces between them.
//!
//! A page shows a line in visual order. This is the reverse of the Unicode Bidirectional Algorithm
//! (UAX #9) for one line: runs against the direction of the line are turned around. The characters of a
//! glyph, such as a ligature, are in reading order already.

use crate::page::{Direction, Glyph, Text};

/// The part of the font size from which a gap is a space.
const SPACE: f32 = 0.17;

/// A glyph in the order of reading.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Its place in the given line.
    pub index: usize,
    /// Whether a space is before it.
    pub space: bool,
    /// Whether its brackets are mirrored.
    pub mirrored: bool,
}

/// The position of a glyph along and across its line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// Where it starts, in the direction of the line.
    pub start: f32,
    /// Where it ends.
    pub end: f32,
    /// The position of the baseline. It grows from line to line.
    pub line: f32,
}

/// The position of a glyph in a coordinate system in which its line goes to the right, and the next
/// line is below.
pub fn span(glyph: &Glyph) -> Span {
    let (start, end, line) = match glyph.direction {
        Direction::Right | Direction::Other => (glyph.x0, glyph.x1, glyph.y),
        Direction::Down => (glyph.y, glyph.y1, -glyph.x0),
        Direction::Up => (-glyph.y, -glyph.y1, glyph.x0),
        Direction::Left => (-glyph.x0, -glyph.x1, -glyph.y),
    };
    Span {
        start: start.min(end),
        end: start.max(end),
        line,
    }
}

/// Whether a character belongs to a script that is read from the right.
pub fn is_rtl(character: char) -> bool {
    matches!(character,
        '\u{590}'..='\u{5ff}' | '\u{600}'..='\u{65f}' | '\u{66d}'..='\u{6ef}' | '\u{6fa}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Whether a character is a mark on another one.
pub fn is_mark(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}'
        | '\u{5c4}' | '\u{5c5}' | '\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}'
        | '\u{8d3}'..='\u{8ff}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{eb1}'
        | '\u{eb4}'..='\u{ebc}' | '\u{ec8}'..='\u{ecd}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// The class of a glyph for the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// A letter that is read from the left.
    Left,
    /// A letter that is read from the right.
    Right,
    /// A digit.
    Digit,
    /// A sign that joins digits: `.`, `,`, `:`, `/`, `-`, `+`, `%`.
    Separator,
    /// Anything else, and spaces.
    Neutral,
}

fn class(text: &Text) -> Class {
    let mut class = Class::Neutral;
    let mut each = |character: char| {
        let own = if is_rtl(character) {
            Class::Right
        } else if character.is_ascii_digit()
            || matches!(character, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}')
        {
            Class::Digit
        } else if character.is_alphabetic() {
            Class::Left
        } else if matches!(
            character,
            '.' | ',' | ':' | '/' | '-' | '+' | '%' | '\u{66a}'..='\u{66c}'
        ) {
            Class::Separator
        } else {
            Class::Neutral
        };
        if class == Class::Neutral {
            class = own;
        }
    };
    match text {
        Text::One(one) => each(*one),
        Text::Many(many) => many.chars().for_each(each),
        Text::None | Text::Unmapped => {}
    }
    class
}

/// An element of a line in visual order: glyphs that stay together, or a space.
struct Item {
    /// The places of the glyphs: a base and its marks. Empty for a space.
    glyphs: Vec<usize>,
    class: Class,
}

/// Whether a glyph has a letter that is read from the right.
fn has_rtl(glyph: &Glyph) -> bool {
    match &glyph.text {
        Text::One(one) => is_rtl(*one),
        Text::Many(many) => many.chars().any(is_rtl),
        _ => false,
    }
}

/// Whether a text is read from the right: most of its letters are, or at least half of them, because
/// names and terms in Latin letters are long. `None` if it has no letters that are read from the right.
pub fn direction<'g>(glyphs: impl IntoIterator<Item = &'g Glyph>) -> Option<bool> {
    let (mut left, mut right) = (0_usize, 0_usize);
    for glyph in glyphs {
        match class(&glyph.text) {
            Class::Left => left = left.saturating_add(1),
            Class::Right => right = right.saturating_add(1),
            _ => {}
        }
    }
    (right > 0).then_some(right >= left / 2)
}

/// Puts the glyphs of a line into the order of reading. They are given in the order of drawing.
/// `from_right` is whether its paragraph is read from the right, if this is known.
pub fn order(line: &[&Glyph], from_right: Option<bool>) -> Vec<Placed> {
    if !line.iter().any(|glyph| has_rtl(glyph)) && from_right != Some(true) {
        return from_left(line);
    }
    let from_right = from_right
        .or_else(|| direction(line.iter().copied()))
        .unwrap_or_default();
    let mut items = items(line);
    let turned = turn(&mut items, from_right);
    let mut out = Vec::with_capacity(line.len());
    let mut space = false;
    let mut last = Class::Neutral;
    for (item, mirrored) in items.into_iter().zip(turned) {
        // Programs lose the space between words of different scripts.
        let scripts = (last, item.class);
        space |= matches!(
            scripts,
            (Class::Left, Class::Right) | (Class::Right, Class::Left)
        );
        space |= item.glyphs.is_empty();
        last = item.class;
        for index in item.glyphs {
            out.push(Placed {
                index,
                space: std::mem::take(&mut space) && !out.is_empty(),
                mirrored,
            });
        }
    }
    out
}

/// A line without letters that are read from the right. It stays in the order of drawing, unless this
/// jumps back.
fn from_left(line: &[&Glyph]) -> Vec<Placed> {
    let mut places: Vec<usize> = (0..line.len()).collect();
    let spans: Vec<Span> = line.iter().map(|glyph| span(glyph)).collect();
    let at = |place: usize| spans.get(place).copied().unwrap_or_default();
    let size = |place: usize| line.get(place).map_or(1.0, |glyph| glyph.size);
    let back = places.windows(2).any(|pair| match pair {
        [a, b] => at(*b).start < at(*a).start - size(*a) * 1.5,
        _ => false,
    });
    if back {
        places.sort_by(|a, b| at(*a).start.total_cmp(&at(*b).start));
    }
    let gap = threshold(&places, &spans, line);
    let mut out: Vec<Placed> = Vec::with_capacity(line.len());
    let (mut space, mut end) = (false, f32::NEG_INFINITY);
    for place in places {
        let Some(glyph) = line.get(place) else {
            continue;
        };
        let here = at(place);
        if glyph.text.is_blank() && !matches!(glyph.text, Text::None) {
            space = true;
            end = end.max(here.end);
            continue;
        }
        space |= end.is_finite() && here.start - end > gap * glyph.size;
        out.push(Placed {
            index: place,
            space: std::mem::take(&mut space) && !out.is_empty(),
            mirrored: false,
        });
        end = if back { end.max(here.end) } else { here.end };
    }
    out
}

/// The part of the font size from which a gap is a space on this line. Letters that are spaced out, as
/// in some headings, have gaps between all of them.
fn threshold(places: &[usize], spans: &[Span], line: &[&Glyph]) -> f32 {
    let mut gaps: Vec<f32> = Vec::with_capacity(places.len());
    for pair in places.windows(2) {
        let [a, b] = pair else { continue };
        let (Some(before), Some(after), Some(glyph)) = (spans.get(*a), spans.get(*b), line.get(*b))
        else {
            continue;
        };
        if glyph.size > 0.0
            && !glyph.text.is_blank()
            && line.get(*a).is_some_and(|glyph| !glyph.text.is_blank())
        {
            gaps.push((after.start - before.end) / glyph.size);
        }
    }
    let middle = gaps.len() / 2;
    if gaps.len() < 6 {
        return SPACE;
    }
    let (_, median, _) = gaps.select_nth_unstable_by(middle, f32::total_cmp);
    SPACE + median.clamp(0.0, 1.0)
}

/// The elements of a line from left to right.
fn items(line: &[&Glyph]) -> Vec<Item> {
    let spans: Vec<Span> = line.iter().map(|glyph| span(glyph)).collect();
    let at = |place: usize| spans.get(place).copied().unwrap_or_default();
    let is_marks = |glyph: &Glyph| !matches!(glyph.text, Text::None) && glyph.text.all(is_mark);
    let mut bases: Vec<usize> = Vec::new();
    let mut marks: Vec<(usize, usize)> = Vec::new();
    for (place, glyph) in line.iter().enumerate() {
        if !is_marks(glyph) {
            bases.push(place);
            continue;
        }
        // The base is drawn before or after the mark, and the mark is within its width.
        let middle = f32::midpoint(at(place).start, at(place).end);
        let distance = |other: usize| {
            let span = at(other);
            (span.start - middle).max(middle - span.end).max(0.0)
        };
        let is_base = |other: &usize| {
            line.get(*other)
                .is_some_and(|glyph| !is_marks(glyph) && !glyph.text.is_blank())
        };
        let before = (0..place).rev().take(4).find(is_base);
        let after = (place.saturating_add(1)..line.len()).take(4).find(is_base);
        let base = match (before, after) {
            (Some(before), Some(after)) => {
                if distance(after) < distance(before) {
                    Some(after)
                } else {
                    Some(before)
                }
            }
            (before, after) => before.or(after),
        };
        match base {
            Some(base) => marks.push((base, place)),
            None => bases.push(place),
        }
    }
    bases.sort_by(|a, b| {
        let middle = |place: usize| f32::midpoint(at(place).start, at(place).end);
        middle(*a).total_cmp(&middle(*b))
    });
    let mut items: Vec<Item> = Vec::with_capacity(bases.len());
    let mut end = f32::NEG_INFINITY;
    for place in bases {
        let Some(glyph) = line.get(place) else {
            continue;
        };
        let here = at(place);
        let blank = glyph.text.is_blank() && !matches!(glyph.text, Text::None);
        let gap = end.is_finite() && here.start - end > SPACE * glyph.size;
        if (blank || gap) && items.last().is_some_and(|last| !last.glyphs.is_empty()) {
            items.push(Item {
                glyphs: Vec::new(),
                class: Class::Neutral,
            });
        }
        end = end.max(here.end);
        if blank {
            continue;
        }
        let own = marks
            .iter()
            .filter(|(base, _)| *base == place)
            .map(|(_, mark)| *mark);
        let glyphs = std::iter::once(place).chain(own).collect();
        items.push(Item {
            glyphs,
            class: class(&glyph.text),
        });
    }
    items
}

/// Puts the elements into the order of reading. Returns for each whether it is mirrored.
fn turn(items: &mut [Item], from_right: bool) -> Vec<bool> {
    let classes: Vec<Class> = items.iter().map(|item| item.class).collect();
    let at = |place: usize| classes.get(place).copied().unwrap_or(Class::Neutral);
    let number_end = |start: usize| {
        // Digits, and separators between digits.
        let mut end = start;
        let mut place = start;
        loop {
            match at(place) {
                Class::Digit if place < classes.len() => end = place.saturating_add(1),
                Class::Separator if place < classes.len() => {}
                _ => break,
            }
            place = place.saturating_add(1);
        }
        end
    };
    // Runs that are read from the left: (start, end).
    let mut left: Vec<(usize, usize)> = Vec::new();
    let mut place = 0_usize;
    while place < classes.len() {
        match at(place) {
            Class::Left => {
                let mut end = place.saturating_add(1);
                let mut next = end;
                while next < classes.len() && at(next) != Class::Right {
                    next = next.saturating_add(1);
                    if matches!(at(next.saturating_sub(1)), Class::Left | Class::Digit) {
                        end = next;
                    }
                }
                left.push((place, end));
                place = end;
            }
            Class::Digit => {
                let end = number_end(place).max(place.saturating_add(1));
                // Digits directly before Latin letters belong to them.
                if at(end) == Class::Left && end < classes.len() {
                    classes_left(&mut left, place);
                    place = end;
                    continue;
                }
                left.push((place, end));
                place = end;
            }
            _ => place = place.saturating_add(1),
        }
    }
    // A digit run that was noted as the start of a run of letters joins it.
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for run in left {
        match joined.last_mut() {
            Some(last) if last.1 == usize::MAX => last.1 = run.1,
            _ => joined.push(run),
        }
    }
    let mut mirrored = vec![false; items.len()];
    if from_right {
        let mut inside = vec![false; items.len()];
        for (start, end) in &joined {
            for place in inside
                .get_mut(*start..(*end).min(items.len()))
                .unwrap_or_default()
            {
                *place = true;
            }
        }
        for (place, inside) in mirrored.iter_mut().zip(&inside) {
            *place = !inside;
        }
        items.reverse();
        mirrored.reverse();
        let count = items.len();
        for (start, end) in joined {
            let (from, to) = (
                count.saturating_sub(end.min(count)),
                count.saturating_sub(start),
            );
            if let Some(run) = items.get_mut(from..to) {
                run.reverse();
            }
        }
        return mirrored;
    }
    // The line is read from the left: runs of letters that are read from the right are turned.
    let mut place = 0_usize;
    while place < classes.len() {
        if at(place) != Class::Right {
            place = place.saturating_add(1);
            continue;
        }
        let mut end = place.saturating_add(1);
        let mut next = end;
        while next < classes.len() && at(next) != Class::Left {
            next = next.saturating_add(1);
            if at(next.saturating_sub(1)) == Class::Right {
                end = next;
            }
        }
        if let Some(run) = items.get_mut(place..end) {
            run.reverse();
        }
        for turned in mirrored.get_mut(place..end).unwrap_or_default() {
            *turned = true;
        }
        let span = end.saturating_sub(place);
        for (start, stop) in &joined {
            if *start >= place && *stop <= end {
                let from = place.saturating_add(end.saturating_sub(*stop));
                let to = from
                    .saturating_add(stop.saturating_sub(*start))
                    .min(place.saturating_add(span));
                if let Some(run) = items.get_mut(from..to) {
                    run.reverse();
                }
                for turned in mirrored.get_mut(from..to).unwrap_or_default() {
                    *turned = false;
                }
            }
        }
        place = end;
    }
    mirrored
}

/// Notes that a run starts here, whose end the next run gives.
fn classes_left(left: &mut Vec<(usize, usize)>, start: usize) {
    left.push((start, usize::MAX));
}

/// The bracket for the other direction.
pub fn mirror(character: char) -> char {
    match character {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        '‹' => '›',
        '›' => '‹',
        _ => character,
    }
}

/// The usual letter of a presentation form of Arabic. Others stay.
pub fn plain(character: char, out: &mut String) {
    match crate::arabic::letters(character) {
        Some(letters) => out.push_str(letters),
        None => out.push(character),
    }
}

/// Adds the characters of a glyph to a text.
pub fn push(glyph: &Glyph, mirrored: bool, out: &mut String) {
    let mut each = |character: char| {
        if mirrored {
            out.push(mirror(character));
        } else if matches!(character, '\u{fb50}'..='\u{fefc}') {
            plain(character, out);
        } else {
            out.push(character);
        }
    };
    match &glyph.text {
        Text::One(one) if mirrored && is_rtl(*one) => plain(*one, out),
        Text::One(one) => each(*one),
        Text::Many(many) => {
            for character in many.chars() {
                plain(character, out);
            }
        }
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
            push(glyph, placed.mirrored, &mut out);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn spaced_letters_are_one_word() {
        let mut glyphs = line("HEADINGS");
        for (place, glyph) in (0_u8..).zip(&mut glyphs) {
            glyph.x0 += f32::from(place) * 3.0;
            glyph.x1 += f32::from(place) * 3.0;
        }
        assert_eq!(text(&glyphs.iter().collect::<Vec<_>>()), "HEADINGS");
    }
}
