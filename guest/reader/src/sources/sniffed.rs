//! A source whose first bytes were looked at, and are still there to be read.

use crate::limits;
use crate::world::{FileError, Source, Stat};

/// A source and its first bytes.
pub struct Sniffed {
    source: Box<dyn Source>,
    head: Vec<u8>,
}

impl Sniffed {
    /// Reads the first bytes of a source of `size` bytes, if that is known.
    ///
    /// # Errors
    /// If not even the first one can be read.
    pub fn new(mut source: Box<dyn Source>, size: Option<u64>) -> Result<Self, FileError> {
        let mut head = Vec::new();
        // Streams give a few bytes at a time.
        while head.len() < limits::SNIFF_BYTES {
            let before = head.len();
            source.read(before as u64, limits::CHUNK_BYTES, &mut head)?;
            if head.len() == before || size == Some(head.len() as u64) {
                break;
            }
        }
        Ok(Self { source, head })
    }

    /// The first bytes: [`limits::SNIFF_BYTES`] at least, unless that is all.
    pub fn head(&self) -> &[u8] {
        &self.head
    }
}

impl Source for Sniffed {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let held = self.head.get(skipped..).unwrap_or_default();
        if held.is_empty() {
            return self.source.read(offset, len, out);
        }
        if skipped == 0 && out.capacity() == 0 && held.len() <= len {
            // They are read once: whoever reads them keeps them.
            *out = std::mem::take(&mut self.head);
        } else {
            out.extend_from_slice(held.get(..len).unwrap_or(held));
        }
        Ok(())
    }

    fn seekable(&self) -> bool {
        self.source.seekable()
    }

    fn stat(&mut self) -> Option<Stat> {
        self.source.stat()
    }
}
