//! Columns of white, found with a raster: bits over the width, in slices of half a line.
//!
//! One sweep over the slices gives the height of the white at each position, so that a search costs as
//! much as the words and the slices.

use super::pieces::{Hints, Piece, What};
use super::{limits, number};
use crate::extremes::Extremes as _;

/// Bits of the raster over the width of a region.
const BINS: usize = 512;
/// Words of 64 bits in a slice.
const PARTS: usize = 8;

/// The number of slices from which white is a gutter: a power of two.
const TALL: usize = 8;

/// The part of the font size by which a table may be wider than its column. The white of a column is at least 1 wide.
const OVERFULL: f32 = 0.8;

/// A column of white between text.
#[derive(Clone, Copy, Debug)]
pub struct Gutter {
    /// The left side.
    pub left: f32,
    /// The right side.
    pub right: f32,
    /// The upper end.
    pub top: f32,
    /// The lower end.
    pub bottom: f32,
}

/// The columns of white, the tallest first.
pub fn gutters(pieces: &[Piece], hints: &Hints<'_>) -> Vec<Gutter> {
    let mut bounds = (f32::MAX, f32::MIN, f32::MAX, f32::MIN);
    for it in pieces {
        bounds.0 = bounds.0.lesser(it.x0);
        bounds.1 = bounds.1.greater(it.x1);
        bounds.2 = bounds.2.lesser(it.top);
        bounds.3 = bounds.3.greater(it.bottom);
    }
    let (x0, x1, y0, y1) = bounds;
    let step = ((x1 - x0) / number::float(BINS)).greater(0.05);
    let slice = (0.5 * hints.body)
        .greater((y1 - y0) / number::float(limits::SLICES))
        .greater(0.5);
    let count = number::count((y1 - y0) / slice);
    let count = count.saturating_add(1).min(limits::SLICES);
    let mut raster = vec![[0u64; PARTS]; count];
    // The gap between two words is covered.
    let half = 0.3 * hints.body;
    for it in pieces {
        let half = match it.what {
            What::Word(_) => half,
            What::Block(_) => -OVERFULL * hints.body,
        };
        let from = number::count((it.x0 - half - x0) / step);
        let to = number::count((it.x1 + half - x0) / step);
        let first = number::count((it.top - y0) / slice);
        let last = number::count((it.bottom - y0) / slice);
        let end = last.saturating_add(1).min(count);
        let rows = raster.get_mut(first..end).unwrap_or_default();
        mark(rows, from, to.min(BINS.saturating_sub(1)));
    }
    for edge in hints.edges {
        let inside = edge.at > y0 && edge.at < y1 && edge.end > x0 && edge.start < x1;
        if inside && edge.end - edge.start > 6.0 * hints.body {
            let from = number::count((edge.start + OVERFULL * hints.body - x0) / step);
            let to = number::count((edge.end - OVERFULL * hints.body - x0) / step);
            if let Some(row) = raster.get_mut(number::count((edge.at - y0) / slice)) {
                let rows = std::slice::from_mut(row);
                mark(rows, from, to.min(BINS.saturating_sub(1)));
            }
        }
    }
    tallest(&raster)
        .into_iter()
        .map(|(from, to, top, bottom)| Gutter {
            left: x0 + number::float(from) * step,
            right: x0 + number::float(to) * step,
            top: y0 + number::float(top) * slice,
            bottom: y0 + number::float(bottom) * slice,
        })
        .collect()
}

/// Sets the bits of slices from one position to another, both included.
fn mark(rows: &mut [[u64; PARTS]], from: usize, to: usize) {
    // A word is in one or two of the parts.
    for part in from / 64..(to / 64).saturating_add(1).min(PARTS) {
        let start = part.saturating_mul(64);
        let low = from.saturating_sub(start).min(63);
        let high = to.saturating_sub(start).min(63);
        let mask = (u64::MAX << low) & (u64::MAX >> 63_usize.saturating_sub(high));
        for bits in rows.iter_mut().filter_map(|row| row.get_mut(part)) {
            *bits |= mask;
        }
    }
}

/// For each slice, the bits that are white in it and in those below, [`TALL`] slices in all. The white between two
/// lines of text is not as tall, so that few bits are left.
fn tall(raster: &[[u64; PARTS]]) -> Vec<[u64; PARTS]> {
    let mut white: Vec<[u64; PARTS]> = raster.iter().map(|row| row.map(|bits| !bits)).collect();
    let mut step = 1_usize;
    while step < TALL {
        // The slices below are those of the step before, because the sweep goes down.
        for index in 0..white.len() {
            let below = white.get(index.saturating_add(step)).copied();
            let below = below.unwrap_or_default();
            if let Some(row) = white.get_mut(index) {
                for (bits, below) in row.iter_mut().zip(below) {
                    *bits &= below;
                }
            }
        }
        step = step.saturating_mul(2);
    }
    white
}

/// White of the raster with its bins and slices (ends excluded), the tallest first.
fn tallest(raster: &[[u64; PARTS]]) -> Vec<(usize, usize, usize, usize)> {
    // (top, bottom, bin) of each run of white.
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    let mut open: Vec<usize> = vec![0; BINS];
    let mut before = [0_u64; PARTS];
    let closing = [[0_u64; PARTS]];
    for (index, row) in tall(raster).iter().chain(closing.iter()).enumerate() {
        for (part, (now, was)) in row.iter().zip(before.iter()).enumerate() {
            let mut changed = now ^ was;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed.wrapping_sub(1);
                let bin = part.saturating_mul(64).saturating_add(bit as usize);
                let Some(start) = open.get_mut(bin) else {
                    continue;
                };
                if now >> bit & 1 == 1 {
                    *start = index;
                } else {
                    runs.push((*start, index.saturating_add(TALL - 1), bin));
                }
            }
        }
        before = *row;
    }
    runs.sort_unstable();
    // Neighbouring bins with the same ends are one gutter.
    let mut out: Vec<(usize, usize, usize, usize)> = Vec::new();
    for (top, bottom, bin) in runs {
        if let Some(last) = out.last_mut()
            && (last.2, last.3, last.1) == (top, bottom, bin)
        {
            last.1 = bin.saturating_add(1);
        } else {
            out.push((bin, bin.saturating_add(1), top, bottom));
        }
    }
    out.retain(|it| it.0 > 0 && it.1 < BINS);
    out.sort_by_key(|it| {
        let height = it.3.saturating_sub(it.2);
        let width = it.1.saturating_sub(it.0);
        std::cmp::Reverse((height, width))
    });
    out.truncate(limits::GUTTERS);
    out
}
