//! The values of a row, in the format of "Database File Format", chapter 2.1, on sqlite.org.

use super::value::Cell;
use crate::pages::{Stored, varint};

/// The positions of the values of a record.
#[derive(Default)]
pub struct Record {
    /// The type of each value, and where it starts.
    places: Vec<(u64, usize)>,
    /// The number of values that were found.
    count: usize,
}

impl Record {
    /// Finds the first `wanted` values of a row. `None` if SQLite may report damage, or if the types of the values go on
    /// in another page.
    pub fn find(&mut self, row: &Stored<'_>, wanted: usize) -> Option<()> {
        let (size, mut at) = varint(row.local, 0)?;
        let end = usize::try_from(size).ok().filter(|end| *end >= at)?;
        let header = row.local.get(..end)?;
        if self.places.len() < wanted {
            self.places.resize(wanted, (0, 0));
        }
        let mut start = end;
        self.count = 0;
        for place in self.places.iter_mut().take(wanted) {
            if at >= end {
                break;
            }
            let (kind, after) = varint(header, at)?;
            at = after;
            *place = (kind, start);
            self.count += 1;
            start = start.checked_add(length(kind)?)?;
        }
        let is_sound = if at >= end {
            start == row.size
        } else {
            start <= row.size
        };
        is_sound.then_some(())
    }

    /// The value of a column of the row that was found last. `None` if the value goes on in another page. A row that
    /// was stored before its table got the column has no value: it is `missing`.
    #[inline]
    pub fn value<'p>(&self, row: &Stored<'p>, column: usize, missing: Missing) -> Option<Cell<'p>> {
        if column >= self.count {
            return (missing == Missing::Null).then_some(Cell::Null);
        }
        let (kind, start) = *self.places.get(column)?;
        let bytes = row.local.get(start..start.checked_add(length(kind)?)?)?;
        Some(match kind {
            1 => Cell::Integer(i64::from(bytes.first()?.cast_signed())),
            2 => Cell::Integer(i64::from(i16::from_be_bytes(bytes.try_into().ok()?))),
            3..=6 => Cell::Integer(whole(bytes)),
            7 => {
                let real = f64::from_be_bytes(bytes.try_into().ok()?);
                if real.is_nan() {
                    Cell::Null
                } else {
                    Cell::Real(real)
                }
            }
            8 => Cell::Integer(0),
            9 => Cell::Integer(1),
            0 => Cell::Null,
            // Reserved.
            10 | 11 => return None,
            _ if kind % 2 == 0 => Cell::Blob(bytes),
            _ => Cell::Text(bytes),
        })
    }

    /// Whether the value of a column is NULL, wherever its bytes are.
    pub fn is_null(&self, column: usize, missing: Missing) -> Option<bool> {
        if column >= self.count {
            return (missing == Missing::Null).then_some(true);
        }
        let (kind, _) = *self.places.get(column)?;
        // A floating-point number may be NaN, and two types are reserved.
        (!matches!(kind, 7 | 10 | 11)).then_some(kind == 0)
    }
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

/// The size in bytes of a value of a type.
#[inline]
fn length(kind: u64) -> Option<usize> {
    Some(match kind {
        0 | 8..=11 => 0,
        1..=4 => usize::try_from(kind).ok()?,
        5 => 6,
        6 | 7 => 8,
        // SQLite reads types of up to 32 bits.
        _ => usize::try_from((u32::try_from(kind).ok()? - 12) / 2).ok()?,
    })
}
