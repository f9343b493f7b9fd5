//! Values of rows: asked for so that none is held that is too large to be shown,
//! and put into words.

use super::clause::quoted;
use crate::limits;
use crate::units;
use crate::visible::visible;
use crate::world::Value;

/// What stands for a column in a statement of ours: numbers as they are, text
/// behind a `v`, of which the engine gives the start, or the length behind a `t`
/// if it is too large to be held; of a blob the length behind a `b`.
pub fn expression(column: &str) -> String {
    let name = quoted(column);
    let held = limits::HELD_VALUE_BYTES;
    format!(
        "CASE typeof({name}) WHEN 'text' THEN CASE WHEN octet_length({name}) <= {held} \
         THEN 'v' || {name} ELSE 't' || octet_length({name}) END \
         WHEN 'blob' THEN 'b' || length({name}) ELSE {name} END"
    )
}

/// The value that follows the one of [`expression`].
pub fn value(given: Value) -> Value {
    let Value::Text(text, length) = given else {
        return given;
    };
    let number = |text: &str| text.parse().unwrap_or(0);
    match text.split_at_checked(1) {
        Some(("v", text)) => Value::Text(text.to_owned(), length.saturating_sub(1)),
        Some(("b", length)) => Value::Blob(number(length)),
        Some(("t", length)) => Value::Text(String::new(), number(length)),
        _ => Value::Text(text, length),
    }
}

/// A value in words, on one line.
pub fn words(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(value) => value.to_string(),
        Value::Real(value) => format!("{value:?}"),
        Value::Blob(length) => format!("<BLOB {}>", units::bytes(*length)),
        Value::Text(text, length) if text.is_empty() && *length > 0 => {
            format!("<TEXT {}>", units::bytes(*length))
        }
        Value::Text(text, _) => line(text),
    }
}

/// Whether only the start of a value is there.
pub fn is_cut(value: &Value) -> bool {
    matches!(value, Value::Text(text, length) if (text.len() as u64) < *length)
}

/// Text on one line: line ends and tabs are written as in programs.
pub fn line(text: &str) -> String {
    if !text.contains(['\n', '\r', '\t']) {
        return visible(text);
    }
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(['\n', '\r', '\t']) {
        let (end, mark) = match part.chars().next_back() {
            Some('\n') => (1, "\\n"),
            Some('\r') => (1, "\\r"),
            Some('\t') => (1, "\\t"),
            _ => (0, ""),
        };
        let text = part.len().checked_sub(end).and_then(|end| part.get(..end));
        out.push_str(&visible(text.unwrap_or_default()));
        out.push_str(mark);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        let text = |text: &str| Value::Text(text.to_owned(), text.len() as u64);
        assert_eq!(value(text("vhello")), text("hello"));
        assert_eq!(value(text("v")), text(""));
        assert_eq!(value(text("b12")), Value::Blob(12));
        assert_eq!(value(text("t99")), Value::Text(String::new(), 99));
        let cut = Value::Text("vab".to_owned(), 100);
        assert_eq!(value(cut), Value::Text("ab".to_owned(), 99));
        assert_eq!(value(Value::Integer(5)), Value::Integer(5));
    }

    #[test]
    fn values_are_put_into_words() {
        for (value, expected) in [
            (Value::Null, "NULL"),
            (Value::Real(1.0), "1.0"),
            (Value::Blob(7), "<BLOB 7B>"),
            (Value::Text("a\nb\tc\r\n".to_owned(), 7), "a\\nb\\tc\\r\\n"),
            (Value::Text(String::new(), 943_718_400), "<TEXT 900.0MB>"),
            (Value::Text(String::new(), 0), ""),
            (Value::Text("a\u{202e}b".to_owned(), 5), "a⟨U+202E⟩b"),
        ] {
            assert_eq!(words(&value), expected);
        }
    }
}
