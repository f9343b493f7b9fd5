//! The values of texts: numbers, texts and nothing.

/// The value of a text in comparisons and statements.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlValue {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// The text itself.
    Text,
    /// Another text than the one that is shown, such as a date in ISO 8601.
    Other(String),
}

/// The maximum number of digits of a number. A longer one is an identifier.
const DIGITS: usize = 40;

impl SqlValue {
    /// The value of a text. A number is written as in JSON; spaces around it are ignored. These stay texts:
    /// a number with a plus sign, such as that of a telephone, one with leading zeros, such as a
    /// postal code, and a whole number that does not fit into 64 bits, such as that of an account.
    pub fn of(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// The value of a text that may not be valid UTF-8.
    pub fn of_bytes(text: &[u8]) -> Self {
        let Some(first) = text.first() else {
            return Self::Null;
        };
        // Most texts end here.
        if !matches!(first, b'0'..=b'9' | b'-' | b' ' | b'.') {
            return Self::Text;
        }
        let mut trimmed = text;
        while let Some((b' ', rest)) = trimmed.split_first() {
            trimmed = rest;
        }
        while let Some((b' ', rest)) = trimmed.split_last() {
            trimmed = rest;
        }
        if let Some(short) = short_number(trimmed) {
            return short;
        }
        let number = str::from_utf8(trimmed).ok().and_then(number);
        number.unwrap_or(Self::Text)
    }
}

impl SqlValue {
    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Integer(_) | Self::Real(_))
    }

    /// The value of a number, which is whole if it has no fraction.
    pub fn of_number(number: f64) -> Self {
        // Whole numbers up to 2^53 are exact.
        if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the number is whole and small"
            )]
            return Self::Integer(number as i64);
        }
        Self::Real(number)
    }
}

/// The number of digits up to which a number is calculated in one pass: 64 bits contain it.
const SHORT_DIGITS: usize = 18;

/// Whole numbers up to this one are exact as floating-point numbers.
const EXACT: u64 = 1 << 53;

/// The powers of ten up to the number of digits of a short number, which are exact.
const POWERS: [f64; SHORT_DIGITS + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18,
];

/// A number of a few digits without an exponent, as [`number`] returns it. `None` for other texts.
/// Both parts of the quotient are exact, so that it is rounded once, as in parsing.
fn short_number(text: &[u8]) -> Option<SqlValue> {
    let (is_negative, unsigned) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        _ => (false, text),
    };
    if unsigned.len() > SHORT_DIGITS {
        return None;
    }
    let mut digits = 0u64;
    let mut point = None;
    for (at, byte) in unsigned.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
        } else if *byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    let whole = point.unwrap_or(unsigned.len());
    if whole > 1 && unsigned.first() == Some(&b'0') {
        return None;
    }
    let Some(point) = point else {
        let number = i64::try_from(digits).ok().filter(|_| whole > 0)?;
        let number = if is_negative {
            number.checked_neg()?
        } else {
            number
        };
        return Some(SqlValue::Integer(number));
    };
    let fraction = unsigned.len().checked_sub(point.saturating_add(1))?;
    if fraction == 0 || digits >= EXACT {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "the number is exact")]
    let number = digits as f64 / POWERS.get(fraction)?;
    Some(SqlValue::Real(if is_negative { -number } else { number }))
}

fn number(text: &str) -> Option<SqlValue> {
    if text.len() > DIGITS {
        return None;
    }
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    let exponent_digits =
        exponent.map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    let valid = !leading_zero
        && (digits(whole) || (whole.is_empty() && fraction.is_some()))
        && fraction.is_none_or(digits)
        && exponent_digits.is_none_or(digits);
    if !valid {
        return None;
    }
    if fraction.is_none() && exponent.is_none() {
        return text.parse().ok().map(SqlValue::Integer);
    }
    let real: f64 = text.parse().ok()?;
    real.is_finite().then_some(SqlValue::Real(real))
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The text that is shown. It may be cut.
    pub text: String,
    /// The size in bytes of the whole text.
    pub bytes: u64,
    /// The value for comparisons and statements.
    pub value: SqlValue,
}

impl Cell {
    /// The cell with this text, which is a number if it looks like one.
    pub fn of_text(text: String) -> Self {
        let value = SqlValue::of(&text);
        Self {
            bytes: text.len() as u64,
            text,
            value,
        }
    }

    /// A cell without a value.
    pub fn empty() -> Self {
        Self {
            text: String::new(),
            bytes: 0,
            value: SqlValue::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_number_is_rounded_as_in_parsing() {
        let mut seed = 1u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let digits = (seed >> 11).to_string();
            let at = (seed % 7) as usize + 1;
            let (whole, fraction) = digits.split_at(at.min(digits.len()));
            let text = format!("-{whole}.{}5", &fraction[..fraction.len().min(8)]);
            let found = short_number(text.as_bytes()).or_else(|| number(&text));
            assert_eq!(found, number(&text), "{text}");
        }
    }

    #[test]
    fn number_is_a_number_only_if_nothing_is_lost() {
        for (text, value) in [
            ("", SqlValue::Null),
            ("0", SqlValue::Integer(0)),
            ("-12", SqlValue::Integer(-12)),
            (" 7 ", SqlValue::Integer(7)),
            (
                "123456789012345678",
                SqlValue::Integer(123_456_789_012_345_678),
            ),
            (
                "0.12345678901234567",
                SqlValue::Real(0.123_456_789_012_345_67),
            ),
            (
                "9007199254740993.5",
                SqlValue::Real(9_007_199_254_740_993.5),
            ),
            ("-0", SqlValue::Integer(0)),
            ("1.50", SqlValue::Real(1.5)),
            (".5", SqlValue::Real(0.5)),
            ("0.5e-3", SqlValue::Real(0.0005)),
            ("1E5", SqlValue::Real(100_000.0)),
        ] {
            assert_eq!(SqlValue::of(text), value, "{text}");
        }
        for text in [
            "01234",
            "+5",
            "-01",
            "1.",
            "1e",
            "1e999",
            "--1",
            "0x10",
            "1,5",
            "1 2",
            "12345678901234567890",
            "NaN",
            "inf",
            "-",
            "+",
            ".",
            " ",
            "229.077.5154",
            "2020-08-24",
            "١",
        ] {
            assert_eq!(SqlValue::of(text), SqlValue::Text, "{text}");
        }
    }
}
