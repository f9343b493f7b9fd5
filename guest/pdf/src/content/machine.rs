//! What the interpreter of content keeps between operators.

use super::marks::Marks;
use super::painted::{Area, PaintedAreas};
use super::path::Path;
use super::state::State;
use super::text_clip::Pending;
use crate::file::File;
use crate::limits;
use crate::matrix::Matrix;
use crate::page::{Colour, FontId, Missing, PageContent, Rect};
use std::collections::BTreeMap;

/// What is inside of a path (ISO 32000-2, 8.5.3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winding {
    /// Where the number of turns is not zero.
    NonZero,
    /// Where the number of crossings is odd.
    EvenOdd,
}

/// Interprets content.
pub struct Machine<'a> {
    /// The file.
    pub file: &'a File,
    /// The number of the page, from 0.
    pub index: usize,
    /// The visible page.
    pub bounds: Rect,
    /// What was found so far.
    pub out: PageContent,
    /// The graphics state.
    pub state: State,
    /// The states that are saved.
    pub saved: Vec<State>,
    /// The marked content around.
    pub marks: Marks,
    /// The path that is being made.
    pub path: Path,
    /// How the next painting operator also clips.
    pub clips: Option<Winding>,
    /// The number of entries of the fonts that the page uses.
    pub font_entries: usize,
    /// The number of operators that may still be executed.
    pub operators: usize,
    /// The number of bytes of forms that may still be read.
    pub bytes: usize,
    /// The objects of the forms that are being drawn.
    pub forms: Vec<u32>,
    /// The numbers of the fonts of the page, by the place of their dictionaries in the file.
    pub fonts: BTreeMap<(usize, usize), FontId>,
    /// The numbers of the images, by their objects.
    pub images: BTreeMap<u32, usize>,
    /// The number of images so far.
    pub image_count: usize,
    /// The rectangle of the last image that may be a strip of a picture, and whether the image has a number.
    pub strip: Option<(Rect, bool)>,
    /// The rectangles of the form fields that are shown.
    pub widgets: Vec<Rect>,
    /// The painted areas.
    pub painted: PaintedAreas,
    /// The text that becomes a clip path at the end of the text object.
    pub text_clip: Pending,
    /// The comparisons of glyphs of clip paths with painted areas that may still be made.
    pub clip_checks: usize,
    /// Glyphs that are not visible by their own state.
    pub unseen: Vec<bool>,
    /// The number of the image that is looked for.
    pub wanted: Option<usize>,
    /// The image that was looked for.
    pub taken: Option<Vec<u8>>,
}

impl<'a> Machine<'a> {
    /// The state before the first operator of a page. `index` is the number of the page, from 0.
    pub fn new(file: &'a File, index: usize, matrix: Matrix, width: f32, height: f32) -> Self {
        let bounds = Rect {
            x0: 0.0,
            y0: 0.0,
            x1: width,
            y1: height,
        };
        Self {
            file,
            index,
            bounds,
            out: PageContent {
                width,
                height,
                missing: Missing::default(),
                ..PageContent::default()
            },
            state: State::new(matrix, bounds),
            saved: Vec::new(),
            marks: Marks::default(),
            path: Path::default(),
            clips: None,
            operators: limits::OPERATORS,
            bytes: limits::CONTENT_BYTES,
            forms: Vec::new(),
            fonts: BTreeMap::new(),
            images: BTreeMap::new(),
            image_count: 0,
            strip: None,
            widgets: Vec::new(),
            painted: PaintedAreas::default(),
            text_clip: Pending::default(),
            clip_checks: limits::COVER_CHECKS,
            unseen: Vec::new(),
            font_entries: 0,
            wanted: None,
            taken: None,
        }
    }

    /// Counts an object of this many bytes that is read again each time it is used.
    pub fn charge(&mut self, bytes: usize) {
        self.operators = self
            .operators
            .saturating_sub(bytes / limits::OPERATOR_BYTES);
    }

    /// Clips to an area in a rectangle. All of the part `inside` is in the area.
    pub fn clip(&mut self, to: &Rect, inside: Option<Rect>) {
        let none = Rect {
            x0: to.x0,
            y0: to.y0,
            x1: to.x0,
            y1: to.y0,
        };
        self.state.clip = self.state.clip.common(to).unwrap_or(none);
        let inside = inside.and_then(|inside| inside.common(&self.state.inside));
        self.state.inside = inside.unwrap_or(none);
    }

    /// Notes an area that is painted.
    pub fn paints(&mut self, area: &Area<'_>) {
        let after = self.out.glyphs.len();
        self.painted.note(area, &self.state, after);
    }

    /// Ends a text object. Its text may become a clip path.
    pub fn end_text(&mut self) {
        if let Some(clip) = self.text_clip.end() {
            self.state.text_clip = Some(clip);
        }
    }

    /// Paints an area. Returns whether only text shows it, which then can be seen. `colour` is `None` for
    /// images and gradients.
    pub fn paints_text(&mut self, area: &Rect, colour: Option<Colour>) -> bool {
        let Some(clip) = &self.state.text_clip else {
            return false;
        };
        let shown = area.common(&self.state.clip);
        clip.paint(shown, colour, &mut self.out.glyphs, &mut self.clip_checks);
        true
    }
}
