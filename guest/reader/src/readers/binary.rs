//! Files that are not text: what their first bytes tell.

use crate::answer::Binary;
use crate::encoding::Encoding;
use crate::limits;
use crate::pages::Input;
use crate::sources::archive::{self, Foreign};
use crate::sources::{Codec, is_database};
use std::borrow::Cow;
use std::fmt::Write as _;

/// First bytes of common formats, with the offset at which they stand. From
/// the `file` database and the formats' own specifications; the first match
/// counts.
const FORMATS: &[(usize, &[u8], &str)] = &[
    (0, b"\x89PNG\r\n\x1a\n", "PNG image"),
    (0, b"\xff\xd8\xff", "JPEG image"),
    (0, b"GIF8", "GIF image"),
    (8, b"WEBP", "WebP image"),
    (8, b"WAVE", "WAVE audio"),
    (8, b"AVI ", "AVI video"),
    (0, b"II*\0", "TIFF image"),
    (0, b"MM\0*", "TIFF image"),
    (0, b"\0\0\x01\0", "icon"),
    (4, b"ftypavif", "AVIF image"),
    (4, b"ftypheic", "HEIC image"),
    (4, b"ftypM4A", "MPEG-4 audio"),
    (4, b"ftyp", "MPEG-4 video"),
    (0, b"\x1aE\xdf\xa3", "Matroska video"),
    (0, b"ID3", "MP3 audio"),
    (0, b"\xff\xfb", "MP3 audio"),
    (0, b"fLaC", "FLAC audio"),
    (0, b"OggS", "Ogg audio or video"),
    (0, b"%PDF-", "PDF document"),
    (
        0,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "OLE document (old Office format)",
    ),
    (0, b"\x7fELF", "ELF executable"),
    (0, b"\0asm\x01\0\0\0", "WebAssembly module"),
    (0, b"\0asm", "WebAssembly component"),
    (0, b"\xcf\xfa\xed\xfe", "Mach-O executable"),
    (0, b"\xce\xfa\xed\xfe", "Mach-O executable"),
    (
        0,
        b"\xca\xfe\xba\xbe",
        "Java class or universal Mach-O executable",
    ),
    (0, b"MZ", "Windows executable"),
    (0, b"wOFF", "WOFF font"),
    (0, b"wOF2", "WOFF2 font"),
    (0, b"OTTO", "OpenType font"),
    (0, b"\0\x01\0\0\0", "TrueType font"),
    (0, b"PAR1", "Parquet file"),
    (0, b"\x93NUMPY", "NumPy array"),
];

const UNKNOWN: &str = "unknown binary data";

/// Describes a file that is not read as text, and hands out as many of its
/// first bytes as are asked for. `encoding` is that of a text with zeros, which
/// some dialects take for binary.
pub fn read(input: &mut Input<'_>, encoding: Option<Encoding>, bytes: Option<u64>) -> Binary {
    let head = input.head();
    let container = container(head);
    let holds = container.is_some();
    let raw = !is_database(head);
    let known = container.unwrap_or_else(|| format(head).into());
    Binary {
        format: match encoding {
            Some(encoding) if known == UNKNOWN => {
                let guessed = if encoding.guessed { " (guessed)" } else { "" };
                format!("{} text{guessed}", encoding.coding.name())
            }
            _ => known.into_owned(),
        },
        hex: hex(head.get(..limits::HEX_BYTES).unwrap_or(head)),
        bytes: bytes.map(|limit| input.first(limit)),
        holds,
        raw,
    }
}

/// Whether first bytes tell a format.
pub fn is_known(head: &[u8]) -> bool {
    container(head).is_some() || format(head) != UNKNOWN
}

/// The format of a file that can be looked into.
fn container(head: &[u8]) -> Option<Cow<'static, str>> {
    if let Some(archive) = archive::Format::of(head) {
        return Some(archive.name().into());
    }
    if is_database(head) {
        return Some("SQLite database".into());
    }
    Some(format!("{} data", Codec::of(head)?.name()).into())
}

/// The format of any other file.
fn format(head: &[u8]) -> &'static str {
    let known = FORMATS.iter().find(|(offset, magic, _)| {
        let head = head.get(*offset..);
        head.is_some_and(|bytes| bytes.starts_with(magic))
    });
    let foreign = || Foreign::of(head).map(|format| format.name);
    known
        .map(|(_, _, name)| *name)
        .or_else(foreign)
        .unwrap_or(UNKNOWN)
}

/// Offsets, hex digits and characters, as `hexdump -C` shows them.
fn hex(bytes: &[u8]) -> String {
    let mut out = String::new();
    for (row, chunk) in bytes.chunks(limits::HEX_WIDTH).enumerate() {
        let _ = write!(out, "{:08x} ", row.saturating_mul(limits::HEX_WIDTH));
        for column in 0..limits::HEX_WIDTH {
            if column == limits::HEX_WIDTH / 2 {
                out.push(' ');
            }
            let _ = match chunk.get(column) {
                Some(byte) => write!(out, " {byte:02x}"),
                None => write!(out, "   "),
            };
        }
        let text: String = chunk
            .iter()
            .map(|byte| {
                if (b' '..=b'~').contains(byte) {
                    char::from(*byte)
                } else {
                    '.'
                }
            })
            .collect();
        let _ = writeln!(out, "  |{text}|");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_bytes() {
        assert_eq!(format(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "PNG image");
        assert_eq!(format(b"RIFF\x10\0\0\0WEBPVP8 "), "WebP image");
        assert_eq!(format(b"\x01\x02\x03\0"), "unknown binary data");
    }

    #[test]
    fn the_hex_view_is_that_of_hexdump() {
        assert_eq!(
            hex(b"\x7fELF\0 abcdefghijklm"),
            "00000000  7f 45 4c 46 00 20 61 62  63 64 65 66 67 68 69 6a  |.ELF. abcdefghij|\n\
             00000010  6b 6c 6d                                          |klm|\n"
        );
    }
}
