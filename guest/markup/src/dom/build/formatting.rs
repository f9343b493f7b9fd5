//! Formatting elements, such as `b`, which continue after the block in which they were opened, and
//! whose end tags may be in another block than their start tags (13.2.4.3 and 13.2.6.4.7).

use super::insert::Place;
use super::open::{Open, Space};
use super::{Builder, Token};
use crate::dom::{Id, Name, Span, Tag};
use crate::limits;

/// The number of equal formatting elements that continue in the next block.
const EQUAL: usize = 3;

/// The number of attributes up to which their order does not matter. The time grows with the square.
const UNORDERED: usize = 8;

/// The number of blocks that an end tag moves out of its element.
const MOVED_BLOCKS: usize = 8;

/// The number of formatting elements between a block and the element that it leaves, which continue
/// in the block.
const INNER_FORMATS: usize = 3;

impl Builder {
    /// Inserts a formatting element and opens it.
    pub(super) fn insert_formatting(&mut self, token: &Token) {
        let Some(open) = self.insert_as(token, Space::Html) else {
            return;
        };
        let mut equal = 0_usize;
        let mut earliest = None;
        let mut count = 0_usize;
        let entries = self.formatting.iter().enumerate().rev();
        for (at, entry) in entries.map_while(|(at, entry)| Some((at, (*entry)?))) {
            count = count.saturating_add(1);
            if entry.key == open.key && self.has_same_attributes(entry.id, open.id) {
                equal = equal.saturating_add(1);
                earliest = Some(at);
            }
            if count >= limits::FORMATTING && equal < EQUAL {
                earliest = Some(at);
            }
        }
        if (equal >= EQUAL || count >= limits::FORMATTING)
            && let Some(at) = earliest
        {
            self.formatting.remove(at);
        }
        self.formatting.push(Some(open));
    }

    /// Whether two elements have equal attributes. Their order does not matter if there are a few.
    fn has_same_attributes(&self, a: Id, b: Id) -> bool {
        let (a, b) = (self.document.attributes(a), self.document.attributes(b));
        let bytes = |span: Span| self.buffer.get(span.start as usize..span.end as usize);
        let is_same = |one: &(Name, Span), other: &(Name, Span)| {
            one.0 == other.0 && bytes(one.1) == bytes(other.1)
        };
        let is_in = |one, list: &[(Name, Span)]| list.iter().any(|other| is_same(one, other));
        a.len() == b.len()
            && (a.iter().zip(b).all(|(one, other)| is_same(one, other))
                || (a.len() <= UNORDERED && a.iter().all(|one| is_in(one, b))))
    }

    /// Starts a part of the page, such as a cell, in which formatting elements from outside do not
    /// continue.
    pub(super) fn mark_formatting(&mut self) {
        self.formatting.push(None);
    }

    /// Forgets the formatting elements of the innermost such part.
    pub(super) fn clear_formatting(&mut self) {
        while self.formatting.pop().flatten().is_some() {}
    }

    /// The index of the last formatting element for which `wanted` is true, in the innermost part.
    fn find_formatting(&self, wanted: impl Fn(&Open) -> bool) -> Option<usize> {
        let entries = self.formatting.iter().enumerate().rev();
        entries
            .map_while(|(at, entry)| Some((at, entry.as_ref()?)))
            .find(|(_, entry)| wanted(entry))
            .map(|(at, _)| at)
    }

    /// Opens the formatting elements again that were closed by the end of a block.
    pub(super) fn reopen_formatting(&mut self) {
        if self.formatting.is_empty() || self.depth() >= limits::DEPTH {
            return;
        }
        let mut first = self.formatting.len();
        while let Some(Some(entry)) = first.checked_sub(1).and_then(|at| self.formatting.get(at)) {
            if self.position(entry.id).is_some()
                || self.formatting.len().saturating_sub(first) >= limits::REOPENED
            {
                break;
            }
            first = first.saturating_sub(1);
        }
        for at in first..self.formatting.len() {
            if self.depth() >= limits::DEPTH || self.is_full() {
                return;
            }
            let Some(Some(entry)) = self.formatting.get(at).copied() else {
                return;
            };
            let Some(copy) = self.copy(entry, self.place()) else {
                return;
            };
            self.push(copy);
            if let Some(slot) = self.formatting.get_mut(at) {
                *slot = Some(copy);
            }
        }
    }

    /// Adds an element with the same name and attributes, without its content.
    fn copy(&mut self, open: Open, place: Place) -> Option<Open> {
        let data = self.document.node(open.id)?.data;
        let id = self.add(data, place)?;
        Some(Open { id, ..open })
    }

    /// Closes the `a` that another one ends, wherever it is open.
    pub(super) fn close_link(&mut self) {
        let Some(at) = self.find_formatting(|entry| entry.tag == Tag::A) else {
            return;
        };
        let Some(Some(link)) = self.formatting.get(at).copied() else {
            return;
        };
        self.end_formatting(link.tag, link.key);
        if let Some(at) = self.find_formatting(|entry| entry.id == link.id) {
            self.formatting.remove(at);
        }
        if let Some(at) = self.position(link.id) {
            self.remove_open(at);
        }
    }

    /// Closes a formatting element. Blocks in it that are still open leave it, and their content so
    /// far is put into copies of it: the "adoption agency algorithm".
    pub(super) fn end_formatting(&mut self, tag: Tag, key: u32) {
        if let Some(open) = self.open.last()
            && open.tag == tag
            && self.find_formatting(|entry| entry.id == open.id).is_none()
        {
            self.pop();
            return;
        }
        for _ in 0..MOVED_BLOCKS {
            let Some(entry_at) = self.find_formatting(|entry| entry.tag == tag) else {
                self.end_other(key);
                return;
            };
            let Some(Some(format)) = self.formatting.get(entry_at).copied() else {
                return;
            };
            let Some(at) = self.position(format.id) else {
                self.formatting.remove(entry_at);
                return;
            };
            let inner = self.open.get(at.saturating_add(1)..).unwrap_or_default();
            if inner.iter().any(|open| open.is_scope()) {
                return;
            }
            let block = inner.iter().position(|open| open.is_special());
            let Some(block) = block else {
                self.pop_to(at);
                self.formatting.remove(entry_at);
                return;
            };
            if self.is_full() {
                return;
            }
            let block = at.saturating_add(1).saturating_add(block);
            if self.move_out(format, entry_at, at, block).is_none() {
                return;
            }
        }
    }

    /// Moves the block, the open element at the index `block`, out of the formatting element at the
    /// index `at`.
    fn move_out(
        &mut self,
        format: Open,
        mut entry_at: usize,
        at: usize,
        mut block_at: usize,
    ) -> Option<()> {
        let block = self.open.get(block_at).copied()?;
        let outer = self.open.get(at.checked_sub(1)?).copied()?;
        let mut last = block;
        // The formatting elements between both continue around the block.
        let mut between = block_at;
        let mut count = 0_usize;
        let mut bookmark = entry_at;
        loop {
            between = between.saturating_sub(1);
            if between <= at {
                break;
            }
            count = count.saturating_add(1);
            let node = self.open.get(between).copied()?;
            let mut entry = self.find_formatting(|entry| entry.id == node.id);
            if let Some(found) = entry
                && count > INNER_FORMATS
            {
                self.formatting.remove(found);
                if found < entry_at {
                    entry_at = entry_at.saturating_sub(1);
                }
                if found < bookmark {
                    bookmark = bookmark.saturating_sub(1);
                }
                entry = None;
            }
            let Some(entry) = entry else {
                self.remove_open(between);
                block_at = block_at.saturating_sub(1);
                continue;
            };
            let copy = self.document.node(node.id)?.data;
            let copy = Open {
                id: self.document.loose(copy)?,
                ..node
            };
            *self.formatting.get_mut(entry)? = Some(copy);
            *self.open.get_mut(between)? = copy;
            if last.id == block.id {
                bookmark = entry.saturating_add(1);
            }
            self.move_to(
                last.id,
                Place {
                    parent: copy.id,
                    before: None,
                },
            );
            last = copy;
        }
        let place = self.place_in(outer);
        self.move_to(last.id, place);
        // The content of the block so far stays formatted.
        let data = self.document.node(format.id)?.data;
        let copy = Open {
            id: self.document.loose(data)?,
            depth: block.depth,
            ..format
        };
        while let Some(child) = self.document.first_child(block.id) {
            self.document.detach(child);
            self.document.insert(child, copy.id, None);
        }
        self.document.insert(copy.id, block.id, None);
        self.formatting.remove(entry_at);
        if entry_at < bookmark {
            bookmark = bookmark.saturating_sub(1);
        }
        self.formatting
            .insert(bookmark.min(self.formatting.len()), Some(copy));
        self.open.insert(block_at.saturating_add(1), copy);
        self.remove_open(at);
        self.lower_depth(at, block_at, block.depth);
        Some(())
    }

    /// Corrects the depth of the open elements from the index `first` on, after a block has left the
    /// element at this index. The block had the depth `before`, and is followed by its copy, which is at
    /// the index `copy_at`.
    fn lower_depth(&mut self, first: usize, copy_at: usize, before: u16) {
        let mut depth = first
            .checked_sub(1)
            .and_then(|outer| self.open.get(outer))
            .map_or(0, |outer| outer.depth);
        let mut shift = 0;
        for (at, open) in self.open.iter_mut().enumerate().skip(first) {
            if at <= copy_at {
                depth = depth.saturating_add(1);
                open.depth = depth;
                shift = before.saturating_sub(depth);
            } else {
                open.depth = open.depth.saturating_sub(shift);
            }
        }
    }

    fn move_to(&mut self, id: Id, place: Place) {
        self.document.detach(id);
        self.document.insert(id, place.parent, place.before);
    }
}
