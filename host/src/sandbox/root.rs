//! The roots: the directories that reads may access.

use super::platform;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory that reads may access. It stays open.
#[derive(Clone, Debug)]
pub struct Root {
    /// The absolute path of the root, as it was configured.
    pub name: String,
    /// The real path of the root, without symlinks.
    pub real: PathBuf,
    pub(crate) handle: Arc<File>,
}

impl Root {
    /// Opens a directory, and returns one root for each of its names. A directory has two names if
    /// its absolute path leads through symlinks: that path, and its real path. Absolute symlinks in
    /// the directory may contain either.
    ///
    /// # Errors
    /// Fails if the directory cannot be opened, or one of its names is not UTF-8.
    pub fn open(path: &Path) -> Result<Vec<Self>, PolicyError> {
        let failed = |error| PolicyError::Root(path.to_owned(), error);
        let absolute = std::path::absolute(path).map_err(failed)?;
        let real = path.canonicalize().map_err(failed)?;
        let handle = open_directory(&real).map_err(failed)?;
        if !handle.metadata().map_err(failed)?.is_dir() {
            return Err(failed(io::ErrorKind::NotADirectory.into()));
        }
        // Another process may have replaced a directory of the path by a symlink meanwhile.
        let real = match platform::real_path(&handle) {
            Ok(Some(opened)) => opened,
            Ok(None) | Err(_) => real,
        };
        let mut names = vec![lexically_clean(&absolute)];
        if names.first() != Some(&real) {
            names.push(real.clone());
        }
        let handle = Arc::new(handle);
        let named = |name: PathBuf| {
            let name = name.into_os_string().into_string();
            Ok(Self {
                name: name.map_err(|name| PolicyError::Name(name.into()))?,
                real: real.clone(),
                handle: Arc::clone(&handle),
            })
        };
        names.into_iter().map(named).collect()
    }
}

/// The reason why an access policy is not valid.
#[derive(Debug)]
#[non_exhaustive]
pub enum PolicyError {
    /// A root cannot be opened.
    Root(PathBuf, io::Error),
    /// The path of a root is not UTF-8.
    Name(PathBuf),
    /// A deny rule is not a valid pattern, or denies nothing. Contains the rule and the reason.
    Rule(String, String),
    /// A directory cannot be mounted. Contains the scheme, the directory and the reason.
    Mount(String, PathBuf, String),
}

impl PolicyError {
    /// The error of a directory that is to be mounted for a scheme.
    pub(super) fn of_mount(self, scheme: &str) -> Self {
        match self {
            Self::Root(path, error) => Self::Mount(scheme.to_owned(), path, error.to_string()),
            Self::Name(path) => {
                Self::Mount(scheme.to_owned(), path, "its path is not UTF-8".to_owned())
            }
            other => other,
        }
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(path, error) => {
                write!(f, "cannot use `{}` as a root: {error}", path.display())
            }
            Self::Name(path) => write!(
                f,
                "cannot use `{}` as a root: its path is not UTF-8",
                path.display()
            ),
            Self::Mount(scheme, path, why) => {
                write!(
                    f,
                    "cannot mount `{}` for `{scheme}://`: {why}",
                    path.display()
                )
            }
            Self::Rule(rule, error) => write!(f, "cannot use `{rule}` as a deny rule: {error}"),
        }
    }
}

impl std::error::Error for PolicyError {}

/// Opens a directory. If the path is a pipe, the call fails at once, and does not wait for a
/// program that writes to the pipe.
fn open_directory(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = OFlags::DIRECTORY | OFlags::NONBLOCK;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        // FILE_FLAG_BACKUP_SEMANTICS: Windows cannot open a directory without it.
        options.custom_flags(0x0200_0000);
    }
    options.open(path)
}

/// Removes `.` and `..` from a path without following symlinks, as the reader does.
pub fn lexically_clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                clean.pop();
            }
            std::path::Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn root_that_is_a_pipe_is_refused_at_once() {
        let pipe = std::env::temp_dir().join(format!("omniread-root-{}", std::process::id()));
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        let error = Root::open(&pipe).unwrap_err();
        std::fs::remove_file(&pipe).unwrap();
        assert!(
            matches!(&error, PolicyError::Root(_, error) if error.kind() == io::ErrorKind::NotADirectory),
            "{error}"
        );
    }
}
