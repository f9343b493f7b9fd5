//! Statements, which a connection parses once: that takes longer than most of them run.

use rusqlite::{Connection, Params, Result, Row};

/// Runs a statement, and returns the number of rows that it changed.
pub(super) fn execute(connection: &Connection, sql: &str, params: impl Params) -> Result<usize> {
    connection.prepare_cached(sql)?.execute(params)
}

/// Runs a statement that adds a row, and returns the identifier of the row.
pub(super) fn insert(connection: &Connection, sql: &str, params: impl Params) -> Result<i64> {
    connection.prepare_cached(sql)?.insert(params)
}

/// The first row of a statement.
pub(super) fn first_row<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    value: impl FnOnce(&Row<'_>) -> Result<T>,
) -> Result<T> {
    connection.prepare_cached(sql)?.query_row(params, value)
}

/// All rows of a statement.
pub(super) fn all_rows<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    value: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params, value)?;
    rows.collect()
}
