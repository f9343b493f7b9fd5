//! Trees of names and numbers, destinations and actions.

use crate::file::File;
use crate::limits;
use crate::strings;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, Stream, String as PdfString};

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
        let mut items = list.iter::<Object<'a>>();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            let Some(less) = rest.checked_sub(1) else {
                return;
            };
            *rest = less;
            each(key, value);
        }
    }
    if let Some(kids) = tree.get::<Array<'a>>("Kids") {
        for kid in kids.iter::<Dict<'a>>() {
            let Some(less) = rest.checked_sub(1) else {
                return;
            };
            *rest = less;
            visit(&kid, key, depth.saturating_add(1), rest, each);
        }
    }
}

/// Finds an entry in a tree of names by its limits.
fn find_name<'a>(tree: &Dict<'a>, name: &[u8], depth: usize) -> Option<Object<'a>> {
    if depth > limits::NUMBER_TREE_DEPTH {
        return None;
    }
    if let Some(list) = tree.get::<Array<'a>>("Names") {
        let mut items = list.iter::<Object<'a>>();
        for _ in 0..limits::TREE_NODES {
            let (key, value) = (items.next()?, items.next()?);
            if matches!(&key, Object::String(own) if own.as_bytes() == name) {
                return Some(value);
            }
        }
        return None;
    }
    for kid in tree
        .get::<Array<'a>>("Kids")?
        .iter::<Dict<'a>>()
        .take(10_000)
    {
        let inside = kid.get::<Array<'a>>("Limits").is_none_or(|list| {
            let mut ends = list.iter::<PdfString<'a>>();
            match (ends.next(), ends.next()) {
                (Some(low), Some(high)) => low.as_bytes() <= name && name <= high.as_bytes(),
                _ => true,
            }
        });
        if inside && let Some(found) = find_name(&kid, name, depth.saturating_add(1)) {
            return Some(found);
        }
    }
    None
}

/// The page of the destination of an outline entry or a link, from 0.
pub fn destination_of(file: &File, dict: &Dict<'_>) -> Option<usize> {
    let own = dict.get::<Object<'_>>("Dest").or_else(|| {
        let action = dict.get::<Dict<'_>>("A")?;
        let kind = action.get::<Name<'_>>("S")?;
        (kind.as_ref() == b"GoTo").then(|| action.get::<Object<'_>>("D"))?
    })?;
    destination(file, own, 0)
}

fn destination(file: &File, object: Object<'_>, depth: usize) -> Option<usize> {
    if depth > 4 {
        return None;
    }
    match object {
        Object::Array(list) => match list.raw_iter().next()? {
            MaybeRef::Ref(page) => file.page_of((page.obj_number, page.gen_number)),
            MaybeRef::NotRef(Object::Number(number)) => usize::try_from(number.as_i64()).ok(),
            MaybeRef::NotRef(_) => None,
        },
        Object::Dict(dict) => {
            destination(file, dict.get::<Object<'_>>("D")?, depth.saturating_add(1))
        }
        Object::String(name) => {
            let names = file.catalog().get::<Dict<'_>>("Names")?;
            let found = find_name(&names.get::<Dict<'_>>("Dests")?, name.as_bytes(), 0)?;
            destination(file, found, depth.saturating_add(1))
        }
        Object::Name(name) => {
            let found = file
                .catalog()
                .get::<Dict<'_>>("Dests")?
                .get::<Object<'_>>(name.as_ref())?;
            destination(file, found, depth.saturating_add(1))
        }
        _ => None,
    }
}

/// What an action asks for, as the end of a sentence. `None` for moves inside the file.
pub fn action_text(action: &Dict<'_>) -> Option<String> {
    let kind = action.get::<Name<'_>>("S")?;
    let file = |name: &str| match action.get::<Object<'_>>(name)? {
        Object::String(text) => Some(strings::text(text.as_bytes())),
        Object::Dict(dict) => {
            let name = dict.get::<PdfString<'_>>("UF").or_else(|| dict.get("F"))?;
            Some(strings::text(name.as_bytes()))
        }
        _ => None,
    };
    match kind.as_ref() {
        b"URI" => {
            let uri = action.get::<PdfString<'_>>("URI")?;
            Some(format!(
                "open the address {}",
                strings::line(&strings::text(uri.as_bytes()), limits::URL_BYTES)
            ))
        }
        b"Launch" => {
            let name = file("F").or_else(|| {
                let windows = action.get::<Dict<'_>>("Win")?;
                Some(strings::text(windows.get::<PdfString<'_>>("F")?.as_bytes()))
            });
            Some(format!(
                "start the program {}",
                strings::line(&name.unwrap_or_default(), 300)
            ))
        }
        b"JavaScript" => {
            let script = match action.get::<Object<'_>>("JS")? {
                Object::String(text) => strings::text(text.as_bytes()),
                Object::Stream(stream) => script(&stream)?,
                _ => return None,
            };
            Some(format!(
                "run the script `{}`",
                strings::line(&script, limits::SCRIPT_BYTES)
            ))
        }
        b"SubmitForm" => {
            let to = file("F").unwrap_or_default();
            Some(format!(
                "send the form to {}",
                strings::line(&to, limits::URL_BYTES)
            ))
        }
        _ => None,
    }
}

fn script(stream: &Stream<'_>) -> Option<String> {
    let (bytes, _) = crate::decode::data(stream, 1 << 16)?;
    Some(strings::text(&bytes))
}
