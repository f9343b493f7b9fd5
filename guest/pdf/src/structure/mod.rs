//! Pages with tags: the structure tree → blocks.
//!
//! ```text
//! mod.rs    the elements of a page, and the entry
//! marked    the marked content of a page
//! roles     types of elements
//! tree      the elements of a page
//! elements  the elements of each page, for files that do not list them
//! check     whether the tags are worth trust
//! blocks    elements → blocks
//! maker     text and glyphs of elements
//! headings  headings that are tagged as paragraphs
//! list      lists
//! table     tables
//! columns   the columns of tables by the positions of their cells
//! code      lines of code
//! ```

mod blocks;
mod check;
mod code;
mod columns;
mod elements;
mod headings;
mod list;
mod maker;
mod marked;
mod roles;
mod table;
mod tree;

use crate::bidi;
use crate::file::File;
use crate::inline::{self, Options};
use crate::page::{Glyph, Mark, PageContent, Target};
use marked::{Marked, Object};
use omniread_document::model::Block;
use std::collections::BTreeSet;
use std::rc::Rc;
use tree::{Kid, Node};

pub(crate) use roles::Role;
pub(crate) use tree::Source;

/// The note of a page with a table whose tags were not followed.
pub const MOVED: &str = "The tags of a table put cells into other columns than their positions. They are in the columns of \
    their positions.";

/// The blocks of a page by its tags, and the glyphs that they do not have.
#[derive(Debug)]
pub struct Tagged {
    /// The blocks in the order of the tree.
    pub blocks: Vec<Block>,
    /// The places of glyphs without tags that are not artifacts.
    pub rest: Vec<usize>,
    /// Whether cells of a table are in the columns of their positions, and not in those of their tags.
    pub moved: bool,
}

/// The elements of a page, which have most of its glyphs.
pub struct Elements {
    root: Node,
    reached: Reached,
    /// The places of glyphs that no element has.
    rest: Vec<usize>,
}

/// Reads the elements of a page. `None` if it has none, or if they have too few of its glyphs.
pub fn elements(file: &File, index: usize, page: &PageContent, source: Source) -> Option<Elements> {
    if !has_marks(page) {
        return None;
    }
    let forms: BTreeSet<u32> = page
        .glyphs
        .iter()
        .filter_map(|glyph| glyph.mcid)
        .map(|mark| mark.stream)
        .filter(|it| *it != 0)
        .collect();
    let mut root = tree::of_page(file, index, &forms, source)?;
    let mut reached = Reached::default();
    reach(&mut root, &mut reached);
    let rest = check::rest(page, &reached.marks)?;
    Some(Elements {
        root,
        reached,
        rest,
    })
}

/// Whether a page has marked content that elements refer to.
pub fn has_marks(page: &PageContent) -> bool {
    page.glyphs.iter().any(|glyph| glyph.mcid.is_some())
}

/// Reads a page by its elements. `None` if they do not have the same words.
pub fn blocks(file: &File, page: &PageContent, elements: Elements) -> Option<Tagged> {
    let Elements {
        root,
        reached,
        mut rest,
    } = elements;
    let links = page
        .links
        .iter()
        .filter_map(|link| match (&link.target, link.object) {
            (Target::Url(url), Some(object)) => Some((object, Object::Link(Rc::clone(url)))),
            _ => None,
        });
    let fields = page
        .drawn
        .iter()
        .map(|it| (it.object, Object::Field(it.start, it.end)));
    let words = words(page);
    let knows = |word: &str| words.contains(word);
    let options = Options {
        knows: Some(&knows),
        ..Options::default()
    };
    let marked = Marked::new(file, page, links.chain(fields).collect(), options);
    let shown = page
        .drawn
        .iter()
        .filter(|it| reached.objects.contains(&it.object));
    for drawn in shown {
        rest.retain(|place| !(drawn.start..drawn.end).contains(place));
    }
    let mut blocks = blocks::of(&root, &marked);
    headings::set(&mut blocks);
    let moved = marked.moved.get();
    check::same_words(page, &blocks, &rest).then_some(Tagged {
        blocks,
        rest,
        moved,
    })
}

/// The marks and annotations of a tree.
#[derive(Default)]
struct Reached {
    marks: BTreeSet<Mark>,
    objects: BTreeSet<u32>,
}

/// Collects the marks of the tree. Marks that occur twice are removed from the second place.
fn reach(node: &mut Node, reached: &mut Reached) {
    node.kids.retain_mut(|kid| match kid {
        Kid::Mark(mark) => reached.marks.insert(*mark),
        Kid::Node(node) => {
            reach(node, reached);
            true
        }
        Kid::Object(object) => {
            reached.objects.insert(*object);
            true
        }
    });
}

/// The words of a page in lower case. They decide on hyphens at the ends of lines.
fn words(page: &PageContent) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut word = String::new();
    let mut last: Option<&Glyph> = None;
    for glyph in &page.glyphs {
        let apart = last.is_some_and(|last| {
            let (before, after) = (bidi::span(last), bidi::span(glyph));
            inline::is_new_line(last, glyph) || after.start - before.end > 0.17 * glyph.size
        });
        if apart {
            end_word(&mut word, &mut words);
        }
        last = Some(glyph);
        let mut own = String::new();
        glyph.text.push_to(&mut own);
        for character in own.chars() {
            if character.is_alphabetic() || character == '-' && !word.is_empty() {
                word.extend(character.to_lowercase());
            } else {
                end_word(&mut word, &mut words);
            }
        }
    }
    end_word(&mut word, &mut words);
    words
}

/// Adds a word, and the parts of a compound. A word that ends with a hyphen is only a part.
fn end_word(word: &mut String, words: &mut BTreeSet<String>) {
    if !word.is_empty() && !word.ends_with('-') {
        words.insert(word.clone());
    }
    word.clear();
}

/// The elements of a page, one on each line. Empty if the page has no elements.
pub fn outline(file: &File, index: usize) -> String {
    let mut out = String::new();
    if let Some(root) = tree::of_page(file, index, &BTreeSet::new(), tree::Source::List) {
        dump(&root, 0, &mut out);
    }
    out
}

/// Writes the part of the tree of a page, one element on each line.
fn dump(node: &Node, depth: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("  ", depth));
    out.push_str(&format!(
        "{:?} {:?} {:?} {}x{}\n",
        node.role, node.alt, node.actual, node.columns, node.rows
    ));
    for kid in &node.kids {
        match kid {
            Kid::Node(node) => dump(node, depth.saturating_add(1), out),
            other => {
                out.extend(std::iter::repeat_n("  ", depth.saturating_add(1)));
                out.push_str(&format!("{other:?}\n"));
            }
        }
    }
}
