//! Workbooks of Excel before 2007 ([MS-XLS]): a stream of records, mostly in a compound file.
//!
//! ```text
//! records  a stream → records
//! book     what is before the sheets
//! source   the stream with what is before the sheets
//! strings  shared strings
//! sheet    a sheet → facts and rows
//! cell     records with cells → values
//! charts   charts → tables of their values
//! decrypt  encrypted workbooks
//! images   images of drawings
//! objects  comments, links, images, text boxes and hidden columns
//! ```

mod book;
mod cell;
mod charts;
mod decrypt;
mod images;
mod objects;
mod records;
mod sheet;
mod source;
mod strings;
#[cfg(test)]
mod tests;

use crate::model::{Block, Inline};
use crate::ole::{Compound, MAGIC, properties};
use crate::report::incomplete;
use crate::report::missing_images;
use crate::workbook::{Objects, Range, Rows, SheetFacts, SheetName, Window, Workbook, document};
use crate::{Document, Error, chart, limits};
use book::{Biff, Globals};
use charts::Chart;
use images::Images;
use records::Records;
use sheet::Sheet;
use source::Source;
use std::rc::Rc;

/// Opens a document.
///
/// # Errors
/// Fails if nothing of the document can be read.
pub fn open(bytes: Vec<u8>, password: Option<&str>) -> Result<Box<dyn Document>, Error> {
    let mut notes = Vec::new();
    let mut metadata = Vec::new();
    let mut stream = if bytes.starts_with(MAGIC) {
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
    decrypt::decrypt(&mut stream, password)?;
    let globals = book::read(&stream)
        .filter(|globals| !globals.sheets.is_empty())
        .ok_or_else(|| Error::Damaged("the workbook has no sheets".to_owned()))?;
    notes.extend_from_slice(&globals.notes);
    let format = match globals.biff {
        Biff::V2 => "Excel 2 worksheet",
        Biff::V3 => "Excel 3 worksheet",
        Biff::V4 => "Excel 4 workbook",
        Biff::V5 => "Excel 95 workbook",
        Biff::V8 => "Excel 97-2003 workbook",
    };
    let workbook = Book::new(stream, globals);
    document::document(format, metadata, Box::new(workbook), notes)
}

/// Returns the chart that an embedded workbook shows: that of its active sheet. `None` if the sheet has
/// cells.
pub fn chart(file: &mut Compound) -> Option<Vec<Block>> {
    let stream = stream(file, &mut Vec::new()).ok()?;
    let globals = book::read(&stream)?;
    let active = globals.listed.get(globals.active).copied().flatten()?;
    let mut workbook = Book::new(stream, globals);
    if !workbook.load(active)?.is_chart {
        return None;
    }
    let drawings = workbook.objects(active).drawings.into_iter();
    let blocks: Vec<Block> = drawings.flat_map(|drawing| drawing.blocks).collect();
    (!blocks.is_empty()).then_some(blocks)
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
    // The sheets are in one stream, which is not longer than the file.
    let most = usize::try_from(limits::DOCUMENT_BYTES).unwrap_or(usize::MAX);
    let part = name.and_then(|name| file.stream_within(&name, most));
    let part = part.ok_or_else(|| Error::Damaged("the workbook is missing".to_owned()))?;
    if let Some(damage) = part.damage {
        notes.push(incomplete("The workbook", &damage));
    }
    Ok(part.bytes)
}

struct Book {
    stream: Vec<u8>,
    globals: Globals,
    loaded: Vec<Option<Sheet>>,
    /// The images, once a sheet has shown one.
    images: Option<Images>,
}

impl Book {
    fn new(stream: Vec<u8>, globals: Globals) -> Self {
        Self {
            loaded: globals.sheets.iter().map(|_| None).collect(),
            stream,
            globals,
            images: None,
        }
    }

    fn source(&self) -> Source<'_> {
        Source {
            stream: &self.stream,
            globals: &self.globals,
        }
    }

    /// The size of the sheets in memory.
    fn size(&self) -> usize {
        self.loaded.iter().flatten().map(Sheet::size).sum()
    }

    fn load(&mut self, index: usize) -> Option<&Sheet> {
        if self.loaded.get(index)?.is_none() {
            if self.size() > limits::SHEET_ROWS {
                self.loaded.fill_with(|| None);
            }
            let at = self.globals.positions.get(index).copied();
            let at = at.unwrap_or(usize::MAX);
            let sheet = Sheet::read(self.source(), at);
            *self.loaded.get_mut(index)? = Some(sheet);
        }
        self.loaded.get(index)?.as_ref()
    }

    fn images(&mut self) -> &Images {
        let (stream, at) = (&self.stream, self.globals.images);
        self.images.get_or_insert_with(|| Images::read(stream, at))
    }

    /// Replaces the drawings that are charts.
    fn charts(&mut self, drawn: &[(usize, usize)], objects: &mut Objects) {
        let mut source = Cells {
            left: limits::CHART_CELLS,
            book: self,
        };
        let mut cut = false;
        for (index, at) in drawn {
            let Some(drawing) = objects.drawings.get_mut(*index) else {
                continue;
            };
            let mut found = Chart::read(&source.book.stream, *at, &source.book.globals);
            if source.left == 0 {
                cut = true;
                found.series.clear();
            }
            let series = found.series.iter();
            let series: Vec<_> = series.map(|it| charts::series(it, &mut source)).collect();
            if let [only] = &series[..]
                && found.has_title
                && found.title.is_empty()
            {
                // A title without a text is that of the only series.
                found.title.clone_from(&only.name);
            }
            if found.kinds.is_empty() {
                found.kinds.push("chart");
            }
            drawing.blocks = chart::write(found.title, &found.kinds, &series);
        }
        if cut {
            objects.notes.push(
                "The charts of the sheet have too many values. Those of the last charts are left \
                 out."
                    .to_owned(),
            );
        }
    }

    /// Removes the images that the workbook does not contain.
    fn missing(&mut self, objects: &mut Objects) {
        let mut missing = 0_usize;
        objects.drawings.retain_mut(|drawing| {
            let Some(number) = image(&drawing.blocks) else {
                return true;
            };
            let exists = self.images().has(number);
            missing = missing.saturating_add(usize::from(!exists));
            exists
        });
        objects
            .notes
            .extend(missing_images(" of the sheet", missing));
    }
}

/// Returns the number of the image that a drawing is.
fn image(blocks: &[Block]) -> Option<usize> {
    match blocks {
        [Block::Paragraph(content)] => match &content[..] {
            [Inline::Image { number, .. }] => Some(*number),
            _ => None,
        },
        _ => None,
    }
}

/// The cells to which charts refer.
struct Cells<'b> {
    book: &'b mut Book,
    left: usize,
}

impl charts::Book for Cells<'_> {
    fn used(&mut self, sheet: usize) -> Option<Range> {
        let book = &mut *self.book;
        // A chart makes no other sheet leave the memory, which would be slow for many charts.
        let is_loaded = book.loaded.get(sheet)?.is_some();
        if !is_loaded && book.size() > limits::SHEET_ROWS {
            return None;
        }
        book.load(sheet)?.used()
    }

    fn cells(&mut self, sheet: usize, window: &Window) -> Rows {
        self.book.rows(sheet, window)
    }

    fn left(&mut self) -> &mut usize {
        &mut self.left
    }
}

impl Workbook for Book {
    fn sheets(&self) -> &[SheetName] {
        &self.globals.sheets
    }

    fn sheet(&mut self, index: usize) -> Rc<SheetFacts> {
        self.load(index)
            .map(|sheet| Rc::new(sheet.facts()))
            .unwrap_or_default()
    }

    fn rows(&mut self, index: usize, window: &Window) -> Rows {
        self.load(index);
        let sheet = self.loaded.get(index).and_then(Option::as_ref);
        sheet.map_or_else(Rows::default, |sheet| sheet.rows(self.source(), window))
    }

    fn objects(&mut self, index: usize) -> Objects {
        let Some(sheet) = self.load(index) else {
            return Objects::default();
        };
        let mut objects = sheet.objects.clone();
        let drawn = sheet.drawn.clone();
        self.charts(&drawn, &mut objects);
        self.missing(&mut objects);
        objects
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        self.images().get(number)
    }
}
