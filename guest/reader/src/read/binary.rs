//! Files that are not text: the name of their format, and their first bytes.

use crate::answer::Binary;
use crate::encoding::Encoding;
use crate::limits;
use crate::pages::Input;
use crate::sniff::{self, Container};
use std::fmt::Write as _;

/// The name of a format that is not known.
const UNKNOWN: &str = "unknown binary data";

/// Describes a file that is not read as text, and hands out as many of its
/// first bytes as are asked for. `encoding` is that of a text with zeros, which
/// some dialects take for binary.
pub fn read(input: &mut Input<'_>, encoding: Option<Encoding>, bytes: Option<u64>) -> Binary {
    let head = input.head();
    let container = Container::of(head);
    let name = match container {
        Some(container) => Some(container.name()),
        None => sniff::format_name(head).map(str::to_owned),
    };
    let text = |encoding: Encoding| {
        let guessed = if encoding.guessed { " (guessed)" } else { "" };
        format!("{} text{guessed}", encoding.coding.name())
    };
    let name = name.or_else(|| encoding.map(text));
    Binary {
        format: name.unwrap_or_else(|| UNKNOWN.to_owned()),
        hex: hex(head.get(..limits::HEX_BYTES).unwrap_or(head)),
        bytes: bytes.map(|limit| input.first(limit)),
        holds: container.is_some_and(Container::is_readable),
        raw: container != Some(Container::Database),
    }
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
    fn the_hex_view_is_that_of_hexdump() {
        assert_eq!(
            hex(b"\x7fELF\0 abcdefghijklm"),
            "00000000  7f 45 4c 46 00 20 61 62  63 64 65 66 67 68 69 6a  |.ELF. abcdefghij|\n\
             00000010  6b 6c 6d                                          |klm|\n"
        );
    }
}
