//! The values of text without quotes, by the core schema of YAML 1.2.

use serde_json::{Number, Value};

/// Whether nothing but a comment is in a text.
pub(super) fn is_comment(text: &str) -> bool {
    text.is_empty() || text.starts_with('#')
}

/// Whether a value is the mark of a block: `|`, `>`, with `+`, `-` and a number after it, and a comment.
pub(super) fn is_block(value: &str) -> bool {
    let (mark, after) = value.split_once([' ', '\t']).unwrap_or((value, ""));
    let mut rest = mark.chars();
    matches!(rest.next(), Some('|' | '>'))
        && rest.all(|c| matches!(c, '+' | '-' | '1'..='9'))
        && is_comment(after.trim_start())
}

/// The value of text without quotes: null, a boolean, a number or the text itself. A number that JSON does
/// not have is text.
pub(super) fn value(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

/// The key of an object that a value is.
pub(super) fn key(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Null => Some(String::new()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// The number that a text is, if it is one that JSON has.
fn number(text: &str) -> Option<Number> {
    let radix = match text.get(..2) {
        Some("0o") => 8,
        Some("0x") => 16,
        _ => 10,
    };
    if radix != 10 {
        let digits = text.get(2..)?;
        let is_number = digits.chars().all(|c| c.is_digit(radix));
        let whole = u64::from_str_radix(digits, radix).ok().map(Number::from);
        return whole.filter(|_| is_number);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let signed = text.strip_prefix('+').unwrap_or(text);
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !unsigned.is_empty() && is_digits(unsigned) {
        let whole = signed.parse::<i64>().map(Number::from);
        let whole = whole.or_else(|_| signed.parse::<u64>().map(Number::from));
        return whole.ok().or_else(|| float(signed));
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    let is_exponent = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && is_digits(digits)
    });
    let is_number = has_digits && is_digits(whole) && is_digits(fraction) && is_exponent;
    is_number.then(|| float(signed))?
}

fn float(text: &str) -> Option<Number> {
    text.parse().ok().and_then(Number::from_f64)
}

/// The properties before a value: an anchor, which is its name, and a tag, which is its type.
#[derive(Clone, Copy, Default)]
pub(super) struct Properties<'t> {
    pub anchor: Option<&'t str>,
    /// Whether a tag states that the value is text.
    pub is_text: bool,
}

/// The properties at the start of a text, and the text after them. A tag that YAML does not define, such as
/// `!important`, is text. `ends` are the characters, besides white space, that end a property.
pub(super) fn properties<'t>(text: &'t str, ends: &[char]) -> (Properties<'t>, &'t str) {
    let mut properties = Properties::default();
    let mut rest = text;
    loop {
        let end = rest.find(|c: char| c.is_whitespace() || ends.contains(&c));
        let (word, after) = rest
            .split_at_checked(end.unwrap_or(rest.len()))
            .unwrap_or((rest, ""));
        match word.strip_prefix('&') {
            Some("") => return (properties, rest),
            Some(name) => properties.anchor = Some(name),
            None if word == "!" || word == "!!str" => properties.is_text = true,
            None if word.starts_with("!!") || word.starts_with("!<") => {}
            None => return (properties, rest),
        }
        rest = after.trim_start();
    }
}
