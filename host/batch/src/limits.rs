//! The limits of a batch.

/// The maximum number of threads that read. It is the number of places in the pool of instances (`pool.rs`).
pub const JOBS: usize = 64;

/// The maximum size in bytes of the rows that wait for the row of an earlier path. When they are larger, threads
/// wait too. One slow document among small files then delays nothing for some thousand files.
pub const WAITING_BYTES: usize = 16 << 20;

/// The size in bytes of rows from which they are written at once: it needs few system calls, and little is read
/// again after the process was killed.
pub const COLLECTED_BYTES: usize = 64 << 10;

/// The maximum size in bytes of a line of a manifest. A path of a list has at most 1 MiB, and in JSON up to six times
/// as much.
pub const RECORD_BYTES: usize = 8 << 20;

/// The size in bytes of a row that waits, without its line and its position: its path, and their places in memory.
pub const WAITING_ROW_BYTES: usize = 256;

/// The maximum number of names that a pattern leads to, and of members that an archive and the archives in it have
/// together. They are in memory, and the reader examines as many members of one archive.
pub const NAMES: usize = 1_000_000;

/// The maximum number of archives in each other. An archive may contain itself twice. The reader goes through fewer, and
/// its error is then that of the row.
pub const ARCHIVES: usize = 8;

/// The maximum number of pages of a path that have a row. The position of a row has a number for each page before it.
pub const PAGES: usize = 10_000;

/// The maximum depth of directories in each other.
pub const DEPTH: usize = 128;
