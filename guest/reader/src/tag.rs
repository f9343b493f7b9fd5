//! The tag of a text: four hex digits with which an edit tool verifies that it edits the
//! text that was read.
//!
//! The tag is the low 16 bits of xxHash32 with seed 0. The input is the text in UTF-8
//! without its byte order mark. CRLF and CR become LF. Spaces, tabs and carriage returns
//! at the end of each line are removed.

use memchr::{memchr, memchr_iter};
use xxhash_rust::xxh32::Xxh32;

/// The tag (four hex digits) of a text in UTF-8. `text` does not contain the byte order mark.
pub fn tag(text: &[u8]) -> String {
    let mut tag = Tag::new();
    tag.add(text);
    tag.finish()
}

/// The tag of a text that is added in parts.
pub struct Tag(Xxh32);

impl Tag {
    /// The tag of no text.
    pub fn new() -> Self {
        Self(Xxh32::new(0))
    }

    /// Adds lines. All parts but the last end with a line feed.
    pub fn add(&mut self, text: &[u8]) {
        if memchr(b'\r', text).is_none() {
            lines(text, &mut self.0);
        } else {
            lines(&line_feeds(text), &mut self.0);
        }
    }

    /// The four hex digits.
    pub fn finish(&self) -> String {
        format!("{:04X}", self.0.digest() & 0xffff)
    }
}

/// Converts the line endings CRLF and CR of a text to LF.
fn line_feeds(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut parts = text.split(|byte| *byte == b'\r');
    out.extend_from_slice(parts.next().unwrap_or_default());
    for part in parts {
        if part.first() != Some(&b'\n') {
            out.push(b'\n');
        }
        out.extend_from_slice(part);
    }
    out
}

/// Hashes the lines of a text without the spaces and tabs at their ends. As many bytes as possible
/// are passed to the hash function at a time.
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
            assert_eq!(tag(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn line_endings_and_trailing_spaces_do_not_matter() {
        for text in [
            "hello\r\nworld\r\n",
            "hello \t\nworld\n",
            "hello\rworld\r",
            "hello  \r\nworld\t\r\n",
        ] {
            assert_eq!(tag(text.as_bytes()), "3030", "{text:?}");
        }
        assert_eq!(tag(b"hello\nworld  "), "4D07");
        assert_ne!(tag(b" hello\nworld\n"), "3030");
    }
}
