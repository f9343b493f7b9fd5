//! Errors of a store, and the counts of writes that were dropped.

use crate::limits::HANDLE_BYTES;
use std::fmt;
use std::path::PathBuf;

/// An error of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// The name of a handle has other than visible ASCII characters, or too few or too many.
    Handle,
    /// The directory of the store is a symlink.
    DirectoryIsSymlink(PathBuf),
    /// The path of the directory leads to something else.
    NotADirectory(PathBuf),
    /// The directory of the store belongs to another user.
    DirectoryOfOtherUser(PathBuf),
    /// Other users can write to the directory of the store.
    DirectoryWritableByOthers(PathBuf),
    /// The directory has files of something else, such as a project.
    DirectoryHasOtherFiles(PathBuf),
    /// The system does not let the store use a file or directory.
    Path {
        /// The file or directory.
        path: PathBuf,
        /// What the store tried, as a verb: `create`.
        verb: &'static str,
        /// The message of the system.
        reason: String,
    },
    /// Other processes use the store, and did not finish in time.
    Busy(PathBuf),
    /// An artifact is larger than all artifacts together may be.
    ArtifactTooLarge {
        /// The maximum in bytes.
        limit: u64,
    },
    /// The source or the media type of an artifact is too long.
    SourceTooLong {
        /// The maximum in bytes.
        limit: usize,
    },
    /// Other artifacts that are not finished take the room for an artifact.
    NoRoom {
        /// The size of all artifacts together that is allowed, in bytes.
        limit: u64,
    },
    /// An artifact was removed to make room for newer ones.
    Evicted {
        /// The number of the artifact.
        number: u64,
    },
    /// There never was an artifact with a number.
    NoArtifact {
        /// The number.
        number: u64,
    },
    /// The data of the handle was cleared during the work on it.
    Cleared,
    /// A new generation could not be written, so that other processes do not know of it.
    Generation(Problem),
    /// A write was not possible.
    Write(Problem),
    /// The data cannot be read.
    Read(Problem),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Handle => write!(
                f,
                "the name of a session must have 1 to {HANDLE_BYTES} visible ASCII characters"
            ),
            Self::DirectoryIsSymlink(path) => write!(
                f,
                "cannot keep a session in `{}`: it is a symlink; name the directory that it leads to",
                path.display()
            ),
            Self::NotADirectory(path) => write!(
                f,
                "cannot keep a session in `{}`: it is not a directory; name another one",
                path.display()
            ),
            Self::DirectoryOfOtherUser(path) => write!(
                f,
                "cannot keep a session in `{}`: it belongs to another user; name a directory of your own",
                path.display()
            ),
            Self::DirectoryWritableByOthers(path) => write!(
                f,
                "cannot keep a session in `{0}`: other users can write to it; run `chmod 700 {0}`, or name another directory",
                path.display()
            ),
            Self::DirectoryHasOtherFiles(path) => write!(
                f,
                "cannot keep a session in `{}`: it has other files; name an empty directory, or a new one",
                path.display()
            ),
            Self::Path { path, verb, reason } => {
                write!(f, "cannot {verb} `{}`: {reason}", path.display())
            }
            Self::Busy(path) => write!(
                f,
                "cannot open `{}`: other processes use it; try again",
                path.display()
            ),
            Self::ArtifactTooLarge { limit } => {
                write!(
                    f,
                    "cannot keep the artifact: it has more than {limit} bytes"
                )
            }
            Self::SourceTooLong { limit } => write!(
                f,
                "cannot keep the artifact: its source or media type has more than {limit} bytes"
            ),
            Self::NoRoom { limit } => write!(
                f,
                "cannot keep the artifact: others that are not finished take the room of {limit} bytes; try again"
            ),
            Self::Evicted { number } => write!(
                f,
                "artifact {number} was removed to make room for newer ones"
            ),
            Self::NoArtifact { number } => write!(f, "there is no artifact {number}"),
            Self::Cleared => f.write_str("the data of this session was cleared"),
            Self::Generation(problem) => write!(
                f,
                "cannot start a new generation: {problem}; try again before the next read"
            ),
            Self::Write(problem) => write!(f, "cannot write to the session: {problem}"),
            Self::Read(problem) => write!(f, "cannot read from the session: {problem}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// The reason why a store could not write or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Problem {
    /// Other processes wrote for longer than a write may wait.
    Busy,
    /// The disk is full.
    Full,
    /// The store or its disk is read-only.
    ReadOnly,
    /// The file of the store is damaged. It is set aside when it is opened again.
    Damaged,
    /// Another error of the system.
    Other,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Busy => "other processes use it",
            Self::Full => "the disk is full",
            Self::ReadOnly => "it is read-only",
            Self::Damaged => "its file is damaged",
            Self::Other => "the system reports an error",
        })
    }
}

/// The numbers of writes of this process that were dropped, by reason, and of reads that failed.
///
/// A dropped write is not an error of the read that caused it: the read goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dropped {
    /// Writes dropped because other processes wrote for longer than a write may wait.
    pub busy: u64,
    /// Writes dropped because the disk is full.
    pub full: u64,
    /// Writes dropped because the store is read-only.
    pub read_only: u64,
    /// Writes dropped because the file of the store is damaged.
    pub damaged: u64,
    /// Writes dropped because of another error of the system.
    pub other: u64,
    /// Reads that failed, and found nothing therefore.
    pub reads: u64,
}

impl Dropped {
    /// The number of all dropped writes.
    pub fn writes(&self) -> u64 {
        let of_the_store = self.busy.saturating_add(self.full);
        let of_the_file = self.read_only.saturating_add(self.damaged);
        let known = of_the_store.saturating_add(of_the_file);
        known.saturating_add(self.other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_lower_case_without_full_stop() {
        let path = || PathBuf::from("/d");
        for error in [
            StoreError::Handle,
            StoreError::DirectoryIsSymlink(path()),
            StoreError::NotADirectory(path()),
            StoreError::DirectoryOfOtherUser(path()),
            StoreError::DirectoryWritableByOthers(path()),
            StoreError::DirectoryHasOtherFiles(path()),
            StoreError::Busy(path()),
            StoreError::ArtifactTooLarge { limit: 1 },
            StoreError::SourceTooLong { limit: 1 },
            StoreError::NoRoom { limit: 1 },
            StoreError::Evicted { number: 1 },
            StoreError::NoArtifact { number: 1 },
            StoreError::Cleared,
            StoreError::Generation(Problem::Busy),
            StoreError::Write(Problem::Full),
            StoreError::Read(Problem::Damaged),
        ] {
            let message = error.to_string();
            assert!(message.starts_with(|c: char| c.is_lowercase()), "{message}");
            assert!(!message.ends_with('.'), "{message}");
        }
    }
}
