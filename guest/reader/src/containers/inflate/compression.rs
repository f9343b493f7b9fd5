//! Formats of compressed files, detected by their first bytes.

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
    /// Detects the format of a compressed file from its first bytes. `None` if they are not those
    /// of a compressed file.
    pub fn of(head: &[u8]) -> Option<Self> {
        const BLOCK: &[u8] = &[0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
        const NO_BLOCK: &[u8] = &[0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
        // lz4 has skippable frames as well, so the frame after them decides.
        let mut rest = head;
        while let Some(length) = skippable(rest) {
            rest = rest.get(usize::try_from(length).ok()?..)?;
        }
        if rest.len() < head.len() {
            return Self::of(rest).filter(|format| *format == Self::Zstd);
        }
        Some(match head {
            // 8 (deflate) is the only compression method that RFC 1952 defines.
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

    /// The codec that decompresses the format.
    pub fn codec(self) -> Codec {
        match self {
            Self::Gzip => Codec::Gzip,
            Self::Bzip2 => Codec::Bzip2,
            Self::Xz => Codec::Xz,
            Self::Zstd => Codec::Zstd,
            Self::Lzma => Codec::LzmaFile,
        }
    }

    /// The name of the format, for messages.
    pub fn name(self) -> &'static str {
        self.codec().name()
    }
}

/// Whether `head` is the header of an LZMA file. The format has no magic number, so all
/// fields are checked: the properties, a dictionary of 2^n or 2^n + 2^(n-1) bytes (the
/// sizes that `xz` accepts), a size that is unknown or plausible, and the first byte of
/// the range coder, which is 0. Unusual properties are accepted only with an unknown
/// size.
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
