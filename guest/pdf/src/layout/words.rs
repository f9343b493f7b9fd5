//! Glyphs → words.
//!
//! Glyphs that follow each other in the stream, on one baseline and without a wide gap, are a run.
//! The gaps of a run tell which of them are between words: text may be spaced out, and fonts differ
//! in their spaces. A word also ends where the format changes.

use super::frame::Placed;
use super::sizes;
use super::spacing::{Spacing, space_widths, word_gap};
use crate::bidi;
use crate::extremes::Extremes as _;
use crate::leaders::{LEADER_DOTS, is_dot};
use crate::page::Text;
use crate::script;
use std::collections::BTreeMap;
use std::ops::Range;

/// The height of letters above the baseline, and their depth below it, in font sizes, about.
pub const ASCENT: f32 = 0.75;
pub const DESCENT: f32 = 0.22;

/// The distance of two equal glyphs in font sizes, up to which the second one makes the first one bold.
const TWICE: f32 = 0.08;

/// The distance of the baselines of two glyphs of a run in font sizes, and that of the marks of Arabic and Hebrew
/// letters.
const LEVEL: f32 = 0.08;
const MARK_LEVEL: f32 = 0.8;

/// The gaps between two glyphs of a run in font sizes: letters overlap by a third, and wide spaces have more than
/// one size.
const GAPS: Range<f32> = -0.35..1.5;

/// The gap in font sizes from which a glyph shows that the run goes to the right.
const MOVED: f32 = -0.05;

/// The width of a glyph in font sizes below which it is a mark, and the gaps of marks to the letter before.
const MARK: f32 = 0.05;
const MARK_GAPS: Range<f32> = -1.6..1.5;

/// The gap between a Chinese and another letter in font sizes that is not a space.
const WIDE_GAP: f32 = 0.4;

/// The gap from which on there is a space between two words, in font sizes: next to Chinese letters, next to raised
/// words, which have white at their sides, and elsewhere.
const WIDE_SPACE: f32 = 0.45;
const RAISED_SPACE: f32 = 0.25;
const WORD_SPACE: f32 = 0.16;

/// The number of glyphs of a word with its space, about.
const GLYPHS: usize = 5;

/// The format of a word: a set of properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the properties of a format are independent"
)]
pub struct Face {
    /// Heavy strokes.
    pub bold: bool,
    /// Slanted.
    pub italic: bool,
    /// Code: all glyphs have one width, and the document has other text too.
    pub mono: bool,
    /// All glyphs have one width.
    pub fixed: bool,
}

/// The position of a word relative to its line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rise {
    /// On the line.
    #[default]
    None,
    /// Above.
    Super,
    /// Below.
    Sub,
}

/// A word, or a part of a word with one format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    /// The characters in logical order, without white space.
    pub text: String,
    /// The left end.
    pub x0: f32,
    /// The right end.
    pub x1: f32,
    /// The baseline.
    pub y: f32,
    /// The size in points.
    pub size: f32,
    /// The format.
    pub face: Face,
    /// The position relative to the line.
    pub rise: Rise,
    /// The number of characters.
    pub chars: usize,
    /// Whether it is read from the right.
    pub rtl: bool,
    /// What is between it and the next word in the stream: a space, or nothing. `None` if unknown.
    pub space: Option<bool>,
    /// The number of its link in the page, from 1. It is 0 without a link.
    pub link: u32,
    /// The position in the stream.
    pub order: usize,
    /// The gap between the letters in points. It is 0 unless the text is spaced out.
    pub tracking: f32,
}

impl Word {
    /// The upper end of its letters, about.
    pub fn top(&self) -> f32 {
        self.y - ASCENT * self.size
    }

    /// The lower end of its letters, about.
    pub fn bottom(&self) -> f32 {
        self.y + DESCENT * self.size
    }

    /// The middle.
    pub fn mid(&self) -> f32 {
        0.5 * (self.x0 + self.x1)
    }
}

/// Returns the words of a frame, in the order of the stream.
pub fn words(glyphs: &[Placed<'_>]) -> Vec<Word> {
    let spaces = space_widths(glyphs);
    let mut out = Vec::with_capacity(glyphs.len() / GLYPHS);
    let mut run: Vec<&Placed<'_>> = Vec::new();
    let mut leftwards: Option<bool> = None;
    for glyph in glyphs {
        // Bold is faked by drawing a glyph twice.
        if let Some(last) = run.last()
            && twice(last, glyph)
        {
            continue;
        }
        let follows = run.last().and_then(|last| follows(last, glyph, leftwards));
        match follows {
            Some(left) => {
                if left.is_some() {
                    leftwards = left;
                }
            }
            None => {
                split(&run, leftwards == Some(true), &spaces, &mut out);
                run.clear();
                leftwards = None;
            }
        }
        run.push(glyph);
    }
    split(&run, leftwards == Some(true), &spaces, &mut out);
    out
}

/// Whether a glyph is drawn again to make it bold.
fn twice(last: &Placed<'_>, glyph: &Placed<'_>) -> bool {
    let near = TWICE * glyph.size;
    last.text == glyph.text
        && !glyph.text.is_blank()
        && (last.y - glyph.y).abs() < near
        && (last.x0 - glyph.x0).abs() < near
        && last.x1 - last.x0 > near
}

/// Whether a glyph continues a run, and the direction if this shows it.
#[expect(
    clippy::option_option,
    reason = "no, yes, and yes with a direction are three answers"
)]
fn follows(last: &Placed<'_>, glyph: &Placed<'_>, leftwards: Option<bool>) -> Option<Option<bool>> {
    let size = glyph.size.greater(last.size);
    // Programs place the marks of Arabic and Hebrew letters above or below the line.
    let rtl_mark = |it: &Placed<'_>| it.text.first().is_some_and(script::is_rtl_mark);
    let level = if rtl_mark(glyph) || rtl_mark(last) {
        MARK_LEVEL
    } else {
        LEVEL
    };
    if (glyph.size - last.size).abs() > sizes::SAME * size
        || (glyph.y - last.y).abs() > level * size
    {
        return None;
    }
    let right = (glyph.x0 - last.x1) / size;
    if leftwards != Some(true) && GAPS.contains(&right) {
        let moved = right > MOVED && glyph.x1 > last.x1 && !glyph.text.is_blank();
        return Some(moved.then_some(false).filter(|_| leftwards.is_none()));
    }
    let left = (last.x0 - glyph.x1) / size;
    if leftwards != Some(false) && GAPS.contains(&left) {
        let is_rtl = glyph.text.first().is_some_and(script::is_rtl)
            || last.text.first().is_some_and(script::is_rtl)
            || leftwards == Some(true);
        return is_rtl.then_some(Some(true));
    }
    // A combining mark may be anywhere over its letter.
    let marks = || glyph.x1 - glyph.x0 < MARK * size || glyph.text.all(script::is_mark);
    (MARK_GAPS.contains(&right) && marks()).then_some(None)
}

/// Splits a run into words.
fn split(run: &[&Placed<'_>], leftwards: bool, spaces: &BTreeMap<u16, f32>, out: &mut Vec<Word>) {
    let Some(first) = run.first() else { return };
    let Spacing { limit, tracking } = word_gap(run, leftwards, spaces);
    let start = out.len();
    let mut current: Vec<&Placed<'_>> = Vec::new();
    let mut edge = if leftwards { first.x1 } else { first.x0 };
    let mut format = Face::default();
    for glyph in run {
        if glyph.text.is_blank() && *glyph.text != Text::None {
            flush(&mut current, leftwards, Some(true), out);
            if let Some(last) = out.get_mut(start..).and_then(<[Word]>::last_mut) {
                last.space = Some(true);
            }
            edge = if leftwards { glyph.x0 } else { glyph.x1 };
            continue;
        }
        let last_format = std::mem::replace(&mut format, face(glyph));
        if let Some(last) = current.last() {
            let gap = if leftwards {
                edge - glyph.x1
            } else {
                glyph.x0 - edge
            };
            let mark = glyph.text.first().is_some_and(script::is_rtl_mark);
            let wide = gap > allowed(last, glyph, limit) && *glyph.text != Text::None && !mark;
            if wide {
                flush(&mut current, leftwards, Some(true), out);
            } else if last_format != format && *glyph.text != Text::None {
                flush(&mut current, leftwards, Some(false), out);
            }
        }
        edge = if leftwards {
            edge.lesser(glyph.x0)
        } else {
            edge.greater(glyph.x1)
        };
        if current.is_empty() {
            edge = if leftwards { glyph.x0 } else { glyph.x1 };
        }
        current.push(glyph);
    }
    flush(&mut current, leftwards, None, out);
    for word in out.get_mut(start..).unwrap_or_default() {
        word.tracking = tracking;
    }
}

/// The gap that separates two glyphs, in points. Between Chinese and Latin letters, programs add a
/// quarter of an em that is not a space.
fn allowed(a: &Placed<'_>, b: &Placed<'_>, limit: f32) -> f32 {
    let wide = a.text.last().is_some_and(script::is_wide);
    if wide || b.text.first().is_some_and(script::is_wide) {
        limit.greater(WIDE_GAP * b.size)
    } else {
        limit
    }
}

/// The format of a glyph.
fn face(glyph: &Placed<'_>) -> Face {
    // Chinese fonts have one width, but are not for code.
    let fixed = glyph.font.mono && !glyph.text.first().is_some_and(script::is_wide);
    Face {
        bold: glyph.font.bold || glyph.heavy,
        italic: glyph.font.italic,
        mono: fixed,
        fixed,
    }
}

/// Ends a word.
fn flush(glyphs: &mut Vec<&Placed<'_>>, leftwards: bool, space: Option<bool>, out: &mut Vec<Word>) {
    // A bullet may touch its text.
    if !leftwards
        && glyphs.len() > 1
        && let Some(first) = glyphs.first()
        && matches!(first.text, Text::One(one) if script::is_strong_bullet(*one))
    {
        let mut bullet = vec![glyphs.remove(0)];
        flush(&mut bullet, leftwards, Some(true), out);
    }
    if let Some(at) = after_leader(glyphs) {
        let mut number = glyphs.split_off(at);
        flush(glyphs, leftwards, Some(true), out);
        glyphs.append(&mut number);
    }
    let Some(first) = glyphs.first() else { return };
    let is_rtl = glyphs
        .iter()
        .any(|it| it.text.first().is_some_and(script::is_rtl));
    let mut word = Word {
        x0: first.x0,
        x1: first.x1,
        y: first.y,
        size: first.size,
        face: face(first),
        rtl: is_rtl,
        space,
        order: out.len(),
        ..Word::default()
    };
    let letter = glyphs
        .iter()
        .find(|it| !it.text.first().is_some_and(script::is_rtl_mark));
    word.y = letter.map_or(word.y, |it| it.y);
    for glyph in glyphs.iter() {
        word.x0 = word.x0.lesser(glyph.x0);
        word.x1 = word.x1.greater(glyph.x1);
    }
    word.text.reserve(glyphs.len());
    if is_rtl && !leftwards {
        // The glyphs are in the order of the page.
        for placed in bidi::order_word(glyphs) {
            if let Some(glyph) = glyphs.get(placed.index) {
                bidi::push(glyph.text, placed.mirrored, &mut word.text);
            }
        }
    } else {
        for glyph in glyphs.iter() {
            match glyph.text {
                // Most letters have no other form.
                Text::One(one) if one.is_ascii() => word.text.push(*one),
                text => bidi::push(text, false, &mut word.text),
            }
        }
    }
    if word.text.bytes().any(|it| !it.is_ascii_graphic()) {
        word.text.retain(|it| !script::is_ignorable(it));
    }
    word.chars = word.text.chars().count();
    glyphs.clear();
    if word.chars > 0 {
        out.push(word);
    }
}

/// The start of a page number that touches its leader dots, as tab stops of word processors do.
fn after_leader(glyphs: &[&Placed<'_>]) -> Option<usize> {
    const DIGITS: usize = 6;
    let is_page =
        |it: &char| it.is_ascii_digit() || matches!(it, 'i' | 'v' | 'x' | 'l' | 'c' | '-');
    let one = |glyph: &&Placed<'_>| match glyph.text {
        Text::One(one) => Some(*one),
        _ => None,
    };
    let after = glyphs.iter().rev();
    let count = after
        .clone()
        .take_while(|it| one(it).is_some_and(|it| is_page(&it)))
        .count();
    if count == 0 || count > DIGITS {
        return None;
    }
    let dots = after
        .skip(count)
        .take_while(|it| one(it).is_some_and(is_dot))
        .count();
    (dots >= LEADER_DOTS).then(|| glyphs.len().saturating_sub(count))
}

/// Whether there is a space between two words that follow each other in reading.
pub fn space_between(a: &Word, b: &Word) -> bool {
    let (early, late) = if a.order < b.order { (a, b) } else { (b, a) };
    if late.order == early.order.saturating_add(1)
        && let Some(space) = early.space
    {
        return space;
    }
    let gap = if b.x0 >= a.x0 {
        b.x0 - a.x1
    } else {
        a.x0 - b.x1
    };
    let size = a.size.lesser(b.size);
    let wide = a.text.chars().next_back().is_some_and(script::is_wide)
        || b.text.chars().next().is_some_and(script::is_wide);
    let raised = a.rise != Rise::None || b.rise != Rise::None;
    let limit = if wide {
        WIDE_SPACE
    } else if raised {
        RAISED_SPACE
    } else {
        WORD_SPACE
    };
    gap > limit * size
}
