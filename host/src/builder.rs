//! The builder of a [`Reader`].

use crate::access::{Access, Password};
use crate::component::Component;
use crate::limits::{DEFAULT_MEMORY, DEFAULT_TIMEOUT};
#[cfg(feature = "net")]
use crate::network::{Network, SettingError};
use crate::reader::{Reader, Shared};
use crate::resources::{Provider, is_free};
use crate::sandbox::{Policy, PolicyError};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The reason why a reader cannot be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// A root cannot be opened, or a deny rule is not a valid pattern.
    Policy(PolicyError),
    /// A provider or mount has a scheme that is reserved or not valid. Contains the scheme.
    Scheme(String),
    /// A setting of the network is wrong.
    #[cfg(feature = "net")]
    Network(SettingError),
    /// The sandbox cannot start. Most likely the code was compiled for another processor.
    Sandbox(SandboxError),
}

/// The reason why the sandbox cannot start.
#[derive(Debug)]
pub struct SandboxError(wasmtime::Error);

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start the sandbox: {:#}", self.0)
    }
}

impl std::error::Error for SandboxError {}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(error) => error.fmt(f),
            Self::Scheme(scheme) => write!(
                f,
                "no provider and no mount can have the scheme `{}`: it takes two or more lower-case letters, digits, `+`, `-` and `.`, \
                 beginning with a letter, and not `file`, `http` or `https`",
                scheme.escape_debug()
            ),
            #[cfg(feature = "net")]
            Self::Network(error) => error.fmt(f),
            Self::Sandbox(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Policy(error) => Some(error),
            Self::Scheme(_) => None,
            #[cfg(feature = "net")]
            Self::Network(error) => Some(error),
            Self::Sandbox(error) => Some(error),
        }
    }
}

/// The builder of a [`Reader`]. These are the defaults:
///
/// * no roots, so every path is outside the roots, and no mounts;
/// * no deny rules and no limit on the size of files;
/// * [`DEFAULT_MEMORY`] and [`DEFAULT_TIMEOUT`] for each read, and
///   [`DEFAULT_ENGINE_MEMORY`](crate::limits::DEFAULT_ENGINE_MEMORY) for the engines of all reads of
///   the process;
/// * no network;
/// * an empty environment.
#[derive(Clone, Debug)]
pub struct Builder {
    roots: Vec<PathBuf>,
    mounts: Vec<(String, PathBuf)>,
    deny: Vec<String>,
    max_file_size: Option<u64>,
    memory: usize,
    timeout: Option<Duration>,
    timeout_is_default: bool,
    environment: Vec<(String, String)>,
    pooled: bool,
    engine_memory: Option<usize>,
    reads_memory: Option<usize>,
    access: Access,
    #[cfg(feature = "net")]
    network: Network,
}

impl Builder {
    /// Adds a root: a directory that reads may access, with everything beneath it. Relative paths
    /// in requests are resolved in the first root.
    #[must_use]
    pub fn root(mut self, directory: impl AsRef<Path>) -> Self {
        self.roots.push(directory.as_ref().to_owned());
        self
    }

    /// Mounts a directory for a scheme: internal URLs such as `skill://name` read its files, and no
    /// other path does. Several directories of a scheme are searched in the order in which they were
    /// added.
    #[must_use]
    pub fn mount(mut self, scheme: impl Into<String>, directory: impl AsRef<Path>) -> Self {
        self.mounts
            .push((scheme.into(), directory.as_ref().to_owned()));
        self
    }

    /// Adds a deny rule: a pattern as in `.gitignore`, relative to each root. A rule denies
    /// files and directories. It is matched against the path as it is written, and against the
    /// real path of the opened file.
    #[must_use]
    pub fn deny(mut self, rule: impl AsRef<str>) -> Self {
        self.deny.push(rule.as_ref().to_owned());
        self
    }

    /// Removes a deny rule.
    #[must_use]
    pub fn without_rule(mut self, rule: &str) -> Self {
        self.deny.retain(|other| other != rule);
        self
    }

    /// Refuses files that are larger than this many bytes, as reported by the file system. The
    /// limit does not apply to standard input.
    #[must_use]
    pub fn max_file_size(mut self, bytes: u64) -> Self {
        self.max_file_size = Some(bytes);
        self
    }

    /// Sets the memory limit of each read, in bytes. A read needs at least 2.5 MiB.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets the memory limit of all engines of this process together, in bytes. It applies to
    /// SQLite, images, documents and PDF, for the reads of all readers. An engine waits while other
    /// engines use the memory that it needs, until its read ends. The value of the
    /// last reader that sets it applies. The default is
    /// [`DEFAULT_ENGINE_MEMORY`](crate::limits::DEFAULT_ENGINE_MEMORY).
    #[must_use]
    pub fn engine_memory(mut self, bytes: usize) -> Self {
        self.engine_memory = Some(bytes);
        self
    }

    /// Sets the memory limit of all reads of this process together, in bytes, without their engines. A
    /// read waits while others use the memory that it needs. The oldest read does not wait, so that it
    /// gets what its own limit allows. The value of the last reader that sets it applies. The default is
    /// [`DEFAULT_READS_MEMORY`](crate::limits::DEFAULT_READS_MEMORY).
    #[must_use]
    pub fn reads_memory(mut self, bytes: usize) -> Self {
        self.reads_memory = Some(bytes);
        self
    }

    /// Sets the timeout of each read. `None` removes it.
    ///
    /// The time that counts is the processor time of the read, and the time for which it waits for
    /// standard input and for providers. The time in which other programs or other reads use the
    /// processor does not count, but a read ends after twenty times its timeout in any case. On Windows,
    /// which has no clock of the processor time of a thread in the standard library, all time counts.
    #[must_use]
    pub fn timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.timeout = time.into();
        self.timeout_is_default = false;
        self
    }

    /// Sets the timeout that applies if [`timeout`](Self::timeout) sets none. Reads of standard input
    /// have no default timeout.
    #[must_use]
    pub fn default_timeout(mut self, time: Duration) -> Self {
        if self.timeout_is_default {
            self.timeout = Some(time);
        }
        self
    }

    /// Optimises the reader for a process that ends after one or two reads: the process starts
    /// a tenth faster, and each read takes up to twice as long. The setting of the first reader
    /// of a process applies.
    #[must_use]
    pub fn short_lived(mut self) -> Self {
        self.pooled = false;
        self.access.lasting = false;
        self
    }

    /// Adds a provider of the internal URLs of a scheme. It replaces an earlier provider of
    /// that scheme. [`build`](Self::build) fails if the scheme is `file`, `http`, `https`, or
    /// is not a valid scheme in lower case.
    #[must_use]
    pub fn provider(mut self, provider: impl Provider + 'static) -> Self {
        self.access.providers.add(provider);
        self
    }

    /// Sets the password of encrypted documents. No reply contains it.
    #[must_use]
    pub fn password(mut self, password: impl Into<String>) -> Self {
        self.access.password = Some(Password(password.into()));
        self
    }

    /// Sets the hosts that reads may connect to, and the limits of requests.
    #[cfg(feature = "net")]
    #[must_use]
    pub fn network(mut self, network: Network) -> Self {
        self.network = network;
        self
    }

    /// Sets the home directory. It replaces `~` at the start of a path. A directory whose path is
    /// not UTF-8 is ignored, because no path can name it.
    #[must_use]
    pub fn home(mut self, directory: impl AsRef<Path>) -> Self {
        if let Some(directory) = directory.as_ref().to_str() {
            self.environment
                .push(("HOME".to_owned(), directory.to_owned()));
        }
        self
    }

    /// Builds the reader. This takes about a millisecond for the first reader of a process, and
    /// less for the others.
    ///
    /// # Errors
    /// Fails if a root or mount cannot be opened, a deny rule is not a pattern, a provider or mount has
    /// a wrong scheme, a setting of the network is wrong, or the sandbox does not start.
    pub fn build(self) -> Result<Reader, BuildError> {
        #[cfg_attr(not(feature = "net"), expect(unused_mut, reason = "see below"))]
        let mut access = self.access;
        let schemes = self.mounts.iter().map(|(scheme, _)| scheme.clone());
        if let Some(scheme) = access
            .providers
            .schemes()
            .into_iter()
            .chain(schemes)
            .find(|scheme| !is_free(scheme))
        {
            return Err(BuildError::Scheme(scheme));
        }
        let policy = Policy::new(&self.roots, &self.mounts, &self.deny, self.max_file_size)
            .map_err(BuildError::Policy)?;
        #[cfg(feature = "net")]
        {
            access.client = self.network.client().map_err(BuildError::Network)?;
        }
        let component = Component::shared(self.pooled)
            .map_err(|error| BuildError::Sandbox(SandboxError(error)))?;
        if let Some(bytes) = self.engine_memory {
            component.engines().budget().set_limit(bytes);
        }
        if let Some(bytes) = self.reads_memory {
            component.reads().set_limit(bytes);
        }
        Ok(Reader::new(Shared {
            component,
            policy: Arc::new(policy),
            memory: self.memory,
            timeout: self.timeout,
            timeout_is_default: self.timeout_is_default,
            environment: self.environment.into(),
            access: Arc::new(access),
        }))
    }
}

impl Reader {
    /// Returns a builder of a reader, with its defaults.
    pub fn builder() -> Builder {
        Builder {
            roots: Vec::new(),
            mounts: Vec::new(),
            deny: Vec::new(),
            max_file_size: None,
            memory: DEFAULT_MEMORY,
            timeout: Some(DEFAULT_TIMEOUT),
            timeout_is_default: true,
            environment: Vec::new(),
            pooled: true,
            engine_memory: None,
            reads_memory: None,
            access: Access {
                lasting: true,
                ..Access::default()
            },
            #[cfg(feature = "net")]
            network: Network::default(),
        }
    }
}
