//! The open elements, and the searches in them ("scopes" in the standard, 13.2.4.2).

use super::open::{Open, Scope};
use super::{Builder, Mode};
use crate::dom::{Id, Tag};
use crate::limits;

/// The number of elements from a table to the content of its cells, with some of this content.
const TABLE_DEPTH: usize = 8;

impl Builder {
    /// The innermost open element.
    pub(super) fn current(&self) -> Tag {
        self.open.last().map_or(Tag::Other, |open| open.tag)
    }

    /// The depth of the innermost open element.
    pub(super) fn depth(&self) -> usize {
        self.open.last().map_or(0, |open| usize::from(open.depth))
    }

    /// Opens an element in the innermost one.
    pub(super) fn push(&mut self, mut open: Open) {
        let outer = self.open.last().map_or(0, |outer| outer.depth);
        open.depth = outer.saturating_add(1);
        if open.tag == Tag::P {
            self.paragraphs = self.paragraphs.saturating_add(1);
        }
        self.open.push(open);
    }

    pub(super) fn pop(&mut self) {
        if let Some(open) = self.open.pop()
            && open.tag == Tag::P
        {
            self.paragraphs = self.paragraphs.saturating_sub(1);
        }
    }

    /// Closes the innermost element, because elements are nested too deep.
    pub(super) fn pop_deep(&mut self) {
        let tag = self.current();
        if matches!(tag, tags!(Applet Marquee Object Caption Td Th Template)) {
            self.clear_formatting();
        }
        if tag == Tag::Template {
            self.templates.pop();
        }
        self.pop();
    }

    /// Closes elements that are nested too deep for a table in them with its rows, cells and their
    /// content. Without its row, a cell would not be shown.
    pub(super) fn make_room_for_table(&mut self) {
        let room = limits::DEPTH.saturating_sub(TABLE_DEPTH);
        if self.depth() > room {
            self.damage.deep = true;
            while self.depth() > room || self.current().is_table_structure() {
                self.pop_deep();
            }
        }
    }

    /// Closes the open element at this index, and those in it.
    pub(super) fn pop_to(&mut self, at: usize) {
        while self.open.len() > at {
            self.pop();
        }
    }

    /// Closes elements until one for which `is_end` is true is the innermost one.
    pub(super) fn pop_while(&mut self, is_end: impl Fn(Tag) -> bool) {
        while self.open.len() > 1 && !is_end(self.current()) {
            self.pop();
        }
    }

    /// Removes an element from the open ones. Those in it stay open.
    pub(super) fn remove_open(&mut self, at: usize) {
        if at < self.open.len() && self.open.remove(at).tag == Tag::P {
            self.paragraphs = self.paragraphs.saturating_sub(1);
        }
    }

    /// The index of an open element.
    pub(super) fn position(&self, id: Id) -> Option<usize> {
        self.open.iter().rposition(|open| open.id == id)
    }

    /// The index of the innermost open element in `scope` for which `wanted` is true.
    pub(super) fn find(&self, wanted: impl Fn(Tag) -> bool, scope: Scope) -> Option<usize> {
        for (at, open) in self.open.iter().enumerate().rev() {
            if wanted(open.tag) {
                return Some(at);
            }
            let is_end = match scope {
                Scope::Default => open.is_scope(),
                Scope::Button => open.is_scope() || open.tag == Tag::Button,
                Scope::ListItem => open.is_scope() || matches!(open.tag, tags!(Ol Ul)),
                Scope::Table => matches!(open.tag, tags!(Html Table Template)),
            };
            if is_end {
                return None;
            }
        }
        None
    }

    /// The index of the innermost open element with this tag.
    pub(super) fn scoped(&self, tag: Tag) -> Option<usize> {
        self.find(|open| open == tag, Scope::Default)
    }

    pub(super) fn in_table(&self, tag: Tag) -> Option<usize> {
        self.find(|open| open == tag, Scope::Table)
    }

    /// Closes the innermost elements whose end tags may be left out.
    pub(super) fn close_implied(&mut self, except: Tag) {
        while matches!(
            self.current(),
            tags!(Dd Dt Li Optgroup Option P Rb Rp Rt Rtc)
        ) && self.current() != except
        {
            self.pop();
        }
    }

    /// The index of the paragraph that a block ends.
    pub(super) fn paragraph(&self) -> Option<usize> {
        if self.paragraphs == 0 {
            return None;
        }
        self.find(|open| open == Tag::P, Scope::Button)
    }

    /// Closes the paragraph that a block ends.
    pub(super) fn close_paragraph(&mut self) {
        if let Some(at) = self.paragraph() {
            self.pop_to(at);
        }
    }

    /// Chooses the insertion mode by the open elements ("reset the insertion mode appropriately").
    pub(super) fn reset_mode(&mut self) {
        let mode = self.open.iter().enumerate().rev().find_map(|(at, open)| {
            Some(match open.tag {
                Tag::Td | Tag::Th => Mode::InCell,
                Tag::Tr => Mode::InRow,
                tags!(Tbody Thead Tfoot) => Mode::InTableBody,
                Tag::Caption => Mode::InCaption,
                Tag::Colgroup => Mode::InColumnGroup,
                Tag::Table => Mode::InTable,
                Tag::Template => self.templates.last().copied()?,
                Tag::Head => Mode::InHead,
                Tag::Body => Mode::InBody,
                Tag::Frameset => Mode::InFrameset,
                Tag::Html if self.is_fragment => Mode::InBody,
                Tag::Html if self.head.is_none() => Mode::BeforeHead,
                Tag::Html => Mode::AfterHead,
                // The text of a page of frames is read as a body.
                _ if self.noframes == Some(at) => Mode::InBody,
                _ => return None,
            })
        });
        self.mode = mode.unwrap_or(Mode::InBody);
    }
}
