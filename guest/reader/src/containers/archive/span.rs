//! A part of a source, as a source of its own.

use crate::world::{FileError, Source};

/// A range of bytes of another source.
pub struct Span {
    source: Box<dyn Source>,
    start: u64,
    length: u64,
}

impl Span {
    /// The `length` bytes of `source` from `start` on.
    pub fn new(source: Box<dyn Source>, start: u64, length: u64) -> Self {
        Self {
            source,
            start,
            length,
        }
    }
}

impl Source for Span {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let left = self.length.saturating_sub(offset);
        let len = usize::try_from(left).unwrap_or(usize::MAX).min(len);
        if len == 0 {
            return Ok(());
        }
        let before = out.len();
        self.source
            .read(self.start.saturating_add(offset), len, out)?;
        if out.len() == before {
            let message = format!("the archive ends {left} bytes before this member does");
            return Err(FileError::Other(message));
        }
        // A source may return more bytes than requested.
        out.truncate(before.saturating_add(len));
        Ok(())
    }

    fn seekable(&self) -> bool {
        self.source.seekable()
    }

    fn rewindable(&self) -> bool {
        self.source.rewindable()
    }

    fn remote(&self) -> bool {
        self.source.remote()
    }

    fn expect(&mut self, offset: u64, length: u64) {
        self.source
            .expect(self.start.saturating_add(offset), length);
    }
}
