//! The result of a statement in place of that of the engine, so that it is formatted and continued in
//! the same way.

use crate::limits;
use crate::tables::SqlValue;
use crate::world::{Bounds, Connection, DatabaseError, Rows, Value};
use std::borrow::Cow;

/// A value of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    Null,
    Integer(i64),
    Real(f64),
    /// A text, which may be cut, and the size of the whole text in bytes.
    Text(String, u64),
}

impl Kept {
    /// A value with its text, of which as much is kept as a reply shows.
    pub fn of<'t>(value: &SqlValue, text: impl FnOnce() -> Cow<'t, str>) -> Self {
        match value {
            SqlValue::Null => Self::Null,
            SqlValue::Integer(number) => Self::Integer(*number),
            SqlValue::Real(number) => Self::of_real(*number),
            SqlValue::Text | SqlValue::Other(_) => {
                let text = text();
                let end = text.floor_char_boundary(limits::VALUE_BYTES);
                let kept = text.get(..end).unwrap_or(&text).to_owned();
                Self::Text(kept, text.len() as u64)
            }
        }
    }

    /// A number, or NULL if it is not one.
    pub fn of_real(number: f64) -> Self {
        if number.is_nan() {
            Self::Null
        } else {
            Self::Real(number)
        }
    }

    /// The value without its text.
    pub fn value(&self) -> SqlValue {
        match self {
            Self::Null => SqlValue::Null,
            Self::Integer(number) => SqlValue::Integer(*number),
            Self::Real(number) => SqlValue::Real(*number),
            Self::Text(..) => SqlValue::Text,
        }
    }

    /// Whether a value that is equal in an order is also shown in the same way.
    pub fn is_same(&self, value: &SqlValue) -> bool {
        match (self, value) {
            (Self::Integer(_), SqlValue::Real(_)) | (Self::Real(_), SqlValue::Integer(_)) => false,
            (Self::Real(known), SqlValue::Real(number)) => known.to_bits() == number.to_bits(),
            _ => true,
        }
    }

    /// The text of a text, and nothing for other values. `None` if it is cut.
    pub fn whole(&self) -> Option<&str> {
        match self {
            Self::Text(text, bytes) => (text.len() as u64 == *bytes).then_some(text),
            Self::Null | Self::Integer(_) | Self::Real(_) => Some(""),
        }
    }

    /// The size in bytes in memory.
    pub fn bytes(&self) -> usize {
        let text = match self {
            Self::Text(text, _) => text.len(),
            Self::Null | Self::Integer(_) | Self::Real(_) => 0,
        };
        text.saturating_add(limits::CELL_BYTES)
    }

    /// The value as the engine returns it, and the size of its text. At most `longest` bytes of a text
    /// are returned.
    fn bounded(&self, longest: usize) -> (Value, usize) {
        match self {
            Self::Null => (Value::Null, 0),
            Self::Integer(number) => (Value::Integer(*number), 0),
            Self::Real(number) => (Value::Real(*number), 0),
            Self::Text(text, bytes) => {
                let end = text.floor_char_boundary(longest);
                let head = text.get(..end).unwrap_or(text);
                (Value::Text(head.to_owned(), *bytes), head.len())
            }
        }
    }
}

/// The rows of a result, as a connection that has one statement.
pub struct Result {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Kept>>,
}

/// The maximum size in bytes of all values of a result together, and what counts for each value besides
/// its text, as in the engine.
const RESULT_BYTES: usize = 16 << 20;
const VALUE_BYTES: usize = 32;

impl Connection for Result {
    fn notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn execute(
        &mut self,
        statement: &str,
        _: &[Value],
        bounds: Bounds,
    ) -> std::result::Result<Rows, DatabaseError> {
        if statement.starts_with("PRAGMA") {
            return Ok(Rows {
                columns: vec!["encoding".to_owned()],
                rows: vec![vec![Value::Text("UTF-8".to_owned(), 5)]],
                ..Rows::default()
            });
        }
        let mut result = Rows {
            columns: self.columns.clone(),
            ..Rows::default()
        };
        let mut left = RESULT_BYTES;
        for row in &self.rows {
            let rows = result.rows.len() as u64;
            if rows >= bounds.rows || (left == 0 && rows > 0) {
                result.more = true;
                break;
            }
            let values = row.iter().map(|kept| {
                let (value, used) = kept.bounded(bounds.bytes.min(left));
                left = left.saturating_sub(used.saturating_add(VALUE_BYTES));
                value
            });
            let values = values.collect();
            result.rows.push(values);
        }
        Ok(result)
    }
}
