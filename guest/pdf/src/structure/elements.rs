//! The elements of each page, for files that do not list them: all elements are read once.

use crate::file::{Elements, File, Key, key};
use crate::limits;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier};

/// Reads all elements once.
pub fn read(file: &File, root: &Dict<'_>) -> Elements {
    let mut finder = Finder {
        file,
        out: Elements::new(),
        path: Vec::new(),
        rest: limits::TREE_NODES,
        marks: limits::TREE_MARKS,
    };
    finder.kids(root, None, 0);
    finder.out
}

/// Finds the elements of each page.
struct Finder<'f> {
    file: &'f File,
    out: Elements,
    /// The elements around.
    path: Vec<Key>,
    rest: usize,
    marks: usize,
}

impl<'f> Finder<'f> {
    fn kids(&mut self, element: &Dict<'f>, on: Option<Key>, depth: usize) {
        if depth > limits::TREE_DEPTH {
            return;
        }
        let Some(object) = element.get_raw::<Object<'f>>("K") else {
            return;
        };
        let list = match &object {
            MaybeRef::NotRef(Object::Array(list)) => Some(list.clone()),
            MaybeRef::Ref(reference) => {
                self.file.pdf().xref().get::<Array<'f>>((*reference).into())
            }
            MaybeRef::NotRef(_) => None,
        };
        match list {
            Some(list) => {
                for item in list.raw_iter() {
                    if self.rest == 0 || self.marks == 0 {
                        return;
                    }
                    self.kid(item, on, depth);
                }
            }
            None => self.kid(object, on, depth),
        }
    }

    fn kid(&mut self, item: MaybeRef<Object<'f>>, on: Option<Key>, depth: usize) {
        self.marks = self.marks.saturating_sub(1);
        let (reference, dict) = match item {
            MaybeRef::NotRef(Object::Number(_)) => {
                self.found(on);
                return;
            }
            MaybeRef::NotRef(Object::Dict(dict)) => (None, dict),
            MaybeRef::NotRef(_) => return,
            MaybeRef::Ref(reference) => {
                let reference = key(reference);
                let id = ObjectIdentifier::new(reference.0, reference.1);
                match self.file.pdf().xref().get::<Dict<'f>>(id) {
                    Some(dict) if !self.path.contains(&reference) => (Some(reference), dict),
                    _ => return,
                }
            }
        };
        let on = dict.get_ref("Pg").map(key).or(on);
        match dict.get::<Name<'_>>("Type").as_deref() {
            Some(b"MCR" | b"OBJR") => self.found(on),
            _ => {
                let Some(rest) = self.rest.checked_sub(1) else {
                    return;
                };
                self.rest = rest;
                self.path.extend(reference);
                self.kids(&dict, on, depth.saturating_add(1));
                if reference.is_some() {
                    self.path.pop();
                }
            }
        }
    }

    /// Notes the elements around content of a page.
    fn found(&mut self, page: Option<Key>) {
        let Some(page) = page else { return };
        let elements = self.out.entry(page).or_default();
        for element in self.path.iter().rev() {
            // The elements around one that is known are known too.
            if !elements.insert(*element) {
                break;
            }
        }
    }
}
