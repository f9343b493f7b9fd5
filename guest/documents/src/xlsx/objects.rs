//! What is beside the cells of a sheet: merged cells, tables, links and comments.

use super::text::push_string;
use crate::limits;
use crate::package::{Package, Relationships};
use crate::workbook::notes::too_many;
use crate::workbook::{CellLink, Comment, LAST_COLUMN, NamedTable, Range};
use crate::xml::tags::Tags;
use crate::xml::{Event, Events, Tree, decode};
use std::collections::{BTreeMap, BTreeSet};

/// The names of persons by their identifiers.
pub type Persons = BTreeMap<String, String>;

/// Reads the merged cells from the XML after the rows.
pub fn merged(tail: &str, notes: &mut Vec<String>) -> Vec<Range> {
    let mut found = Vec::new();
    for event in Events::new(tail) {
        let Event::Start(start) = event else {
            continue;
        };
        if start.name != "mergeCell" {
            continue;
        }
        if found.len() >= limits::SHEET_OBJECTS {
            notes.push(too_many("merged ranges"));
            break;
        }
        let range = start.attr("ref").and_then(|it| Range::parse(&it));
        found.extend(range);
    }
    found
}

/// Reads the links from the XML after the rows. Links to places in the workbook are left out.
pub fn links(tail: &str, related: &Relationships, notes: &mut Vec<String>) -> Vec<CellLink> {
    let mut found = Vec::new();
    for event in Events::new(tail) {
        let Event::Start(start) = event else {
            continue;
        };
        if start.name != "hyperlink" {
            continue;
        }
        if found.len() >= limits::SHEET_OBJECTS {
            notes.push(too_many("links"));
            break;
        }
        let range = start.attr("ref").and_then(|it| Range::parse(&it));
        let (Some(range), Some(id)) = (range, start.attr("r:id")) else {
            continue;
        };
        let place = start.attr("location").unwrap_or_default();
        if let Some(url) = related.link_to(&id, &place) {
            found.push(CellLink { range, url });
        }
    }
    found
}

/// Reads the sequences of hidden columns from the XML before the rows.
pub fn hidden_columns(head: &str) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for event in Events::new(head) {
        let Event::Start(start) = event else {
            continue;
        };
        if start.name != "col" || found.len() >= limits::SHEET_OBJECTS {
            continue;
        }
        if !matches!(start.attr("hidden").as_deref(), Some("1" | "true")) {
            continue;
        }
        let number = |name| {
            start
                .attr(name)
                .and_then(|it| it.trim().parse::<u32>().ok())
        };
        if let (Some(first), Some(last)) = (number("min"), number("max")) {
            let last = last.min(LAST_COLUMN);
            match found.last_mut() {
                Some((_, end)) if end.saturating_add(1) == first => *end = last,
                _ if first <= last => found.push((first, last)),
                _ => {}
            }
        }
    }
    found
}

/// Reads the tables that the workbook defines on a sheet.
pub fn tables(package: &mut Package, related: &Relationships) -> Vec<NamedTable> {
    let mut found = Vec::new();
    let parts = related.iter().filter(|(_, it)| it.kind == "table");
    for (_, target) in parts.take(limits::SHEET_PARTS) {
        let Some(part) = package.part(&target.target) else {
            continue;
        };
        let text = decode(&part.bytes);
        let start = Events::new(&text).find_map(|event| match event {
            Event::Start(start) if start.name == "table" => Some(start),
            _ => None,
        });
        let Some(start) = start else {
            continue;
        };
        let name = start.attr("displayName").or_else(|| start.attr("name"));
        let range = start.attr("ref").and_then(|it| Range::parse(&it));
        if let Some(range) = range {
            found.push(NamedTable {
                name: name.unwrap_or_default().into_owned(),
                range,
                header: start.attr("headerRowCount").as_deref() != Some("0"),
            });
        }
    }
    found.sort_by_key(|table| (table.range.first_row, table.range.first_column));
    found
}

/// Reads the names of the persons who wrote comments.
pub fn persons(package: &mut Package, book: &Relationships) -> Persons {
    let mut found = Persons::new();
    for (_, target) in book.iter().filter(|(_, it)| it.kind == "person") {
        let Some(part) = package.part(&target.target) else {
            continue;
        };
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        for person in tree.root().children().take(limits::RELATIONSHIPS) {
            if let (Some(id), Some(name)) = (person.attr("id"), person.attr("displayName")) {
                found.insert(id.to_owned(), name.to_owned());
            }
        }
    }
    found
}

/// Reads the comments of a sheet.
pub fn comments(
    package: &mut Package,
    related: &Relationships,
    persons: &Persons,
    notes: &mut Vec<String>,
) -> Vec<Comment> {
    let mut found = Vec::new();
    let threads = related
        .iter()
        .filter(|(_, it)| it.kind == "threadedComment");
    for (_, target) in threads.take(limits::SHEET_PARTS) {
        if let Some(part) = package.part(&target.target) {
            threaded(&decode(&part.bytes), persons, &mut found);
        }
    }
    // Excel writes threads also as comments for older programs.
    let known: BTreeSet<(u32, u32)> = found.iter().map(|it| (it.row, it.column)).collect();
    let all = related.iter().filter(|(_, it)| it.kind == "comments");
    for (_, target) in all.take(limits::SHEET_PARTS) {
        if let Some(part) = package.part(&target.target) {
            plain(&decode(&part.bytes), &known, &mut found);
        }
    }
    if found.len() >= limits::SHEET_OBJECTS {
        notes.push(too_many("comments"));
    }
    found
}

/// Reads comments with replies ([MS-XLSX] 2.6.205).
fn threaded(text: &str, persons: &Persons, found: &mut Vec<Comment>) {
    let tree = Tree::parse(text);
    for comment in tree.root().children() {
        if found.len() >= limits::SHEET_OBJECTS {
            return;
        }
        let range = comment.attr("ref").and_then(Range::parse);
        let (Some(range), Some(text)) = (range, comment.child("text")) else {
            continue;
        };
        let person = comment.attr("personId").and_then(|id| persons.get(id));
        found.push(Comment {
            row: range.first_row,
            column: range.first_column,
            author: person.cloned().unwrap_or_default(),
            text: text.text().trim().to_owned(),
            reply: comment.attr("parentId").is_some(),
        });
    }
}

/// Reads comments without replies (ECMA-376-1, 18.7).
fn plain(text: &str, known: &BTreeSet<(u32, u32)>, found: &mut Vec<Comment>) {
    let mut authors: Vec<String> = Vec::new();
    let mut tags = Tags::new(text, 0);
    while let Some(tag) = tags.next() {
        if tag.is_end || tag.is_empty {
            continue;
        }
        if tag.name == "author" && authors.len() < limits::SHEET_OBJECTS {
            authors.push(super::text::text(tags.text()).trim().to_owned());
        }
        if tag.name != "comment" {
            continue;
        }
        if found.len() >= limits::SHEET_OBJECTS {
            return;
        }
        let attribute = |name| crate::xml::tags::attribute(tag.attributes, name);
        let range = attribute("ref").and_then(Range::parse);
        let author = attribute("authorId").and_then(|it| it.parse::<usize>().ok());
        let author = author.and_then(|it| authors.get(it));
        let mut words = String::new();
        push_string(&mut words, &mut tags, "comment");
        let Some(range) = range.filter(|it| !known.contains(&(it.first_row, it.first_column)))
        else {
            continue;
        };
        let author = author.cloned().unwrap_or_default();
        // Excel writes the name of the author into the text.
        let words = words.trim();
        let own = words
            .strip_prefix(author.as_str())
            .filter(|_| !author.is_empty());
        let own = own.and_then(|it| it.strip_prefix(':'));
        found.push(Comment {
            row: range.first_row,
            column: range.first_column,
            text: own.unwrap_or(words).trim().to_owned(),
            author,
            reply: false,
        });
    }
}
