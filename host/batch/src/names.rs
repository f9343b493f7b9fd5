//! Names of files in directories.

use std::path::{Path, PathBuf};

/// Whether a path leads to a file that the batch writes.
pub(crate) fn is_excluded(path: &str, excluded: &[PathBuf]) -> bool {
    let path = Path::new(path);
    let same = |file: &&PathBuf| file.file_name() == path.file_name();
    excluded
        .iter()
        .filter(same)
        .any(|file| path.canonicalize().is_ok_and(|real| real == **file))
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
