//! The margins of a region, and the places of its lines.

use super::lines::Line;
use super::sizes;
use crate::extremes::Extremes as _;
use std::ops::Range;

/// The usual distance of lines in font sizes if it is not known, and its least and its greatest value.
const PITCH: f32 = 1.25;
const PITCHES: (f32, f32) = (0.9, 2.2);

/// The distances of lines, in font sizes, of which the usual one is one. Others are between columns or parts.
const STEPS: Range<f32> = 0.8..3.0;

/// The part of the lines that goes beyond the end of the others at most, and the part and the number of those that end
/// at one place at least.
const BEYOND: usize = 6;
const MANY: usize = 3;
const MANY_LINES: usize = 4;

/// The distance of full lines of most of the text relative to the usual one from which it is its own: in manuscripts
/// with double spacing, notes and quotations have single spacing. The least number of such lines.
const SPACED: f32 = 1.25;
const SPACED_LINES: usize = 4;

/// The distance of the end of a line from the end of the column, in font sizes, up to which it is at the end.
const AT_END: f32 = 0.15;

/// The room at the end of a full line in font sizes: in text that is justified, and in other text, where the next
/// word may be long.
const FULL: f32 = 1.0;
const FULL_RAGGED: f32 = 6.0;

/// The white in a line in font sizes from which the text after it is at the end of the column for itself, such as the
/// points of an exercise, and the part of the width that the longest other line has at least.
const WHITE: f32 = 3.0;
const PROSE: f32 = 0.55;

/// The distance of the start of a line from the margin, in font sizes, above which it is indented.
const INDENTED: f32 = 0.6;

/// The distance of starts of lines, in points, below which they are at one place.
const SAME_START: f32 = 2.0;

/// The margins and the distance of lines of a region.
#[derive(Clone, Copy, Debug, Default)]
pub struct Margins {
    /// The start of most lines: `x0`, or `-x1` for text from the right.
    pub start: f32,
    /// The start of most of the text.
    pub usual: f32,
    /// The end of full lines.
    pub end: f32,
    /// The usual distance of lines, relative to the size.
    pitch: f32,
    /// The size of running text whose lines are further apart than others, and their distance relative to it.
    spaced: Option<(f32, f32)>,
    /// Whether full lines end at one position.
    pub justified: bool,
}

/// The start of a line in the direction of reading.
pub fn start(line: &Line) -> f32 {
    if line.rtl { -line.x1 } else { line.x0 }
}

/// The end of a line in the direction of reading.
pub fn end(line: &Line) -> f32 {
    if line.rtl { -line.x0 } else { line.x1 }
}

impl Margins {
    /// The margins of the lines of a region.
    pub fn of(lines: &[&Line]) -> Self {
        let mut starts: Vec<f32> = lines.iter().map(|it| start(it)).collect();
        starts.sort_by(f32::total_cmp);
        let least = starts.first().copied().unwrap_or_default();
        let size = lines.iter().map(|it| it.size).fold(0.0, f32::greater);
        let running = running(lines);
        let ends = common_end(&running, size);
        let at_end = running
            .iter()
            .filter(|it| (ends - end(it)).abs() < AT_END * size)
            .count();
        let pairs = || {
            lines
                .windows(2)
                .filter_map(step_of)
                .filter(|it| STEPS.contains(&it.1))
        };
        let mut steps: Vec<f32> = pairs().map(|it| it.1).collect();
        steps.sort_by(f32::total_cmp);
        // Lines of one paragraph are closer than paragraphs.
        let pitch = steps.get(steps.len() / 4).copied().unwrap_or(PITCH);
        let text = most(lines);
        let mut own: Vec<f32> = pairs()
            .filter(|it| (it.0.size - text).abs() < sizes::SAME * text)
            .filter(|it| ends - end(it.0) < FULL * it.0.size)
            .map(|it| it.1)
            .collect();
        own.sort_by(f32::total_cmp);
        let wide = own.get(own.len() / 4).copied().unwrap_or_default();
        let spaced = own.len() >= SPACED_LINES && wide > SPACED * pitch;
        Self {
            start: least,
            usual: usual(lines).unwrap_or(least),
            end: ends,
            pitch: pitch.clamp(PITCHES.0, PITCHES.1),
            spaced: spaced.then_some((text, wide.lesser(PITCHES.1))),
            justified: at_end >= 3 && at_end.saturating_mul(3) > running.len(),
        }
    }

    /// The usual distance of lines of a size, in points.
    pub fn pitch(&self, size: f32) -> f32 {
        let relative = match self.spaced {
            Some((own, pitch)) if (own - size).abs() < sizes::SAME * own => pitch,
            _ => self.pitch,
        };
        relative * size
    }

    /// Whether a line reaches the end of the column.
    pub fn is_full(&self, line: &Line) -> bool {
        let slack = if self.justified { FULL } else { FULL_RAGGED };
        self.end - end(line) < slack * line.size
    }

    /// Whether a line is indented.
    pub fn is_indented(&self, line: &Line) -> bool {
        start(line) > self.start + INDENTED * line.size
    }
}

/// The lines without much white in them, if one of them is long, and else all lines.
fn running<'a>(lines: &[&'a Line]) -> Vec<&'a Line> {
    let is_running = |line: &Line| {
        line.cells.windows(2).all(|it| match it {
            [a, b] => b.x0 - a.x1 <= WHITE * line.size,
            _ => true,
        })
    };
    let width = |all: &[&Line]| {
        let least = all.iter().map(|it| start(it)).fold(f32::MAX, f32::lesser);
        all.iter().map(|it| end(it)).fold(f32::MIN, f32::greater) - least
    };
    let own: Vec<&Line> = lines.iter().copied().filter(|it| is_running(it)).collect();
    if width(&own) >= PROSE * width(lines) {
        own
    } else {
        lines.to_vec()
    }
}

/// The end of full lines: the end of many lines if only a few go beyond it, such as notes at the edge of the page, and
/// else the greatest end.
fn common_end(lines: &[&Line], size: f32) -> f32 {
    let mut ends: Vec<f32> = lines.iter().map(|it| end(it)).collect();
    ends.sort_by(|a, b| b.total_cmp(a));
    let greatest = ends.first().copied().unwrap_or(f32::MIN);
    let few = lines.len() / BEYOND;
    let common = ends
        .iter()
        .enumerate()
        .take(few.saturating_add(1))
        .find(|it| {
            let rest = ends.iter().skip(it.0);
            let equal = rest.take_while(|other| *it.1 - **other < AT_END * size);
            equal.count() >= lines.len().div_ceil(MANY).max(MANY_LINES)
        });
    common.map_or(greatest, |it| *it.1)
}

/// A line, and its distance from the next line of its size in font sizes.
fn step_of<'a>(pair: &[&'a Line]) -> Option<(&'a Line, f32)> {
    match pair {
        [a, b] if (a.size - b.size).abs() < sizes::SAME * a.size => {
            Some((*a, (b.y - a.y) / a.size))
        }
        _ => None,
    }
}

/// The size of most of the text.
fn most(lines: &[&Line]) -> f32 {
    let mut all: Vec<(f32, usize)> = lines.iter().map(|it| (it.size, it.chars)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let near = |a: &(f32, usize), b: &(f32, usize)| b.0 - a.0 < sizes::SAME * a.0;
    let sum = |it: &[(f32, usize)]| it.iter().map(|it| it.1).fold(0, usize::saturating_add);
    let best = all.chunk_by(near).max_by_key(|it| sum(it));
    best.and_then(|it| it.get(it.len() / 2))
        .map_or(0.0, |it| it.0)
}

/// The start of most of the text.
fn usual(lines: &[&Line]) -> Option<f32> {
    let mut starts: Vec<(f32, usize)> = lines.iter().map(|it| (start(it), it.chars)).collect();
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best: Option<(f32, usize)> = None;
    let mut current: Option<(f32, usize)> = None;
    for (at, chars) in starts {
        current = match current {
            Some((first, sum)) if at - first < SAME_START => {
                Some((first, sum.saturating_add(chars)))
            }
            _ => Some((at, chars)),
        };
        if current.map_or(0, |it| it.1) > best.map_or(0, |it| it.1) {
            best = current;
        }
    }
    best.map(|it| it.0)
}
