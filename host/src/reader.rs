//! The reader: access rights and limits of reads, and the calls of the component.

use crate::access::Access;
use crate::component::{Component, Instance};
use crate::limits::{DEFAULT_MEMORY, DEFAULT_TIMEOUT};
use crate::pool::Purpose;
use crate::sandbox;
use crate::sandbox::{CancelToken, Examined, Policy, ReadTime, Stop, Stopped, wait};
use crate::session_state::SessionState;
use crate::state::{ReadGrant, State};
use crate::system::{Grant, StandardInput};
use crate::types::{Definition, FailedCall, Failure, LimitExceeded, Options, Reason};
use omniread_schemes::is_scheme;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use wasmtime::Store;

/// The state that the clones of a reader share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) component: Arc<Component>,
    pub(crate) policy: Arc<Policy>,
    pub(crate) memory: usize,
    pub(crate) timeout: Option<Duration>,
    pub(crate) timeout_is_default: bool,
    pub(crate) environment: Arc<[(String, String)]>,
    pub(crate) access: Arc<Access>,
}

/// A reader with its roots (the directories that it may read), deny rules and limits. Clones are
/// cheap and share them. [`Reader::builder`] creates one, and [`Reader::session`] starts reading.
#[derive(Clone)]
pub struct Reader(Arc<Shared>);

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("policy", &self.0.policy)
            .finish_non_exhaustive()
    }
}

impl Reader {
    pub(crate) fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }

    /// Returns the absolute paths of the roots. A root has two paths if one of them leads through a
    /// symlink.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        self.0.policy.roots().iter().map(|root| root.name.as_str())
    }

    /// Returns the names of the engines that reads can use, such as `sqlite`.
    pub fn engines(&self) -> impl Iterator<Item = &'static str> {
        self.0.component.engines().names()
    }

    /// Returns a reader that reads only what is in these directories and in the roots of this
    /// reader. Deny rules and limits stay the same. Directories that cannot be opened are left out.
    /// If nothing is in both, the new reader has no roots and refuses all paths.
    #[must_use]
    pub fn narrowed(&self, directories: &[PathBuf]) -> Self {
        Self::new(Shared {
            policy: Arc::new(self.0.policy.narrowed(directories)),
            ..(*self.0).clone()
        })
    }

    /// Returns a reader that reads what is in these directories, and not what is in the roots of
    /// this reader. Deny rules stay relative to those roots, and also apply relative to the new ones.
    /// Limits stay the same. Directories that cannot be opened are left out.
    #[must_use]
    pub fn with_roots(&self, directories: &[PathBuf]) -> Self {
        Self::new(Shared {
            policy: Arc::new(self.0.policy.with_roots(directories)),
            ..(*self.0).clone()
        })
    }

    /// Returns a reader that reads nothing in the directory with this real path, also through symlinks and in
    /// mounts. Roots that the returned reader gets later do not grant the directory either.
    pub(crate) fn hiding(&self, real: &Path) -> Self {
        if self.0.policy.is_hidden(real) {
            return self.clone();
        }
        Self::new(Shared {
            policy: Arc::new(self.0.policy.hiding(real.to_owned())),
            ..(*self.0).clone()
        })
    }

    /// Whether a directory with this real path is in a root or mount.
    pub(crate) fn reaches(&self, real: &Path) -> bool {
        self.0.policy.reaches(real)
    }

    /// Returns the paths that start with `path`, which is relative to the first root, absolute, or an internal
    /// URL such as `docs://a`: at most `most` of them. These are entries of one directory of a root or of the
    /// mounts of a scheme, or names of a provider. The paths of directories end in `/`. Returns nothing if
    /// the directory cannot be read, or if the provider does not list names.
    pub fn complete(&self, path: &str, most: usize) -> Vec<String> {
        let grant = self.grant(None, false);
        let (policy, stop) = (grant.system.policy, grant.system.stop);
        if let Some((scheme, start)) = path.split_once("://")
            && is_scheme(scheme)
        {
            let scheme = scheme.to_ascii_lowercase();
            let is_mounted = policy.mounts().iter().any(|own| own.scheme == scheme);
            if is_mounted {
                let names = sandbox::complete_mounted(policy, stop, &scheme, start, most);
                return urls(&scheme, &names);
            }
            let Some(provided) = self.0.access.providers.of_scheme(&scheme) else {
                return Vec::new();
            };
            let start = start.to_owned();
            let names = wait(&stop, move || provided.names(&start, most));
            let names = names.ok().and_then(Result::ok).and_then(Result::ok);
            return urls(&scheme, &names.flatten().unwrap_or_default());
        }
        sandbox::complete(policy, stop, path, most)
    }

    /// Returns the entries of a directory in the roots that reads may access. The path is relative to the first
    /// root or absolute. Returns `None` if it is not a directory, cannot be read within the timeout of a read, or if
    /// the token is cancelled.
    pub fn entries(&self, directory: &str, token: &CancelToken) -> Option<sandbox::Entries> {
        let grant = self.grant(Some(token.clone()), false);
        let (policy, stop) = (grant.system.policy, grant.system.stop);
        sandbox::entries_of(policy, stop, directory)
    }

    /// Returns the tool definition of every dialect (the read tool of one agent), to register with
    /// a model.
    ///
    /// # Errors
    /// Fails only if the reader has a defect.
    pub fn definitions(&self) -> Result<Vec<Definition>, Failure> {
        self.run(self.grant(None, false), Arc::default(), |reader, store| {
            reader.call(store, |exports| &exports.definitions, ())
        })
        .map_err(|error| fallback_message(self.why(&error, None)))
    }

    /// Returns the tool definition of every dialect with the arguments that the tool of the agent
    /// has today, if they differ from those of the dialect. Calls may have the arguments of either.
    ///
    /// # Errors
    /// Fails only if the reader has a defect.
    pub fn current_definitions(&self) -> Result<Vec<Definition>, Failure> {
        self.run(self.grant(None, false), Arc::default(), |reader, store| {
            reader.call(store, |exports| &exports.current_definitions, ())
        })
        .map_err(|error| fallback_message(self.why(&error, None)))
    }

    /// The state of a file in a root or mount, and if requested the hash of its bytes.
    pub(crate) fn examine(&self, path: &Path, hashed: bool) -> Option<Examined> {
        sandbox::examine(&self.0.policy, path, hashed)
    }

    /// Whether the text of the file with this real path may be shown.
    pub(crate) fn allows(&self, real: &Path) -> bool {
        sandbox::allows(&self.0.policy, real)
    }

    /// What may be read.
    pub(crate) fn policy(&self) -> &Policy {
        &self.0.policy
    }

    /// The access rights and limits of one read.
    pub(crate) fn grant(&self, token: Option<CancelToken>, stdin: bool) -> ReadGrant {
        // A person who types on standard input has no default timeout.
        let time = self
            .0
            .timeout
            .filter(|_| !(stdin && self.0.timeout_is_default));
        ReadGrant {
            system: Grant {
                policy: Arc::clone(&self.0.policy),
                stop: Stop {
                    token,
                    time: Arc::new(ReadTime::new(time)),
                    processor: None,
                },
                memory: self.0.memory,
                environment: Arc::clone(&self.0.environment),
                stdin: if stdin {
                    StandardInput::Process
                } else {
                    StandardInput::Empty
                },
            },
            access: Arc::clone(&self.0.access),
            #[cfg(feature = "net")]
            progress: None,
        }
    }

    /// Whether reads may use the network, or a part of it.
    pub fn has_network(&self) -> bool {
        #[cfg(feature = "net")]
        let client = self.0.access.client.is_some();
        #[cfg(not(feature = "net"))]
        let client = false;
        client
    }

    /// Whether a directory is mounted for a scheme.
    pub(crate) fn mounts(&self, scheme: &str) -> bool {
        let mut mounts = self.0.policy.mounts().iter();
        mounts.any(|mount| mount.scheme == scheme)
    }

    /// The state for calls of functions that the host provides to the component, without an instance of the component.
    pub(crate) fn detached(&self, grant: ReadGrant) -> State {
        self.0.component.state(grant, Arc::default())
    }

    /// Runs `call` with a fresh instance of the component.
    ///
    /// # Errors
    /// Fails if the call was stopped or trapped.
    pub(crate) fn run<T>(
        &self,
        grant: ReadGrant,
        session: Arc<SessionState>,
        call: impl FnOnce(&Instance<'_>, &mut Store<State>) -> wasmtime::Result<T>,
    ) -> wasmtime::Result<T> {
        self.0.component.run(grant, session, Purpose::Read, call)
    }

    /// Converts the error of a call that was stopped or trapped to the reason of a failure. `time` is
    /// the time of the call, if known.
    fn why(&self, error: &wasmtime::Error, time: Option<&ReadTime>) -> Reason {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        match error.downcast_ref::<Stopped>() {
            Some(Stopped::Cancelled) => Reason::Cancelled(String::new()),
            Some(Stopped::Time | Stopped::Processor) => Reason::Limit(LimitExceeded {
                name: "time".to_owned(),
                value: self.0.timeout.map_or(0, millis),
                ran: time.and_then(ReadTime::ran).map(millis),
                elapsed: time.map(|time| millis(time.real())),
            }),
            Some(Stopped::Memory) => Reason::Limit(LimitExceeded {
                name: "memory".to_owned(),
                value: self.0.memory as u64,
                ran: None,
                elapsed: None,
            }),
            None => Reason::Internal(format!("{error:#}")),
        }
    }

    /// The failure of a call that was stopped or trapped, whose time was `time`. A fresh instance,
    /// which has not read any data of the call, renders the message.
    pub(crate) fn ended(
        &self,
        error: &wasmtime::Error,
        call: &FailedCall<'_>,
        time: &ReadTime,
    ) -> Failure {
        self.render_failure(call, self.why(error, Some(time)))
    }

    /// Renders a failure that the host reports, in a dialect (the reply format of one agent).
    pub(crate) fn render_failure(&self, call: &FailedCall<'_>, reason: Reason) -> Failure {
        let mut grant = self.grant(None, false);
        grant.system.memory = DEFAULT_MEMORY;
        grant.system.stop.time = Arc::new(ReadTime::new(Some(DEFAULT_TIMEOUT)));
        let component = &self.0.component;
        let rendered: wasmtime::Result<Failure> = component.run(
            grant,
            Arc::default(),
            Purpose::FailureMessage,
            |reader, store| {
                let options = Options::of(call.options);
                let parameters = (call.dialect, call.input, options, &reason);
                reader.call(store, |exports| &exports.describe_failure, parameters)
            },
        );
        rendered.unwrap_or_else(|_| fallback_message(reason))
    }
}

/// The URLs of a scheme with these names.
fn urls(scheme: &str, names: &[String]) -> Vec<String> {
    let urls = names.iter().map(|name| format!("{scheme}://{name}"));
    urls.collect()
}

/// A failure for `reason` with a plain message. It is used if the component that formats messages
/// for the dialect cannot be called.
fn fallback_message(reason: Reason) -> Failure {
    let message = match &reason {
        Reason::Internal(cause) => format!("the reader failed: {cause}"),
        _ => "the read was ended".to_owned(),
    };
    Failure::new(reason, message)
}
