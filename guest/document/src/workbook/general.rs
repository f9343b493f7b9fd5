//! The format General.

use super::decimal::Decimal;

/// The number of characters that Excel displays: digits and a point.
const WIDTH: usize = 11;

/// Returns whether a number is an integer of at most 15 digits, all of which are displayed.
fn is_short_integer(number: f64) -> bool {
    number.abs() < 1e15 && number.fract() == 0.0
}

/// The digits of a number in scientific notation.
const SCIENTIFIC: usize = 6;

/// The number of digits before the point that are displayed if scientific notation loses some of them.
const LONGEST: i32 = 21;

/// Writes a number with up to 15 significant digits, and an integer with all of them.
pub fn plain(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    if is_short_integer(number) {
        #[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
        return (number as i64).to_string();
    }
    let decimal = Decimal::new(number);
    let mut out = String::new();
    if number < 0.0 {
        out.push('-');
    }
    if (-8..=LONGEST).contains(&decimal.point()) {
        decimal.push(&mut out);
    } else {
        decimal.push_exponent(&mut out);
    }
    out
}

/// Writes the absolute value of a finite number as Excel displays it in a wide cell: with at most 11
/// characters, or else in scientific notation with 6 digits.
///
/// Numbers from 10^11 to 10^15 are displayed with all their digits, as other programs do, and longer
/// ones if they have more than 6 digits other than zeros at the end. Excel displays `4.20123E+11`, which
/// loses the digits of an identifier.
pub fn displayed(number: f64) -> String {
    let decimal = Decimal::new(number);
    let mut out = String::new();
    let point = decimal.point();
    let is_identifier = (16..=LONGEST).contains(&point) && decimal.significant() > SCIENTIFIC;
    if is_short_integer(number) || (12..=15).contains(&point) || is_identifier {
        decimal.push(&mut out);
        return out;
    }
    if (-8..=11).contains(&point) {
        // A number below 1 has the digit 0 before its point.
        let before = decimal.integers().max(1).saturating_add(1);
        let fits = before.saturating_add(decimal.decimals()) <= WIDTH;
        if fits {
            decimal.push(&mut out);
            return out;
        }
        if point >= -3 {
            let rounded = decimal.rounded(WIDTH.saturating_sub(before));
            rounded.push(&mut out);
            return out;
        }
    }
    let exponent = point.saturating_sub(1);
    let mantissa = decimal
        .shifted(exponent.saturating_neg())
        .rounded(SCIENTIFIC.saturating_sub(1));
    mantissa.shifted(exponent).push_exponent(&mut out);
    out
}

/// Returns the displayed text of a finite number if it differs from [`plain`].
pub fn differing(number: f64) -> Option<String> {
    if is_short_integer(number) {
        return None;
    }
    let mut shown = displayed(number);
    if number < 0.0 {
        shown.insert(0, '-');
    }
    (shown != plain(number)).then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_integer_has_all_digits() {
        for (number, text) in [
            (1_234_567_890_123_456.0, "1234567890123456"),
            (9_007_199_254_740_991.0, "9007199254740991"),
            (4_000_123_412_341_234.0, "4000123412341234"),
            (12_345_678_901_234_567.0, "12345678901234568"),
            (1_234_567_890_000_000.0, "1234567890000000"),
            (123_456_789_012_345.0, "123456789012345"),
        ] {
            assert_eq!(plain(number), text);
            assert_eq!(displayed(number), text);
            assert_eq!(differing(-number), None, "{text}");
        }
        assert_eq!(displayed(1.5e16), "1.5E+16");
        assert_eq!(plain(1.5e16), "15000000000000000");
        assert_eq!(displayed(6.022_140_76e23), "6.02214E+23");
        assert_eq!(plain(0.1 + 0.2), "0.3");
        assert_eq!(plain(1e15 + 0.5), "1000000000000000.5");
    }
}
