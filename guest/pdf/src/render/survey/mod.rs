//! What drawing a page will cost, before it is drawn.
//!
//! ```text
//! mod.rs    operators
//! budget    time and memory
//! state     the graphics state
//! path      paths
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

mod budget;
mod font;
mod image;
mod nesting;
mod paint;
mod path;
mod state;
mod stream;

use super::size::Size;
use crate::content::{self, inline_images};
use crate::file::File;
use crate::limits;
use budget::Budget;
pub use budget::Stop;
use hayro::kurbo::{Affine, Rect};
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_syntax::page::{Page, Resources};
use path::Path;
use state::{State, after};
use std::collections::{BTreeMap, BTreeSet};

/// The time of an operator in nanoseconds.
const OPERATOR: u64 = 150;

/// The time of a form in nanoseconds, without its content.
const FORM: u64 = 5000;

/// The time in nanoseconds for a byte that is decompressed.
const DECOMPRESSED: u64 = 3;

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

/// Surveys content.
struct Survey<'a> {
    file: &'a File,
    size: Size,
    budget: Budget,
    state: State<'a>,
    saved: Vec<State<'a>>,
    path: Path,
    /// Whether the next painting operator also clips.
    clips: bool,
    /// How many forms, patterns and glyphs are around the content.
    depth: usize,
    /// The bytes of content that may still be read.
    content: usize,
    /// The bytes of the programs of functions that may still be read.
    program_bytes: usize,
    /// Soft masks that are drawn already: the place of their dictionary in the file, and their transform.
    masks: BTreeSet<(usize, [u64; 6])>,
    /// The objects of fonts and of other streams that are measured already.
    measured: BTreeSet<(usize, usize)>,
    /// What a glyph that is content costs, by its font, its code and the size in powers of two.
    glyphs: BTreeMap<(usize, u8, i32), (u64, u64)>,
}

impl<'a> Survey<'a> {
    fn new(file: &'a File, size: Size) -> Self {
        let target = Rect::new(0.0, 0.0, f64::from(size.width), f64::from(size.height));
        Self {
            file,
            size,
            budget: Budget::default(),
            state: State::new(Affine::IDENTITY, target),
            saved: Vec::new(),
            path: Path::default(),
            clips: false,
            depth: 0,
            content: limits::CONTENT_BYTES,
            program_bytes: limits::RENDER_PROGRAM_BYTES,
            masks: BTreeSet::new(),
            measured: BTreeSet::new(),
            glyphs: BTreeMap::new(),
        }
    }

    fn target(&self) -> Rect {
        Rect::new(
            0.0,
            0.0,
            f64::from(self.size.width),
            f64::from(self.size.height),
        )
    }

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

    /// A group of which the pixels are mixed with those below (ISO 32000-2, 11.4).
    fn group(&mut self) -> Result<(), Stop> {
        self.budget.time(FORM)?;
        self.budget
            .pixels(self.state.clip.area(), 2.0 + self.state.blend)
    }

    /// The bytes of a stream of content.
    fn content(&mut self, stream: &Stream<'a>) -> Result<Vec<u8>, Stop> {
        let Some((bytes, cut)) = crate::decode::data(stream, self.content) else {
            return Ok(Vec::new());
        };
        if cut {
            return Err(CONTENT);
        }
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.budget.time(length.saturating_mul(DECOMPRESSED))?;
        self.budget.check(length, false)?;
        Ok(bytes.into_owned())
    }

    fn clip(&mut self, area: Rect) {
        let common = self.state.clip.intersect(area);
        // Rectangles without a common part have a negative size.
        self.state.clip = Rect::new(
            common.x0,
            common.y0,
            common.x1.max(common.x0),
            common.y1.max(common.y0),
        );
    }
}

/// The limit on the bytes of content.
const CONTENT: Stop = Stop {
    limit: "bytes of content",
    by_size: false,
};

/// The limit on the depth of content.
const DEPTH: Stop = Stop {
    limit: "depth of forms",
    by_size: false,
};

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
