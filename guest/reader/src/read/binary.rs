//! Binary files: the name of the format, and a hex dump of the first bytes.

use crate::answer::{Binary, UNKNOWN_FORMAT};
use crate::encoding::Encoding;
use crate::limits;
use crate::pages::Input;
use crate::sniff::{self, Container};
use std::fmt::Write as _;

/// Describes a binary file. The result has a hex dump and, unless `bytes` is `None`, up to that
/// many of the first bytes. `encoding` is `Some` if the bytes can also be decoded as text, such as
/// UTF-16 text that a dialect treats as binary because of its NUL characters.
pub fn read(input: &mut Input<'_>, encoding: Option<Encoding>, bytes: Option<u64>) -> Binary {
    let head = input.head();
    let container = Container::of(head);
    let name = match container {
        Some(container) => Some(container.name()),
        None => sniff::format_name(head).map(str::to_owned),
    };
    let text = |encoding: Encoding| {
        let guessed = if encoding.guessed { " (guessed)" } else { "" };
        format!("{} text{guessed}", encoding.charset.name())
    };
    let is_text = name.is_none() && encoding.is_some();
    let name = name.or_else(|| encoding.map(text));
    let first = head.get(..limits::HEX_BYTES).unwrap_or(head);
    Binary {
        format: name.unwrap_or_else(|| UNKNOWN_FORMAT.to_owned()),
        is_text,
        hex: hex(first),
        hex_bytes: first.len(),
        bytes: bytes.map(|limit| input.first(limit).into_owned()),
        is_container: container.is_some_and(Container::is_readable),
    }
}

/// Formats a hex dump in the layout of `hexdump -C`.
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
    fn hex_dump_has_the_layout_of_hexdump() {
        assert_eq!(
            hex(b"\x7fELF\0 abcdefghijklm"),
            "00000000  7f 45 4c 46 00 20 61 62  63 64 65 66 67 68 69 6a  |.ELF. abcdefghij|\n\
             00000010  6b 6c 6d                                          |klm|\n"
        );
    }
}
