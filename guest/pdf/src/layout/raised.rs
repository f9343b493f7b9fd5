//! Raised and lowered words, which belong to a line below or above.

use super::marker;
use super::words::{Rise, Word};
use std::ops::Range;

/// Of raised and lowered words, in sizes of the line: the distances of their baselines, their greatest size, and their
/// distance from a word of the line.
const RAISED: Range<f32> = 0.1..0.75;
const LOWERED: Range<f32> = 0.05..0.45;
const SMALL: f32 = 0.85;
const NEXT: f32 = 0.45;

/// Joins rows of raised and lowered words with the row to which they belong.
pub fn attach(words: &mut [Word], rows: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut infos: Vec<Info> = rows.iter().map(|row| Info::of(words, row)).collect();
    let mut out: Vec<Vec<usize>> = rows;
    for index in 0..out.len() {
        let Some(small) = infos.get(index).cloned() else {
            continue;
        };
        // The row below has raised words above it, the row above lowered ones below it.
        let below = infos
            .get(index.saturating_add(1))
            .filter(|it| it.holds(&small, Rise::Super));
        let above = index
            .checked_sub(1)
            .and_then(|it| infos.get(it))
            .filter(|it| it.holds(&small, Rise::Sub));
        let (target, rise) = if below.is_some() {
            (index.saturating_add(1), Rise::Super)
        } else if above.is_some() {
            (index.saturating_sub(1), Rise::Sub)
        } else {
            continue;
        };
        let Some(row) = out.get_mut(index).map(std::mem::take) else {
            continue;
        };
        for at in &row {
            if let Some(word) = words.get_mut(*at)
                && !marker::is_strong_bullet(&word.text)
            {
                word.rise = rise;
            }
        }
        if let Some(target) = out.get_mut(target) {
            target.extend(row);
        }
        if rise == Rise::Sub
            && let Some(info) = infos.get(target).cloned()
            && let Some(own) = infos.get_mut(index)
        {
            // The next row may be attached to the same one.
            *own = info;
            out.swap(index, target);
        }
    }
    out.retain(|it| !it.is_empty());
    out
}

/// The extent of a row.
#[derive(Clone, Debug, Default)]
struct Info {
    y: f32,
    size: f32,
    chars: usize,
    /// The horizontal extents of its words, from the left.
    spans: Vec<(f32, f32)>,
}

impl Info {
    fn of(words: &[Word], row: &[usize]) -> Self {
        let mut out = Self::default();
        for word in row.iter().filter_map(|it| words.get(*it)) {
            if word.size > out.size {
                out.size = word.size;
                out.y = word.y;
            }
            out.chars = out.chars.saturating_add(word.chars);
            out.spans.push((word.x0, word.x1));
        }
        out.spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        out
    }

    /// Whether smaller words belong to this row: each of them touches one of its words.
    fn holds(&self, small: &Self, rise: Rise) -> bool {
        let up = self.y - small.y;
        let fits = match rise {
            Rise::Super => RAISED.contains(&(up / self.size)),
            Rise::Sub => LOWERED.contains(&(-up / self.size)),
            Rise::None => false,
        };
        if !fits || small.size > SMALL * self.size || small.chars > self.chars.saturating_mul(2) {
            return false;
        }
        let near = NEXT * self.size;
        small.spans.iter().all(|span| {
            let next = self.spans.partition_point(|it| it.0 <= span.0);
            let touches = |it: Option<&(f32, f32)>| {
                it.is_some_and(|it| span.0 < it.1 + near && span.1 > it.0 - near)
            };
            touches(self.spans.get(next))
                || touches(next.checked_sub(1).and_then(|it| self.spans.get(it)))
        })
    }
}
