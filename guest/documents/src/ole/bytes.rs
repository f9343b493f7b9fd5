//! Numbers in the bytes of compound files, and their first bytes.

/// The first bytes of a compound file.
pub const MAGIC: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Reads two bytes of a position.
pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..)?.first_chunk::<2>()?;
    Some(u16::from_le_bytes(*field))
}

/// Reads four bytes of a position.
pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*field))
}
