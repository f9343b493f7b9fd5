//! The graphics state.

use super::colour::Space;
use super::frame::PageFont;
use super::text_clip::TextClip;
use crate::matrix::Matrix;
use crate::page::{Colour, Rect};
use std::rc::Rc;

/// The graphics state, as far as text, lines and rectangles need it.
#[derive(Clone, Debug)]
pub struct State {
    /// From user space to the page.
    pub matrix: Matrix,
    /// The rectangle around the clip path, on the page.
    pub clip: Rect,
    /// A rectangle that is inside of the clip path as a whole.
    pub inside: Rect,
    /// A rectangle that is a hole of the clip path.
    pub hole: Option<Rect>,
    /// The text of the clip path.
    pub text_clip: Option<Rc<TextClip>>,
    /// The thickness of lines in user space.
    pub line_width: f32,
    /// The colour of filled shapes and text.
    pub fill: Paint,
    /// The colour of lines.
    pub stroke: Paint,
    /// Whether shapes cover what is below: the blend mode is normal, and there is no soft mask.
    pub covers: bool,
    /// The state of text.
    pub text: TextState,
}

/// A colour and its space.
#[derive(Clone, Debug)]
pub struct Paint {
    /// The space of the operands.
    pub space: Rc<Space>,
    /// The colour.
    pub colour: Colour,
    /// From 0, which is invisible, to 1.
    pub alpha: f32,
}

impl Default for Paint {
    fn default() -> Self {
        Self {
            space: Rc::new(Space::Gray),
            colour: Colour::BLACK,
            alpha: 1.0,
        }
    }
}

/// The state of text.
#[derive(Clone, Debug)]
pub struct TextState {
    /// The font.
    pub font: Option<PageFont>,
    /// The font size in text space.
    pub size: f32,
    /// The space after each glyph.
    pub character_space: f32,
    /// The space after each word space.
    pub word_space: f32,
    /// The horizontal scale, 1 is normal.
    pub scale: f32,
    /// The distance of lines.
    pub leading: f32,
    /// The distance from the baseline.
    pub rise: f32,
    /// The text rendering mode.
    pub mode: i64,
    /// From text space to user space.
    pub matrix: Matrix,
    /// The matrix at the start of the line.
    pub line: Matrix,
}

impl State {
    /// The state at the start of a page.
    pub fn new(matrix: Matrix, clip: Rect) -> Self {
        Self {
            matrix,
            clip,
            inside: clip,
            hole: None,
            text_clip: None,
            line_width: 1.0,
            fill: Paint::default(),
            stroke: Paint::default(),
            covers: true,
            text: TextState {
                font: None,
                size: 0.0,
                character_space: 0.0,
                word_space: 0.0,
                scale: 1.0,
                leading: 0.0,
                rise: 0.0,
                mode: 0,
                matrix: Matrix::IDENTITY,
                line: Matrix::IDENTITY,
            },
        }
    }
}

impl TextState {
    /// Moves to the next line.
    pub fn next_line(&mut self, x: f32, y: f32) {
        self.line = self.line.after(Matrix::moved(x, y));
        self.matrix = self.line;
    }

    /// Moves by thousandths of the font size, against the direction of writing.
    pub fn adjust(&mut self, thousandths: f32) {
        let by = -thousandths / 1000.0 * self.size;
        let vertical = self
            .font
            .as_ref()
            .is_some_and(|font| font.loaded.info.vertical);
        let (x, y) = if vertical {
            (0.0, by)
        } else {
            (by * self.scale, 0.0)
        };
        self.matrix = self.matrix.after(Matrix::moved(x, y));
    }
}
