//! A sheet whose XML is too large for memory: it is read in pieces of whole rows, again for each window
//! of rows.
//!
//! The first pass finds which rows each piece has. A window then needs the pieces up to its last one,
//! and the next window goes on from there.

use super::cells::{self, Incomplete, Shared};
use super::formula::SharedFormulas;
use super::hyperlinks;
use super::sheet::Sheet;
use crate::limits;
use crate::package::{Package, Pieces, last_end};
use crate::workbook::{CellLink, Range, Row, Rows, Window};
use crate::xml::into_text;

/// The tag before the rows, for pieces that have only rows.
const START: &str = "<sheetData>";

/// A piece, and the rows with a value in it.
#[derive(Clone, Copy)]
struct Place {
    start: u64,
    length: usize,
    /// The number of the last row before it.
    before: u32,
    first_row: u32,
    last_row: u32,
}

/// A sheet that is read in pieces.
pub struct Large {
    pieces: Pieces,
    places: Vec<Place>,
    /// The piece that was read last, by its position in the list.
    current: Option<(usize, Sheet)>,
    /// The rectangle around all cells with a value.
    pub used: Option<Range>,
    /// The number of rows with a value.
    pub rows: u32,
    /// Whether rows or cells are outside of the largest sheet.
    pub outside: bool,
    /// The XML before the rows.
    pub head: String,
    /// The XML after the rows.
    pub tail: String,
    /// The links by formulas, and whether there are too many.
    pub links: (Vec<CellLink>, bool),
    /// Why rows are missing. `None` if all are read.
    pub missing: Option<String>,
}

impl Large {
    /// Finds the rows of a part. Also returns its shared formulas. `None` if it cannot be read in pieces,
    /// also because rows of one piece are between those of another.
    pub fn read(package: &Package, part: &str) -> Option<(Self, SharedFormulas)> {
        let mut sheet = Self {
            pieces: Pieces::of_xml(package, part, row_end)?,
            places: Vec::new(),
            current: None,
            used: None,
            rows: 0,
            outside: false,
            head: String::new(),
            tail: String::new(),
            links: (Vec::new(), false),
            missing: None,
        };
        let mut formulas = SharedFormulas::default();
        let mut before = 0_u32;
        while let Some(piece) = sheet.pieces.next(package) {
            let (start, length) = (piece.start, piece.bytes.len());
            let rows = Sheet::after(with_start(piece.bytes, start), before);
            formulas.add(rows.data(), before);
            if !sheet.add(&rows, (start, length), before) {
                return None;
            }
            before = rows.last_row;
            if start >= limits::LARGE_SHEET_BYTES {
                break;
            }
        }
        if sheet.places.is_empty() && !sheet.pieces.is_end() {
            // The first row is longer than a part.
            return None;
        }
        if let Some(damage) = sheet.pieces.damage() {
            sheet.missing = Some(format!("The sheet is damaged: {damage}."));
        } else if !sheet.pieces.is_end() {
            sheet.missing = Some(format!(
                "The sheet has too much XML. What follows row {before} is left out."
            ));
        }
        Some((sheet, formulas))
    }

    /// Adds the facts about a piece. Returns whether its rows are after those of the pieces before it.
    fn add(&mut self, rows: &Sheet, (start, length): (u64, usize), before: u32) -> bool {
        if start == 0 {
            rows.head().clone_into(&mut self.head);
        }
        rows.tail().clone_into(&mut self.tail);
        self.outside |= rows.outside;
        self.links.1 |= hyperlinks::add(rows.data(), before, &mut self.links.0);
        let Some(used) = rows.used else {
            return true;
        };
        let last = self.places.last().map_or(0, |it| it.last_row);
        if used.first_row <= last {
            return false;
        }
        self.rows = self.rows.saturating_add(rows.row_count());
        let all = self.used.get_or_insert(used);
        all.first_row = all.first_row.min(used.first_row);
        all.first_column = all.first_column.min(used.first_column);
        all.last_row = all.last_row.max(used.last_row);
        all.last_column = all.last_column.max(used.last_column);
        self.places.push(Place {
            start,
            length,
            before,
            first_row: used.first_row,
            last_row: used.last_row,
        });
        true
    }

    /// Passes the rows of a window on. Returns what else is known of them.
    pub fn rows(
        &mut self,
        package: &Package,
        shared: &Shared,
        window: &Window,
        pass: &mut dyn FnMut(Row),
    ) -> Rows {
        let mut found = Rows::default();
        let mut incomplete = Incomplete::default();
        let mut cells = 0_usize;
        let range = &window.range;
        for index in 0..self.places.len() {
            let Some(place) = self.places.get(index).copied() else {
                break;
            };
            if place.last_row < range.first_row || place.first_row > range.last_row {
                continue;
            }
            if cells >= window.cells {
                found.more = true;
                break;
            }
            let Some(sheet) = self.piece(package, index, place) else {
                break;
            };
            let window = Window {
                cells: window.cells.saturating_sub(cells),
                ..*window
            };
            let (count, more) = cells::some_rows(sheet, shared, &window, &mut incomplete, pass);
            cells = cells.saturating_add(count);
            if more {
                found.more = true;
                break;
            }
        }
        found.notes = incomplete.notes(shared);
        found
    }

    /// Reads a piece, unless it is the last one that was read.
    fn piece(&mut self, package: &Package, index: usize, place: Place) -> Option<&Sheet> {
        if self
            .current
            .as_ref()
            .is_none_or(|current| current.0 != index)
        {
            self.current = None;
            let piece = self.pieces.again(package, place.start, place.length)?;
            let text = with_start(piece.bytes, place.start);
            self.current = Some((index, Sheet::after(text, place.before)));
        }
        self.current.as_ref().map(|current| &current.1)
    }
}

/// The end of the last row. Other parts of a sheet, such as form controls, have elements of the same name.
fn row_end(bytes: &[u8]) -> Option<usize> {
    let rows = last_end(bytes, b"sheetData>").and_then(|end| bytes.get(..end));
    last_end(rows.unwrap_or(bytes), b"row>")
}

/// Decodes a piece that starts at a position, with the tag before the rows.
fn with_start(bytes: Vec<u8>, start: u64) -> String {
    if start == 0 {
        return into_text(bytes);
    }
    let mut all = Vec::with_capacity(START.len().saturating_add(bytes.len()));
    all.extend_from_slice(START.as_bytes());
    all.extend_from_slice(&bytes);
    into_text(all)
}
