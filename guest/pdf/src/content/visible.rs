//! What cannot be seen: text that is white on white, tiny, off the page, or below something.
//!
//! Text without ink is usual over a scanned page, where a program wrote the characters that it
//! recognised. There it is the text of the page. Elsewhere it is hidden.

use super::machine::Machine;
use super::painted::{Painted, PaintedAreas};
use super::{accents, overprint, tiles, unknown};
use crate::extremes::Extremes as _;
use crate::limits;
use crate::page::{Colour, Glyph, PageContent, Rect, Text, UNKNOWN};
use std::collections::BTreeSet;

/// The size in points below which nobody can read a text.
const TINY: f32 = 1.0;

/// The largest difference of a colour from its background that nobody sees.
const SAME: u8 = 6;

/// The number of colours up to which the colour of a text is looked for among those of painted areas first.
const COLOURS: usize = 64;

/// The part of the page from which an image is a scan of it.
const SCAN: f32 = 0.5;

/// What a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// Only what can be seen.
    Visible,
    /// Also white, tiny and covered text.
    All,
}

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
    let mut ground = Ground::new(&machine.painted);
    let mut glyphs = std::mem::take(&mut out.glyphs);
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
                ground.seen(glyph, index, (x, y))
            },
        );
    }
    // Of text that is printed again, the first that can be seen is kept.
    let mut left_out = vec![false; glyphs.len()];
    let is_shown = |index: usize| states.get(index) == Some(&Seen::Shown);
    overprint::mark(&glyphs, is_shown, &mut left_out);
    accents::join(&mut glyphs, &mut left_out);
    let unknown = unknown::fonts(&mut glyphs, &out.fonts);
    let is_unknown_font = |glyph: &Glyph| {
        unknown
            .get(usize::from(glyph.font.0))
            .copied()
            .unwrap_or_default()
    };
    // A page whose text is all under images has no other text than the recognised one.
    let is_text = |pair: &(&Glyph, &Seen)| !pair.0.text.is_blank();
    let all = || glyphs.iter().zip(&states).filter(is_text);
    let only_images =
        all().all(|pair| *pair.1 != Seen::Shown) && all().any(|pair| *pair.1 == Seen::UnderImage);
    let mut hidden = 0_usize;
    // The numbers of glyphs before shapes change with those that are removed.
    let is_counted = !out.images.is_empty() || !out.drawn.is_empty();
    let mut kept_before: Vec<usize> = Vec::new();
    let mut kept = 0_usize;
    // Most pages show all of their text.
    let is_plain = unknown.is_empty()
        && states.iter().all(|it| *it == Seen::Shown)
        && !left_out.contains(&true);
    if is_plain {
        for glyph in glyphs.iter().filter(|it| !it.text.is_blank()) {
            let is_unmapped = usize::from(unknown::is_unknown(&glyph.text));
            out.missing.glyphs = out.missing.glyphs.saturating_add(1);
            out.missing.unmapped = out.missing.unmapped.saturating_add(is_unmapped);
        }
        kept = glyphs.len();
        if is_counted {
            kept_before.extend(0..kept);
        }
    }
    let mut decided = states.into_iter().zip(left_out);
    let mut keep = |glyph: &mut Glyph| {
        if is_counted {
            kept_before.push(kept);
        }
        let Some((state, false)) = decided.next() else {
            return false;
        };
        let blank = glyph.text.is_blank();
        let recognised = state == Seen::Recognised || only_images && state == Seen::UnderImage;
        if state != Seen::Shown && !recognised {
            if !blank {
                hidden = hidden.saturating_add(1);
            }
            if show == Show::Visible {
                return false;
            }
        }
        glyph.invisible |= recognised;
        if !blank && is_unknown_font(glyph) {
            glyph.text = Text::One(UNKNOWN);
            out.missing.unknown = out.missing.unknown.saturating_add(1);
        } else if !blank {
            out.missing.glyphs = out.missing.glyphs.saturating_add(1);
            out.missing.recognised = out
                .missing
                .recognised
                .saturating_add(usize::from(recognised));
            if unknown::is_unknown(&glyph.text) {
                out.missing.unmapped = out.missing.unmapped.saturating_add(1);
            }
        }
        kept = kept.saturating_add(1);
        true
    };
    if !is_plain {
        glyphs.retain_mut(&mut keep);
    }
    kept_before.push(kept);
    out.glyphs = glyphs;
    let count = |after: usize| count_of(&kept_before, after);
    let images: Vec<usize> = out.images.iter().map(|image| count(image.after)).collect();
    for (image, after) in out.images.iter_mut().zip(images) {
        image.after = after;
    }
    for drawn in &mut out.drawn {
        (drawn.start, drawn.end) = (
            count_of(&kept_before, drawn.start),
            count_of(&kept_before, drawn.end),
        );
    }
    out.unknown_fonts = unknown;
    out.missing.hidden = hidden;
    tiles::join(&mut out.images);
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
    let room = size.lesser(20.0) * 0.3;
    x >= page.x0 - room && x <= page.x1 + room && y >= page.y0 - room && y <= page.y1 + room
}

/// What text is on and below.
struct Ground<'p> {
    painted: &'p [Painted],
    /// Whether `painted` is complete.
    is_all: bool,
    /// The places of what covers all that is below.
    covers: Vec<usize>,
    /// The colours of what covers, if they are few.
    colours: Option<BTreeSet<[u8; 3]>>,
    /// The comparisons that may still be made.
    checks: usize,
    /// The colour of the last glyph, and whether it is white, and that of a painted area, as far as anybody sees.
    last: Option<(Colour, bool, bool)>,
}

impl<'p> Ground<'p> {
    fn new(areas: &'p PaintedAreas) -> Self {
        let painted = areas.list.as_slice();
        let all = || painted.iter().enumerate().filter(|it| it.1.covers);
        let mut colours = BTreeSet::new();
        for colour in all().filter_map(|it| it.1.colour) {
            colours.insert(colour.0);
            if colours.len() > COLOURS {
                break;
            }
        }
        Self {
            painted,
            is_all: !areas.is_cut,
            covers: all().map(|it| it.0).collect(),
            colours: (colours.len() <= COLOURS).then_some(colours),
            checks: limits::COVER_CHECKS,
            last: None,
        }
    }

    /// Whether a colour is white, and whether it is that of a painted area, or may be.
    #[inline]
    fn looks(&mut self, colour: Colour) -> (bool, bool) {
        if let Some((last, light, known)) = self.last
            && last == colour
        {
            return (light, known);
        }
        self.looks_of(colour)
    }

    /// As [`Ground::looks`], for another colour than that of the last glyph.
    fn looks_of(&mut self, colour: Colour) -> (bool, bool) {
        let light = colour.distance(Colour::WHITE) <= SAME;
        let mut colours = self.colours.iter().flatten();
        let known =
            self.colours.is_none() || colours.any(|it| colour.distance(Colour(*it)) <= SAME);
        self.last = Some((colour, light, known));
        (light, known)
    }

    /// Whether a glyph can be seen. `(x, y)` is its middle.
    fn seen(&mut self, glyph: &Glyph, index: usize, (x, y): (f32, f32)) -> Seen {
        if self.painted.is_empty() && self.is_all {
            // The page is white.
            return if self.looks(glyph.colour).0 {
                Seen::Hidden
            } else {
                Seen::Shown
            };
        }
        let after = |place: usize| self.painted.get(place).map_or(0, |it| it.after);
        let later = self.covers.partition_point(|place| after(*place) <= index);
        let above = self.covers.get(later..).unwrap_or_default();
        self.checks = self.checks.saturating_sub(above.len());
        if self.checks == 0 {
            return Seen::Shown;
        }
        let (left, right) = (
            glyph.x0.lesser(glyph.x1) + 0.5,
            glyph.x0.greater(glyph.x1) - 0.5,
        );
        let high = |rect: &Rect| rect.height() >= glyph.size * 0.5;
        let later_count = above.len();
        let above = || above.iter().filter_map(|place| self.painted.get(*place));
        let over = |x: f32| above().find(|it| it.rect.contains(x, y) && high(&it.rect));
        // Two areas that touch, such as those of cells, may cover it together.
        if let Some(cover) = over(x)
            && over(left.lesser(x)).is_some()
            && over(right.greater(x)).is_some()
        {
            self.checks = self.checks.saturating_sub(later_count.saturating_mul(2));
            return match cover.colour {
                None => Seen::UnderImage,
                Some(_) => Seen::Hidden,
            };
        }
        if self.has_own_colour(glyph, index, (x, y)) {
            Seen::Shown
        } else {
            Seen::Hidden
        }
    }

    /// Whether a glyph has another colour than what it is on, or may have.
    fn has_own_colour(&mut self, glyph: &Glyph, index: usize, (x, y): (f32, f32)) -> bool {
        let is_same = |colour: Colour| glyph.colour.distance(colour) <= SAME;
        let (light, known) = self.looks(glyph.colour);
        if !self.is_all || !light && !known {
            return true;
        }
        let below = self.painted.partition_point(|it| it.after <= index);
        let below = self.painted.get(..below).unwrap_or_default();
        for painted in below.iter().rev() {
            self.checks = self.checks.saturating_sub(1);
            if self.checks == 0 {
                return true;
            }
            if !painted.rect.contains(x, y) {
                continue;
            }
            if !painted.colour.is_some_and(is_same) {
                return true;
            }
            if painted.covers {
                return false;
            }
        }
        !light
    }
}
