//! Names of chapters: the navigation document of EPUB 3, the NCX of EPUB 2, and headings.

use super::address::{folder, target};
use super::charset;
use super::package::PackageDocument;
use crate::limits;
use crate::package::Package;
use crate::xml::{Event, Events, Start, decode};
use std::collections::{BTreeMap, BTreeSet};

/// An entry of the table of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// The level, from 0.
    depth: usize,
    /// The name of the part in lowercase.
    part: String,
    label: String,
}

/// The table of contents.
#[derive(Default)]
pub struct Contents {
    /// The name of each chapter. A name may be empty.
    pub names: Vec<String>,
    /// The entries that lead to a part, by its name in lowercase: their levels, from 1, and names.
    pub entries: BTreeMap<String, Vec<(usize, String)>>,
}

/// Reads the table of contents.
pub fn read(
    package: &mut Package,
    document: &PackageDocument,
    encrypted: &BTreeSet<String>,
) -> Contents {
    let mut entries = Vec::new();
    for name in [&document.navigation, &document.ncx].into_iter().flatten() {
        if encrypted.contains(&name.to_lowercase()) {
            continue;
        }
        let Some(part) = package.part(name) else {
            continue;
        };
        let text = decode(&part.bytes);
        let folder = folder(name);
        entries = if Some(name) == document.ncx.as_ref() {
            ncx(&text, folder)
        } else {
            navigation(&text, folder)
        };
        if !entries.is_empty() {
            break;
        }
    }
    let by_part = by_part(&entries);
    let title = document.metadata.iter().find(|(name, _)| name == "title");
    let title = title.map(|(_, title)| title.as_str()).unwrap_or_default();
    let mut names = Vec::with_capacity(document.chapters.len());
    for item in &document.chapters {
        let key = item.part.to_lowercase();
        if let Some(name) = by_part.get(key.as_str()) {
            names.push(name.clone());
        } else if item.is_page()
            && !encrypted.contains(&key)
            && let Some(part) = package.part(&item.part)
        {
            names.push(own_name(&charset::decode(&part.bytes), title));
        } else {
            names.push(String::new());
        }
    }
    let top = entries.iter().map(|entry| entry.depth).min();
    let top = top.unwrap_or_default();
    let mut contents = Contents {
        names,
        entries: BTreeMap::new(),
    };
    for entry in entries {
        let level = entry.depth.saturating_sub(top).saturating_add(1);
        let list = contents.entries.entry(entry.part).or_default();
        list.push((level, entry.label));
    }
    contents
}

/// Returns the names of the parts to which entries lead. If several entries of the highest level
/// lead to a part, the name consists of the first and the last one.
fn by_part(entries: &[Entry]) -> BTreeMap<&str, String> {
    struct Range<'e> {
        depth: usize,
        first: &'e str,
        last: Option<&'e str>,
    }
    let mut ranges: BTreeMap<&str, Range> = BTreeMap::new();
    for entry in entries {
        let start = || Range {
            depth: entry.depth,
            first: &entry.label,
            last: None,
        };
        let range = ranges.entry(&entry.part).or_insert_with(start);
        if entry.depth < range.depth {
            *range = start();
        } else if entry.depth == range.depth && entry.label != range.first {
            range.last = Some(&entry.label);
        }
    }
    let name = |range: Range| match range.last {
        Some(last) => format!("{} … {last}", range.first),
        None => range.first.to_owned(),
    };
    let names = ranges.into_iter();
    names.map(|(part, range)| (part, name(range))).collect()
}

/// Reads the navigation document: the first `nav` with the type `toc`, or all links if there is none.
fn navigation(text: &str, folder: &str) -> Vec<Entry> {
    let found = links(text, folder, true);
    if found.is_empty() {
        return links(text, folder, false);
    }
    found
}

fn links(text: &str, folder: &str, typed: bool) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut is_inside = !typed;
    let mut depth = 0_usize;
    let mut link: Option<(String, String)> = None;
    for event in Events::new(text) {
        match event {
            Event::Start(start) => match start.name {
                "nav" if typed => {
                    is_inside = is_contents(&start);
                    depth = 0;
                }
                "ol" => depth = depth.saturating_add(1),
                "a" if is_inside => {
                    link = start
                        .attr("href")
                        .map(|it| (it.into_owned(), String::new()));
                }
                "img" => {
                    if let Some((_, label)) = &mut link {
                        label.push_str(&start.attr("alt").unwrap_or_default());
                    }
                }
                _ => {}
            },
            Event::End("nav") if typed => {
                if is_inside && !entries.is_empty() {
                    break;
                }
                is_inside = false;
            }
            Event::End("ol") => depth = depth.saturating_sub(1),
            Event::End("a") => {
                if let Some((address, label)) = link.take() {
                    add(&mut entries, depth, folder, &address, &label);
                }
            }
            Event::End(_) => {}
            Event::Text(text) => {
                if let Some((_, label)) = &mut link {
                    label.push_str(&text);
                }
            }
        }
        if entries.len() >= limits::CONTENTS {
            break;
        }
    }
    entries
}

/// Returns whether a `nav` is the table of contents.
fn is_contents(start: &Start) -> bool {
    let has = |name: &str, word: &str| {
        let value = start.attr(name).unwrap_or_default();
        value.split_whitespace().any(|it| it == word)
    };
    has("type", "toc") || has("role", "doc-toc")
}

/// Reads the NCX: `navPoint` with `navLabel` and `content`.
fn ncx(text: &str, folder: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut depth = 0_usize;
    let mut in_label = false;
    let mut label = String::new();
    for event in Events::new(text) {
        match event {
            Event::Start(start) => match start.name {
                "navPoint" => depth = depth.saturating_add(1),
                "navLabel" => {
                    in_label = true;
                    label.clear();
                }
                "content" if depth > 0 => {
                    let address = start.attr("src").unwrap_or_default();
                    add(&mut entries, depth, folder, &address, &label);
                }
                _ => {}
            },
            Event::End("navPoint") => depth = depth.saturating_sub(1),
            Event::End("navLabel") => in_label = false,
            // Lists of pages and figures follow.
            Event::End("navMap") => break,
            Event::Text(text) if in_label => label.push_str(&text),
            Event::End(_) | Event::Text(_) => {}
        }
        if entries.len() >= limits::CONTENTS {
            break;
        }
    }
    entries
}

fn add(entries: &mut Vec<Entry>, depth: usize, folder: &str, address: &str, label: &str) {
    let label = one_line(label);
    if label.is_empty() {
        return;
    }
    if let Some((part, _)) = target(folder, address) {
        entries.push(Entry { depth, part, label });
    }
}

/// Returns a text in one line, cut if it is no name.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() > limits::METADATA_BYTES {
            line.push('…');
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Returns the first heading of a chapter, or its title if it is not that of the book.
fn own_name(text: &str, book: &str) -> String {
    let mut end = limits::CHAPTER_HEAD.min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    let head = text.get(..end).unwrap_or_default();
    let mut title = String::new();
    let mut heading: Option<String> = None;
    let mut in_title = false;
    for event in Events::new(head) {
        match event {
            Event::Start(start) => match start.name {
                "title" => in_title = true,
                "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => heading = Some(String::new()),
                "br" => {
                    if let Some(heading) = &mut heading {
                        heading.push(' ');
                    }
                }
                "img" => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&start.attr("alt").unwrap_or_default());
                    }
                }
                _ => {}
            },
            Event::End("title") => in_title = false,
            Event::End("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => {
                let name = one_line(&heading.take().unwrap_or_default());
                if !name.is_empty() {
                    return name;
                }
            }
            Event::End(_) => {}
            Event::Text(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                } else if in_title {
                    title.push_str(&text);
                }
            }
        }
    }
    let title = one_line(&title);
    if title == book { String::new() } else { title }
}
