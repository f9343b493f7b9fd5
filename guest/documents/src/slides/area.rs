//! The positions of shapes.

/// The largest overlap that is ignored on each side: a tenth of an inch.
pub const MARGIN: i64 = 91_440;

/// The position and the size of a shape, in English metric units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// The left side.
    pub left: i64,
    /// The top side.
    pub top: i64,
    /// The width.
    pub width: i64,
    /// The height.
    pub height: i64,
}

impl Area {
    /// Returns the range of the area on an axis. Its ends are shortened, so that
    /// shapes that overlap a little are separate.
    pub fn range(&self, axis: Axis) -> (i64, i64) {
        let (start, size) = match axis {
            Axis::Vertical => (self.top, self.height),
            Axis::Horizontal => (self.left, self.width),
        };
        let margin = (size.max(0) / 10).min(MARGIN);
        let end = start.saturating_add(size.max(0));
        (start.saturating_add(margin), end.saturating_sub(margin))
    }

    /// Returns the smallest area that contains both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let end = |start: i64, size: i64| start.saturating_add(size.max(0));
        let right = end(self.left, self.width).max(end(other.left, other.width));
        let bottom = end(self.top, self.height).max(end(other.top, other.height));
        let (left, top) = (self.left.min(other.left), self.top.min(other.top));
        Self {
            left,
            top,
            width: right.saturating_sub(left),
            height: bottom.saturating_sub(top),
        }
    }
}

/// A direction on a slide.
#[derive(Clone, Copy)]
pub enum Axis {
    /// From top to bottom.
    Vertical,
    /// From left to right.
    Horizontal,
}

impl Axis {
    /// Returns the other direction.
    pub fn other(self) -> Self {
        match self {
            Self::Vertical => Self::Horizontal,
            Self::Horizontal => Self::Vertical,
        }
    }
}
