//! The metadata of files and other sources of bytes, and the errors of file operations.

use crate::failure::SpecialFile;
use std::fmt;

/// A point in time, as the time that has passed since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// The whole seconds since 1970.
    pub seconds: u64,
    /// Nanoseconds after the whole second.
    pub nanos: u32,
}

impl Time {
    /// Creates a time from milliseconds since 1970.
    pub fn from_millis(millis: u64) -> Self {
        let nanos = u32::try_from(millis % 1000).unwrap_or(0);
        Self {
            seconds: millis / 1000,
            nanos: nanos.saturating_mul(1_000_000),
        }
    }

    /// The time in milliseconds since 1970.
    pub fn millis(self) -> u64 {
        self.seconds
            .saturating_mul(1000)
            .saturating_add(u64::from(self.nanos / 1_000_000))
    }
}

/// The type of a file system entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A special file, which cannot be read like a regular file.
    Special(SpecialFile),
}

/// The metadata of a file system entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// The type of the entry.
    pub file_type: FileType,
    /// The size in bytes. It may be wrong, as in `/proc`.
    pub size: u64,
    /// Time of the last change.
    pub modified: Option<Time>,
}

/// The metadata of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The size in bytes. It may be wrong, as in `/proc`.
    pub size: Option<u64>,
    /// Time of the last change.
    pub modified: Option<Time>,
    /// The MIME type that its server reports.
    pub mime: Option<String>,
    /// The character set that its server reports.
    pub charset: Option<String>,
}

impl From<Stat> for Info {
    fn from(stat: Stat) -> Self {
        Self {
            size: Some(stat.size),
            modified: stat.modified,
            ..Self::default()
        }
    }
}

/// The rule for which the host refused to open or examine a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A deny rule. Contains the rule.
    Denied(String),
    /// The limit on the size of a file. Contains the limit in bytes.
    Size(u64),
}

/// The reason why a file operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// The path does not exist.
    NotFound,
    /// The operating system forbids access.
    Permission,
    /// The path leads out of the root.
    OutsideRoot,
    /// The path has too many symlinks.
    SymlinkLoop,
    /// A rule of the host refused the call.
    Refused(Refusal),
    /// The file needs more memory than the reader allows. Contains the name of the limit, and the
    /// limit in bytes.
    Limit(&'static str, u64),
    /// The operating system has run out of a resource. Contains the message.
    Unavailable(String),
    /// Any other error. Contains the message.
    Other(String),
}

impl FileError {
    /// The error for a second read of bytes of a stream, such as standard input.
    pub fn not_rewindable() -> Self {
        Self::Other("standard input can only be read once, from start to end".to_owned())
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("not found"),
            Self::Permission => f.write_str("permission denied"),
            Self::OutsideRoot => f.write_str("outside the roots"),
            Self::SymlinkLoop => f.write_str("too many links"),
            Self::Refused(Refusal::Denied(rule)) => write!(f, "denied by the rule `{rule}`"),
            Self::Refused(Refusal::Size(limit)) => {
                write!(f, "larger than the limit of {limit} bytes")
            }
            Self::Limit(name, bytes) => {
                let limit = bytes >> 20;
                write!(f, "it needs more than {limit} MB of memory ({name})")
            }
            Self::Unavailable(message) | Self::Other(message) => f.write_str(message),
        }
    }
}
