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

/// Whether a glyph can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Shown,
    /// It is the text of a scan, which shows it.
    Recognised,
    UnderImage,
    Hidden,
}

/// Ends a page: removes what is not shown, and counts.
pub fn finish(machine: Machine<'_>, show: Show) -> PageContent {
    let mut out = machine.out;
    let page = machine.bounds;
    let scans: Vec<(Rect, usize)> = out
        .images
        .iter()
        .filter(|image| image.rect.area() >= SCAN * page.area())
        .map(|image| (image.rect, image.after))
        .take(limits::SCANS)
        .collect();
    // Scans are sometimes cut into strips, which cover the page together.
    let strips: f32 = out.images.iter().map(|image| image.rect.area()).sum();
    let striped = strips >= SCAN * page.area();
    let mut checks = limits::COVER_CHECKS;
    let covers: Vec<(Rect, usize, Option<Colour>)> = covers(&out);
    let glyphs = std::mem::take(&mut out.glyphs);
    out.glyphs.reserve(glyphs.len());
    let mut states: Vec<Seen> = Vec::with_capacity(glyphs.len());
    for (index, glyph) in glyphs.iter().enumerate() {
        let (x, y) = centre(glyph);
        let own = machine.unseen.get(index).copied().unwrap_or_default();
        let is_over = |rect: &Rect| rect.contains(x, y);
        states.push(
            if own || glyph.size < TINY || !near(&page, x, y, glyph.size) {
                Seen::Hidden
            } else if glyph.invisible {
                let mut images = out.images.iter().take(limits::SCANS);
                let over = striped || images.any(|image| is_over(&image.rect));
                if over { Seen::Recognised } else { Seen::Hidden }
            } else if scans.iter().any(|scan| scan.1 > index && is_over(&scan.0)) {
                // The page is a scan that is drawn over its recognised text.
                Seen::Recognised
            } else {
                let painted = &machine.painted;
                covered(glyph, index, (x, y), &covers, &out, painted, &mut checks)
            },
        );
    }
    // A page whose text is all under images has no other text than the recognised one.
    let is_text = |pair: &(&Glyph, &Seen)| !pair.0.text.is_blank();
    let all = || glyphs.iter().zip(&states).filter(is_text);
    let only_images =
        all().all(|pair| *pair.1 != Seen::Shown) && all().any(|pair| *pair.1 == Seen::UnderImage);
    let mut hidden = 0_usize;
    // The numbers of glyphs before shapes change with those that are removed.
    let mut kept_before: Vec<usize> = Vec::with_capacity(glyphs.len().saturating_add(1));
    for (mut glyph, state) in glyphs.into_iter().zip(states) {
        kept_before.push(out.glyphs.len());
        let blank = glyph.text.is_blank();
        let recognised = state == Seen::Recognised || only_images && state == Seen::UnderImage;
        if state != Seen::Shown && !recognised {
            if !blank {
                hidden = hidden.saturating_add(1);
            }
            if show == Show::Visible {
                continue;
            }
        }
        glyph.invisible |= recognised;
        if !blank {
            out.missing.glyphs = out.missing.glyphs.saturating_add(1);
            out.missing.recognised = out
                .missing
                .recognised
                .saturating_add(usize::from(recognised));
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

fn covered(
    glyph: &Glyph,
    index: usize,
    (x, y): (f32, f32),
    covers: &[(Rect, usize, Option<Colour>)],
    out: &PageContent,
    painted: &[(Rect, usize)],
    checks: &mut usize,
) -> Seen {
    let later = covers.partition_point(|cover| cover.1 <= index);
    let above = covers.get(later..).unwrap_or_default();
    *checks = checks.saturating_sub(above.len());
    if *checks == 0 {
        return Seen::Shown;
    }
    let whole = |rect: &Rect| {
        rect.x0 <= glyph.x0.min(glyph.x1) + 0.5
            && rect.x1 >= glyph.x0.max(glyph.x1) - 0.5
            && rect.contains(x, y)
            && rect.height() >= glyph.size * 0.5
    };
    if let Some(cover) = above.iter().find(|cover| whole(&cover.0)) {
        return if cover.2.is_none() {
            Seen::UnderImage
        } else {
            Seen::Hidden
        };
    }
    // The background is the last thing that was painted below.
    let light = glyph.colour.distance(Colour::WHITE) <= SAME;
    let below = out.fills.partition_point(|fill| fill.after <= index);
    let below = out.fills.get(..below).unwrap_or_default();
    if !light && below.is_empty() {
        return Seen::Shown;
    }
    *checks = checks.saturating_sub(below.len().saturating_add(painted.len()));
    if *checks == 0 {
        return Seen::Shown;
    }
    let fill = below.iter().rev().find(|fill| fill.rect.contains(x, y));
    let other = painted
        .iter()
        .rev()
        .find(|(rect, after)| *after <= index && rect.contains(x, y));
    let same = match (fill, other) {
        // An image or a shape of unknown colours is below.
        (_, Some((_, after))) if fill.is_none_or(|fill| fill.after <= *after) => false,
        (Some(fill), _) => glyph.colour.distance(fill.colour) <= SAME,
        (None, _) => light,
    };
    if same { Seen::Hidden } else { Seen::Shown }
}
