//! Entries that have no effect, with the reason.

use crate::escape::shown;
use crate::value::Origin;
use std::fmt;

/// An entry that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The key. `None` for a whole file.
    pub key: Option<String>,
    /// Where the entry is.
    pub origin: Origin,
    /// The reason.
    pub why: Why,
}

/// Why an entry has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A workspace file sets a key that only a user may set.
    Untrusted,
    /// A deny rule of a workspace file is negated, so that it would allow files.
    Allows,
    /// A workspace file would raise a limit.
    Raises {
        /// The value of the file.
        value: String,
        /// The limit.
        limit: String,
        /// Where the limit comes from.
        of: Origin,
    },
    /// The workspace file lowers a limit that a user has set.
    Lowered {
        /// The value of the user.
        value: String,
        /// The limit.
        limit: String,
        /// Where the limit comes from.
        by: Origin,
    },
    /// A layer before this one sets the key.
    Overridden(Origin),
    /// The workspace file is a symlink.
    Symlink,
    /// The workspace file is a directory, a pipe or a device.
    NotAFile,
    /// The workspace file is larger than this many bytes.
    TooLarge(usize),
    /// The workspace file cannot be opened or read.
    Unreadable(String),
}

impl Why {
    /// Whether a user should see the entry in every command, and not only in `omniread config`. An entry
    /// that another layer replaces is usual.
    pub fn is_reported(&self) -> bool {
        !matches!(self, Self::Overridden(_))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untrusted => {
                f.write_str("a workspace file may only add deny rules and lower limits")
            }
            Self::Allows => f.write_str("a workspace file may not allow what other rules deny"),
            Self::Raises { value, limit, of } => {
                write!(f, "{value} would raise the limit of {limit} ({of})")
            }
            Self::Lowered { value, limit, by } => write!(f, "{by} lowers {value} to {limit}"),
            Self::Overridden(origin) => write!(f, "replaced by {origin}"),
            Self::Symlink => f.write_str("it is a symlink"),
            Self::NotAFile => f.write_str("it is not a regular file"),
            Self::TooLarge(bytes) => write!(f, "it is larger than {bytes} bytes"),
            Self::Unreadable(reason) => f.write_str(reason),
        }
    }
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Some(key) => {
                let key = shown(key);
                write!(f, "{}: `{key}` is ignored: {}", self.origin, self.why)
            }
            None => write!(f, "{}: the file is ignored: {}", self.origin, self.why),
        }
    }
}
