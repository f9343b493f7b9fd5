//! E-books: EPUB 2 and 3.
//!
//! ```text
//! container   the file that names the package document
//! package     the package document: metadata, manifest and spine
//! contents    the table of contents: names of chapters
//! encryption  the list of encrypted parts
//! chapter     a chapter → Markdown
//! listing     tables of contents among the chapters
//! headings    headings that only the table of contents knows
//! sizes       headings that only style sheets know
//! images      the numbers of images
//! item        items of the manifest
//! address     addresses in the parts of a book
//! charset     the charsets of chapters
//! ```
//!
//! Each item of the spine is a unit. Sources of the format: EPUB 3.3
//! (<https://www.w3.org/TR/epub-33/>), OPF 2.0.1 and OPS 2.0.1.

mod address;
mod chapter;
mod charset;
mod container;
mod contents;
mod encryption;
mod headings;
mod images;
mod item;
mod listing;
mod package;
mod sizes;
#[cfg(test)]
mod tests;

use crate::note::quoted_name;
use crate::package::Package;
use crate::report;
use crate::{Document, Error, Facts, Unit, UnitFacts, UnitKind, limits};
use images::Images;
use item::Item;
use package::PackageDocument;
use sizes::Sizes;
use std::collections::{BTreeMap, BTreeSet};

/// An open book.
struct Book {
    package: Package,
    /// The items of the spine.
    chapters: Vec<Item>,
    /// The parts that the manifest lists as images.
    manifest_images: Vec<String>,
    /// The entries of the table of contents by part in lowercase: their levels and names.
    contents: BTreeMap<String, Vec<(usize, String)>>,
    /// The parts that the package names as tables of contents, in lowercase.
    listings: BTreeSet<String>,
    /// The parts that cannot be read without a key, in lowercase.
    encrypted: BTreeSet<String>,
    /// The parts with style sheets.
    sheets: Vec<String>,
    /// The sizes of text. `None` until they are needed.
    sizes: Option<Sizes>,
    /// The numbers of the images. `None` until they are needed.
    images: Option<Images>,
    /// The number of bytes of chapters that may still be converted.
    rest: usize,
    facts: Facts,
    notes: Vec<String>,
}

/// Opens a book.
///
/// # Errors
/// Fails if the bytes are not a zip package, if they contain no chapter, or if every chapter is
/// encrypted.
pub fn open(bytes: Vec<u8>) -> Result<Box<dyn Document>, Error> {
    let mut package = Package::open(bytes)?;
    let mut notes = package.notes().to_vec();
    let root = container::package_document(&mut package, &mut notes);
    let mut document = match &root {
        Some(root) => PackageDocument::read(&mut package, root, &mut notes),
        None => {
            notes.push(
                "The package document is missing. The chapters are in the order of their names."
                    .to_owned(),
            );
            PackageDocument::default()
        }
    };
    let is_present = |item: &Item| package.has(&item.part);
    if !document.chapters.iter().any(is_present) {
        if root.is_some() {
            notes.push(
                "The package document lists no chapter that exists. The chapters are in the order \
                 of their names."
                    .to_owned(),
            );
        }
        document.chapters = container::pages(&package);
    }
    if document.chapters.is_empty() {
        return Err(Error::Damaged("the book has no chapters".to_owned()));
    }
    let encrypted = encryption::encrypted(&mut package);
    let is_encrypted = |item: &Item| encrypted.contains(&item.part.to_lowercase());
    if document.chapters.iter().all(is_encrypted) {
        return Err(Error::Encrypted);
    }
    let contents = contents::read(&mut package, &document, &encrypted);
    let listings = [&document.navigation, &document.listing]
        .into_iter()
        .flatten();
    let listings = listings.map(|part| part.to_lowercase()).collect();
    let list = document.chapters.iter().zip(contents.names);
    let list = list.map(|(item, name)| UnitFacts {
        name,
        hidden: !item.linear,
    });
    let facts = Facts {
        format: "EPUB book".to_owned(),
        metadata: document.metadata,
        units: Some(UnitKind::Chapter),
        list: list.collect(),
    };
    report::limit(&mut notes);
    Ok(Box::new(Book {
        package,
        chapters: document.chapters,
        manifest_images: document.images,
        contents: contents.entries,
        listings,
        encrypted,
        sheets: document.sheets,
        sizes: None,
        images: None,
        rest: limits::UNITS_BYTES,
        facts,
        notes,
    }))
}

impl Book {
    fn is_encrypted(&self, part: &str) -> bool {
        self.encrypted.contains(&part.to_lowercase())
    }

    /// Returns the sizes of text.
    fn sizes(&mut self) -> &mut Sizes {
        if self.sizes.is_none() {
            let mut sizes = Sizes::default();
            for sheet in &self.sheets {
                if let Some(part) = self.package.part(sheet) {
                    sizes.add(&charset::decode(&part.bytes));
                }
            }
            let mut rest = limits::MEASURED_BYTES;
            let mut texts = Vec::new();
            if sizes.has_sizes() {
                for item in self.chapters.iter().filter(|item| item.is_page()) {
                    let Some(part) = self.package.part(&item.part) else {
                        continue;
                    };
                    let text = charset::decode(&part.bytes).into_owned();
                    texts.push((item.part.clone(), text));
                    rest = rest.saturating_sub(part.bytes.len());
                    if rest == 0 {
                        break;
                    }
                }
            }
            sizes.measure(texts.into_iter());
            self.sizes = Some(sizes);
        }
        self.sizes.get_or_insert_default()
    }

    /// Returns the numbers of the images.
    fn images(&mut self) -> &Images {
        if self.images.is_none() {
            let found = images::find(
                &mut self.package,
                &self.chapters,
                &self.manifest_images,
                &self.encrypted,
            );
            self.images = Some(found);
        }
        self.images.get_or_insert_default()
    }
}

impl Document for Book {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: usize) -> Unit {
        let Some(item) = self.chapters.get(index).cloned() else {
            return Unit::default();
        };
        let note = |note: String| Unit {
            text: String::new(),
            notes: vec![note],
            edges: [0, 0],
        };
        if self.is_encrypted(&item.part) {
            return note("The chapter is encrypted and is not shown.".to_owned());
        }
        if item.is_image() {
            let number = self.images().number(&item.part);
            let text = number.map(|number| format!("![](image:{number})"));
            return Unit {
                text: text.unwrap_or_default(),
                notes: Vec::new(),
                edges: [0, 0],
            };
        }
        if !item.is_page() {
            return note(format!(
                "The chapter has the format {}, which is not supported.",
                quoted_name(&item.media_type)
            ));
        }
        if self.rest == 0 {
            return note(format!(
                "The chapters before this one have more than {} MB. It is shown if it is read alone.",
                limits::UNITS_BYTES >> 20
            ));
        }
        let Some(part) = self.package.part(&item.part) else {
            return note(format!("The part {} is missing.", quoted_name(&item.part)));
        };
        self.rest = self.rest.saturating_sub(part.bytes.len());
        let text = charset::decode(&part.bytes);
        let images = if images::has_images(&text) {
            self.images().clone()
        } else {
            Images::default()
        };
        let mut unit = chapter::convert(&text, &item.part, &images);
        let mut names = self
            .contents
            .values()
            .flatten()
            .map(|(_, name)| name.as_str());
        if self.chapters.len() > 1
            && self.listings.contains(&item.part.to_lowercase())
            && listing::is_listing(&unit.text, &mut names)
        {
            return note(format!(
                "The table of contents is left out. It repeats the names of the chapters, and the member \
                 {} has its text.",
                quoted_name(&item.part)
            ));
        }
        if !headings::has_headings(&unit.text) {
            let sizes = self.sizes();
            let mut entries = if sizes.has_sizes() {
                sizes.headings(&item.part, &text)
            } else {
                Vec::new()
            };
            let named = self.contents.get(&item.part.to_lowercase());
            let known: BTreeSet<String> = entries
                .iter()
                .map(|(_, text)| headings::letters(text))
                .collect();
            let named = named.into_iter().flatten();
            let named = named.filter(|(_, name)| !known.contains(&headings::letters(name)));
            entries.extend(named.cloned());
            headings::add(&mut unit.text, &entries);
        }
        if let Some(damage) = part.damage {
            unit.notes
                .insert(0, report::damaged_part(&item.part, &damage));
        }
        unit
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        let part = self.images().part(number)?.to_owned();
        let part = self.package.part(&part)?;
        (!part.bytes.is_empty()).then_some(part.bytes)
    }
}
