//! JSON with one long text in it.
//!
//! Serde writes the object; the text is put in where a mark stands, escaped at
//! the speed at which memory is searched. A page has a line end every few dozen
//! bytes, and each is an escape.

use serde::Serialize;
use std::fmt::Write as _;

/// Stands for the text in the object. No path and no number holds a NUL.
pub const TEXT: &str = "\0";

/// The same in JSON. A path in which this is spelled out has a backslash before
/// each quote.
const MARK: &str = "\"\\u0000\"";

/// A value as JSON, which types of ours always have.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A value as JSON, with a text in the place of [`TEXT`].
pub fn json_around(value: &impl Serialize, text: &str) -> String {
    let frame = json(value);
    let Some((before, after)) = frame.split_once(MARK) else {
        return frame;
    };
    let room = text.len().saturating_add(text.len() / 16);
    let mut out = String::with_capacity(frame.len().saturating_add(room));
    out.push_str(before);
    quote(text, &mut out);
    out.push_str(after);
    out
}

/// Writes a text as a JSON string.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    let mut start = 0;
    while let Some(at) = next_escape(text.as_bytes(), start) {
        out.push_str(text.get(start..at).unwrap_or_default());
        match text.as_bytes().get(at) {
            Some(b'\n') => out.push_str("\\n"),
            Some(b'"') => out.push_str("\\\""),
            Some(b'\\') => out.push_str("\\\\"),
            Some(b'\t') => out.push_str("\\t"),
            Some(b'\r') => out.push_str("\\r"),
            Some(8) => out.push_str("\\b"),
            Some(0xc) => out.push_str("\\f"),
            control => {
                let _ = write!(out, "\\u{:04x}", control.copied().unwrap_or_default());
            }
        }
        start = at.saturating_add(1);
    }
    out.push_str(text.get(start..).unwrap_or_default());
    out.push('"');
}

/// The first byte from `start` on that JSON escapes: a quote, a backslash or a
/// control character. Eight bytes are tested at a time ("Bit Twiddling Hacks":
/// haszero, hasless); the lowest bit of a test is exact.
fn next_escape(bytes: &[u8], start: usize) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    const TOPS: u64 = ONES << 7;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let below_space = |word: u64| word.wrapping_sub(ONES.wrapping_mul(b' '.into())) & !word;
    let is = |word: u64, byte: u8| zero(word ^ ONES.wrapping_mul(byte.into()));
    let mut at = start;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(*chunk);
        let found = (below_space(word) | is(word, b'"') | is(word, b'\\')) & TOPS;
        if found != 0 {
            return Some(at.saturating_add((found.trailing_zeros() / 8) as usize));
        }
        at = at.saturating_add(8);
    }
    let escaped = |byte: &u8| *byte < b' ' || matches!(byte, b'"' | b'\\');
    let rest = bytes.get(at..)?.iter().position(escaped)?;
    Some(at.saturating_add(rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn a_path_is_not_taken_for_the_mark() {
        for path in ["\\u0000", "\"\\u0000\"", "\\\"\\u0000\\\"", "\"\\\\u0000\""] {
            let text = json_around(&json!({"a": path, "b": TEXT}), "x\n");
            let back: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(back, json!({"a": path, "b": "x\n"}));
        }
    }

    proptest! {
        #[test]
        fn it_is_what_serde_writes(
            text in prop_oneof![
                "[a\\\\\"\n\r\t\u{0}-\u{1f}é]{0,200}",
                ".{0,200}",
            ]
        ) {
            let mut out = String::new();
            quote(&text, &mut out);
            prop_assert_eq!(out, serde_json::to_string(&text).unwrap());
        }
    }
}
