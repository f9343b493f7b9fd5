//! The bytes of a part → text.

use crate::limits;
use encoding_rs::{Encoding, UTF_8};
use simdutf8::basic::from_utf8;
use std::borrow::Cow;

/// Decodes the bytes of a part: UTF-8, or UTF-16 with a byte order mark. Text that needs a copy is
/// cut at [`limits::PART_BYTES`], because a wrong byte becomes three.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [b'<', 0, ..] => utf16(bytes, u16::from_le_bytes),
        [0, b'<', ..] => utf16(bytes, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        _ => utf8(bytes),
    }
}

/// Decodes the bytes of a file that a program outside of the office suites may have written, also in the
/// encoding that its XML declaration names. The second value is whether the text ends at
/// [`limits::PART_BYTES`], before its end.
pub fn decode_declared(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    // The declaration is at the start of the file.
    const DECLARATION: usize = 256;
    let head = bytes.get(..DECLARATION).unwrap_or(bytes);
    let declaration = head.split(|byte| *byte == b'>').next().unwrap_or_default();
    let declaration = String::from_utf8_lossy(declaration);
    let label = declaration.starts_with("<?xml").then(|| {
        let (_, after) = declaration.split_once("encoding=")?;
        let quote = after.chars().next()?;
        after.split(quote).nth(1)
    });
    let encoding = label
        .flatten()
        .and_then(|label| Encoding::for_label(label.as_bytes()));
    match encoding {
        // A declaration that is readable as ASCII is not in UTF-16.
        Some(encoding) if encoding.is_ascii_compatible() && encoding != UTF_8 => {
            let (text, _, _) = encoding.decode(bytes);
            let mut text = text.into_owned();
            let is_cut = text.len() > limits::PART_BYTES;
            text.truncate(text.floor_char_boundary(limits::PART_BYTES));
            (text.into(), is_cut)
        }
        _ => {
            let text = decode(bytes);
            // Text in UTF-8 is borrowed, and not cut.
            let is_cut = matches!(text, Cow::Owned(_)) && text.len() >= limits::PART_BYTES;
            (text, is_cut)
        }
    }
}

/// The note on a text that ends at [`limits::PART_BYTES`].
pub const CUT: &str =
    "The text of the file after the first 32 MB is left out. Text in UTF-8 has no such limit.";

/// Decodes a part without a copy if it is UTF-8.
pub fn into_text(bytes: Vec<u8>) -> String {
    if bytes.starts_with(&[0xef, 0xbb, 0xbf]) || bytes.get(..2).is_some_and(|it| it.contains(&0)) {
        return decode(&bytes).into_owned();
    }
    String::from_utf8(bytes).unwrap_or_else(|error| decode(error.as_bytes()).into_owned())
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Cow<'static, str> {
    let units = bytes.chunks_exact(2).map(|pair| match pair {
        [first, second] => unit([*first, *second]),
        _ => 0,
    });
    let mut text = String::new();
    for char in char::decode_utf16(units) {
        if text.len() >= limits::PART_BYTES {
            break;
        }
        text.push(char.unwrap_or('\u{fffd}'));
    }
    Cow::Owned(text)
}

fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    // This check is several times as fast as a search for wrong bytes.
    if let Ok(text) = from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut chunks = bytes.utf8_chunks();
    let Some(first) = chunks.next() else {
        return Cow::Borrowed("");
    };
    // The end of a part that is cut may be inside a character.
    if first.invalid().is_empty() || first.valid().len().saturating_add(4) > bytes.len() {
        return Cow::Borrowed(first.valid());
    }
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        if text.len() >= limits::PART_BYTES {
            break;
        }
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push('\u{fffd}');
        }
    }
    Cow::Owned(text)
}

/// Returns whether bytes start like XML in UTF-8 or UTF-16.
pub fn is_xml(bytes: &[u8]) -> bool {
    let rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    rest.trim_ascii_start().starts_with(b"<")
        || [&b"\xff\xfe<\0"[..], b"\xfe\xff\0<", b"<\0", b"\0<"]
            .iter()
            .any(|start| bytes.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn encodings() {
        assert_eq!(decode(b"<a/>"), "<a/>");
        assert_eq!(decode("\u{feff}<é/>".as_bytes()), "<é/>");
        assert_eq!(decode(b"\xff\xfe<\0a\0"), "<a");
        assert_eq!(decode(b"\xfe\xff\0<\0a"), "<a");
        assert_eq!(decode(b"<\0a\0"), "<a");
        assert_eq!(decode(b"\0<\0a"), "<a");
    }

    #[test]
    fn wrong_bytes() {
        assert_eq!(decode(b"<a>\xff b</a>"), "<a>\u{fffd} b</a>");
        // The end of a part that is cut is not damage.
        assert_eq!(decode(b"<a>\xc3"), "<a>");
    }
}
