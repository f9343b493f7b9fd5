//! The header of a block of xz: its filters.

use super::super::boxed::Output;
use super::bytes::{Bytes, crc32, damaged, number, unsupported};
use lzma_rust2::Lzma2Reader;
use lzma_rust2::filter::{bcj::BcjReader, delta::DeltaReader};
use std::io::{self, ErrorKind, Read as _};

/// The number of LZMA2, and those of the filters for differences and for jumps in machine code.
const LZMA2: u64 = 0x21;
const DELTA: u64 = 3;
const JUMPS: std::ops::RangeInclusive<u64> = 4..=11;

/// The flags of a header that have no meaning, and those of the sizes of the block.
const RESERVED: u8 = 0x3c;
const SIZES: [(u8, usize, &str); 2] = [
    (0x40, 8, "XZ block header too short for compressed size"),
    (0x80, 1, "XZ block header too short for uncompressed size"),
];

/// A filter, and its parameter.
type Filter = (u64, u32);

/// The header of a block.
pub struct Header {
    /// The filters before LZMA2, the last one to be applied first.
    filters: Vec<Filter>,
    /// The size of the dictionary of LZMA2.
    dictionary: u32,
}

/// The bytes of a header that were not read.
struct Rest<'h>(&'h [u8]);

impl<'h> Rest<'h> {
    fn number(&mut self) -> io::Result<u64> {
        let (value, length) = number(self.0)?;
        self.0 = self.0.get(length..).unwrap_or_default();
        Ok(value)
    }

    /// Takes bytes, or fails with a message.
    fn take(&mut self, length: usize, message: &'static str) -> io::Result<&'h [u8]> {
        let (taken, rest) = self
            .0
            .split_at_checked(length)
            .ok_or_else(|| damaged(message))?;
        self.0 = rest;
        Ok(taken)
    }

    /// Fails with a message if there are fewer bytes.
    fn has(&self, length: usize, message: &'static str) -> io::Result<()> {
        (self.0.len() >= length)
            .then_some(())
            .ok_or_else(|| damaged(message))
    }

    /// The parameter of a filter that has one byte.
    fn parameter(&mut self, short: &'static str, wrong: &'static str) -> io::Result<u8> {
        self.has(1, short)?;
        if self.number()? != 1 {
            return Err(damaged(wrong));
        }
        let taken = self.take(1, short)?;
        Ok(taken.first().copied().unwrap_or_default())
    }

    fn filter(&mut self) -> io::Result<Filter> {
        self.has(1, "XZ block header too short for filters")?;
        let kind = self.number()?;
        let parameter = match kind {
            DELTA => {
                let parameter = self.parameter(
                    "XZ block header too short for Delta properties",
                    "invalid Delta properties size",
                )?;
                u32::from(parameter).saturating_add(1)
            }
            LZMA2 => match self.parameter(
                "XZ block header too short for LZMA2 properties",
                "invalid LZMA2 properties size",
            )? {
                size @ 0..40 => (2 | u32::from(size & 1)) << (size / 2).saturating_add(11),
                40 => u32::MAX,
                _ => return Err(damaged("invalid LZMA2 dictionary size")),
            },
            kind if JUMPS.contains(&kind) => self.start_of_jumps(kind)?,
            _ => {
                let message = "unsupported filter type found";
                return Err(io::Error::new(ErrorKind::Unsupported, message));
            }
        };
        Ok((kind, parameter))
    }

    /// The position in the program of the first byte, for a filter for jumps.
    fn start_of_jumps(&mut self, kind: u64) -> io::Result<u32> {
        self.has(1, "XZ block header too short for BCJ properties")?;
        match self.number()? {
            0 => return Ok(0),
            4 => {}
            _ => return Err(damaged("invalid BCJ properties size")),
        }
        let start = self.take(4, "XZ block header too short for BCJ start offset")?;
        let start = start.first_chunk().copied().unwrap_or_default();
        let start = u32::from_le_bytes(start);
        let multiple = match kind {
            4 => 1,
            6 => 16,
            8 | 11 => 2,
            _ => 4,
        };
        if !start.is_multiple_of(multiple) {
            return Err(damaged(
                "BCJ start offset not aligned to filter requirements",
            ));
        }
        Ok(start)
    }
}

impl Header {
    /// Reads a header. `None` if an index follows instead.
    ///
    /// # Errors
    /// Fails if the header is damaged, or if a filter is unknown.
    pub fn read(bytes: &mut Bytes) -> io::Result<Option<Self>> {
        let [words] = bytes.array()?;
        if words == 0 {
            return Ok(None);
        }
        let mut header = vec![words];
        let length = usize::from(words).saturating_add(1).saturating_mul(4);
        header.resize(length, 0);
        bytes.read_exact(header.get_mut(1..).unwrap_or_default())?;
        let Some((header, sum)) = header.split_last_chunk::<4>() else {
            return Ok(None);
        };
        if u32::from_le_bytes(*sum) != crc32(header) {
            return Err(damaged("XZ block header CRC32 mismatch"));
        }
        let [_, flags, rest @ ..] = header else {
            return Ok(None);
        };
        if flags & RESERVED != 0 {
            return Err(unsupported("reserved block flag bits are set"));
        }
        let mut rest = Rest(rest);
        for (flag, least, message) in SIZES {
            if flags & flag != 0 {
                // The checksum counts as well.
                rest.has(least.saturating_sub(4), message)?;
                rest.number()?;
            }
        }
        let mut filters = Vec::new();
        for _ in 0..=flags & 3 {
            filters.push(rest.filter()?);
        }
        let Some((LZMA2, dictionary)) = filters.pop() else {
            let message = "XZ block's last filter must be a LZMA2 filter";
            return Err(io::Error::new(ErrorKind::Unsupported, message));
        };
        if filters.iter().any(|it| it.0 == LZMA2) {
            return Err(damaged("LZMA2 must be the last XZ block filter"));
        }
        if rest.0.iter().any(|byte| *byte != 0) {
            return Err(damaged("invalid XZ block header padding"));
        }
        Ok(Some(Self {
            filters,
            dictionary,
        }))
    }

    /// A reader of the content of the block.
    ///
    /// # Errors
    /// Fails if it needs more than `most` KiB.
    pub fn content(self, bytes: Bytes, most: u32) -> io::Result<Output> {
        let lzma2 = Lzma2Reader::new_mem_limit(bytes, self.dictionary, most, None)?;
        let mut content = Output::new(lzma2);
        for (kind, parameter) in self.filters.into_iter().rev() {
            let start = usize::try_from(parameter).unwrap_or(usize::MAX);
            let new = match kind {
                DELTA => {
                    content = Output::new(DeltaReader::new(content, start));
                    continue;
                }
                4 => BcjReader::new_x86,
                5 => BcjReader::new_ppc,
                6 => BcjReader::new_ia64,
                7 => BcjReader::new_arm,
                8 => BcjReader::new_arm_thumb,
                9 => BcjReader::new_sparc,
                10 => BcjReader::new_arm64,
                _ => BcjReader::new_riscv,
            };
            content = Output::new(new(content, start));
        }
        Ok(content)
    }
}
