//! Text, glyphs and images of elements.

use super::code;
use super::marked::{Marked, Object};
use super::tree::{Kid, Node};
use crate::inline::{self, Options, Piece};
use crate::page::Glyph;
use crate::{leaders, limits};
use omniread_document::model::{Block, Inline, Style, is_blank};
use std::rc::Rc;

/// Makes the blocks of elements. The methods for blocks, lists and tables, which call each other as deep as the
/// tree is, are in the modules of these.
#[derive(Clone, Copy)]
pub struct Maker<'m> {
    /// The marked content of the page.
    pub marked: &'m Marked<'m>,
    /// The number of sections around.
    pub sections: u8,
    /// The depth of lists.
    pub depth: usize,
    /// Whether formats are left out.
    pub plain: bool,
    /// Whether paragraphs are inline, as in a heading.
    pub one_line: bool,
}

/// The pieces of a paragraph, and the blocks that follow it: its notes.
pub struct Paragraph<'m> {
    /// The pieces.
    pub pieces: Vec<Piece<'m>>,
    /// Whether an element says that it is code.
    pub code: bool,
    /// The blocks that follow it.
    pub notes: Vec<Block>,
}

/// What the elements around a piece say about it.
#[derive(Clone, Default)]
pub struct Around {
    /// The format.
    pub style: Style,
    /// The address of the link.
    pub link: Option<Rc<str>>,
}

impl<'m> Maker<'m> {
    /// A maker outside of sections and lists.
    pub fn new(marked: &'m Marked<'m>) -> Self {
        Self {
            marked,
            sections: 0,
            depth: 0,
            plain: false,
            one_line: false,
        }
    }

    /// Ends a paragraph.
    pub fn end(&self, paragraph: Paragraph<'m>, out: &mut Vec<Block>) {
        let Paragraph {
            pieces,
            code,
            notes,
        } = paragraph;
        let glyphs: Vec<&Glyph> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Glyph { glyph, .. } => Some(glyph.as_ref()),
                _ => None,
            })
            .collect();
        let only_glyphs = glyphs.len() == pieces.len();
        if only_glyphs && code::is_mono(self.marked.page, &glyphs) {
            let lines = code::lines(&glyphs);
            let linked = pieces
                .iter()
                .any(|piece| matches!(piece, Piece::Glyph { link: Some(_), .. }));
            if lines.len() > 1 || code || !linked && self.depth == 0 && glyphs.len() > 3 {
                let text = code::text(&glyphs);
                let place = code::Place::of(&glyphs);
                let before = self.marked.code.replace(Some(place));
                if let (Some(Block::Code { text: last, .. }), Some(before)) =
                    (out.last_mut(), before)
                    && before.goes_on(&place)
                {
                    code::join(last, &before, &text, &place);
                    self.marked.code.set(Some(before.with(&place)));
                } else if !text.trim().is_empty() {
                    out.push(Block::Code {
                        language: String::new(),
                        text,
                    });
                }
                out.extend(notes);
                return;
            }
        }
        let content = self.inlines(&pieces, self.plain);
        if !is_blank(&content) {
            out.push(Block::Paragraph(content));
        }
        out.extend(notes);
    }

    /// The inline text of pieces.
    pub fn inlines(&self, pieces: &[Piece<'_>], plain: bool) -> Vec<Inline> {
        let options = Options {
            plain,
            ..self.marked.options
        };
        let mut content = inline::inlines(self.marked.page, pieces, options);
        leaders::shorten(&mut content);
        content
    }

    /// Whether an element is on another line than the end of a paragraph.
    pub fn starts_line(&self, node: &'m Node, paragraph: &Paragraph<'m>) -> bool {
        let last = paragraph.pieces.iter().rev().find_map(|piece| match piece {
            Piece::Glyph { glyph, .. } => Some(glyph.as_ref()),
            _ => None,
        });
        match (last, self.first_glyph(node, 0)) {
            (Some(last), Some(first)) => inline::is_new_line(last, first),
            _ => true,
        }
    }

    /// Whether inline content starts on the line on which an element ends.
    pub fn shares_line(&self, node: &'m Node, next: &'m Kid) -> bool {
        let first = match next {
            Kid::Node(next) if next.role.is_block() => None,
            Kid::Node(next) => self.first_glyph(next, 0),
            next => self.first_of(next),
        };
        let last = self
            .glyphs(node)
            .into_iter()
            .rfind(|it| !it.text.is_blank());
        matches!((last, first), (Some(last), Some(first)) if !inline::is_new_line(last, first))
    }

    /// The glyphs of an element.
    pub fn glyphs(&self, node: &'m Node) -> Vec<&'m Glyph> {
        let mut out = Vec::new();
        self.collect(node, &mut out);
        out
    }

    /// The places of the glyphs of an element.
    pub fn places(&self, node: &'m Node) -> Vec<usize> {
        let mut out = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for kid in &node.kids {
                match kid {
                    Kid::Mark(mark) => {
                        out.extend(self.marked.glyphs.get(mark).into_iter().flatten());
                    }
                    Kid::Node(node) => open.push(node),
                    Kid::Object(_) => {}
                }
            }
        }
        out
    }

    fn collect(&self, node: &'m Node, out: &mut Vec<&'m Glyph>) {
        for kid in &node.kids {
            match kid {
                Kid::Mark(mark) => {
                    let places = self.marked.glyphs.get(mark).into_iter().flatten();
                    out.extend(places.filter_map(|place| self.marked.page.glyphs.get(*place)));
                }
                Kid::Node(node) => self.collect(node, out),
                Kid::Object(_) => {}
            }
        }
    }

    /// The first glyph of an element.
    pub fn first_glyph(&self, node: &'m Node, depth: usize) -> Option<&'m Glyph> {
        node.kids.iter().find_map(|kid| match kid {
            Kid::Mark(_) => self.first_of(kid),
            Kid::Node(node) if depth < limits::TREE_DEPTH => {
                self.first_glyph(node, depth.saturating_add(1))
            }
            _ => None,
        })
    }

    /// The first glyph of marked content.
    fn first_of(&self, kid: &Kid) -> Option<&'m Glyph> {
        let Kid::Mark(mark) = kid else { return None };
        let places = self.marked.glyphs.get(mark)?;
        let mut glyphs = places
            .iter()
            .filter_map(|place| self.marked.page.glyphs.get(*place));
        glyphs.find(|glyph| !glyph.text.is_blank())
    }

    /// Adds an image to a paragraph, unless the paragraph has it.
    pub fn image(&self, place: usize, alt: &str, paragraph: &mut Paragraph<'m>) {
        let Some(image) = self.marked.page.images.get(place) else {
            return;
        };
        let known = paragraph
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Image { number, .. } if *number == image.number));
        if !known {
            paragraph.pieces.push(Piece::Image {
                alt: match image.parts() {
                    parts if parts.is_empty() => alt.to_owned(),
                    parts if alt.is_empty() => parts,
                    parts => format!("{alt} ({parts})"),
                },
                number: image.number,
            });
        }
    }

    /// The address of the link annotation in an element.
    pub fn address(&self, kid: &Kid, depth: usize) -> Option<Rc<str>> {
        match kid {
            Kid::Object(object) => match self.marked.objects.get(object)? {
                Object::Link(url) => Some(Rc::clone(url)),
                Object::Field(..) => None,
            },
            Kid::Node(node) if depth < 4 => node
                .kids
                .iter()
                .find_map(|kid| self.address(kid, depth.saturating_add(1))),
            _ => None,
        }
    }
}

impl Paragraph<'_> {
    /// An empty paragraph.
    pub fn new() -> Self {
        Self {
            pieces: Vec::new(),
            code: false,
            notes: Vec::new(),
        }
    }
}
