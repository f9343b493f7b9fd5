//! Names of files in directories.

use omniread::Reader;
use std::path::{Path, PathBuf};

/// The files that the batch writes.
#[derive(Debug)]
pub(crate) struct Excluded {
    /// The directory to which relative paths refer.
    base: PathBuf,
    files: Vec<Identity>,
}

impl Excluded {
    pub(crate) fn new(reader: &Reader, files: &[PathBuf]) -> Self {
        Self {
            base: reader.roots().next().map(PathBuf::from).unwrap_or_default(),
            files: files.iter().filter_map(|file| identity(file)).collect(),
        }
    }

    /// Whether a path leads to one of the files, perhaps through a link with another name.
    pub(crate) fn has(&self, path: &str) -> bool {
        // Each file needs a system call more.
        !self.files.is_empty()
            && identity(&self.base.join(path)).is_some_and(|file| self.files.contains(&file))
    }
}

/// The device and the number of a file.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;

    let metadata = path.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// The real path of a file.
#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.canonicalize().ok()
}

/// A path of an entry of a directory.
pub(crate) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() || directory.ends_with('/') {
        format!("{directory}{name}")
    } else {
        format!("{directory}/{name}")
    }
}

/// Whether shells leave out a name where a pattern has `*`.
pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_by_one_slash() {
        let paths = [
            join("a", "b"),
            join("a/", "b"),
            join("", "b"),
            join("/", "b"),
        ];
        assert_eq!(paths, ["a/b", "a/b", "b", "/b"]);
    }
}
