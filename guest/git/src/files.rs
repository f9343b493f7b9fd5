//! What the reader of a repository needs of a file system.

use std::fmt;

/// What a path names, after symlinks were followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
}

/// A name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub name: String,
    /// Whether it is a directory.
    pub is_directory: bool,
}

/// Why a file or directory that may exist cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// It is outside of the directories that may be read.
    Outside,
    /// A rule forbids it. Contains the rule.
    Denied(String),
    /// The file system reports an error. Contains its message.
    Other(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside => to.write_str("it is outside the roots"),
            Self::Denied(rule) => write!(to, "it is denied by the rule `{rule}`"),
            Self::Other(message) => to.write_str(message),
        }
    }
}

/// The files that may be read.
///
/// A path is absolute, or relative to a directory that the implementation chooses. It may have parts `.` and `..`.
/// The implementation decides whether the path may be read, after these and symlinks were resolved.
pub trait Files {
    /// What a path names. `None` if it names nothing.
    ///
    /// # Errors
    /// Fails if the path may not be read, or with the error of the file system.
    fn kind(&mut self, path: &str) -> Result<Option<Kind>, FileError>;

    /// Opens a file. `None` if it does not exist, or is not a file.
    ///
    /// # Errors
    /// Fails if the path may not be read, or with the error of the file system.
    fn open(&mut self, path: &str) -> Result<Option<Box<dyn File>>, FileError>;

    /// The names in a directory, at most `most`. There are none if it does not exist.
    ///
    /// # Errors
    /// Fails if the path may not be read, or with the error of the file system.
    fn names(&mut self, path: &str, most: usize) -> Result<Vec<Name>, FileError>;
}

/// An open file.
pub trait File {
    /// The size in bytes.
    fn size(&mut self) -> u64;

    /// Reads up to `len` bytes from `offset`, and appends them to `out`. Appends at least one byte, unless `offset`
    /// is the end.
    ///
    /// # Errors
    /// Fails with the error of the file system.
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError>;
}

/// A path in a directory, or the path itself if it is absolute, without parts `.` and `..` as far as possible.
pub(crate) fn join(directory: &str, path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let start = if is_absolute { "" } else { directory };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if is_absolute || directory.starts_with('/') {
        return format!("/{joined}");
    }
    joined
}
