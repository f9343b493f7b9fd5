//! Header fields: lines → names and values, and values with parameters.
//!
//! Sources: RFC 5322, 2.2; RFC 2045, 5.1; RFC 2231.

use super::{charset, words};
use crate::limits;
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::ops::Range;

/// The lines of a header and the place of the body after it.
pub struct Split {
    /// The fields.
    pub header: Range<usize>,
    /// The start of the body.
    pub body: usize,
}

/// Splits a header from the body after it. Empty lines before the header are skipped if `is_first`.
/// `is_end` returns whether a line ends the header, such as a boundary.
pub fn split(bytes: &[u8], start: usize, is_first: bool, is_end: impl Fn(&[u8]) -> bool) -> Split {
    let mut at = start;
    let mut header = start;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        if rest.is_empty() {
            break;
        }
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end.saturating_add(1));
        let line = rest.get(..length).unwrap_or_default();
        let content = line.trim_ascii_end();
        let next = at.saturating_add(length);
        if content.is_empty() {
            if is_first && at == header {
                (at, header) = (next, next);
                continue;
            }
            return Split {
                header: header..at,
                body: next,
            };
        }
        let is_folded = line.starts_with(b" ") || line.starts_with(b"\t");
        let is_envelope =
            at == header && (line.starts_with(b"From ") || line.starts_with(b">From "));
        if is_end(content) || !(is_field(content) || is_envelope || (is_folded && at > header)) {
            break;
        }
        at = next;
    }
    Split {
        header: header..at,
        body: at,
    }
}

/// Whether a line starts a field: a name without spaces, and a colon.
fn is_field(line: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', line) else {
        return false;
    };
    let name = line.get(..colon).unwrap_or_default().trim_ascii_end();
    !name.is_empty() && name.iter().all(|byte| (0x21..=0x7e).contains(byte))
}

/// Returns the fields of a header: the names as written, and the values with line ends.
pub fn fields(header: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = header;
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let mut end = 0_usize;
            for line in rest.split_inclusive(|byte| *byte == b'\n') {
                if end > 0 && !line.starts_with(b" ") && !line.starts_with(b"\t") {
                    break;
                }
                end = end.saturating_add(line.len());
            }
            let (field, after) = rest.split_at_checked(end).unwrap_or((rest, &[]));
            rest = after;
            let Some(colon) = memchr::memchr(b':', field) else {
                continue;
            };
            let name = field.get(..colon).unwrap_or_default().trim_ascii();
            if name.contains(&b' ') {
                continue;
            }
            let value = field.get(colon.saturating_add(1)..).unwrap_or_default();
            let value = value.get(..limits::MAIL_FIELD_BYTES).unwrap_or(value);
            return Some((name, value.trim_ascii()));
        }
    })
}

/// A value with parameters, such as that of `Content-Type`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// The value in lower case, such as `text/plain`.
    pub value: String,
    /// The parameters with names in lower case, decoded.
    parameters: Vec<(String, String)>,
}

impl Value {
    /// Parses a value and its parameters. `fallback` is that of [`charset::decode_field`].
    pub fn parse(bytes: &[u8], fallback: &str) -> Self {
        let text = charset::decode_field(bytes, fallback);
        let mut pieces = pieces(&text);
        let value = pieces.next().unwrap_or_default().trim();
        // Some programs write `text/plain charset=utf-8`, or a comment.
        let end = value.find(|char: char| char.is_whitespace() || char == '(');
        let value = value.get(..end.unwrap_or(value.len())).unwrap_or(value);
        let mut plain: Vec<(String, String)> = Vec::new();
        let mut parts: BTreeMap<String, BTreeMap<u32, (bool, String)>> = BTreeMap::new();
        for piece in pieces.take(limits::MAIL_PARAMETERS) {
            let Some((name, value)) = piece.split_once('=') else {
                continue;
            };
            let name = name.trim().to_ascii_lowercase();
            let value = unquoted(value.trim());
            if let Some((base, tail)) = name.split_once('*') {
                // `name*`, `name*0`, `name*0*`
                let encoded = tail.is_empty() || tail.ends_with('*');
                let number = tail.trim_end_matches('*').parse().unwrap_or(0);
                let parts = parts.entry(base.to_owned()).or_default();
                parts.entry(number).or_insert((encoded, value));
            } else if !plain.iter().any(|(known, _)| *known == name) {
                plain.push((name, words::decode_text(&value)));
            }
        }
        for (name, parts) in parts {
            let value = joined(parts.into_values());
            plain.retain(|(known, _)| *known != name);
            plain.push((name, value));
        }
        Self {
            value: value.to_ascii_lowercase(),
            parameters: plain,
        }
    }

    /// The parameter with a name in lower case.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let mut all = self.parameters.iter();
        let found = all.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Joins the parts of a parameter (RFC 2231, 3 and 4).
fn joined(parts: impl Iterator<Item = (bool, String)>) -> String {
    let mut bytes = Vec::new();
    let mut label = String::new();
    for (at, (encoded, value)) in parts.enumerate() {
        let mut value = value.as_str();
        if at == 0
            && encoded
            && let Some((charset, rest)) = value.split_once('\'')
            && let Some((_, rest)) = rest.split_once('\'')
        {
            charset.clone_into(&mut label);
            value = rest;
        }
        if encoded {
            bytes.extend(percent_decode_str(value));
        } else {
            bytes.extend_from_slice(value.as_bytes());
        }
    }
    words::decode_text(&charset::decode(&bytes, &label))
}

/// Splits a value at `;` outside of quotes.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let mut escaped = false;
    text.split(move |char| {
        if escaped {
            escaped = false;
            return false;
        }
        match char {
            '"' => quoted = !quoted,
            '\\' if quoted => escaped = true,
            ';' => return !quoted,
            _ => {}
        }
        false
    })
}

/// Removes quotes and the backslashes in them, comments after a value, and line ends.
fn unquoted(value: &str) -> String {
    let one_line = |char: &char| !matches!(char, '\r' | '\n');
    let Some(inner) = value.strip_prefix('"') else {
        let end = value.find(" (").unwrap_or(value.len());
        let value = value.get(..end).unwrap_or(value);
        return value.chars().filter(one_line).collect();
    };
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars().filter(one_line);
    while let Some(char) = chars.next() {
        match char {
            '"' => break,
            // Windows paths have backslashes that escape nothing.
            '\\' => match chars.next() {
                Some(next @ ('"' | '\\')) => out.push(next),
                Some(next) => out.extend(['\\', next]),
                None => out.push('\\'),
            },
            _ => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_ends_at_an_empty_line_or_text() {
        let at = |text: &str| {
            let split = split(text.as_bytes(), 0, true, |line| line == b"--b");
            (split.header, split.body)
        };
        assert_eq!(at("A: b\r\n\r\nbody"), (0..6, 8));
        assert_eq!(at("\n\nA: b\n c\n\nbody"), (2..10, 11));
        assert_eq!(at("A: b\nno field\n"), (0..5, 5));
        assert_eq!(at("A: b\n--b\n"), (0..5, 5));
        assert_eq!(at("From a@b Mon\nA: b\n\n"), (0..18, 19));
        assert_eq!(at("A: b"), (0..4, 4));
    }

    #[test]
    fn folded_fields_are_one() {
        let all: Vec<_> = fields(b"A: b\r\n c\r\nD :e\n:f\n").collect();
        assert_eq!(
            all,
            [(&b"A"[..], &b"b\r\n c"[..]), (b"D", b"e"), (b"", b"f")]
        );
    }

    #[test]
    fn parameters_are_decoded() {
        let parse = |text: &str| Value::parse(text.as_bytes(), "");
        let name = |text: &str| parse(text).parameter("name").map(str::to_owned);
        assert_eq!(parse("Text/Plain; charset=utf-8").value, "text/plain");
        assert_eq!(parse("text/plain charset=x").value, "text/plain");
        assert_eq!(
            name("a/b; name=\"x;y \\\"z\\\".txt\"").unwrap(),
            "x;y \"z\".txt"
        );
        assert_eq!(
            name("a/b; NAME*=utf-8'en'%C3%A9.txt; name=e").unwrap(),
            "é.txt"
        );
        assert_eq!(
            name("a/b; name*1*=%A9; name*0*=utf-8''%C3; name*2=\"%20.txt\"").unwrap(),
            "é%20.txt"
        );
        assert_eq!(name("a/b; name=\"=?utf-8?q?=C3=A9?=\"").unwrap(), "é");
        assert_eq!(name("a/b; name=\"C:\\dir\\f\"").unwrap(), "C:\\dir\\f");
        assert_eq!(name("a/b; name=\"open"), Some("open".to_owned()));
        assert_eq!(name("a/b"), None);
    }
}
