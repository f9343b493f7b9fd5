//! Checks of a member against its archive: its size and its CRC-32.

use super::index::Member;
use crate::containers::crc32::Crc32;
use crate::limits;
use crate::units;
use crate::world::{FileError, Info, Source};

/// The bytes of an archive member, checked against the size and the checksum that the archive
/// states. No bytes after the stated size are returned.
pub struct Checked {
    source: Box<dyn Source>,
    info: Info,
    /// Size in bytes, as the archive states it.
    size: u64,
    /// CRC-32 of all bytes of the member, if the archive states it.
    expected: Option<u32>,
    sum: Crc32,
    /// Offset up to which `sum` covers the bytes of the member. `None` if a read skipped bytes.
    summed: Option<u64>,
}

impl Checked {
    /// Wraps `source`, so that its bytes are checked against the size in `member` and against
    /// `expected`, the CRC-32 that the archive states.
    pub fn new(source: Box<dyn Source>, member: &Member, expected: Option<u32>) -> Self {
        Self {
            source,
            info: member.info(),
            size: member.size,
            expected,
            sum: Crc32::new(),
            summed: Some(0),
        }
    }

    /// Adds bytes that were read at `offset` to the checksum. A read at offset 0 starts a new
    /// checksum.
    fn add(&mut self, offset: u64, bytes: &[u8]) {
        if offset == 0 {
            self.sum = Crc32::new();
            self.summed = Some(0);
        }
        if self.summed == Some(offset) {
            self.sum.update(bytes);
            self.summed = Some(offset.saturating_add(bytes.len() as u64));
        } else {
            self.summed = None;
        }
    }

    /// Checks the size and the checksum after the member was read to its stated end.
    ///
    /// # Errors
    /// Fails if there are more bytes than the archive states, or if the checksum differs.
    fn verify(&mut self) -> Result<(), FileError> {
        let mut more = Vec::new();
        self.source.read(self.size, 1, &mut more)?;
        if !more.is_empty() {
            return Err(FileError::Other(format!(
                "the archive states {}; bytes after these are left out",
                units::bytes(self.size)
            )));
        }
        match self.expected {
            Some(expected) if self.summed == Some(self.size) && self.sum.sum() != expected => {
                Err(FileError::Other(
                    "the checksum does not match the archive, so some bytes are wrong".to_owned(),
                ))
            }
            _ => Ok(()),
        }
    }
}

impl Source for Checked {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if offset >= self.size {
            return self.verify();
        }
        let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let before = out.len();
        self.source.read(offset, len.min(left), out)?;
        out.truncate(before.saturating_add(left));
        let bytes = out.get(before..).unwrap_or_default();
        if bytes.is_empty() {
            return Err(FileError::Other(format!(
                "the archive states {}, but its data ends here",
                units::bytes(self.size)
            )));
        }
        self.add(offset, bytes);
        Ok(())
    }

    /// Small members are not seekable. They are read whole and in order, so that their checksum can
    /// be verified.
    fn seekable(&self) -> bool {
        self.source.seekable() && self.size > limits::WHOLE_BYTES
    }

    fn rewindable(&self) -> bool {
        self.source.rewindable()
    }

    fn info(&mut self) -> Info {
        self.info.clone()
    }
}
