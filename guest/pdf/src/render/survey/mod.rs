//! What drawing a page will cost, before it is drawn.
//!
//! ```text
//! mod.rs    operators
//! budget    time and memory
//! state     the graphics state
//! machine   what is kept between operators
//! path      the path that is being constructed
//! paths     painted paths
//! paint     tiling patterns, shadings and soft masks
//! image     images
//! nesting   the depth of functions and colour spaces
//! font      fonts, and glyphs that are content (Type 3)
//! stream    the sizes of decompressed streams
//! ```
//!
//! The library that draws has few limits: it draws forms that draw each other, repeats tiles, cuts lines
//! into dashes, and decodes images of any size. The survey executes the same operators without drawing, and
//! adds up estimates. It ends with an error when they exceed a limit. Its estimates are rough: they are
//! meant to find a page that takes a hundred times as long as others.
//!
//! The sandbox of an engine has limits too, which do not replace the survey:
//!
//! * They end the instance. The portable component is one instance with the reader, without a limit of time,
//!   so that the whole call would end, or never end.
//! * A page that needs too much memory for its image gets a smaller image. Only an estimate can tell before.
//! * The reason is a part of the reply.
//!
//! Without the survey, forms that draw each other, patterns in patterns and tiny steps of patterns are drawn for
//! more than ten seconds of processor time, and dashes, ranges of widths and images of 65 000 × 65 000 pixels
//! take more than 3 GB: the files are in `render::tests::hostile`.

mod budget;
mod font;
mod image;
mod machine;
mod nesting;
mod paint;
mod path;
mod paths;
mod state;
mod stream;

use super::size::Size;
use crate::content::{self, inline_images};
use crate::file::File;
use crate::limits;
pub use budget::Stop;
use hayro::kurbo::{Affine, Rect};
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_syntax::page::{Page, Resources};
use machine::{CONTENT, DEPTH, FORM, OPERATOR, Survey};
use state::{State, after};

/// Surveys a page whose image has a size.
///
/// # Errors
/// Fails if drawing the page would exceed a limit.
pub fn survey(file: &File, page: &Page<'_>, size: Size) -> Result<(), Stop> {
    let mut survey = Survey::new(file, size);
    // The surface, its pixels as PNG, and the buffers in between.
    survey.budget.bytes(size.area() * 10.0)?;
    survey.page(page, size.place(page))
}

impl<'a> Survey<'a> {
    fn page(&mut self, page: &Page<'a>, place: Affine) -> Result<(), Stop> {
        let (bytes, cut) = content::bytes::of_page(page);
        if cut {
            return Err(CONTENT);
        }
        self.state = State::new(place, self.target());
        self.run(&bytes, page.resources())?;
        let Some(list) = page.raw().get::<Array<'_>>("Annots") else {
            return Ok(());
        };
        for (count, annotation) in list.iter::<Dict<'_>>().enumerate() {
            if count >= limits::ANNOTATIONS {
                return Err(Stop {
                    limit: "annotations",
                    by_size: false,
                });
            }
            self.budget.time(OPERATOR)?;
            if let Some(appearance) = appearance(&annotation) {
                self.state = State::new(place, self.target());
                self.saved.clear();
                self.form(&appearance, page.resources())?;
            }
        }
        Ok(())
    }

    /// Surveys content with its resources.
    fn run(&mut self, bytes: &[u8], resources: &Resources<'a>) -> Result<(), Stop> {
        // The search for the ends of inline images takes about a nanosecond for two bytes, here and again
        // when the page is drawn.
        self.budget.time(inline_images::estimate(bytes))?;
        let base = self.saved.len();
        let before = self.state.clone();
        let mut operators = TypedIter::new(bytes);
        while let Some(operator) = operators.next() {
            self.budget.time(OPERATOR)?;
            self.operator(&operator, resources, base)?;
        }
        self.path.clear();
        self.clips = false;
        self.saved.truncate(base);
        self.state = before;
        Ok(())
    }

    fn operator(
        &mut self,
        operator: &Op<'_, '_>,
        resources: &Resources<'a>,
        base: usize,
    ) -> Result<(), Stop> {
        match operator {
            Op::SaveState(_) => {
                if self.saved.len() >= limits::RENDER_STATES {
                    return Err(Stop {
                        limit: "graphics states",
                        by_size: false,
                    });
                }
                self.saved.push(self.state.clone());
            }
            Op::RestoreState(_) => {
                if self.saved.len() > base
                    && let Some(state) = self.saved.pop()
                {
                    self.state = state;
                }
            }
            Op::Transform(t) => {
                let by = Affine::new([t.0, t.1, t.2, t.3, t.4, t.5].map(|it| it.as_f64()));
                self.state.matrix = after(self.state.matrix, by);
            }
            Op::SetGraphicsState(name) => {
                if let Some(dict) = resources.get_ext_g_state(name.0) {
                    self.graphics_state(&dict, resources)?;
                }
            }
            Op::XObject(name) => {
                if let Some(object) = resources.get_x_object(name.0) {
                    match object.dict().get::<Name<'_>>("Subtype").as_deref() {
                        Some(b"Image") => self.image(&object, resources)?,
                        Some(b"Form") => self.form(&object, resources)?,
                        _ => {}
                    }
                }
            }
            Op::InlineImage(image) => self.image(image.0, resources)?,
            Op::Shading(name) => {
                if let Some(object) = resources.get_shading(name.0) {
                    let area = self.state.clip;
                    self.shading(&object, self.state.matrix, area)?;
                }
            }
            operator => {
                if !self.path_operator(operator)? && !self.colour(operator, resources)? {
                    self.text(operator, resources)?;
                }
            }
        }
        Ok(())
    }

    /// Surveys a form.
    fn form(&mut self, form: &Stream<'a>, resources: &Resources<'a>) -> Result<(), Stop> {
        self.budget.time(FORM)?;
        if !self.file.layers().shows(form.dict(), b"OC") {
            return Ok(());
        }
        if self.depth >= limits::RENDER_DEPTH {
            return Err(DEPTH);
        }
        let bytes = self.content(form)?;
        let before = self.state.clone();
        let dict = form.dict();
        if let Some(matrix) = dict.get::<[f64; 6]>("Matrix") {
            self.state.matrix = after(self.state.matrix, Affine::new(matrix));
        }
        if let Some([left, low, right, high]) = dict.get::<[f64; 4]>("BBox") {
            let area = Rect::new(left, low, right, high);
            self.clip(self.state.matrix.transform_rect_bbox(area));
        }
        if dict.contains_key("Group") {
            self.group()?;
        }
        let own = dict.get::<Dict<'_>>("Resources").map(Resources::new);
        self.depth = self.depth.saturating_add(1);
        self.path.clear();
        self.run(&bytes, own.as_ref().unwrap_or(resources))?;
        self.depth = self.depth.saturating_sub(1);
        self.state = before;
        Ok(())
    }
}

/// The stream that shows an annotation (ISO 32000-2, 12.5.5).
fn appearance<'a>(annotation: &Dict<'a>) -> Option<Stream<'a>> {
    match annotation.get::<Dict<'_>>("AP")?.get::<Object<'_>>("N")? {
        Object::Stream(stream) => Some(stream),
        Object::Dict(states) => annotation
            .get::<Name<'_>>("AS")
            .and_then(|state| states.get::<Stream<'_>>(state))
            .or_else(|| states.get::<Stream<'_>>("Off")),
        _ => None,
    }
}
