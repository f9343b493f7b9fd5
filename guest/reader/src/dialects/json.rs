//! Writes JSON with one long text in it.
//!
//! Serde writes the object with a mark in place of the text. This module replaces the mark by
//! the text.

use crate::quoted::ordinary;
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
    let mut rest = text;
    loop {
        let (plain, escaped) = rest
            .split_at_checked(ordinary(rest.as_bytes()))
            .unwrap_or((rest, ""));
        out.push_str(plain);
        let mut chars = escaped.chars();
        match chars.next() {
            Some('\n') => out.push_str("\\n"),
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\t') => out.push_str("\\t"),
            Some('\r') => out.push_str("\\r"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\u{c}') => out.push_str("\\f"),
            Some(control) => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            None => break,
        }
        rest = chars.as_str();
    }
    out.push('"');
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
