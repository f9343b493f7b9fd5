//! The reading order of shapes, by their positions.
//!
//! A region is cut at its gaps: first into bands from top to bottom, then each band into columns
//! from left to right, and so on. Shapes that overlap are sorted by their top and left sides.
//! Before, the headings of columns are joined with their bodies.

use super::columns::{Shapes, joined};
use crate::xml::Element;

/// The number of cuts, one inside the other.
const CUTS: usize = 16;

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
    /// Reads the area of a shape on the slide or in its group.
    pub fn read(shape: Element) -> Option<Self> {
        let frame = match shape.name() {
            "grpSp" => shape.at(&["grpSpPr", "xfrm"]),
            "graphicFrame" => shape.child("xfrm"),
            _ => shape.at(&["spPr", "xfrm"]),
        }?;
        let (offset, size) = (frame.child("off")?, frame.child("ext"));
        let number = |text: Option<&str>| text.and_then(|it| it.parse::<i64>().ok());
        Some(Self {
            left: number(offset.attr("x"))?,
            top: number(offset.attr("y"))?,
            width: number(size.and_then(|it| it.attr("cx"))).unwrap_or_default(),
            height: number(size.and_then(|it| it.attr("cy"))).unwrap_or_default(),
        })
    }

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
    fn other(self) -> Self {
        match self {
            Self::Vertical => Self::Horizontal,
            Self::Horizontal => Self::Vertical,
        }
    }
}

/// Sorts the shapes of a group. Those without a position are last.
pub fn sorted(shapes: Shapes) -> Vec<String> {
    let (_, shapes) = joined(Vec::new(), shapes);
    by_position(shapes)
}

/// Sorts shapes. Those without a position are last.
fn by_position(shapes: Shapes) -> Vec<String> {
    let mut placed = Vec::new();
    let mut rest = Vec::new();
    for (area, shape) in shapes {
        match area {
            Some(area) => placed.push((area, shape)),
            None => rest.push(shape),
        }
    }
    let mut out = Vec::with_capacity(placed.len().saturating_add(rest.len()));
    cut(placed, Axis::Vertical, false, 0, &mut out);
    out.append(&mut rest);
    out
}

/// Merges placeholders, which keep their order, with other shapes. A shape is before the first
/// placeholder that is below it.
pub fn merged(fixed: Shapes, placed: Shapes) -> Vec<String> {
    let (fixed, placed) = joined(fixed, placed);
    // The lowest top side of the placeholders so far.
    let mut lowest = i64::MIN;
    let tops: Vec<i64> = fixed
        .iter()
        .map(|(area, _)| {
            lowest = lowest.max(area.map_or(i64::MIN, |it| it.top));
            lowest
        })
        .collect();
    let mut slots: Vec<Shapes> = Vec::new();
    slots.resize_with(fixed.len().saturating_add(1), Vec::new);
    for (area, shape) in placed {
        let end = area.map_or(i64::MAX, |it| it.range(Axis::Vertical).1);
        let slot = tops.partition_point(|top| *top < end);
        if let Some(slot) = slots.get_mut(slot) {
            slot.push((area, shape));
        }
    }
    let mut out = Vec::new();
    let mut fixed = fixed.into_iter();
    for slot in slots {
        out.append(&mut by_position(slot));
        out.extend(fixed.next().map(|(_, shape)| shape));
    }
    out
}

/// Cuts a region. `whole` means that the other axis has no gap.
fn cut(
    mut shapes: Vec<(Area, String)>,
    axis: Axis,
    whole: bool,
    depth: usize,
    out: &mut Vec<String>,
) {
    if shapes.len() < 2 {
        out.extend(shapes.into_iter().map(|(_, shape)| shape));
        return;
    }
    shapes.sort_by_key(|(area, _)| area.range(axis));
    let mut groups: Vec<Vec<(Area, String)>> = Vec::new();
    let mut end = i64::MIN;
    for (area, shape) in shapes {
        let (start, own_end) = area.range(axis);
        match groups.last_mut().filter(|_| start < end) {
            Some(group) => group.push((area, shape)),
            None => groups.push(vec![(area, shape)]),
        }
        end = end.max(own_end);
    }
    let single = groups.len() == 1;
    for group in groups {
        if depth >= CUTS || (single && whole) {
            overlapping(group, out);
        } else {
            cut(group, axis.other(), single, depth.saturating_add(1), out);
        }
    }
}

/// Adds shapes by their top and left sides.
fn overlapping(mut shapes: Vec<(Area, String)>, out: &mut Vec<String>) {
    shapes.sort_by_key(|(area, _)| (area.top, area.left));
    out.extend(shapes.into_iter().map(|(_, shape)| shape));
}
