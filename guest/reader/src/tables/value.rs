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
        let Some(first) = text.bytes().next() else {
            return Self::Null;
        };
        // Most texts end here.
        if !matches!(first, b'0'..=b'9' | b'-' | b' ' | b'.') {
            return Self::Text;
        }
        let trimmed = text.trim_matches(' ');
        number(trimmed).unwrap_or(Self::Text)
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
    fn number_is_a_number_only_if_nothing_is_lost() {
        for (text, value) in [
            ("", SqlValue::Null),
            ("0", SqlValue::Integer(0)),
            ("-12", SqlValue::Integer(-12)),
            (" 7 ", SqlValue::Integer(7)),
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
