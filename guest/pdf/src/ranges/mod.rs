//! A large file, of which only the objects that are needed are read.
//!
//! ```text
//! mod.rs  which objects a page needs
//! xref    the cross-reference tables → the places of objects
//! held    the objects that were read
//! walk    references, from object to object
//! pages   the page tree, without its pages
//! tags    the structure elements of a page
//! syntax  the numbers and the headers of objects
//! source  where the bytes come from
//! write   the objects that were read → a file
//! ```
//!
//! The library wants a file in one piece. [`Ranges`] reads objects with all that they refer to, and
//! writes a file that has only those. A page that was not read is an empty page in it. References to
//! other pages and to the structure tree are not followed. The data of large images are read only when
//! they are drawn or extracted.
//!
//! A file that is encrypted, or whose tables have errors, is read whole.

mod held;
mod pages;
mod source;
mod syntax;
mod tags;
#[cfg(test)]
mod tests;
mod walk;
mod write;
mod xref;

use crate::limits;
use hayro_syntax::object::ObjectIdentifier;
use held::Held;
use pages::PageTree;
pub use source::{Failure, Source, whole};
use std::collections::BTreeSet;
use walk::Kind;
use xref::Table;

/// What is needed of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Its text.
    Text,
    /// Its images too.
    Images,
}

/// The objects of a file that were read.
pub struct Ranges {
    held: Held,
    root: ObjectIdentifier,
    info: Option<ObjectIdentifier>,
    pages: PageTree,
    /// The objects whose references were followed, for each kind of walk.
    seen: [BTreeSet<ObjectIdentifier>; Kind::COUNT],
    /// The keys in the parent tree of pages, forms and annotations that were read.
    keys: BTreeSet<i64>,
    /// The keys whose elements were read.
    tagged: BTreeSet<i64>,
    /// Whether all structure elements were read.
    has_all_tags: bool,
    /// Whether objects were read that [`Ranges::file`] did not return yet.
    changed: bool,
}

impl Ranges {
    /// Reads the tables, the page tree, and what the facts about the document are in.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if the file must be read whole. Returns the source too.
    pub fn open(source: Box<dyn Source>) -> Result<Self, (Failure, Box<dyn Source>)> {
        let table = match Table::read(&*source) {
            Ok(table) => table,
            Err(failure) => return Err((failure, source)),
        };
        let (root, info) = (table.root, table.info);
        let mut ranges = Self {
            held: Held::new(source, table),
            root,
            info,
            pages: PageTree::default(),
            seen: Default::default(),
            keys: BTreeSet::new(),
            tagged: BTreeSet::new(),
            has_all_tags: false,
            changed: true,
        };
        match ranges.open_objects() {
            Ok(()) => Ok(ranges),
            Err(failure) => Err((failure, ranges.held.source)),
        }
    }

    /// The bytes of the file.
    pub fn source(&self) -> &dyn Source {
        &*self.held.source
    }

    /// Whether all structure elements were read.
    pub fn has_all_tags(&self) -> bool {
        self.has_all_tags
    }

    fn open_objects(&mut self) -> Result<(), Failure> {
        self.pages = PageTree::read(&mut self.held, self.root)?;
        self.walk(Kind::Facts, vec![self.root])?;
        let info: Vec<_> = self.info.into_iter().collect();
        self.walk(Kind::Facts, info)?;
        self.form()?;
        if self.held.source.is_local() {
            self.attachments_of_pages()?;
        }
        Ok(())
    }

    /// Whether attachments of annotations are known only for pages that were read.
    pub fn skips_attachments_of_pages(&self) -> bool {
        !self.held.source.is_local()
    }

    /// Reads what is needed of pages.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if the file must be read whole.
    pub fn pages(&mut self, indexes: &[usize], need: Need) -> Result<(), Failure> {
        let kind = match need {
            Need::Text => Kind::Text,
            Need::Images => Kind::Images,
        };
        let mut roots = Vec::new();
        for index in indexes {
            let Some(page) = self.pages.page(*index) else {
                continue;
            };
            roots.push(page);
            roots.extend(self.pages.above(*index));
        }
        self.walk(kind, roots)?;
        for index in indexes {
            if let Some(page) = self.pages.page(*index)
                && self.is_node(page)
            {
                // The tree said that this is a page, and it has pages.
                return Err(Failure::Whole);
            }
        }
        Ok(())
    }

    /// Reads an object with all data of its stream.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if the file must be read whole.
    pub fn object(&mut self, id: ObjectIdentifier) -> Result<(), Failure> {
        self.walk(Kind::Images, vec![id])
    }

    /// The bytes of a file with the objects that were read. `None` if it would be the same as the last one.
    pub fn file(&mut self) -> Option<Vec<u8>> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        Some(write::file(&self.held, &self.pages, self.root, self.info))
    }

    /// The bytes of the whole file. `None` if there are too many.
    ///
    /// # Errors
    /// Fails with a message if they cannot be read.
    pub fn whole(&self) -> Result<Option<Vec<u8>>, String> {
        whole(&*self.held.source)
    }

    /// Forgets the objects of pages if they are many, so that others have space.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if the file must be read whole.
    pub fn make_space(&mut self) -> Result<(), Failure> {
        if self.held.len() <= limits::RANGE_BYTES {
            return Ok(());
        }
        self.held.clear();
        self.seen = Default::default();
        self.tagged.clear();
        self.keys.clear();
        self.has_all_tags = false;
        self.changed = true;
        self.open_objects()
    }

    fn is_node(&self, page: ObjectIdentifier) -> bool {
        self.held
            .dict(page)
            .is_some_and(|dict| pages::is_node(&dict))
    }

    /// Reads the form dictionary without its fields, which are reached from the pages.
    fn form(&mut self) -> Result<(), Failure> {
        let Some(form) = self
            .held
            .dict(self.root)
            .and_then(|root| root.get_ref("AcroForm"))
        else {
            return Ok(());
        };
        let form = form.into();
        self.read(&[form], Kind::Element)?;
        let parts = self.held.dict(form).and_then(|form| form.get_ref("XFA"));
        match parts {
            Some(parts) => self.read(&[parts.into()], Kind::Element),
            None => Ok(()),
        }
    }

    /// Reads the annotations of all pages with attached files.
    fn attachments_of_pages(&mut self) -> Result<(), Failure> {
        let pages: Vec<_> = (0..limits::ATTACHMENT_PAGES)
            .map_while(|index| self.pages.page(index))
            .collect();
        self.walk(Kind::Attached, pages)
    }

    /// Reads objects, without what they refer to.
    fn read(&mut self, ids: &[ObjectIdentifier], kind: Kind) -> Result<(), Failure> {
        self.changed |= self.held.read(ids, kind)?;
        Ok(())
    }

    /// Reads objects, and what they refer to. A walk that fails is done again.
    fn walk(&mut self, kind: Kind, roots: Vec<ObjectIdentifier>) -> Result<(), Failure> {
        let mut seen = BTreeSet::new();
        let mut level = roots;
        loop {
            let known = self.seen.get(kind as usize);
            level.retain(|id| known.is_none_or(|known| !known.contains(id)) && seen.insert(*id));
            if level.is_empty() {
                break;
            }
            let count = known.map_or(0, BTreeSet::len);
            if count.saturating_add(seen.len()) > limits::RANGE_OBJECTS {
                return Err(Failure::Whole);
            }
            self.read(&level, kind)?;
            let mut next = Vec::new();
            for id in &level {
                if let Some(object) = self.held.object(*id) {
                    walk::references(&object, kind, &mut self.keys, &mut |id| {
                        if id != self.root && !self.pages.has(id) {
                            next.push(id);
                        }
                    });
                }
            }
            level = next;
        }
        if let Some(known) = self.seen.get_mut(kind as usize) {
            known.extend(seen);
        }
        Ok(())
    }
}
