//! Workbooks of Excel before 2007 ([MS-XLS]): a stream of records, mostly in a compound file.
//!
//! ```text
//! records  a stream → records
//! book     what is before the sheets
//! strings  shared strings
//! sheet    a sheet → facts and rows
//! cell     records with cells → values
//! charts   titles of charts
//! ```

mod book;
mod cell;
mod charts;
mod records;
mod sheet;
mod strings;
#[cfg(test)]
mod tests;

use crate::ole::{Compound, MAGIC, properties};
use crate::workbook::{Rows, SheetFacts, SheetName, Window, Workbook, document};
use crate::{Document, Error};
use book::Globals;
use records::Records;
use sheet::Sheet;

/// The type of the record that says that the stream is encrypted.
const ENCRYPTED: u16 = 0x2f;

/// Opens a document.
///
/// # Errors
/// Fails if nothing of the document can be read.
pub fn open(bytes: Vec<u8>, _password: Option<&str>) -> Result<Box<dyn Document>, Error> {
    let mut notes = Vec::new();
    let mut metadata = Vec::new();
    let stream = if bytes.starts_with(MAGIC) {
        let mut file = Compound::open(bytes)?;
        notes.extend_from_slice(file.notes());
        metadata = properties::read(&mut file);
        stream(&mut file, &mut notes)?
    } else {
        bytes
    };
    let first = Records::new(&stream, 0).next();
    if first.as_ref().and_then(book::begin).is_none() {
        return Err(Error::Damaged("the workbook has no records".to_owned()));
    }
    let globals = Records::new(&stream, 0).take_while(|record| record.kind != book::END);
    if globals.take(100).any(|record| record.kind == ENCRYPTED) {
        return Err(Error::Encrypted);
    }
    let globals = book::read(&stream)
        .filter(|globals| !globals.sheets.is_empty())
        .ok_or_else(|| Error::Damaged("the workbook has no sheets".to_owned()))?;
    notes.extend_from_slice(&globals.notes);
    let workbook = Book {
        loaded: globals.sheets.iter().map(|_| None).collect(),
        stream,
        globals,
    };
    document::document(
        "Excel 97-2003 workbook",
        metadata,
        Box::new(workbook),
        notes,
    )
}

/// Reads the stream with the workbook.
fn stream(file: &mut Compound, notes: &mut Vec<String>) -> Result<Vec<u8>, Error> {
    let known = ["Workbook", "Book"];
    let known = known.iter().find(|name| file.has(name));
    let name = known.map(|name| (*name).to_owned()).or_else(|| {
        let mut entries = file.entries().iter();
        let found = entries.find(|entry| {
            let name = entry.name();
            name.eq_ignore_ascii_case("workbook") || name.eq_ignore_ascii_case("book")
        });
        found.map(|entry| entry.path.clone())
    });
    let part = name.and_then(|name| file.stream(&name));
    let part = part.ok_or_else(|| Error::Damaged("the workbook is missing".to_owned()))?;
    if let Some(damage) = part.damage {
        notes.push(format!("The workbook is damaged: {damage}."));
    }
    Ok(part.bytes)
}

struct Book {
    stream: Vec<u8>,
    globals: Globals,
    loaded: Vec<Option<Sheet>>,
}

impl Book {
    fn load(&mut self, index: usize) -> Option<&Sheet> {
        let slot = self.loaded.get_mut(index)?;
        if slot.is_none() {
            let at = self.globals.positions.get(index).copied();
            let at = at.unwrap_or(usize::MAX);
            *slot = Some(Sheet::read(&self.stream, at, &self.globals));
        }
        slot.as_ref()
    }
}

impl Workbook for Book {
    fn sheets(&self) -> &[SheetName] {
        &self.globals.sheets
    }

    fn sheet(&mut self, index: usize) -> SheetFacts {
        self.load(index).map(Sheet::facts).unwrap_or_default()
    }

    fn rows(&mut self, index: usize, window: &Window) -> Rows {
        self.load(index);
        let sheet = self.loaded.get(index).and_then(Option::as_ref);
        sheet.map_or_else(Rows::default, |sheet| {
            sheet.rows(&self.stream, &self.globals, window)
        })
    }
}
