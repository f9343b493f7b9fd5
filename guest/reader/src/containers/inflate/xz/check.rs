//! Checksums of blocks of xz.

use crate::containers::crc32::Crc32;
use sha2::{Digest as _, Sha256};

/// A checksum while bytes are added.
pub enum Check {
    None,
    Crc32(Crc32),
    Crc64(u64),
    Sha256(Box<Sha256>),
}

impl Check {
    /// Creates a checksum by its number in the format. `None` if the number is unknown.
    pub fn new(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::None,
            1 => Self::Crc32(Crc32::new()),
            4 => Self::Crc64(u64::MAX),
            10 => Self::Sha256(Box::default()),
            _ => return None,
        })
    }

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        match self {
            Self::None => {}
            Self::Crc32(sum) => sum.update(bytes),
            Self::Crc64(sum) => *sum = crc64(*sum, bytes),
            Self::Sha256(sum) => sum.update(bytes),
        }
    }

    /// The checksum as it is in the file.
    pub fn sum(self) -> Vec<u8> {
        match self {
            Self::None => Vec::new(),
            Self::Crc32(sum) => sum.sum().to_le_bytes().to_vec(),
            Self::Crc64(sum) => (!sum).to_le_bytes().to_vec(),
            Self::Sha256(sum) => sum.finalize().to_vec(),
        }
    }
}

/// The number of bytes that are added at once.
const BYTES: usize = 8;

/// For each place from the end of [`BYTES`] bytes, what a byte adds to the checksum.
static TABLES: [[u64; 256]; BYTES] = tables();

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "it runs in the compiler"
)]
const fn tables() -> [[u64; 256]; BYTES] {
    const POLYNOMIAL: u64 = 0xc96c_5795_d787_0f42;
    let mut tables = [[0; 256]; BYTES];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 != 0 {
                (sum >> 1) ^ POLYNOMIAL
            } else {
                sum >> 1
            };
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut place = 1;
    while place < BYTES {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[place - 1][byte];
            tables[place][byte] = (before >> 8) ^ tables[0][(before & 255) as usize];
            byte += 1;
        }
        place += 1;
    }
    tables
}

/// Adds bytes to a CRC-64 of ECMA-182.
fn crc64(mut sum: u64, bytes: &[u8]) -> u64 {
    let [last, ..] = &TABLES;
    let (chunks, rest) = bytes.as_chunks::<BYTES>();
    for chunk in chunks {
        let mixed = sum ^ u64::from_le_bytes(*chunk);
        let tables = TABLES.iter().rev();
        sum = tables
            .zip(mixed.to_le_bytes())
            .fold(0, |sum, (table, byte)| sum ^ entry(table, byte));
    }
    for byte in rest {
        let [low, ..] = sum.to_le_bytes();
        sum = (sum >> 8) ^ entry(last, low ^ byte);
    }
    sum
}

/// An entry of a table. It has one for each byte.
#[inline]
fn entry(table: &[u64; 256], byte: u8) -> u64 {
    table.get(usize::from(byte)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc64_is_the_known_one() {
        // The check value of the catalogue of CRC algorithms.
        assert_eq!(!crc64(u64::MAX, b"123456789"), 0x995d_c9bb_df19_39fa);
        let bytes: Vec<u8> = (0..=255).collect();
        let whole = crc64(u64::MAX, &bytes);
        for middle in 0..bytes.len() {
            let (start, end) = bytes.split_at(middle);
            assert_eq!(crc64(crc64(u64::MAX, start), end), whole);
        }
    }
}
