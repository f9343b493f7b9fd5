//! Writes JSON with one long text in it.
//!
//! Serde writes the object with a mark in place of the text. This module replaces the mark by
//! the text. It searches for characters to escape eight bytes at a time, because a page
//! contains a line ending every few dozen bytes, and JSON escapes each.

use serde::Serialize;
use std::fmt::Write as _;

/// The placeholder for the long text in a value that is serialized. No other string of the value is
/// equal to it, because paths and numbers contain no NUL.
pub const TEXT: &str = "\0";

/// The placeholder [`TEXT`] as JSON. A path that contains these characters is not mistaken for it,
/// because JSON has a backslash before each quote of the path.
const MARK: &str = "\"\\u0000\"";

/// Serializes a value as JSON. Returns an empty string on an error, which the types of the reader
/// cannot cause.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Serializes a value as JSON, with a text in place of [`TEXT`].
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

/// The index of the first byte at or after `start` that JSON escapes: a quote, a backslash or a
/// control character. Eight bytes are tested at a time, with `haszero` and `hasless` of "Bit
/// Twiddling Hacks". Only the lowest bit that such a test sets is reliable.
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
    fn path_that_spells_the_mark_is_not_replaced() {
        for path in ["\\u0000", "\"\\u0000\"", "\\\"\\u0000\\\"", "\"\\\\u0000\""] {
            let text = json_around(&json!({"a": path, "b": TEXT}), "x\n");
            let back: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(back, json!({"a": path, "b": "x\n"}));
        }
    }

    proptest! {
        #[test]
        fn quoted_text_equals_the_output_of_serde(
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
