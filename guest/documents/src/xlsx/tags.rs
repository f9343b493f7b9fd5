//! The tags of a part, found without reading the text between them.
//!
//! Sheets have millions of cells, so their tags are read faster than [`crate::xml::Events`] does.
//! Comments, processing instructions and declarations are skipped. Text is returned as it is in the
//! file, see [`text`].

use crate::xml::{Event, Events};
use memchr::{memchr, memmem};
use std::borrow::Cow;

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

    /// Returns the text from the last tag to the next one, as it is in the file.
    pub fn text(&self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let bytes = rest.as_bytes();
        let mut end = memchr(b'<', bytes).unwrap_or(bytes.len());
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
            let start = self.at.checked_add(memchr(b'<', rest)?)?;
            let from = bytes.get(start..)?;
            if let Some(skipped) = skipped(from) {
                self.at = start.checked_add(skipped)?;
                continue;
            }
            let length = tag_length(from)?;
            let end = start.checked_add(length)?;
            self.at = end;
            let inner = self.text.get(start.checked_add(1)?..end.checked_sub(1)?)?;
            let (inner, is_end) = match inner.strip_prefix('/') {
                Some(inner) => (inner, true),
                None => (inner, false),
            };
            let (inner, is_empty) = match inner.strip_suffix('/') {
                Some(inner) => (inner, true),
                None => (inner, false),
            };
            let space = inner.bytes().position(|byte| byte.is_ascii_whitespace());
            let (name, attributes) = match space {
                Some(space) => inner.split_at_checked(space)?,
                None => (inner, ""),
            };
            let name = match memchr(b':', name.as_bytes()) {
                Some(colon) => name.get(colon.checked_add(1)?..)?,
                None => name,
            };
            return Some(Tag {
                name,
                attributes,
                is_end,
                is_empty,
                start,
                end,
            });
        }
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

/// Returns the length of a tag. A `>` in the value of an attribute does not end it.
fn tag_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 0_usize;
    let mut quote: Option<u8> = None;
    loop {
        let rest = bytes.get(at..)?;
        let end = at.checked_add(memchr(b'>', rest)?)?;
        for byte in bytes.get(at..end)? {
            match quote {
                Some(open) if open == *byte => quote = None,
                None if matches!(byte, b'"' | b'\'') => quote = Some(*byte),
                _ => {}
            }
        }
        at = end.checked_add(1)?;
        if quote.is_none() {
            return Some(at);
        }
    }
}

/// Calls a function with the name and the value of each attribute, as they are in the file.
pub fn attributes<'a>(list: &'a str, mut call: impl FnMut(&'a str, &'a str)) {
    let mut rest = list;
    while let Some(equals) = memchr(b'=', rest.as_bytes()) {
        let Some((name, value)) = rest.split_at_checked(equals) else {
            return;
        };
        let value = value.get(1..).unwrap_or_default().trim_start();
        let Some(quote) = value.bytes().next().filter(|it| matches!(it, b'"' | b'\'')) else {
            return;
        };
        let value = value.get(1..).unwrap_or_default();
        let Some(end) = memchr(quote, value.as_bytes()) else {
            return;
        };
        call(name.trim(), value.get(..end).unwrap_or_default());
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

/// Decodes the text of an element: references, `CDATA` sections, line ends and the escapes of
/// spreadsheets, such as `_x000D_` (ECMA-376-1, 22.9.2.19).
pub fn text(raw: &str) -> Cow<'_, str> {
    let bytes = raw.as_bytes();
    if memchr::memchr3(b'&', b'<', b'\r', bytes).is_none() && memmem::find(bytes, b"_x").is_none() {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    for event in Events::new(raw) {
        if let Event::Text(piece) = event {
            out.push_str(&piece);
        }
    }
    if out.contains("_x") {
        out = unescaped(&out);
    }
    if out.contains('\r') {
        out = out.replace("\r\n", "\n").replace('\r', "\n");
    }
    Cow::Owned(out)
}

/// Decodes escapes such as `_x000D_`.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memmem::find(rest.as_bytes(), b"_x") {
        let (before, escape) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let digits = escape.get(2..6).filter(|_| escape.get(6..7) == Some("_"));
        let digits = digits.filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = digits.and_then(|it| u32::from_str_radix(it, 16).ok());
        // Half of a surrogate pair and NUL are not characters of a text.
        match code.and_then(char::from_u32).filter(|char| *char != '\0') {
            Some(char) => {
                out.push(char);
                rest = escape.get(7..).unwrap_or_default();
            }
            None => {
                out.push_str("_x");
                rest = escape.get(2..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

/// Adds the text of a string: its own text, or that of its runs. The hints for the pronunciation are
/// left out. Reads up to the end tag with the name.
pub fn push_string(out: &mut String, tags: &mut Tags, end: &str) {
    let mut phonetic = false;
    while let Some(tag) = tags.next() {
        match tag.name {
            "t" if !tag.is_end && !tag.is_empty => {
                let raw = tags.text();
                if !phonetic {
                    out.push_str(&text(raw));
                }
            }
            "rPh" => phonetic = !tag.is_end && !tag.is_empty,
            name if tag.is_end && name == end => return,
            _ => {}
        }
    }
}
