//! Facts about a file: metadata, labels of pages, the outline, and what a reader must know.

use crate::actions::Found;
use crate::file::File;
use crate::limits;
use crate::names;
use crate::strings;
use hayro_syntax::object::{DateTime, Dict, Name, Object, Stream, String as PdfString};
use omniread_document::numerals;
use omniread_document::{Facts, Outline, UnitFacts, UnitKind};
use std::collections::BTreeSet;

/// Reads the facts.
pub fn facts(file: &File) -> Facts {
    let count = file.pdf().pages().len();
    let labels = labels(file, count);
    Facts {
        format: "PDF document".to_owned(),
        metadata: metadata(file),
        units: Some(UnitKind::Page),
        list: (0..count)
            .map(|index| UnitFacts {
                name: labels.get(index).cloned().unwrap_or_default(),
                hidden: false,
            })
            .collect(),
    }
}

fn metadata(file: &File) -> Vec<(String, String)> {
    let info = file.pdf().metadata();
    let xmp = xmp(file);
    let mut out = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !is_none(value)) {
            out.push((name.to_owned(), value));
        }
    };
    let text = |bytes: &Option<Box<[u8]>>| {
        let bytes = bytes.as_ref()?;
        Some(strings::line(&strings::text(bytes), limits::METADATA_BYTES))
            .filter(|it| !it.is_empty())
    };
    let or = |value: Option<String>, tag: &str| value.or_else(|| element(&xmp, tag));
    add("title", or(text(&info.title), "dc:title"));
    add("author", or(text(&info.author), "dc:creator"));
    let created = info.creation_date.as_ref().map(date);
    let created = created.or_else(|| element(&xmp, "xmp:CreateDate"));
    let modified = info.modification_date.as_ref().map(date);
    let modified = modified.or_else(|| element(&xmp, "xmp:ModifyDate"));
    // A file that was written once has both.
    let modified = modified.filter(|it| Some(it) != created.as_ref());
    add("created", created);
    add("modified", modified);
    add("subject", or(text(&info.subject), "dc:description"));
    add("keywords", or(text(&info.keywords), "pdf:Keywords"));
    let language = file.catalog().get::<PdfString<'_>>("Lang");
    add(
        "language",
        language.map(|it| strings::line(&strings::text(it.as_bytes()), 40)),
    );
    out
}

/// Whether a value has no information: it is empty, or what a program writes for none.
fn is_none(value: &str) -> bool {
    let inner = value.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    matches!(
        inner.unwrap_or(value),
        "" | "untitled" | "anonymous" | "unspecified"
    )
}

/// A date as in ISO 8601.
fn date(date: &DateTime) -> String {
    let (year, month, day) = (date.year, date.month, date.day);
    let (hour, minute, second) = (date.hour, date.minute, date.second);
    let mut out = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    if date.utc_offset_hour == 0 && date.utc_offset_minute == 0 {
        out.push('Z');
    } else {
        out.push_str(&format!(
            "{:+03}:{:02}",
            date.utc_offset_hour, date.utc_offset_minute
        ));
    }
    out
}

/// The metadata in XML. Empty if there is none.
fn xmp(file: &File) -> String {
    let stream = file.catalog().get::<Stream<'_>>("Metadata");
    let bytes = stream.and_then(|stream| {
        let (bytes, _) = crate::decode::data(&stream, limits::XMP_BYTES)?;
        Some(bytes.into_owned())
    });
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

/// The text of the first element with a name. An element with alternatives has a list in it.
fn element(xmp: &str, tag: &str) -> Option<String> {
    let start = xmp.find(&format!("<{tag}"))?;
    let rest = xmp.get(start..)?;
    let end = rest.find(&format!("</{tag}>"))?;
    let inner = rest.get(rest.find('>')?.saturating_add(1)..end)?;
    let mut out = String::new();
    let mut inside = false;
    for character in inner.chars() {
        match character {
            '<' => inside = true,
            '>' => {
                inside = false;
                out.push(' ');
            }
            _ if !inside => out.push(character),
            _ => {}
        }
    }
    let out = out
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&");
    Some(strings::line(&out, limits::METADATA_BYTES)).filter(|it| !it.is_empty())
}

/// The labels of the pages, such as `iv`. Empty if they are the numbers from 1, or there are none.
fn labels(file: &File, count: usize) -> Vec<String> {
    let catalog = file.catalog();
    let Some(tree) = catalog.get::<Dict<'_>>("PageLabels") else {
        return Vec::new();
    };
    let mut ranges: Vec<(usize, Dict<'_>)> = Vec::new();
    names::numbers(&tree, limits::OUTLINE, &mut |number, value| {
        if let (Ok(first), Object::Dict(label)) = (usize::try_from(number), value) {
            ranges.push((first, label));
        }
    });
    ranges.sort_by_key(|range| range.0);
    let mut out = Vec::with_capacity(count);
    let mut at = 0_usize;
    for index in 0..count {
        while ranges
            .get(at.saturating_add(1))
            .is_some_and(|next| next.0 <= index)
        {
            at = at.saturating_add(1);
        }
        let Some((first, label)) = ranges.get(at).filter(|range| range.0 <= index) else {
            out.push(String::new());
            continue;
        };
        let start = label.get::<u32>("St").unwrap_or(1);
        let place = u32::try_from(index.saturating_sub(*first)).unwrap_or_default();
        let number = start.saturating_add(place);
        let prefix = label
            .get::<PdfString<'_>>("P")
            .map(|it| strings::line(&strings::text(it.as_bytes()), 40));
        let style = label.get::<Name<'_>>("S");
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let roman = || numerals::roman(place, limits::ROMAN);
        let letters = || numerals::repeated_letters(place, limits::LABEL_LETTERS);
        let number = match style.as_deref() {
            Some(b"D") => number.to_string(),
            Some(b"R") => roman().to_uppercase(),
            Some(b"r") => roman(),
            Some(b"A") => letters().to_uppercase(),
            Some(b"a") => letters(),
            _ => String::new(),
        };
        out.push(format!("{}{number}", prefix.unwrap_or_default()));
    }
    let usual = out
        .iter()
        .enumerate()
        .all(|(index, label)| label.is_empty() || *label == index.saturating_add(1).to_string());
    if usual { Vec::new() } else { out }
}

/// Reads the outline. Adds the actions of its entries to `actions`.
pub fn outline(file: &File, actions: &mut Found) -> Vec<Outline> {
    let mut out = Vec::new();
    let Some(root) = file.catalog().get::<Dict<'_>>("Outlines") else {
        return out;
    };
    let mut seen = BTreeSet::new();
    // The entries to read, with their levels.
    let mut stack: Vec<(Dict<'_>, u8)> = Vec::new();
    stack.extend(root.get::<Dict<'_>>("First").map(|first| (first, 1)));
    while let Some((entry, level)) = stack.pop() {
        let id = entry.obj_id();
        if id.is_none_or(|id| !seen.insert((id.obj_number, id.gen_number)))
            || out.len() >= limits::OUTLINE
        {
            continue;
        }
        actions.add_entry(&entry);
        let title = entry.get::<PdfString<'_>>("Title");
        let title = title.map_or(String::new(), |it| {
            strings::line(&strings::text(it.as_bytes()), limits::METADATA_BYTES)
        });
        if !title.is_empty() {
            out.push(Outline {
                level,
                title,
                unit: names::destination_of(file, &entry),
            });
        }
        stack.extend(entry.get::<Dict<'_>>("Next").map(|next| (next, level)));
        if level < limits::OUTLINE_DEPTH {
            let first = entry.get::<Dict<'_>>("First");
            stack.extend(first.map(|first| (first, level.saturating_add(1))));
        }
    }
    out
}

/// What a reader of the file must know: scripts and actions, which are never executed.
pub fn notes(file: &File, actions: &Found) -> Vec<String> {
    let mut notes: Vec<String> = actions.note().into_iter().collect();
    let catalog = file.catalog();
    let form = catalog.get::<Dict<'_>>("AcroForm");
    if form.is_some_and(|form| form.get::<Object<'_>>("XFA").is_some()) {
        notes.push("The file has a form in XML (XFA), which is not shown.".to_owned());
    }
    if file.pdf().pages().is_empty() {
        notes.push("The file has no pages.".to_owned());
    }
    if catalog.contains_key("Collection") {
        notes.push("The file is a portfolio: its content is in its attachments.".to_owned());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_metadata() {
        let xmp = "<x><dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">A &amp; B</rdf:li></rdf:Alt></dc:title></x>";
        assert_eq!(element(xmp, "dc:title").as_deref(), Some("A & B"));
        assert_eq!(element(xmp, "dc:creator"), None);
        assert_eq!(element("<dc:title", "dc:title"), None);
    }
}
