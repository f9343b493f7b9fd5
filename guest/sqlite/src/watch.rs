//! Permissions of statements, and the limit on the instructions that they run.

#![allow(unsafe_code, reason = "called from C")]

use sqlite_wasm_rs as ffi;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_int, c_void};

/// The number of instructions of SQLite's virtual machine between two checks of their limit.
const STEP: c_int = 1000;

/// The name of the function that collects the first rows of a table. It exists only while an internal statement calls
/// it.
pub const COLLECT: &CStr = c"omniread_first";

/// Pragmas that only return information, and are allowed only without a value.
const PRAGMAS: &[&str] = &[
    "application_id",
    "auto_vacuum",
    "collation_list",
    "compile_options",
    "data_version",
    "database_list",
    "encoding",
    "foreign_key_check",
    "foreign_keys",
    "freelist_count",
    "function_list",
    "integrity_check",
    "module_list",
    "page_count",
    "page_size",
    "pragma_list",
    "quick_check",
    "schema_version",
    "table_list",
    "user_version",
];

/// Pragmas that only return information, and are allowed with and without a value. The value names
/// a table or an index.
const PRAGMAS_OF: &[&str] = &[
    "foreign_key_check",
    "foreign_key_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "quick_check",
    "table_info",
    "table_list",
    "table_xinfo",
];

/// The SQL functions that statements may call: those of SQLite, of its extensions for JSON,
/// mathematics and dates, and the read functions of full-text and spatial search. They are sorted.
const FUNCTIONS: &[&str] = &[
    "->",
    "->>",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "avg",
    "bm25",
    "ceil",
    "ceiling",
    "changes",
    "char",
    "coalesce",
    "concat",
    "concat_ws",
    "cos",
    "cosh",
    "count",
    "cume_dist",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "degrees",
    "dense_rank",
    "exp",
    "first_value",
    "floor",
    "format",
    "fts5_get_locale",
    "fts5_insttoken",
    "fts5_locale",
    "fts5_source_id",
    "glob",
    "group_concat",
    "hex",
    "highlight",
    "if",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_insert",
    "json_array_length",
    "json_error_position",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_insert",
    "json_object",
    "json_patch",
    "json_pretty",
    "json_quote",
    "json_remove",
    "json_replace",
    "json_set",
    "json_type",
    "json_valid",
    "jsonb",
    "jsonb_array",
    "jsonb_array_insert",
    "jsonb_extract",
    "jsonb_group_array",
    "jsonb_group_object",
    "jsonb_insert",
    "jsonb_object",
    "jsonb_patch",
    "jsonb_remove",
    "jsonb_replace",
    "jsonb_set",
    "julianday",
    "lag",
    "last_insert_rowid",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "ltrim",
    "match",
    "matchinfo",
    "max",
    "median",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "offsets",
    "percent_rank",
    "percentile",
    "percentile_cont",
    "percentile_disc",
    "pi",
    "pow",
    "power",
    "printf",
    "quote",
    "radians",
    "random",
    "randomblob",
    "rank",
    "regexp",
    "replace",
    "round",
    "row_number",
    "rtreedepth",
    "rtreenode",
    "rtrim",
    "sign",
    "sin",
    "sinh",
    "snippet",
    "soundex",
    "sqlite_offset",
    "sqlite_source_id",
    "sqlite_version",
    "sqrt",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "subtype",
    "sum",
    "tan",
    "tanh",
    "time",
    "timediff",
    "total",
    "total_changes",
    "trim",
    "trunc",
    "typeof",
    "unhex",
    "unicode",
    "unistr",
    "unistr_quote",
    "unixepoch",
    "unlikely",
    "upper",
    "zeroblob",
];

// A search in the list relies on its order.
const _: () = {
    let mut at = 1;
    while at < FUNCTIONS.len() {
        assert!(is_before(
            FUNCTIONS[at - 1].as_bytes(),
            FUNCTIONS[at].as_bytes()
        ));
        at += 1;
    }
};

const fn is_before(left: &[u8], right: &[u8]) -> bool {
    let mut at = 0;
    while at < left.len() && at < right.len() {
        if left[at] != right[at] {
            return left[at] < right[at];
        }
        at += 1;
    }
    left.len() < right.len()
}

/// The state of the callbacks that permit and limit the statements of a connection.
#[derive(Default)]
pub struct Watch {
    /// The refused operation of the statement, as the predicate of a message: `changes data`.
    refused: RefCell<Option<String>>,
    /// The number of checks after which the statement is stopped. There are [`STEP`] instructions
    /// between two checks.
    left: Cell<u64>,
    /// Whether statements that write into tables may be prepared. Some virtual tables
    /// prepare such statements when they are opened for reading.
    prepares: Cell<bool>,
    /// Whether the statement may call the function that collects the first rows of a table.
    collects: Cell<bool>,
    /// Whether the statement is `PRAGMA journal_mode` without a value. The statement only reads,
    /// but SQLite reports that it changes the database.
    reading_pragma: Cell<bool>,
}

impl Watch {
    /// Installs the callbacks on a connection.
    ///
    /// # Safety
    /// The connection is open, and the watch outlives it.
    pub unsafe fn over(&self, db: *mut ffi::sqlite3) {
        let watch = (&raw const *self).cast_mut().cast::<c_void>();
        // SAFETY: the caller guarantees both.
        unsafe {
            ffi::sqlite3_set_authorizer(db, Some(authorize), watch);
            ffi::sqlite3_progress_handler(db, STEP, Some(progress), watch);
        }
    }

    /// Resets the state for a new statement, which may run `work` instructions of SQLite's virtual
    /// machine.
    pub fn start(&self, work: u64) {
        self.left.set(work.div_ceil(u64::from(STEP.unsigned_abs())));
        self.refused.take();
    }

    /// Sets whether statements that write into tables may be prepared.
    pub fn let_prepare(&self, prepares: bool) {
        self.prepares.set(prepares);
    }

    /// Sets whether statements may call the function that collects the first rows of a table.
    pub fn let_collect(&self, collects: bool) {
        self.collects.set(collects);
    }

    /// The instructions that the statement may still run, as a multiple of those between two checks.
    pub fn left(&self) -> u64 {
        let step = u64::from(STEP.unsigned_abs());
        self.left.get().saturating_mul(step)
    }

    /// Lets the statement run at most `work` instructions for now. Returns the number of checks that are held back.
    pub fn hold(&self, work: u64) -> u64 {
        let now = work.div_ceil(u64::from(STEP.unsigned_abs()));
        let left = self.left.get();
        self.left.set(left.min(now));
        left.saturating_sub(now)
    }

    /// Lets the statement run what [`Self::hold`] held back.
    pub fn release(&self, checks: u64) {
        self.left.set(self.left.get().saturating_add(checks));
    }

    /// Whether statements that write into tables may be prepared.
    pub fn prepares(&self) -> bool {
        self.prepares.get()
    }

    /// Returns whether the statement is `PRAGMA journal_mode` without a value, and resets the flag.
    /// The statement only reads, but SQLite reports that it changes the database.
    pub fn take_reading_pragma(&self) -> bool {
        self.reading_pragma.take()
    }

    /// Returns the refused operation of the statement, as the predicate of a message, and resets
    /// it. `None` if the statement was not refused.
    pub fn refused(&self) -> Option<String> {
        self.refused.take()
    }
}

/// The authorizer callback: allows operations that only read.
unsafe extern "C" fn authorize(
    watch: *mut c_void,
    action: c_int,
    first: *const c_char,
    second: *const c_char,
    _: *const c_char,
    _: *const c_char,
) -> c_int {
    // Called for each column in a statement.
    if matches!(
        action,
        ffi::SQLITE_READ | ffi::SQLITE_SELECT | ffi::SQLITE_RECURSIVE
    ) {
        return ffi::SQLITE_OK;
    }
    let text = |pointer: *const c_char| {
        // SAFETY: SQLite passes a text or null.
        (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy())
    };
    let (first, second) = (text(first), text(second));
    let name = first.as_deref().unwrap_or_default().to_ascii_lowercase();
    // SAFETY: this is the watch of the connection, which outlives it.
    let watch = unsafe { &*watch.cast::<Watch>() };
    let allowed = match action {
        ffi::SQLITE_INSERT | ffi::SQLITE_UPDATE | ffi::SQLITE_DELETE => watch.prepares.get(),
        ffi::SQLITE_PRAGMA if second.is_none() && name == "journal_mode" => {
            watch.reading_pragma.set(true);
            true
        }
        ffi::SQLITE_FUNCTION => {
            let name = second.as_deref().unwrap_or_default().to_ascii_lowercase();
            FUNCTIONS.binary_search(&name.as_str()).is_ok()
                || (watch.collects.get() && Some(name.as_str()) == COLLECT.to_str().ok())
        }
        ffi::SQLITE_PRAGMA => {
            PRAGMAS_OF.contains(&name.as_str())
                || (second.is_none() && PRAGMAS.contains(&name.as_str()))
        }
        _ => false,
    };
    if allowed {
        return ffi::SQLITE_OK;
    }
    let what = match action {
        ffi::SQLITE_PRAGMA => format!("uses PRAGMA {name}, which is not allowed"),
        ffi::SQLITE_FUNCTION => format!(
            "calls {}(), which is not allowed",
            second.unwrap_or_default()
        ),
        ffi::SQLITE_ATTACH => "attaches a database".to_owned(),
        ffi::SQLITE_DETACH => "detaches a database".to_owned(),
        ffi::SQLITE_TRANSACTION | ffi::SQLITE_SAVEPOINT => "uses a transaction".to_owned(),
        ffi::SQLITE_INSERT | ffi::SQLITE_UPDATE | ffi::SQLITE_DELETE => "changes data".to_owned(),
        _ => "changes the database".to_owned(),
    };
    watch.refused.replace(Some(what));
    ffi::SQLITE_DENY
}

/// The progress callback, which SQLite calls after every [`STEP`] instructions. It stops a
/// statement that exceeds its limit.
unsafe extern "C" fn progress(watch: *mut c_void) -> c_int {
    // SAFETY: this is the watch of the connection, which outlives it.
    let watch = unsafe { &*watch.cast::<Watch>() };
    match watch.left.get().checked_sub(1) {
        Some(left) => {
            watch.left.set(left);
            0
        }
        None => 1,
    }
}
