//! What is painted on a page, in the order of painting: what text is on, and what covers it.

use super::state::State;
use crate::limits;
use crate::page::{Colour, Rect};

/// A painted area.
#[derive(Clone, Copy, Debug)]
pub struct Painted {
    /// The area. Not all of it need be painted.
    pub rect: Rect,
    /// The number of glyphs that are drawn before it.
    pub after: usize,
    /// The colour. `None` for images and gradients.
    pub colour: Option<Colour>,
    /// Whether all of it is painted, and nothing can be seen through it.
    pub covers: bool,
}

/// An area that an operator paints.
#[derive(Clone, Copy, Debug)]
pub struct Area<'p> {
    /// The rectangle around it.
    pub around: Rect,
    /// Parts of it that are painted as a whole.
    pub inside: &'p [Rect],
    /// The colour. `None` for images and gradients.
    pub colour: Option<Colour>,
    /// Whether nothing can be seen through these parts.
    pub opaque: bool,
}

/// The painted areas of a page, in the order of painting.
#[derive(Debug, Default)]
pub struct PaintedAreas {
    /// The areas.
    pub list: Vec<Painted>,
    /// Whether some areas were not noted, because they are too many.
    pub is_cut: bool,
}

impl PaintedAreas {
    /// Notes an area that is painted after a number of glyphs.
    pub fn note(&mut self, area: &Area<'_>, state: &State, after: usize) {
        let Some(shown) = area.around.common(&state.clip) else {
            return;
        };
        if state
            .hole
            .is_some_and(|hole| hole.common(&shown) == Some(shown))
        {
            return;
        }
        let parts = area
            .inside
            .iter()
            .filter(|_| area.opaque)
            .filter_map(|part| part.common(&state.inside))
            .filter(|part| part.area() > 0.0);
        let parts: Vec<Rect> = parts.collect();
        let unsure = (parts.first() != Some(&shown)).then_some((shown, false));
        for (rect, covers) in unsure
            .into_iter()
            .chain(parts.into_iter().map(|part| (part, true)))
        {
            if self.list.len() >= limits::SHAPES {
                self.is_cut = true;
                return;
            }
            self.list.push(Painted {
                rect,
                after,
                colour: area.colour,
                covers,
            });
        }
    }
}
