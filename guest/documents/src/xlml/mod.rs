//! Workbooks in the XML of Excel 2002 and 2003 (SpreadsheetML, "XML Spreadsheet Reference"). Reports of
//! other programs have this format too, mostly with the name `.xls`.
//!
//! All sheets are in one file, which stays in memory as text. One pass finds the sheets and the places
//! of their rows, which are read from the text when they are requested.
//!
//! ```text
//! mod.rs     the workbook and its rows
//! scan       the sheets, their facts and comments
//! cell       a cell: its attributes and its texts
//! formats    styles → number formats
//! reference  references such as `R[-1]C` → `B3`
//! ```

mod cell;
mod formats;
mod reference;
mod scan;
#[cfg(test)]
mod tests;

use crate::workbook::notes::unstored_note;
use crate::workbook::{
    Cell, LAST_COLUMN, Objects, Row, Rows, SheetFacts, SheetName, Value, Window, Workbook, document,
};
use crate::xml::{self, Event, Events, decode_declared};
use crate::{Document, Error, limits};
use cell::{Found, is_hidden};
use formats::Formats;
use scan::{Place, Sheet};
use std::rc::Rc;

/// The namespace of the outermost element, which is also that of its attributes.
pub const NAMESPACE: &str = "urn:schemas-microsoft-com:office:spreadsheet";

/// An open workbook.
struct Book {
    text: String,
    names: Vec<SheetName>,
    sheets: Vec<Sheet>,
    formats: Formats,
}

/// Opens a workbook.
///
/// # Errors
/// Fails if the XML has another format, or if there is no sheet.
pub fn open(bytes: &[u8]) -> Result<Box<dyn Document>, Error> {
    let (text, is_cut) = decode_declared(bytes);
    let text = text.into_owned();
    if !text.contains(NAMESPACE) {
        let what = "the file is XML and is not a workbook".to_owned();
        return Err(Error::Damaged(what));
    }
    let found = scan::read(&text);
    if found.sheets.is_empty() {
        return Err(Error::Damaged("the workbook has no sheets".to_owned()));
    }
    let mut notes = Vec::new();
    match found.damage {
        // The text ends in the middle.
        _ if is_cut => notes.push(xml::CUT.to_owned()),
        Some(damage) => notes.push(format!("The XML of the workbook is damaged: {damage}.")),
        None if found.has_more => notes.push(format!(
            "The sheets after the first {} are left out.",
            limits::SHEETS
        )),
        None => {}
    }
    let names = found.sheets.iter().map(|sheet| sheet.name.clone());
    let book = Book {
        names: names.collect(),
        sheets: found.sheets,
        formats: found.formats,
        text,
    };
    document::document(
        "Excel 2003 XML workbook",
        found.metadata,
        Box::new(book),
        notes,
    )
}

impl Workbook for Book {
    fn sheets(&self) -> &[SheetName] {
        &self.names
    }

    fn sheet(&mut self, sheet: usize) -> Rc<SheetFacts> {
        let found = self.sheets.get(sheet);
        found
            .map(|sheet| Rc::clone(&sheet.facts))
            .unwrap_or_default()
    }

    fn rows(&mut self, sheet: usize, window: &Window) -> Rows {
        let Some(sheet) = self.sheets.get(sheet) else {
            return Rows::default();
        };
        let mut reader = Reader {
            text: &self.text,
            formats: &self.formats,
            sheet,
            window,
            bytes: 0,
            cut: 0,
            unstored: 0,
        };
        reader.rows(sheet.rows_from(window.range.first_row))
    }

    fn objects(&mut self, sheet: usize) -> Objects {
        let found = self.sheets.get(sheet);
        Objects {
            comments: found.map(|it| it.comments.clone()).unwrap_or_default(),
            ..Objects::default()
        }
    }
}

/// The state of a call for rows.
struct Reader<'r> {
    text: &'r str,
    formats: &'r Formats,
    sheet: &'r Sheet,
    window: &'r Window,
    /// The bytes of texts so far.
    bytes: usize,
    /// The number of texts that are cut.
    cut: usize,
    /// The number of formulas without a stored value.
    unstored: usize,
}

impl Reader<'_> {
    fn rows(&mut self, places: &[Place]) -> Rows {
        let mut found = Rows::default();
        let mut cells = 0_usize;
        for same in places.chunk_by(|one, other| one.row == other.row) {
            let number = same.first().map_or(0, |place| place.row);
            if number > self.window.range.last_row {
                break;
            }
            let is_full = cells >= self.window.cells || self.bytes >= limits::ROWS_BYTES / 2;
            if is_full && !found.rows.is_empty() {
                found.more = true;
                break;
            }
            let mut row = Row {
                number,
                ..Row::default()
            };
            for place in same {
                self.row(*place, &mut row);
            }
            row.sort_cells();
            if !row.cells.is_empty() {
                cells = cells.saturating_add(row.cells.len());
                found.rows.push(row);
            }
        }
        found.notes.extend(match self.cut {
            0 => None,
            1 => Some("The text of a cell is too long and cut.".to_owned()),
            count => Some(format!("The texts of {count} cells are too long and cut.")),
        });
        found.notes.extend(unstored_note(self.unstored));
        found
    }

    /// Reads a row from its start tag on.
    fn row(&mut self, place: Place, row: &mut Row) {
        let mut events = Events::new(self.text.get(place.at..).unwrap_or_default());
        let Some(Event::Start(start)) = events.next() else {
            return;
        };
        row.hidden |= is_hidden(&start);
        let style = cell::style(&start);
        let mut before = 0;
        while let Some(event) = events.next() {
            match event {
                Event::Start(start) if start.name == "Cell" => {
                    let found = Found::read(&mut events, &start, before, true);
                    before = found.last_column();
                    let range = &self.window.range;
                    let last = range.last_column.min(LAST_COLUMN);
                    if (range.first_column..=last).contains(&found.column) {
                        row.cells
                            .extend(self.cell(&found, row.number, style.as_deref()));
                    }
                }
                Event::End("Row") => return,
                _ => {}
            }
        }
    }

    /// The cell, or `None` if it has no value. `style` is that of its row.
    fn cell(&mut self, found: &Found, row: u32, style: Option<&str>) -> Option<Cell> {
        self.bytes = self.bytes.saturating_add(found.text.len());
        self.cut = self.cut.saturating_add(usize::from(found.is_cut));
        let column = found.column;
        let formula = found.formula.as_deref();
        let formula = formula.map(|formula| reference::excel(formula, row, column));
        let style = found.style.as_deref().or(style);
        let style = style.or_else(|| self.sheet.style(column));
        let (value, shown) = match (found.value(self.formats.get(style)), &formula) {
            (Some(value), _) => value,
            (None, None) => return None,
            (None, Some(formula)) => {
                self.unstored = self.unstored.saturating_add(1);
                let value = if self.window.formulas {
                    String::new()
                } else {
                    format!("={formula}")
                };
                (Value::Text(value.into()), None)
            }
        };
        Some(Cell {
            column,
            value,
            shown,
            formula: formula.filter(|_| self.window.formulas),
        })
    }
}
