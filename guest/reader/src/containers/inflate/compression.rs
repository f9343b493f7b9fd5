//! Formats of compressed files, by their first bytes.

use super::codec::Codec;
use super::zstd::skippable;

/// The format of a compressed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip (RFC 1952).
    Gzip,
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
    /// Zstandard (RFC 8878).
    Zstd,
    /// LZMA, the format before xz.
    Lzma,
}

impl Compression {
    /// The format of a compressed file by its first bytes.
    pub fn of(head: &[u8]) -> Option<Self> {
        const BLOCK: &[u8] = &[0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
        const NO_BLOCK: &[u8] = &[0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
        // A frame without data, which lz4 has as well: the next frame decides.
        let mut rest = head;
        while let Some(length) = skippable(rest) {
            rest = rest.get(usize::try_from(length).ok()?..)?;
        }
        if rest.len() < head.len() {
            return Self::of(rest).filter(|format| *format == Self::Zstd);
        }
        Some(match head {
            // 8 is the only method of compression.
            [0x1f, 0x8b, 8, ..] => Self::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if rest.starts_with(BLOCK) || rest.starts_with(NO_BLOCK) =>
            {
                Self::Bzip2
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            head if is_lzma(head) => Self::Lzma,
            _ => return None,
        })
    }

    /// What decompresses it.
    pub fn codec(self) -> Codec {
        match self {
            Self::Gzip => Codec::Gzip,
            Self::Bzip2 => Codec::Bzip2,
            Self::Xz => Codec::Xz,
            Self::Zstd => Codec::Zstd,
            Self::Lzma => Codec::LzmaFile,
        }
    }

    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        self.codec().name()
    }
}

/// Whether this is the header of an LZMA file, which has no magic number: properties, a
/// dictionary of 2^n or 2^n + 2^(n-1) bytes (those that `xz` takes for LZMA), a size
/// that is unknown or could be one, and the first byte of the range coder, which is
/// 0. Properties other than the usual ones are taken with an unknown size alone.
fn is_lzma(head: &[u8]) -> bool {
    let [properties, a, b, c, d, size @ ..] = head else {
        return false;
    };
    let dictionary = u32::from_le_bytes([*a, *b, *c, *d]);
    let half_more = dictionary % 3 == 0 && (dictionary / 3).is_power_of_two();
    let sound = dictionary >= 4096 && (dictionary.is_power_of_two() || half_more);
    let size = match size {
        [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, ..] => *properties < 225,
        [_, _, _, _, _, 0, 0, 0, 0, ..] => *properties == 0x5d,
        _ => false,
    };
    sound && size
}
