//! The places of configuration files, and how they are read.

use crate::error::ConfigError;
use crate::ignored::{Ignored, Why};
use crate::layer::Layer;
use crate::limits::{USER_BYTES, WORKSPACE_BYTES};
use crate::source::Source;
use crate::value::Origin;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The name of the user file in its directory.
const USER_FILE: &str = "config.toml";

/// The value of an environment variable, which is not empty.
pub type Variables<'v> = &'v dyn Fn(&str) -> Option<OsString>;

/// An absolute path in an environment variable. A relative one would mean another file in each directory.
fn absolute(variables: Variables<'_>, name: &str) -> Option<PathBuf> {
    variables(name)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}

/// The home directory.
pub fn home(variables: Variables<'_>) -> Option<PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    absolute(variables, name)
}

/// The usual place of the user file. `None` if the home directory is not known.
pub fn user_file(variables: Variables<'_>) -> Option<PathBuf> {
    let directory = match absolute(variables, "XDG_CONFIG_HOME") {
        Some(directory) => directory,
        None if cfg!(windows) => absolute(variables, "APPDATA")?,
        None if cfg!(target_os = "macos") => home(variables)?.join("Library/Application Support"),
        None => home(variables)?.join(".config"),
    };
    Some(directory.join("omniread").join(USER_FILE))
}

/// Reads a user file. `None` if it does not exist.
///
/// # Errors
/// Fails if the file cannot be read, or with the problems of its text.
pub fn read_user(path: &Path, home: Option<PathBuf>) -> Result<Option<Layer>, ConfigError> {
    let failed = |error: io::Error| ConfigError::of_file(path, error.to_string());
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let text = start(file, USER_BYTES).map_err(failed)?;
    Layer::parse(text, &Source::user(path, home)).map(Some)
}

/// Reads the workspace file in a root. The layer is empty if there is no such file. A file that is not
/// a small regular file is ignored, and [`Layer::ignored`] states why.
///
/// # Errors
/// Fails with the problems of its text.
pub fn read_workspace(root: &Path) -> Result<Layer, ConfigError> {
    let source = Source::workspace(root);
    match workspace_text(&source.path) {
        Ok(Some(text)) => Layer::parse(text, &source),
        Ok(None) => Ok(Layer::default()),
        Err(why) => {
            let ignored = Ignored {
                key: None,
                origin: Origin::File(source.path, 0),
                why,
            };
            Ok(Layer {
                ignored: vec![ignored],
                ..Layer::default()
            })
        }
    }
}

fn workspace_text(path: &Path) -> Result<Option<Vec<u8>>, Why> {
    let unreadable = |error: io::Error| Why::Unreadable(error.to_string());
    // Without this check, a device would be opened, which can have effects.
    let metadata = match path.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if metadata.is_symlink() {
        return Err(Why::Symlink);
    }
    if !metadata.is_file() {
        return Err(Why::NotAFile);
    }
    // Another process can replace the file here, so that its kind is checked again.
    let file = match open_in_place(path) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_symlink() || !metadata.is_file() {
        return Err(Why::NotAFile);
    }
    let text = start(file, WORKSPACE_BYTES).map_err(unreadable)?;
    if text.len() > WORKSPACE_BYTES {
        return Err(Why::TooLarge(WORKSPACE_BYTES));
    }
    Ok(Some(text))
}

/// Whether a file does not exist. A root that is a file has no workspace file, for example.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Opens a file without following a symlink, and without waiting for the other end of a pipe.
fn open_in_place(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        // FILE_FLAG_OPEN_REPARSE_POINT
        options.custom_flags(0x0020_0000);
    }
    options.open(path)
}

/// The start of a file: all of it, or one byte more than the maximum.
fn start(file: File, most: usize) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    file.take(most.saturating_add(1)).read_to_end(&mut text)?;
    Ok(text)
}
