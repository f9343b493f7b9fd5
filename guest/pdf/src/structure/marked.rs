//! The marked content of a page.

use super::code;
use crate::file::File;
use crate::inline::Options;
use crate::page::{Mark, PageContent};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What an annotation is to its element.
#[derive(Clone, Debug)]
pub enum Object {
    /// A link.
    Link(Rc<str>),
    /// A form field: the places of its glyphs, from the first to the one after the last.
    Field(usize, usize),
}

/// The marked content of a page.
pub struct Marked<'m> {
    /// The file.
    pub file: &'m File,
    /// The page.
    pub page: &'m PageContent,
    /// The places of the glyphs of each mark.
    pub glyphs: BTreeMap<Mark, Vec<usize>>,
    /// The places of the images of each mark.
    pub images: BTreeMap<Mark, Vec<usize>>,
    /// The annotations, by their objects.
    pub objects: BTreeMap<u32, Object>,
    /// How inline text is made.
    pub options: Options<'m>,
    /// The left sides of the lists that are open, from the outermost.
    pub lists: RefCell<Vec<f32>>,
    /// Where the last code ends.
    pub code: Cell<Option<code::Place>>,
    /// Whether cells of a table were moved to the columns of their positions.
    pub moved: Cell<bool>,
}

impl<'m> Marked<'m> {
    /// The marked content of a page with its annotations, by their objects.
    pub fn new(
        file: &'m File,
        page: &'m PageContent,
        objects: BTreeMap<u32, Object>,
        options: Options<'m>,
    ) -> Self {
        let mut glyphs: BTreeMap<Mark, Vec<usize>> = BTreeMap::new();
        for (place, glyph) in page.glyphs.iter().enumerate() {
            if let (Some(mark), false) = (glyph.mcid, glyph.artifact) {
                glyphs.entry(mark).or_default().push(place);
            }
        }
        let mut images: BTreeMap<Mark, Vec<usize>> = BTreeMap::new();
        for (place, image) in page.images.iter().enumerate() {
            if let Some(mark) = image.mcid {
                images.entry(mark).or_default().push(place);
            }
        }
        Self {
            file,
            page,
            glyphs,
            images,
            objects,
            options,
            lists: RefCell::default(),
            code: Cell::default(),
            moved: Cell::default(),
        }
    }

    /// The marked content with only some of the glyphs.
    pub fn part(&self, own: &BTreeSet<usize>) -> Self {
        let mut glyphs: BTreeMap<Mark, Vec<usize>> = BTreeMap::new();
        for place in own {
            if let Some(mark) = self.page.glyphs.get(*place).and_then(|it| it.mcid) {
                glyphs.entry(mark).or_default().push(*place);
            }
        }
        Self {
            file: self.file,
            page: self.page,
            glyphs,
            images: BTreeMap::new(),
            objects: self.objects.clone(),
            options: self.options,
            lists: RefCell::default(),
            code: Cell::default(),
            moved: Cell::default(),
        }
    }
}
