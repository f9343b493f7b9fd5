//! The gaps between the glyphs of a run: which of them separate words.

use super::frame::Placed;
use crate::extremes::Extremes as _;
use crate::page::Text;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

/// The widths of spaces in font sizes. Other widths are those of fonts in which the space has another use.
const SPACES: RangeInclusive<f32> = 0.08..=1.0;

/// The gap from which on two glyphs belong to different words, where the run has spaces: relative to the space of
/// the font, in font sizes if the font has none, and the least one. The gaps of a text that is justified vary.
const SPACE_PART: f32 = 0.7;
const SPACE: f32 = 0.2;
const LEAST_SPACE: f32 = 0.14;

/// The same where the run has no spaces, so that gaps are all that separates words.
const GAP_PART: f32 = 0.55;
const GAP: f32 = 0.17;
const LEAST_GAP: f32 = 0.11;

/// The gaps in font sizes of which a line without spaces has none, if the gaps between its words are clear, the gap
/// from which words are separate then, and the number of gaps between letters that show it.
const CLEAR_BETWEEN: Range<f32> = 0.04..0.1;
const CLEAR: f32 = 0.09;
const CLEAR_GAPS: usize = 16;

/// The number of gaps between letters from which a text may be spaced out.
const SPACED_GAPS: usize = 4;

/// Of a text that is spaced out: the least of its gaps, their usual width at most, and the difference of these, in
/// font sizes. The gaps between words are wider than the usual one by the difference, and by [`SPACED`].
const SPACED_LEAST: f32 = 0.05;
const SPACED_MOST: f32 = 0.7;
const SPACED_RANGE: f32 = 0.12;
const SPACED: f32 = 1.6;

/// Of a text of one pitch: its least number of glyphs, the differences of their steps, and the gap between two words,
/// relative to the pitch.
const PITCHED: usize = 5;
const PITCH_SAME: f32 = 0.02;
const PITCH_PART: f32 = 0.8;

/// The widths of the spaces of each font, relative to the size.
pub fn space_widths(glyphs: &[Placed<'_>]) -> BTreeMap<u16, f32> {
    let mut out = BTreeMap::new();
    for glyph in glyphs {
        if *glyph.text == Text::One(' ') {
            let width = (glyph.x1 - glyph.x0) / glyph.size;
            if SPACES.contains(&width) {
                out.insert(glyph.font_id, width);
            }
        }
    }
    out
}

/// The space between the glyphs of a run.
#[derive(Clone, Copy, Default)]
pub struct Spacing {
    /// The gap from which on two glyphs belong to different words, in points.
    pub limit: f32,
    /// The gap between the letters of a word in points. It is 0 unless the text is spaced out.
    pub tracking: f32,
}

/// How the glyphs of a run are spaced.
pub fn word_gap(run: &[&Placed<'_>], leftwards: bool, spaces: &BTreeMap<u16, f32>) -> Spacing {
    let Some(first) = run.first() else {
        return Spacing::default();
    };
    let size = first.size;
    let explicit = run.iter().any(|it| *it.text == Text::One(' '));
    let base = if explicit {
        let own = spaces.get(&first.font_id).map(|it| SPACE_PART * it);
        own.unwrap_or(SPACE).clamp(LEAST_SPACE, SPACE) * size
    } else {
        let own = spaces.get(&first.font_id).map(|it| GAP_PART * it);
        own.unwrap_or(GAP).clamp(LEAST_GAP, GAP) * size
    };
    let mut gaps: Vec<f32> = Vec::with_capacity(run.len());
    let mut before: Option<&Placed<'_>> = None;
    for glyph in run {
        let is_letter = !glyph.text.is_blank() && glyph.text.all(char::is_alphanumeric);
        let letter = is_letter.then_some(*glyph);
        if let (Some(a), Some(b)) = (before, letter) {
            gaps.push(if leftwards { a.x0 - b.x1 } else { b.x0 - a.x1 });
        }
        before = letter;
    }
    let plain = Spacing {
        limit: base,
        tracking: 0.0,
    };
    if gaps.len() < SPACED_GAPS {
        return plain;
    }
    // Spaced out text: nearly all gaps are equal, and none is missing. In most text, the letters touch each other.
    let touching = gaps.iter().filter(|it| **it <= SPACED_LEAST * size);
    let may_be_spaced = touching.count() <= place(&gaps, 2);
    let (low, median) = if may_be_spaced {
        (at(&mut gaps, 2), at(&mut gaps, 5))
    } else {
        (0.0, 0.0)
    };
    let is_spaced = low > SPACED_LEAST * size
        && median < SPACED_MOST * size
        && median - low < SPACED_RANGE * size;
    let is_clear = || !explicit && gaps.len() >= CLEAR_GAPS && is_clear(&gaps, size);
    let own_pitch = || {
        Some(run)
            .filter(|_| !leftwards && !first.font.mono)
            .and_then(|run| pitch(run))
    };
    if !is_spaced && is_clear() {
        return Spacing {
            limit: base.lesser(CLEAR * size),
            tracking: 0.0,
        };
    }
    // The wide letters of a text of one pitch may have equal gaps.
    if let Some(pitch) = own_pitch() {
        return Spacing {
            limit: base.greater(PITCH_PART * pitch),
            tracking: 0.0,
        };
    }
    if is_spaced {
        return Spacing {
            limit: base
                .greater(SPACED * median)
                .greater(median + SPACED_RANGE * size),
            tracking: median,
        };
    }
    plain
}

/// The place of the gap of which so many tenths of the gaps are smaller, in their order.
fn place(gaps: &[f32], tenths: usize) -> usize {
    gaps.len().saturating_mul(tenths) / 10
}

/// The gap of which so many tenths of the gaps are smaller.
fn at(gaps: &mut [f32], tenths: usize) -> f32 {
    let index = place(gaps, tenths);
    if index >= gaps.len() {
        return 0.0;
    }
    *gaps.select_nth_unstable_by(index, f32::total_cmp).1
}

/// The distance of the starts of the glyphs of a run, if all have the same one, as on a typewriter. Where no glyph is
/// the space, it is a multiple. `None` if most widths have it as well, because the glyphs of a word touch each other then.
fn pitch(run: &[&Placed<'_>]) -> Option<f32> {
    let steps = || {
        run.windows(2).map(|pair| match pair {
            [a, b] => b.x0 - a.x0,
            _ => 0.0,
        })
    };
    let pitch = steps().fold(f32::MAX, f32::lesser);
    let is_pitch = |step: f32| (step - pitch).abs() < PITCH_SAME * pitch;
    let is_step = |step: f32| is_pitch(step) || is_pitch(step / 2.0);
    if run.len() < PITCHED || pitch <= 0.0 || !steps().all(is_step) {
        return None;
    }
    // Most digits touch each other.
    let touching = run.iter().filter(|it| is_pitch(it.x1 - it.x0)).count();
    (touching.saturating_mul(2) < run.len()).then_some(pitch)
}

/// Whether the gaps of a line are those inside of words, and others that are clearly wider: a line that is justified
/// has narrow spaces.
fn is_clear(gaps: &[f32], size: f32) -> bool {
    let below = |limit: f32| gaps.iter().filter(|it| **it < limit * size).count();
    let (narrow, wide) = (below(CLEAR_BETWEEN.start), below(CLEAR_BETWEEN.end));
    narrow == wide && wide < gaps.len() && narrow.saturating_mul(2) >= gaps.len()
}
