//! Sessions: reads that share snapshots and a cache.

use crate::component::Instance;
use crate::reader::Reader;
use crate::sandbox::CancelToken;
#[cfg(feature = "net")]
use crate::sandbox::net::Progress;
use crate::session_state::SessionState;
use crate::snapshots::{Snapshot, Staleness};
use crate::state;
use crate::system::StandardInput;
use crate::ticker::Ticking;
use crate::types::{self, CallInput, Dialect, FailedCall, Failure, FileState, Reason, Reply};
use omniread_options::Options;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use wasmtime::Store;

/// A session: reads that share state. It remembers which lines of which files were shown.
/// Clones share the state.
#[derive(Clone, Debug)]
pub struct Session {
    reader: Reader,
    state: Arc<SessionState>,
    token: Option<CancelToken>,
    /// The pipe that is read as standard input, if it is not that of this process.
    input: Option<Arc<File>>,
    #[cfg(feature = "net")]
    progress: Option<Progress>,
}

impl Reader {
    /// Starts a session in which nothing was shown yet.
    pub fn session(&self) -> Session {
        Session {
            reader: self.clone(),
            state: Arc::default(),
            token: None,
            input: None,
            #[cfg(feature = "net")]
            progress: None,
        }
    }
}

impl Session {
    /// Returns a session that shares the state of this one, and whose reads the token can cancel.
    /// Reads of this session are not affected.
    #[must_use]
    pub fn with_cancel(&self, token: &CancelToken) -> Self {
        Self {
            token: Some(token.clone()),
            ..self.clone()
        }
    }

    /// Returns a session that shares the state of this one, and whose reads of standard input read
    /// this pipe. The pipe must not block.
    #[must_use]
    pub fn with_input(&self, pipe: Arc<File>) -> Self {
        Self {
            input: Some(pipe),
            ..self.clone()
        }
    }

    /// Returns a session that shares the state of this one, and whose reads report there what they
    /// receive over the network.
    #[cfg(feature = "net")]
    #[must_use]
    pub fn with_progress(&self, progress: &Progress) -> Self {
        Self {
            progress: Some(progress.clone()),
            ..self.clone()
        }
    }

    /// Whether reads may use the network, or a part of it.
    pub fn has_network(&self) -> bool {
        self.reader.has_network()
    }

    /// Reads a path in the dialect `omp` with the default options. The path may end in a selector,
    /// as in `src/main.rs:1-40`.
    ///
    /// # Errors
    /// Fails if there is nothing to show: the path does not exist, access is denied, or a limit
    /// was exceeded. [`Reason`] lists all cases.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Reply, Failure> {
        self.read_as(path, Dialect::Omp, &Options::default())
    }

    /// Reads a path in a dialect.
    ///
    /// # Errors
    /// Fails as [`Session::read`] does.
    pub fn read_as(
        &self,
        path: impl AsRef<Path>,
        dialect: Dialect,
        options: &Options,
    ) -> Result<Reply, Failure> {
        match text(path.as_ref()) {
            Ok(path) => self.read_text(path, dialect, options),
            Err(shown) => Err(self.non_utf8_path(&shown, dialect, options)),
        }
    }

    fn read_text(&self, path: &str, dialect: Dialect, options: &Options) -> Result<Reply, Failure> {
        let input = CallInput::Path(path.to_owned());
        self.run(dialect, &input, options, |reader, store| {
            let parameters = (path, dialect, types::Options::of(options));
            reader.call(store, |exports| &exports.read_as, parameters)
        })
    }

    /// Runs the tool of a dialect with the JSON arguments of a model.
    ///
    /// # Errors
    /// Fails as [`Session::read`] does, and if the arguments are wrong.
    pub fn call(
        &self,
        dialect: Dialect,
        arguments: &str,
        options: &Options,
    ) -> Result<Reply, Failure> {
        let input = CallInput::Arguments(arguments.to_owned());
        self.run(dialect, &input, options, |reader, store| {
            let parameters = (dialect, arguments, types::Options::of(options));
            reader.call(store, |exports| &exports.call, parameters)
        })
    }

    /// Returns the failure of a read whose path is not UTF-8, rendered in a dialect. `path` is that
    /// path with replacement characters, for the message.
    fn non_utf8_path(&self, path: &str, dialect: Dialect, options: &Options) -> Failure {
        let input = CallInput::Path(path.to_owned());
        let reason = Reason::InvalidPath(path.to_owned());
        let call = FailedCall {
            dialect,
            input: &input,
            options,
        };
        self.reader.render_failure(&call, reason)
    }

    /// Returns the snapshot of the file with this absolute path: its shown lines, and its state
    /// when it was read. `None` if there is no snapshot of the file.
    pub fn snapshot(&self, path: impl AsRef<Path>) -> Option<Snapshot> {
        self.state.snapshots.get(path.as_ref().to_str()?)
    }

    /// Checks whether a file has changed since it was last read in this session. The check compares
    /// the size and the time of the last change. If they are not conclusive, and the hash or tag of
    /// the earlier text is known, the file is read again.
    ///
    /// # Errors
    /// Fails if the file cannot be examined. A missing file is not an error.
    pub fn stale(&self, path: impl AsRef<Path>) -> Result<Staleness, Failure> {
        let path = path.as_ref();
        let now = self.current(path, false)?;
        let Some(then) = self.state.snapshots.get(&now.resolved_path) else {
            return Ok(Staleness::Unread);
        };
        let Some(stamp) = now.stamp else {
            return Ok(Staleness::Gone);
        };
        if let Some(staleness) = then.by_time(&stamp) {
            return Ok(staleness);
        }
        let now = self.current(path, true)?;
        Ok(now
            .stamp
            .map_or(Staleness::Gone, |stamp| then.by_content(&stamp)))
    }

    /// Returns the current state of a file. If `content` is true, the file is read, and the
    /// state contains its hash and tag.
    ///
    /// # Errors
    /// Fails if the path is not a file or cannot be read. A missing file is not an error.
    pub fn current(&self, path: impl AsRef<Path>, content: bool) -> Result<FileState, Failure> {
        let options = Options::default();
        let path = match text(path.as_ref()) {
            Ok(path) => path,
            Err(shown) => return Err(self.non_utf8_path(&shown, Dialect::Omp, &options)),
        };
        let input = CallInput::Path(path.to_owned());
        self.run(Dialect::Omp, &input, &options, |reader, store| {
            reader.call(store, |exports| &exports.current, (path, content))
        })
    }

    /// Starts a call of functions that the host provides to the reader, such as those of an engine.
    ///
    /// # Errors
    /// Fails if the call cannot be stopped in time.
    pub(crate) fn detached(&self) -> wasmtime::Result<(Ticking, state::State)> {
        let grant = self.reader.grant(self.token.clone(), false);
        self.reader.detached(grant)
    }

    fn run<T>(
        &self,
        dialect: Dialect,
        input: &CallInput,
        options: &Options,
        call: impl FnOnce(
            &Instance<'_>,
            &mut Store<state::State>,
        ) -> wasmtime::Result<Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let mut grant = self.reader.grant(self.token.clone(), options.stdin);
        if let Some(pipe) = self.input.as_ref().filter(|_| options.stdin) {
            grant.system.stdin = StandardInput::Pipe(Arc::clone(pipe));
        }
        #[cfg(feature = "net")]
        grant.progress.clone_from(&self.progress);
        let time = Arc::clone(&grant.system.stop.time);
        match self.reader.run(grant, Arc::clone(&self.state), call) {
            Ok(outcome) => outcome,
            Err(error) => {
                let call = FailedCall {
                    dialect,
                    input,
                    options,
                };
                Err(self.reader.ended(&error, &call, &time))
            }
        }
    }
}

/// The text of a path.
///
/// # Errors
/// Fails with a text for messages if the path is not UTF-8: replacement characters are in place of
/// other bytes.
fn text(path: &Path) -> Result<&str, String> {
    path.to_str()
        .ok_or_else(|| path.to_string_lossy().into_owned())
}
