//! The header of an object in a pack.

use crate::error::Error;
use crate::id::{Algorithm, Id};
use crate::kind::ObjectKind;
use crate::windows::Windows;

/// What an object in a pack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A whole object.
    Whole(ObjectKind),
    /// A difference to the object at this offset, which is smaller than the own one.
    Offset(u64),
    /// A difference to the object with this id.
    Id(Id),
}

/// The header of an object in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub base: Base,
    /// The number of bytes, decompressed.
    pub size: u64,
    /// The offset of its compressed bytes.
    pub start: u64,
}

/// The number of bytes of the header of a pack, before the first object.
const HEADER: u64 = 12;

/// Reads the header of the object at an offset.
pub fn entry(pack: &mut Windows, offset: u64, algorithm: Algorithm) -> Result<Entry, Error> {
    let damaged = |pack: &Windows, why: &str| {
        Error::damaged(
            format_args!("the object at byte {offset} of `{}`", pack.path()),
            why,
        )
    };
    let end = pack.size().saturating_sub(algorithm.bytes() as u64);
    if offset < HEADER || offset >= end {
        return Err(damaged(pack, "it is not in the pack"));
    }
    let mut at = offset;
    let [first] = next(pack, &mut at)?;
    let mut size = u64::from(first & 15);
    let mut shift = 4_u32;
    let mut more = first & 128 != 0;
    while more {
        let [byte] = next(pack, &mut at)?;
        let part = u64::from(byte & 127);
        let shifted = part.checked_shl(shift).filter(|it| it >> shift == part);
        size |= shifted.ok_or_else(|| damaged(pack, "its size is too large"))?;
        shift = shift.saturating_add(7);
        more = byte & 128 != 0;
    }
    let base = match (first >> 4) & 7 {
        1 => Base::Whole(ObjectKind::Commit),
        2 => Base::Whole(ObjectKind::Tree),
        3 => Base::Whole(ObjectKind::Blob),
        4 => Base::Whole(ObjectKind::Tag),
        6 => {
            let distance = distance(pack, &mut at)?;
            let base = distance.and_then(|it| offset.checked_sub(it));
            let base = base.filter(|base| *base >= HEADER && *base < offset);
            Base::Offset(base.ok_or_else(|| damaged(pack, "its base is not in the pack"))?)
        }
        7 => {
            let bytes: [u8; 32] = {
                let mut bytes = [0; 32];
                for byte in bytes.iter_mut().take(algorithm.bytes()) {
                    [*byte] = next(pack, &mut at)?;
                }
                bytes
            };
            let id = bytes
                .get(..algorithm.bytes())
                .and_then(|bytes| Id::from_bytes(algorithm, bytes));
            Base::Id(id.ok_or_else(|| damaged(pack, "its base is not an id"))?)
        }
        kind => {
            return Err(damaged(
                pack,
                &format!("there is no kind {kind} of objects"),
            ));
        }
    };
    Ok(Entry {
        base,
        size,
        start: at,
    })
}

fn next(pack: &mut Windows, at: &mut u64) -> Result<[u8; 1], Error> {
    let byte = pack.exact(*at)?;
    *at = at.saturating_add(1);
    Ok(byte)
}

/// The distance to the base: seven bits in each byte, the highest first, where each further byte adds one to what
/// is before it. `None` if it is too large.
fn distance(pack: &mut Windows, at: &mut u64) -> Result<Option<u64>, Error> {
    let [mut byte] = next(pack, at)?;
    let mut distance = u64::from(byte & 127);
    while byte & 128 != 0 {
        [byte] = next(pack, at)?;
        let moved = distance.checked_add(1).and_then(|it| it.checked_mul(128));
        let Some(moved) = moved else {
            return Ok(None);
        };
        distance = moved | u64::from(byte & 127);
    }
    Ok(Some(distance))
}
