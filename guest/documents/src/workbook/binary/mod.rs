//! What binary workbooks of all versions share: fields of records, numbers, errors, styles, and the
//! positions of rows in a stream of records.
//!
//! ```text
//! index   positions of the rows of a sheet
//! styles  number formats of cells
//! ```

pub mod index;
pub mod styles;

use super::{Cell, Value};

/// The fields of a record. A read past the end gives `None`.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// Returns the next `count` bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(count)?;
        self.0 = tail;
        Some(head)
    }

    /// Leaves out `count` bytes.
    pub fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(|_| ())
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, tail) = self.0.split_first_chunk::<N>()?;
        self.0 = tail;
        Some(*head)
    }

    /// Reads a byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Reads an unsigned number of 2 bytes, with the low byte first.
    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// Reads an unsigned number of 4 bytes, with the low byte first.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Reads a floating-point number of 8 bytes.
    pub fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    /// Reads UTF-16 after its number of units, which has 4 bytes ([MS-XLSB] 2.5.168). A text that is
    /// longer than the record is cut.
    pub fn wide(&mut self) -> Option<String> {
        self.wide_bytes().map(crate::codepage::utf16)
    }

    /// Reads the bytes of such a text.
    pub fn wide_bytes(&mut self) -> Option<&'a [u8]> {
        let units = self.u32()?;
        if units == u32::MAX {
            // A null string.
            return Some(&[]);
        }
        let bytes = usize::try_from(units).ok()?.saturating_mul(2);
        self.take(bytes.min(self.0.len()))
    }
}

/// Returns the text of a comment without the name of the author, which Excel writes into the text.
pub fn comment_text(text: &str, author: &str) -> String {
    let text = text.trim();
    let own = text.strip_prefix(author).filter(|_| !author.is_empty());
    let own = own.and_then(|it| it.strip_prefix(':'));
    own.unwrap_or(text).trim().to_owned()
}

/// Decodes a number of 4 bytes: an integer of 30 bits or the upper half of a floating-point number,
/// times 100 if bit 0 is set ([MS-XLS] 2.5.217).
#[allow(
    clippy::cast_possible_wrap,
    reason = "the upper 30 bits are a signed number"
)]
pub fn rk(bits: u32) -> f64 {
    let number = if bits & 2 != 0 {
        f64::from((bits as i32) >> 2)
    } else {
        f64::from_bits(u64::from(bits & !3) << 32)
    };
    if bits & 1 != 0 {
        number / 100.0
    } else {
        number
    }
}

/// Returns the text of an error ([MS-XLS] 2.5.10).
pub fn error(code: u8) -> &'static str {
    match code {
        0x00 => "#NULL!",
        0x07 => "#DIV/0!",
        0x0f => "#VALUE!",
        0x17 => "#REF!",
        0x1d => "#NAME?",
        0x24 => "#NUM!",
        0x2a => "#N/A",
        0x2b => "#GETTING_DATA",
        0x2c => "#SPILL!",
        0x2d => "#CONNECT!",
        0x2e => "#BLOCKED!",
        0x2f => "#UNKNOWN!",
        0x30 => "#FIELD!",
        0x31 => "#CALC!",
        _ => "#ERROR!",
    }
}

/// A value as a record stores it.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    /// A number, which the number format may turn into a date.
    Number(f64),
    /// A text.
    Text(String),
    /// A truth value.
    Bool(bool),
    /// The code of an error.
    Error(u8),
}

impl Raw {
    /// Returns the cell, or `None` if it shows nothing and has no formula.
    pub fn cell(
        self,
        column: u32,
        style: usize,
        styles: &styles::Styles,
        formula: Option<String>,
    ) -> Option<Cell> {
        let (value, shown) = match self {
            Self::Number(number) => styles.number(style, number),
            Self::Text(text) if text.is_empty() && formula.is_none() => return None,
            Self::Text(text) => {
                let shown = styles.text(style, &text);
                (Value::Text(text.into()), shown)
            }
            Self::Bool(value) => (Value::Bool(value), None),
            Self::Error(code) => (Value::Error(error(code).to_owned()), None),
        };
        Some(Cell {
            column: column.saturating_add(1),
            value,
            shown,
            formula,
        })
    }
}
