//! The first rows of a table by the values of a column, and the number of rows, in one scan.
//!
//! For `ORDER BY … LIMIT`, SQLite keeps the first rows in a tree, which it changes for each row that comes before
//! the last of them. Rows that are stored in the reverse order cost several times a scan, and another scan
//! counts them.

#![allow(unsafe_code, reason = "SQLite is C")]

use crate::bindings::exports::omniread::parts::sqlite::{Error, Ordered, Ordering, Value};
use crate::connection::Connection;
use crate::limits;
use crate::order::{First, Kind};
use crate::statement::{Statement, quoted};
use crate::watch::COLLECT;
use sqlite_wasm_rs as ffi;
use std::ffi::{CStr, CString, c_int, c_void};

impl Connection {
    /// The first rows of a table, and the number of rows. `None` if a statement has to read them: the order is not
    /// that of bytes, an index is used, or the values are too large.
    pub fn first(&self, ordering: &Ordering) -> Result<Option<Ordered>, Error> {
        self.unchanged(|| {
            self.handle.watch.start(ordering.work);
            if self.schema()?.is_some() {
                return Ok(None);
            }
            self.scanned(ordering)
        })
    }

    fn scanned(&self, ordering: &Ordering) -> Result<Option<Ordered>, Error> {
        let Some(scan) = self.scan_of(ordering) else {
            return Ok(None);
        };
        self.handle.watch.let_collect(true);
        let found = self.collect_rows(&scan);
        self.handle.watch.let_collect(false);
        self.remove_collect();
        found
    }

    /// The scan that collects the first rows. `None` if SQLite would not scan the table and sort its rows.
    fn scan_of(&self, ordering: &Ordering) -> Option<Scan> {
        let table = quoted(&ordering.table);
        let column = format!("{table}.{}", quoted(&ordering.column));
        if !self.is_binary(&ordering.table, &ordering.column) {
            return None;
        }
        let mut from = format!("FROM {table}");
        if let Some(condition) = &ordering.condition {
            from.push_str(&format!(" WHERE (\n{condition}\n)"));
        }
        let rowid = &ordering.rowid;
        // Rows with equal values have the order of the scan, so both statements have to scan the table itself.
        // The condition is checked here: it cannot use the function, which does not exist yet.
        let plan = format!("SCAN {}", ordering.table);
        // SQLite also chooses its plan by the limit.
        let way = if ordering.descending { "DESC" } else { "ASC" };
        let (limit, offset) = (ordering.limit, ordering.offset);
        let sorted =
            format!("SELECT {rowid} {from} ORDER BY {column} {way} LIMIT {limit} OFFSET {offset}");
        if self.plan(&sorted)? != [plan.as_str(), "USE TEMP B-TREE FOR ORDER BY"] {
            return None;
        }
        let name = COLLECT.to_str().ok()?;
        Some(Scan {
            sql: format!("SELECT {name}({column}, {table}.{rowid}) {from}"),
            plan,
            most: usize::try_from(offset.checked_add(limit)?).ok()?,
            offset: usize::try_from(offset).ok()?,
            descending: ordering.descending,
        })
    }

    /// Collects rows while statements may call the function for it.
    fn collect_rows(&self, scan: &Scan) -> Result<Option<Ordered>, Error> {
        let first = || First::new(scan.most, scan.descending, limits::RESULT_BYTES);
        let ordered = |first: First, work| {
            let (rows, matching) = first.into_rows(scan.offset)?;
            Some(Ordered {
                rows,
                matching,
                work,
                damage: None,
            })
        };
        let nothing = std::ptr::null_mut();
        if self.define_collect(nothing).is_none()
            || self.plan(&scan.sql).as_deref() != Some(std::slice::from_ref(&scan.plan))
        {
            return Ok(None);
        }
        let mut evaluated = first();
        if let Some(work) = self.collected(&scan.sql, &mut evaluated)? {
            return Ok(ordered(evaluated, work));
        }
        drop(evaluated);
        let before = self.handle.watch.left();
        let mut first = first();
        let state = (&raw mut first).cast::<c_void>();
        let sql = CString::new(scan.sql.as_str()).ok();
        let (Some(()), Some(sql)) = (self.define_collect(state), sql) else {
            return Ok(None);
        };
        let Ok(statement) = Statement::new(&self.handle, &sql) else {
            return Ok(None);
        };
        let code = statement.step();
        let error = (code != ffi::SQLITE_ROW).then(|| self.handle.error(code));
        drop(statement);
        let work = before.saturating_sub(self.handle.watch.left());
        match error {
            None => Ok(ordered(first, work)),
            // SQLite finds some damage only when it reads a page from the file.
            Some(Error::Damaged(message)) => Ok(Some(Ordered {
                rows: Vec::new(),
                matching: 0,
                work,
                damage: Some(message),
            })),
            // The statement that sorts the rows needs more instructions.
            Some(Error::Exhausted(what)) if what == "work" => Err(Error::Exhausted(what)),
            Some(_) => Ok(None),
        }
    }

    /// Whether a table has a column whose texts are compared byte by byte.
    fn is_binary(&self, table: &str, column: &str) -> bool {
        let (Ok(table), Ok(column)) = (CString::new(table), CString::new(column)) else {
            return false;
        };
        let mut collation = std::ptr::null();
        let none = std::ptr::null_mut::<c_int>();
        // SAFETY: the connection is open, the names outlive the call, and SQLite keeps the result.
        unsafe {
            let code = ffi::sqlite3_table_column_metadata(
                self.handle.db,
                std::ptr::null(),
                table.as_ptr(),
                column.as_ptr(),
                std::ptr::null_mut(),
                &raw mut collation,
                none,
                none,
                none,
            );
            code == ffi::SQLITE_OK && !collation.is_null() && CStr::from_ptr(collation) == c"BINARY"
        }
    }

    /// The lines of the plan of a statement. `None` if SQLite cannot prepare it.
    fn plan(&self, sql: &str) -> Option<Vec<String>> {
        let sql = CString::new(format!("EXPLAIN QUERY PLAN {sql}")).ok()?;
        let plan = Statement::new(&self.handle, &sql).ok()?;
        let mut lines = Vec::new();
        while plan.step() == ffi::SQLITE_ROW {
            let (Value::Text(line), _) = plan.value(3, 4096) else {
                return None;
            };
            lines.push(line);
        }
        Some(lines)
    }

    fn define_collect(&self, state: *mut c_void) -> Option<()> {
        self.collect_is(state, Some(collect), Some(finish))
    }

    fn remove_collect(&self) {
        self.collect_is(std::ptr::null_mut(), None, None);
    }

    fn collect_is(
        &self,
        state: *mut c_void,
        step: Option<Step>,
        end: Option<unsafe extern "C" fn(*mut ffi::sqlite3_context)>,
    ) -> Option<()> {
        // SAFETY: the connection is open, and the function is removed before its state ends.
        let code = unsafe {
            ffi::sqlite3_create_function_v2(
                self.handle.db,
                COLLECT.as_ptr(),
                2,
                ffi::SQLITE_UTF8,
                state,
                None,
                step,
                end,
                None,
            )
        };
        (code == ffi::SQLITE_OK).then_some(())
    }
}

/// A statement that collects the first rows of a table.
struct Scan {
    sql: String,
    /// The plan of the statement.
    plan: String,
    /// The number of rows before the end of the page.
    most: usize,
    offset: usize,
    descending: bool,
}

/// A function that SQLite calls for each row.
type Step = unsafe extern "C" fn(*mut ffi::sqlite3_context, c_int, *mut *mut ffi::sqlite3_value);

/// Takes the value of a column and the rowid of its row.
unsafe extern "C" fn collect(
    context: *mut ffi::sqlite3_context,
    _: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: SQLite passes two values, and the state that the function was defined with. A blob and its length
    // are those of the same value.
    let kept = unsafe {
        let first = &mut *ffi::sqlite3_user_data(context).cast::<First>();
        let (value, row) = (*values, ffi::sqlite3_value_int64(*values.add(1)));
        let bytes = |value| {
            let start = ffi::sqlite3_value_blob(value).cast::<u8>();
            let length = usize::try_from(ffi::sqlite3_value_bytes(value)).unwrap_or(0);
            if start.is_null() {
                &[][..]
            } else {
                std::slice::from_raw_parts(start, length)
            }
        };
        match ffi::sqlite3_value_type(value) {
            ffi::SQLITE_INTEGER => {
                first.add(Kind::Integer(ffi::sqlite3_value_int64(value)), &[], row)
            }
            ffi::SQLITE_FLOAT => first.add(Kind::Real(ffi::sqlite3_value_double(value)), &[], row),
            // The order of texts in UTF-16 is another one.
            ffi::SQLITE_TEXT => {
                ffi::sqlite3_value_encoding(value) == ffi::SQLITE_UTF8
                    && first.add(Kind::Text, bytes(value), row)
            }
            ffi::SQLITE_BLOB => first.add(Kind::Blob, bytes(value), row),
            _ => first.add(Kind::Null, &[], row),
        }
    };
    if !kept {
        // SAFETY: the context is that of this call.
        unsafe { ffi::sqlite3_result_error_nomem(context) };
    }
}

unsafe extern "C" fn finish(_: *mut ffi::sqlite3_context) {}
