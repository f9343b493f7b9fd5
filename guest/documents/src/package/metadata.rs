//! The facts about a document: `docProps/core.xml` and `docProps/app.xml`.

use super::Package;
use crate::limits;
use crate::xml::{Tree, decode};

/// The names of core properties, and those that are shown.
const NAMES: [(&str, &str); 8] = [
    ("title", "title"),
    ("creator", "author"),
    ("created", "created"),
    ("modified", "modified"),
    ("subject", "subject"),
    ("keywords", "keywords"),
    ("language", "language"),
    ("description", "description"),
];

/// Reads the metadata of a package.
pub fn read(package: &mut Package) -> Vec<(String, String)> {
    let root = package.relationships("");
    let core = root.first("core-properties").map(|it| it.target.clone());
    let core = core.unwrap_or_else(|| "docProps/core.xml".to_owned());
    let mut found = values(package, &core);
    let known = |found: &[(String, String)], name| found.iter().any(|(own, _)| own == name);
    if !known(&found, "creator") {
        let app = root.first("extended-properties");
        let app = app.map_or_else(|| "docProps/app.xml".to_owned(), |it| it.target.clone());
        let more = values(package, &app);
        let author = more
            .into_iter()
            .find(|(name, _)| name == "Manager" || name == "Company");
        if let Some((_, value)) = author {
            found.push(("creator".to_owned(), value));
        }
    }
    let mut shown = Vec::new();
    for (name, label) in NAMES {
        if let Some((_, value)) = found.iter().find(|(own, _)| own == name) {
            shown.push((label.to_owned(), value.clone()));
        }
    }
    shown
}

/// Reads the properties of a part that are texts.
fn values(package: &mut Package, name: &str) -> Vec<(String, String)> {
    let Some(part) = package.part(name) else {
        return Vec::new();
    };
    let text = decode(&part.bytes);
    let tree = Tree::parse(&text);
    let mut found = Vec::new();
    for property in tree.root().children().take(limits::NOTES.saturating_mul(8)) {
        let value = property.text();
        let mut value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        if value.is_empty() {
            continue;
        }
        if value.len() > limits::METADATA_BYTES {
            let mut end = limits::METADATA_BYTES;
            while !value.is_char_boundary(end) {
                end = end.saturating_sub(1);
            }
            value.truncate(end);
            value.push('…');
        }
        found.push((property.name().to_owned(), value));
    }
    found
}
