//! Glyphs with a place on a line.

use crate::extremes::Extremes as _;
use crate::page::{Direction, Glyph, Text};

/// A glyph that has a place on a line.
pub trait OnLine {
    /// Its characters.
    fn text(&self) -> &Text;
    /// Its position.
    fn span(&self) -> Span;
    /// Its size in points.
    fn size(&self) -> f32;
}

impl OnLine for Glyph {
    fn text(&self) -> &Text {
        &self.text
    }

    fn span(&self) -> Span {
        span(self)
    }

    fn size(&self) -> f32 {
        self.size
    }
}

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
        start: start.lesser(end),
        end: start.greater(end),
        line,
    }
}
