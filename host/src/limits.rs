//! What a read may take, unless it is set.

use std::time::Duration;

/// Memory of one read, unless set: enough for any page and the largest text
/// that is examined as a whole, many times over.
pub const MEMORY: usize = 512 << 20;

/// Memory of all engines of a process together, unless set: that of SQLite and
/// of the decoders of images. Engines that need more wait until others end.
pub const ENGINE_MEMORY: usize = 1 << 30;

/// Time of one read, unless set.
pub const DEADLINE: Duration = Duration::from_secs(10);
