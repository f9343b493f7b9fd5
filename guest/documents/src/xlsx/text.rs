//! The text of strings, from their tags.

use crate::xml::tags::Tags;
use crate::xml::{Event, Events};
use memchr::{memchr, memchr3, memmem};
use std::borrow::Cow;

/// Decodes the text of an element: references, `CDATA` sections, line ends and the escapes of
/// spreadsheets, such as `_x000D_` (ECMA-376-1, 22.9.2.19).
pub fn text(raw: &str) -> Cow<'_, str> {
    let bytes = raw.as_bytes();
    let has_escape = || memchr(b'_', bytes).is_some() && memmem::find(bytes, b"_x").is_some();
    if memchr3(b'&', b'<', b'\r', bytes).is_none() && !has_escape() {
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
