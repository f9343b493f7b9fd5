//! Text as a clip path (ISO 32000-2, 9.3.6): modes 4 to 7 add the shapes of the text to the clip path, and
//! what is painted then is seen through the text. Text of mode 7 has no other ink.

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

    /// Ends a text object. Returns the clip path, if its text is one.
    pub fn end(&mut self) -> Option<Rc<TextClip>> {
        let Self { glyphs, any } = std::mem::take(self);
        any.then(|| {
            Rc::new(TextClip {
                done: Cell::new(glyphs.is_empty()),
                glyphs,
            })
        })
    }
}

impl TextClip {
    /// Paints an area: the glyphs in its part `shown` can be seen. `colour` is `None` for images and gradients.
    /// `checks` is the number of comparisons that may still be made.
    pub fn paint(
        &self,
        shown: Option<Rect>,
        colour: Option<Colour>,
        glyphs: &mut [Glyph],
        checks: &mut usize,
    ) {
        if self.done.get() {
            return;
        }
        let colour = colour.unwrap_or(Colour::BLACK);
        let rest = checks.checked_sub(self.glyphs.len());
        *checks = rest.unwrap_or_default();
        // Text that may be seen is shown.
        let all = rest.is_none();
        let mut done = true;
        for place in &self.glyphs {
            let Some(glyph) = glyphs.get_mut(*place) else {
                continue;
            };
            let painted = shown.is_some_and(|shown| around(glyph).common(&shown).is_some());
            if all || painted && (glyph.invisible || glyph.colour == Colour::WHITE) {
                glyph.invisible = false;
                glyph.colour = if all { Colour::BLACK } else { colour };
            }
            done &= !glyph.invisible && glyph.colour != Colour::WHITE;
        }
        self.done.set(done);
    }
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
