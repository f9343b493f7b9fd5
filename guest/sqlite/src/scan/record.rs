//! The values of a row, in the format of "Database File Format", chapter 2.1, on sqlite.org.

use super::value::Cell;
use crate::pages::{Stored, varint};

/// The positions of the values of a record.
pub struct Record {
    /// The type of each value, and where it starts.
    places: Vec<(u32, usize)>,
    /// The number of values that were found.
    count: usize,
}

impl Record {
    /// Room for the first `wanted` values of a row.
    pub fn new(wanted: usize) -> Self {
        Self {
            places: vec![(0, 0); wanted],
            count: 0,
        }
    }

    /// Finds the first values of a row. `None` if SQLite may report damage, or if the types of the values go on in
    /// another page.
    #[inline]
    pub fn find(&mut self, row: &Stored<'_>) -> Option<()> {
        let (size, from) = varint(row.local, 0)?;
        let end = usize::try_from(size).ok()?;
        let mut kinds = row.local.get(from..end)?.iter();
        let mut start = end;
        self.count = self.places.len();
        for (number, place) in self.places.iter_mut().enumerate() {
            let Some(byte) = kinds.next() else {
                self.count = number;
                break;
            };
            let kind = match *byte {
                byte @ 0..0x80 => u32::from(byte),
                byte => long(byte, &mut kinds)?,
            };
            *place = (kind, start);
            start = start.saturating_add(length(kind));
        }
        let is_sound = if kinds.as_slice().is_empty() {
            start == row.size
        } else {
            start <= row.size
        };
        is_sound.then_some(())
    }

    /// The value of a column of the row that was found last. `None` if the value goes on in another page. A row that
    /// was stored before its table got the column has no value: it is `missing`.
    #[allow(
        clippy::inline_always,
        reason = "a value that is returned through memory takes several times as long"
    )]
    #[inline(always)]
    pub fn value<'p>(&self, row: &Stored<'p>, column: usize, missing: Missing) -> Option<Cell<'p>> {
        if column >= self.count {
            return (missing == Missing::Null).then_some(Cell::Null);
        }
        let (kind, start) = *self.places.get(column)?;
        let bytes = row.local.get(start..)?;
        Some(match kind {
            1 => Cell::Integer(i64::from(bytes.first()?.cast_signed())),
            2 => Cell::Integer(i64::from(i16::from_be_bytes(*bytes.first_chunk()?))),
            4 => Cell::Integer(i64::from(i32::from_be_bytes(*bytes.first_chunk()?))),
            6 => Cell::Integer(i64::from_be_bytes(*bytes.first_chunk()?)),
            8 => Cell::Integer(0),
            9 => Cell::Integer(1),
            0 => Cell::Null,
            3 | 5 => Cell::Integer(whole(bytes.get(..length(kind))?)),
            7 => {
                let real = f64::from_be_bytes(*bytes.first_chunk()?);
                if real.is_nan() {
                    Cell::Null
                } else {
                    Cell::Real(real)
                }
            }
            // Reserved.
            10 | 11 => return None,
            _ => {
                let bytes = bytes.get(..length(kind))?;
                if kind.is_multiple_of(2) {
                    Cell::Blob(bytes)
                } else {
                    Cell::Text(bytes)
                }
            }
        })
    }

    /// Whether the value of a column of the row is NULL, wherever its bytes are. `None` if it is a floating-point number
    /// in another page, or of a reserved type.
    pub fn is_null(&self, row: &Stored<'_>, column: usize, missing: Missing) -> Option<bool> {
        if column >= self.count {
            return (missing == Missing::Null).then_some(true);
        }
        let (kind, start) = *self.places.get(column)?;
        match kind {
            // NaN is NULL.
            7 => {
                let bytes = row.local.get(start..)?.first_chunk()?;
                Some(f64::from_be_bytes(*bytes).is_nan())
            }
            10 | 11 => None,
            _ => Some(kind == 0),
        }
    }
}

/// The rest of a number of variable length, after its first byte. SQLite reads types of up to 32 bits.
#[cold]
fn long(first: u8, bytes: &mut std::slice::Iter<'_, u8>) -> Option<u32> {
    let mut number = u64::from(first & 0x7f);
    for byte in bytes.take(4) {
        number = (number << 7) | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return u32::try_from(number).ok();
        }
    }
    None
}

/// The value of a column in a row that was stored before its table got the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// NULL.
    Null,
    /// The default of the column.
    Default,
}

/// A whole number of up to eight bytes.
fn whole(bytes: &[u8]) -> i64 {
    let mut number = match bytes.first() {
        Some(first) => i64::from(first.cast_signed()),
        None => 0,
    };
    for byte in bytes.iter().skip(1) {
        number = (number << 8) | i64::from(*byte);
    }
    number
}

/// The sizes in bytes of values whose type has no size.
const LENGTHS: [u8; 16] = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0];

/// The size in bytes of a value of a type.
#[inline]
fn length(kind: u32) -> usize {
    match kind.checked_sub(12) {
        Some(size) => (size / 2) as usize,
        None => usize::from(LENGTHS[(kind & 15) as usize]),
    }
}
