//! Prepared statements: parameters, rows and values.

#![allow(unsafe_code, reason = "SQLite is C")]

use crate::bindings::exports::omniread::parts::sqlite::{Error, Value};
use crate::handle::Handle;
use sqlite_wasm_rs as ffi;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;

/// A prepared statement.
pub struct Statement<'c> {
    pointer: *mut ffi::sqlite3_stmt,
    /// The borrow keeps the connection open.
    _handle: PhantomData<&'c Handle>,
}

impl<'c> Statement<'c> {
    /// Prepares the single statement in `sql`, if the statement only reads.
    ///
    /// # Errors
    /// Fails if the SQL is invalid, if the statement does more than read, or if there are
    /// several statements.
    pub fn new(handle: &'c Handle, sql: &CStr) -> Result<Self, Error> {
        match Self::prepare(handle, sql) {
            // A virtual table may prepare statements that write although it never runs
            // them. The check after the preparation ensures that this statement only
            // reads.
            Err(Error::Refused(_)) => {
                handle.watch.let_prepare(true);
                let prepared = Self::prepare(handle, sql);
                handle.watch.let_prepare(false);
                prepared
            }
            prepared => prepared,
        }
    }

    /// Prepares one statement that may write. Only the functions that fill a database in memory call
    /// this. It fails unless they have switched the authorizer off.
    pub fn to_write(handle: &'c Handle, sql: &CStr) -> Result<Self, Error> {
        let mut prepared = Self {
            pointer: std::ptr::null_mut(),
            _handle: PhantomData,
        };
        let none = std::ptr::null_mut();
        // SAFETY: the text and the pointer outlive the call.
        let code = unsafe {
            let pointer = &raw mut prepared.pointer;
            ffi::sqlite3_prepare_v2(handle.db, sql.as_ptr(), -1, pointer, none)
        };
        match code {
            ffi::SQLITE_OK => Ok(prepared),
            code => Err(handle.error(code)),
        }
    }

    /// Binds a number to the first parameter, and values to the parameters after it.
    pub fn bind_row(&self, number: i64, values: &[Value]) {
        self.bind_one(1, &Value::Integer(number));
        for (at, value) in (2..).zip(values) {
            self.bind_one(at, value);
        }
    }

    /// Prepares the statement for another run.
    pub fn reset(&self) {
        // SAFETY: the statement is alive.
        unsafe { ffi::sqlite3_reset(self.pointer) };
    }

    fn prepare(handle: &'c Handle, sql: &CStr) -> Result<Self, Error> {
        handle.watch.take_reading_pragma();
        let mut prepared = Self {
            pointer: std::ptr::null_mut(),
            _handle: PhantomData,
        };
        let mut tail: *const c_char = std::ptr::null();
        // SAFETY: the text and the pointers outlive the call, and the tail points into
        // the text.
        let (code, rest) = unsafe {
            let code = ffi::sqlite3_prepare_v2(
                handle.db,
                sql.as_ptr(),
                -1,
                &raw mut prepared.pointer,
                &raw mut tail,
            );
            let rest = if tail.is_null() {
                c""
            } else {
                CStr::from_ptr(tail)
            };
            (code, rest)
        };
        if code != ffi::SQLITE_OK {
            return Err(handle.error(code));
        }
        if prepared.pointer.is_null() {
            return Err(Error::Invalid("there is no statement".to_owned()));
        }
        if !is_empty(handle, rest) {
            return Err(Error::Refused("is followed by another one".to_owned()));
        }
        // SAFETY: the statement is alive.
        let (reads, explains) = unsafe {
            (
                ffi::sqlite3_stmt_readonly(prepared.pointer) != 0,
                ffi::sqlite3_stmt_isexplain(prepared.pointer) != 0,
            )
        };
        // EXPLAIN of a statement that writes only reads.
        let written = explains && handle.watch.prepares();
        if written || !(reads || handle.watch.take_reading_pragma()) {
            return Err(Error::Refused("changes data".to_owned()));
        }
        if prepared.width() == 0 {
            let what = "returns no rows";
            return Err(Error::Refused(what.to_owned()));
        }
        Ok(prepared)
    }

    /// Binds a value to every parameter.
    ///
    /// # Errors
    /// Fails if the number of values differs from the number of parameters.
    pub fn bind(&self, values: &[Value]) -> Result<(), Error> {
        // SAFETY: the statement is alive.
        let wanted = unsafe { ffi::sqlite3_bind_parameter_count(self.pointer) };
        if usize::try_from(wanted) != Ok(values.len()) {
            return Err(Error::Invalid(format!(
                "it has {wanted} parameters and is given {} values",
                values.len()
            )));
        }
        for (at, value) in (1..).zip(values) {
            self.bind_one(at, value);
        }
        Ok(())
    }

    fn bind_one(&self, at: c_int, value: &Value) {
        let bytes = |bytes: &[u8]| c_int::try_from(bytes.len()).unwrap_or(c_int::MAX);
        // SAFETY: the statement is alive, and SQLite copies the value.
        unsafe {
            match value {
                Value::Integer(value) => ffi::sqlite3_bind_int64(self.pointer, at, *value),
                Value::Real(value) => ffi::sqlite3_bind_double(self.pointer, at, *value),
                Value::Text(text) => ffi::sqlite3_bind_text(
                    self.pointer,
                    at,
                    text.as_ptr().cast(),
                    bytes(text.as_bytes()),
                    ffi::SQLITE_TRANSIENT(),
                ),
                Value::Blob(blob) => ffi::sqlite3_bind_blob(
                    self.pointer,
                    at,
                    blob.as_ptr().cast(),
                    bytes(blob),
                    ffi::SQLITE_TRANSIENT(),
                ),
                Value::Null => ffi::sqlite3_bind_null(self.pointer, at),
            };
        }
    }

    /// Advances to the next row, and returns the result code of SQLite.
    pub fn step(&self) -> c_int {
        // SAFETY: the statement is alive.
        unsafe { ffi::sqlite3_step(self.pointer) }
    }

    /// The names of the columns of the result.
    pub fn columns(&self) -> Vec<String> {
        // SAFETY: the statement is alive, and names last until the next call.
        let name = |at| unsafe {
            let name = ffi::sqlite3_column_name(self.pointer, at);
            if name.is_null() {
                String::new()
            } else {
                CStr::from_ptr(name).to_string_lossy().into_owned()
            }
        };
        (0..self.width()).map(name).collect()
    }

    fn width(&self) -> c_int {
        // SAFETY: the statement is alive.
        unsafe { ffi::sqlite3_column_count(self.pointer) }
    }

    /// The value of a column in the current row, and the full length in bytes of a text or blob. At
    /// most `longest` bytes of a text or blob are returned.
    pub fn value(&self, column: usize, longest: usize) -> (Value, usize) {
        let at = c_int::try_from(column).unwrap_or(c_int::MAX);
        // SAFETY: the statement is on a row, and values are valid until the next step.
        // Length and pointer belong to the same value.
        unsafe {
            let bytes = |pointer: *const c_void| {
                let length = usize::try_from(ffi::sqlite3_column_bytes(self.pointer, at));
                match length {
                    Ok(length) if length > 0 && !pointer.is_null() => {
                        std::slice::from_raw_parts(pointer.cast::<u8>(), length)
                    }
                    _ => &[],
                }
            };
            match ffi::sqlite3_column_type(self.pointer, at) {
                ffi::SQLITE_INTEGER => {
                    let value = ffi::sqlite3_column_int64(self.pointer, at);
                    (Value::Integer(value), 0)
                }
                ffi::SQLITE_FLOAT => {
                    let value = ffi::sqlite3_column_double(self.pointer, at);
                    (Value::Real(value), 0)
                }
                ffi::SQLITE_TEXT => {
                    let text = bytes(ffi::sqlite3_column_text(self.pointer, at).cast());
                    (Value::Text(head(text, longest)), text.len())
                }
                ffi::SQLITE_BLOB => {
                    let blob = bytes(ffi::sqlite3_column_blob(self.pointer, at));
                    let part = blob.get(..longest).unwrap_or(blob);
                    (Value::Blob(part.to_vec()), blob.len())
                }
                _ => (Value::Null, 0),
            }
        }
    }
}

/// The complete characters in the first `longest` bytes of a text. Invalid bytes become U+FFFD.
pub(crate) fn head(text: &[u8], longest: usize) -> String {
    let mut end = longest.min(text.len());
    // Do not cut a character.
    while end < text.len() && text.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
        match end.checked_sub(1) {
            Some(before) if longest.saturating_sub(before) < 4 => end = before,
            _ => break,
        }
    }
    String::from_utf8_lossy(text.get(..end).unwrap_or(text)).into_owned()
}

/// Whether `rest`, the SQL after a statement, contains only spaces, comments and semicolons.
fn is_empty(handle: &Handle, rest: &CStr) -> bool {
    let mut statement: *mut ffi::sqlite3_stmt = std::ptr::null_mut();
    let mut rest = rest.as_ptr();
    loop {
        // Most statements are followed by nothing.
        // SAFETY: the text ends with a zero byte, and this points into it.
        if unsafe { *rest } == 0 {
            return true;
        }
        let before = rest;
        // SAFETY: the text and the pointers outlive the call, and the tail points into
        // the text.
        let code = unsafe {
            ffi::sqlite3_prepare_v2(handle.db, rest, -1, &raw mut statement, &raw mut rest)
        };
        if code != ffi::SQLITE_OK || !statement.is_null() {
            // SAFETY: the statement was prepared, or is null.
            unsafe { ffi::sqlite3_finalize(statement) };
            // The error of this statement is not reported.
            handle.watch.refused();
            return false;
        }
        if rest == before || rest.is_null() {
            return true;
        }
    }
}

impl Drop for Statement<'_> {
    fn drop(&mut self) {
        // SAFETY: the statement is finalized once.
        unsafe { ffi::sqlite3_finalize(self.pointer) };
    }
}

/// A name as a quoted SQL identifier.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
