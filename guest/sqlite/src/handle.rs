//! The connection of SQLite's C interface, with the state of its callbacks.

#![allow(unsafe_code, reason = "SQLite is C")]

use crate::bindings::exports::omniread::parts::sqlite::Error;
use crate::limits;
use crate::vfs;
use crate::watch::Watch;
use sqlite_wasm_rs as ffi;
use std::ffi::{CStr, c_int};

/// A connection of SQLite's C interface, which is closed on drop.
pub struct Handle {
    /// The connection of SQLite; null before it is opened.
    pub db: *mut ffi::sqlite3,
    /// The state of the callbacks that permit and limit statements. It is boxed, because SQLite
    /// keeps a pointer to it.
    pub watch: Box<Watch>,
}

impl Handle {
    /// A handle without an open connection.
    fn new() -> Self {
        Self {
            db: std::ptr::null_mut(),
            watch: Box::default(),
        }
    }

    /// Opens a database of the VFS by its name.
    ///
    /// # Errors
    /// Fails if SQLite cannot open it. The file itself is read later.
    pub fn open(name: &CStr) -> Result<Self, Error> {
        let handle = Self::start(name, ffi::SQLITE_OPEN_READONLY)?;
        handle.set_up(c"PRAGMA query_only = ON");
        Ok(handle)
    }

    /// Opens an empty database in memory.
    ///
    /// # Errors
    /// Fails if there is no memory.
    pub fn in_memory() -> Result<Self, Error> {
        // The authorizer refuses every statement that writes. Only `fill` bypasses it.
        let flags = ffi::SQLITE_OPEN_READWRITE | ffi::SQLITE_OPEN_CREATE;
        let handle = Self::start(c":memory:", flags)?;
        // A misspelled name in double quotes is an error, and not a text.
        handle.set(ffi::SQLITE_DBCONFIG_DQS_DML, false);
        handle.set_up(c"PRAGMA cache_size = -2000");
        Ok(handle)
    }

    fn start(name: &CStr, flags: c_int) -> Result<Self, Error> {
        let mut handle = Self::new();
        // SAFETY: the name and the result pointer outlive the call. The watch is boxed and lives as long as the
        // connection.
        unsafe {
            ffi::sqlite3_hard_heap_limit64(limits::HEAP_BYTES);
            let db = &raw mut handle.db;
            let opened = ffi::sqlite3_open_v2(name.as_ptr(), db, flags, vfs::NAME.as_ptr());
            if opened != ffi::SQLITE_OK {
                return Err(handle.error(opened));
            }
            handle.set(ffi::SQLITE_DBCONFIG_DEFENSIVE, true);
            handle.set(ffi::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false);
            ffi::sqlite3_limit(handle.db, ffi::SQLITE_LIMIT_ATTACHED, 0);
        }
        Ok(handle)
    }

    /// Runs a statement that changes a setting, without the authorizer and the limit on instructions. An error has no
    /// effect.
    pub fn set_up(&self, statement: &CStr) {
        let (none, nobody) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the connection is open, and the watch lives as long as it.
        unsafe {
            ffi::sqlite3_set_authorizer(self.db, None, nobody);
            ffi::sqlite3_progress_handler(self.db, 0, None, nobody);
            ffi::sqlite3_exec(self.db, statement.as_ptr(), None, nobody, none);
            self.watch.over(self.db);
        }
    }

    /// Sets a configuration property (`SQLITE_DBCONFIG_…`) of the connection.
    pub fn set(&self, property: c_int, value: bool) {
        let none = std::ptr::null_mut::<c_int>();
        // SAFETY: the connection is open. These properties take a number, and a pointer
        // for the old value that may be null.
        unsafe { ffi::sqlite3_db_config(self.db, property, c_int::from(value), none) };
    }

    /// The error for a result code of SQLite, with the latest message of the connection.
    pub fn error(&self, code: c_int) -> Error {
        if let Some(refused) = self.watch.refused() {
            return Error::Refused(refused);
        }
        // SAFETY: SQLite returns text that is valid until its next call.
        let message = unsafe { CStr::from_ptr(ffi::sqlite3_errmsg(self.db)) };
        let message = message.to_string_lossy().into_owned();
        match code & 0xff {
            ffi::SQLITE_NOTADB => Error::NotADatabase(message),
            ffi::SQLITE_CORRUPT => Error::Damaged(message),
            ffi::SQLITE_INTERRUPT => Error::Exhausted("work".to_owned()),
            ffi::SQLITE_NOMEM | ffi::SQLITE_TOOBIG => Error::Exhausted("memory".to_owned()),
            ffi::SQLITE_READONLY | ffi::SQLITE_AUTH => {
                Error::Refused(format!("is refused by SQLite: {message}"))
            }
            ffi::SQLITE_IOERR | ffi::SQLITE_CANTOPEN => Error::Io(message),
            _ => Error::Invalid(message),
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: statements borrow the handle, so all of them are dropped.
        unsafe { ffi::sqlite3_close(self.db) };
    }
}
