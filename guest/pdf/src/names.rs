//! Trees of names and numbers, and destinations.

use crate::array;
use crate::file::{Destination, Destinations, File};
use crate::limits;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object};

/// Visits the entries of a tree of numbers (ISO 32000-2, 7.9.7), at most `most`.
pub fn numbers<'a>(tree: &Dict<'a>, most: usize, each: &mut impl FnMut(i64, Object<'a>)) {
    let mut rest = most;
    visit(tree, "Nums", 0, &mut rest, &mut |key, value| {
        if let Object::Number(number) = key {
            each(number.as_i64(), value);
        }
    });
}

/// Visits the entries of a tree of names (ISO 32000-2, 7.9.6), at most `most`.
pub fn names<'a>(tree: &Dict<'a>, most: usize, each: &mut impl FnMut(Vec<u8>, Object<'a>)) {
    let mut rest = most;
    visit(tree, "Names", 0, &mut rest, &mut |key, value| {
        if let Object::String(name) = key {
            each(name.as_bytes().to_vec(), value);
        }
    });
}

fn visit<'a>(
    tree: &Dict<'a>,
    key: &str,
    depth: usize,
    rest: &mut usize,
    each: &mut dyn FnMut(Object<'a>, Object<'a>),
) {
    if depth > limits::NUMBER_TREE_DEPTH {
        return;
    }
    if let Some(list) = tree.get::<Array<'a>>(key) {
        let mut items = array::items(&list);
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            let Some(less) = rest.checked_sub(1) else {
                return;
            };
            *rest = less;
            each(key, value);
        }
    }
    if let Some(kids) = tree.get::<Array<'a>>("Kids") {
        for kid in array::dicts(&kids) {
            let Some(less) = rest.checked_sub(1) else {
                return;
            };
            *rest = less;
            visit(&kid, key, depth.saturating_add(1), rest, each);
        }
    }
}

/// Reads the names of destinations. The first of equal names applies.
fn destinations(file: &File) -> Destinations {
    let mut out = Destinations::new();
    let names = file.catalog().get::<Dict<'_>>("Names");
    if let Some(tree) = names.and_then(|names| names.get::<Dict<'_>>("Dests")) {
        let mut rest = limits::TREE_NODES;
        collect(file, &tree, 0, &mut rest, &mut out);
    }
    out
}

fn collect<'a>(
    file: &'a File,
    tree: &Dict<'a>,
    depth: usize,
    rest: &mut usize,
    out: &mut Destinations,
) {
    if depth > limits::NUMBER_TREE_DEPTH {
        return;
    }
    if let Some(list) = tree.get::<Array<'a>>("Names") {
        // The destinations are not read: a file has many more of them than are used.
        let mut items = list.raw_iter();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            let Some(less) = rest.checked_sub(1) else {
                return;
            };
            *rest = less;
            let MaybeRef::NotRef(Object::String(key)) = key else {
                continue;
            };
            let named = match value {
                MaybeRef::Ref(reference) => Some(Destination::Reference(reference)),
                MaybeRef::NotRef(object) => page_of(file, object).map(Destination::Page),
            };
            if let Some(named) = named {
                out.entry(key.as_bytes().to_vec()).or_insert(named);
            }
        }
    }
    if let Some(kids) = tree.get::<Array<'a>>("Kids") {
        for kid in array::dicts(&kids) {
            let Some(less) = rest.checked_sub(1) else {
                return;
            };
            *rest = less;
            collect(file, &kid, depth.saturating_add(1), rest, out);
        }
    }
}

/// The page of an explicit destination, from 0 (ISO 32000-2, 12.3.2.2).
fn page_of(file: &File, object: Object<'_>) -> Option<usize> {
    match object {
        Object::Array(list) => match list.raw_iter().next()? {
            MaybeRef::Ref(page) => file.page_of((page.obj_number, page.gen_number)),
            MaybeRef::NotRef(Object::Number(number)) => usize::try_from(number.as_i64()).ok(),
            MaybeRef::NotRef(_) => None,
        },
        Object::Dict(dict) => page_of(file, Object::Array(dict.get::<Array<'_>>("D")?)),
        _ => None,
    }
}

/// The page of the destination of an outline entry or a link, from 0.
pub fn destination_of(file: &File, dict: &Dict<'_>) -> Option<usize> {
    let own = dict.get::<Object<'_>>("Dest").or_else(|| {
        let action = dict.get::<Dict<'_>>("A")?;
        let kind = action.get::<Name<'_>>("S")?;
        (kind.as_ref() == b"GoTo").then(|| action.get::<Object<'_>>("D"))?
    })?;
    match own {
        Object::String(name) => match *file
            .destinations(|| destinations(file))
            .get(name.as_bytes())?
        {
            Destination::Page(page) => Some(page),
            Destination::Reference(reference) => {
                page_of(file, file.pdf().xref().get::<Object<'_>>(reference.into())?)
            }
        },
        // Names of PDF 1.1.
        Object::Name(name) => {
            let named = file.catalog().get::<Dict<'_>>("Dests")?;
            page_of(file, named.get::<Object<'_>>(name.as_ref())?)
        }
        other => page_of(file, other),
    }
}
