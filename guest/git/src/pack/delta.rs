//! Differences between objects: a list of parts of the base, and of new bytes.

use crate::error::Error;
use crate::limits;

/// Applies a difference to its base, and returns the object. `what` names it for errors.
pub fn apply(base: &[u8], delta: &[u8], what: &str) -> Result<Vec<u8>, Error> {
    let damaged = |why: &str| Error::damaged(what, why);
    let cut = || damaged("a difference ends too early");
    let mut rest = delta;
    let base_size = number(&mut rest).ok_or_else(cut)?;
    let size = number(&mut rest).ok_or_else(cut)?;
    if base_size != base.len() as u64 {
        return Err(damaged("a difference is for a base of another size"));
    }
    if size > limits::OBJECT_BYTES {
        return Err(Error::limit("git-object-bytes", limits::OBJECT_BYTES, what));
    }
    let size = usize::try_from(size).map_err(|_| cut())?;
    // A part of the base may be copied many times, so that the size may be larger than all bytes that exist.
    let mut out = Vec::with_capacity(size.min(base.len().saturating_add(delta.len())));
    while let Some((&code, after)) = rest.split_first() {
        rest = after;
        let part = if code & 128 != 0 {
            let (offset, length) = copy(code, &mut rest).ok_or_else(cut)?;
            let end = offset.saturating_add(length);
            base.get(offset..end)
                .ok_or_else(|| damaged("a difference copies from outside of its base"))?
        } else if code != 0 {
            let (part, after) = rest.split_at_checked(usize::from(code)).ok_or_else(cut)?;
            rest = after;
            part
        } else {
            return Err(damaged("a difference has the reserved code 0"));
        };
        if out.len().saturating_add(part.len()) > size {
            return Err(damaged("a difference makes more bytes than it states"));
        }
        out.extend_from_slice(part);
    }
    if out.len() != size {
        return Err(damaged("a difference makes fewer bytes than it states"));
    }
    Ok(out)
}

/// The size of the object that a difference makes. `start` is the start of the difference.
pub fn result_size(start: &[u8]) -> Option<u64> {
    let mut rest = start;
    number(&mut rest)?;
    number(&mut rest)
}

/// A number: seven bits in each byte, the lowest first.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    let mut shift = 0_u32;
    loop {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        let part = u64::from(byte & 127);
        number |= part.checked_shl(shift).filter(|it| it >> shift == part)?;
        if byte & 128 == 0 {
            return Some(number);
        }
        shift = shift.saturating_add(7);
    }
}

/// The offset and the length of a part of the base. Each of the seven low bits of the code says whether a byte of
/// them follows.
fn copy(code: u8, rest: &mut &[u8]) -> Option<(usize, usize)> {
    let mut value = |bits: u8, count: u32| {
        let mut value = 0_u32;
        for place in 0..count {
            if (bits >> place) & 1 == 1 {
                let (&byte, after) = rest.split_first()?;
                *rest = after;
                value |= u32::from(byte) << (place.saturating_mul(8));
            }
        }
        usize::try_from(value).ok()
    };
    let offset = value(code, 4)?;
    let length = value(code >> 4, 3)?;
    Some((offset, if length == 0 { 0x10000 } else { length }))
}
