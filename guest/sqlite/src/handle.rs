//! The connection of SQLite's C interface, with the state of its callbacks.

#![allow(unsafe_code, reason = "SQLite is C")]

use crate::bindings::exports::omniread::parts::sqlite::Error;
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
    pub fn new() -> Self {
        Self {
            db: std::ptr::null_mut(),
            watch: Box::default(),
        }
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
