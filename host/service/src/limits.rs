//! The limits of long-lived processes.

use std::time::Duration;

/// The maximum number of reads that run at a time. Further requests wait. It is the number of
/// places in the pool of instances (`pool.rs`).
pub const RUNNING: usize = 64;

/// The maximum size of a line of input in bytes. The reader accepts arguments of at most this size.
pub const LINE_BYTES: usize = 1 << 20;

/// The maximum number of requests of `omniread serve` that wait for a thread. When this many wait,
/// no more input is read, so that the client has to wait.
pub const WAITING: usize = 4096;

/// The maximum number of MCP requests without a response. A request that was cancelled counts until
/// its thread is done with it. When there are this many, a client over standard input has to wait,
/// and a client over HTTP gets an error.
pub const UNANSWERED: usize = 1024;

/// The maximum size in bytes of the requests that [`WAITING`] or [`UNANSWERED`] limits.
pub const WAITING_BYTES: usize = 8 << 20;

/// The maximum size in bytes of the replies that were not written yet. When they are larger, no
/// more reads end, and so no more start.
pub const UNWRITTEN_BYTES: usize = 4 << 20;

/// The maximum length of the id of a request in bytes, as JSON.
pub const ID_BYTES: usize = 256;

/// The time for which a process waits for the running requests after a signal to end. It is three
/// times the default timeout of a read, and as long as most managers of services wait.
pub const ENDING: Duration = Duration::from_secs(30);

/// The time without a request after which a thread ends. If no thread was added or ended for this
/// time, and the reads use the processor, one of the added threads ends.
pub const IDLE: Duration = Duration::from_secs(5);

/// The time after which threads are added, if requests wait, no thread was idle, and the process has
/// hardly used the processor: the running reads wait for something. It is long enough that a thread
/// of a busy machine gets the processor within it.
pub const STUCK: Duration = Duration::from_millis(100);

/// The processor time of each core after which a thread is added, if requests wait and none has
/// started meanwhile. More threads than cores make nothing faster, and each takes memory, but a read
/// of this length must not delay short ones.
pub const LONG: Duration = Duration::from_millis(100);

/// The time after which a thread is added in any case, if requests wait and none has started
/// meanwhile.
pub const LATE: Duration = Duration::from_secs(1);

/// The time for which replies are collected before they are written, while further requests wait.
pub const COLLECTING: Duration = Duration::from_micros(250);

/// The size in bytes of collected replies from which they are written at once.
pub const COLLECTED_BYTES: usize = 32 << 10;
