//! A configuration file: its path, whom it is trusted by, and what paths in it are relative to.

use std::path::{Component, Path, PathBuf};

/// The name of the workspace file, at the top of the first root.
pub const WORKSPACE_FILE: &str = "omniread.toml";

/// A configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path, for messages.
    pub path: PathBuf,
    /// The directory that relative paths start in.
    pub base: PathBuf,
    /// The home directory.
    pub home: Option<PathBuf>,
    /// Whether the file belongs to a workspace, so that it may only restrict reads.
    pub is_workspace: bool,
}

impl Source {
    /// A user file. Relative paths start in its directory.
    pub fn user(path: &Path, home: Option<PathBuf>) -> Self {
        Self {
            path: path.to_owned(),
            base: path.parent().unwrap_or(Path::new("")).to_owned(),
            home,
            is_workspace: false,
        }
    }

    /// The workspace file in a root.
    pub fn workspace(root: &Path) -> Self {
        Self {
            path: root.join(WORKSPACE_FILE),
            base: root.to_owned(),
            home: None,
            is_workspace: true,
        }
    }

    /// A path of the file.
    ///
    /// # Errors
    /// Fails with what is expected if the path is empty or if the home directory is not known.
    pub(crate) fn resolve(&self, text: &str) -> Result<PathBuf, String> {
        if text.is_empty() || text.contains('\0') {
            return Err("a path".to_owned());
        }
        let below_home = match text.strip_prefix('~') {
            Some("") => Some(""),
            Some(rest) => rest.strip_prefix(std::path::is_separator),
            None => None,
        };
        let path = match (below_home, &self.home) {
            (Some(rest), Some(home)) => home.join(rest.trim_start_matches(std::path::is_separator)),
            // Nothing of a workspace file reads a path.
            (Some(_), None) if self.is_workspace => PathBuf::from(text),
            (Some(_), None) => {
                return Err(
                    "a path without `~`, because the home directory is not known".to_owned(),
                );
            }
            (None, _) => self.base.join(text),
        };
        let parts = path.components().filter(|part| *part != Component::CurDir);
        let clean: PathBuf = parts.collect();
        if clean.as_os_str().is_empty() {
            return Ok(PathBuf::from("."));
        }
        Ok(clean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_file_or_the_home_directory() {
        let source = Source::user(Path::new("/etc/x/config.toml"), Some("/home/u".into()));
        for (text, path) in [
            ("a", "/etc/x/a"),
            (".", "/etc/x"),
            ("./a/./b/", "/etc/x/a/b"),
            ("../a", "/etc/x/../a"),
            ("/a", "/a"),
            ("~", "/home/u"),
            ("~/a", "/home/u/a"),
            ("~//a", "/home/u/a"),
            ("~other/a", "/etc/x/~other/a"),
        ] {
            assert_eq!(source.resolve(text), Ok(path.into()), "{text}");
        }
        let homeless = Source {
            home: None,
            ..source
        };
        assert!(homeless.resolve("~/a").is_err());
        assert!(homeless.resolve("").is_err());
    }
}
