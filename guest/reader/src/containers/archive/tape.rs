//! A source that is read forward, as from a tape.

use super::span::Span;
use crate::containers::shared::Shared;
use crate::limits;
use crate::world::{FileError, Source};

/// A source that is read in order, and the current position in it.
#[derive(Clone)]
pub struct Tape {
    source: Shared,
    /// Offset in the source of the next byte that is read.
    pub at: u64,
}

impl Tape {
    /// Starts at the first byte of a source.
    pub fn new(source: Shared) -> Self {
        Self { source, at: 0 }
    }

    /// Reads the next `length` bytes, or fewer at the end of the source.
    pub fn take(&mut self, length: usize) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        self.append(length, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads the next `length` bytes, or fewer at the end of the source, and appends them to `out`. After
    /// an error, `out` has the bytes before it.
    pub fn append(&mut self, length: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let end = out.len().saturating_add(length);
        while out.len() < end {
            let before = out.len();
            let missing = end.saturating_sub(before);
            self.source.read(self.at, missing, out)?;
            if out.len() == before {
                break;
            }
            let read = out.len().saturating_sub(before) as u64;
            self.at = self.at.saturating_add(read);
        }
        Ok(())
    }

    /// Whether any offset of the source can be read at any time.
    pub fn seekable(&self) -> bool {
        self.source.seekable()
    }

    /// Whether the source can be read again from its first byte.
    pub fn rewindable(&self) -> bool {
        self.source.rewindable()
    }

    /// Skips `length` bytes.
    pub fn skip(&mut self, length: u64) -> Result<(), FileError> {
        let end = self.at.saturating_add(length);
        if self.source.seekable() {
            self.at = end;
            return Ok(());
        }
        while self.at < end {
            let left = usize::try_from(end.saturating_sub(self.at)).unwrap_or(usize::MAX);
            if self.take(left.min(limits::CHUNK_BYTES))?.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Whether the source has at least `end` bytes. In a source that is not seekable, only the
    /// bytes read so far count, so this is called after the last header was read.
    pub fn reaches(&mut self, end: u64) -> Result<bool, FileError> {
        if !self.source.seekable() || end == 0 {
            return Ok(self.at >= end);
        }
        let mut last = Vec::new();
        self.source.read(end.saturating_sub(1), 1, &mut last)?;
        Ok(!last.is_empty())
    }

    /// The next `length` bytes, as a source of their own.
    pub fn span(self, length: u64) -> Span {
        Span::new(Box::new(self.source), self.at, length)
    }
}
