//! The cells of rows in a window.

use super::cell::{self, Found, Keep, is_cell};
use super::content::{Content, Position};
use super::scan::{Sheet, repeated};
use crate::limits;
use crate::odf::source::Source;
use crate::workbook::{Cell, LAST_ROW, Row, Rows, Value, Window};
use crate::xml::{Event, Events, Start};

/// A row of a sheet, and the place of its tag.
pub type Cursor = (u32, Position);

/// Returns the nearest known row at or before a row.
pub fn start(sheet: &Sheet, last: Option<Cursor>, row: u32) -> Option<Cursor> {
    let known = sheet.checkpoints.partition_point(|(own, _)| *own <= row);
    let known = sheet.checkpoints.get(known.saturating_sub(1)).copied();
    let last = last.filter(|last| last.0 <= row);
    match (known, last) {
        (Some(known), Some(last)) if last.0 >= known.0 => Some(last),
        (Some(known), _) => Some(known),
        (None, last) => last,
    }
}

/// Reads the rows of a window from a known row. Returns where the next call may start.
pub fn read(
    content: &mut Content,
    source: &Source,
    sheet: &Sheet,
    start: Cursor,
    window: &Window,
) -> (Rows, Cursor) {
    let last_used = sheet.facts.used.map_or(0, |used| used.last_row);
    let last = window.range.last_row.min(last_used).min(LAST_ROW);
    let mut out = Output {
        window,
        last,
        rows: Rows::default(),
        cells: window.cells,
        bytes: limits::REPEATED_TOTAL,
        cut: false,
    };
    let mut cursor = start;
    while cursor.0 <= last
        && let Some(text) = content.piece(source, cursor.1.piece)
        && out.piece(text, &mut cursor)
    {
        let piece = cursor.1.piece.saturating_add(1);
        cursor.1 = Position { piece, offset: 0 };
    }
    let Output { mut rows, cut, .. } = out;
    if cut {
        rows.notes
            .push("Long texts in repeated cells are left out.".to_owned());
    }
    (rows, cursor)
}

/// The rows that a call returns, and what it may still return.
struct Output<'w> {
    window: &'w Window,
    /// The last row that is read.
    last: u32,
    rows: Rows,
    /// The number of cells.
    cells: usize,
    /// The number of bytes of repeated texts.
    bytes: usize,
    /// Whether repeated texts are left out.
    cut: bool,
}

/// Reads the cells of a row up to its end, with their first columns. Cells without a value are left
/// out.
fn cells(events: &mut Events, keep: Keep) -> Vec<(u32, Found)> {
    let mut found = Vec::new();
    let mut column = 1_u32;
    let mut objects = Vec::new();
    while let Some(event) = events.next() {
        match event {
            Event::Start(start) if is_cell(start.name) => {
                let cell = cell::read(events, &start, keep, &mut objects);
                let next = column.saturating_add(cell.repeated);
                if cell.value.is_some() {
                    found.push((column, cell));
                }
                column = next;
            }
            Event::End("table-row") => break,
            _ => {}
        }
    }
    found
}

impl Output<'_> {
    /// Reads the rows of a piece from a place. Returns whether the sheet goes on in the next piece.
    fn piece(&mut self, text: &str, cursor: &mut Cursor) -> bool {
        let base = cursor.1.offset;
        let mut events = Events::new(text.get(base..).unwrap_or_default());
        let mut before = 0;
        while cursor.0 <= self.last {
            let Some(event) = events.next() else {
                return true;
            };
            match event {
                Event::Start(start) if start.name == "table-row" => {
                    cursor.1.offset = base.saturating_add(before);
                    if !self.row(&mut events, &start, &mut cursor.0) {
                        self.rows.more = true;
                        return false;
                    }
                    cursor.1.offset = base.saturating_add(events.offset());
                }
                Event::End("table") => return false,
                _ => {}
            }
            before = events.offset();
        }
        false
    }

    /// Reads the rows of an element up to its end. Returns `false` if the budget is spent before the last
    /// one. Otherwise the number becomes that of the next row.
    fn row<'a>(&mut self, events: &mut Events<'a>, start: &Start<'a>, number: &mut u32) -> bool {
        let first = *number;
        let end = first.saturating_add(repeated(start)).saturating_sub(1);
        let visibility = start.attr("visibility");
        let hidden = matches!(visibility.as_deref(), Some("collapse" | "filter"));
        let wanted = self.window.range.first_row;
        let keep = if end < wanted {
            Keep::Nothing
        } else if self.window.formulas {
            Keep::Formula
        } else {
            Keep::Value
        };
        let cells = cells(events, keep);
        if !self.write(&cells, (first.max(wanted), end.min(self.last)), hidden) {
            return false;
        }
        *number = end.saturating_add(1);
        true
    }

    /// Adds the rows of an element. Returns `false` if the budget is spent before the last one.
    fn write(&mut self, cells: &[(u32, Found)], (first, last): (u32, u32), hidden: bool) -> bool {
        let window = self.window;
        let (left, right) = (window.range.first_column, window.range.last_column);
        let visible = cells
            .iter()
            .any(|(column, cell)| *column <= right && column.saturating_add(cell.repeated) > left);
        if !visible {
            return true;
        }
        for number in first..=last {
            if self.cells == 0 && !self.rows.rows.is_empty() {
                return false;
            }
            let mut row = Row {
                number,
                hidden,
                cells: Vec::new(),
            };
            for (column, cell) in cells {
                let Some((value, shown, formula)) = &cell.value else {
                    continue;
                };
                let end = column.saturating_add(cell.repeated).saturating_sub(1);
                let size = match value {
                    Value::Text(text) => text.len(),
                    _ => 0,
                };
                let size = size.saturating_add(formula.as_ref().map_or(0, String::len));
                for place in (*column).max(left)..=end.min(right) {
                    if place != *column || number != first {
                        let Some(rest) = self.bytes.checked_sub(size) else {
                            self.cut = true;
                            break;
                        };
                        self.bytes = rest;
                    }
                    row.cells.push(Cell {
                        column: place,
                        value: value.clone(),
                        shown: shown.clone(),
                        formula: formula.clone(),
                    });
                }
            }
            self.cells = self.cells.saturating_sub(row.cells.len());
            if !row.cells.is_empty() {
                self.rows.rows.push(row);
            }
        }
        true
    }
}
