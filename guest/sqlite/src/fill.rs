//! Tables of a database in memory: their definition, and the rows that the caller inserts.
//!
//! A statement of the caller never writes: the authorizer refuses it. The statements of this
//! module are prepared while the authorizer is off.

#![allow(unsafe_code, reason = "SQLite is C")]

use crate::bindings::exports::omniread::parts::sqlite::{Error, NumberedRow};
use crate::connection::Connection;
use crate::statement::{Statement, quoted};
use sqlite_wasm_rs as ffi;
use std::ffi::CString;

impl Connection {
    /// Adds an empty table. Its columns have no declared type and so no affinity: a text that looks
    /// like a number stays a text.
    pub fn define(&self, table: &str, columns: &[String]) -> Result<(), Error> {
        let columns: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
        let columns = columns.join(", ");
        self.fill(|| self.run_one(&format!("CREATE TABLE {} ({columns})", quoted(table))))
    }

    /// Inserts rows. Inserts none if the call fails.
    pub fn insert(&self, table: &str, rows: &[NumberedRow]) -> Result<(), Error> {
        let Some(first) = rows.first() else {
            return Ok(());
        };
        let width = first.values.len();
        self.fill(|| {
            self.run_one("BEGIN")?;
            match self.insert_all(table, rows, width) {
                Ok(()) => self.run_one("COMMIT"),
                Err(error) => {
                    // SQLite may have rolled back by itself.
                    let _ = self.run_one("ROLLBACK");
                    Err(error)
                }
            }
        })
    }

    fn insert_all(&self, table: &str, rows: &[NumberedRow], width: usize) -> Result<(), Error> {
        // Without a list of columns, an INSERT cannot set the rowid.
        let names = self.column_names(table)?;
        let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        let sql = format!(
            "INSERT INTO {} (_rowid_, {}) VALUES (?{})",
            quoted(table),
            names.join(", "),
            ", ?".repeat(width)
        );
        let prepared = Statement::to_write(&self.handle, &c_text(&sql)?)?;
        for row in rows {
            if row.values.len() != width {
                let message = "a row has another number of values than the first one";
                return Err(Error::Invalid(message.to_owned()));
            }
            prepared.bind_row(row.number, &row.values);
            let code = prepared.step();
            if code != ffi::SQLITE_DONE {
                return Err(self.handle.error(code));
            }
            prepared.reset();
        }
        Ok(())
    }

    /// Removes all rows of a table.
    pub fn clear(&self, table: &str) -> Result<(), Error> {
        self.fill(|| self.run_one(&format!("DELETE FROM {}", quoted(table))))
    }

    fn column_names(&self, table: &str) -> Result<Vec<String>, Error> {
        let sql = format!("SELECT * FROM {} LIMIT 0", quoted(table));
        Ok(Statement::to_write(&self.handle, &c_text(&sql)?)?.columns())
    }

    fn run_one(&self, sql: &str) -> Result<(), Error> {
        let prepared = Statement::to_write(&self.handle, &c_text(sql)?)?;
        match prepared.step() {
            ffi::SQLITE_DONE => Ok(()),
            code => Err(self.handle.error(code)),
        }
    }

    /// Runs `writes` while the authorizer is off.
    fn fill(&self, writes: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        if !self.is_in_memory() {
            let what = "changes a database that is not in memory";
            return Err(Error::Refused(what.to_owned()));
        }
        // The number of rows limits the work.
        self.handle.watch.start(u64::MAX);
        // SAFETY: the connection is open, and the watch lives as long as it.
        unsafe { ffi::sqlite3_set_authorizer(self.handle.db, None, std::ptr::null_mut()) };
        let written = writes();
        // SAFETY: as above.
        unsafe { self.handle.watch.over(self.handle.db) };
        written
    }
}

fn c_text(sql: &str) -> Result<CString, Error> {
    CString::new(sql).map_err(|_| Error::Invalid("it contains a NUL character".to_owned()))
}
