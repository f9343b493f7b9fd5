//! Formulas that several cells share (ECMA-376-1, 18.3.1.40).

use super::sheet::{CellTag, row_tag};
use super::text::text;
use crate::limits;
use crate::workbook::{LAST_COLUMN, LAST_ROW, column_name, column_number};
use crate::xml::tags::{Tags, attribute};
use memchr::memmem;
use std::collections::BTreeMap;

/// A formula and its first cell.
#[derive(Debug)]
struct Master {
    row: u32,
    column: u32,
    formula: String,
}

/// The shared formulas of a sheet by their numbers.
#[derive(Debug, Default)]
pub struct SharedFormulas {
    masters: BTreeMap<String, Master>,
}

impl SharedFormulas {
    /// Reads the XML of the rows.
    pub fn read(data: &str) -> Self {
        let mut found = Self::default();
        found.add(data, 0);
        found
    }

    /// Reads the XML of further rows. `row` is the number of the row before.
    pub fn add(&mut self, data: &str, mut row: u32) {
        if memmem::find(data.as_bytes(), b"shared").is_none() {
            return;
        }
        let mut tags = Tags::new(data, 0);
        let mut column = 0;
        while let Some(tag) = tags.next() {
            if tag.is_end {
                continue;
            }
            match tag.name {
                "row" => {
                    row = row_tag(&tag, row).0;
                    column = 0;
                }
                "c" => column = CellTag::read(&tag, column).column,
                "f" if !tag.is_empty && attribute(tag.attributes, "t") == Some("shared") => {
                    let Some(index) = attribute(tag.attributes, "si") else {
                        continue;
                    };
                    let formula = tags.text();
                    if !formula.is_empty()
                        && formula.len() <= limits::FORMULA_BYTES
                        && index.len() < 16
                        && self.masters.len() < limits::SHEET_OBJECTS
                    {
                        let formula = text(formula).into_owned();
                        let master = Master {
                            row,
                            column,
                            formula,
                        };
                        self.masters.insert(index.to_owned(), master);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the formula of a cell.
    pub fn get(&self, index: &str, row: u32, column: u32) -> Option<String> {
        let master = self.masters.get(index)?;
        let rows = i64::from(row).saturating_sub(i64::from(master.row));
        let columns = i64::from(column).saturating_sub(i64::from(master.column));
        Some(moved(&master.formula, rows, columns))
    }
}

/// Moves the relative references of a formula.
fn moved(formula: &str, rows: i64, columns: i64) -> String {
    let bytes = formula.as_bytes();
    let mut out = String::with_capacity(formula.len());
    let mut at = 0_usize;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        match byte {
            // Texts and the names of sheets.
            b'"' | b'\'' => {
                let rest = bytes.get(at.saturating_add(1)..).unwrap_or_default();
                let end = memchr::memchr(*byte, rest).unwrap_or(rest.len());
                at = at.saturating_add(end).saturating_add(2).min(bytes.len());
                out.push_str(formula.get(start..at).unwrap_or_default());
            }
            byte if is_word(*byte) => {
                while bytes.get(at).copied().is_some_and(is_word) {
                    at = at.saturating_add(1);
                }
                let word = formula.get(start..at).unwrap_or_default();
                // The names of functions and of sheets are not references.
                let is_name = matches!(bytes.get(at), Some(b'(' | b'!' | b'['));
                let after_colon = start.checked_sub(1).and_then(|it| bytes.get(it)) == Some(&b':');
                let whole = bytes.get(at) == Some(&b':') || after_colon;
                match reference(word, rows, columns, whole).filter(|_| !is_name) {
                    Some(reference) => out.push_str(&reference),
                    None => out.push_str(word),
                }
            }
            _ => {
                at = at.saturating_add(1);
                while !formula.is_char_boundary(at) {
                    at = at.saturating_add(1);
                }
                out.push_str(formula.get(start..at).unwrap_or_default());
            }
        }
    }
    out
}

/// Returns whether a byte is a part of a reference or a name.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'_' | b'.' | b'\\') || byte >= 0x80
}

/// Moves a reference such as `B$4`. If it may be a part of a range, also `B` and `4`. `None` if the
/// word is not a reference.
fn reference(word: &str, rows: i64, columns: i64, whole: bool) -> Option<String> {
    let (fixed_column, rest) = match word.strip_prefix('$') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, rest) = rest.split_at_checked(letters)?;
    if name.is_empty() {
        if !whole || rest.is_empty() {
            return None;
        }
        return row(rest, fixed_column, rows);
    }
    let column = column_number(name)?;
    let column = if fixed_column {
        format!("${name}")
    } else {
        let moved = i64::from(column).saturating_add(columns);
        match u32::try_from(moved)
            .ok()
            .filter(|it| (1..=LAST_COLUMN).contains(it))
        {
            Some(moved) => column_name(moved),
            None => return Some("#REF!".to_owned()),
        }
    };
    if rest.is_empty() {
        return whole.then_some(column);
    }
    let (fixed_row, digits) = match rest.strip_prefix('$') {
        Some(digits) => (true, digits),
        None => (false, rest),
    };
    let row = row(digits, fixed_row, rows)?;
    if row == "#REF!" {
        return Some(row);
    }
    Some(column + &row)
}

/// Moves the number of a row. `None` if it is not one.
fn row(digits: &str, fixed: bool, rows: i64) -> Option<String> {
    if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let number: u32 = digits
        .parse()
        .ok()
        .filter(|it| (1..=LAST_ROW).contains(it))?;
    if fixed {
        return Some(format!("${number}"));
    }
    let moved = i64::from(number).saturating_add(rows);
    let moved = u32::try_from(moved)
        .ok()
        .filter(|it| (1..=LAST_ROW).contains(it));
    Some(moved.map_or_else(|| "#REF!".to_owned(), |it| it.to_string()))
}
