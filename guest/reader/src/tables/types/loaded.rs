//! A column in the SQL engine: the values of its cells, and a note if texts are used as numbers.

use super::usage::Usage;
use super::{ColumnType, has_digits};
use crate::sqlite::quoted;
use crate::tables::value::{Cell, SqlValue};
use std::borrow::Cow;

/// A column that the engine has.
pub struct LoadedColumn {
    /// Its index in the table.
    pub index: usize,
    name: String,
    found: ColumnType,
    usage: Option<Usage>,
    numbers: u64,
    /// The number of values that are texts, and the first row that has one.
    texts: (u64, u64),
    /// Whether a text begins like a number.
    has_digits: bool,
}

impl LoadedColumn {
    pub fn new(index: usize, name: String, found: ColumnType, usage: Option<Usage>) -> Self {
        Self {
            index,
            name,
            found,
            usage,
            numbers: 0,
            texts: (0, 0),
            has_digits: false,
        }
    }

    /// The value of a cell in the row `number`.
    pub fn value(&mut self, cell: &Cell, number: u64) -> SqlValue {
        let value = self.found.value(cell);
        self.count(&value, number, || has_digits(&cell.text));
        value
    }

    /// The value of the whole text of a cell in the row `number`.
    pub fn value_of(&mut self, text: &[u8], number: u64) -> SqlValue {
        let value = self.found.value_of(text);
        self.count(&value, number, || {
            has_digits(&String::from_utf8_lossy(text))
        });
        value
    }

    /// A value in the row `number` that its text does not decide.
    pub fn counted<'t>(
        &mut self,
        value: SqlValue,
        number: u64,
        text: impl Fn() -> Option<Cow<'t, [u8]>>,
    ) -> SqlValue {
        self.count(&value, number, || {
            has_digits(&String::from_utf8_lossy(&text().unwrap_or_default()))
        });
        value
    }

    fn count(&mut self, value: &SqlValue, number: u64, has_digits: impl Fn() -> bool) {
        if !self.is_counted() {
            return;
        }
        match value {
            SqlValue::Null | SqlValue::Other(_) => {}
            SqlValue::Integer(_) | SqlValue::Real(_) => {
                self.numbers = self.numbers.saturating_add(1);
            }
            SqlValue::Text => {
                if self.texts.0 == 0 {
                    self.texts.1 = number;
                }
                self.texts.0 = self.texts.0.saturating_add(1);
                self.has_digits = self.has_digits || has_digits();
            }
        }
    }

    /// Whether the values are counted for the notes.
    pub fn is_counted(&self) -> bool {
        self.usage >= Some(Usage::Ordered)
    }

    /// Whether no value is a number.
    pub fn is_text(&self) -> bool {
        self.found.is_text()
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The notes on the use of the column.
    pub fn notes(&self) -> Vec<String> {
        let name = quoted(&self.name);
        let mut notes = Vec::new();
        let usage = self.usage.unwrap_or(Usage::Named);
        let (texts, first) = self.texts;
        let are = if texts == 1 {
            "value is a text"
        } else {
            "values are texts"
        };
        match (usage, self.numbers, texts) {
            (Usage::Named, ..) | (_, _, 0) => {}
            (Usage::Compared, 0, _) => notes.push(format!(
                "{name} has texts, not numbers; a text is greater than every number"
            )),
            (Usage::Ordered, 0, _) => {
                if self.has_digits {
                    notes.push(format!(
                        "{name} has texts, not numbers; they are ordered as texts, so that `10` is before `9`"
                    ));
                }
            }
            _ => notes.push(format!(
                "{name} has numbers, but {texts} {are}, the first in row {first}; a text is greater than every number"
            )),
        }
        if self.usage.is_some()
            && let Some(value) = &self.found.ambiguous
        {
            notes.push(match self.found.value(&Cell::of_text(value.clone())) {
                SqlValue::Integer(number) => {
                    format!("`{value}` in {name} is read as {number}, with a mark of thousands")
                }
                _ => format!("`{value}` in {name} is read with a decimal mark"),
            });
        }
        notes
    }
}
