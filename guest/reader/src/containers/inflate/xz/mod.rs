//! xz: one or more streams of blocks, each with a checksum.
//!
//! ```text
//! mod.rs  streams, their blocks, and the index after them
//! bytes   compressed bytes, numbers, and errors
//! header  headers of blocks
//! check   checksums of blocks
//! ```
//!
//! `lzma-rust2` decompresses the blocks. Its own reader of the format computes the checksum byte by byte, which takes
//! most of the time of text that is much shorter when it is compressed.

mod bytes;
mod check;
mod header;
#[cfg(test)]
mod tests;

use super::boxed::{Input, Output};
use crate::containers::crc32::Crc32;
use bytes::{Bytes, Counted, NUMBER_BYTES, crc32, damaged, number, unsupported};
use check::Check;
use header::Header;
use std::cell::RefCell;
use std::io::{self, ErrorKind, Read};
use std::rc::Rc;

/// The first bytes of a stream, and its last ones.
const MAGIC: [u8; 6] = *b"\xfd7zXZ\0";
const END_MAGIC: [u8; 2] = *b"YZ";

/// A block that is being read.
struct Block {
    content: Output,
    check: Check,
}

/// A reader of the decompressed content of all streams.
pub struct Streams {
    bytes: Bytes,
    /// The maximum number of KiB that decompression may need.
    most: u32,
    /// The second flag of the stream, which is the kind of checksum. `None` before the first stream.
    flag: Option<u8>,
    /// The number of blocks of the stream so far.
    blocks: u64,
    block: Option<Block>,
    is_at_end: bool,
}

impl Streams {
    /// Creates a reader of the streams in `input`. A block that needs more than `most` KiB is an error.
    pub fn new(input: Input, most: u32) -> Self {
        let counted = Counted { input, count: 0 };
        Self {
            bytes: Bytes(Rc::new(RefCell::new(counted))),
            most,
            flag: None,
            blocks: 0,
            block: None,
            is_at_end: false,
        }
    }

    /// Reads the flags of a stream, after its first bytes.
    fn start(&mut self) -> io::Result<u8> {
        let flags: [u8; 2] = self.bytes.array()?;
        if self.bytes.sum()? != crc32(&flags) {
            return Err(damaged("XZ stream header CRC32 mismatch"));
        }
        let [0, flag @ 0..16] = flags else {
            return Err(unsupported("invalid XZ stream flags"));
        };
        Check::new(flag).ok_or_else(|| unsupported("unsupported XZ check type"))?;
        (self.flag, self.blocks) = (Some(flag), 0);
        Ok(flag)
    }

    /// Starts the next block. Returns false at the end of the last stream.
    fn next(&mut self) -> io::Result<bool> {
        let mut flag = match self.flag {
            Some(flag) => flag,
            None => {
                if self.bytes.array()? != MAGIC {
                    return Err(damaged("invalid XZ magic bytes"));
                }
                self.start()?
            }
        };
        loop {
            let Some(header) = Header::read(&mut self.bytes)? else {
                self.index(flag)?;
                if !self.next_stream()? {
                    self.is_at_end = true;
                    return Ok(false);
                }
                flag = self.start()?;
                continue;
            };
            self.bytes.restart();
            let content = header.content(self.bytes.clone(), self.most)?;
            let check = Check::new(flag).unwrap_or(Check::None);
            self.block = Some(Block { content, check });
            self.blocks = self.blocks.saturating_add(1);
            return Ok(true);
        }
    }

    /// Reads the padding after a block, and compares its checksum.
    fn end_of_block(&mut self, check: Check) -> io::Result<()> {
        for _ in padding(self.bytes.restart()) {
            let [byte] = self.bytes.array().map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => damaged("incomplete XZ block padding"),
                _ => error,
            })?;
            if byte != 0 {
                return Err(damaged("invalid XZ block padding"));
            }
        }
        let sum = check.sum();
        let mut expected = vec![0; sum.len()];
        self.bytes.read_exact(&mut expected)?;
        if expected != sum {
            return Err(damaged("invalid block checksum"));
        }
        Ok(())
    }

    /// Reads the index and the end of a stream. The first byte of the index was read.
    fn index(&mut self, flag: u8) -> io::Result<()> {
        let mut sum = Crc32::new();
        sum.update(&[0]);
        let mut size = 1;
        let count = self.index_number(&mut sum, &mut size)?;
        for _ in 0..count {
            let stored = self.index_number(&mut sum, &mut size)?;
            self.index_number(&mut sum, &mut size)?;
            if stored == 0 {
                return Err(damaged("invalid index record unpadded size"));
            }
        }
        for _ in padding(size) {
            let [byte] = self.bytes.array()?;
            if byte != 0 {
                return Err(damaged("invalid index padding"));
            }
            sum.update(&[byte]);
        }
        if self.bytes.sum()? != sum.sum() {
            return Err(damaged("index CRC32 mismatch"));
        }
        if count != self.blocks {
            return Err(damaged(
                "number of blocks processed doesn't match index records",
            ));
        }
        let expected = self.bytes.sum()?;
        let end: [u8; 6] = self.bytes.array()?;
        if expected != crc32(&end) {
            return Err(damaged("stream footer CRC32 mismatch"));
        }
        if self.bytes.array()? != END_MAGIC {
            return Err(damaged("invalid XZ footer magic bytes"));
        }
        let [_, _, _, _, flags @ ..] = end;
        if flags != [0, flag] {
            return Err(damaged("stream header and footer flags mismatch"));
        }
        Ok(())
    }

    /// Reads a number of the index.
    fn index_number(&mut self, sum: &mut Crc32, size: &mut u64) -> io::Result<u64> {
        let mut bytes = Vec::with_capacity(NUMBER_BYTES);
        while bytes.len() < NUMBER_BYTES {
            let [byte] = self.bytes.array()?;
            bytes.push(byte);
            if byte & 0x80 == 0 {
                sum.update(&bytes);
                *size = size.saturating_add(bytes.len() as u64);
                return Ok(number(&bytes)?.0);
            }
        }
        Err(damaged("XZ multibyte integer too long"))
    }

    /// Reads zeros, and the first bytes of the next stream. Returns false if there is no other stream.
    fn next_stream(&mut self) -> io::Result<bool> {
        let mut zeros = 0_u64;
        let first = loop {
            let mut byte = [0];
            if self.bytes.read(&mut byte)? == 0 {
                return Ok(false);
            }
            match byte {
                [0] => zeros = zeros.saturating_add(1),
                [first] => break first,
            }
        };
        let [magic, others @ ..] = MAGIC;
        if first != magic {
            return Err(damaged("invalid data after stream"));
        }
        let found: [u8; 5] = self.bytes.array().map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => damaged("incomplete XZ magic bytes"),
            _ => error,
        })?;
        if found != others {
            return Err(damaged("invalid data after stream padding"));
        }
        if !zeros.is_multiple_of(4) {
            return Err(damaged("stream padding size not multiple of 4"));
        }
        Ok(true)
    }
}

/// The bytes that are missing to a multiple of four.
fn padding(size: u64) -> std::ops::Range<u64> {
    size..size.next_multiple_of(4)
}

impl Read for Streams {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !self.is_at_end {
            let Some(block) = &mut self.block else {
                self.next()?;
                continue;
            };
            let read = block.content.read(out)?;
            if read > 0 || out.is_empty() {
                block.check.add(out.get(..read).unwrap_or_default());
                return Ok(read);
            }
            if let Some(Block { check, .. }) = self.block.take() {
                self.end_of_block(check)?;
            }
        }
        Ok(0)
    }
}
