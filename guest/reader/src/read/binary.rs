//! Binary files: the name of the format, and a hex dump of the first bytes.

use crate::answer::{Binary, UNKNOWN_FORMAT};
use crate::encoding::Encoding;
use crate::limits;
use crate::pages::Input;
use crate::sniff::{self, Container, Other};
use std::fmt::Write as _;

/// Describes a binary file. The result has a hex dump and, unless `bytes` is `None`, up to that
/// many of the first bytes. `encoding` is `Some` if the bytes can also be decoded as text, such as
/// UTF-16 text that a dialect treats as binary because of its NUL characters. `file` is the name of
/// the file.
pub fn read(
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    bytes: Option<u64>,
    file: &str,
) -> Binary {
    let head = input.head();
    let container = Container::of(head);
    let name = match container {
        Some(container) => Some(container.name()),
        None => sniff::image_name(head).map(str::to_owned),
    };
    let name = name.or_else(|| other(head, encoding, file).map(|format| format.name.to_owned()));
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

/// The note on a format that the reader does not read, with a program that reads it. `None` if the
/// format has no name or no such program. The arguments are those of [`read`].
pub fn other_program(head: &[u8], encoding: Option<Encoding>, file: &str) -> Option<String> {
    if Container::of(head).is_some() || sniff::image_name(head).is_some() {
        return None;
    }
    let Other { name, tool, .. } = other(head, encoding, file)?;
    (!tool.is_empty())
        .then(|| format!("{name}: this format is not supported; read it with `{tool}`"))
}

/// The format of a file that is neither text nor a container nor an image.
fn other(head: &[u8], encoding: Option<Encoding>, file: &str) -> Option<&'static Other> {
    if encoding.is_some() {
        return None;
    }
    Other::of(head).or_else(|| Other::of_name(file))
}

/// Whether most of the first bytes are those of a text.
pub fn is_mostly_text(head: &[u8]) -> bool {
    let first = head.get(..limits::SNIFF_BYTES).unwrap_or(head);
    let is_text = |byte: &&u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let text = first.iter().filter(is_text).count();
    text.saturating_mul(4) > first.len().saturating_mul(3)
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
