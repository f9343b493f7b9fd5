//! A connection as SQLite has it, under watch.

#![allow(unsafe_code, reason = "SQLite is C")]

use crate::bindings::exports::omniread::read::sqlite::Error;
use crate::watch::Watch;
use sqlite_wasm_rs as ffi;
use std::ffi::{CStr, c_int};

/// A connection, closed when this is dropped.
pub struct Handle {
    /// As SQLite has it; null before it is opened.
    pub db: *mut ffi::sqlite3,
    /// What its statements may do, in a box of its own that outlives them.
    pub watch: Box<Watch>,
}

impl Handle {
    /// The handle of a connection that is to be opened.
    pub fn new() -> Self {
        Self {
            db: std::ptr::null_mut(),
            watch: Box::default(),
        }
    }

    /// What a result code means.
    pub fn error(&self, code: c_int) -> Error {
        if let Some(refused) = self.watch.refused() {
            return Error::Refused(refused);
        }
        // SAFETY: SQLite gives text that lasts until its next call.
        let words = unsafe { CStr::from_ptr(ffi::sqlite3_errmsg(self.db)) };
        let words = words.to_string_lossy().into_owned();
        match code & 0xff {
            ffi::SQLITE_NOTADB => Error::Foreign(words),
            ffi::SQLITE_CORRUPT => Error::Damaged(words),
            ffi::SQLITE_INTERRUPT => Error::Exhausted("work".to_owned()),
            ffi::SQLITE_NOMEM | ffi::SQLITE_TOOBIG => Error::Exhausted("memory".to_owned()),
            ffi::SQLITE_READONLY | ffi::SQLITE_AUTH => Error::Refused(words),
            ffi::SQLITE_IOERR | ffi::SQLITE_CANTOPEN => Error::Io(words),
            _ => Error::Invalid(words),
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: statements borrow the handle, so all of them are gone.
        unsafe { ffi::sqlite3_close(self.db) };
    }
}
