//! The facts about a document: `meta.xml` ([ODF 1.3] part 3, 4.3).

use crate::limits;
use crate::xml::Element;

/// The names of the facts that are shown, and the elements with their values.
const NAMES: [(&str, &[&str]); 8] = [
    ("title", &["title"]),
    // `creator` is the author of the last change.
    ("author", &["initial-creator", "creator"]),
    ("created", &["creation-date"]),
    ("modified", &["date"]),
    ("subject", &["subject"]),
    ("keywords", &["keyword"]),
    ("language", &["language"]),
    ("description", &["description"]),
];

/// Reads the metadata of the outermost element.
pub fn read(root: Element) -> Vec<(String, String)> {
    let Some(meta) = root.child("meta") else {
        return Vec::new();
    };
    let mut shown = Vec::new();
    for (label, elements) in NAMES {
        let value = elements.iter().find_map(|name| value(meta, name));
        if let Some(value) = value {
            shown.push((label.to_owned(), value));
        }
    }
    shown
}

/// Returns the values of all elements with a name, with commas between them.
fn value(meta: Element, name: &str) -> Option<String> {
    let mut out = String::new();
    let all = meta.children().filter(|child| child.name() == name);
    for element in all.take(limits::NOTES) {
        let value = element.text();
        for (index, word) in value.split_whitespace().enumerate() {
            if !out.is_empty() {
                out.push_str(if index == 0 { ", " } else { " " });
            }
            if out.len() > limits::METADATA_BYTES {
                break;
            }
            out.push_str(word);
        }
    }
    if out.len() > limits::METADATA_BYTES {
        let mut end = limits::METADATA_BYTES;
        while !out.is_char_boundary(end) {
            end = end.saturating_sub(1);
        }
        out.truncate(end);
        out.push('…');
    }
    (!out.is_empty()).then_some(out)
}
