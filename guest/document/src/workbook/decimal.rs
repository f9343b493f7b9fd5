//! Numbers as decimal digits.
//!
//! Spreadsheets display the 15 significant digits of a number, so that 1.005 with two decimals is
//! 1.01, although the binary number is a little less. Of longer integers, all digits are kept.

use std::fmt::Write;

/// The number of significant digits that identify a number in memory.
const EXACT: usize = 17;

/// The least number with more than 15 digits before its point. Files have identifiers of 16 digits as
/// numbers, whose last digit is not lost.
const LONG: f64 = 1e15;

/// A number that is not negative: `0.DDD × 10^point`, with digits `DDD` as ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: [u8; EXACT],
    length: usize,
    point: i32,
}

/// A text of at most 32 bytes.
struct Buffer {
    bytes: [u8; 32],
    length: usize,
}

impl Write for Buffer {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.length.saturating_add(text.len());
        let free = self.bytes.get_mut(self.length..end);
        free.ok_or(std::fmt::Error)?
            .copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

impl Decimal {
    /// Returns the digits of the absolute value of a finite number.
    pub fn new(number: f64) -> Self {
        let mut decimal = Self {
            digits: [b'0'; EXACT],
            length: 0,
            point: 0,
        };
        let mut buffer = Buffer {
            bytes: [0; 32],
            length: 0,
        };
        let number = number.abs();
        // `1.23450000000000e2` has 15 significant digits.
        let written = if number < LONG {
            write!(buffer, "{number:.14e}")
        } else {
            write!(buffer, "{number:e}")
        };
        if written.is_err() {
            return decimal;
        }
        let bytes = buffer.bytes.get(..buffer.length).unwrap_or_default();
        let mantissa_end = bytes.iter().position(|byte| *byte == b'e');
        let (mantissa, exponent) = bytes.split_at(mantissa_end.unwrap_or(bytes.len()));
        let digits = mantissa.iter().filter(|byte| byte.is_ascii_digit());
        for (place, digit) in decimal.digits.iter_mut().zip(digits) {
            *place = *digit;
        }
        decimal.length = EXACT;
        let exponent = std::str::from_utf8(exponent.get(1..).unwrap_or_default());
        let exponent = exponent.ok().and_then(|it| it.parse::<i32>().ok());
        decimal.point = exponent.unwrap_or_default().saturating_add(1);
        decimal.trim();
        decimal
    }

    /// Returns whether the number is 0.
    pub fn is_zero(&self) -> bool {
        self.length == 0
    }

    /// Returns the number of digits without zeros at the end.
    pub fn significant(&self) -> usize {
        self.length
    }

    /// Returns the position of the point: the number of digits before it.
    pub fn point(&self) -> i32 {
        self.point
    }

    /// Multiplies by a power of 10.
    #[must_use]
    pub fn shifted(mut self, places: i32) -> Self {
        if !self.is_zero() {
            self.point = self.point.saturating_add(places);
        }
        self
    }

    /// Rounds to a number of digits after the point. Halves are rounded up.
    #[must_use]
    pub fn rounded(mut self, decimals: usize) -> Self {
        let decimals = i32::try_from(decimals).unwrap_or(i32::MAX);
        let kept = self.point.saturating_add(decimals);
        let Ok(kept) = usize::try_from(kept) else {
            self.length = 0;
            self.point = 0;
            return self;
        };
        let digit = self.digits.get(kept).copied();
        if kept >= self.length {
            return self;
        }
        self.length = kept;
        if digit.is_some_and(|digit| digit >= b'5') {
            self.increment();
        }
        self.trim();
        self
    }

    /// Adds 1 to the last digit.
    fn increment(&mut self) {
        let mut at = self.length;
        while let Some(before) = at.checked_sub(1) {
            at = before;
            match self.digits.get_mut(at) {
                Some(digit @ b'9') => *digit = b'0',
                Some(digit) => {
                    *digit = digit.saturating_add(1);
                    return;
                }
                None => return,
            }
        }
        // All digits were 9.
        self.digits = [b'0'; EXACT];
        if let Some(first) = self.digits.first_mut() {
            *first = b'1';
        }
        self.length = 1;
        self.point = self.point.saturating_add(1);
    }

    /// Removes zeros at the end.
    fn trim(&mut self) {
        while let Some(last) = self.length.checked_sub(1)
            && self.digits.get(last) == Some(&b'0')
        {
            self.length = last;
        }
        if self.length == 0 {
            self.point = 0;
        }
    }

    /// Returns the number of digits before the point. It is 0 for numbers below 1.
    pub fn integers(&self) -> usize {
        usize::try_from(self.point).unwrap_or(0)
    }

    /// Returns the number of digits after the point.
    pub fn decimals(&self) -> usize {
        let length = i32::try_from(self.length).unwrap_or(i32::MAX);
        usize::try_from(length.saturating_sub(self.point)).unwrap_or(0)
    }

    /// Returns the digit at a place. The place 0 is directly before the point, 1 is left of it, and
    /// -1 is directly after the point.
    pub fn digit(&self, place: i32) -> char {
        let at = self.point.saturating_sub(1).saturating_sub(place);
        let at = usize::try_from(at).ok().filter(|at| *at < self.length);
        let digit = at.and_then(|at| self.digits.get(at)).copied();
        char::from(digit.unwrap_or(b'0'))
    }

    /// Writes the digits with a point if there are decimals.
    pub fn push(&self, out: &mut String) {
        let integers = i32::try_from(self.integers()).unwrap_or(i32::MAX).max(1);
        for place in (0..integers).rev() {
            out.push(self.digit(place));
        }
        let decimals = i32::try_from(self.decimals()).unwrap_or(0);
        if decimals > 0 {
            out.push('.');
        }
        for place in 1..=decimals {
            out.push(self.digit(place.saturating_neg()));
        }
    }

    /// Writes the digits with an exponent: `1.5E+20`.
    pub fn push_exponent(&self, out: &mut String) {
        let exponent = self.point.saturating_sub(1);
        self.shifted(exponent.saturating_neg()).push(out);
        let sign = if exponent < 0 { '-' } else { '+' };
        out.push('E');
        out.push(sign);
        out.push_str(&format!("{:02}", exponent.unsigned_abs()));
    }
}
