//! What a statement may do, and how much of it.

#![allow(unsafe_code, reason = "called from C")]

use sqlite_wasm_rs as ffi;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_int, c_void};

/// Instructions of the virtual machine between two looks at the budget.
const STEP: c_int = 1000;

/// Pragmas that tell and change nothing, as long as they are given no value; of
/// the last ones it names what they tell of.
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

/// Functions that compute something of their arguments: those of SQLite, its
/// extensions for JSON, mathematics and dates, and what the modules for
/// full-text and spatial search offer for reading.
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

/// What the callbacks of a connection found.
#[derive(Default)]
pub struct Watch {
    /// What the statement would have done.
    refused: RefCell<Option<String>>,
    /// Steps that are left.
    left: Cell<u64>,
    /// Statements may be prepared that write into tables: some modules do when
    /// one of theirs is opened for reading.
    prepares: Cell<bool>,
    /// A pragma was met that tells something and that SQLite takes for a change.
    tells: Cell<bool>,
}

impl Watch {
    /// Puts a connection under watch, for as long as it is open.
    ///
    /// # Safety
    /// The watch outlives the connection, which is open.
    pub unsafe fn over(&self, db: *mut ffi::sqlite3) {
        let watch = (&raw const *self).cast_mut().cast::<c_void>();
        // SAFETY: the caller vouches for both.
        unsafe {
            ffi::sqlite3_set_authorizer(db, Some(authorize), watch);
            ffi::sqlite3_progress_handler(db, STEP, Some(progress), watch);
        }
    }

    /// Starts a statement, which may take so many instructions.
    pub fn start(&self, work: u64) {
        self.left.set(work.div_ceil(u64::from(STEP.unsigned_abs())));
        self.refused.take();
    }

    /// Lets statements be prepared that write into tables, or not.
    pub fn let_prepare(&self, prepares: bool) {
        self.prepares.set(prepares);
    }

    /// Whether they may be.
    pub fn prepares(&self) -> bool {
        self.prepares.get()
    }

    /// Whether the statement is a pragma that tells something, whatever SQLite
    /// takes it for.
    pub fn tells(&self) -> bool {
        self.tells.take()
    }

    /// What the statement would have done, if it was refused for that.
    pub fn refused(&self) -> Option<String> {
        self.refused.take()
    }
}

/// Allows what reads.
unsafe extern "C" fn authorize(
    watch: *mut c_void,
    action: c_int,
    first: *const c_char,
    second: *const c_char,
    _: *const c_char,
    _: *const c_char,
) -> c_int {
    let text = |pointer: *const c_char| {
        // SAFETY: SQLite gives text, or nothing.
        (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy())
    };
    let (first, second) = (text(first), text(second));
    let name = first.as_deref().unwrap_or_default().to_ascii_lowercase();
    // SAFETY: this is the watch of the connection, which outlives it.
    let watch = unsafe { &*watch.cast::<Watch>() };
    let allowed = match action {
        ffi::SQLITE_INSERT | ffi::SQLITE_UPDATE | ffi::SQLITE_DELETE => watch.prepares.get(),
        ffi::SQLITE_PRAGMA if second.is_none() && name == "journal_mode" => {
            watch.tells.set(true);
            true
        }
        ffi::SQLITE_SELECT | ffi::SQLITE_READ | ffi::SQLITE_RECURSIVE => true,
        ffi::SQLITE_FUNCTION => {
            let name = second.as_deref().unwrap_or_default().to_ascii_lowercase();
            FUNCTIONS.contains(&name.as_str())
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
        ffi::SQLITE_PRAGMA => format!("PRAGMA {name}"),
        ffi::SQLITE_FUNCTION => format!("the function {}()", second.unwrap_or_default()),
        ffi::SQLITE_ATTACH => "ATTACH".to_owned(),
        ffi::SQLITE_DETACH => "DETACH".to_owned(),
        ffi::SQLITE_TRANSACTION | ffi::SQLITE_SAVEPOINT => "a transaction".to_owned(),
        _ => "a change".to_owned(),
    };
    watch.refused.replace(Some(what));
    ffi::SQLITE_DENY
}

/// Counts steps, and stops a statement that takes too many.
unsafe extern "C" fn progress(watch: *mut c_void) -> c_int {
    // SAFETY: as above.
    let watch = unsafe { &*watch.cast::<Watch>() };
    match watch.left.get().checked_sub(1) {
        Some(left) => {
            watch.left.set(left);
            0
        }
        None => 1,
    }
}
