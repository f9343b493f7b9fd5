//! The reading order of shapes, by their positions.
//!
//! A region is cut at its gaps: first into bands from top to bottom, then each band into columns
//! from left to right, and so on. Shapes that overlap are sorted by their top and left sides.
//! Before, the headings of columns are joined with their bodies. On a slide whose text is written from
//! the right, the sides change places.

use super::area::{Area, Axis};
use super::columns::{Shapes, joined};
use super::direction::mirrored;

/// The number of cuts, one inside the other.
const CUTS: usize = 16;

/// Sorts the shapes of a group. Those without a position are last.
pub fn sorted(shapes: Shapes) -> Vec<String> {
    let (_, shapes) = mirrored(Vec::new(), shapes);
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
    let (fixed, placed) = mirrored(fixed, placed);
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
