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

/// The maximum number of names that a pattern or an archive leads to. They are in memory, and an archive has at most
/// as many members that are examined.
pub const NAMES: usize = 1_000_000;

/// The maximum depth of directories and archives in each other.
pub const DEPTH: usize = 128;
