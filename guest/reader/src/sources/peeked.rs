//! A source whose first bytes were looked at, and are still there to be read.

use crate::limits;
use crate::world::{FileError, Info, Source};

/// A source and its first bytes.
pub struct Peeked {
    source: Box<dyn Source>,
    head: Vec<u8>,
    /// Why there are no more bytes behind those.
    failed: Option<FileError>,
}

impl Peeked {
    /// Reads the first bytes of a source of `size` bytes, if that is known.
    ///
    /// # Errors
    /// If not even the first one can be read.
    pub fn new(mut source: Box<dyn Source>, size: Option<u64>) -> Result<Self, FileError> {
        let mut head = Vec::new();
        let mut failed = None;
        // Streams give a few bytes at a time.
        while head.len() < limits::SNIFF_BYTES {
            let before = head.len();
            match source.read(before as u64, limits::CHUNK_BYTES, &mut head) {
                Ok(()) => {}
                Err(error) if before == 0 => return Err(error),
                Err(error) => failed = Some(error),
            }
            if head.len() == before || size == Some(head.len() as u64) {
                break;
            }
        }
        Ok(Self {
            source,
            head,
            failed,
        })
    }

    /// The first bytes: [`limits::SNIFF_BYTES`] at least, unless that is all.
    pub fn head(&self) -> &[u8] {
        &self.head
    }
}

impl Source for Peeked {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let held = self.head.get(skipped..).unwrap_or_default();
        if held.is_empty() {
            return match self.failed.take() {
                Some(error) => Err(error),
                None => self.source.read(offset, len, out),
            };
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

    fn rewindable(&self) -> bool {
        self.source.rewindable()
    }

    fn info(&mut self) -> Info {
        self.source.info()
    }
}
