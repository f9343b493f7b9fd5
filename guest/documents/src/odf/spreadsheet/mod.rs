//! Spreadsheets: ods, ots, fods.
//!
//! All sheets are in one part, which stays in memory as text, or is read in pieces if it is too large.
//! One pass finds the sheets and their facts. Rows are read from the text when they are requested, so
//! repeated rows and columns are never expanded beyond the request.
//!
//! ```text
//! mod.rs   the workbook
//! content  the text of the part
//! scan     the sheets and their facts
//! skip     elements whose text belongs to no cell
//! rows     the cells of rows
//! cell     the value of a cell
//! plain    rows of plain cells
//! objects  comments and drawings
//! charts   the titles of charts
//! formula  formulas in the form of Excel
//! address  ranges of cells
//! ```

mod address;
mod cell;
mod charts;
mod content;
mod formula;
mod objects;
mod plain;
mod rows;
mod scan;
mod skip;
#[cfg(test)]
mod tests;

use super::source::Source;
use crate::package::Images;
use crate::report::{damaged_part, damaged_xml};
use crate::workbook::{Objects, Rows, SheetFacts, SheetName, Window, Workbook, document};
use crate::{Document, Error};
use content::Content;
use rows::Cursor;
use scan::Sheet;
use std::rc::Rc;

/// An open spreadsheet.
struct Spreadsheet {
    source: Source,
    /// The part with the sheets.
    content: Content,
    names: Vec<SheetName>,
    sheets: Vec<Sheet>,
    /// The sheet of the last call for rows, and where it ended.
    cursor: Option<(usize, Cursor)>,
    /// The objects of the sheets and the images in them, after the first request.
    objects: Option<(Vec<Objects>, Images)>,
}

/// Opens a spreadsheet.
///
/// # Errors
/// Fails if there is no sheet.
pub fn open(
    mut source: Source,
    format: &str,
    metadata: Vec<(String, String)>,
    mut notes: Vec<String>,
) -> Result<Box<dyn Document>, Error> {
    let (mut content, damage) = Content::open(&mut source);
    let found = scan::sheets(&mut content, &source);
    if let Some(damage) = damage.or(found.missing) {
        notes.push(damaged_part("content.xml", &damage));
    }
    if let Some(damage) = found.damage {
        notes.push(damaged_xml("content.xml", &damage));
    }
    if found.sheets.is_empty() {
        return Err(Error::Damaged("the spreadsheet has no sheet".to_owned()));
    }
    let names = found
        .sheets
        .iter()
        .map(|sheet| sheet.name.clone())
        .collect();
    let workbook = Spreadsheet {
        source,
        content,
        names,
        sheets: found.sheets,
        cursor: None,
        objects: None,
    };
    document::document(format, metadata, Box::new(workbook), notes)
}

impl Spreadsheet {
    /// Returns the objects of all sheets, and the images in them.
    fn all_objects(&mut self) -> &(Vec<Objects>, Images) {
        let Self {
            source,
            content,
            sheets,
            ..
        } = self;
        self.objects.get_or_insert_with(|| {
            let mut images = Images::default();
            let objects = objects::read(source, &mut images, content, sheets);
            (objects, images)
        })
    }
}

impl Workbook for Spreadsheet {
    fn sheets(&self) -> &[SheetName] {
        &self.names
    }

    fn sheet(&mut self, sheet: usize) -> Rc<SheetFacts> {
        let Some(found) = self.sheets.get_mut(sheet) else {
            return Rc::default();
        };
        let objects = std::mem::take(&mut found.objects);
        if !objects.is_empty() {
            let titles = charts::titles(&mut self.source, &objects);
            Rc::make_mut(&mut found.facts).charts.extend(titles);
        }
        Rc::clone(&found.facts)
    }

    fn rows(&mut self, sheet: usize, window: &Window) -> Rows {
        let Some(found) = self.sheets.get(sheet) else {
            return Rows::default();
        };
        let last = self.cursor.take().filter(|(own, _)| *own == sheet);
        let last = last.map(|(_, cursor)| cursor);
        let Some(start) = rows::start(found, last, window.range.first_row) else {
            return Rows::default();
        };
        let (rows, cursor) = rows::read(&mut self.content, &self.source, found, start, window);
        self.cursor = Some((sheet, cursor));
        rows
    }

    fn objects(&mut self, sheet: usize) -> Objects {
        let (objects, _) = self.all_objects();
        objects.get(sheet).cloned().unwrap_or_default()
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        let (_, images) = self.all_objects();
        let part = images.part(number)?.to_owned();
        super::text::image(&mut self.source, &part)
    }
}
