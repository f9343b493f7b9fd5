//! A sheet: where its rows are, and which cells have a value or a formula (ECMA-376-1, 18.3).
//!
//! The XML of a sheet is scanned once. Rows are then read where they are, so that windows of rows cost
//! as much as the rows in them. The rectangle that a sheet declares is not used: programs write wrong
//! ones.

use super::plain::PlainCell;
use crate::limits;
use crate::workbook::{LAST_COLUMN, LAST_ROW, Range};
use crate::xml::tags::{Tag, Tags, attribute, attributes};

/// The place of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of the row, from 1.
    pub row: u32,
    /// The position of its tag.
    at: u32,
}

/// The XML of a sheet and the places of its rows.
#[derive(Debug, Default)]
pub struct Sheet {
    text: String,
    /// The rows with a value by their numbers. Damaged sheets have several of one number.
    rows: Vec<Place>,
    /// The rectangle around all cells with a value.
    pub used: Option<Range>,
    /// The end of what is before the rows.
    head: usize,
    /// The start of what is after the rows.
    tail: usize,
    /// The number of the last row, also of one without a value.
    pub last_row: u32,
    /// Whether rows or cells are outside of the largest sheet.
    pub outside: bool,
    /// Whether there are more rows than the limit.
    pub cut: bool,
}

/// The position of a cell, and what else its tag says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellTag<'a> {
    /// The column, from 1.
    pub column: u32,
    /// The type of the value. It may be empty.
    pub kind: &'a str,
    /// The number of the style.
    pub style: usize,
}

impl<'a> CellTag<'a> {
    /// Reads the tag `c`. `before` is the column of the cell before.
    pub fn read(tag: &Tag<'a>, before: u32) -> Self {
        Self::of(tag.attributes, before)
    }

    /// Reads the attributes of the tag `c`.
    pub fn of(list: &'a str, before: u32) -> Self {
        let mut cell = Self {
            column: before.saturating_add(1),
            ..Self::default()
        };
        attributes(list, |name, value| match name {
            "r" => cell.column = column(value).unwrap_or(cell.column),
            "t" => cell.kind = value,
            "s" => cell.style = number(value).map_or(0, |it| it as usize),
            _ => {}
        });
        cell
    }
}

/// Reads the column of a position, such as `AB12`.
fn column(position: &str) -> Option<u32> {
    let mut number = 0_u32;
    for byte in position.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte.wrapping_sub(b'A'),
            b'a'..=b'z' => byte.wrapping_sub(b'a'),
            _ => break,
        };
        number = number.saturating_mul(26);
        number = number.saturating_add(u32::from(digit)).saturating_add(1);
    }
    (number > 0).then_some(number)
}

/// Reads a number without a sign.
fn number(digits: &str) -> Option<u32> {
    let mut number = 0_u32;
    for byte in digits.bytes() {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number = number.checked_mul(10)?.checked_add(u32::from(digit))?;
    }
    (!digits.is_empty()).then_some(number)
}

/// Returns the number of a row, and whether it is hidden. `before` is the number of the row before.
pub fn row_tag(tag: &Tag, before: u32) -> (u32, bool) {
    let mut row = before.saturating_add(1);
    let mut hidden = false;
    attributes(tag.attributes, |name, value| match name {
        "r" => row = number(value.trim()).unwrap_or(row),
        "hidden" => hidden = matches!(value, "1" | "true"),
        _ => {}
    });
    (row, hidden)
}

impl Sheet {
    /// Scans a decoded part.
    pub fn new(text: String) -> Self {
        Self::after(text, 0)
    }

    /// Scans a decoded part of a sheet, whose first row follows the row with the number `before`.
    pub fn after(text: String, before: u32) -> Self {
        let mut sheet = Self {
            text,
            ..Self::default()
        };
        sheet.scan(before);
        sheet
    }

    fn scan(&mut self, before: u32) {
        let mut rows: Vec<Place> = Vec::new();
        let mut tags = Tags::new(&self.text, 0);
        self.head = self.text.len();
        let mut tail = None;
        for tag in tags.by_ref() {
            if tag.name == "sheetData" && !tag.is_end {
                self.head = tag.start;
                tail = tag.is_empty.then_some(tag.end);
                break;
            }
        }
        if tail.is_none() {
            let mut scan = Scan::default();
            scan.place.row = before;
            let mut in_value = false;
            let mut is_text = false;
            loop {
                while let Some(cell) = PlainCell::read(tags.rest()) {
                    tags.skip_bytes(cell.length);
                    scan.column = cell.column;
                    in_value = cell.has_value;
                    if cell.has_value {
                        scan.value();
                    }
                }
                let Some(tag) = tags.next() else {
                    break;
                };
                match tag.name {
                    "c" if !tag.is_end => {
                        let cell = CellTag::read(&tag, scan.column);
                        scan.column = cell.column;
                        is_text = cell.kind == "str";
                        in_value = false;
                    }
                    // Without a stored value, the formula is shown. An empty text is a value.
                    "f" if !tag.is_end && !in_value && !is_text => {
                        in_value = if tag.is_empty {
                            attribute(tag.attributes, "si").is_some()
                        } else {
                            !tags.text().is_empty()
                        };
                        if in_value {
                            scan.value();
                        }
                    }
                    "v" | "t" if !tag.is_end && !tag.is_empty && !in_value => {
                        in_value = !tags.text().is_empty();
                        if in_value {
                            scan.value();
                        }
                    }
                    "row" => {
                        rows.extend(scan.finished());
                        if rows.len() >= limits::SHEET_ROWS {
                            self.cut = true;
                            break;
                        }
                        if !tag.is_end {
                            scan.place = Place {
                                row: row_tag(&tag, scan.place.row).0,
                                at: u32::try_from(tag.start).unwrap_or(u32::MAX),
                            };
                            scan.column = 0;
                        }
                    }
                    "sheetData" if tag.is_end => {
                        tail = Some(tag.end);
                        break;
                    }
                    _ => {}
                }
            }
            rows.extend(scan.finished());
            self.last_row = scan.place.row;
            self.used = scan.used;
            self.outside = scan.outside;
        }
        self.tail = tail.unwrap_or(self.text.len());
        rows.retain(|place| (1..=LAST_ROW).contains(&place.row));
        if !rows.is_sorted_by_key(|place| place.row) {
            rows.sort_by_key(|place| place.row);
        }
        self.rows = rows;
    }

    /// The places of the rows from a number on.
    pub fn rows_from(&self, row: u32) -> &[Place] {
        let start = self.rows.partition_point(|place| place.row < row);
        self.rows.get(start..).unwrap_or_default()
    }

    /// The tags from the tag of a row on.
    pub fn tags(&self, place: Place) -> Tags<'_> {
        Tags::new(&self.text, place.at as usize)
    }

    /// The number of different rows with a value.
    pub fn row_count(&self) -> u32 {
        let count = self
            .rows
            .chunk_by(|one, other| one.row == other.row)
            .count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The XML before the rows.
    pub fn head(&self) -> &str {
        self.text.get(..self.head).unwrap_or_default()
    }

    /// The XML of the rows.
    pub fn data(&self) -> &str {
        self.text.get(self.head..self.tail).unwrap_or_default()
    }

    /// The XML after the rows.
    pub fn tail(&self) -> &str {
        self.text.get(self.tail..).unwrap_or_default()
    }
}

/// The state of a scan.
#[derive(Default)]
struct Scan {
    /// The last row.
    place: Place,
    /// The column of the last cell of the row, from 1.
    column: u32,
    /// Whether the row has a value so far.
    has_value: bool,
    /// The rectangle around all cells with a value.
    used: Option<Range>,
    /// Whether rows or cells are outside of the largest sheet.
    outside: bool,
}

impl Scan {
    /// Takes notice of a value of the last cell.
    fn value(&mut self) {
        let (row, column) = (self.place.row, self.column);
        if column > LAST_COLUMN || row > LAST_ROW || row == 0 {
            self.outside = true;
            return;
        }
        self.has_value = true;
        let range = self.used.get_or_insert(Range {
            first_row: row,
            first_column: column,
            last_row: row,
            last_column: column,
        });
        range.first_row = range.first_row.min(row);
        range.first_column = range.first_column.min(column);
        range.last_row = range.last_row.max(row);
        range.last_column = range.last_column.max(column);
    }

    /// Ends the row. Returns its place if it has a value.
    fn finished(&mut self) -> Option<Place> {
        std::mem::take(&mut self.has_value).then_some(self.place)
    }
}
