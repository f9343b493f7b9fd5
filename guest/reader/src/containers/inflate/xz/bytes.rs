//! The compressed bytes of a stream, their numbers, and errors.

use crate::containers::crc32::Crc32;
use crate::containers::inflate::boxed::Input;
use std::cell::RefCell;
use std::io::{self, ErrorKind, Read};
use std::rc::Rc;

/// The maximum number of bytes of a number.
pub const NUMBER_BYTES: usize = 9;

/// An error of a stream.
pub fn damaged(message: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message)
}

/// An error of a stream that no reader reads.
pub fn unsupported(message: &'static str) -> io::Error {
    io::Error::new(ErrorKind::Unsupported, message)
}

/// The compressed bytes, which the filters of a block read too.
#[derive(Clone)]
pub struct Bytes(pub Rc<RefCell<Counted>>);

/// The bytes, and how many of them were read.
pub struct Counted {
    /// The compressed bytes.
    pub input: Input,
    /// The number of bytes that were read from the start of the block.
    pub count: u64,
}

impl Read for Bytes {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut counted = self.0.borrow_mut();
        let read = counted.input.read(out)?;
        counted.count = counted.count.saturating_add(read as u64);
        Ok(read)
    }
}

impl Bytes {
    /// Sets the number of bytes that were read to zero. Returns the number before.
    pub fn restart(&self) -> u64 {
        std::mem::take(&mut self.0.borrow_mut().count)
    }

    /// The next bytes.
    pub fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// A CRC-32.
    pub fn sum(&mut self) -> io::Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }
}

/// The CRC-32 of bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = Crc32::new();
    sum.update(bytes);
    sum.sum()
}

/// A number in parts of seven bits, the lowest first, and the number of its bytes.
pub fn number(bytes: &[u8]) -> io::Result<(u64, usize)> {
    let mut value = 0;
    for (place, byte) in bytes.iter().enumerate() {
        if place >= NUMBER_BYTES {
            return Err(damaged("XZ multibyte integer too large"));
        }
        value |= u64::from(byte & 0x7f) << place.saturating_mul(7);
        if byte & 0x80 == 0 {
            return Ok((value, place.saturating_add(1)));
        }
    }
    Err(damaged("incomplete XZ multibyte integer"))
}
