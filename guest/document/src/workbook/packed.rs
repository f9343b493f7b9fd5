//! Cells as bytes and a text, which cross the boundary of a component as a whole: tens of thousands of records would be
//! copied field by field, several times.
//!
//! A cell is a byte with its kind and which further texts it has, its column, its number or the length of its text, and
//! the lengths of the further texts. Numbers are little-endian. `wit/parts/documents.wit` describes it too.

use super::{Cell, Value};

const TEXT: u8 = 0;
const NUMBER: u8 = 1;
const DATE: u8 = 2;
const TRUE: u8 = 3;
const FALSE: u8 = 4;
const ERROR: u8 = 5;

/// The bits of the kind, and those of the further texts.
const KIND: u8 = 7;
const SHOWN: u8 = 8;
const FORMULA: u8 = 16;

/// Cells, one after the other.
#[derive(Debug, Default)]
pub struct Packed {
    /// The cells without their texts.
    pub cells: Vec<u8>,
    /// The texts of all cells.
    pub text: String,
}

impl Packed {
    /// Memory for about this many cells.
    pub fn with_capacity(cells: usize) -> Self {
        // Most cells are numbers or texts.
        const BYTES: usize = 13;
        Self {
            cells: Vec::with_capacity(cells.saturating_mul(BYTES)),
            text: String::new(),
        }
    }

    /// Adds a cell.
    pub fn push(&mut self, cell: &Cell) {
        let kind = match &cell.value {
            Value::Text(_) => TEXT,
            Value::Number(_) => NUMBER,
            Value::Date(_) => DATE,
            Value::Bool(true) => TRUE,
            Value::Bool(false) => FALSE,
            Value::Error(_) => ERROR,
        };
        let shown = if cell.shown.is_some() { SHOWN } else { 0 };
        let formula = if cell.formula.is_some() { FORMULA } else { 0 };
        self.cells.push(kind | shown | formula);
        self.cells.extend(cell.column.to_le_bytes());
        match &cell.value {
            Value::Text(text) => self.push_text(text),
            Value::Date(text) | Value::Error(text) => self.push_text(text),
            Value::Number(number) => self.cells.extend(number.to_le_bytes()),
            Value::Bool(_) => {}
        }
        for text in [&cell.shown, &cell.formula].into_iter().flatten() {
            self.push_text(text);
        }
    }

    fn push_text(&mut self, text: &str) {
        // No cell has as much text as that.
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.cells.extend(length.to_le_bytes());
        self.text.push_str(text);
    }
}

/// Reads packed cells, up to the first one that is not complete.
#[derive(Debug)]
pub struct Unpacked<'p> {
    cells: &'p [u8],
    text: &'p str,
}

impl<'p> Unpacked<'p> {
    /// The cells of [`Packed`].
    pub fn new(cells: &'p [u8], text: &'p str) -> Self {
        Self { cells, text }
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (found, rest) = self.cells.split_first_chunk()?;
        self.cells = rest;
        Some(*found)
    }

    fn next_text(&mut self) -> Option<&'p str> {
        let length = u32::from_le_bytes(self.bytes()?) as usize;
        let (found, rest) = self.text.split_at_checked(length)?;
        self.text = rest;
        Some(found)
    }

    fn owned_text(&mut self) -> Option<String> {
        self.next_text().map(str::to_owned)
    }
}

impl Iterator for Unpacked<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let [kind] = self.bytes()?;
        let column = u32::from_le_bytes(self.bytes()?);
        let value = match kind & KIND {
            TEXT => Value::Text(self.next_text()?.into()),
            NUMBER => Value::Number(f64::from_le_bytes(self.bytes()?)),
            DATE => Value::Date(self.owned_text()?),
            TRUE => Value::Bool(true),
            FALSE => Value::Bool(false),
            _ => Value::Error(self.owned_text()?),
        };
        let shown = match kind & SHOWN {
            0 => None,
            _ => Some(self.owned_text()?),
        };
        let formula = match kind & FORMULA {
            0 => None,
            _ => Some(self.owned_text()?),
        };
        Some(Cell {
            column,
            value,
            shown,
            formula,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacked_cells_are_those_that_were_packed() {
        let texts = [None, Some(""), Some("Ä 5")];
        let values = [
            Value::Text("".into()),
            Value::Text("a, é".into()),
            Value::Number(-0.0),
            Value::Number(1e300),
            Value::Date("2024-01-31".to_owned()),
            Value::Bool(true),
            Value::Bool(false),
            Value::Error("#N/A".to_owned()),
        ];
        let mut cells = Vec::new();
        let mut packed = Packed::with_capacity(3);
        for (value, column) in values.iter().zip([1, 2, 3, 4, 300, 70_000, 7, 16_384]) {
            for shown in texts {
                for formula in texts {
                    let cell = Cell {
                        column,
                        value: value.clone(),
                        shown: shown.map(str::to_owned),
                        formula: formula.map(str::to_owned),
                    };
                    packed.push(&cell);
                    cells.push(cell);
                }
            }
        }
        let found: Vec<Cell> = Unpacked::new(&packed.cells, &packed.text).collect();
        assert_eq!(found, cells);
        // Parts of them are read as far as they are complete.
        for end in 0..packed.cells.len() {
            let part = Unpacked::new(packed.cells.get(..end).unwrap_or_default(), &packed.text);
            let found: Vec<Cell> = part.collect();
            assert!(cells.starts_with(&found));
        }
        assert_eq!(
            Unpacked::new(&[TEXT, 1, 0, 0, 0, 9, 0, 0, 0], "a").count(),
            0
        );
    }
}
