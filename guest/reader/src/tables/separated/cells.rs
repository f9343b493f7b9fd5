//! The values of a record as cells.

use super::scan::{Style, values};
use crate::limits;
use crate::tables::{Cell, SqlValue};

/// Adds the values of a record without quotes that have a meaning. Returns their number.
pub fn keep_plain(record: &[u8], delimiter: u8, cells: &mut Vec<Cell>) -> usize {
    let mut count = 0usize;
    let mut from = 0usize;
    loop {
        let rest = record.get(from..).unwrap_or_default();
        let end = memchr::memchr(delimiter, rest);
        if count < limits::ROW_VALUES {
            let value = end.map_or(rest, |end| rest.get(..end).unwrap_or_default());
            cells.push(cell(value, value.len() as u64));
        }
        count = count.saturating_add(1);
        match end {
            Some(end) => from = from.saturating_add(end).saturating_add(1),
            None => return count,
        }
    }
}

/// Adds the values of a record. Returns their number.
pub fn keep_quoted(record: &[u8], style: Style, cells: &mut Vec<Cell>) -> usize {
    let mut count = 0usize;
    values(record, style, |value, _| {
        if count < limits::ROW_VALUES {
            cells.push(cell(&value, value.len() as u64));
        }
        count = count.saturating_add(1);
    });
    count
}

/// The cell with a text, which may be the start of one of `bytes` bytes.
pub fn cell(text: &[u8], bytes: u64) -> Cell {
    let kept = text.get(..limits::ROW_VALUE_BYTES).unwrap_or(text);
    let text = match str::from_utf8(kept) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(kept).into_owned(),
    };
    let mut cell = Cell::of_text(text);
    if (kept.len() as u64) < bytes {
        // The start of a text may look like a number.
        cell.value = SqlValue::Text;
        cell.bytes = bytes;
    }
    cell
}
