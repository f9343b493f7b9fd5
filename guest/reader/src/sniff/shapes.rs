//! Formats that are detected by the fields at their start, but not read.

use super::unread::{Other, other};

/// A format whose first bytes are numbers.
pub type Shaped = (fn(&[u8]) -> bool, Other);

/// Formats without magic bytes, each with a test of the fields at its start.
pub static SHAPED: &[Shaped] = &[
    (is_pyc, other("compiled Python code", "")),
    (is_pickle, other("Python pickle", "python3 -m pickletools")),
    (
        is_safetensors,
        other("safetensors model", "safetensors.safe_open"),
    ),
    (
        is_der,
        other(
            "DER data, such as a certificate",
            "openssl asn1parse -inform DER -in",
        ),
    ),
    (is_pgp, other("OpenPGP data", "gpg --list-packets")),
    (is_onnx, other("ONNX model", "onnx.load")),
    (
        is_arrow_stream,
        other("Arrow stream", "pyarrow.ipc.open_stream"),
    ),
    (
        is_transport_stream,
        other("MPEG transport stream", "ffprobe"),
    ),
    (
        is_zlib,
        other(
            "zlib data, such as an object of Git",
            "zlib-flate -uncompress <",
        ),
    ),
    (is_ebcdic, other("EBCDIC text", "iconv -f IBM1047 -t UTF-8")),
];

/// Python 3.7 and later write a number of two bytes, a line end, and flags of four bytes (PEP 552).
/// Python 2 has another number.
fn is_pyc(head: &[u8]) -> bool {
    matches!(
        head,
        [_, 0x0d..=0x0f, b'\r', b'\n', 0..=3, 0, 0, 0, ..]
            | [_, 0xf2 | 0xf3, b'\r', b'\n', _, _, _, _, b'c', ..]
    )
}

/// Protocols from 2 on: an opcode and the version. Those from 4 on have frames.
fn is_pickle(head: &[u8]) -> bool {
    matches!(
        head,
        [
            0x80,
            2 | 3,
            b'(' | b'X' | b'c' | b'}' | b']' | b'K' | b'J' | b'G' | b'N',
            ..
        ] | [0x80, 4 | 5, 0x95, ..]
            | [0x80, 2..=5, .., b'.']
    )
}

/// The size of a JSON object in eight bytes, and the object.
fn is_safetensors(head: &[u8]) -> bool {
    matches!(head, [_, _, _, 0..=5, 0, 0, 0, 0, b'{', b'"', ..])
}

/// A sequence with a length of two bytes, which starts with a sequence, a number or an identifier, or a
/// shorter one that is the whole file. A message in CMS may have no length.
fn is_der(head: &[u8]) -> bool {
    let whole =
        |length: u8, header: usize| usize::from(length).saturating_add(header) == head.len();
    match head {
        [0x30, 0x82, 1..=0x7f, _, 0x30, 0x80..=0x82, ..]
        | [0x30, 0x82, 1..=0x7f, _, 2, 1, 0..=3, ..]
        | [0x30, 0x82, 1..=0x7f, _, 6, 9, 0x2a, 0x86, ..]
        | [0x30, 0x80, 6, 9, 0x2a, 0x86, ..] => true,
        [0x30, 0x81, length, 0x30 | 2 | 6, ..] => whole(*length, 3),
        [0x30, length @ 0x20..=0x7f, 0x30 | 2 | 6, ..] => whole(*length, 2),
        _ => false,
    }
}

/// The fields of a model in the format of protocol buffers: its version, and the name of the program
/// that wrote it.
fn is_onnx(head: &[u8]) -> bool {
    let [8, 1..=32, 0x12, length @ 1..=64, rest @ ..] = head else {
        return false;
    };
    let (name, next) = rest
        .split_at_checked(usize::from(*length))
        .unwrap_or_default();
    let is_name = !name.is_empty() && name.iter().all(|byte| matches!(byte, b' '..=b'~'));
    is_name && matches!(next.first(), Some(0x1a | 0x22 | 0x28 | 0x32 | 0x3a | 0x42))
}

/// A mark of four bytes, and the length of a table of flatbuffers.
fn is_arrow_stream(head: &[u8]) -> bool {
    matches!(
        head,
        [
            0xff,
            0xff,
            0xff,
            0xff,
            _,
            _,
            0,
            0,
            0x10 | 0x0c | 0x14,
            0,
            0,
            0,
            ..
        ]
    )
}

/// Packets of 188 bytes.
fn is_transport_stream(head: &[u8]) -> bool {
    [0, 188, 376].iter().all(|at| head.get(*at) == Some(&b'G'))
}

/// The header of RFC 1950 for the usual window: the levels of compression, without a dictionary. The
/// type of the first block is valid.
fn is_zlib(head: &[u8]) -> bool {
    matches!(head, [0x78, 0x01 | 0x5e | 0x9c | 0xda, block, ..] if block & 6 != 6)
}

/// A packet of RFC 9580 whose version follows its length: an encrypted session key, a signature or a
/// key.
fn is_pgp(head: &[u8]) -> bool {
    matches!(
        head,
        [0x84 | 0x88 | 0x8c | 0x94 | 0x98, _, 3..=6, ..]
            | [0x85 | 0x89 | 0x95 | 0x99, 0..=0x20, _, 3..=6, ..]
            | [0xc1..=0xc3 | 0xc5 | 0xc6, 0..=191, 3..=6, ..]
            | [0xc1..=0xc3 | 0xc5 | 0xc6, 192..=223, _, 3..=6, ..]
    )
}

/// Letters and spaces of IBM mainframes: most bytes are above the ASCII range, and the rest are
/// spaces, line ends and signs.
pub fn is_ebcdic(head: &[u8]) -> bool {
    let first = head.get(..512).unwrap_or(head);
    let count = |test: fn(u8) -> bool| first.iter().filter(|byte| test(**byte)).count();
    let letters = count(
        |byte| matches!(byte, 0x81..=0x89 | 0x91..=0x99 | 0xa2..=0xa9 | 0xc1..=0xc9 | 0xd1..=0xd9 | 0xe2..=0xe9 | 0xf0..=0xf9),
    );
    let others = count(
        |byte| matches!(byte, 0x40 | 0x15 | 0x25 | 0x0d | 0x4b..=0x50 | 0x5a..=0x61 | 0x6b..=0x6f | 0x7a..=0x7f),
    );
    let spaces = count(|byte| byte == 0x40);
    // Nine tenths are letters, digits and spaces, and none is a space or a line end of ASCII.
    first.len() >= 16
        && spaces.saturating_mul(20) >= first.len()
        && letters.saturating_mul(2) >= first.len()
        && letters.saturating_add(others) == first.len()
        && !first.iter().any(|byte| matches!(byte, b' ' | b'\n'))
}
