//! A line without letters that are read from the right, and the gaps that are spaces.

use super::on_line::{OnLine, Placed, Span};
use crate::extremes::Extremes as _;
use crate::page::Text;

/// The part of the font size from which a gap is a space.
pub const SPACE: f32 = 0.17;

/// A line without letters that are read from the right. It stays in the order of drawing, unless this
/// jumps back.
pub fn from_left<G: OnLine>(line: &[&G]) -> Vec<Placed> {
    let mut places: Vec<usize> = (0..line.len()).collect();
    let spans: Vec<Span> = line.iter().map(|glyph| glyph.span()).collect();
    let at = |place: usize| spans.get(place).copied().unwrap_or_default();
    let size = |place: usize| line.get(place).map_or(1.0, |glyph| glyph.size());
    let back = places.windows(2).any(|pair| match pair {
        [a, b] => at(*b).start < at(*a).start - size(*a) * 1.5,
        _ => false,
    });
    if back {
        places.sort_by(|a, b| at(*a).start.total_cmp(&at(*b).start));
    }
    let gap = threshold(&places, &spans, line);
    let mut out: Vec<Placed> = Vec::with_capacity(line.len());
    let (mut space, mut end) = (false, f32::NEG_INFINITY);
    for place in places {
        let Some(glyph) = line.get(place) else {
            continue;
        };
        let here = at(place);
        if glyph.text().is_blank() && !matches!(glyph.text(), Text::None) {
            space = true;
            end = end.greater(here.end);
            continue;
        }
        space |= end.is_finite() && here.start - end > gap * glyph.size();
        out.push(Placed {
            index: place,
            space: std::mem::take(&mut space) && !out.is_empty(),
            mirrored: false,
        });
        end = if back {
            end.greater(here.end)
        } else {
            here.end
        };
    }
    out
}

/// The part of the font size from which a gap is a space on this line. Letters that are spaced out, as
/// in some headings, have gaps between all of them.
fn threshold<G: OnLine>(places: &[usize], spans: &[Span], line: &[&G]) -> f32 {
    let mut gaps: Vec<f32> = Vec::with_capacity(places.len());
    for pair in places.windows(2) {
        let [a, b] = pair else { continue };
        let (Some(before), Some(after), Some(glyph)) = (spans.get(*a), spans.get(*b), line.get(*b))
        else {
            continue;
        };
        if glyph.size() > 0.0
            && !glyph.text().is_blank()
            && line.get(*a).is_some_and(|glyph| !glyph.text().is_blank())
        {
            gaps.push((after.start - before.end) / glyph.size());
        }
    }
    let middle = gaps.len() / 2;
    if gaps.len() < 6 {
        return SPACE;
    }
    let (_, median, _) = gaps.select_nth_unstable_by(middle, f32::total_cmp);
    SPACE + median.clamp(0.0, 1.0)
}
