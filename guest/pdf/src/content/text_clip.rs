//! Text as a clip path (ISO 32000-2, 9.3.6): modes 4 to 7 add the shapes of the text to the clip path, and
//! what is painted then is seen through the text. Text of mode 7 has no other ink.

use super::Machine;
use crate::page::{Colour, Glyph, Rect};
use std::cell::Cell;
use std::rc::Rc;

/// The text of a clip path.
#[derive(Debug)]
pub struct TextClip {
    /// The places of its glyphs that have no ink of their own.
    glyphs: Vec<usize>,
    /// Whether all of them are seen.
    done: Cell<bool>,
}

/// The text that becomes a clip path at the end of a text object.
#[derive(Debug, Default)]
pub struct Pending {
    glyphs: Vec<usize>,
    any: bool,
}

impl Pending {
    /// Notes a glyph of a mode that clips. `place` is its place if it has no ink of its own.
    pub fn add(&mut self, place: Option<usize>) {
        self.any = true;
        self.glyphs.extend(place);
    }
}

/// Ends a text object.
pub fn end(m: &mut Machine<'_>) {
    let pending = std::mem::take(&mut m.text_clip);
    if pending.any {
        m.state.text_clip = Some(Rc::new(TextClip {
            done: Cell::new(pending.glyphs.is_empty()),
            glyphs: pending.glyphs,
        }));
    }
}

/// Paints an area. Returns whether only text shows it, which then can be seen. `colour` is `None` for images
/// and gradients.
pub fn paint(m: &mut Machine<'_>, area: &Rect, colour: Option<Colour>) -> bool {
    let Some(clip) = m.state.text_clip.clone() else {
        return false;
    };
    if clip.done.get() {
        return true;
    }
    let colour = colour.unwrap_or(Colour::BLACK);
    let rest = m.clip_checks.checked_sub(clip.glyphs.len());
    m.clip_checks = rest.unwrap_or_default();
    // Text that may be seen is shown.
    let all = rest.is_none();
    let shown = area.common(&m.state.clip);
    let mut done = true;
    for place in &clip.glyphs {
        let Some(glyph) = m.out.glyphs.get_mut(*place) else {
            continue;
        };
        let painted = shown.is_some_and(|shown| around(glyph).common(&shown).is_some());
        if all || painted && (glyph.invisible || glyph.colour == Colour::WHITE) {
            glyph.invisible = false;
            glyph.colour = if all { Colour::BLACK } else { colour };
        }
        done &= !glyph.invisible && glyph.colour != Colour::WHITE;
    }
    clip.done.set(done);
    true
}

/// A rectangle around a glyph.
fn around(glyph: &Glyph) -> Rect {
    let area = Rect::of((glyph.x0, glyph.y), (glyph.x1, glyph.y1));
    Rect {
        x0: area.x0,
        y0: area.y0 - glyph.size,
        x1: area.x1,
        y1: area.y1,
    }
}
