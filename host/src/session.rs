//! Sessions: reads that share snapshots and a cache.

use crate::changes::{self, Changes};
use crate::component::Instance;
use crate::reader::Reader;
#[cfg(feature = "net")]
use crate::sandbox::net::Progress;
use crate::sandbox::{CancelToken, Policy};
use crate::session_state::SessionState;
use crate::snapshots::{self, Snapshot, Staleness, Tagged};
use crate::state;
use crate::system::StandardInput;
use crate::ticker::Ticking;
use crate::types::{self, CallInput, Dialect, FailedCall, Failure, FileState, Reason, Reply};
use omniread_options::Options;
use omniread_store::{
    Dropped, Handle, PathSummary, SetAside, Store as Kept, StoreError, StoreLimits,
};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use wasmtime::Store;

/// A session: reads that share state. It remembers which lines of which files were shown.
/// Clones share the state.
#[derive(Clone, Debug)]
pub struct Session {
    reader: Reader,
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

/// A session whose state is in a directory.
#[derive(Debug)]
#[non_exhaustive]
pub struct OpenedSession {
    /// The session.
    pub session: Session,
    /// The previous state, if it could not be used: it was damaged, of a newer version, or not a session. It
    /// was renamed, and nothing of it is lost.
    pub set_aside: Option<SetAside>,
}

impl Session {
    /// Opens a session whose state is in a directory, and outlives the process. The directory is created if
    /// it does not exist. Several processes can use it at once.
    ///
    /// # Errors
    /// Fails if the directory cannot be created, is a symlink, belongs to another user, or others may write
    /// to it.
    pub fn open(
        reader: &Reader,
        directory: impl AsRef<Path>,
        limits: StoreLimits,
    ) -> Result<OpenedSession, StoreError> {
        let opened = Kept::open(directory.as_ref(), limits)?;
        let mut session = reader.session();
        session.state = Arc::new(SessionState {
            store: opened.store,
            handle: Handle::default(),
            on_disk: true,
        });
        Ok(OpenedSession {
            session,
            set_aside: opened.set_aside,
        })
    }

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
        Self {
            reader: reader.clone(),
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
        Some(Snapshot::of(self.kept(path.as_ref().to_str()?)?))
    }

    /// Returns the snapshot of the file with this absolute path whose text had a tag. A tag is short, so that
    /// different texts may have the same one.
    pub fn tagged(&self, path: impl AsRef<Path>, tag: &str) -> Tagged {
        let Some(path) = path.as_ref().to_str() else {
            return Tagged::None;
        };
        let may_show = |kept: &omniread_store::Snapshot| {
            let real = kept.real.as_deref().unwrap_or(&kept.path);
            self.reader.allows(Path::new(real))
        };
        match self.state.store.by_tag(&self.state.handle, path, tag) {
            omniread_store::Tagged::One(one) if may_show(&one) => Tagged::One(Snapshot::of(*one)),
            omniread_store::Tagged::Ambiguous(all) if all.iter().all(may_show) => {
                Tagged::Ambiguous(all.into_iter().map(Snapshot::of).collect())
            }
            _ => Tagged::None,
        }
    }

    /// The newest snapshot of an absolute path. `None` if its file may not be shown any more: a deny rule
    /// covers it, or it is outside the roots.
    fn kept(&self, path: &str) -> Option<omniread_store::Snapshot> {
        let mut kept = self
            .state
            .store
            .snapshots(&self.state.handle, path)
            .into_iter();
        let newest = kept.next()?;
        let real = newest.real.as_deref().unwrap_or(&newest.path);
        self.reader.allows(Path::new(real)).then_some(newest)
    }

    /// Checks whether a file has changed since it was last read in this session. The check compares
    /// the size, the time of the last change and the number of the file. If they are not conclusive, the
    /// hash decides, or the tag of the text, or the lines that were shown.
    ///
    /// # Errors
    /// Fails if the file cannot be examined. A missing file is not an error.
    pub fn stale(&self, path: impl AsRef<Path>) -> Result<Staleness, Failure> {
        let path = path.as_ref();
        let now = self.current(path, false)?;
        match self.kept(&now.resolved_path) {
            Some(then) => self.compared(&then, path),
            None => Ok(Staleness::Unread),
        }
    }

    /// Checks whether a file that [`shown_files`](Self::shown_files) lists has changed since.
    pub fn stale_file(&self, file: &PathSummary) -> Staleness {
        let Some(then) = self.kept(&file.path) else {
            return Staleness::Unread;
        };
        let compared = self.compared(&then, Path::new(&file.path));
        compared.unwrap_or(Staleness::Changed)
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
            return Ok(snapshots::by_content(then, &now.stamp, hash, tag));
        }
        let is_same = match self.lines(typed)? {
            Some(lines) => !then.runs.is_empty() && changes::compare(then, &lines).is_empty(),
            None => false,
        };
        Ok(if is_same {
            Staleness::Touched
        } else {
            Staleness::Changed
        })
    }

    /// All lines of a file now, as a reply shows them. `None` if they are not text, or more than fit into a
    /// reply. The model does not see this read.
    fn lines(&self, path: &Path) -> Result<Option<Vec<String>>, Failure> {
        let options = Options {
            all: true,
            outlines: false,
            ..Options::default()
        };
        let reply = self
            .reader
            .session()
            .read_as(path, Dialect::Omp, &options)?;
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
    /// change of another program. To be called after the write.
    ///
    /// # Errors
    /// Fails if the path is not a file or cannot be read.
    pub fn record_write(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), Failure> {
        let now = self.current(path.as_ref(), true)?;
        let examined = self.reader.examine(Path::new(&now.resolved_path), false);
        let mut snapshot = snapshots::written(now.resolved_path, bytes, examined);
        // The tag is that of the bytes only if nobody has written others since.
        let content = now.stamp.as_ref();
        let hash = content.and_then(|content| content.sha256.as_deref());
        if Snapshot::of(snapshot.clone()).sha256.as_deref() == hash {
            snapshot.tag = content.and_then(|content| content.tag.clone());
        }
        self.state.store.remember(&self.state.handle, snapshot);
        Ok(())
    }

    /// Compares the lines of a file that were shown with the file now.
    ///
    /// # Errors
    /// Fails if the file cannot be examined or read. A missing file is not an error.
    pub fn changes(&self, path: impl AsRef<Path>) -> Result<Changes, Failure> {
        let path = path.as_ref();
        let staleness = self.stale(path)?;
        let mut changes = Changes {
            staleness,
            hunks: Vec::new(),
            is_complete: true,
        };
        if staleness != Staleness::Changed {
            return Ok(changes);
        }
        let now = self.current(path, false)?;
        let Some(then) = self.kept(&now.resolved_path) else {
            return Ok(changes);
        };
        let lines = self.lines(path)?;
        changes.is_complete = lines.is_some() && !then.text_left_out;
        if let Some(lines) = lines {
            changes.hunks = changes::compare(&then, &lines);
        }
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
