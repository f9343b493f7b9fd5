//! The functions count, sum, avg, min and max, as SQLite calculates them.

use super::condition::Values;
use super::order::push_key;
use super::result::Kept;
use crate::tables::SqlValue;

/// A function of the values of a column in several rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Count,
    Sum,
    Average,
    Least,
    Greatest,
}

/// A function and the column whose values it has. `None` for the rows themselves.
pub type Aggregate = (Function, Option<usize>);

/// The state of a function.
pub enum State {
    Count(i64),
    Sum(Sum),
    /// The key of the least or greatest value, and that value.
    Most(Vec<u8>, Kept),
}

/// The sum of numbers: whole numbers, until a floating-point number is added. Then it is that of
/// floating-point numbers with the method of Neumaier.
#[derive(Default)]
pub struct Sum {
    whole: i64,
    count: i64,
    real: Option<(f64, f64)>,
    has_overflowed: bool,
}

/// A value with which the calculation is left to the engine.
pub struct Unknown;

impl State {
    pub fn new((function, _): Aggregate) -> Self {
        match function {
            Function::Count => Self::Count(0),
            Function::Sum | Function::Average => Self::Sum(Sum::default()),
            Function::Least | Function::Greatest => Self::Most(Vec::new(), Kept::Null),
        }
    }

    /// Adds the value of a row. `key` is memory for keys.
    ///
    /// # Errors
    /// Fails for a text in a sum that may start with a number.
    pub fn add(
        &mut self,
        (function, column): Aggregate,
        row: &impl Values,
        key: &mut Vec<u8>,
    ) -> Result<(), Unknown> {
        let Some(column) = column else {
            if let Self::Count(count) = self {
                *count = count.saturating_add(1);
            }
            return Ok(());
        };
        let value = row.value(column);
        if *value == SqlValue::Null {
            return Ok(());
        }
        match self {
            Self::Count(count) => *count = count.saturating_add(1),
            Self::Sum(sum) => match value {
                SqlValue::Integer(number) => sum.add_whole(*number),
                SqlValue::Real(number) => sum.add_real(*number),
                _ => {
                    let text = row.text(column);
                    let mut bytes = text.bytes();
                    // A text that does not start with a number is 0.0.
                    let first = bytes.find(|byte| !byte.is_ascii_whitespace() && *byte != 11);
                    if matches!(first, Some(b'0'..=b'9' | b'+' | b'-' | b'.')) {
                        return Err(Unknown);
                    }
                    sum.add_real(0.0);
                }
            },
            Self::Most(most, kept) => {
                key.clear();
                push_key(
                    value,
                    || row.bytes(column),
                    function == Function::Greatest,
                    key,
                );
                if most.is_empty() || key < most {
                    most.clone_from(key);
                    *kept = Kept::of(value, || row.text(column));
                }
            }
        }
        Ok(())
    }

    /// The result.
    ///
    /// # Errors
    /// Fails for a sum of whole numbers that does not fit into 64 bits.
    pub fn result(self, function: Function) -> Result<Kept, Unknown> {
        Ok(match self {
            Self::Count(count) => Kept::Integer(count),
            Self::Most(_, kept) => kept,
            Self::Sum(sum) if sum.count == 0 => Kept::Null,
            Self::Sum(sum) if function == Function::Average => sum.average(),
            Self::Sum(sum) if sum.has_overflowed => return Err(Unknown),
            Self::Sum(sum) => match sum.real {
                Some(real) => Kept::of_real(total(real)),
                None => Kept::Integer(sum.whole),
            },
        })
    }

    /// The size in bytes of a value in memory.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Most(key, kept) => key.len().saturating_add(kept.bytes()),
            Self::Count(_) | Self::Sum(_) => 0,
        }
    }
}

/// Whole numbers from this one on are added in two parts.
const LARGE: i64 = 1 << 52;

/// A whole number in two parts, which are exact as floating-point numbers.
fn parts(number: i64) -> (i64, i64) {
    if number > -LARGE && number < LARGE {
        return (number, 0);
    }
    let small = number % 16_384;
    (number.saturating_sub(small), small)
}

fn total((sum, error): (f64, f64)) -> f64 {
    if error.is_finite() { sum + error } else { sum }
}

#[expect(clippy::cast_precision_loss, reason = "SQLite does the same")]
impl Sum {
    fn add_whole(&mut self, number: i64) {
        self.count = self.count.saturating_add(1);
        if self.real.is_none() {
            match self.whole.checked_add(number) {
                Some(sum) => {
                    self.whole = sum;
                    return;
                }
                None => self.has_overflowed = true,
            }
        }
        let (big, small) = parts(number);
        self.step(big as f64);
        if small != 0 {
            self.step(small as f64);
        }
    }

    fn add_real(&mut self, number: f64) {
        self.count = self.count.saturating_add(1);
        if self.real.is_some() {
            self.has_overflowed = false;
        }
        self.step(number);
    }

    fn step(&mut self, number: f64) {
        let (sum, error) = self.real.unwrap_or_else(|| {
            let (big, small) = parts(self.whole);
            (big as f64, small as f64)
        });
        let next = sum + number;
        let lost = if sum.abs() > number.abs() {
            (sum - next) + number
        } else {
            (number - next) + sum
        };
        self.real = Some((next, error + lost));
    }

    fn average(&self) -> Kept {
        let sum = self.real.map_or(self.whole as f64, total);
        Kept::of_real(sum / self.count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_is_whole_until_a_real_number_is_added() {
        use SqlValue::{Integer, Real};
        let of = |numbers: &[SqlValue]| {
            let mut sum = Sum::default();
            for number in numbers {
                match number {
                    Integer(number) => sum.add_whole(*number),
                    Real(number) => sum.add_real(*number),
                    _ => {}
                }
            }
            State::Sum(sum).result(Function::Sum)
        };
        assert_eq!(of(&[]).ok(), Some(Kept::Null));
        assert_eq!(of(&[Integer(2), Integer(3)]).ok(), Some(Kept::Integer(5)));
        let tenths = [Real(0.1), Real(0.2), Integer(1), Real(-0.3)];
        assert_eq!(of(&tenths).ok(), Some(Kept::Real(1.0)));
        assert!(of(&[Integer(i64::MAX), Integer(1)]).is_err());
        let reals = [Integer(i64::MAX), Real(-1e300), Real(1e300)];
        assert_eq!(
            of(&reals).ok(),
            Some(Kept::Real(9_223_372_036_854_775_807.0))
        );
    }
}
