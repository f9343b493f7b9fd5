//! Nodes that are added to elements, and moved.

use super::{Data, Document, Id, Node, Tag};

impl Document {
    fn node_mut(&mut self, id: Id) -> Option<&mut Node> {
        self.nodes.get_mut(id.index())
    }

    /// Adds a node that is in no element. `None` if there are too many nodes.
    pub(super) fn loose(&mut self, data: Data) -> Option<Id> {
        let id = Id::of(self.nodes.len())?;
        self.nodes.push(Node {
            parent: None,
            first: None,
            last: None,
            previous: None,
            next: None,
            data,
        });
        Some(id)
    }

    /// Adds a node at the end of an element. `None` if there are too many nodes.
    pub(super) fn append(&mut self, data: Data, parent: Id) -> Option<Id> {
        let id = Id::of(self.nodes.len())?;
        let outer = self.node_mut(parent)?;
        let previous = outer.last.replace(id);
        if previous.is_none() {
            outer.first = Some(id);
        }
        if let Some(previous) = previous.and_then(|previous| self.node_mut(previous)) {
            previous.next = Some(id);
        }
        self.nodes.push(Node {
            parent: Some(parent),
            first: None,
            last: None,
            previous,
            next: None,
            data,
        });
        Some(id)
    }

    /// Removes a node from the element that contains it.
    pub(super) fn detach(&mut self, id: Id) {
        let Some(node) = self.node(id).copied() else {
            return;
        };
        if let Some(previous) = node.previous.and_then(|previous| self.node_mut(previous)) {
            previous.next = node.next;
        } else if let Some(parent) = node.parent.and_then(|parent| self.node_mut(parent)) {
            parent.first = node.next;
        }
        if let Some(next) = node.next.and_then(|next| self.node_mut(next)) {
            next.previous = node.previous;
        } else if let Some(parent) = node.parent.and_then(|parent| self.node_mut(parent)) {
            parent.last = node.previous;
        }
        if let Some(node) = self.node_mut(id) {
            node.parent = None;
            node.previous = None;
            node.next = None;
        }
    }

    /// Removes an element from the tree. Searches by tag do not find it either.
    pub(super) fn forget(&mut self, id: Id) {
        self.detach(id);
        if let Some(node) = self.node_mut(id)
            && let Data::Element { tag, .. } = &mut node.data
        {
            *tag = Tag::Other;
        }
    }

    /// Inserts a node that is in no element into `parent`, before one of its nodes or at its end.
    pub(super) fn insert(&mut self, id: Id, parent: Id, before: Option<Id>) {
        let previous = match before {
            Some(before) => self.previous_sibling(before),
            None => self.last_child(parent),
        };
        if let Some(node) = self.node_mut(id) {
            node.parent = Some(parent);
            node.previous = previous;
            node.next = before;
        }
        if let Some(previous) = previous.and_then(|previous| self.node_mut(previous)) {
            previous.next = Some(id);
        } else if let Some(parent) = self.node_mut(parent) {
            parent.first = Some(id);
        }
        if let Some(before) = before.and_then(|before| self.node_mut(before)) {
            before.previous = Some(id);
        } else if let Some(parent) = self.node_mut(parent) {
            parent.last = Some(id);
        }
    }

    /// Moves a node to the place before another one, which must not be in it.
    pub fn move_before(&mut self, id: Id, before: Id) {
        if let Some(parent) = self.parent(before) {
            self.detach(id);
            self.insert(id, parent, Some(before));
        }
    }

    /// Removes a node and everything in it from the page.
    pub fn remove(&mut self, id: Id) {
        self.detach(id);
    }
}
