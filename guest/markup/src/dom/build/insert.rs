//! Nodes that are put into the tree: their place, their attributes, and the limits.

use super::open::{Open, Space};
use super::{Builder, Token};
use crate::dom::attributes::Attributes;
use crate::dom::{Data, Id, Span, Tag};
use crate::limits;

/// The place in the tree at which a node is inserted.
#[derive(Clone, Copy)]
pub struct Place {
    pub parent: Id,
    pub before: Option<Id>,
}

impl Builder {
    /// Inserts an element of HTML and opens it.
    pub(super) fn insert(&mut self, token: &Token) {
        self.insert_as(token, Space::Html);
    }

    /// Inserts an element of HTML that a page may leave out.
    pub(super) fn insert_implied(&mut self, tag: Tag) {
        self.insert(&Token::implied(tag));
    }

    /// Inserts an element and opens it.
    pub(super) fn insert_as(&mut self, token: &Token, space: Space) -> Option<Open> {
        while self.depth() >= limits::DEPTH {
            // The element follows the innermost one, in place of being in it, as in browsers.
            self.damage.deep = true;
            self.pop_deep();
        }
        let open = Open {
            id: self.insert_node(token)?,
            key: token.key,
            tag: if space == Space::Html {
                token.tag
            } else {
                Tag::Other
            },
            space,
            depth: 0,
        };
        self.push(open);
        Some(open)
    }

    /// Inserts an element that has no content.
    pub(super) fn insert_node(&mut self, token: &Token) -> Option<Id> {
        let attributes = self.store(token.attributes);
        let data = Data::Element {
            tag: token.tag,
            attributes,
        };
        let place = self.place();
        self.add(data, place)
    }

    /// Adds the text from `start` to `end` of the buffer.
    pub(super) fn insert_text(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else {
            return;
        };
        let place = self.place();
        let before = match place.before {
            Some(before) => self.document.previous_sibling(before),
            None => self.document.last_child(place.parent),
        };
        // Text that follows a text continues it, if it does so in the buffer too.
        if let Some(node) = before.and_then(|id| self.document.nodes.get_mut(id.index()))
            && let Data::Text(span) = &mut node.data
            && span.end == start
        {
            span.end = end;
            return;
        }
        self.add(Data::Text(Span { start, end }), place);
    }

    /// The place of the next node.
    pub(super) fn place(&self) -> Place {
        match self.open.last() {
            Some(open) => self.place_in(*open),
            None => Place {
                parent: Id::ROOT,
                before: None,
            },
        }
    }

    /// The place of a node in an open element. If it does not fit into the structure of a table, it
    /// is put before the table: "foster parenting".
    pub(super) fn place_in(&self, target: Open) -> Place {
        let inside = |parent| Place {
            parent,
            before: None,
        };
        if !self.foster || !target.tag.is_table_structure() {
            return inside(target.id);
        }
        let mut open = self.open.iter().enumerate().rev();
        let table = open.find(|(_, open)| matches!(open.tag, tags!(Table Template)));
        match table {
            Some((_, template)) if template.tag == Tag::Template => inside(template.id),
            Some((at, table)) => match self.document.parent(table.id) {
                Some(parent) => Place {
                    parent,
                    before: Some(table.id),
                },
                None => inside(
                    at.checked_sub(1)
                        .and_then(|at| self.open.get(at))
                        .map_or(Id::ROOT, |open| open.id),
                ),
            },
            None => inside(self.open.first().map_or(Id::ROOT, |open| open.id)),
        }
    }

    /// Adds a node. `None` if there is no room.
    pub(super) fn add(&mut self, data: Data, place: Place) -> Option<Id> {
        match place.before {
            None => self.document.append(data, place.parent),
            Some(before) => {
                let id = self.document.loose(data)?;
                self.document.insert(id, place.parent, Some(before));
                Some(id)
            }
        }
    }

    /// Stores attributes, and returns their index and number.
    fn store(&mut self, attributes: &Attributes) -> (u32, u16) {
        let Ok(first) = u32::try_from(self.document.attributes.len()) else {
            return (0, 0);
        };
        let mut count: u16 = 0;
        for (name, value) in attributes.iter() {
            let start = self.buffer.len();
            self.buffer.extend_from_slice(value);
            let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(self.buffer.len()))
            else {
                break;
            };
            self.document.attributes.push((name, Span { start, end }));
            count = count.saturating_add(1);
        }
        self.text_start = self.buffer.len();
        (first, count)
    }

    /// Adds attributes to an open element that does not have any, such as a `body` that was implied.
    pub(super) fn add_attributes(&mut self, at: usize, added: &Attributes) {
        let Some(id) = self.open.get(at).map(|open| open.id) else {
            return;
        };
        if added.is_empty() || !self.document.attributes(id).is_empty() {
            return;
        }
        let stored = self.store(added);
        if let Some(node) = self.document.nodes.get_mut(id.index())
            && let Data::Element { attributes, .. } = &mut node.data
        {
            *attributes = stored;
        }
    }

    /// Whether the tree has no room for another element. The reply then says so.
    pub(super) fn is_full(&mut self) -> bool {
        let is_full = self.document.nodes.len() >= self.max_nodes;
        self.damage.full |= is_full;
        is_full
    }
}
