//! The parts of the graphics state (ISO 32000-2, 8.4) on which costs depend.

use hayro::kurbo::{Affine, Rect};
use hayro_syntax::object::{Dict, Object};
use std::rc::Rc;

/// The graphics state.
#[derive(Clone)]
pub struct State<'a> {
    /// The transform to pixels.
    pub matrix: Affine,
    /// The rectangle in pixels outside of which nothing is drawn.
    pub clip: Rect,
    /// The pattern of fills.
    pub fill: Option<Rc<Object<'a>>>,
    /// The pattern of strokes.
    pub stroke: Option<Rc<Object<'a>>>,
    /// The width of lines.
    pub line_width: f64,
    /// The length of a sequence of dashes, and their number. `None` for solid lines.
    pub dashes: Option<(f64, usize)>,
    /// The time to blend a pixel with those below, in nanoseconds. 0 if it covers them.
    pub blend: f64,
    /// The transform of the content around, on which patterns are placed.
    pub root: Affine,
    /// The font, if its glyphs are content (Type 3).
    pub font: Option<Rc<Dict<'a>>>,
    /// The size of the font.
    pub font_size: f64,
    /// The transform of the text.
    pub text: Affine,
}

impl State<'_> {
    /// The state at the start of content.
    pub fn new(matrix: Affine, clip: Rect) -> Self {
        Self {
            matrix,
            clip,
            fill: None,
            stroke: None,
            line_width: 1.0,
            dashes: None,
            blend: 0.0,
            root: matrix,
            font: None,
            font_size: 1.0,
            text: Affine::IDENTITY,
        }
    }

    /// The lengths in pixels of one unit to the right and one upwards.
    pub fn units(&self) -> (f64, f64) {
        units(self.matrix)
    }
}

/// The transform that does the inner one first, then the outer one.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "products of floating-point numbers do not panic"
)]
pub fn after(outer: Affine, inner: Affine) -> Affine {
    outer * inner
}

/// The lengths of one unit to the right and one upwards after a transform.
pub fn units(matrix: Affine) -> (f64, f64) {
    let [a, b, c, d, ..] = matrix.as_coeffs();
    (a.hypot(b), c.hypot(d))
}
