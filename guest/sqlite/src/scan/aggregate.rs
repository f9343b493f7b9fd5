//! The aggregate functions of SQLite.

use super::value::{Cell, Value, compare};
use std::cmp::Ordering;

/// An aggregate function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The number of rows, or of values that are not NULL.
    Count,
    /// The sum, which is NULL without values.
    Sum,
    /// The sum as a floating-point number.
    Total,
    /// The average.
    Average,
    /// The smallest value.
    Least,
    /// The greatest value.
    Greatest,
}

impl Function {
    /// The function and its number of arguments, which a program shows as `sum(1)`.
    pub fn of(shown: &str) -> Option<(Self, usize)> {
        Some(match shown {
            "count(0)" => (Self::Count, 0),
            "count(1)" => (Self::Count, 1),
            "sum(1)" => (Self::Sum, 1),
            "total(1)" => (Self::Total, 1),
            "avg(1)" => (Self::Average, 1),
            "min(1)" => (Self::Least, 1),
            "max(1)" => (Self::Greatest, 1),
            _ => return None,
        })
    }

    /// The state before the first row.
    pub fn start(self) -> State {
        match self {
            Self::Count => State::Count(0),
            Self::Sum | Self::Total | Self::Average => State::Sum(Sum::default()),
            Self::Least => State::Extreme(None, Ordering::Less),
            Self::Greatest => State::Extreme(None, Ordering::Greater),
        }
    }
}

/// The state of an aggregate function.
#[derive(Clone, Debug)]
pub enum State {
    /// A number of rows.
    Count(i64),
    /// A sum.
    Sum(Sum),
    /// The smallest or greatest value, and the order of a value that replaces it.
    Extreme(Option<Value>, Ordering),
}

/// A sum of whole numbers, or a floating-point sum with its error after Kahan, Babuska and Neumaier.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    real: f64,
    error: f64,
    whole: i64,
    count: i64,
    is_real: bool,
    is_over: bool,
}

/// What a row did to an aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Columns that are not aggregated have the values of this row.
    Takes,
    /// The row does not have the smallest or greatest value.
    Skips,
}

impl State {
    /// Adds a row. `None` if the value has to be converted before.
    #[inline]
    pub fn add(&mut self, value: Cell<'_>) -> Option<Effect> {
        match self {
            Self::Count(count) => {
                if !value.is_null() {
                    *count += 1;
                }
            }
            Self::Sum(sum) => match value {
                Cell::Null => {}
                Cell::Integer(number) => sum.add(number),
                Cell::Real(number) => sum.add_real(number),
                Cell::Text(_) | Cell::Blob(_) => return None,
            },
            Self::Extreme(best, order) => {
                if value.is_null() {
                    // As in SQLite, the first rows without a value are taken.
                    let first = best.is_none();
                    return Some(if first { Effect::Takes } else { Effect::Skips });
                }
                let replaces = best
                    .as_ref()
                    .is_none_or(|best| compare(value, best.cell()) == *order);
                if !replaces {
                    return Some(Effect::Skips);
                }
                *best = Some(value.keep());
            }
        }
        Some(Effect::Takes)
    }

    /// The size in bytes of the text or blob that is kept.
    pub fn size(&self) -> usize {
        match self {
            Self::Extreme(Some(best), _) => best.cell().size(),
            Self::Extreme(None, _) | Self::Count(_) | Self::Sum(_) => 0,
        }
    }

    /// The result of a function. `None` if it is an error.
    pub fn result(&self, function: Function) -> Option<Value> {
        Some(match (self, function) {
            (Self::Count(count), _) => Value::Integer(*count),
            (Self::Extreme(best, _), _) => best.clone().unwrap_or(Value::Null),
            (Self::Sum(sum), Function::Total) => real(sum.as_real()),
            (Self::Sum(sum), _) if sum.count == 0 => Value::Null,
            #[allow(clippy::cast_precision_loss, reason = "as SQLite divides")]
            (Self::Sum(sum), Function::Average) => real(sum.as_real() / sum.count as f64),
            (Self::Sum(sum), _) if !sum.is_real => Value::Integer(sum.whole),
            (Self::Sum(sum), _) if sum.is_over => return None,
            (Self::Sum(sum), _) => real(sum.as_real()),
        })
    }
}

/// A floating-point number, or NULL for NaN.
fn real(number: f64) -> Value {
    if number.is_nan() {
        Value::Null
    } else {
        Value::Real(number)
    }
}

/// Whole numbers from here on, without their sign, are not all exact as floating-point numbers with a fraction.
const LARGE: i64 = 4_503_599_627_370_496;

#[allow(clippy::cast_precision_loss, reason = "as SQLite converts")]
impl Sum {
    #[inline]
    fn add(&mut self, number: i64) {
        self.count += 1;
        if !self.is_real {
            match self.whole.checked_add(number) {
                Some(sum) => {
                    self.whole = sum;
                    return;
                }
                None => {
                    self.is_over = true;
                    self.begin();
                }
            }
        }
        if number <= -LARGE || number >= LARGE {
            let small = number % 16384;
            self.step((number - small) as f64);
            self.step(small as f64);
        } else {
            self.step(number as f64);
        }
    }

    fn add_real(&mut self, number: f64) {
        self.count += 1;
        if self.is_real {
            self.is_over = false;
        } else {
            self.begin();
        }
        self.step(number);
    }

    /// Goes on with floating-point numbers.
    fn begin(&mut self) {
        self.is_real = true;
        if self.whole <= -LARGE || self.whole >= LARGE {
            let small = self.whole % 16384;
            self.real = (self.whole - small) as f64;
            self.error = small as f64;
        } else {
            self.real = self.whole as f64;
            self.error = 0.0;
        }
    }

    fn step(&mut self, number: f64) {
        let sum = self.real;
        let total = sum + number;
        self.error += if sum.abs() > number.abs() {
            (sum - total) + number
        } else {
            (number - total) + sum
        };
        self.real = total;
    }

    fn as_real(&self) -> f64 {
        if !self.is_real {
            self.whole as f64
        } else if self.error.is_finite() {
            self.real + self.error
        } else {
            self.real
        }
    }
}
