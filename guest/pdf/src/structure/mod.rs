//! Pages with tags: the structure tree → blocks.
//!
//! ```text
//! mod.rs    the marked content of a page, and the entry
//! roles     types of elements
//! tree      the elements of a page
//! check     whether the tags are worth trust
//! blocks    elements → blocks
//! list      lists
//! table     tables
//! code      lines of code
//! ```

mod blocks;
mod check;
mod code;
mod list;
mod roles;
mod table;
mod tree;

use crate::file::File;
use crate::inline::Options;
use crate::page::{Mark, PageContent, Target};
use omniread_documents::model::Block;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tree::{Kid, Node};

/// What an annotation is to its element.
#[derive(Clone, Debug)]
pub enum Object {
    /// A link.
    Link(Rc<str>),
    /// A form field with its value.
    Field(String),
}

/// The blocks of a page by its tags, and the glyphs that they do not have.
#[derive(Debug)]
pub struct Tagged {
    /// The blocks in the order of the tree.
    pub blocks: Vec<Block>,
    /// The places of glyphs without tags that are not artifacts.
    pub rest: Vec<usize>,
}

/// The marked content of a page.
pub(crate) struct Marked<'m> {
    page: &'m PageContent,
    glyphs: BTreeMap<Mark, Vec<usize>>,
    images: BTreeMap<Mark, Vec<usize>>,
    objects: BTreeMap<u32, Object>,
    options: Options<'m>,
}

impl<'m> Marked<'m> {
    fn new(page: &'m PageContent, objects: BTreeMap<u32, Object>, options: Options<'m>) -> Self {
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
            page,
            glyphs,
            images,
            objects,
            options,
        }
    }
}

/// Reads a page by its tags. `None` if it has none, or if they are not worth trust. `fields` are the
/// values of form fields by the objects of their annotations.
pub fn blocks(
    file: &File,
    index: usize,
    page: &PageContent,
    fields: &BTreeMap<u32, String>,
    options: Options<'_>,
) -> Option<Tagged> {
    let forms: BTreeSet<u32> = page.glyphs.iter().filter_map(|glyph| glyph.mcid).map(|mark| mark.stream).filter(|it| *it != 0).collect();
    if !page.glyphs.iter().any(|glyph| glyph.mcid.is_some()) {
        return None;
    }
    let mut root = tree::of_page(file, index, &forms)?;
    let links = page.links.iter().filter_map(|link| match (&link.target, link.object) {
        (Target::Url(url), Some(object)) => Some((object, Object::Link(Rc::clone(url)))),
        _ => None,
    });
    let fields = fields.iter().map(|(object, value)| (*object, Object::Field(value.clone())));
    let marked = Marked::new(page, links.chain(fields).collect(), options);
    let mut reached = BTreeSet::new();
    reach(&mut root, &mut reached);
    let rest = check::rest(page, &reached)?;
    let blocks = blocks::of(&root, &marked);
    check::same_words(page, &blocks, &rest).then_some(Tagged { blocks, rest })
}

/// Collects the marks of the tree. Marks that occur twice are removed from the second place.
fn reach(node: &mut Node, reached: &mut BTreeSet<Mark>) {
    node.kids.retain_mut(|kid| match kid {
        Kid::Mark(mark) => reached.insert(*mark),
        Kid::Node(node) => {
            reach(node, reached);
            true
        }
        Kid::Object(_) => true,
    });
}
