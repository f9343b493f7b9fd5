//! What cannot be seen: text that is white on white, tiny, off the page, or below something.
//!
//! Text without ink is usual over a scanned page, where a program wrote the characters that it
//! recognised. There it is the text of the page. Elsewhere it is hidden.

use super::{Machine, Show};
use crate::limits;
use crate::page::{Colour, Glyph, PageContent, Rect, Text};

/// The size in points below which nobody can read a text.
const TINY: f32 = 1.0;

/// The largest difference of a colour from its background that nobody sees.
const SAME: u8 = 6;

/// The part of the page from which an image is a scan of it.
const SCAN: f32 = 0.5;

/// Ends a page: removes what is not shown, and counts.
pub fn finish(machine: Machine<'_>, show: Show) -> PageContent {
    let mut out = machine.out;
    let page = machine.bounds;
    let scans: Vec<(Rect, usize)> = out
        .images
        .iter()
        .filter(|image| image.rect.area() >= SCAN * page.area())
        .map(|image| (image.rect, image.after))
        .collect();
    // Scans are sometimes cut into strips, which cover the page together.
    let strips: f32 = out.images.iter().map(|image| image.rect.area()).sum();
    let striped = strips >= SCAN * page.area();
    let mut checks = limits::COVER_CHECKS;
    let covers: Vec<(Rect, usize, Option<Colour>)> = covers(&out);
    let mut hidden = 0_usize;
    let glyphs = std::mem::take(&mut out.glyphs);
    // The numbers of glyphs before shapes change with those that are removed.
    let mut kept_before: Vec<usize> = Vec::with_capacity(glyphs.len().saturating_add(1));
    for (index, mut glyph) in glyphs.into_iter().enumerate() {
        kept_before.push(out.glyphs.len());
        let (x, y) = centre(&glyph);
        let own = machine.unseen.get(index).copied().unwrap_or_default();
        let mut unseen = own || glyph.size < TINY || !near(&page, x, y, glyph.size);
        if !unseen && glyph.invisible {
            let over = striped || scans.iter().any(|scan| scan.0.contains(x, y));
            unseen = !over
                && !out
                    .images
                    .iter()
                    .take(1000)
                    .any(|image| image.rect.contains(x, y));
        }
        if !unseen && !glyph.invisible {
            let below_scan = scans
                .iter()
                .any(|scan| scan.1 > index && scan.0.contains(x, y));
            if below_scan {
                // The page is a scan that is drawn over its recognised text.
                glyph.invisible = true;
            } else {
                unseen = is_covered(
                    &glyph,
                    index,
                    (x, y),
                    &covers,
                    &out,
                    &machine.painted,
                    &mut checks,
                );
            }
        }
        let blank = glyph.text.is_blank();
        if unseen {
            if !blank {
                hidden = hidden.saturating_add(1);
            }
            if show == Show::Visible {
                continue;
            }
        }
        if !blank {
            out.missing.glyphs = out.missing.glyphs.saturating_add(1);
            if matches!(glyph.text, Text::Unmapped) || glyph.text.all(is_private) {
                out.missing.unmapped = out.missing.unmapped.saturating_add(1);
            }
        }
        out.glyphs.push(glyph);
    }
    kept_before.push(out.glyphs.len());
    let count = |after: usize| count_of(&kept_before, after);
    let fills: Vec<usize> = out.fills.iter().map(|fill| count(fill.after)).collect();
    let images: Vec<usize> = out.images.iter().map(|image| count(image.after)).collect();
    for (fill, after) in out.fills.iter_mut().zip(fills) {
        fill.after = after;
    }
    for (image, after) in out.images.iter_mut().zip(images) {
        image.after = after;
    }
    for drawn in &mut out.drawn {
        (drawn.start, drawn.end) = (
            count_of(&kept_before, drawn.start),
            count_of(&kept_before, drawn.end),
        );
    }
    out.missing.hidden = hidden;
    out.missing.images = out.images.len();
    out
}

/// The number of kept glyphs before a place.
fn count_of(kept_before: &[usize], place: usize) -> usize {
    kept_before
        .get(place)
        .or(kept_before.last())
        .copied()
        .unwrap_or_default()
}

/// Whether a character is only known to the font itself.
fn is_private(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

/// The middle of the letters.
fn centre(glyph: &Glyph) -> (f32, f32) {
    let (x, y) = (
        f32::midpoint(glyph.x0, glyph.x1),
        f32::midpoint(glyph.y, glyph.y1),
    );
    let up = glyph.size * 0.3;
    match glyph.direction {
        crate::page::Direction::Right => (x, y - up),
        crate::page::Direction::Left => (x, y + up),
        _ => (x, y),
    }
}

fn near(page: &Rect, x: f32, y: f32, size: f32) -> bool {
    let room = size.min(20.0) * 0.3;
    x >= page.x0 - room && x <= page.x1 + room && y >= page.y0 - room && y <= page.y1 + room
}

/// What may cover text: opaque images and rectangles, with their colour if they have one.
fn covers(out: &PageContent) -> Vec<(Rect, usize, Option<Colour>)> {
    let images = out
        .images
        .iter()
        .filter(|it| it.opaque)
        .map(|it| (it.rect, it.after, None));
    let fills = out
        .fills
        .iter()
        .filter(|it| it.opaque)
        .map(|it| (it.rect, it.after, Some(it.colour)));
    let mut all: Vec<_> = images.chain(fills).collect();
    all.sort_by_key(|cover| cover.1);
    all
}

fn is_covered(
    glyph: &Glyph,
    index: usize,
    (x, y): (f32, f32),
    covers: &[(Rect, usize, Option<Colour>)],
    out: &PageContent,
    painted: &[(Rect, usize)],
    checks: &mut usize,
) -> bool {
    let later = covers.partition_point(|cover| cover.1 <= index);
    let above = covers.get(later..).unwrap_or_default();
    *checks = checks.saturating_sub(above.len());
    if *checks == 0 {
        return false;
    }
    let whole = |rect: &Rect| {
        rect.x0 <= glyph.x0.min(glyph.x1) + 0.5
            && rect.x1 >= glyph.x0.max(glyph.x1) - 0.5
            && rect.contains(x, y)
            && rect.height() >= glyph.size * 0.5
    };
    if above.iter().any(|cover| whole(&cover.0)) {
        return true;
    }
    // The background is the last thing that was painted below.
    let light = glyph.colour.distance(Colour::WHITE) <= SAME;
    let below = out.fills.partition_point(|fill| fill.after <= index);
    let below = out.fills.get(..below).unwrap_or_default();
    if !light && below.is_empty() {
        return false;
    }
    *checks = checks.saturating_sub(below.len().saturating_add(painted.len()));
    if *checks == 0 {
        return false;
    }
    let fill = below.iter().rev().find(|fill| fill.rect.contains(x, y));
    let other = painted
        .iter()
        .rev()
        .find(|(rect, after)| *after <= index && rect.contains(x, y));
    match (fill, other) {
        // An image or a shape of unknown colours is below.
        (_, Some((_, after))) if fill.is_none_or(|fill| fill.after <= *after) => false,
        (Some(fill), _) => glyph.colour.distance(fill.colour) <= SAME,
        (None, _) => light,
    }
}
