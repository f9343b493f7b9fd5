//! Elements → blocks.
//!
//! Recursion is as deep as the tree, which has a limit.

use super::maker::{Around, Maker, Paragraph};
use super::marked::{Marked, Object};
use super::roles::Role;
use super::tree::{Kid, Node};
use crate::bidi;
use crate::extremes::Extremes as _;
use crate::inline::{self, Piece};
use crate::limits;
use crate::page::Text;
use crate::strings;
use omniread_document::model::{Block, Style, is_blank, plain_text};
use std::borrow::Cow;
use std::rc::Rc;

/// Makes the blocks of a tree.
pub fn of(root: &Node, marked: &Marked<'_>) -> Vec<Block> {
    let mut out = Vec::new();
    Maker::new(marked).node(root, &mut out);
    out
}

impl<'m> Maker<'m> {
    /// Makes the blocks of an element.
    pub fn node(&mut self, node: &'m Node, out: &mut Vec<Block>) {
        match node.role {
            Role::Heading(level) => self.heading(node, level, out),
            Role::SectionHeading => self.heading(node, self.sections.max(1), out),
            Role::List => {
                let mut inner = *self;
                if self.depth == 0 {
                    inner.depth =
                        self.list_depth(node, matches!(out.last(), Some(Block::Item { .. })));
                }
                inner.list(node, out);
            }
            Role::Item => self.item(node, out),
            Role::Table => self.table(node, out),
            Role::BlockQuote => {
                let mut blocks = Vec::new();
                self.flow(node, &mut blocks);
                if !blocks.is_empty() {
                    out.push(Block::Quote(blocks));
                }
            }
            Role::Skipped => {}
            Role::Group => {
                let mut inner = *self;
                inner.sections = self.sections.saturating_add(1);
                inner.flow(node, out);
            }
            _ => self.flow(node, out),
        }
    }

    /// The depth of a list that is not in another one. Programs that write a list for each level, one after
    /// the other, only show the depth by the left side.
    fn list_depth(&self, node: &'m Node, follows: bool) -> usize {
        let mut open = self.marked.lists.borrow_mut();
        if !follows {
            open.clear();
        }
        let Some(first) = self.first_glyph(node, 0) else {
            return 0;
        };
        let left = bidi::span(first).start;
        while open.pop_if(|other| *other > left + 3.0).is_some() {}
        if open.last().is_none_or(|other| *other < left - 3.0) {
            open.push(left);
        }
        open.len().saturating_sub(1)
    }

    fn heading(&mut self, node: &'m Node, level: u8, out: &mut Vec<Block>) {
        let mut paragraph = Paragraph::new();
        let mut blocks = Vec::new();
        let mut inner = *self;
        inner.one_line = true;
        inner.gather_kids(node, &Around::default(), &mut paragraph, &mut blocks);
        let (images, pieces): (Vec<_>, Vec<_>) = paragraph
            .pieces
            .into_iter()
            .partition(|piece| matches!(piece, Piece::Image { .. }));
        let content = self.inlines(&pieces, true);
        if !is_blank(&content) {
            out.push(Block::Heading { level, content });
        }
        if !images.is_empty() {
            out.push(Block::Paragraph(self.inlines(&images, true)));
        }
        out.extend(blocks);
        out.extend(paragraph.notes);
    }

    /// Makes the blocks of the content of an element. Text between blocks is paragraphs.
    pub fn flow(&mut self, node: &'m Node, out: &mut Vec<Block>) {
        let mut paragraph = Paragraph::new();
        paragraph.code = node.role == Role::Code;
        if node.actual.is_some() || matches!(node.role, Role::Figure | Role::Formula | Role::Link) {
            self.gather(node, &Around::default(), &mut paragraph, out);
        } else {
            self.gather_kids(node, &Around::default(), &mut paragraph, out);
        }
        self.end(paragraph, out);
    }

    /// The text of an element without formats.
    pub fn text(&mut self, node: &'m Node) -> String {
        let mut paragraph = Paragraph::new();
        self.gather(node, &Around::default(), &mut paragraph, &mut Vec::new());
        let text = plain_text(&self.inlines(&paragraph.pieces, true));
        text.trim().to_owned()
    }

    fn gather_kids(
        &mut self,
        node: &'m Node,
        around: &Around,
        paragraph: &mut Paragraph<'m>,
        out: &mut Vec<Block>,
    ) {
        for (at, kid) in node.kids.iter().enumerate() {
            match kid {
                Kid::Mark(mark) => {
                    for image in self.marked.images.get(mark).into_iter().flatten() {
                        self.image(*image, "", paragraph);
                    }
                    for place in self.marked.glyphs.get(mark).into_iter().flatten() {
                        if let Some(glyph) = self.marked.page.glyphs.get(*place) {
                            paragraph.pieces.push(Piece::Glyph {
                                glyph: Cow::Borrowed(glyph),
                                style: around.style,
                                link: around.link.clone(),
                            });
                        }
                    }
                }
                Kid::Object(object) => {
                    if let Some(Object::Field(start, end)) = self.marked.objects.get(object) {
                        let glyphs = self.marked.page.glyphs.get(*start..*end);
                        paragraph
                            .pieces
                            .extend(glyphs.into_iter().flatten().map(Piece::glyph));
                    }
                }
                Kid::Node(kid) if self.is_block((node, at), kid, paragraph) => {
                    let node = kid;
                    if node.role == Role::Note {
                        let mut notes = Vec::new();
                        self.node(node, &mut notes);
                        if paragraph.pieces.is_empty() {
                            out.extend(notes);
                        } else {
                            paragraph.notes.extend(notes);
                        }
                        continue;
                    }
                    let code = paragraph.code;
                    let before = std::mem::replace(paragraph, Paragraph::new());
                    self.end(before, out);
                    paragraph.code = code;
                    self.node(node, out);
                }
                Kid::Node(node) => self.gather(node, around, paragraph, out),
            }
        }
    }

    /// Whether an element starts a block of its own. It is the child of an element, at a position.
    fn is_block(
        &self,
        (parent, at): (&'m Node, usize),
        node: &'m Node,
        paragraph: &Paragraph<'m>,
    ) -> bool {
        if self.one_line && matches!(node.role, Role::Paragraph | Role::Group | Role::Body) {
            return false;
        }
        if node.role.is_block() {
            return true;
        }
        // Beside blocks, figures and code are blocks too.
        if parent.role == Role::Group
            && matches!(node.role, Role::Figure | Role::Code | Role::Formula)
        {
            // Text that follows on its line shows that it is a part of a paragraph.
            let next = parent.kids.get(at.saturating_add(1));
            let goes_on =
                !paragraph.pieces.is_empty() && next.is_some_and(|it| self.shares_line(node, it));
            return !goes_on && self.starts_line(node, paragraph);
        }
        // Programs write elements without a meaning for what they do not know, such as lists of terms.
        // They are blocks if they start a line.
        let is_nameless = |node: &Node| node.role == Role::Inline(Style::default());
        let has_elements = node.kids.iter().all(|kid| matches!(kid, Kid::Node(_)));
        if !is_nameless(node)
            || !has_elements
            || !(parent.role == Role::Group || is_nameless(parent))
        {
            return false;
        }
        self.starts_line(node, paragraph)
    }

    /// Adds an inline element to a paragraph.
    fn gather(
        &mut self,
        node: &'m Node,
        around: &Around,
        paragraph: &mut Paragraph<'m>,
        out: &mut Vec<Block>,
    ) {
        let mut around = around.clone();
        match node.role {
            Role::Inline(style) => around.style = around.style.with(style),
            Role::Code => {
                around.style = around.style.with(Style::CODE);
                paragraph.code |= paragraph.pieces.is_empty();
            }
            Role::Link => {
                let url = node.kids.iter().find_map(|kid| self.address(kid, 0));
                around.link = url.or(around.link);
            }
            Role::Skipped => return,
            Role::RubyText => {
                let text = self.text_of_kids(node);
                if !text.is_empty() {
                    paragraph.pieces.push(Piece::Text(format!("（{text}）")));
                }
                return;
            }
            Role::Figure => {
                self.figure(node, paragraph);
                return;
            }
            _ => {}
        }
        let replaced = node.actual.as_ref().or(match node.role {
            Role::Formula => node.alt.as_ref(),
            _ => None,
        });
        if let Some(text) = replaced {
            self.replaced(node, text, &around, paragraph);
            return;
        }
        self.gather_kids(node, &around, paragraph, out);
    }

    fn text_of_kids(&mut self, node: &'m Node) -> String {
        let mut paragraph = Paragraph::new();
        self.gather_kids(node, &Around::default(), &mut paragraph, &mut Vec::new());
        let text = plain_text(&self.inlines(&paragraph.pieces, true));
        text.trim().to_owned()
    }

    /// Adds a text that replaces the glyphs of an element, at their place.
    fn replaced(
        &mut self,
        node: &'m Node,
        text: &str,
        around: &Around,
        paragraph: &mut Paragraph<'m>,
    ) {
        let mut inner = Paragraph::new();
        self.gather_kids(node, around, &mut inner, &mut Vec::new());
        let mut glyphs = inner.pieces.iter().filter_map(|piece| match piece {
            Piece::Glyph { glyph, .. } => Some(glyph.as_ref()),
            _ => None,
        });
        let Some(first) = glyphs.next() else {
            paragraph.pieces.push(Piece::Text(text.to_owned()));
            return;
        };
        let mut whole = first.clone();
        for glyph in glyphs {
            if !inline::is_new_line(&whole, glyph)
                && bidi::span(glyph).start >= bidi::span(first).start
            {
                whole.x1 = whole.x1.greater(glyph.x1);
            }
        }
        whole.text = if text.is_empty() {
            Text::None
        } else {
            Text::Many(Rc::from(text))
        };
        paragraph.pieces.push(Piece::Glyph {
            glyph: Cow::Owned(whole),
            style: around.style,
            link: around.link.clone(),
        });
    }

    /// Adds the images of a figure, and its text.
    fn figure(&mut self, node: &'m Node, paragraph: &mut Paragraph<'m>) {
        let mut inner = Paragraph::new();
        let mut blocks = Vec::new();
        self.gather_kids(node, &Around::default(), &mut inner, &mut blocks);
        let alt = node
            .alt
            .as_deref()
            .or(node.actual.as_deref())
            .unwrap_or_default();
        let alt = strings::line(alt, limits::ALT_BYTES);
        let mut described = false;
        for piece in &inner.pieces {
            if let Piece::Image { number, .. } = piece {
                paragraph.pieces.push(Piece::Image {
                    alt: if described {
                        String::new()
                    } else {
                        alt.clone()
                    },
                    number: *number,
                });
                described = true;
            }
        }
        let says_nothing =
            ["figure", "image", "picture", "graphic"].contains(&alt.to_lowercase().as_str());
        if !described && !alt.is_empty() && !says_nothing {
            // A drawing.
            paragraph.pieces.push(Piece::Text(format!("[{alt}]")));
        }
        let text: Vec<Piece<'m>> = inner
            .pieces
            .into_iter()
            .filter(|piece| matches!(piece, Piece::Glyph { .. }))
            .collect();
        if !text.is_empty() {
            if described {
                paragraph.pieces.push(Piece::Break);
            }
            paragraph.pieces.extend(text);
        }
        paragraph.notes.extend(blocks);
    }
}
