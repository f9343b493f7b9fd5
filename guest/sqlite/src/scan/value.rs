//! Values of columns and registers.

use crate::order::{self, Kind};
use std::cmp::Ordering;

/// A value in a page, in a register, or of a constant.
#[derive(Clone, Copy, Debug)]
pub enum Cell<'p> {
    /// SQL NULL.
    Null,
    /// A whole number.
    Integer(i64),
    /// A floating-point number. It is not NaN, which SQLite reads as NULL.
    Real(f64),
    /// A text in UTF-8, which may be invalid.
    Text(&'p [u8]),
    /// A blob.
    Blob(&'p [u8]),
}

/// A value that is kept.
#[derive(Clone, Debug)]
pub enum Value {
    /// SQL NULL.
    Null,
    /// A whole number.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// A text in UTF-8, which may be invalid.
    Text(Box<[u8]>),
    /// A blob.
    Blob(Box<[u8]>),
    /// The values of a row that is sorted.
    Record(Vec<Value>),
}

impl Cell<'_> {
    /// A copy of the value.
    pub fn keep(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Integer(number) => Value::Integer(number),
            Self::Real(number) => Value::Real(number),
            Self::Text(text) => Value::Text(text.into()),
            Self::Blob(blob) => Value::Blob(blob.into()),
        }
    }

    /// Whether the value is NULL.
    pub fn is_null(self) -> bool {
        matches!(self, Self::Null)
    }

    /// The size of the text or blob in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::Text(bytes) | Self::Blob(bytes) => bytes.len(),
            Self::Null | Self::Integer(_) | Self::Real(_) => 0,
        }
    }

    fn parts(&self) -> (Kind, &[u8]) {
        match *self {
            Self::Null => (Kind::Null, &[]),
            Self::Integer(number) => (Kind::Integer(number), &[]),
            Self::Real(number) => (Kind::Real(number), &[]),
            Self::Text(text) => (Kind::Text, text),
            Self::Blob(blob) => (Kind::Blob, blob),
        }
    }

    /// The kind of the value, and the bytes of a text or blob.
    pub fn kind(&self) -> (Kind, &[u8]) {
        self.parts()
    }
}

impl Value {
    /// The value without a copy of its bytes. A record is NULL.
    pub fn cell(&self) -> Cell<'_> {
        match self {
            Self::Null | Self::Record(_) => Cell::Null,
            Self::Integer(number) => Cell::Integer(*number),
            Self::Real(number) => Cell::Real(*number),
            Self::Text(text) => Cell::Text(text),
            Self::Blob(blob) => Cell::Blob(blob),
        }
    }
}

/// The order of SQLite, in which texts are compared byte by byte.
pub fn compare(left: Cell<'_>, right: Cell<'_>) -> Ordering {
    match (left, right) {
        (Cell::Integer(left), Cell::Integer(right)) => left.cmp(&right),
        (left, right) => order::compare(left.parts(), right.parts()),
    }
}

/// Compares the first values of two rows. A flag of `descending` reverses the order of a value.
pub fn compare_all<'c>(
    left: impl Iterator<Item = Cell<'c>>,
    right: impl Iterator<Item = Cell<'c>>,
    descending: &[bool],
) -> Ordering {
    for ((left, right), descending) in left.zip(right).zip(descending) {
        let order = compare(left, right);
        if order != Ordering::Equal {
            return if *descending { order.reverse() } else { order };
        }
    }
    Ordering::Equal
}

/// A comparison of two values, which jumps or does not.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is one result of the comparison"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// Whether it jumps if the left value is less.
    pub less: bool,
    /// Whether it jumps if the values are equal.
    pub equal: bool,
    /// Whether it jumps if the left value is greater.
    pub greater: bool,
    /// Whether it jumps if a value is NULL.
    pub null: bool,
    /// The affinity that is applied to both values, as in SQLite.
    pub affinity: u16,
}

/// The affinities of SQLite.
const TEXT: u16 = 0x42;
const NUMERIC: u16 = 0x43;

impl Test {
    /// Whether the comparison jumps. `None` if a value has to be converted before.
    #[inline]
    pub fn jumps(self, left: Cell<'_>, right: Cell<'_>) -> Option<bool> {
        if let (Cell::Integer(left), Cell::Integer(right)) = (left, right) {
            return Some(self.jumps_for(left.cmp(&right)));
        }
        self.jumps_otherwise(left, right)
    }

    #[inline]
    fn jumps_for(self, order: Ordering) -> bool {
        match order {
            Ordering::Less => self.less,
            Ordering::Equal => self.equal,
            Ordering::Greater => self.greater,
        }
    }

    #[inline(never)]
    fn jumps_otherwise(self, left: Cell<'_>, right: Cell<'_>) -> Option<bool> {
        if left.is_null() || right.is_null() {
            return Some(self.null);
        }
        let is_text = |cell| matches!(cell, Cell::Text(_));
        let is_number = |cell| matches!(cell, Cell::Integer(_) | Cell::Real(_));
        let texts = is_text(left) || is_text(right);
        let converts = if self.affinity >= NUMERIC {
            texts
        } else {
            self.affinity == TEXT && texts && (is_number(left) || is_number(right))
        };
        (!converts).then(|| self.jumps_for(compare(left, right)))
    }
}
