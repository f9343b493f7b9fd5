//! The tags of a part, found without reading the text between them.
//!
//! Sheets have millions of cells, so their tags are read faster than [`super::Events`] does. Comments,
//! processing instructions and declarations are skipped. Text is returned as it is in the file.

use memchr::{memchr, memmem};

/// A start tag or an end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The local name.
    pub name: &'a str,
    /// The attributes as they are in the file.
    pub attributes: &'a str,
    /// Whether it is an end tag.
    pub is_end: bool,
    /// Whether it is the tag of an element without content. No end tag follows.
    pub is_empty: bool,
    /// The position of `<`.
    pub start: usize,
    /// The position after `>`.
    pub end: usize,
}

/// Reads tags.
#[derive(Clone, Debug)]
pub struct Tags<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tags<'a> {
    /// Starts at a position of a decoded part.
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// Returns the bytes after the last tag.
    pub fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Returns the text after the last tag.
    pub fn rest_text(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Continues after a number of bytes, which end with a tag.
    pub fn skip_bytes(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    /// Returns the text from the last tag to the next one, as it is in the file.
    pub fn text(&self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let bytes = rest.as_bytes();
        let mut end = near(b'<', bytes).unwrap_or(bytes.len());
        while let Some(skipped) = bytes.get(end..).and_then(skipped) {
            let after = end.saturating_add(skipped);
            let next = memchr(b'<', bytes.get(after..).unwrap_or_default());
            end = next.map_or(bytes.len(), |next| after.saturating_add(next));
        }
        rest.get(..end).unwrap_or_default()
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let rest = bytes.get(self.at..)?;
            let start = self.at.checked_add(near(b'<', rest)?)?;
            let from = bytes.get(start..)?;
            let shape = match from.get(1)? {
                b'/' => Shape::of_end(from)?,
                b'!' | b'?' => {
                    self.at = start.checked_add(skipped(from)?)?;
                    continue;
                }
                _ => Shape::of_start(from)?,
            };
            let end = start.checked_add(shape.end)?;
            self.at = end;
            let inner = self.text.get(start..end)?;
            let is_empty = inner.ends_with("/>");
            let content = inner.len().saturating_sub(if is_empty { 2 } else { 1 });
            let name = shape.name_start..shape.name_end.min(content);
            let attributes = name.end..content;
            return Some(Tag {
                name: inner.get(name).unwrap_or_default(),
                attributes: inner.get(attributes).unwrap_or_default(),
                is_end: from.get(1) == Some(&b'/'),
                is_empty,
                start,
                end,
            });
        }
    }
}

/// Returns the position of a byte that is probably near.
fn near(byte: u8, bytes: &[u8]) -> Option<usize> {
    // A call of `memchr` costs more than a few comparisons.
    const NEAR: usize = 16;
    let start = bytes.get(..NEAR).unwrap_or(bytes);
    if let Some(found) = start.iter().position(|it| *it == byte) {
        return Some(found);
    }
    let rest = bytes.get(NEAR..)?;
    memchr(byte, rest)?.checked_add(NEAR)
}

/// Positions in a tag, from its `<` on.
struct Shape {
    /// The start of the local name.
    name_start: usize,
    /// The end of the name.
    name_end: usize,
    /// The position after `>`.
    end: usize,
}

impl Shape {
    /// Reads an end tag.
    fn of_end(bytes: &[u8]) -> Option<Self> {
        let mut shape = Self::of_name(bytes, 2)?;
        let rest = bytes.get(shape.name_end..)?;
        let close = rest.iter().position(|it| *it == b'>')?;
        shape.end = shape.name_end.checked_add(close)?.checked_add(1)?;
        Some(shape)
    }

    /// Reads a start tag. A `>` in the value of an attribute does not end it.
    fn of_start(bytes: &[u8]) -> Option<Self> {
        let mut shape = Self::of_name(bytes, 1)?;
        let mut at = shape.name_end;
        loop {
            let rest = bytes.get(at..)?;
            let stop = rest
                .iter()
                .position(|it| matches!(it, b'>' | b'"' | b'\''))?;
            at = at.checked_add(stop)?.checked_add(1)?;
            match rest.get(stop)? {
                b'>' => {
                    shape.end = at;
                    return Some(shape);
                }
                quote => {
                    let close = near(*quote, bytes.get(at..)?)?;
                    at = at.checked_add(close)?.checked_add(1)?;
                }
            }
        }
    }

    /// Reads the name that starts at a position.
    fn of_name(bytes: &[u8], start: usize) -> Option<Self> {
        let mut name_start = start;
        let mut name_end = start;
        for byte in bytes.get(start..)? {
            match byte {
                b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r' => break,
                _ => {}
            }
            name_end = name_end.checked_add(1)?;
            if *byte == b':' {
                name_start = name_end;
            }
        }
        Some(Self {
            name_start,
            name_end,
            end: name_end,
        })
    }
}

/// Returns the length of a comment, an instruction, a declaration or a `CDATA` section at the start.
fn skipped(bytes: &[u8]) -> Option<usize> {
    let end: &[u8] = match bytes.get(1)? {
        b'!' if bytes.starts_with(b"<!--") => b"-->",
        b'!' if bytes.starts_with(b"<![CDATA[") => b"]]>",
        b'!' => b">",
        b'?' => b"?>",
        _ => return None,
    };
    let found = memmem::find(bytes.get(2..)?, end);
    Some(found.map_or(bytes.len(), |at| {
        at.saturating_add(2).saturating_add(end.len())
    }))
}

/// Calls a function with the name and the value of each attribute, as they are in the file.
pub fn attributes<'a>(list: &'a str, mut call: impl FnMut(&'a str, &'a str)) {
    let mut rest = list;
    while let Some(equals) = near(b'=', rest.as_bytes()) {
        let Some((name, value)) = rest.split_at_checked(equals) else {
            return;
        };
        let value = value.get(1..).unwrap_or_default().trim_ascii_start();
        let Some(quote) = value.bytes().next().filter(|it| matches!(it, b'"' | b'\'')) else {
            return;
        };
        let value = value.get(1..).unwrap_or_default();
        let Some(end) = near(quote, value.as_bytes()) else {
            return;
        };
        call(name.trim_ascii(), value.get(..end).unwrap_or_default());
        rest = value.get(end.saturating_add(1)..).unwrap_or_default();
    }
}

/// Returns the value of an attribute, as it is in the file.
pub fn attribute<'a>(list: &'a str, wanted: &str) -> Option<&'a str> {
    let mut found = None;
    attributes(list, |name, value| {
        if name == wanted && found.is_none() {
            found = Some(value);
        }
    });
    found
}
