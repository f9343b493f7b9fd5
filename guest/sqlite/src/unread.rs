//! The file of a database that is not known yet: only the size of its pages is.

/// The size of the pages of nearly all databases, as a header has it.
pub const PAGE_SIZE: [u8; 2] = [0x10, 0];

/// The offset of the size of pages in the header of a database.
pub const PAGE_SIZE_AT: usize = 16;

/// The offset of the number of unused bytes at the end of each page, which is 0 in nearly all databases.
const UNUSED_AT: usize = 20;

/// Whether a connection to a database with this header is in the state of one to an unread file, before it reads more
/// than the header.
pub fn fits(header: &[u8]) -> bool {
    let size = header.get(PAGE_SIZE_AT..PAGE_SIZE_AT + PAGE_SIZE.len());
    size == Some(&PAGE_SIZE) && header.get(UNUSED_AT) == Some(&0)
}

/// Reads the file. Returns the number of bytes.
pub fn read(offset: u64, room: &mut [u8]) -> usize {
    let mut header = [0; UNUSED_AT + 1];
    if let Some(size) = header.get_mut(PAGE_SIZE_AT..PAGE_SIZE_AT + PAGE_SIZE.len()) {
        size.copy_from_slice(&PAGE_SIZE);
    }
    let known = if offset == 0 { &header[..] } else { &[] };
    let bytes = room.iter_mut().zip(known);
    bytes.for_each(|(to, byte)| *to = *byte);
    known.len().min(room.len())
}
