//! Number formats of spreadsheets, such as `0.0%` and `yyyy-mm-dd` (ECMA-376-1, 18.8.30 and 18.8.31).
//!
//! ```text
//! code      the code of a format → sections of tokens
//! condition the numbers for which a section is used
//! builtin   the codes of the formats that files do not define
//! number    numbers: digits, thousands, exponents, fractions
//! date      dates, times and durations
//! ```
//!
//! A code is parsed once and applied to each cell with the format. The displayed text has no spaces
//! at its ends: those of a format only align numbers in a column. Names of months and days are
//! English.

mod builtin;
mod code;
mod condition;
mod date;
mod number;
#[cfg(test)]
mod tests;

use super::{Value, general};
use crate::limits;
use code::{Kind, Section, Token};
pub use date::Epoch;

/// A number format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberFormat {
    /// The sections for numbers, at most three. None for `General`.
    sections: Vec<Section>,
    /// The section for texts.
    text: Option<Section>,
}

impl NumberFormat {
    /// Reads a format code. A code that is not valid is `General`.
    pub fn parse(code: &str) -> Self {
        if code.len() > limits::FORMAT_CODE_BYTES {
            return Self::default();
        }
        let mut sections = code::sections(code);
        if let [only] = &sections[..]
            && only.is_plain_general()
        {
            return Self::default();
        }
        let mut text = None;
        let last_is_text = sections.last().is_some_and(|it| it.kind == Kind::Text);
        if sections.len() >= 4 || last_is_text {
            sections.truncate(4);
            text = sections.pop();
        }
        Self { sections, text }
    }

    /// The format with a number that files do not define, such as 9 for `0%`.
    ///
    /// The formats 14 and 22 follow the settings of a computer. They are shown in the form of
    /// ISO 8601, which is not ambiguous.
    pub fn builtin(id: u16) -> Self {
        Self::parse(builtin::code(id))
    }

    /// Returns whether the format is `General`.
    pub fn is_general(&self) -> bool {
        self.sections.is_empty() && self.text.is_none()
    }

    /// The value of a number in a cell of this format, and the displayed text if it differs from
    /// [`Value::plain`]. The value is a [`Value::Date`] if the format shows a date or a time.
    pub fn number(&self, number: f64, epoch: Epoch) -> (Value, Option<String>) {
        if !number.is_finite() {
            return (Value::Number(number), None);
        }
        let Some((section, minus)) = self.section(number) else {
            return general_value(number);
        };
        if section.kind == Kind::Date {
            return match date::value(number, section, epoch) {
                Some((iso, shown)) => {
                    let shown = (shown != iso).then_some(shown);
                    (Value::Date(iso), shown)
                }
                None => general_value(number),
            };
        }
        if section.is_plain_general() && minus == (number < 0.0) {
            return general_value(number);
        }
        let shown = number::render(number, section, minus);
        let same = shown == general::plain(number);
        (Value::Number(number), (!same).then_some(shown))
    }

    /// The displayed form of a text in a cell of this format, if it differs from the text.
    pub fn text(&self, text: &str) -> Option<String> {
        let section = self.text.as_ref()?;
        let mut shown = String::new();
        for token in &section.tokens {
            match token {
                Token::Text | Token::General => shown.push_str(text),
                Token::Literal(literal) => shown.push_str(literal),
                _ => {}
            }
        }
        let trimmed = shown.trim();
        (trimmed != text.trim()).then(|| trimmed.to_owned())
    }

    /// The section for a number, and whether a minus precedes a negative number. `None` for
    /// `General`.
    fn section(&self, number: f64) -> Option<(&Section, bool)> {
        let negative = number < 0.0;
        let has_conditions = self.sections.iter().any(|it| it.condition.is_some());
        if has_conditions {
            // A section without a condition takes what the sections before it leave.
            let found = self
                .sections
                .iter()
                .find(|it| it.condition.is_none_or(|condition| condition.holds(number)))?;
            let only_negative = found
                .condition
                .is_some_and(condition::Condition::is_negative);
            return Some((found, negative && !only_negative));
        }
        match &self.sections[..] {
            [] => None,
            [one] => Some((one, negative)),
            [_, second, ..] if negative => Some((second, false)),
            [_, _, third, ..] if number == 0.0 => Some((third, false)),
            [first, ..] => Some((first, false)),
        }
    }
}

/// A number as `General` displays it.
fn general_value(number: f64) -> (Value, Option<String>) {
    (Value::Number(number), general::differing(number))
}
