//! Message patterns of log records: their text with placeholders for numbers, paths and other
//! variable parts.

use crate::item::cut;
use crate::sort;
use memchr::{memchr, memmem};
use std::collections::BTreeMap;

/// The number of bytes at the start of a record from which its message pattern is made.
const NEAR: usize = 240;

/// The maximum number of patterns that are counted at the same time.
const SHAPES: usize = 4096;

/// A message pattern, and the number of records that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of records with this pattern.
    pub count: u32,
    /// The position in the log of the first record with this pattern, counted from 1.
    pub first: u32,
    /// The text with placeholders: `GET <path> <n>`.
    pub text: String,
}

/// The message patterns of a log.
#[derive(Debug, Default)]
pub struct Shapes {
    /// Patterns by their hash.
    counts: BTreeMap<u64, Shape>,
    /// Whether new patterns are ignored, because there are too many.
    full: bool,
    records: u32,
    shape: Vec<u8>,
}

impl Shapes {
    /// Adds a record to the count of its pattern.
    pub fn add(&mut self, record: &str) {
        self.records = self.records.saturating_add(1);
        self.shape.clear();
        shape(record, &mut self.shape);
        let hash = hash(&self.shape);
        if let Some(known) = self.counts.get_mut(&hash) {
            known.count = known.count.saturating_add(1);
            return;
        }
        if self.counts.len() >= SHAPES && !self.full {
            // Drop the patterns with one record, which are unlikely to become frequent.
            self.counts.retain(|_, shape| shape.count > 1);
            self.full = self.counts.len() > SHAPES / 2;
        }
        if !self.full {
            let shape = Shape {
                count: 1,
                first: self.records,
                text: String::from_utf8_lossy(&self.shape).into_owned(),
            };
            self.counts.insert(hash, shape);
        }
    }

    /// The most frequent patterns among those of at least `least` records. At most `most` patterns
    /// are returned, the most frequent first.
    pub fn most(self, most: usize, least: u32) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = self
            .counts
            .into_values()
            .filter(|shape| shape.count >= least)
            .collect();
        sort::by(&mut shapes, |shape| {
            (
                u64::MAX.saturating_sub(shape.count.into()),
                shape.first.into(),
            )
        });
        shapes.truncate(most);
        shapes
    }
}

/// A hash like FNV-1a, but of blocks of eight bytes.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .chunks(8)
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, bytes| {
            let mut chunk = [0u8; 8];
            for (to, from) in chunk.iter_mut().zip(bytes) {
                *to = *from;
            }
            let hash = (hash ^ u64::from_le_bytes(chunk)).wrapping_mul(0x0100_0000_01b3);
            hash ^ (hash >> 32)
        })
}

/// Appends the message pattern of a record to `out`.
pub fn shape(record: &str, out: &mut Vec<u8>) {
    let mut rest = cut(record.trim_ascii_start(), NEAR).as_bytes();
    let mut before = b' ';
    while let Some((first, tail)) = rest.split_first() {
        if is_part(*first) {
            let (found, tail) = rest.split_at_checked(part(rest)).unwrap_or((rest, &[]));
            // Punctuation at the end of a word is kept.
            let end = found.iter().rposition(|byte| !matches!(byte, b'.' | b':'));
            let end = end.map_or(0, |end| end.saturating_add(1));
            let (bare, stop) = found.split_at_checked(end).unwrap_or((found, &[]));
            word(bare, out);
            out.extend_from_slice(stop);
            before = found.last().copied().unwrap_or(b' ');
            rest = tail;
            continue;
        }
        let quote = matches!(first, b'"' | b'\'' | b'`') && !before.is_ascii_alphanumeric();
        if quote
            && let Some(length) = memchr(*first, tail)
            && let Some((quoted, after)) = tail.split_at_checked(length)
            && memmem::find(quoted, b"HTTP/").is_none()
        {
            out.extend_from_slice(b"<text>");
            rest = after.get(1..).unwrap_or_default();
        } else {
            if !(*first == b' ' && before == b' ') {
                out.push(*first);
            }
            rest = tail;
        }
        before = *first;
    }
}

/// The length in bytes of the word at the start of a text. If the word is a request path with a
/// query, the length includes the whole query.
fn part(text: &[u8]) -> usize {
    let length = |is: fn(u8) -> bool| {
        text.iter()
            .position(|byte| !is(*byte))
            .unwrap_or(text.len())
    };
    let word = length(is_part);
    match text.get(..word) {
        Some(found)
            if text.get(word) == Some(&b'=') && found.contains(&b'?') && found.contains(&b'/') =>
        {
            length(|byte| {
                !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b')' | b']' | b'>')
            })
        }
        _ => word,
    }
}

/// Whether a byte may be in a word, number or path.
fn is_part(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'-'..=b':' | b'_' | b'%' | b'@' | b'+' | b'~' | b'\\' | b'?' | b'&' | 0x80..)
}

fn word(word: &[u8], out: &mut Vec<u8>) {
    let (mut digits, mut slashes, mut letters) = (false, 0usize, false);
    for byte in word {
        digits |= byte.is_ascii_digit();
        letters |= byte.is_ascii_alphabetic();
        slashes = slashes.saturating_add(usize::from(matches!(byte, b'/' | b'\\')));
    }
    if slashes > 0 {
        let rooted = matches!(word, [b'/' | b'~' | b'.', _, ..] | [_, b':', b'\\', ..]);
        if memmem::find(word, b"://").is_some() {
            return out.extend_from_slice(b"<url>");
        }
        if word == b"/" || ((rooted || slashes > 1) && letters) {
            return out.extend_from_slice(b"<path>");
        }
    }
    if !digits || word.starts_with(b"HTTP/") {
        return out.extend_from_slice(word);
    }
    if is_uuid(word) {
        return out.extend_from_slice(b"<uuid>");
    }
    if is_address(word) {
        return out.extend_from_slice(b"<ip>");
    }
    let mut rest = word;
    while !rest.is_empty() {
        let length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric());
        let length = length.unwrap_or(rest.len()).max(1);
        let (part, tail) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        if is_hex(part) {
            out.extend_from_slice(b"<hex>");
        } else {
            numbers(part, out);
        }
        rest = tail;
    }
}

/// Appends a part of a word to `out`, with the placeholder `<n>` for each number. Numbers that are
/// joined by punctuation, such as `1.2`, have a single placeholder.
fn numbers(part: &[u8], out: &mut Vec<u8>) {
    let mut in_number = false;
    for byte in part {
        let digit = byte.is_ascii_digit();
        if !digit {
            out.push(*byte);
        } else if !in_number {
            let joined = matches!(
                out.as_slice(),
                [.., b'<', b'n', b'>', b'.' | b',' | b':' | b'-' | b'/']
            );
            if joined {
                out.pop();
            } else {
                out.extend_from_slice(b"<n>");
            }
        }
        in_number = digit;
    }
}

/// Whether a text is a UUID.
fn is_uuid(bytes: &[u8]) -> bool {
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Whether a word is an IPv4 address with an optional port.
fn is_address(word: &[u8]) -> bool {
    let end = memchr(b':', word).unwrap_or(word.len());
    let (address, port) = word.split_at_checked(end).unwrap_or((word, &[]));
    let number = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    let mut parts = address.split(|byte| *byte == b'.');
    number(port.get(1..).unwrap_or_default())
        && parts.clone().count() == 4
        && parts.all(|part| (1..=3).contains(&part.len()) && number(part))
}

/// Whether a text is `0x…`, or at least eight hex digits that include both letters and digits.
fn is_hex(bytes: &[u8]) -> bool {
    let hex = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_hexdigit);
    match bytes {
        [b'0', b'x' | b'X', rest @ ..] => !rest.is_empty() && hex(rest),
        _ => {
            bytes.len() >= 8
                && hex(bytes)
                && bytes.iter().any(u8::is_ascii_digit)
                && bytes.iter().any(u8::is_ascii_alphabetic)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variable_parts_become_placeholders() {
        let cases = [
            (" GET /a/b?c=1 200 12ms", "GET <path> <n> <n>ms"),
            (
                "\"GET /x HTTP/1.1\" 200 5",
                "\"GET <path> HTTP/1.1\" <n> <n>",
            ),
            (
                "user 'bob' of 10.0.0.1:80: it's 1,204.5%.",
                "user <text> of <ip>: it's <n>%.",
            ),
            (
                "id=550e8400-e29b-41d4-a716-446655440000 0xff deadbeef01 v1.2.3-4",
                "id=<uuid> <hex> <hex> v<n>",
            ),
            (
                "see https://a.b/c?d and/or C:\\x\\y, x[12]: a  b",
                "see <url> and/or <path>, x[<n>]: a b",
            ),
            ("", ""),
        ];
        for (record, expected) in cases {
            let mut out = Vec::new();
            shape(record, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected, "{record}");
        }
    }

    #[test]
    fn pattern_count_is_bounded() {
        let mut shapes = Shapes::default();
        for n in 0..100_000u32 {
            let letters: String = n
                .to_string()
                .bytes()
                .map(|digit| char::from(digit + 50))
                .collect();
            shapes.add(&letters);
            shapes.add("often");
            assert!(shapes.counts.len() <= SHAPES + 1);
        }
        let most = shapes.most(3, 3);
        assert_eq!(most.len(), 1);
        assert_eq!((most[0].count, most[0].text.as_str()), (100_000, "often"));
    }
}
