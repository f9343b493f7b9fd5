//! JSON with one long text in it.
//!
//! Serde writes the object; the text is put in where a mark stands, escaped at
//! the speed at which memory is searched. A page has a line end every few dozen
//! bytes, and each is an escape.

use crate::pages::any_byte;
use memchr::memchr3_iter;
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
    for at in memchr3_iter(b'\n', b'"', b'\\', text.as_bytes()) {
        plain(text.get(start..at).unwrap_or_default(), out);
        out.push_str(match text.as_bytes().get(at) {
            Some(b'\n') => "\\n",
            Some(b'"') => "\\\"",
            _ => "\\\\",
        });
        start = at.saturating_add(1);
    }
    plain(text.get(start..).unwrap_or_default(), out);
    out.push('"');
}

/// Writes what may hold control characters, but none of the common escapes.
fn plain(text: &str, out: &mut String) {
    if !any_byte(text.as_bytes(), |b| b < b' ') {
        return out.push_str(text);
    }
    for c in text.chars() {
        match c {
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
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
