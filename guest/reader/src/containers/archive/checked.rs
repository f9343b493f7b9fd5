//! A member against what its archive says of it: its size and its sum.

use super::Member;
use crate::limits;
use crate::units;
use crate::world::{FileError, Info, Source};
use flate2::Crc;

/// The bytes of a member, no more than there should be.
pub struct Checked {
    source: Box<dyn Source>,
    info: Info,
    /// Its size, as the archive tells it.
    size: u64,
    /// CRC-32 of all bytes.
    expected: Option<u32>,
    sum: Crc,
    /// Where the bytes end that the sum is of; none if some were passed over.
    summed: Option<u64>,
}

impl Checked {
    /// The bytes of a member of which this is told, and this CRC-32.
    pub fn new(source: Box<dyn Source>, member: &Member, expected: Option<u32>) -> Self {
        Self {
            source,
            info: member.info(),
            size: member.size,
            expected,
            sum: Crc::new(),
            summed: Some(0),
        }
    }

    /// Adds bytes that were read to the sum.
    fn add(&mut self, offset: u64, bytes: &[u8]) {
        if offset == 0 {
            self.sum.reset();
            self.summed = Some(0);
        }
        if self.summed == Some(offset) {
            self.sum.update(bytes);
            self.summed = Some(offset.saturating_add(bytes.len() as u64));
        } else {
            self.summed = None;
        }
    }

    /// Why the bytes are not those of the archive, at their end.
    fn verify(&mut self) -> Result<(), FileError> {
        let mut more = Vec::new();
        self.source.read(self.size, 1, &mut more)?;
        if !more.is_empty() {
            return Err(FileError::Other(format!(
                "the archive says {}, and there is more, which is left out",
                units::bytes(self.size)
            )));
        }
        match self.expected {
            Some(expected) if self.summed == Some(self.size) && self.sum.sum() != expected => {
                Err(FileError::Other(
                    "the checksum is not the one that the archive tells, so some bytes are wrong"
                        .to_owned(),
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
                "the archive says {}, and they end here",
                units::bytes(self.size)
            )));
        }
        self.add(offset, bytes);
        Ok(())
    }

    /// What is small is read as a whole and in order, so that its sum is told.
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
