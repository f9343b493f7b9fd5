//! The content streams of a page → glyphs, lines, rectangles and images.
//!
//! ```text
//! mod.rs       pages and annotations
//! draw         operators
//! bytes        the bytes of content
//! machine      what the interpreter keeps between operators
//! state        the graphics state
//! frame        a content stream while its operators are executed
//! text         texts → glyphs
//! fields       form fields
//! text_clip    text as a clip path
//! marks        marked content
//! artifacts    artifacts that are text of the page
//! figures      images of the page
//! tiles        pictures that are cut into several images
//! images       images as files of their own
//! inline_images  images in the content, whose ends are looked for
//! convex       rectangles inside of shapes
//! path         paths → lines and rectangles
//! painted      painted areas, which text is on or below
//! colour       colours
//! visible      what cannot be seen
//! unknown      glyphs whose characters are unknown
//! overprint    text that is printed again over itself
//! accents      accents that are characters of their own
//! underscores  lines that are glyphs
//! brackets     brackets in text from the right
//! backwards    text that is drawn from its end
//! ```
//!
//! The interpreter is our own, because each operator and glyph counts towards limits, and because it
//! knows the dictionary of each font.

mod accents;
mod artifacts;
mod backwards;
mod brackets;
pub mod bytes;
pub mod colour;
mod convex;
mod draw;
mod fields;
mod figures;
mod frame;
mod images;
pub mod inline_images;
mod machine;
pub mod marks;
mod overprint;
mod painted;
pub mod path;
pub mod state;
mod text;
mod text_clip;
mod tiles;
mod underscores;
mod unknown;
mod visible;

use crate::annotations::{self, Drawn};
use crate::array;
use crate::file::File;
use crate::limits;
use crate::matrix::Matrix;
use crate::page::{PageContent, Rect};
use hayro_syntax::object::{Array, Stream};
use hayro_syntax::page::{Page, Rotation};
use machine::Machine;
use state::State;
pub use visible::Show;

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
    backwards::turn(&mut out.glyphs);
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

impl<'a> Machine<'a> {
    /// Interprets the content of the page.
    fn page(&mut self, page: &Page<'a>) {
        let (bytes, cut) = bytes::of_page(page);
        self.out.missing.cut |= cut;
        // Text takes two bytes a glyph, and more.
        let expected = (bytes.len() / 2).min(EXPECTED_GLYPHS);
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
}
