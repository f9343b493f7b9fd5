//! A source of bytes in memory.

use super::{FileError, Source};

/// The bytes of a chunk from `offset` on. Both `offset` and `start`, the offset of the first byte
/// of the chunk, count from the start of the source. Empty if `offset` is outside the chunk.
pub fn part_from(chunk: &[u8], start: u64, offset: u64) -> &[u8] {
    let skipped = offset.checked_sub(start);
    let skipped = skipped.and_then(|skipped| usize::try_from(skipped).ok());
    skipped
        .and_then(|skipped| chunk.get(skipped..))
        .unwrap_or_default()
}

/// A source of bytes that are in memory.
#[derive(Debug)]
pub struct Bytes(Vec<u8>);

impl Bytes {
    /// Creates a source of these bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Source for Bytes {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let start = usize::try_from(offset)
            .unwrap_or(usize::MAX)
            .min(self.0.len());
        let end = start.saturating_add(len).min(self.0.len());
        out.extend_from_slice(self.0.get(start..end).unwrap_or_default());
        Ok(())
    }

    fn seekable(&self) -> bool {
        true
    }
}
