//! A chapter → Markdown.

use super::address::{folder, is_external, target};
use super::images::Images;
use crate::Unit;
use omniread_markup::html::{self, Addresses};

/// Converts a chapter. `part` is its name.
pub fn convert(text: &str, part: &str, images: &Images) -> Unit {
    let addresses = ChapterAddresses {
        part: part.to_lowercase(),
        folder: folder(part),
        images,
    };
    let converted = html::chapter(text, &addresses);
    Unit {
        text: converted.text,
        notes: converted.notes.into_iter().map(sentence).collect(),
        edges: [0, 0],
    }
}

/// The meaning of the addresses in a chapter.
struct ChapterAddresses<'b> {
    /// The name of the part in lowercase.
    part: String,
    folder: &'b str,
    images: &'b Images,
}

impl Addresses for ChapterAddresses<'_> {
    /// Links inside the book are shown as their text. Their addresses name parts, which a reader
    /// cannot open.
    fn link(&self, address: &str) -> Option<String> {
        is_external(address).then(|| address.to_owned())
    }

    fn image(&self, address: &str) -> Option<String> {
        match target(self.folder, address) {
            Some((part, _)) => {
                let number = self.images.number(&part)?;
                Some(format!("image:{number}"))
            }
            None => Some(address.to_owned()),
        }
    }

    fn local_id<'t>(&self, address: &'t str) -> Option<&'t str> {
        if let Some(id) = address.strip_prefix('#') {
            return Some(id);
        }
        let (part, id) = target(self.folder, address)?;
        id.filter(|_| part == self.part)
    }
}

/// Returns a note as a sentence.
fn sentence(note: String) -> String {
    let mut chars = note.chars();
    let Some(first) = chars.next() else {
        return note;
    };
    let end = if note.ends_with('.') { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), chars.as_str())
}
