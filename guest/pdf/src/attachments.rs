//! Files in the file: embedded files, and those of annotations.

use crate::array;
use crate::decode;
use crate::file::File;
use crate::limits;
use crate::names;
use crate::strings;
use hayro_syntax::object::{
    Array, Dict, Name, Object, ObjectIdentifier, Stream, String as PdfString,
};
use omniread_document::Attachment;
use omniread_document::note::is_plain;
use std::collections::BTreeSet;

/// Where the stream of an attachment is.
pub type Place = ObjectIdentifier;

/// Lists the attachments, and where their streams are.
pub fn list(file: &File) -> (Vec<Attachment>, Vec<Place>) {
    let mut out = (Vec::new(), Vec::new());
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut seen: BTreeSet<ObjectIdentifier> = BTreeSet::new();
    let mut add = |specification: &Dict<'_>, name: &str| {
        if out.0.len() >= limits::ATTACHMENTS {
            return;
        }
        let files = specification.get::<Dict<'_>>("EF").unwrap_or_default();
        let stream = ["UF", "F", "DOS", "Mac", "Unix"]
            .iter()
            .find_map(|key| files.get::<Stream<'_>>(key));
        let Some(stream) = stream else { return };
        if !seen.insert(stream.obj_id()) {
            return;
        }
        let own = specification
            .get::<PdfString<'_>>("UF")
            .or_else(|| specification.get("F"));
        let own = own.map(|own| strings::text(own.as_bytes()));
        let declared = strings::line(own.as_deref().unwrap_or(name), limits::NAME_BYTES);
        let name = unique(own.as_deref().unwrap_or(name), &mut known);
        let mime = stream
            .dict()
            .get::<Name<'_>>("Subtype")
            .map_or(String::new(), |it| strings::line(it.as_str(), 100));
        let parameters = stream.dict().get::<Dict<'_>>("Params").unwrap_or_default();
        let stated = parameters
            .get::<i64>("Size")
            .and_then(|size| u64::try_from(size).ok());
        let size = if stream.filters().is_empty() {
            let held = stream.raw_data().len() as u64;
            // The data of a large file are read later.
            let length = stream.dict().get::<usize>("Length").unwrap_or_default() as u64;
            if held == 0 { length } else { held }
        } else {
            stated.unwrap_or_default()
        };
        out.0.push(Attachment {
            name,
            declared,
            mime,
            size,
        });
        out.1.push(stream.obj_id());
    };
    let tree = file
        .catalog()
        .get::<Dict<'_>>("Names")
        .and_then(|names| names.get::<Dict<'_>>("EmbeddedFiles"));
    if let Some(tree) = tree {
        names::names(&tree, limits::ATTACHMENTS, &mut |name, value| {
            if let Object::Dict(specification) = value {
                add(&specification, &strings::text(&name));
            }
        });
    }
    if let Some(files) = file.catalog().get::<Array<'_>>("AF") {
        for specification in array::dicts(&files).take(limits::ATTACHMENTS) {
            add(&specification, "attachment");
        }
    }
    for page in file.pdf().pages().iter().take(limits::ATTACHMENT_PAGES) {
        let Some(list) = page.raw().get::<Array<'_>>("Annots") else {
            continue;
        };
        for annotation in array::dicts(&list).take(limits::ANNOTATIONS) {
            let kind = annotation.get::<Name<'_>>("Subtype");
            if kind.as_deref() == Some(b"FileAttachment")
                && let Some(specification) = annotation.get::<Dict<'_>>("FS")
            {
                add(&specification, "attachment");
            }
        }
    }
    out
}

/// Reads an attachment.
pub fn read(file: &File, place: Place) -> Option<Vec<u8>> {
    let stream = file.pdf().xref().get::<Stream<'_>>(place)?;
    let (bytes, cut) = decode::data(&stream, limits::ATTACHMENT_BYTES)?;
    (!cut).then(|| bytes.into_owned())
}

/// A name without folders, which no other attachment has. Characters that a note cannot show as they are,
/// such as brackets, become `_`, so that the path in a note reads the attachment.
fn unique(name: &str, known: &mut BTreeSet<String>) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name: String = strings::line(name, limits::NAME_BYTES)
        .chars()
        .map(|it| if is_plain(it) { it } else { '_' })
        .collect();
    if name.is_empty() || name == "." || name == ".." {
        "attachment".clone_into(&mut name);
    }
    let mut free = name.clone();
    let mut count = 1_usize;
    while known.contains(&free) {
        count = count.saturating_add(1);
        free = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => format!("{stem} ({count}).{extension}"),
            _ => format!("{name} ({count})"),
        };
    }
    known.insert(free.clone());
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_safe() {
        let mut known = BTreeSet::new();
        assert_eq!(unique("../../etc/data.csv", &mut known), "data.csv");
        assert_eq!(unique("C:\\data.csv", &mut known), "data (2).csv");
        assert_eq!(unique("..", &mut known), "attachment");
        assert_eq!(unique("a\u{0}b", &mut known), "a b");
        assert_eq!(
            unique("a\n]\n[evil`\u{202e}.txt", &mut known),
            "a _ _evil__.txt"
        );
    }
}
