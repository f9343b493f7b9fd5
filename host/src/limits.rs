//! The default limits of a read.

use std::time::Duration;

/// The default memory limit of one read in bytes. It is many times `WHOLE_BYTES`, the maximum size
/// of a text that is examined as a whole.
pub const DEFAULT_MEMORY: usize = 512 << 20;

/// The default limit in bytes on the memory of all engines (SQLite and the image decoders) of a
/// process together. An engine that needs more memory than is free waits until other engines end.
pub const DEFAULT_ENGINE_MEMORY: usize = 1 << 30;

/// The default timeout of one read.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// The default limit on the time that all requests of one read take together. A page with a few
/// redirects or images of a slow server needs less.
#[cfg(feature = "net")]
pub const DEFAULT_NET_TIMEOUT: Duration = Duration::from_secs(45);

/// The default limit in bytes on the size of a response, as it is sent. It has room for most
/// documents and archives.
#[cfg(feature = "net")]
pub const DEFAULT_NET_BYTES: u64 = 50 << 20;
