//! The format General.

use super::decimal::Decimal;

/// The number of characters that Excel displays: digits and a point.
const WIDTH: usize = 11;

/// Returns whether a number is an integer of at most 15 digits, all of which are displayed.
fn is_short_integer(number: f64) -> bool {
    number.abs() < 1e15 && number.fract() == 0.0
}

/// Writes a number with up to 15 significant digits.
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
    if (-8..=21).contains(&decimal.point()) {
        decimal.push(&mut out);
    } else {
        decimal.push_exponent(&mut out);
    }
    out
}

/// Writes the absolute value of a finite number as Excel displays it in a wide cell: with at most 11
/// characters, or else in scientific notation with 6 digits.
///
/// Numbers from 10^11 to 10^15 are displayed with all their digits, as other programs do. Excel
/// displays `4.20123E+11`, which loses the digits of an identifier.
pub fn displayed(number: f64) -> String {
    let decimal = Decimal::new(number);
    let mut out = String::new();
    let point = decimal.point();
    if is_short_integer(number) || (12..=15).contains(&point) {
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
    // Six significant digits.
    let exponent = point.saturating_sub(1);
    let mantissa = decimal.shifted(exponent.saturating_neg()).rounded(5);
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
