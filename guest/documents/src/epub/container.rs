//! `META-INF/container.xml`, which names the package document, and what is read without it.

use super::item::{Item, extension};
use crate::limits;
use crate::package::Package;
use crate::xml::{Tree, decode};
use std::cmp::Ordering;

/// The name of the container file. All books have it at the same place.
const CONTAINER: &str = "META-INF/container.xml";

/// Returns the part with the package document. `None` if there is none.
pub fn package_document(package: &mut Package, notes: &mut Vec<String>) -> Option<String> {
    // Some archives contain the folder of a book.
    let is_container = |name: &&str| {
        let start = name.len().checked_sub(CONTAINER.len());
        start
            .and_then(|start| name.get(start..))
            .is_some_and(|end| end.eq_ignore_ascii_case(CONTAINER))
    };
    let name = if package.has(CONTAINER) {
        Some(CONTAINER.to_owned())
    } else {
        package.names().find(is_container).map(str::to_owned)
    };
    if let Some(name) = &name
        && let Some(part) = package.part(name)
    {
        let folder = name.get(..name.len().saturating_sub(CONTAINER.len()));
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        let roots = tree.root().descendants();
        let roots = roots.filter(|element| element.name() == "rootfile");
        let paths = roots.take(limits::FALLBACKS).filter_map(|root| {
            let path = root.attr("full-path")?;
            Some(package.resolve(folder.unwrap_or_default(), path))
        });
        let found = paths.into_iter().find(|path| package.has(path));
        if found.is_some() {
            return found;
        }
        notes.push("The container file names no package document that exists.".to_owned());
    } else {
        notes.push("The container file is missing.".to_owned());
    }
    let has_extension = |name: &&str| extension(name).eq_ignore_ascii_case("opf");
    package.names().find(has_extension).map(str::to_owned)
}

/// Lists the pages of a package as chapters, in the natural order of their names.
pub fn pages(package: &Package) -> Vec<Item> {
    let is_page = |name: &&str| {
        ["xhtml", "html", "htm"]
            .iter()
            .any(|page| extension(name).eq_ignore_ascii_case(page))
    };
    let mut names: Vec<&str> = package.names().filter(is_page).collect();
    names.sort_by(|first, second| natural(first, second));
    let pages = names.into_iter().take(limits::CHAPTERS);
    pages
        .map(|name| Item {
            part: name.to_owned(),
            media_type: "application/xhtml+xml".to_owned(),
            linear: true,
        })
        .collect()
}

/// Compares names in which numbers are compared by their value.
fn natural(first: &str, second: &str) -> Ordering {
    let (mut first, mut second) = (first, second);
    loop {
        let (Some(one), Some(two)) = (first.chars().next(), second.chars().next()) else {
            return first.len().cmp(&second.len());
        };
        if one.is_ascii_digit() && two.is_ascii_digit() {
            let (digits, rest) = number(first);
            let (others, remaining) = number(second);
            let order = digits.len().cmp(&others.len()).then(digits.cmp(others));
            if order != Ordering::Equal {
                return order;
            }
            (first, second) = (rest, remaining);
            continue;
        }
        let order = one.to_ascii_lowercase().cmp(&two.to_ascii_lowercase());
        if order != Ordering::Equal {
            return order;
        }
        first = first.get(one.len_utf8()..).unwrap_or_default();
        second = second.get(two.len_utf8()..).unwrap_or_default();
    }
}

/// Splits a text that starts with digits after them. Zeros at the start are left out.
fn number(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches('0');
    let end = text.find(|char: char| !char.is_ascii_digit());
    text.split_at_checked(end.unwrap_or(text.len()))
        .unwrap_or((text, ""))
}
