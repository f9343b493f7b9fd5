//! Values of rows: the SQL that selects them without loading large ones, and their text.

use super::clause::quoted;
use crate::escapes::{any_byte, escape_invisible};
use crate::limits;
use crate::units;
use crate::world::Value;

/// The SQL expression that selects the value of a column and marks its type with a prefix:
///
/// * numbers and NULL are unchanged
/// * text is prefixed by `v`; the engine may return only its start
/// * text of more than [`limits::MEMORY_VALUE_BYTES`] is replaced by `t` and its length in bytes
/// * a blob is replaced by `b` and its length in bytes
pub fn expression(column: &str) -> String {
    let name = quoted(column);
    let limit = limits::MEMORY_VALUE_BYTES;
    format!(
        "CASE typeof({name}) WHEN 'text' THEN CASE WHEN octet_length({name}) <= {limit} \
         THEN 'v' || {name} ELSE 't' || octet_length({name}) END \
         WHEN 'blob' THEN 'b' || length({name}) ELSE {name} END"
    )
}

/// Converts a result of [`expression`] to the value of the column.
pub fn value(selected: Value) -> Value {
    let Value::Text(text, length) = selected else {
        return selected;
    };
    let number = |text: &str| text.parse().unwrap_or(0);
    match text.split_at_checked(1) {
        Some(("v", text)) => Value::Text(text.to_owned(), length.saturating_sub(1)),
        Some(("b", length)) => Value::Blob(number(length)),
        Some(("t", length)) => Value::Text(String::new(), number(length)),
        _ => Value::Text(text, length),
    }
}

/// A value as text on one line.
pub fn format_value(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(value) => value.to_string(),
        Value::Real(value) => format!("{value:?}"),
        Value::Blob(length) => format!("<BLOB {}>", units::bytes(*length)),
        Value::Text(text, length) if text.is_empty() && *length > 0 => {
            format!("<TEXT {}>", units::bytes(*length))
        }
        // Not the value NULL.
        Value::Text(text, _) if text == "NULL" => "'NULL'".to_owned(),
        Value::Text(text, _) => line(text),
    }
}

/// Whether the engine returned only the start of a value.
pub fn is_cut(value: &Value) -> bool {
    matches!(value, Value::Text(text, length) if (text.len() as u64) < *length)
}

/// A text on one line. Line ends and tabs are written as `\n`, `\r` and `\t`.
pub fn line(text: &str) -> String {
    // Most values are plain, and one test of their bytes takes less time than a search.
    if !any_byte(text.as_bytes(), |b| b < b' ') {
        return escape_invisible(text);
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
        out.push_str(&escape_invisible(text.unwrap_or_default()));
        out.push_str(mark);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selected_value_is_converted_by_its_prefix() {
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
    fn value_is_formatted_on_one_line() {
        for (value, expected) in [
            (Value::Null, "NULL"),
            (Value::Text("NULL".to_owned(), 4), "'NULL'"),
            (Value::Real(1.0), "1.0"),
            (Value::Blob(7), "<BLOB 7B>"),
            (Value::Text("a\nb\tc\r\n".to_owned(), 7), "a\\nb\\tc\\r\\n"),
            (Value::Text(String::new(), 943_718_400), "<TEXT 900.0MB>"),
            (Value::Text(String::new(), 0), ""),
            (Value::Text("a\u{202e}b".to_owned(), 5), "a⟨U+202E⟩b"),
        ] {
            assert_eq!(format_value(&value), expected);
        }
    }
}
