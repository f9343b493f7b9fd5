//! The values of text without quotes, by the core schema of YAML 1.2.

use serde_json::{Number, Value};

/// Whether a value is the mark of a block: `|`, `>`, with `+`, `-` and a number after it.
pub(super) fn is_block(value: &str) -> bool {
    let mark = value.split_whitespace().next().unwrap_or_default();
    let mut rest = mark.chars();
    matches!(rest.next(), Some('|' | '>')) && rest.all(|c| matches!(c, '+' | '-' | '1'..='9'))
}

/// The value of text without quotes: null, a boolean, a number or the text itself. `None` if it is a
/// number that JSON does not have.
pub(super) fn value(text: &str) -> Option<Value> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match number(text) {
            Some(number) => Value::Number(number.ok()?),
            None => Value::String(text.to_owned()),
        },
    })
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

/// A number that JSON does not have.
struct Unwritable;

/// The number that a text is, if it is one.
fn number(text: &str) -> Option<Result<Number, Unwritable>> {
    let (digits, radix) = match text.get(..2) {
        Some("0o") => (text.get(2..)?, 8),
        Some("0x") => (text.get(2..)?, 16),
        _ => (text, 10),
    };
    if radix != 10 {
        let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        let whole = u64::from_str_radix(digits, radix).map_err(|_| Unwritable);
        return is_number.then(|| whole.map(Number::from));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Err(Unwritable));
    }
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !unsigned.is_empty() && is_digits(unsigned) {
        let signed = text.strip_prefix('+').unwrap_or(text);
        let whole = signed.parse::<i64>().map(Number::from);
        let whole = whole.or_else(|_| signed.parse::<u64>().map(Number::from));
        return Some(whole.or_else(|_| float(signed)));
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
    is_number.then(|| float(text.strip_prefix('+').unwrap_or(text)))
}

fn float(text: &str) -> Result<Number, Unwritable> {
    let number = text.parse().ok().and_then(Number::from_f64);
    number.ok_or(Unwritable)
}
