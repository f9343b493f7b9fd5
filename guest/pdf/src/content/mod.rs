//! The content streams of a page → glyphs, lines, rectangles and images.
//!
//! ```text
//! mod.rs       operators
//! bytes        the bytes of content
//! state        the graphics state
//! text         texts → glyphs
//! fields       form fields
//! text_clip    text as a clip path
//! marks        marked content
//! artifacts    artifacts that are text of the page
//! images       images as files of their own
//! inline_images  images in the content, whose ends are looked for
//! convex       rectangles inside of shapes
//! path         paths → lines and rectangles
//! painted      painted areas, which text is on or below
//! colour       colours
//! visible      what cannot be seen
//! underscores  lines that are glyphs
//! brackets     brackets in text from the right
//! ```
//!
//! The interpreter is our own, because each operator and glyph counts towards limits, and because it
//! knows the dictionary of each font.

mod artifacts;
mod brackets;
pub mod bytes;
pub mod colour;
mod convex;
mod draw;
mod fields;
mod images;
pub mod inline_images;
pub mod marks;
mod painted;
pub mod path;
pub mod state;
mod text;
mod text_clip;
mod underscores;
mod visible;

use crate::annotations::{self, Drawn};
use crate::array;
use crate::decode;
use crate::file::File;
use crate::limits;
use crate::matrix::Matrix;
use crate::page::{Figure, FontId, Missing, PageContent, Rect};
use hayro_syntax::object::{Array, Dict, Stream};
use hayro_syntax::page::{Page, Resources, Rotation};
use marks::Marks;
use path::Path;
use state::State;
use std::collections::BTreeMap;

/// What a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// Only what can be seen.
    Visible,
    /// Also white, tiny and covered text.
    All,
}

/// Interprets a page. `index` is from 0. A page that does not exist is empty.
pub fn content(file: &File, index: usize, show: Show) -> PageContent {
    let Some(page) = file.pdf().pages().get(index) else {
        return PageContent::default();
    };
    let (matrix, width, height) = geometry(page);
    let mut machine = Machine::new(file, index, matrix, width, height);
    machine.page(page);
    machine.annotations(page);
    let widgets = std::mem::take(&mut machine.widgets);
    let mut out = visible::finish(machine, show);
    artifacts::keep(&mut out, &widgets, show);
    underscores::insert(&mut out);
    brackets::by_look(&mut out);
    out
}

/// The number of glyphs for which a page gets memory at first. A dense page has as many.
const EXPECTED_GLYPHS: usize = 4096;

/// The transform from the space of the page to ours, and the size of the visible page.
pub fn geometry(page: &Page<'_>) -> (Matrix, f32, f32) {
    let area = page.intersected_crop_box();
    let (base_width, base_height) = page.base_dimensions();
    #[expect(clippy::cast_possible_truncation, reason = "pages are small")]
    let (left, bottom) = (area.x0 as f32, area.y0 as f32);
    let flat = Matrix([1.0, 0.0, 0.0, -1.0, -left, base_height + bottom]);
    let (turn, width, height) = match page.rotation() {
        Rotation::None => (Matrix::IDENTITY, base_width, base_height),
        Rotation::Horizontal => (
            Matrix([0.0, 1.0, -1.0, 0.0, base_height, 0.0]),
            base_height,
            base_width,
        ),
        Rotation::Flipped => (
            Matrix([-1.0, 0.0, 0.0, -1.0, base_width, base_height]),
            base_width,
            base_height,
        ),
        Rotation::FlippedHorizontal => (
            Matrix([0.0, -1.0, 1.0, 0.0, 0.0, base_width]),
            base_height,
            base_width,
        ),
    };
    (turn.after(flat), width, height)
}

/// The page of an image by its number, from 0.
pub fn page_of_image(number: usize) -> Option<usize> {
    Some(number.checked_sub(1)? / 1000)
}

/// Reads an image of a page by its number. `None` if there is no such image.
pub fn image(file: &File, number: usize) -> Option<Vec<u8>> {
    let index = page_of_image(number)?;
    let page = file.pdf().pages().get(index)?;
    let (matrix, width, height) = geometry(page);
    let mut machine = Machine::new(file, index, matrix, width, height);
    machine.wanted = Some(number);
    machine.page(page);
    machine.taken
}

/// The transform of an appearance to the rectangle of its annotation: its transformed box is moved to the
/// rectangle (ISO 32000-2, 12.5.5).
fn placed(appearance: &Stream<'_>, target: &Rect) -> Option<Matrix> {
    let dict = appearance.dict();
    let matrix = dict
        .get::<[f32; 6]>("Matrix")
        .map_or(Matrix::IDENTITY, Matrix);
    let [left, low, right, high] = dict.get::<[f32; 4]>("BBox")?;
    let around = [(left, low), (right, low), (right, high), (left, high)]
        .into_iter()
        .map(|(x, y)| matrix.point(x, y))
        .map(|point| Rect::of(point, point))
        .reduce(|all, one| all.around(&one))?;
    if around.width() <= 0.0 || around.height() <= 0.0 {
        return None;
    }
    let (wide, high) = (
        target.width() / around.width(),
        target.height() / around.height(),
    );
    Some(Matrix([
        wide,
        0.0,
        0.0,
        high,
        target.x0 - around.x0 * wide,
        target.y0 - around.y0 * high,
    ]))
}

/// What is inside of a path (ISO 32000-2, 8.5.3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Winding {
    NonZero,
    EvenOdd,
}

/// Interprets content.
pub struct Machine<'a> {
    file: &'a File,
    index: usize,
    bounds: Rect,
    out: PageContent,
    state: State,
    saved: Vec<State>,
    marks: Marks,
    path: Path,
    /// How the next painting operator also clips.
    clips: Option<Winding>,
    /// The number of entries of the fonts that the page uses.
    font_entries: usize,
    /// The number of operators that may still be executed.
    operators: usize,
    /// The number of bytes of forms that may still be read.
    bytes: usize,
    /// The objects of the forms that are being drawn.
    forms: Vec<u32>,
    /// The numbers of the fonts of the page, by the place of their dictionaries in the file.
    fonts: BTreeMap<(usize, usize), FontId>,
    /// The numbers of the images, by their objects.
    images: BTreeMap<u32, usize>,
    /// The number of images so far.
    image_count: usize,
    /// The rectangles of the form fields that are shown.
    widgets: Vec<Rect>,
    /// The painted areas, in the order of painting.
    painted: Vec<painted::Painted>,
    /// Whether all painted areas were noted.
    painted_all: bool,
    /// The text that becomes a clip path at the end of the text object.
    text_clip: text_clip::Pending,
    /// The comparisons of glyphs of clip paths with painted areas that may still be made.
    clip_checks: usize,
    /// Glyphs that are not visible by their own state.
    unseen: Vec<bool>,
    /// The image that is looked for, and the image when it is found.
    wanted: Option<usize>,
    taken: Option<Vec<u8>>,
}

impl<'a> Machine<'a> {
    fn new(file: &'a File, index: usize, matrix: Matrix, width: f32, height: f32) -> Self {
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
            widgets: Vec::new(),
            painted: Vec::new(),
            painted_all: true,
            text_clip: text_clip::Pending::default(),
            clip_checks: limits::COVER_CHECKS,
            unseen: Vec::new(),
            font_entries: 0,
            wanted: None,
            taken: None,
        }
    }

    /// Interprets the content of the page.
    fn page(&mut self, page: &Page<'a>) {
        let (bytes, cut) = bytes::of_page(page);
        self.out.missing.cut |= cut;
        // Text takes about three bytes a glyph.
        let expected = (bytes.len() / 3).min(EXPECTED_GLYPHS);
        self.out.glyphs.reserve(expected);
        self.unseen.reserve(expected);
        self.run(&bytes, page.resources(), 0);
    }

    /// Draws annotations that have text: form fields, text boxes and stamps. Notes links.
    fn annotations(&mut self, page: &Page<'a>) {
        let Some(list) = page.raw().get::<Array<'_>>("Annots") else {
            return;
        };
        let (start, _, _) = geometry(page);
        let mut marks = Vec::new();
        for annotation in array::dicts(&list).take(limits::ANNOTATIONS) {
            let Some(rect) = annotations::rectangle(&annotation) else {
                continue;
            };
            let shown = Rect::of(start.point(rect.x0, rect.y0), start.point(rect.x1, rect.y1));
            self.out
                .links
                .extend(annotations::link(self.file, &annotation, shown));
            if !self.file.layers().shows(&annotation, b"OC") {
                continue;
            }
            let (is_field, has_text) = annotations::field(&annotation);
            if is_field {
                self.widgets.push(shown);
            }
            let before = self.out.glyphs.len();
            let drawn = annotations::drawn(&annotation);
            let is_check = matches!(drawn, Some(Drawn::Check(_)));
            match drawn {
                Some(Drawn::Appearance(appearance)) => {
                    self.appearance(&appearance, &rect, start, page);
                }
                Some(Drawn::Field(appearance, value)) => {
                    self.appearance(&appearance, &rect, start, page);
                    if !self.shows(before, &value) {
                        self.out.glyphs.truncate(before);
                        self.unseen.truncate(before);
                        self.state = State::new(start, self.bounds);
                        self.value(&value, &rect);
                    }
                }
                Some(Drawn::Value(value)) => {
                    self.state = State::new(start, self.bounds);
                    self.value(&value, &rect);
                }
                Some(Drawn::Check(is_on)) => {
                    self.state = State::new(start, self.bounds);
                    self.check(is_on, &rect);
                }
                None => {}
            }
            if (is_check || has_text)
                && let Some(mut mark) = self.line(before, shown)
            {
                mark.is_check = is_check;
                marks.push(mark);
            }
            let after = self.out.glyphs.len();
            if let Some(id) = annotation.obj_id()
                && before < after
            {
                self.out.drawn.push(crate::page::Drawn {
                    object: id.obj_number,
                    start: before,
                    end: after,
                });
            }
        }
        self.align(&marks);
    }

    /// Draws the appearance of an annotation into its rectangle. `start` is the transform of the page.
    fn appearance(&mut self, appearance: &Stream<'a>, rect: &Rect, start: Matrix, page: &Page<'a>) {
        if let Some(place) = placed(appearance, rect) {
            self.state = State::new(start.after(place), self.bounds);
            self.saved.clear();
            self.form(appearance, page.resources());
        }
    }

    /// Counts an object of this many bytes that is read again each time it is used.
    fn charge(&mut self, bytes: usize) {
        self.operators = self
            .operators
            .saturating_sub(bytes / limits::OPERATOR_BYTES);
    }

    /// Interprets a stream with its resources. `stream` is the number of the object of the form.
    fn run(&mut self, bytes: &[u8], resources: &Resources<'a>, stream: u32) {
        let base = self.saved.len();
        let marks = self.marks.depth();
        draw::run(self, bytes, resources, stream, base);
        self.path.clear();
        self.clips = None;
        if self.saved.len() > base {
            self.saved.truncate(base.saturating_add(1));
            if let Some(state) = self.saved.pop() {
                self.state = state;
            }
        }
        self.marks.end_to(marks);
    }

    /// Draws a form.
    fn form(&mut self, form: &Stream<'a>, resources: &Resources<'a>) {
        let number = form.dict().obj_id().map_or(0, |id| id.obj_number);
        if self.forms.len() >= limits::FORM_DEPTH || number != 0 && self.forms.contains(&number) {
            return;
        }
        if !self.file.layers().shows(form.dict(), b"OC") {
            return;
        }
        // Each use of a form costs its bytes, so that forms which draw forms end.
        let Some((bytes, cut, work)) = decode::measured(form, self.bytes) else {
            self.bytes = self.bytes.saturating_sub(bytes::FAILED / bytes::FILTERS);
            return;
        };
        self.out.missing.cut |= cut;
        let cost = bytes.len().max(work / bytes::FILTERS).max(100);
        self.bytes = self.bytes.saturating_sub(cost);
        if self.bytes == 0 {
            self.out.missing.cut = true;
            return;
        }
        let before = self.state.clone();
        if let Some(matrix) = form.dict().get::<[f32; 6]>("Matrix") {
            self.state.matrix = self.state.matrix.after(Matrix(matrix));
        }
        if let Some(area) = form.dict().get::<[f32; 4]>("BBox") {
            let corners = [
                (area[0], area[1]),
                (area[2], area[1]),
                (area[2], area[3]),
                (area[0], area[3]),
            ];
            let corners = corners.map(|(x, y)| self.state.matrix.point(x, y));
            let around = corners
                .into_iter()
                .map(|point| Rect::of(point, point))
                .reduce(|all, one| all.around(&one));
            if let Some(around) = around {
                let inside = self.state.matrix.is_straight().then_some(around);
                self.clip(&around, inside);
            }
        }
        let own = form.dict().get::<Dict<'_>>("Resources").map(Resources::new);
        self.forms.push(number);
        self.run(&bytes, own.as_ref().unwrap_or(resources), number);
        self.forms.pop();
        self.state = before;
    }

    /// Clips to an area in a rectangle. All of the part `inside` is in the area.
    fn clip(&mut self, to: &Rect, inside: Option<Rect>) {
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

    /// Adds an image, which fills the unit square. `object` is the number of its object, if it is one.
    fn image(&mut self, stream: &Stream<'_>, object: Option<u32>, resources: &Resources<'_>) {
        if self.marks.hidden() || !self.file.layers().shows(stream.dict(), b"OC") {
            return;
        }
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(x, y)| self.state.matrix.point(x, y));
        let around = corners
            .into_iter()
            .map(|point| Rect::of(point, point))
            .reduce(|all, one| all.around(&one));
        let Some(shown) = around.and_then(|around| around.common(&self.state.clip)) else {
            return;
        };
        let after = self.out.glyphs.len();
        self.out.missing.ink = true;
        if !text_clip::paint(self, &shown, None) {
            let dict = stream.dict();
            let clear = dict.contains_key("SMask")
                || dict.contains_key("Mask")
                || dict.get::<bool>("ImageMask") == Some(true);
            let opaque = !clear
                && self.state.covers
                && self.state.fill.alpha >= 1.0
                && self.state.matrix.is_straight();
            painted::note(self, &shown, &[shown], None, opaque);
        }
        // Lines and dots are drawn as images too. They are not pictures.
        if shown.width() < 8.0 || shown.height() < 8.0 || self.out.images.len() >= limits::SHAPES {
            return;
        }
        let known = object.and_then(|object| self.images.get(&object).copied());
        let number = known.unwrap_or_else(|| {
            self.image_count = self.image_count.saturating_add(1);
            self.index
                .saturating_mul(1000)
                .saturating_add(self.image_count)
        });
        if self.image_count > limits::PAGE_IMAGES {
            return;
        }
        if let Some(object) = object {
            self.images.insert(object, number);
        }
        if self.wanted == Some(number) && self.taken.is_none() {
            self.taken = images::file_of(stream, resources);
            // The rest of the page is not needed.
            self.operators = 0;
        }
        self.out.images.push(Figure {
            rect: shown,
            number,
            artifact: self.marks.artifact(),
            mcid: self.marks.mark(),
            after,
        });
    }
}
