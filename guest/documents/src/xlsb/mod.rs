//! Binary workbooks of Excel since 2007 ([MS-XLSB]): the parts of SpreadsheetML as streams of
//! records.
//!
//! ```text
//! records  a stream → records
//! content  the records of a sheet, in memory or in pieces
//! book     workbook.bin: sheets, names, links
//! styles   styles.bin: number formats
//! strings  sharedStrings.bin
//! sheet    a sheet → facts and rows
//! tables   tables of a sheet
//! objects  comments, links and hidden columns
//! ```

mod book;
mod content;
mod objects;
mod records;
mod sheet;
mod strings;
mod styles;
mod tables;
#[cfg(test)]
mod tests;

use crate::package::{Package, Relationships};
use crate::workbook::binary::styles::Styles;
use crate::workbook::formula::Links;
use crate::workbook::{CellLink, Objects, Rows, SheetFacts, SheetName, Window, Workbook, document};
use crate::xlsx::{drawings, objects as xml_objects};
use crate::{Document, Error, limits};
use drawings::Images;
use sheet::{Shared, Sheet};
use std::rc::Rc;
use strings::Strings;

/// Opens a document.
///
/// # Errors
/// Fails if nothing of the document can be read.
pub fn open(bytes: Vec<u8>) -> Result<Box<dyn Document>, Error> {
    let mut package = Package::open(bytes)?;
    let metadata = crate::package::metadata::read(&mut package);
    let book = book::read(&mut package)?;
    let mut notes = package.notes().to_vec();
    notes.extend(book.notes);
    let workbook = Book {
        package,
        sheets: book.sheets,
        parts: book.parts,
        styles: book.styles,
        links: book.links,
        strings_part: book.strings,
        strings: None,
        images: None,
        related: book.related,
        tables: false,
        loaded: Vec::new(),
    };
    document::document("Excel workbook", metadata, Box::new(workbook), notes)
}

struct Book {
    package: Package,
    sheets: Vec<SheetName>,
    /// The name of the part of each sheet.
    parts: Vec<String>,
    styles: Styles,
    links: Links,
    strings_part: Option<String>,
    strings: Option<Rc<Strings>>,
    images: Option<Images>,
    /// The relationships of the workbook.
    related: Relationships,
    /// Whether the links have the tables of all sheets.
    tables: bool,
    /// The sheets in memory and their indexes.
    loaded: Vec<(usize, Rc<Sheet>)>,
}

impl Book {
    fn strings(&mut self) -> Rc<Strings> {
        if let Some(strings) = &self.strings {
            return Rc::clone(strings);
        }
        let part = self.strings_part.as_ref();
        let most = limits::SHARED_STRING_BYTES;
        let part = part.and_then(|name| self.package.part_within(name, most));
        let strings = Rc::new(Strings::read(part.unwrap_or_default()));
        self.strings = Some(Rc::clone(&strings));
        strings
    }

    fn load(&mut self, index: usize) -> Option<Rc<Sheet>> {
        let known = self.loaded.iter().find(|(at, _)| *at == index);
        if let Some((_, sheet)) = known {
            return Some(Rc::clone(sheet));
        }
        let name = self.parts.get(index)?.clone();
        let strings = self.strings();
        let sheet = Rc::new(Sheet::read(&mut self.package, &name, &strings));
        let kept: usize = self.loaded.iter().map(|(_, sheet)| sheet.size()).sum();
        if kept.saturating_add(sheet.size()) > limits::SHEET_CACHE {
            self.loaded.clear();
        }
        self.loaded.push((index, Rc::clone(&sheet)));
        Some(sheet)
    }

    fn images(&mut self) -> Images {
        if let Some(images) = self.images.take() {
            return images;
        }
        let mut images = Images::default();
        for part in &self.parts {
            let related = self.package.relationships(part);
            images.add(&mut self.package, &related);
        }
        images
    }

    /// Reads the tables of all sheets, to which formulas refer.
    fn read_tables(&mut self) {
        if std::mem::replace(&mut self.tables, true) {
            return;
        }
        for part in self.parts.clone() {
            for table in tables::read(&mut self.package, &part) {
                self.links.tables.insert(table.id, table.columns());
            }
        }
    }
}

impl Workbook for Book {
    fn sheets(&self) -> &[SheetName] {
        &self.sheets
    }

    fn sheet(&mut self, index: usize) -> Rc<SheetFacts> {
        let (Some(sheet), Some(part)) = (self.load(index), self.parts.get(index).cloned()) else {
            return Rc::default();
        };
        let mut facts = sheet.facts();
        let tables = tables::read(&mut self.package, &part);
        facts.tables = tables.into_iter().map(|table| table.named).collect();
        let related = self.package.relationships(&part);
        facts.charts = drawings::chart_titles(&mut self.package, &related);
        for link in &sheet.links {
            if let Some(url) = related.link_to(&link.id, &link.place) {
                let range = link.range;
                facts.links.push(CellLink { range, url });
            }
        }
        facts.notes.extend(related.notes());
        if let Some(damage) = self.strings().damage() {
            facts.notes.push(damage.to_owned());
        }
        Rc::new(facts)
    }

    fn rows(&mut self, index: usize, window: &Window) -> Rows {
        let Some(sheet) = self.load(index) else {
            return Rows::default();
        };
        if window.formulas {
            self.read_tables();
        }
        let strings = self.strings();
        let shared = Shared {
            package: &self.package,
            strings: &strings,
            styles: &self.styles,
            links: &self.links,
        };
        sheet.rows(window, &shared)
    }

    fn objects(&mut self, index: usize) -> Objects {
        let mut found = Objects::default();
        let Some(part) = self.parts.get(index) else {
            return found;
        };
        let related = self.package.relationships(part);
        let images = self.images();
        found.drawings = drawings::read(&mut self.package, &related, &images, &mut found.notes);
        self.images = Some(images);
        let persons = xml_objects::persons(&mut self.package, &self.related);
        found.comments =
            xml_objects::comments(&mut self.package, &related, &persons, &mut found.notes);
        objects::comments(&mut self.package, &related, &mut found.comments);
        found
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        let images = self.images();
        let name = number.checked_sub(1).and_then(|it| images.parts.get(it));
        let part = name.and_then(|it| self.package.part(it));
        self.images = Some(images);
        part.map(|it| it.bytes).filter(|bytes| !bytes.is_empty())
    }
}
