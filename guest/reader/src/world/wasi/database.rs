//! Access to databases through the imported interface `sqlite`.

use super::errors::error;
use super::preopened::WasiWorld;
use crate::bindings::omniread::parts::{inputs, sandbox, sqlite};
use crate::bindings::wasi::filesystem::types::{DescriptorFlags, OpenFlags, PathFlags};
use crate::limits;
use crate::world::{
    Bounds, Connection, DatabaseError, Described, Input, NumberedRow, Ordered, Ordering, Parts,
    Rows, Value,
};
use std::cell::Cell;

impl WasiWorld {
    /// Opens an input for an engine. One on a server is read whole.
    ///
    /// # Errors
    /// Fails if it cannot be opened or read.
    pub(super) fn input(&self, input: &Input) -> Result<inputs::Input, DatabaseError> {
        Ok(match input {
            Input::Bytes(bytes) => inputs::Input::Bytes(bytes.clone()),
            Input::Remote(remote) => {
                let bytes = remote.bytes(0, remote.size());
                inputs::Input::Bytes(bytes.map_err(DatabaseError::File)?)
            }
            Input::File(root, path) => {
                let root = self.root(*root).map_err(DatabaseError::File)?;
                let opened = root.open_at(
                    PathFlags::SYMLINK_FOLLOW,
                    path,
                    OpenFlags::empty(),
                    DescriptorFlags::READ,
                );
                inputs::Input::File(opened.map_err(|code| DatabaseError::File(error(code)))?)
            }
        })
    }

    /// Opens a database in the SQLite engine of the host.
    pub(super) fn connect(&mut self, parts: &Parts) -> Result<Box<dyn Connection>, DatabaseError> {
        if let Input::Remote(remote) = &parts.main {
            return self.connect_remote(remote);
        }
        let beside = |input: &Option<Input>| match input {
            Some(input) => self.input(input).map(Some),
            None => Ok(None),
        };
        let database = sqlite::Database {
            // The log and the journal are opened first, so that they are not older than the
            // database.
            wal: beside(&parts.wal)?,
            journal: beside(&parts.journal)?,
            main: self.input(&parts.main)?,
        };
        let connection = sqlite::Connection::open(database).map_err(DatabaseError::from)?;
        Ok(Box::new(connection))
    }
}

/// The timeout of the read in milliseconds, which determines the work of a query.
fn timeout() -> u64 {
    // It does not change during a read, and each question measures the time of the read.
    thread_local!(static KNOWN: Cell<Option<u64>> = const { Cell::new(None) });
    if let Some(known) = KNOWN.get() {
        return known;
    }
    let timeout = match sandbox::get_time() {
        Some(sandbox::Time { limit, .. }) => limit.unwrap_or(limits::QUERY_MILLIS),
        // The host does not measure time, and may have no other limit.
        None => limits::UNTIMED_QUERY_MILLIS,
    };
    KNOWN.set(Some(timeout));
    timeout
}

/// Creates a database in memory in the SQLite engine of the host.
pub(super) fn in_memory() -> Result<Box<dyn Connection>, DatabaseError> {
    let connection = sqlite::Connection::create().map_err(DatabaseError::from)?;
    Ok(Box::new(connection))
}

impl Connection for sqlite::Connection {
    fn notes(&mut self) -> Vec<String> {
        sqlite::Connection::notes(self)
    }

    fn execute(
        &mut self,
        statement: &str,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<Rows, DatabaseError> {
        let parameters: Vec<sqlite::Value> = parameters.iter().map(sqlite::Value::from).collect();
        let bounds = of_engine(bounds);
        let work = bounds.work;
        let outcome = sqlite::Connection::execute(self, statement, &parameters, bounds);
        let outcome = outcome.map_err(|error| match error.into() {
            DatabaseError::Exhausted(what) if what == "work" => DatabaseError::Work(work),
            error => error,
        })?;
        let sqlite::QueryResult { columns, rows } = outcome.result;
        let mut rows = values(rows);
        for cut in &outcome.cuts {
            let place = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
            let row = rows.get_mut(place(cut.row));
            let value = row.and_then(|row| row.get_mut(place(cut.column)));
            if let Some(Value::Text(_, length) | Value::Blob(length)) = value {
                *length = cut.length;
            }
        }
        Ok(Rows {
            columns,
            rows,
            more: outcome.more,
            damage: outcome.damage,
        })
    }

    fn describe(
        &mut self,
        names: &[String],
        bounds: Bounds,
    ) -> Result<Option<Described>, DatabaseError> {
        let described = sqlite::Connection::describe(self, names, of_engine(bounds))?;
        Ok(described.map(|described| Described {
            name: described.name,
            definition: described.definition.map(|sql| (sql, described.length)),
            columns: values(described.columns),
        }))
    }

    fn count(&mut self, table: &str, most: u64) -> Result<Option<u64>, DatabaseError> {
        Ok(sqlite::Connection::count(self, table, most)?)
    }

    fn first(&mut self, ordering: &Ordering<'_>) -> Result<Option<Ordered>, DatabaseError> {
        let request = sqlite::Ordering {
            table: ordering.table.to_owned(),
            rowid: ordering.rowid.to_owned(),
            condition: ordering.condition.map(str::to_owned),
            column: ordering.column.to_owned(),
            descending: ordering.descending,
            offset: u32::try_from(ordering.offset).unwrap_or(u32::MAX),
            limit: u32::try_from(ordering.limit).unwrap_or(u32::MAX),
            work: ordering.work.instructions(timeout()),
        };
        let first = sqlite::Connection::first(self, &request)?;
        Ok(first.map(|first| Ordered {
            rows: first.rows,
            matching: first.matching,
            work: first.work,
            damage: first.damage,
        }))
    }

    fn define(&mut self, table: &str, columns: &[String]) -> Result<(), DatabaseError> {
        Ok(sqlite::Connection::define(self, table, columns)?)
    }

    fn insert(&mut self, table: &str, rows: Vec<NumberedRow>) -> Result<(), DatabaseError> {
        let rows = rows
            .into_iter()
            .map(|(number, values)| sqlite::NumberedRow {
                number,
                values: values.into_iter().map(inserted).collect(),
            });
        let rows: Vec<sqlite::NumberedRow> = rows.collect();
        Ok(sqlite::Connection::insert(self, table, &rows)?)
    }

    fn clear(&mut self, table: &str) -> Result<(), DatabaseError> {
        Ok(sqlite::Connection::clear(self, table)?)
    }
}

/// The limits of a query for the engine.
fn of_engine(bounds: Bounds) -> sqlite::Bounds {
    sqlite::Bounds {
        rows: u32::try_from(bounds.rows).unwrap_or(u32::MAX),
        bytes: u32::try_from(bounds.bytes).unwrap_or(u32::MAX),
        work: bounds.work.instructions(timeout()),
    }
}

/// The values of rows.
fn values(rows: Vec<sqlite::RowResult>) -> Vec<Vec<Value>> {
    let rows = rows.into_iter();
    rows.map(|row| row.values.into_iter().map(Value::from).collect())
        .collect()
}

/// A value for the engine. Its text is not copied.
fn inserted(value: Value) -> sqlite::Value {
    match value {
        Value::Text(text, _) => sqlite::Value::Text(text),
        value => sqlite::Value::from(&value),
    }
}

impl From<&Value> for sqlite::Value {
    fn from(value: &Value) -> Self {
        match value {
            Value::Integer(value) => Self::Integer(*value),
            Value::Real(value) => Self::Real(*value),
            Value::Text(text, _) => Self::Text(text.clone()),
            Value::Blob(_) | Value::Null => Self::Null,
        }
    }
}

impl From<sqlite::Value> for Value {
    fn from(value: sqlite::Value) -> Self {
        match value {
            sqlite::Value::Integer(value) => Self::Integer(value),
            sqlite::Value::Real(value) => Self::Real(value),
            sqlite::Value::Text(text) => {
                let length = text.len() as u64;
                Self::Text(text, length)
            }
            sqlite::Value::Blob(blob) => Self::Blob(blob.len() as u64),
            sqlite::Value::Null => Self::Null,
        }
    }
}

impl From<sqlite::Error> for DatabaseError {
    fn from(error: sqlite::Error) -> Self {
        match error {
            sqlite::Error::NotADatabase(message) => Self::NotADatabase(message),
            sqlite::Error::Damaged(message) => Self::Damaged(message),
            sqlite::Error::Changed(what) => Self::Changed(what),
            sqlite::Error::Refused(what) => Self::Refused(what),
            sqlite::Error::Invalid(message) => Self::Invalid(message),
            sqlite::Error::Exhausted(what) => Self::Exhausted(what),
            sqlite::Error::Io(message) => Self::Io(message),
            sqlite::Error::Failed(message) => Self::Failed(message),
        }
    }
}
