//! Sessions: reads that share snapshots and a cache.

use crate::aligned::Identity;
use crate::changes::{self, Changes};
use crate::component::Instance;
use crate::reader::Reader;
#[cfg(feature = "net")]
use crate::sandbox::net::Progress;
use crate::sandbox::{CancelToken, Policy};
use crate::session_state::SessionState;
use crate::snapshots::{self, Staleness};
use crate::state;
use crate::system::StandardInput;
use crate::types::{self, CallInput, Dialect, FailedCall, Failure, FileState, Reason, Reply};
use omniread_options::Options;
use omniread_store::{Dropped, Handle, PathSummary, Store as Kept, StoreError};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use wasmtime::Store;

/// A session: reads that share state. It remembers which lines of which files were shown.
/// Clones share the state.
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) reader: Reader,
    pub(crate) state: Arc<SessionState>,
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
    /// Returns a session with the same store and the state of another client. Two handles never see the
    /// state of each other.
    #[must_use]
    pub fn with_handle(&self, handle: &Handle) -> Self {
        let state = SessionState {
            handle: handle.clone(),
            ..(*self.state).clone()
        };
        Self {
            state: Arc::new(state),
            ..self.clone()
        }
    }

    /// Returns a session with the state of this one, and the rights of another reader.
    #[must_use]
    pub fn with_reader(&self, reader: &Reader) -> Self {
        let reader = match &self.state.directory {
            Some(directory) => reader.hiding(directory),
            None => reader.clone(),
        };
        Self {
            reader,
            ..self.clone()
        }
    }

    /// The handle whose state the session has.
    pub fn handle(&self) -> &Handle {
        &self.state.handle
    }

    /// The handles that have state in the store, in alphabetical order.
    pub fn handles(&self) -> Vec<Handle> {
        self.state.store.handles()
    }

    pub(crate) fn policy(&self) -> &Policy {
        self.reader.policy()
    }

    /// The numbers of writes that this process could not make since it opened the store, for example because the disk
    /// is full. A read goes on without them, so that the session does not know what it has shown.
    pub fn dropped(&self) -> Dropped {
        self.state.store.dropped()
    }

    /// Whether there is a session in a directory. Nothing is created.
    pub fn exists(directory: impl AsRef<Path>) -> bool {
        Kept::exists(directory.as_ref())
    }

    /// Removes everything that sessions keep in a directory: the state of all handles, and files that were set aside.
    /// Processes that use the directory go on with an empty session. Returns false if there was nothing.
    ///
    /// # Errors
    /// Fails if the directory cannot be used, as [`open`](Self::open) does, or if a file cannot be removed.
    pub fn erase(directory: impl AsRef<Path>) -> Result<bool, StoreError> {
        Kept::erase(directory.as_ref())
    }

    /// Removes everything that the session keeps. Other handles keep what they have.
    ///
    /// # Errors
    /// Fails if the store cannot be written.
    pub fn clear(&self) -> Result<(), StoreError> {
        self.state.store.clear(&self.state.handle)
    }

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
            reader.call_often(store, |exports| &exports.read_as, parameters)
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
            reader.call_often(store, |exports| &exports.call, parameters)
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

    /// Checks whether a file has changed since it was last read in this session. The check compares
    /// the size, the time of the last change and the number of the file. If they are not conclusive, the
    /// hash decides, or the tag of the text, or the lines that were shown.
    ///
    /// # Errors
    /// Fails if the file cannot be examined. A missing file is not an error.
    pub fn stale(&self, path: impl AsRef<Path>) -> Result<Staleness, Failure> {
        let path = path.as_ref();
        self.stale_of(path, &self.current(path, false)?)
    }

    /// Checks as [`Session::stale`] does, for a path of which [`Session::current`] has returned the state.
    ///
    /// # Errors
    /// Fails as `stale` does.
    pub fn stale_of(&self, path: impl AsRef<Path>, now: &FileState) -> Result<Staleness, Failure> {
        let changes = self.changes_of(&now.resolved_path, path.as_ref())?;
        Ok(changes.staleness)
    }

    /// Checks whether a file that [`shown_files`](Self::shown_files) lists has changed since.
    pub fn stale_file(&self, file: &PathSummary) -> Staleness {
        let changes = self.changes_of(&file.path, Path::new(&file.path));
        changes.map_or(Staleness::Changed, |changes| changes.staleness)
    }

    /// Compares a snapshot with its file now. `typed` is a path that reads the file.
    fn compared(
        &self,
        then: &omniread_store::Snapshot,
        typed: &Path,
    ) -> Result<Staleness, Failure> {
        let file = Path::new(&then.path);
        let Some(now) = self.reader.examine(file, false) else {
            return Ok(Staleness::Gone);
        };
        if let Some(staleness) = snapshots::by_stamp(then, &now.stamp) {
            return Ok(staleness);
        }
        let hash = self
            .reader
            .examine(file, then.hash.is_some())
            .and_then(|now| now.hash);
        if let (Some(_), Some(hash)) = (then.hash, hash) {
            return Ok(snapshots::by_hash(then, &now.stamp, hash));
        }
        if then.hash.is_some() || then.tag.is_some() {
            let content = self.current(typed, true)?.stamp;
            let hash = content
                .as_ref()
                .and_then(|content| content.sha256.as_deref());
            let tag = content.as_ref().and_then(|content| content.tag.as_deref());
            let by_content = snapshots::by_content(then, &now.stamp, hash, tag);
            // Another text may have the same tag.
            if then.hash.is_some() || by_content == Staleness::Changed || then.runs.is_empty() {
                return Ok(by_content);
            }
        }
        let is_same = match self.lines(typed)? {
            Some(lines) => {
                let versions = std::slice::from_ref(then);
                let hunks = changes::compare(versions, &lines, |_| Identity::Other);
                !then.runs.is_empty() && hunks.is_empty()
            }
            None => false,
        };
        Ok(snapshots::compared(then, &now.stamp, is_same))
    }

    /// All lines of a file now, as a reply shows them, whatever the path selects. `None` if they are not text, or
    /// more than fit into a reply. The model does not see these reads.
    fn lines(&self, path: &Path) -> Result<Option<Vec<String>>, Failure> {
        let options = Options {
            all: true,
            outlines: false,
            ..Options::default()
        };
        let session = self.reader.session();
        let mut reply = session.read_as(path, Dialect::Omp, &options)?;
        let whole = [&reply.details.path, &reply.details.resolved_path];
        if whole.iter().all(|whole| path != Path::new(whole)) {
            let whole = reply.details.path;
            reply = session.read_as(whole, Dialect::Omp, &options)?;
        }
        let types::Kind::Text(text) = &reply.details.kind else {
            return Ok(None);
        };
        let is_empty = reply
            .details
            .window
            .as_ref()
            .is_some_and(|window| window.total == types::Total::Exact(0));
        Ok(match &text.display {
            _ if reply.details.next.is_some() => None,
            _ if is_empty => Some(Vec::new()),
            Some(display) => Some(display.text.split('\n').map(str::to_owned).collect()),
            None => None,
        })
    }

    /// Says that an edit tool has written these bytes to a file, so that its own edit is not reported as the
    /// change of another program. To be called after the write. Returns false if the store cannot be written.
    ///
    /// # Errors
    /// Fails if the path is not a file, does not exist, or cannot be read.
    pub fn record_write(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<bool, Failure> {
        let path = path.as_ref();
        // The stamp is taken first: a write in between then has other bytes than those of the hash.
        let resolved = self.current(path, false)?.resolved_path;
        let examined = self.reader.examine(Path::new(&resolved), false);
        let now = self.current(path, true)?;
        if now.stamp.is_none()
            && let Err(failure) = self.reader.session().read(path)
        {
            return Err(failure);
        }
        let lines = self.lines(path).ok().flatten();
        let snapshot = snapshots::written(resolved, bytes, examined, now.stamp.as_ref(), lines);
        Ok(self.state.store.remember(&self.state.handle, snapshot))
    }

    /// Compares the lines of a file that were shown with the file now.
    ///
    /// # Errors
    /// Fails if the file cannot be examined or read. A missing file is not an error.
    pub fn changes(&self, path: impl AsRef<Path>) -> Result<Changes, Failure> {
        let path = path.as_ref();
        let now = self.current(path, false)?;
        self.changes_of(&now.resolved_path, path)
    }

    /// Compares the lines that were shown of the file with an absolute path with the file now. `typed` is a path that
    /// reads the file.
    fn changes_of(&self, resolved: &str, typed: &Path) -> Result<Changes, Failure> {
        let versions = self.kept(resolved);
        let mut changes = Changes {
            staleness: Staleness::Unread,
            hunks: Vec::new(),
            is_complete: true,
        };
        let Some((newest, older)) = versions.split_first() else {
            return Ok(changes);
        };
        changes.staleness = self.compared(newest, typed)?;
        let is_current = matches!(changes.staleness, Staleness::Same | Staleness::Touched);
        let identity = |then: &omniread_store::Snapshot| {
            if is_current {
                if std::ptr::eq(then, newest) {
                    Identity::Same
                } else {
                    snapshots::identity(then, newest)
                }
            } else {
                Identity::Other
            }
        };
        // Lines of an earlier version may not have been shown since.
        let has_former = older.iter().any(|then| identity(then) != Identity::Same);
        let may_differ = changes.staleness == Staleness::Changed || is_current && has_former;
        if !may_differ {
            return Ok(changes);
        }
        let lines = self.lines(typed)?;
        let is_known = lines.is_some() && versions.iter().all(|then| !then.text_left_out);
        if let Some(lines) = lines {
            changes.hunks = changes::compare(&versions, &lines, identity);
        }
        if !changes.hunks.is_empty() {
            changes.staleness = Staleness::Changed;
        }
        changes.is_complete = is_known || changes.staleness != Staleness::Changed;
        Ok(changes)
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
            reader.call_often(store, |exports| &exports.current, (path, content))
        })
    }

    /// The state for calls of functions that the host provides to the reader, such as those of an engine.
    pub(crate) fn detached(&self) -> state::State {
        let grant = self.reader.grant(self.token.clone(), false);
        self.reader.detached(grant)
    }

    pub(crate) fn run<T>(
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
        let state = if options.repeat {
            // What is shown belongs to the generation in which it was requested.
            self.in_present_generation().state
        } else {
            Arc::clone(&self.state)
        };
        match self.reader.run(grant, state, call) {
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
