//! Reads columns of a table: the expressions of a statement, their values, and how much of a value is loaded.

use super::clause::quoted;
use super::context::{Context, HandlerError};
use super::schema::{Column, Kind, Table};
use super::{cells, table};
use crate::limits;
use crate::world::{Bounds, Rows, Value};

/// Reads rows of a table. `statement` returns the statement that selects the expressions of its argument.
///
/// # Errors
/// Fails if the engine cannot run the statement.
pub fn read(
    look: &mut Context<'_>,
    table: &Table,
    columns: &[Column],
    bounds: Bounds,
    statement: &dyn Fn(&str) -> String,
) -> Result<Rows, HandlerError> {
    if are_small(look, table, columns, bounds) {
        let names = columns.iter().map(|column| quoted(&column.name));
        let names = names.collect::<Vec<_>>().join(", ");
        // The mark of a text takes one byte of the other statement.
        let less = Bounds {
            bytes: bounds.bytes.saturating_sub(1),
            ..bounds
        };
        return look.execute(&statement(&names), &[], less);
    }
    let statement = statement(&selected(columns));
    Ok(plain(look.execute(&statement, &[], bounds)?))
}

/// Whether columns can be selected by their names, which SQLite compiles several times faster than expressions: the
/// database is so small that all its values can be read, and the columns hardly contain blobs.
fn are_small(look: &Context<'_>, table: &Table, columns: &[Column], bounds: Bounds) -> bool {
    let bytes = bounds.bytes.saturating_add(limits::MARKED_VALUE_BYTES);
    let values = usize::try_from(bounds.rows)
        .unwrap_or(usize::MAX)
        .saturating_mul(columns.len());
    look.size <= limits::PLAIN_DATABASE_BYTES
        && values.saturating_mul(bytes) <= limits::PLAIN_RESULT_BYTES
        && table.kind == Kind::Table
        && !columns.is_empty()
        && columns.iter().all(Column::is_plain)
}

/// The SQL expressions with which a `SELECT` statement reads these columns, separated by commas.
fn selected(columns: &[Column]) -> String {
    let expressions = columns.iter();
    let expressions = expressions.map(|column| cells::expression(&column.name));
    expressions.collect::<Vec<_>>().join(", ")
}

/// Converts the results of the expressions of [`selected`] to the values of the columns.
fn plain(mut rows: Rows) -> Rows {
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
