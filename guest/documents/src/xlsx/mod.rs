//! SpreadsheetML: xlsx, xlsm, xltx.
//!
//! ```text
//! mod.rs      the workbook: sheets, what they share, images
//! book        the list of sheets
//! text        the text of strings
//! strings     the texts that cells share
//! styles      the number formats of cells
//! sheet       a sheet: where its rows are
//! large       a sheet that is too large for memory
//! cells       rows → typed cells
//! formula     formulas that several cells share
//! hyperlinks  links of cells by their formulas
//! objects     merged cells, tables, links and comments
//! drawings    images, charts and text boxes
//! ```

mod book;
mod cells;
pub mod drawings;
mod formula;
mod hyperlinks;
mod large;
pub mod objects;
mod plain;
mod sheet;
mod strings;
mod styles;
#[cfg(test)]
mod tests;
mod text;

use crate::limits;
use crate::note::quoted_name;
use crate::package::{Package, Pieces, Relationships, last_end};
use crate::report::incomplete;
use crate::workbook::notes::too_many;
use crate::workbook::number_format::Epoch;
use crate::workbook::{Objects, Row, Rows, SheetFacts, SheetName, Window, Workbook, document};
use crate::xml::into_text;
use crate::{Document, Error};
use drawings::Images;
use formula::SharedFormulas;
use large::Large;
use objects::Persons;
use sheet::Sheet;
use std::cell::OnceCell;
use std::rc::Rc;
use strings::Strings;
use styles::Formats;

/// An open workbook.
struct Xlsx {
    package: Package,
    related: Relationships,
    sheets: Vec<SheetName>,
    /// The part of each sheet. `None` if it is missing.
    parts: Vec<Option<String>>,
    epoch: Epoch,
    /// The texts that cells share, after they are needed.
    strings: Option<Strings>,
    formats: Option<Formats>,
    images: Option<Images>,
    persons: Option<Persons>,
    /// The facts about each sheet that was read.
    facts: Vec<Option<Rc<SheetFacts>>>,
    /// The sheet that was read last.
    current: Option<Current>,
}

struct Current {
    index: usize,
    rows: Content,
    damage: Option<String>,
    /// The shared formulas, after they are needed.
    formulas: OnceCell<SharedFormulas>,
}

/// Where the rows of a sheet are.
enum Content {
    /// In memory.
    Whole(Sheet),
    /// In the package, because they are too large for memory.
    Large(Box<Large>),
}

/// Opens a document.
///
/// # Errors
/// Fails if the package is encrypted or damaged, or is not a workbook.
pub fn open(bytes: Vec<u8>) -> Result<Box<dyn Document>, Error> {
    let mut package = Package::open(bytes)?;
    let main = book::main_part(&mut package)?;
    let related = package.relationships(&main);
    let book = book::read(&mut package, &main, &related);
    if book.sheets.is_empty() && !package.has(&main) {
        return Err(Error::Damaged("the list of sheets is missing".to_owned()));
    }
    let mut notes = package.notes().to_vec();
    notes.extend(book.notes);
    if book.sheets.is_empty() {
        notes.push("The workbook has no sheets.".to_owned());
    }
    let kind = package.content_type(&main).unwrap_or_default();
    let format = if kind.contains(".template") {
        "Excel template"
    } else {
        "Excel workbook"
    };
    let metadata = crate::package::metadata::read(&mut package);
    let facts = vec![None; book.sheets.len()];
    let workbook = Xlsx {
        package,
        related,
        sheets: book.sheets,
        parts: book.parts,
        epoch: book.epoch,
        strings: None,
        formats: None,
        images: None,
        persons: None,
        facts,
        current: None,
    };
    document::document(format, metadata, Box::new(workbook), notes)
}

impl Xlsx {
    /// Reads a sheet, unless it is the last one that was read. Returns whether there is one.
    fn load(&mut self, index: usize) -> bool {
        if self.current.as_ref().is_some_and(|it| it.index == index) {
            return true;
        }
        // The memory of the last sheet is free before the next one is read.
        self.current = None;
        let Some(name) = self.parts.get(index).and_then(Option::as_ref) else {
            return false;
        };
        let Some(part) = self.package.part(name) else {
            return false;
        };
        let large = if part.bytes.len() >= limits::PART_BYTES {
            Large::read(&self.package, name)
        } else {
            None
        };
        self.current = Some(match large {
            Some((sheet, formulas)) => Current {
                index,
                rows: Content::Large(Box::new(sheet)),
                damage: None,
                formulas: OnceCell::from(formulas),
            },
            None => Current {
                index,
                rows: Content::Whole(Sheet::new(into_text(part.bytes))),
                damage: part.damage,
                formulas: OnceCell::new(),
            },
        });
        true
    }

    /// Reads the texts that cells share.
    fn read_strings(&mut self) -> Strings {
        let target = self.related.first("sharedStrings");
        let name = target.map_or("xl/sharedStrings.xml", |it| it.target.as_str());
        let Some(part) = self.package.part(name) else {
            return Strings::default();
        };
        if part.bytes.len() >= limits::PART_BYTES
            && let Some(mut pieces) =
                Pieces::of_xml(&self.package, name, |text| last_end(text, b"si>"))
        {
            drop(part);
            return Strings::read(&mut pieces, &self.package);
        }
        Strings::parse(&into_text(part.bytes))
    }

    /// Reads the part of a kind that the workbook refers to.
    fn shared_part(&mut self, kind: &str, name: &str) -> Option<String> {
        let target = self.related.first(kind).map(|it| it.target.clone());
        let target = target.unwrap_or_else(|| name.to_owned());
        let part = self.package.part(&target)?;
        Some(into_text(part.bytes))
    }

    fn relationships(&mut self, index: usize) -> Relationships {
        match self.parts.get(index).and_then(Option::as_ref) {
            Some(name) => self.package.relationships(name),
            None => Relationships::default(),
        }
    }

    fn images(&mut self) -> Images {
        if let Some(images) = self.images.take() {
            return images;
        }
        let mut images = Images::default();
        for index in 0..self.parts.len() {
            let related = self.relationships(index);
            images.add(&mut self.package, &related);
        }
        images
    }

    fn read_facts(&mut self, index: usize) -> SheetFacts {
        let mut facts = SheetFacts::default();
        if !self.load(index) {
            let name = self.sheets.get(index).map(|it| it.name.clone());
            let name = name.unwrap_or_default();
            facts.notes.push(format!(
                "The sheet {} is missing in the file.",
                quoted_name(&name)
            ));
            return facts;
        }
        let related = self.relationships(index);
        facts.tables = objects::tables(&mut self.package, &related);
        facts.charts = drawings::chart_titles(&mut self.package, &related);
        let Some(current) = &self.current else {
            return facts;
        };
        let (head, tail, outside) = match &current.rows {
            Content::Whole(sheet) => {
                facts.used = sheet.used;
                facts.rows = sheet.row_count();
                (sheet.head(), sheet.tail(), sheet.outside)
            }
            Content::Large(sheet) => {
                facts.used = sheet.used;
                facts.rows = sheet.rows;
                (sheet.head.as_str(), sheet.tail.as_str(), sheet.outside)
            }
        };
        facts.merged = objects::merged(tail, &mut facts.notes);
        facts.links = objects::links(tail, &related, &mut facts.notes);
        facts.notes.extend(related.notes());
        let too_many_links = match &current.rows {
            Content::Whole(sheet) => hyperlinks::add(sheet.data(), 0, &mut facts.links),
            Content::Large(sheet) => {
                facts.links.extend(sheet.links.0.iter().cloned());
                facts.notes.extend(sheet.missing.clone());
                sheet.links.1
            }
        };
        if too_many_links {
            facts.notes.push(too_many("links"));
        }
        facts.hidden_columns = objects::hidden_columns(head);
        if let Some(damage) = &current.damage {
            facts.notes.push(incomplete("The sheet", damage));
        }
        if outside {
            let note = "Cells after the last row or column of a sheet are left out.";
            facts.notes.push(note.to_owned());
        }
        if matches!(&current.rows, Content::Whole(sheet) if sheet.cut) {
            let note = "The sheet has too many rows. The last ones are left out.";
            facts.notes.push(note.to_owned());
        }
        facts
    }
}

impl Workbook for Xlsx {
    fn sheets(&self) -> &[SheetName] {
        &self.sheets
    }

    fn sheet(&mut self, sheet: usize) -> Rc<SheetFacts> {
        if let Some(Some(facts)) = self.facts.get(sheet) {
            return Rc::clone(facts);
        }
        let facts = Rc::new(self.read_facts(sheet));
        if let Some(place) = self.facts.get_mut(sheet) {
            *place = Some(Rc::clone(&facts));
        }
        facts
    }

    fn rows(&mut self, sheet: usize, window: &Window) -> Rows {
        let mut rows = Vec::new();
        let found = self.pass_rows(sheet, window, &mut |row| rows.push(row));
        Rows { rows, ..found }
    }

    fn pass_rows(&mut self, sheet: usize, window: &Window, pass: &mut dyn FnMut(Row)) -> Rows {
        if !self.load(sheet) {
            return Rows::default();
        }
        if self.strings.is_none() {
            self.strings = Some(self.read_strings());
        }
        if self.formats.is_none() {
            let text = self.shared_part("styles", "xl/styles.xml");
            self.formats = Some(Formats::parse(&text.unwrap_or_default()));
        }
        let (Some(current), Some(strings), Some(formats)) =
            (&mut self.current, &self.strings, &self.formats)
        else {
            return Rows::default();
        };
        let shared = cells::Shared {
            strings,
            formats,
            epoch: self.epoch,
            formulas: &current.formulas,
        };
        match &mut current.rows {
            Content::Whole(sheet) => cells::rows(sheet, &shared, window, pass),
            Content::Large(sheet) => sheet.rows(&self.package, &shared, window, pass),
        }
    }

    fn objects(&mut self, sheet: usize) -> Objects {
        let mut found = Objects::default();
        let related = self.relationships(sheet);
        let images = self.images();
        let notes = &mut found.notes;
        found.drawings = drawings::read(&mut self.package, &related, &images, notes);
        self.images = Some(images);
        let persons = match self.persons.take() {
            Some(persons) => persons,
            None => objects::persons(&mut self.package, &self.related),
        };
        found.comments = objects::comments(&mut self.package, &related, &persons, notes);
        self.persons = Some(persons);
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
