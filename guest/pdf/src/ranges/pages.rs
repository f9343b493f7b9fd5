//! The page tree, without its pages.

use super::held::Held;
use super::source::Failure;
use super::walk::Kind;
use crate::limits;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, ObjectIdentifier};
use std::collections::BTreeSet;

/// The pages of a file, and the nodes above them.
#[derive(Default)]
pub struct PageTree {
    /// Each page, and the place of its node.
    pages: Vec<(ObjectIdentifier, usize)>,
    /// Each node, and the place of the one above it.
    nodes: Vec<(ObjectIdentifier, Option<usize>)>,
    all: BTreeSet<ObjectIdentifier>,
}

/// An item of the tree while it is read.
#[derive(Clone, Copy)]
enum Item {
    Page(ObjectIdentifier, usize),
    /// A page or a node.
    Unknown(ObjectIdentifier, Option<usize>),
}

impl PageTree {
    /// Reads the tree. The items of a node that has as many pages as items are pages, so that they need
    /// not be read.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if the tree has errors.
    pub fn read(held: &mut Held, root: ObjectIdentifier) -> Result<Self, Failure> {
        held.read(&[root], Kind::Facts)?;
        let catalog = held.dict(root).ok_or(Failure::Whole)?;
        let first = catalog.get_ref("Pages").ok_or(Failure::Whole)?;
        let mut tree = Self::default();
        let mut items = vec![Item::Unknown(first.into(), None)];
        for _ in 0..limits::PAGE_TREE_DEPTH {
            let unknown: Vec<_> = items
                .iter()
                .filter_map(|item| match item {
                    Item::Unknown(id, _) => Some(*id),
                    Item::Page(..) => None,
                })
                .collect();
            if unknown.is_empty() {
                return tree.finish(&items);
            }
            held.read(&unknown, Kind::Facts)?;
            let mut next = Vec::new();
            for item in items {
                match item {
                    Item::Page(..) => next.push(item),
                    Item::Unknown(id, above) => tree.item(held, id, above, &mut next)?,
                }
            }
            items = next;
        }
        Err(Failure::Whole)
    }

    /// Reads an item: a page, or the items of a node.
    fn item(
        &mut self,
        held: &Held,
        id: ObjectIdentifier,
        above: Option<usize>,
        next: &mut Vec<Item>,
    ) -> Result<(), Failure> {
        if !self.all.insert(id) {
            return Ok(());
        }
        let Some(dict) = held.dict(id) else {
            return Ok(());
        };
        if let Some(above) = above
            && !is_node(&dict)
        {
            next.push(Item::Page(id, above));
            return Ok(());
        }
        let Some(MaybeRef::NotRef(kids)) = dict.get_raw::<Array<'_>>("Kids") else {
            return Err(Failure::Whole);
        };
        let kids: Option<Vec<_>> = kids.raw_iter().map(|kid| kid.as_obj_ref()).collect();
        let kids = kids.ok_or(Failure::Whole)?;
        let node = self.nodes.len();
        self.nodes.push((id, above));
        let are_pages = dict.get::<usize>("Count") == Some(kids.len());
        for kid in kids {
            let kid = kid.into();
            if !are_pages {
                next.push(Item::Unknown(kid, Some(node)));
            } else if self.all.insert(kid) && held.table.entries.contains_key(&kid) {
                next.push(Item::Page(kid, node));
            }
        }
        Ok(())
    }

    fn finish(mut self, items: &[Item]) -> Result<Self, Failure> {
        self.pages = items
            .iter()
            .filter_map(|item| match item {
                Item::Page(id, node) => Some((*id, *node)),
                Item::Unknown(..) => None,
            })
            .collect();
        if self.pages.is_empty() {
            return Err(Failure::Whole);
        }
        Ok(self)
    }

    /// A page by its number from 0.
    pub fn page(&self, index: usize) -> Option<ObjectIdentifier> {
        Some(self.pages.get(index)?.0)
    }

    /// All pages.
    pub fn all(&self) -> impl Iterator<Item = ObjectIdentifier> + '_ {
        self.pages.iter().map(|page| page.0)
    }

    /// Whether an object is a page or a node.
    pub fn has(&self, id: ObjectIdentifier) -> bool {
        self.all.contains(&id)
    }

    /// The nodes above a page, from the nearest.
    pub fn above(&self, index: usize) -> Vec<ObjectIdentifier> {
        let mut at = self.pages.get(index).map(|page| page.1);
        let mut out = Vec::new();
        while let Some((id, above)) = at.and_then(|at| self.nodes.get(at)) {
            out.push(*id);
            at = *above;
        }
        out
    }
}

/// Whether a dictionary is a node, as the library decides it.
pub fn is_node(dict: &Dict<'_>) -> bool {
    let kind = dict.get::<Name<'_>>("Type");
    kind.is_some_and(|kind| kind.as_ref() == b"Pages")
}
