//! The cells of rows in a window.

use super::cell::{self, Found, Keep};
use super::scan::{Sheet, is_cell, repeated};
use crate::limits;
use crate::workbook::{Cell, LAST_ROW, Row, Rows, Value, Window};
use crate::xml::{Event, Events};

/// A row of a sheet, and the offset in bytes of its tag.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    /// The sheet, from 0.
    pub sheet: usize,
    /// The number of the row.
    row: u32,
    /// The offset.
    offset: usize,
}

/// Returns the nearest known row at or before a row: its number and its offset.
pub fn start(sheet: &Sheet, last: Option<Cursor>, row: u32) -> Option<(u32, usize)> {
    let known = sheet.checkpoints.partition_point(|(own, _)| *own <= row);
    let known = sheet.checkpoints.get(known.saturating_sub(1)).copied();
    let last = last.filter(|last| last.row <= row);
    let last = last.map(|last| (last.row, last.offset));
    match (known, last) {
        (Some(known), Some(last)) if last.0 >= known.0 => Some(last),
        (Some(known), _) => Some(known),
        (None, last) => last,
    }
}

/// Reads the rows of a window from a known row. Returns where the next call may start.
pub fn read(
    text: &str,
    sheet: &Sheet,
    start: Option<(u32, usize)>,
    index: usize,
    window: &Window,
) -> (Rows, Cursor) {
    let (mut number, base) = start.unwrap_or((1, text.len()));
    let mut cursor = Cursor {
        sheet: index,
        row: number,
        offset: base,
    };
    let last_used = sheet.facts.used.map_or(0, |used| used.last_row);
    let last = window.range.last_row.min(last_used).min(LAST_ROW);
    let mut events = Events::new(text.get(base..).unwrap_or_default());
    let mut before = 0;
    let mut out = Output {
        window,
        rows: Rows::default(),
        cells: window.cells,
        bytes: limits::REPEATED_TOTAL,
        cut: false,
    };
    while number <= last {
        let Some(event) = events.next() else { break };
        match event {
            Event::Start(start) if start.name == "table-row" => {
                cursor.row = number;
                cursor.offset = base.saturating_add(before);
                let repeated = repeated(&start);
                let end = number.saturating_add(repeated).saturating_sub(1);
                let visibility = start.attr("visibility");
                let hidden = matches!(visibility.as_deref(), Some("collapse" | "filter"));
                let keep = if end < window.range.first_row {
                    Keep::Nothing
                } else if window.formulas {
                    Keep::Formula
                } else {
                    Keep::Value
                };
                let cells = cells(&mut events, keep);
                let first = number.max(window.range.first_row);
                if !out.write(&cells, (first, end.min(last)), hidden) {
                    out.rows.more = true;
                    break;
                }
                number = end.saturating_add(1);
                cursor.row = number;
                cursor.offset = base.saturating_add(events.offset());
            }
            Event::End("table") => break,
            _ => {}
        }
        before = events.offset();
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
