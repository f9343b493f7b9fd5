//! The tag of a text: four hex digits with which an edit tool verifies that it edits the
//! text that was read.
//!
//! The tag is the low 16 bits of xxHash32 with seed 0. The input is the text in UTF-8
//! without its byte order mark. CRLF and CR become LF. Spaces, tabs and carriage returns
//! at the end of each line are removed.

mod hash;

use hash::Hash;
use memchr::{memchr, memchr_iter};

/// The size in bytes of a part of a text that is examined and then hashed, so that it is in the cache of the
/// processor.
const PART: usize = 16 * 1024;

/// The tag (four hex digits) of a text in UTF-8. `text` does not contain the byte order mark.
pub fn tag(text: &[u8]) -> String {
    let mut tag = Tag::new();
    tag.add(text);
    tag.finish()
}

/// The tag of a text that is added in parts.
pub struct Tag(Hash);

impl Tag {
    /// The tag of no text.
    pub fn new() -> Self {
        Self(Hash::new())
    }

    /// Adds lines. All parts but the last end with a line feed.
    pub fn add(&mut self, text: &[u8]) {
        let rest = self.lines(text);
        if !rest.is_empty() {
            self.lines(&line_feeds(rest));
        }
    }

    /// Hashes the lines of a text without the spaces and tabs at their ends. As many bytes as possible are passed to
    /// the hash function at a time. Returns the rest of the text, if there is a carriage return in it.
    fn lines<'t>(&mut self, bytes: &'t [u8]) -> &'t [u8] {
        // The bytes before `run` are hashed.
        let (mut run, mut line, mut start) = (0usize, 0usize, 0usize);
        while let Some(after) = bytes.get(start..).filter(|after| !after.is_empty()) {
            let part = after.get(..PART).unwrap_or(after);
            if memchr(b'\r', part).is_some() {
                return bytes.get(run..).unwrap_or_default();
            }
            for end in memchr_iter(b'\n', part) {
                let end = start.saturating_add(end);
                let trimmed = trimmed(bytes, line.max(run), end);
                if trimmed < end {
                    self.0.add(bytes.get(run..trimmed).unwrap_or_default());
                    run = end;
                }
                line = end.saturating_add(1);
            }
            // Blanks at the end of the part may be those at the end of a line. Those of the parts before are not
            // examined again.
            let known = line.max(run);
            let from = known.max(start);
            start = start.saturating_add(part.len());
            let end = trimmed(bytes, from, start);
            let sure = if end > from { end } else { known };
            self.0.add(bytes.get(run..sure).unwrap_or_default());
            run = sure;
        }
        &[]
    }

    /// The four hex digits.
    pub fn finish(&self) -> String {
        format!("{:04X}", self.0.finish() & 0xffff)
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

/// The offset after the last byte of `bytes` from `from` to `end` that is no space or tab, or `from` if all are.
fn trimmed(bytes: &[u8], from: usize, end: usize) -> usize {
    let line = bytes.get(from..end).unwrap_or_default();
    let last = line.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'));
    last.map_or(from, |last| from.saturating_add(last).saturating_add(1))
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

    #[test]
    fn tag_of_several_parts_is_that_of_the_text_without_blanks() {
        for length in [PART - 2, PART - 1, PART, PART + 1, 2 * PART] {
            let word = "x".repeat(length);
            let plain = format!("{word}\n y\n{word}  y\n{word}");
            for blanks in [1, 3, PART] {
                let blank = " \t".repeat(blanks);
                let lines = format!("{word}{blank}\n y{blank}\n{word}  y\n{word}{blank}");
                assert_eq!(tag(lines.as_bytes()), tag(plain.as_bytes()));
                let returns = lines.replace('\n', "\r\n");
                assert_eq!(tag(returns.as_bytes()), tag(plain.as_bytes()));
                let mixed = format!("{word}{blank}\n y{blank}\r{word}  y\r\n{word}{blank}");
                assert_eq!(tag(mixed.as_bytes()), tag(plain.as_bytes()));
            }
            let whole = xxhash_rust::xxh32::xxh32(plain.as_bytes(), 0);
            assert_eq!(tag(plain.as_bytes()), format!("{:04X}", whole & 0xffff));
        }
    }
}
