//! Footnotes, endnotes and comments.

use super::convert::Converter;
use super::line::Line;
use crate::model::{Block, Inline};
use crate::word::notes::{NoteKind, sign};
use crate::xml::Element;

impl Converter<'_> {
    /// Converts `text:note`.
    pub fn note(&mut self, note: Element, depth: usize, line: &mut Line) {
        let is_endnote = note.attr("note-class") == Some("endnote");
        let kind = if is_endnote {
            NoteKind::Endnote
        } else {
            NoteKind::Footnote
        };
        let label = self.references.label(kind);
        self.push(line, Inline::Note(label.clone()));
        let Some(body) = note.child("note-body") else {
            return;
        };
        let links = std::mem::take(&mut self.links);
        let blocks = self.blocks(body, depth.saturating_add(1));
        self.links = links;
        if blocks.is_empty() {
            return;
        }
        let list = if is_endnote {
            &mut self.references.endnotes
        } else {
            &mut self.references.footnotes
        };
        list.push(Block::Footnote { label, blocks });
    }

    /// Converts `office:annotation`. The reference is at the end of its range.
    pub fn comment(&mut self, comment: Element, depth: usize, line: &mut Line) {
        let links = std::mem::take(&mut self.links);
        let mut blocks = self.blocks(comment, depth.saturating_add(1));
        self.links = links;
        let author = comment.child("creator").map(|it| it.text());
        sign(author.as_deref().unwrap_or_default(), &mut blocks);
        let name = comment.attr("name").unwrap_or_default();
        if self.ranges.contains(name) {
            self.references.open.insert(name.to_owned(), blocks);
        } else {
            self.refer(blocks, line);
        }
    }

    /// Ends the range of a comment.
    pub fn comment_end(&mut self, name: &str, line: &mut Line) {
        if let Some(blocks) = self.references.open.remove(name) {
            self.refer(blocks, line);
        }
    }

    fn refer(&mut self, blocks: Vec<Block>, line: &mut Line) {
        let label = self.references.label(NoteKind::Comment);
        self.push(line, Inline::Note(label.clone()));
        if !blocks.is_empty() {
            let comment = Block::Footnote { label, blocks };
            self.references.comments.push(comment);
        }
    }
}
