//! The limits of the engine.

/// The maximum memory of SQLite in bytes, including the memory for sorting and grouping.
pub const HEAP_BYTES: i64 = 256 << 20;

/// The maximum size in bytes of a database whose pages all stay in memory.
pub const CACHED_BYTES: u64 = 7 << 20;

/// The maximum size in bytes of all values of a result together. They are copied out of the
/// sandbox.
pub const RESULT_BYTES: usize = 16 << 20;

/// The size in bytes that counts for each value of a result, in addition to its text or blob.
pub const VALUE_BYTES: usize = 32;
