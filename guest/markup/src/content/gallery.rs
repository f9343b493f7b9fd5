//! Images of a product whose descriptions repeat its name: the views and thumbnails of a gallery.

use std::collections::BTreeSet;

use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::metadata::Metadata;

/// The part of the words of a description that are new, with which it says something, is one of this
/// number.
const NEW: usize = 3;

/// The number of nodes of a heading whose words are read.
const HEADING: usize = 64;

/// The number of elements around an image in which a link is looked for.
const LINK_DEPTH: usize = 4;

/// The ends of the names of images.
const IMAGES: &[&str] = &[".avif", ".gif", ".jpeg", ".jpg", ".png", ".webp"];

/// Words of descriptions that say only that there is an image.
const WORDS: &[&str] = &[
    "for",
    "gallery",
    "hero",
    "image",
    "images",
    "in",
    "of",
    "photo",
    "picture",
    "product",
    "slide",
    "the",
    "thumbnail",
    "view",
];

/// Drops the images whose descriptions say nothing after the title and the images before, and returns
/// their number. The first image stays, and those that lead to other pages, such as to other colours.
/// `shown` are the images and the titles of the page in their order.
pub fn drop_views(
    document: &Document,
    metadata: &Metadata,
    shown: &[Id],
    dropped: &mut Marks,
) -> usize {
    let mut known = BTreeSet::new();
    known.extend(words(metadata.title.as_deref().unwrap_or_default()));
    let mut has_image = false;
    let mut count = 0usize;
    for id in shown.iter().copied() {
        if dropped.contains(id) {
            continue;
        }
        if document.is(id, Tag::H1) {
            let nodes = document.subtree(id).take(HEADING);
            known.extend(nodes.filter_map(|id| document.text(id)).flat_map(words));
            continue;
        }
        let said = document.attribute(id, Name::Alt).unwrap_or_default();
        let text = said;
        let mut said: BTreeSet<String> = BTreeSet::new();
        // Unlike `collect`, this does not sort them first, which takes 5 KB of code.
        said.extend(words(text));
        if said.is_empty() {
            continue;
        }
        let new = said.iter().filter(|word| !says_nothing(word, &known));
        // A number alone, such as `4.5 of 5`, is a value.
        let names = said
            .iter()
            .any(|word| known.contains(word) && !is_number(word));
        if has_image
            && names
            && new.count().saturating_mul(NEW) <= said.len()
            && address_around(document, id).is_none_or(is_image)
        {
            dropped.insert(id);
            count = count.saturating_add(1);
        }
        has_image = true;
        known.extend(said);
    }
    count
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn says_nothing(word: &String, known: &BTreeSet<String>) -> bool {
    known.contains(word) || WORDS.contains(&word.as_str()) || is_number(word)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The address of the link in which an image is.
pub fn address_around(document: &Document, image: Id) -> Option<&str> {
    let mut around = document.ancestors(image).take(LINK_DEPTH);
    let link = around.find(|id| document.is(*id, Tag::A))?;
    document.attribute(link, Name::Href)
}

/// Whether an address is probably that of an image, or leads to a place on the page.
fn is_image(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let path = path.to_ascii_lowercase();
    path.is_empty() || IMAGES.iter().any(|end| path.ends_with(end))
}
