//! Sessions, and reads that block the thread of JavaScript.

use crate::failure::{Code, Result, error};
use crate::options::{PathLike, path, request};
use crate::outcome::Outcome;
use crate::reader::{Reader, Shared};
use napi_derive::napi;
use omniread::sessions::StoreLimits;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Reads that share what was shown.
#[napi]
pub struct Session {
    /// `None` after the session was closed.
    inner: Mutex<Option<omniread::Session>>,
    reader: Shared,
    warnings: Vec<String>,
}

impl Session {
    /// The session.
    ///
    /// # Errors
    /// Fails if it or its reader was closed.
    pub fn open(&self) -> Result<omniread::Session> {
        self.reader.open()?;
        let session = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let session = session.as_ref().cloned();
        session.ok_or_else(|| error(Code::Closed, "the session is closed"))
    }
}

#[napi]
impl Session {
    /// A session of a reader, whose state may be in a directory.
    #[napi(constructor)]
    pub fn new(reader: &Reader, directory: Option<PathLike>) -> Result<Self> {
        let shared = reader.shared.clone();
        let open = shared.open()?;
        let (session, warnings) = match directory {
            None => (open.session(), Vec::new()),
            Some(directory) => kept(&open, &path(directory))?,
        };
        Ok(Self {
            inner: Mutex::new(Some(session)),
            reader: shared,
            warnings,
        })
    }

    /// What the caller should know about the directory.
    #[napi]
    pub fn warnings(&self) -> Vec<&str> {
        self.warnings.iter().map(String::as_str).collect()
    }

    /// Whether the session or its reader was closed.
    #[napi(getter)]
    pub fn closed(&self) -> bool {
        let session = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        session.is_none() || self.reader.is_closed()
    }

    /// Reads a path on this thread.
    #[napi]
    pub fn read(&self, at: PathLike, words: Option<Vec<String>>) -> Result<Outcome> {
        let (dialect, options) = request(words.as_deref())?;
        let read = self.open()?.read_as(path(at), dialect, &options);
        Ok(Outcome::of_read(read))
    }

    /// Runs the tool of a dialect on this thread.
    #[napi]
    pub fn call(&self, arguments: String, words: Option<Vec<String>>) -> Result<Outcome> {
        let (dialect, options) = request(words.as_deref())?;
        let read = self.open()?.call(dialect, &arguments, &options);
        Ok(Outcome::of_read(read))
    }

    /// Refuses further reads. The state of a session on disk is written.
    #[napi]
    pub fn close(&self) {
        let mut session = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        drop(session.take());
    }
}

/// A session whose state is in a directory, and what its user should know, as on the command line.
fn kept(reader: &omniread::Reader, directory: &Path) -> Result<(omniread::Session, Vec<String>)> {
    let opened = omniread::Session::open(reader, directory, StoreLimits::DISK);
    let opened = opened.map_err(|wrong| error(Code::Session, wrong.to_string()))?;
    let shown = directory.display();
    let mut warnings = Vec::new();
    if let Some(aside) = &opened.set_aside {
        let (reason, path) = (&aside.reason, aside.path.display());
        warnings.push(format!(
            "the session in `{shown}` could not be used and starts empty: {reason}; it was renamed to `{path}`"
        ));
    }
    if opened.is_in_root {
        warnings.push(format!(
            "the session in `{shown}` is where files are read, so that reads of it are denied; name a directory outside"
        ));
    }
    Ok((opened.session, warnings))
}
