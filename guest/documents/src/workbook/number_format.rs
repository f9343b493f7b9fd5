//! Number formats of spreadsheets, such as `0.0%` and `yyyy-mm-dd` (ECMA-376-1, 18.8.30).

use super::Value;

/// The day with the number 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Epoch {
    /// 1899-12-30 for days since March 1900, with Excel's 29 February 1900 before.
    #[default]
    Y1900,
    /// 1904-01-01.
    Y1904,
}

/// A number format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberFormat {}

impl NumberFormat {
    /// Reads a format code. A code that is not valid is `General`.
    pub fn parse(_code: &str) -> Self {
        Self {}
    }

    /// The format with a number that files do not define, such as 9 for `0%`.
    pub fn builtin(_id: u16) -> Self {
        Self {}
    }

    /// The value of a number in a cell of this format, and the displayed text if it differs from
    /// [`Value::plain`]. The value is a [`Value::Date`] if the format shows a date or a time.
    pub fn number(&self, number: f64, _epoch: Epoch) -> (Value, Option<String>) {
        (Value::Number(number), None)
    }

    /// The displayed form of a text in a cell of this format, if it differs from the text.
    pub fn text(&self, _text: &str) -> Option<String> {
        None
    }
}
