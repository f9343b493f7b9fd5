//! The limits of configuration files.

use std::ops::RangeInclusive;
use std::time::Duration;

/// The maximum size of a workspace file in bytes. Whoever wrote it may not be trusted, and a file with
/// a hundred rules has less than a tenth of it.
pub const WORKSPACE_BYTES: usize = 64 << 10;

/// The maximum size of a user file in bytes. A file of this size is parsed in some ten milliseconds, and
/// larger ones are not configuration.
pub const USER_BYTES: usize = 1 << 20;

/// The maximum number of deny rules of a workspace file. Each is compiled into an expression, which every
/// read matches.
pub const WORKSPACE_RULES: usize = 1000;

/// The maximum number of problems that are reported of one file. A person corrects fewer at a time.
pub(crate) const PROBLEMS: usize = 50;

/// The maximum number of ignored entries that every command reports. A workspace file can have thousands.
pub(crate) const REPORTS: usize = 5;

/// The maximum number of characters that a message repeats of a key or a value.
pub(crate) const SHOWN_CHARS: usize = 60;

/// The maximum number of bytes of a key for which similar keys are searched. The time for the search grows
/// with the length, and no key is longer.
pub(crate) const SIMILAR_BYTES: usize = 60;

/// The maximum number of similar keys that a message names.
pub(crate) const SIMILAR_KEYS: usize = 3;

/// The default of `network.timeout`, that of `--net-timeout`.
pub const NETWORK_TIMEOUT: Duration = Duration::from_secs(45);

/// The default of `network.max-bytes`, that of `--net-bytes`.
pub const NETWORK_BYTES: u64 = 50 << 20;

/// The default of `limits.timeout`, that of `--timeout` for a path. The command line has others for
/// standard input and for its servers.
pub const TIMEOUT: Duration = Duration::from_mins(1);

/// The range of `session.paths`. Each path has up to eight versions, which are read at the start.
pub const SESSION_PATHS: RangeInclusive<u64> = 1..=100_000;

/// The default of `session.paths`, that of a store on disk.
pub const DEFAULT_SESSION_PATHS: u64 = 500;

/// The range of `session.bytes`. The least is that of a store in memory.
pub const SESSION_BYTES: RangeInclusive<u64> = 32 << 20..=1 << 40;

/// The default of `session.bytes`, that of a store on disk.
pub const DEFAULT_SESSION_BYTES: u64 = 1 << 30;

/// The largest integer of a TOML file.
pub(crate) const MAX_INTEGER: u64 = i64::MAX.unsigned_abs();
