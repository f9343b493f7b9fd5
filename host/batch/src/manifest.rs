//! The manifest of a batch: which paths have a row, one JSON object on each line.
//!
//! The first line states the run: `{"omniread_batch":1,"run":{…}}`. Each other line is a row that was written:
//! `{"path":"a.txt","ok":true,"end":1234}`, where `end` is the size of the output up to the end of this row. A path
//! that is not UTF-8 has its bytes in hexadecimal digits in `bytes` too.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt::{self, Write as _};
use std::io;
use std::path::{Path, PathBuf};

/// What must be the same in all runs of a manifest, such as the version, the roots and the options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Facts(pub(crate) Map<String, Value>);

impl Facts {
    /// Adds a fact. One that has no JSON is `null`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Serialize) -> Self {
        let value = serde_json::to_value(value).unwrap_or_default();
        self.0.insert(name.to_owned(), value);
        self
    }
}

/// The version of the format.
pub(crate) const FORMAT: u64 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) omniread_batch: u64,
    pub(crate) run: Facts,
}

/// A line of a row.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<u64>,
}

impl Record {
    pub(crate) fn new(path: &Path, ok: bool, end: Option<u64>) -> Self {
        let bytes = path.to_str().is_none().then(|| {
            let mut digits = String::new();
            for byte in path.as_os_str().as_encoded_bytes() {
                let _ = write!(digits, "{byte:02x}");
            }
            digits
        });
        Self {
            path: path.to_string_lossy().into_owned(),
            bytes,
            ok,
            end,
        }
    }

    /// The path. `None` if its bytes are no path here.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        let Some(digits) = &self.bytes else {
            return Some(PathBuf::from(&self.path));
        };
        let digit = |at: usize| digits.get(at..at + 2);
        let bytes = (0..digits.len()).step_by(2);
        let bytes = bytes.map(|at| u8::from_str_radix(digit(at)?, 16).ok());
        of_bytes(bytes.collect::<Option<Vec<u8>>>()?)
    }

    /// The path as the row has it.
    pub(crate) fn shown(&self) -> &str {
        &self.path
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such names")]
fn of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;

    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// Why a manifest or an output cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ManifestError {
    /// A file cannot be opened, read or written.
    Io(PathBuf, io::Error),
    /// The file is not a manifest.
    NotManifest(PathBuf),
    /// A line of the manifest, counted from 1, is not one of a row.
    Damaged(PathBuf, u64),
    /// The manifest is that of another run.
    OtherRun {
        /// The manifest.
        manifest: PathBuf,
        /// The first fact that differs.
        fact: String,
        /// Its value in the manifest.
        then: String,
        /// Its value now.
        now: String,
    },
    /// Another process uses the manifest, or the output.
    Busy(PathBuf),
    /// The output has rows that the manifest does not know, or others.
    OtherOutput {
        /// The output.
        output: PathBuf,
        /// The manifest.
        manifest: PathBuf,
    },
    /// The output exists, and no manifest says what is in it.
    Exists(PathBuf),
    /// The output of a run with a manifest is not a regular file.
    NotFile(PathBuf),
    /// The output and the manifest are the same file.
    Same(PathBuf),
}

impl ManifestError {
    /// Whether the request is wrong, and not the system.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Io(..) | Self::Busy(_))
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "cannot use `{}`: {error}", path.display()),
            Self::NotManifest(path) => {
                let path = path.display();
                write!(
                    f,
                    "cannot continue `{path}`: it is not the manifest of a batch\nhint: name a file that does not exist yet"
                )
            }
            Self::Damaged(path, line) => {
                let path = path.display();
                write!(
                    f,
                    "cannot continue `{path}`: line {line} is not one of a row\nhint: start again with a new manifest and a new output"
                )
            }
            Self::OtherRun {
                manifest,
                fact,
                then,
                now,
            } => {
                let manifest = manifest.display();
                write!(
                    f,
                    "cannot continue `{manifest}`: it is of another run: `{fact}` was {then}, and is now {now}\nhint: repeat the command of that run, or name a new manifest and a new output"
                )
            }
            Self::Busy(path) => {
                let path = path.display();
                write!(
                    f,
                    "cannot write `{path}`: another process uses it\nhint: wait until it has ended, or name a new manifest and a new output"
                )
            }
            Self::OtherOutput { output, manifest } => {
                let (output, manifest) = (output.display(), manifest.display());
                write!(
                    f,
                    "cannot continue `{output}`: its rows are not those of the manifest `{manifest}`\nhint: name the output of that run, or a new manifest and a new output"
                )
            }
            Self::Exists(path) => {
                let path = path.display();
                write!(
                    f,
                    "cannot write `{path}`: it exists\nhint: remove it or name another file; `--resume FILE` continues a run that had the same option"
                )
            }
            Self::NotFile(path) => {
                let path = path.display();
                write!(
                    f,
                    "cannot continue `{path}`: it is not a regular file\nhint: leave out `--output`, and redirect standard output"
                )
            }
            Self::Same(path) => {
                let path = path.display();
                write!(
                    f,
                    "cannot write `{path}`: it is the output and the manifest\nhint: name two files"
                )
            }
        }
    }
}

impl std::error::Error for ManifestError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(_, error) => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_has_the_path_as_it_was_written() {
        for path in ["a", "a \"b\"\n", "⟨U+000A⟩", "a\u{fffd}"] {
            let record = Record::new(Path::new(path), true, Some(7));
            let line = serde_json::to_string(&record).expect("JSON");
            let parsed: Record = serde_json::from_str(&line).expect("a record");
            assert_eq!(parsed, record);
            assert_eq!(parsed.path().as_deref(), Some(Path::new(path)));
        }
    }

    #[test]
    #[cfg(unix)]
    fn path_that_is_not_utf8_is_exact() {
        let path = of_bytes(vec![b'a', 0xff, 0x00, 0x7f]).expect("a path");
        let record = Record::new(&path, false, None);
        let line = serde_json::to_string(&record).expect("JSON");
        assert_eq!(
            line,
            "{\"path\":\"a\u{fffd}\\u0000\u{7f}\",\"bytes\":\"61ff007f\",\"ok\":false}"
        );
        assert_eq!(record.path(), Some(path));
    }
}
