//! Binary files: the name of the format, and a hex dump of the first bytes.

use crate::answer::{Binary, UNKNOWN_FORMAT};
use crate::encoding::Encoding;
use crate::limits;
use crate::pages::Input;
use crate::sniff::{self, Container, Other};
use std::fmt::Write as _;

/// The format of a file that is not shown as text.
pub enum Format {
    /// An archive, a compressed file or a database.
    Container(Container),
    /// An image, by its name.
    Image(&'static str),
    /// A format that the reader does not read.
    Other(&'static Other),
    /// Text that a dialect treats as binary, such as UTF-16 text because of its NUL characters.
    Text(Encoding),
    Unknown,
}

impl Format {
    /// Detects the format of a file by its first bytes, its encoding if it can also be decoded as text,
    /// and its name.
    pub fn of(head: &[u8], encoding: Option<Encoding>, file: &str) -> Self {
        if let Some(container) = Container::of(head) {
            return Self::Container(container);
        }
        if let Some(name) = sniff::image_name(head) {
            return Self::Image(name);
        }
        if let Some(encoding) = encoding {
            return Self::Text(encoding);
        }
        let other = Other::of(head).or_else(|| Other::of_name(file));
        other.map_or(Self::Unknown, Self::Other)
    }

    fn name(&self) -> String {
        match self {
            Self::Container(container) => container.name(),
            Self::Image(name) => (*name).to_owned(),
            Self::Other(other) => other.name.to_owned(),
            Self::Text(encoding) => {
                let guessed = if encoding.guessed { " (guessed)" } else { "" };
                format!("{} text{guessed}", encoding.charset.name())
            }
            Self::Unknown => UNKNOWN_FORMAT.to_owned(),
        }
    }

    /// The note on a program that reads the format. `None` if the reader reads it, or if there is no such
    /// program.
    pub fn program(&self) -> Option<String> {
        match self {
            Self::Other(Other { name, tool }) if !tool.is_empty() => Some(format!(
                "{name}: this format is not supported; read it with `{tool}`"
            )),
            _ => None,
        }
    }
}

/// Describes a binary file. The result has a hex dump and, unless `bytes` is `None`, up to that
/// many of the first bytes.
pub fn read(input: &mut Input<'_>, format: &Format, bytes: Option<u64>) -> Binary {
    let head = input.head();
    let first = head.get(..limits::HEX_BYTES).unwrap_or(head);
    Binary {
        format: format.name(),
        is_text: matches!(format, Format::Text(_)),
        hex: hex(first),
        hex_bytes: first.len(),
        bytes: bytes.map(|limit| input.first(limit).into_owned()),
        is_container: matches!(format, Format::Container(container) if container.is_readable()),
    }
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
