//! The limits of the engine.

/// The maximum memory of SQLite in bytes, including the memory for sorting and grouping.
pub const HEAP_BYTES: i64 = 256 << 20;

/// The maximum size in bytes of a database whose pages all stay in memory.
pub const CACHED_BYTES: u64 = 7 << 20;

/// The maximum size in bytes of all values of a result together. They are copied out of the
/// sandbox.
pub const RESULT_BYTES: usize = 16 << 20;

/// The number of instructions of SQLite's virtual machine after which a statement is evaluated on the bytes of the pages,
/// if it can be. SQLite completes a short statement before its program is read.
pub const PROBE: u64 = 20_000;

/// The maximum number of instructions of a program that is evaluated. A statement with ten aggregates, conditions and an
/// order has about a hundred.
pub const PROGRAM: usize = 300;

/// The largest number of a register, a cursor or a column of such a program. SQLite allows 2,000 columns.
pub const REGISTERS: usize = 2000;

/// The maximum number of instructions outside of its loop over the rows. They take about a tenth of a second.
pub const OUTER_WORK: u64 = 10_000_000;

/// The maximum number of rows of the table in which it sorts its result, if new rows come between others. Each moves those
/// after it.
pub const INSERTED_ROWS: usize = 4000;

/// The maximum number of groups. SQLite sorts the rows of more, and keeps only those of one group.
pub const GROUPS: usize = 100_000;

/// The maximum size in bytes of the texts and blobs of all groups.
pub const GROUP_BYTES: usize = 16 << 20;

/// The number of rows after which groups have to be fewer than nine tenths of them. SQLite sorts the others in the same
/// time.
pub const GROUPED_ROWS: u64 = 20_000;

/// The maximum size in bytes of the definition of a table or view that is searched for numbers.
pub const SCHEMA_SQL_BYTES: usize = 64 << 10;

/// The size in bytes that counts for each value of a result, in addition to its text or blob.
pub const VALUE_BYTES: usize = 32;
