//! Reads columns of a table: the expressions of a statement, their values, and how much of a value is loaded.

use super::schema::Column;
use super::{cells, table};
use crate::limits;
use crate::world::{Rows, Value};

/// The SQL expressions with which a `SELECT` statement reads these columns, separated by commas.
pub fn selected(columns: &[Column]) -> String {
    let expressions = columns.iter();
    let expressions = expressions.map(|column| cells::expression(&column.name));
    expressions.collect::<Vec<_>>().join(", ")
}

/// Converts the results of the expressions of [`selected`] to the values of the columns.
pub fn plain(mut rows: Rows) -> Rows {
    for row in &mut rows.rows {
        for value in row {
            *value = cells::value(std::mem::replace(value, Value::Null));
        }
    }
    rows
}

/// The maximum size in bytes of a text value that is loaded for a table with a number of columns:
/// the characters that are shown, with four bytes for each, and a few more bytes.
pub fn cell_bytes(columns: usize) -> usize {
    let chars = limits::TABLE_WIDTH.max(table::cell_chars(columns));
    chars.saturating_mul(4).saturating_add(8)
}
