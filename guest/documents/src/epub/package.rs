//! The package document: metadata, the manifest and the spine.

use super::item::Item;
use crate::limits;
use crate::note::quoted_name;
use crate::package::Package;
use crate::report::part_notes;
use crate::xml::{Element, Tree, decode};
use std::collections::{BTreeMap, BTreeSet};

/// The content of a package document.
#[derive(Default)]
pub struct PackageDocument {
    /// Facts in the order in which they are shown.
    pub metadata: Vec<(String, String)>,
    /// The items of the spine.
    pub chapters: Vec<Item>,
    /// The parts with images.
    pub images: Vec<String>,
    /// The parts with style sheets.
    pub sheets: Vec<String>,
    /// The part with the navigation document of EPUB 3.
    pub navigation: Option<String>,
    /// The part that the guide of EPUB 2 names as the table of contents.
    pub listing: Option<String>,
    /// The part with the table of contents of EPUB 2.
    pub ncx: Option<String>,
}

/// An item of the manifest.
struct Entry<'t> {
    part: String,
    media_type: &'t str,
    fallback: Option<&'t str>,
}

impl PackageDocument {
    /// Reads the package document.
    pub fn read(package: &mut Package, name: &str, notes: &mut Vec<String>) -> Self {
        let mut document = Self::default();
        let Some(part) = package.part(name) else {
            return document;
        };
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        notes.extend(part_notes(name, part.damage.as_deref(), tree.damage()));
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let root = tree.root();
        if let Some(metadata) = root.child("metadata") {
            document.metadata = facts(metadata);
        }
        let mut entries: BTreeMap<&str, Entry> = BTreeMap::new();
        let manifest = root.child("manifest").into_iter();
        let items = manifest.flat_map(|manifest| manifest.children());
        for item in items.take(limits::PARTS) {
            let (Some(id), Some(href)) = (item.attr("id"), item.attr("href")) else {
                continue;
            };
            let entry = Entry {
                part: package.resolve(folder, href),
                media_type: item.attr("media-type").unwrap_or_default().trim(),
                fallback: item.attr("fallback"),
            };
            let properties = item.attr("properties").unwrap_or_default();
            if properties.split_whitespace().any(|it| it == "nav") && document.navigation.is_none()
            {
                document.navigation = Some(entry.part.clone());
            }
            if entry.media_type == "application/x-dtbncx+xml" {
                document.ncx.get_or_insert_with(|| entry.part.clone());
            }
            if entry.media_type.starts_with("image/") {
                document.images.push(entry.part.clone());
            }
            if entry.media_type == "text/css" {
                document.sheets.push(entry.part.clone());
            }
            entries.entry(id).or_insert(entry);
        }
        let guide = root.child("guide").into_iter();
        let mut references = guide.flat_map(|guide| guide.children());
        let listing = references.find(|it| it.attr("type") == Some("toc"));
        let listing = listing.and_then(|it| it.attr("href"));
        let listing = listing.map(|it| it.split('#').next().unwrap_or_default());
        document.listing = listing.map(|href| package.resolve(folder, href));
        if let Some(spine) = root.child("spine") {
            if let Some(ncx) = spine.attr("toc").and_then(|id| entries.get(id)) {
                document.ncx = Some(ncx.part.clone());
            }
            document.chapters = chapters(spine, &entries, package, notes);
        }
        document
    }
}

/// Lists the items of the spine. Each item may be in it once.
fn chapters(
    spine: Element,
    entries: &BTreeMap<&str, Entry>,
    package: &Package,
    notes: &mut Vec<String>,
) -> Vec<Item> {
    let mut chapters: Vec<Item> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut unknown = 0_usize;
    for reference in spine.children().filter(|it| it.name() == "itemref") {
        let entry = reference.attr("idref").and_then(|id| entries.get(id));
        let Some(mut entry) = entry else {
            unknown = unknown.saturating_add(1);
            continue;
        };
        let linear = reference.attr("linear") != Some("no");
        let item = |entry: &Entry| Item {
            part: entry.part.clone(),
            media_type: entry.media_type.to_ascii_lowercase(),
            linear,
        };
        let mut chosen = item(entry);
        for _ in 0..limits::FALLBACKS {
            let is_shown = chosen.is_page() || chosen.is_image();
            let Some(fallback) = entry.fallback.filter(|_| !is_shown) else {
                break;
            };
            let Some(next) = entries.get(fallback) else {
                break;
            };
            entry = next;
            chosen = item(entry);
        }
        if !seen.insert(chosen.part.to_lowercase()) {
            continue;
        }
        if chapters.len() >= limits::CHAPTERS {
            notes.push(format!(
                "The book has more than {} chapters. The others are left out.",
                limits::CHAPTERS
            ));
            break;
        }
        if !package.has(&chosen.part) {
            notes.push(format!(
                "The chapter {} is missing.",
                quoted_name(&chosen.part)
            ));
        }
        chapters.push(chosen);
    }
    if unknown > 0 {
        notes.push(match unknown {
            1 => "The manifest does not list one of the chapters.".to_owned(),
            count => format!("The manifest does not list {count} of the chapters."),
        });
    }
    chapters
}

/// Reads the metadata.
fn facts(metadata: Element) -> Vec<(String, String)> {
    // Early books have the elements of Dublin Core in an element of their own.
    let inner = metadata.child("dc-metadata");
    let elements = || {
        let inner = inner.into_iter().flat_map(|inner| inner.children());
        let all = metadata.children().chain(inner);
        all.take(limits::NOTES.saturating_mul(100))
    };
    let named = |name: &'static str| {
        let found = elements().filter(move |element| element.name() == name);
        found.filter_map(|element| Some((element, line(&element.text())?)))
    };
    // Properties that refine an element of EPUB 3, by its identifier.
    let mut refined: BTreeMap<(&str, &str), String> = BTreeMap::new();
    let mut modified = None;
    for meta in elements().filter(|element| element.name() == "meta") {
        let Some(property) = meta.attr("property") else {
            continue;
        };
        let value = meta.text().trim().to_owned();
        if property == "dcterms:modified" {
            modified = line(&value);
        }
        if let Some(id) = meta.attr("refines").and_then(|id| id.strip_prefix('#')) {
            refined.entry((id, property)).or_insert(value);
        }
    }
    let property = |element: &Element, name: &str| {
        let id = element.attr("id")?;
        refined.get(&(id, name)).cloned()
    };
    let titles: Vec<(Element, String)> = named("title").collect();
    let main = titles
        .iter()
        .find(|(title, _)| property(title, "title-type").as_deref() == Some("main"));
    let title = main.or_else(|| titles.first());
    let subtitle = titles
        .iter()
        .find(|(title, _)| property(title, "title-type").as_deref() == Some("subtitle"));
    let title = title.map(|(_, title)| match subtitle {
        Some((_, subtitle)) if subtitle != title => format!("{title}: {subtitle}"),
        _ => title.clone(),
    });
    let creators: Vec<(Element, String)> = named("creator").collect();
    let is_author = |creator: &&(Element, String)| {
        let own = creator.0.attr("role").map(str::to_owned);
        let role = own.or_else(|| property(&creator.0, "role"));
        role.is_none_or(|role| role == "aut")
    };
    let mut authors: Vec<&str> = creators
        .iter()
        .filter(is_author)
        .map(|(_, name)| name.as_str())
        .collect();
    if authors.is_empty() {
        authors = creators.iter().map(|(_, name)| name.as_str()).collect();
    }
    authors.dedup();
    let dates: Vec<(Element, String)> = named("date").collect();
    let of_event = |wanted: &str| {
        dates
            .iter()
            .find(|(it, _)| it.attr("event") == Some(wanted))
    };
    let created = dates
        .iter()
        .find(|(date, _)| date.attr("event").is_none())
        .or_else(|| of_event("publication"))
        .or_else(|| of_event("original-publication"))
        .or_else(|| of_event("creation"));
    let changed = || of_event("modification").map(|(_, date)| date.clone());
    let subjects: Vec<String> = named("subject").map(|(_, subject)| subject).collect();
    let first = |name| named(name).next().map(|(_, value)| value);
    let facts = [
        ("title", title),
        ("author", line(&authors.join(", "))),
        ("created", created.map(|(_, date)| date.clone())),
        ("modified", modified.or_else(changed)),
        ("subject", line(&subjects.join(", "))),
        ("language", first("language")),
        ("description", first("description")),
        ("publisher", first("publisher")),
    ];
    let present = |(name, value): (&str, Option<String>)| Some((name.to_owned(), value?));
    facts.into_iter().filter_map(present).collect()
}

/// Returns a value in one line, without markup. `None` if it is empty.
fn line(value: &str) -> Option<String> {
    let is_markup = value.contains("</") || value.contains("/>");
    let text = if is_markup {
        omniread_markup::html::fragment(value, None).text
    } else {
        value.to_owned()
    };
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.len() > limits::METADATA_BYTES {
        let mut end = limits::METADATA_BYTES;
        while !text.is_char_boundary(end) {
            end = end.saturating_sub(1);
        }
        text.truncate(end);
        text.push('…');
    }
    (!text.is_empty()).then_some(text)
}
