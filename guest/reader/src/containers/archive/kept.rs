//! A member in memory, of a source that must be decompressed again to be read again, or that can be read only once.

use super::tape::Tape;
use crate::limits;
use crate::world::{FileError, Source};

/// The bytes of a member, and the error that ends them.
pub struct Kept {
    bytes: Vec<u8>,
    error: Option<FileError>,
    /// Whether the source of the member can be read again.
    rewindable: bool,
}

impl Kept {
    /// Reads the next `length` bytes. After an error, nothing more can be read from `tape`.
    pub fn read(tape: &mut Tape, length: u64) -> Self {
        let mut bytes = Vec::new();
        loop {
            let left = length.saturating_sub(bytes.len() as u64);
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            let before = bytes.len();
            let error = tape.append(left.min(limits::CHUNK_BYTES), &mut bytes).err();
            if error.is_some() || bytes.len() == before {
                return Self {
                    bytes,
                    error,
                    rewindable: tape.rewindable(),
                };
            }
        }
    }

    /// Whether all bytes up to the end were read without an error.
    pub fn is_sound(&self) -> bool {
        self.error.is_none()
    }
}

impl Source for Kept {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.bytes.get(start..).unwrap_or_default();
        match &self.error {
            Some(error) if rest.is_empty() => return Err(error.clone()),
            _ => out.extend_from_slice(rest.get(..len).unwrap_or(rest)),
        }
        Ok(())
    }

    // A reply is the same whether or not the member was kept.
    fn seekable(&self) -> bool {
        false
    }

    fn rewindable(&self) -> bool {
        self.rewindable
    }
}
