//! Numbers: digits, thousands, exponents and fractions.

use super::code::{Denominator, Layout, Section, Token};
use crate::workbook::decimal::Decimal;
use crate::workbook::general;

/// Writes a finite number in a section. `minus` is whether a minus precedes it.
pub fn render(number: f64, section: &Section, minus: bool) -> String {
    let mut out = String::new();
    if minus {
        out.push('-');
    }
    let layout = &section.layout;
    let decimal = Decimal::new(number).shifted(layout.shift);
    let fraction = section.tokens.iter().find_map(|token| match token {
        Token::Fraction(denominator) => Some(*denominator),
        _ => None,
    });
    let mut writer = Writer {
        layout,
        integers: decimal,
        exponent: 0,
        fraction: None,
        place: to_place(layout.integers),
        phase: Phase::Integers,
        out,
    };
    if let Some(denominator) = fraction {
        writer.split(number.abs(), denominator);
    } else if section
        .tokens
        .iter()
        .any(|it| matches!(it, Token::Exponent(_)))
    {
        writer.scale();
    } else {
        writer.integers = decimal.rounded(layout.decimals);
    }
    for token in &section.tokens {
        writer.token(token, number);
    }
    let out = writer.out;
    let trimmed = out.trim();
    if trimmed.len() == out.len() {
        out
    } else {
        trimmed.to_owned()
    }
}

/// A count of places as the number of a place.
fn to_place(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Integers,
    Decimals,
    Exponent,
}

struct Writer<'s> {
    layout: &'s Layout,
    /// The number, the mantissa or the integer before a fraction.
    integers: Decimal,
    exponent: i32,
    /// The numerator and the denominator.
    fraction: Option<(u64, u64)>,
    /// The number of places that are left in this phase.
    place: i32,
    phase: Phase,
    out: String,
}

impl Writer<'_> {
    fn token(&mut self, token: &Token, number: f64) {
        match token {
            Token::Literal(text) => self.out.push_str(text),
            Token::Percent => self.out.push('%'),
            Token::General | Token::Text => self.out.push_str(&general::displayed(number)),
            Token::Point => {
                if self.layout.integers == 0 {
                    self.all_integers();
                }
                self.phase = Phase::Decimals;
                self.place = 0;
                self.out.push('.');
            }
            Token::Digit(kind) => match self.phase {
                Phase::Integers => self.integer(*kind),
                Phase::Decimals => self.decimal(*kind),
                Phase::Exponent => self.exponent_digit(*kind),
            },
            Token::Exponent(plus) => {
                self.phase = Phase::Exponent;
                self.place = to_place(self.layout.exponent);
                self.out.push('E');
                if self.exponent < 0 {
                    self.out.push('-');
                } else if *plus {
                    self.out.push('+');
                }
            }
            Token::Fraction(_) => match self.fraction {
                Some((numerator, denominator)) => {
                    self.out.push_str(&format!("{numerator}/{denominator}"));
                }
                // The integer is the whole number. It is displayed even if it is 0.
                None if self.layout.integers == 0 => self.all_integers(),
                None => {
                    self.out.truncate(self.out.trim_end().len());
                    if self.integers.is_zero() && !self.out.ends_with('0') {
                        self.out.push('0');
                    }
                }
            },
            Token::Comma | Token::Date(_) => {}
        }
    }

    /// Writes all digits before the point. 0 has none.
    fn all_integers(&mut self) {
        for place in (0..to_place(self.integers.integers())).rev() {
            self.out.push(self.integers.digit(place));
        }
    }

    /// Writes a place before the point. The first one has all digits that have no place.
    fn integer(&mut self, kind: char) {
        let is_first = self.place == to_place(self.layout.integers);
        self.place = self.place.saturating_sub(1);
        let known = to_place(self.integers.integers());
        let mut place = self.place;
        if is_first {
            place = place.max(known.saturating_sub(1));
        }
        while place >= self.place {
            let digit = if place < known {
                Some(self.integers.digit(place))
            } else {
                filling(kind)
            };
            if let Some(digit) = digit {
                self.out.push(digit);
                if self.layout.grouped && place > 0 && place.checked_rem(3) == Some(0) {
                    self.out.push(if digit == ' ' { ' ' } else { ',' });
                }
            }
            place = place.saturating_sub(1);
        }
    }

    /// Writes a place after the point.
    fn decimal(&mut self, kind: char) {
        self.place = self.place.saturating_sub(1);
        let known = to_place(self.integers.decimals());
        if self.place.saturating_neg() <= known {
            self.out.push(self.integers.digit(self.place));
        } else {
            self.out.extend(filling(kind));
        }
    }

    fn exponent_digit(&mut self, kind: char) {
        let is_first = self.place == to_place(self.layout.exponent);
        self.place = self.place.saturating_sub(1);
        let digits = self.exponent.unsigned_abs().to_string();
        let digits = if self.exponent == 0 { "" } else { &digits };
        let place = usize::try_from(self.place).unwrap_or(0);
        let length = digits.len();
        if is_first && length > place {
            let end = length.saturating_sub(place);
            self.out.push_str(digits.get(..end).unwrap_or_default());
        } else if place < length {
            let at = length.saturating_sub(1).saturating_sub(place);
            self.out
                .extend(digits.get(at..).and_then(|it| it.chars().next()));
        } else {
            self.out.extend(filling(kind));
        }
    }

    /// Chooses the exponent and the mantissa. With several places before the point, the exponent is a
    /// multiple of their number.
    fn scale(&mut self) {
        let step = to_place(self.layout.integers).clamp(1, 64);
        let number = self.integers;
        let mut exponent = 0;
        if !number.is_zero() {
            let power = number.point().saturating_sub(1);
            let below = power.checked_rem_euclid(step).unwrap_or(0);
            exponent = power.saturating_sub(below);
        }
        let mantissa = |exponent: i32| {
            let shifted = number.shifted(exponent.saturating_neg());
            shifted.rounded(self.layout.decimals)
        };
        let mut found = mantissa(exponent);
        if found.point() > step {
            exponent = exponent.saturating_add(step);
            found = mantissa(exponent);
        }
        self.integers = found;
        self.exponent = exponent;
    }

    /// Splits the number into an integer and a fraction.
    fn split(&mut self, number: f64, denominator: Denominator) {
        let has_integer = self.layout.integers > 0;
        let number = number * 10_f64.powi(self.layout.shift);
        // Larger numbers have no fraction.
        if number >= 1e15 {
            return;
        }
        let whole = number.floor();
        let (numerator, denominator) = match denominator {
            Denominator::Fixed(fixed) => {
                ((number - whole) * f64::from(fixed)).round_to(u64::from(fixed))
            }
            Denominator::UpTo(limit) => nearest_fraction(number - whole, u64::from(limit)),
        };
        let carry = numerator == denominator;
        if has_integer {
            let whole = if carry { whole + 1.0 } else { whole };
            self.integers = Decimal::new(whole);
            self.fraction = (numerator > 0 && !carry).then_some((numerator, denominator));
        } else {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the range is checked"
            )]
            let whole = (whole as u64).saturating_mul(denominator);
            self.fraction = Some((whole.saturating_add(numerator), denominator));
        }
    }
}

/// A number that becomes a numerator.
trait RoundTo {
    fn round_to(self, denominator: u64) -> (u64, u64);
}

impl RoundTo for f64 {
    fn round_to(self, denominator: u64) -> (u64, u64) {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the number is between 0 and the denominator"
        )]
        let numerator = self.round() as u64;
        (numerator.min(denominator), denominator)
    }
}

/// Returns what is displayed at a place without a digit.
fn filling(kind: char) -> Option<char> {
    match kind {
        '0' => Some('0'),
        '?' => Some(' '),
        _ => None,
    }
}

/// Returns the fraction that is nearest to a number from 0 to 1, with a denominator up to a limit:
/// the last convergent of its continued fraction, or a fraction between the last two.
fn nearest_fraction(number: f64, limit: u64) -> (u64, u64) {
    let (mut p0, mut q0, mut p1, mut q1) = (0_u64, 1_u64, 1_u64, 0_u64);
    let mut rest = number;
    for _ in 0..64 {
        let whole = rest.floor();
        if !(0.0..1e9).contains(&whole) {
            break;
        }
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range is checked"
        )]
        let part = whole as u64;
        let q2 = part.saturating_mul(q1).saturating_add(q0);
        if q2 > limit {
            let most = limit.saturating_sub(q0).checked_div(q1).unwrap_or(0);
            let between = (
                most.saturating_mul(p1).saturating_add(p0),
                most.saturating_mul(q1).saturating_add(q0),
            );
            return nearer(number, (p1, q1), between);
        }
        let p2 = part.saturating_mul(p1).saturating_add(p0);
        (p0, q0, p1, q1) = (p1, q1, p2, q2);
        let fraction = rest - whole;
        // The binary fraction has 53 digits. What is left is noise.
        if fraction < 1e-9 {
            break;
        }
        rest = 1.0 / fraction;
    }
    (p1, q1)
}

/// Returns the fraction that is nearer to the number.
fn nearer(number: f64, first: (u64, u64), second: (u64, u64)) -> (u64, u64) {
    #[allow(clippy::cast_precision_loss, reason = "the numbers are small")]
    let distance = |(p, q): (u64, u64)| (number - p as f64 / q as f64).abs();
    if second.1 > 0 && distance(second) < distance(first) {
        second
    } else {
        first
    }
}
