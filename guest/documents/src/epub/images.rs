//! The numbers of images: first those of the chapters, in the order of the text, then the others.

use super::address::{folder, target};
use super::charset;
use super::item::{Item, extension};
use crate::limits;
use crate::package::Package;
use quick_xml::events::attributes::Attributes;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The images of a book.
#[derive(Clone, Debug, Default)]
pub struct Images(Rc<List>);

#[derive(Debug, Default)]
struct List {
    parts: Vec<String>,
    /// Numbers from 1, by the name of the part in lowercase.
    numbers: BTreeMap<String, usize>,
}

impl Images {
    /// Returns the number of an image, from 1. The case of the name does not matter.
    pub fn number(&self, part: &str) -> Option<usize> {
        let found = self.0.numbers.get(part).copied();
        found.or_else(|| self.0.numbers.get(&part.to_lowercase()).copied())
    }

    /// Returns the part with an image.
    pub fn part(&self, number: usize) -> Option<&str> {
        let place = number.checked_sub(1)?;
        self.0.parts.get(place).map(String::as_str)
    }
}

/// Finds the images of a book.
pub fn find(
    package: &mut Package,
    chapters: &[Item],
    manifest: &[String],
    encrypted: &BTreeSet<String>,
) -> Images {
    let mut list = List::default();
    // The names of all images that can be shown, by their lowercase form.
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let named = package.names().filter(|name| is_image(name));
    let all = named.chain(manifest.iter().map(String::as_str));
    for name in all {
        let key = name.to_lowercase();
        if !encrypted.contains(&key) && package.has(name) {
            known.entry(key).or_insert_with(|| name.to_owned());
        }
    }
    let add = |list: &mut List, key: String| {
        if let Some(name) = known.get(&key)
            && list.parts.len() < limits::IMAGES
            && !list.numbers.contains_key(&key)
        {
            list.parts.push(name.clone());
            list.numbers.insert(key, list.parts.len());
        }
    };
    for item in chapters {
        let key = item.part.to_lowercase();
        if item.is_image() {
            add(&mut list, key);
            continue;
        }
        if !item.is_page() || encrypted.contains(&key) {
            continue;
        }
        let Some(part) = package.part(&item.part) else {
            continue;
        };
        let text = charset::decode(&part.bytes);
        let folder = folder(&item.part);
        for address in references(&text) {
            if let Some((key, _)) = target(folder, &address) {
                add(&mut list, key);
            }
        }
    }
    for key in known.keys() {
        add(&mut list, key.clone());
    }
    Images(Rc::new(list))
}

/// Returns whether a part is an image by its name.
fn is_image(name: &str) -> bool {
    let extension = extension(name).to_ascii_lowercase();
    matches!(
        extension.as_str(),
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "svg" | "bmp" | "avif" | "tif" | "tiff"
    )
}

/// The elements that show an image.
const ELEMENTS: [&str; 4] = ["img", "image", "source", "input"];

/// Returns whether a chapter may show an image.
pub fn has_images(text: &str) -> bool {
    tags(text).next().is_some()
}

/// Lists the starts of tags that show an image: the name of the element and its attributes.
fn tags(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let pieces = text.split('<').skip(1);
    pieces.filter_map(|piece| {
        // Prefixes such as `svg:` are short.
        let end = piece.bytes().take(16).position(|it| !is_name(it))?;
        let (name, rest) = piece.split_at_checked(end)?;
        let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
        let is_known = ELEMENTS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(local));
        is_known.then_some((local, rest))
    })
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b':'
}

/// Lists the addresses of the images of a chapter.
fn references(text: &str) -> impl Iterator<Item = String> {
    tags(text).filter_map(|(_, rest)| {
        let rest = rest.split('>').next().unwrap_or_default();
        let mut attributes = Attributes::html(rest, 0);
        let attributes = attributes.with_checks(false);
        let mut sources = attributes.filter_map(Result::ok).filter(|attribute| {
            let name = attribute.key.0;
            ["src", "href", "xlink:href"]
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        });
        let source = sources.next()?;
        Some(source.value.replace("&amp;", "&"))
    })
}
