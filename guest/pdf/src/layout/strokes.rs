//! Drawn lines, which separate the cells of tables and other text.

use crate::extremes::Extremes as _;

/// A line: its position, start and end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// `y` of a horizontal line, `x` of a vertical one.
    pub at: f32,
    /// The smaller end.
    pub start: f32,
    /// The greater end.
    pub end: f32,
}

/// The distance at which lines touch, in points.
pub const NEAR: f32 = 2.0;

/// Joins lines in one direction that continue each other.
pub fn merged(mut strokes: Vec<Stroke>) -> Vec<Stroke> {
    strokes.retain(|it| it.at.is_finite() && it.start.is_finite() && it.end.is_finite());
    strokes.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut out: Vec<Stroke> = Vec::new();
    let mut group: Vec<Stroke> = Vec::new();
    let mut flush = |group: &mut Vec<Stroke>| {
        group.sort_by(|a, b| a.start.total_cmp(&b.start));
        let from = out.len();
        for stroke in group.drain(..) {
            match out.get_mut(from..).and_then(<[Stroke]>::last_mut) {
                Some(last) if stroke.start <= last.end + NEAR => {
                    last.end = last.end.greater(stroke.end);
                }
                _ => out.push(stroke),
            }
        }
    };
    for stroke in strokes {
        if group.first().is_some_and(|it| stroke.at - it.at > 1.2) {
            flush(&mut group);
        }
        group.push(stroke);
    }
    flush(&mut group);
    out
}
