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

/// A transaction, which is rolled back unless it is committed. Its statements are parsed once too.
pub(super) struct Transaction<'c>(&'c Connection);

impl<'c> Transaction<'c> {
    /// Starts a transaction that writes, after the one of another process.
    pub(super) fn to_write(connection: &'c Connection) -> Result<Self> {
        execute(connection, "BEGIN IMMEDIATE", [])?;
        Ok(Self(connection))
    }

    /// Starts a transaction that reads, so that all rows are of one time.
    pub(super) fn to_read(connection: &'c Connection) -> Result<Self> {
        execute(connection, "BEGIN", [])?;
        Ok(Self(connection))
    }

    /// Commits what was written.
    pub(super) fn commit(self) -> Result<()> {
        execute(self.0, "COMMIT", [])?;
        Ok(())
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        // SQLite rolls back itself after some errors.
        if !self.0.is_autocommit() {
            // After an error here, the next transaction reports it.
            let _ = execute(self.0, "ROLLBACK", []);
        }
    }
}
