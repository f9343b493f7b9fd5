//! Archives that are read forward, as from a tape.

use super::span::Span;
use super::{Member, Opened};
use crate::limits;
use crate::world::{FileError, Source};

/// A source that is read forward.
pub struct Tape {
    source: Box<dyn Source>,
    /// The next byte.
    pub at: u64,
}

impl Tape {
    /// A source from its start.
    pub fn new(source: Box<dyn Source>) -> Self {
        Self { source, at: 0 }
    }

    /// The member whose bytes come next.
    pub fn open(self, member: Member, name: usize) -> Opened {
        Opened {
            source: Box::new(Span::new(self.source, self.at, member.size)),
            member,
            name,
        }
    }

    /// The next bytes; fewer at the end.
    pub fn take(&mut self, length: usize) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        while bytes.len() < length {
            let before = bytes.len();
            let missing = length.saturating_sub(before);
            self.source.read(self.at, missing, &mut bytes)?;
            if bytes.len() == before {
                break;
            }
            let read = bytes.len().saturating_sub(before) as u64;
            self.at = self.at.saturating_add(read);
        }
        Ok(bytes)
    }

    /// Goes on behind so many bytes.
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
}
