//! The directions of the text of a page → frames in which text runs to the right.
//!
//! A page may hold text in several directions, such as a table that is turned by 90°, or Japanese
//! in vertical lines. The direction of most glyphs is the main frame. Its lines, fills and images
//! are turned with it. Each other direction is a frame of its own, with text only.

use crate::bidi::{OnLine, Span};
use crate::extremes::Extremes as _;
use crate::page::{Direction, Font, Glyph, PageContent, Rect, Text};

/// A glyph in a frame. The text runs to the right, and `y` grows downwards.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// The characters.
    pub text: &'a Text,
    /// The left end of the advance.
    pub x0: f32,
    /// The right end of the advance.
    pub x1: f32,
    /// The baseline.
    pub y: f32,
    /// The size in points.
    pub size: f32,
    /// The font.
    pub font: &'a Font,
    /// The number of the font.
    pub font_id: u16,
    /// Whether it is drawn heavier than its font.
    pub heavy: bool,
}

impl OnLine for Placed<'_> {
    fn text(&self) -> &Text {
        self.text
    }

    fn span(&self) -> Span {
        Span {
            start: self.x0,
            end: self.x1,
            line: self.y,
        }
    }

    fn size(&self) -> f32 {
        self.size
    }
}

/// A rotation of a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn {
    direction: Direction,
    width: f32,
    height: f32,
}

impl Turn {
    /// The rotation that makes a direction run to the right.
    pub fn of(direction: Direction, page: &PageContent) -> Self {
        Self {
            direction,
            width: page.width,
            height: page.height,
        }
    }

    /// A point of the page in the frame.
    pub fn point(&self, x: f32, y: f32) -> (f32, f32) {
        match self.direction {
            Direction::Right | Direction::Other => (x, y),
            Direction::Down => (y, self.width - x),
            Direction::Left => (self.width - x, self.height - y),
            Direction::Up => (self.height - y, x),
        }
    }

    /// A point of the frame in the page.
    fn point_back(&self, x: f32, y: f32) -> (f32, f32) {
        match self.direction {
            Direction::Right | Direction::Other => (x, y),
            Direction::Down => (self.width - y, x),
            Direction::Left => (self.width - x, self.height - y),
            Direction::Up => (y, self.height - x),
        }
    }

    /// A rectangle of the frame in the page.
    pub fn back(&self, rect: &Rect) -> Rect {
        Rect::of(
            self.point_back(rect.x0, rect.y0),
            self.point_back(rect.x1, rect.y1),
        )
    }

    /// A rectangle of the page in the frame.
    pub fn rect(&self, rect: &Rect) -> Rect {
        Rect::of(self.point(rect.x0, rect.y0), self.point(rect.x1, rect.y1))
    }

    /// Whether the rotation swaps horizontal and vertical.
    pub fn swaps(&self) -> bool {
        matches!(self.direction, Direction::Down | Direction::Up)
    }

    /// The width and the height of the page in the frame.
    pub fn extent(&self) -> (f32, f32) {
        if self.swaps() {
            (self.height, self.width)
        } else {
            (self.width, self.height)
        }
    }

    /// A glyph in the frame. `None` if its position makes no sense.
    fn place<'a>(&self, glyph: &'a Glyph, page: &'a PageContent) -> Option<Placed<'a>> {
        const FAR: f32 = 100_000.0;
        let font = page.font(glyph);
        let (start, y) = self.point(glyph.x0, glyph.y);
        let (end, _) = self.point(glyph.x1, glyph.y1);
        let values = [start, end, y, glyph.size];
        if values.iter().any(|it| !it.is_finite() || it.abs() > FAR) || glyph.size < 0.5 {
            return None;
        }
        // In vertical writing, the position is the centre of the glyph.
        let y = if font.vertical && glyph.direction == Direction::Down {
            y + 0.35 * glyph.size
        } else {
            y
        };
        Some(Placed {
            text: &glyph.text,
            x0: start.lesser(end),
            x1: start.greater(end),
            y,
            size: glyph.size,
            font,
            font_id: glyph.font.0,
            heavy: glyph.heavy,
        })
    }
}

/// A direction and its glyphs, in the order of drawing.
#[derive(Debug)]
pub struct Frame<'a> {
    /// The rotation.
    pub turn: Turn,
    /// Whether the text is oblique, so that it has no lines in the frame.
    pub oblique: bool,
    /// The glyphs.
    pub glyphs: Vec<Placed<'a>>,
}

/// Returns the frames of a page, the main one first. There is always a main frame.
pub fn frames(page: &PageContent) -> Vec<Frame<'_>> {
    const ALL: [Direction; 5] = [
        Direction::Right,
        Direction::Down,
        Direction::Up,
        Direction::Left,
        Direction::Other,
    ];
    let mut frames: Vec<Frame<'_>> = ALL
        .iter()
        .map(|direction| Frame {
            turn: Turn::of(*direction, page),
            oblique: *direction == Direction::Other,
            glyphs: Vec::new(),
        })
        .collect();
    // Most pages have one direction.
    let first = page.glyphs.first().map(|it| it.direction);
    if let Some(frame) = frames
        .iter_mut()
        .find(|it| Some(it.turn.direction) == first)
    {
        frame.glyphs.reserve_exact(page.glyphs.len());
    }
    // Artifacts, such as running heads, are left out.
    for glyph in page.glyphs.iter().filter(|it| !it.artifact) {
        let frame = frames
            .iter_mut()
            .find(|it| it.turn.direction == glyph.direction);
        if let Some(frame) = frame
            && let Some(placed) = frame.turn.place(glyph, page)
        {
            frame.glyphs.push(placed);
        }
    }
    // Stable: equal counts keep the usual direction first. Oblique text is never the main frame.
    frames.sort_by_key(|it| {
        let upright = if it.oblique { 0 } else { it.glyphs.len() };
        std::cmp::Reverse(upright)
    });
    let mut first = true;
    frames.retain(|it| std::mem::take(&mut first) || !it.glyphs.is_empty());
    frames
}
