//! Lines of code: glyphs of one width → text with its indentation.

use crate::bidi;
use crate::extremes::Extremes as _;
use crate::page::{Glyph, PageContent};

/// The distance of lines of one listing in font sizes, and the difference of their sizes in points.
const STEP: f32 = 2.0;
const SAME_SIZE: f32 = 0.5;

/// The distance of lines from which empty lines are between them, in usual distances, and the maximum number of these.
const EMPTY: f32 = 1.6;
const MOST_EMPTY: usize = 3;

/// The gap from which spaces are between glyphs, in widths of a character, and the maximum number of these.
const SPACE: f32 = 0.4;
const MOST_SPACES: usize = 200;

/// The least width of a glyph, and the least distance of lines, in points. Others are drawn on each other.
const LEAST_WIDTH: f32 = 0.1;
const LEAST_STEP: f32 = 0.5;

/// The width of a character in points if it is not known.
const WIDTH: f32 = 6.0;

/// Whether nearly all glyphs have one width.
pub fn is_mono(page: &PageContent, glyphs: &[&Glyph]) -> bool {
    let shown = || glyphs.iter().filter(|glyph| !glyph.text.is_blank());
    let count = shown().count();
    let mono = shown().filter(|glyph| page.font(glyph).mono).count();
    count > 0 && mono.saturating_mul(10) >= count.saturating_mul(9)
}

/// The lines of glyphs, which are given in the order of reading.
pub fn lines<'g>(glyphs: &[&'g Glyph]) -> Vec<Vec<&'g Glyph>> {
    let mut lines: Vec<Vec<&Glyph>> = Vec::new();
    for glyph in glyphs {
        match lines.last_mut() {
            Some(line)
                if line
                    .last()
                    .is_some_and(|last| !crate::inline::is_new_line(last, glyph)) =>
            {
                line.push(glyph);
            }
            _ => lines.push(vec![glyph]),
        }
    }
    lines
}

/// The place of code on the page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    left: f32,
    first: f32,
    last: f32,
    size: f32,
    width: f32,
}

impl Place {
    /// The place of glyphs.
    pub fn of(glyphs: &[&Glyph]) -> Self {
        let spans = || glyphs.iter().map(|glyph| bidi::span(glyph));
        Self {
            left: spans().map(|span| span.start).fold(f32::MAX, f32::lesser),
            first: spans().map(|span| span.line).fold(f32::MAX, f32::lesser),
            last: spans().map(|span| span.line).fold(f32::MIN, f32::greater),
            size: glyphs.first().map_or(1.0, |glyph| glyph.size),
            width: width(glyphs),
        }
    }

    /// Whether the other code follows directly. Programs write an element for each line.
    pub fn goes_on(&self, next: &Self) -> bool {
        let step = next.first - self.last;
        step > 0.0
            && step < STEP * self.size.greater(next.size)
            && (self.size - next.size).abs() < SAME_SIZE
    }

    /// The place of both.
    #[must_use]
    pub fn with(&self, next: &Self) -> Self {
        Self {
            last: next.last,
            ..*self
        }
    }
}

/// Adds code that follows directly, with the same left side.
pub fn join(out: &mut String, place: &Place, next: &str, at: &Place) {
    let indent = places((at.left - place.left) / place.width).min(100);
    for line in next.lines() {
        out.push('\n');
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(line);
        }
    }
}

/// The text of lines of code.
pub fn text(glyphs: &[&Glyph]) -> String {
    let lines = lines(glyphs);
    let width = width(glyphs);
    let left = lines
        .iter()
        .filter_map(|line| line.first())
        .map(|glyph| bidi::span(glyph).start)
        .fold(f32::MAX, f32::lesser);
    let pitch = pitch(&lines);
    let mut out = String::new();
    let mut above: Option<f32> = None;
    for line in &lines {
        let Some(first) = line.first() else { continue };
        let here = bidi::span(first).line;
        if let Some(above) = above {
            out.push('\n');
            // An empty line has no glyphs.
            let skipped = (here - above) / pitch;
            if pitch > 0.0 && skipped > EMPTY {
                for _ in 0..places(skipped - 1.0).clamp(1, MOST_EMPTY) {
                    out.push('\n');
                }
            }
        }
        above = Some(here);
        push_line(line, left, width, &mut out);
    }
    out
}

fn push_line(line: &[&Glyph], left: f32, width: f32, out: &mut String) {
    let start = out.len();
    let mut end = left;
    for glyph in line {
        let span = bidi::span(glyph);
        let gap = (span.start - end) / width;
        if gap > SPACE {
            out.extend(std::iter::repeat_n(' ', places(gap).clamp(1, MOST_SPACES)));
        }
        bidi::push(&glyph.text, false, out);
        end = span.end.greater(span.start);
    }
    out.truncate(out.trim_end_matches([' ', '\n']).len().max(start));
}

/// The width of a character.
fn width(glyphs: &[&Glyph]) -> f32 {
    let mut widths: Vec<f32> = glyphs
        .iter()
        .filter(|glyph| !glyph.text.is_blank())
        .map(|glyph| bidi::span(glyph))
        .map(|span| span.end - span.start)
        .filter(|width| *width > LEAST_WIDTH)
        .collect();
    widths.sort_by(f32::total_cmp);
    widths.get(widths.len() / 2).copied().unwrap_or(WIDTH)
}

/// The distance of most lines.
fn pitch(lines: &[Vec<&Glyph>]) -> f32 {
    let at = |line: &Vec<&Glyph>| line.first().map(|glyph| bidi::span(glyph).line);
    let mut steps: Vec<f32> = lines
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] => Some(at(b)? - at(a)?),
            _ => None,
        })
        .filter(|step| *step > LEAST_STEP)
        .collect();
    steps.sort_by(f32::total_cmp);
    steps.get(steps.len() / 4).copied().unwrap_or_default()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is in range"
)]
fn places(gap: f32) -> usize {
    gap.round().clamp(0.0, 1000.0) as usize
}
