//! Footnotes, endnotes and comments.

use super::convert::Converter;
use super::fib::positions;
use super::references::KINDS;
use crate::limits;
use crate::model::Block;
use crate::word::notes::{NoteKind, sign};

impl Converter<'_> {
    /// Converts the notes to which the text refers.
    pub fn notes(&mut self) -> Vec<Block> {
        let mut out = Vec::new();
        for (kind, _, table, story, _) in KINDS {
            let table = self.fib.table(&self.streams.table, table);
            let (places, _) = positions(table, 0);
            let (start, end) = self.fib.story(story);
            let order = self.references.order.get(&kind).cloned();
            for index in order.unwrap_or_default() {
                let next = index.saturating_add(1);
                let (Some(first), Some(last)) = (places.get(index), places.get(next)) else {
                    continue;
                };
                let first = start.saturating_add(*first);
                let last = start.saturating_add(*last).min(end);
                let mut blocks = self.story(first, last, 1);
                self.fields.clear();
                if kind == NoteKind::Comment {
                    sign(self.references.author(index), &mut blocks);
                }
                let label = self.references.label(kind, index);
                if !blocks.is_empty() && out.len() < limits::IMAGES {
                    out.push(Block::Footnote { label, blocks });
                }
            }
        }
        out
    }
}
