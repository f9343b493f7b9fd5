//! The tag of a text: four hex digits by which an edit tool knows that it
//! edits what was read.
//!
//! It is the low 16 bits of xxHash32 with seed 0 over the text in UTF-8 after
//! the byte order mark is removed, CRLF and CR are LF, and blanks, tabs and
//! carriage returns at the end of each line are gone.

use memchr::{memchr, memchr_iter};
use xxhash_rust::xxh32::Xxh32;

/// The tag of a text, without its byte order mark.
pub fn tag(text: &str) -> String {
    let mut hash = Xxh32::new(0);
    let bytes = text.as_bytes();
    if memchr(b'\r', bytes).is_none() {
        lines(bytes, &mut hash);
    } else {
        lines(text.replace("\r\n", "\n").replace('\r', "\n").as_bytes(), &mut hash);
    }
    format!("{:04X}", hash.digest() & 0xffff)
}

/// Hashes lines without the blanks at their ends, in runs as long as possible.
fn lines(bytes: &[u8], hash: &mut Xxh32) {
    let mut run = 0;
    let mut line = 0;
    for end in memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let trimmed = bytes
            .get(line..end)
            .unwrap_or_default()
            .iter()
            .rposition(|b| !matches!(b, b' ' | b'\t'))
            .map_or(line, |last| line.saturating_add(last).saturating_add(1));
        if trimmed < end {
            hash.update(bytes.get(run..trimmed).unwrap_or_default());
            run = end;
        }
        line = end.saturating_add(1);
    }
    hash.update(bytes.get(run..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        for (text, expected) in [
            ("hello\nworld\n", "3030"),
            ("hello\nworld", "4D07"),
            ("", "5D05"),
            ("\n", "D352"),
            ("a\n", "9585"),
        ] {
            assert_eq!(tag(text), expected, "{text:?}");
        }
    }

    #[test]
    fn endings_and_blanks_do_not_matter() {
        for text in ["hello\r\nworld\r\n", "hello \t\nworld\n", "hello\rworld\r", "hello  \r\nworld\t\r\n"] {
            assert_eq!(tag(text), "3030", "{text:?}");
        }
        assert_eq!(tag("hello\nworld  "), "4D07");
        assert_ne!(tag(" hello\nworld\n"), "3030");
    }
}
