//! The order of values in SQLite, and keys whose bytes have this order.

use crate::tables::SqlValue;
use std::borrow::Cow;
use std::cmp::Ordering;

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Number(SqlValue),
    Text(String),
}

/// The order of a whole and a floating-point number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the parts are compared one after the other"
)]
fn of_mixed(whole: i64, real: f64) -> Ordering {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if real < -LIMIT {
        return Ordering::Greater;
    }
    if real >= LIMIT {
        return Ordering::Less;
    }
    let by_whole = whole.cmp(&(real as i64));
    by_whole.then_with(|| of_reals(whole as f64, real))
}

fn of_reals(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// The order of two numbers. `None` if one is not a number.
fn of_numbers(a: &SqlValue, b: &SqlValue) -> Option<Ordering> {
    Some(match (a, b) {
        (SqlValue::Integer(a), SqlValue::Integer(b)) => a.cmp(b),
        (SqlValue::Integer(a), SqlValue::Real(b)) => of_mixed(*a, *b),
        (SqlValue::Real(a), SqlValue::Integer(b)) => of_mixed(*b, *a).reverse(),
        (SqlValue::Real(a), SqlValue::Real(b)) => of_reals(*a, *b),
        _ => return None,
    })
}

/// The order of a value and a literal. `text` is the text of the value, if it is one. `None` if the value is NULL.
pub fn with_literal<'t>(
    value: &SqlValue,
    text: impl FnOnce() -> Cow<'t, [u8]>,
    literal: &Literal,
) -> Option<Ordering> {
    match (value, literal) {
        (SqlValue::Null, _) => None,
        (SqlValue::Text | SqlValue::Other(_), Literal::Text(other)) => {
            Some(text().as_ref().cmp(other.as_bytes()))
        }
        (SqlValue::Text | SqlValue::Other(_), Literal::Number(_)) => Some(Ordering::Greater),
        (_, Literal::Text(_)) => Some(Ordering::Less),
        (value, Literal::Number(number)) => of_numbers(value, number),
    }
}

const NULL: u8 = 1;
const NUMBER: u8 = 2;
const TEXT: u8 = 3;

/// Appends the key of a value. Keys of several values are ordered by the first one that differs. A key never is
/// the start of another one.
#[expect(clippy::cast_precision_loss, reason = "the difference follows")]
pub fn push_key<'t>(
    value: &SqlValue,
    text: impl FnOnce() -> Cow<'t, [u8]>,
    is_descending: bool,
    key: &mut Vec<u8>,
) {
    let from = key.len();
    match value {
        SqlValue::Null => key.push(NULL),
        SqlValue::Integer(number) => {
            let real = *number as f64;
            let left = i128::from(*number).saturating_sub(real_as_whole(real));
            push_number(real, i64::try_from(left).unwrap_or(0), key);
        }
        SqlValue::Real(number) => push_number(*number, 0, key),
        SqlValue::Text | SqlValue::Other(_) => {
            key.push(TEXT);
            let text = text();
            let mut rest = text.as_ref();
            // After a NUL is a byte that is greater than the end.
            while let Some(at) = memchr::memchr(0, rest) {
                let (before, after) = rest
                    .split_at_checked(at.saturating_add(1))
                    .unwrap_or((rest, &[]));
                key.extend_from_slice(before);
                key.push(1);
                rest = after;
            }
            key.extend_from_slice(rest);
            key.extend([0, 0]);
        }
    }
    if is_descending {
        for byte in key.get_mut(from..).unwrap_or_default() {
            *byte = !*byte;
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "it is a whole number of 64 bits"
)]
fn real_as_whole(real: f64) -> i128 {
    real as i128
}

fn push_number(real: f64, left: i64, key: &mut Vec<u8>) {
    // Both zeros are equal.
    let bits = (real + 0.0).to_bits();
    let sign = 1u64 << 63;
    let ordered = if bits & sign == 0 { bits | sign } else { !bits };
    key.push(NUMBER);
    key.extend(ordered.to_be_bytes());
    key.extend((left.cast_unsigned() ^ sign).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use SqlValue::{Integer, Null, Real, Text};

    #[test]
    fn keys_have_the_order_of_the_values() {
        let big = 9_007_199_254_740_993;
        let values = [
            (Null, ""),
            (Real(f64::NEG_INFINITY), ""),
            (Real(-1e300), ""),
            (Integer(i64::MIN), ""),
            (Integer(-5), ""),
            (Real(-0.5), ""),
            (Integer(0), ""),
            (Real(0.1), ""),
            (Integer(1), ""),
            (Real(1.5), ""),
            (Integer(big - 1), ""),
            (Integer(big), ""),
            (Real(9_007_199_254_740_994.0), ""),
            (Integer(i64::MAX - 1), ""),
            (Integer(i64::MAX), ""),
            (Real(9_223_372_036_854_775_808.0), ""),
            (Text, ""),
            (Text, "\0"),
            (Text, "\0a"),
            (Text, "10"),
            (Text, "9"),
            (Text, "A"),
            (Text, "a"),
            (Text, "a\0"),
            (Text, "aa"),
            (Text, "ä"),
        ];
        for descending in [false, true] {
            let keys = values.iter().map(|(value, text)| {
                let mut key = Vec::new();
                push_key(value, || text.as_bytes().into(), descending, &mut key);
                key
            });
            let keys: Vec<Vec<u8>> = keys.collect();
            for pair in keys.windows(2) {
                assert_eq!(pair[0] < pair[1], !descending, "{pair:?}");
                assert!(!pair[1].starts_with(&pair[0]));
            }
        }
        for (at, (a, _)) in values.iter().enumerate().take(16).skip(1) {
            for (other, (b, _)) in values.iter().enumerate().take(16).skip(1) {
                assert_eq!(of_numbers(a, b), Some(at.cmp(&other)), "{a:?} {b:?}");
            }
        }
        let key = |value: &SqlValue| {
            let mut key = Vec::new();
            push_key(value, || Cow::Borrowed(b""), false, &mut key);
            key
        };
        assert_eq!(key(&Real(-0.0)), key(&Integer(0)));
        assert_eq!(key(&Real(2.0)), key(&Integer(2)));
    }
}
