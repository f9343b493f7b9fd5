//! Sets up a reader.

use crate::component::Component;
use crate::limits::{DEADLINE, MEMORY};
use crate::reach::Reach;
use crate::reader::{Reader, Shared};
use crate::resources::Provider;
use crate::sandbox::{Policy, PolicyError};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A reader that cannot be built.
#[derive(Debug)]
pub enum BuildError {
    /// What it should reach.
    Policy(PolicyError),
    /// A scheme that no provider can have. Holds it.
    Scheme(String),
    /// The sandbox: most likely a processor that the code was not compiled for.
    Engine(wasmtime::Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(error) => error.fmt(f),
            Self::Scheme(scheme) => write!(
                f,
                "a provider cannot have the scheme `{}`: it takes two or more lower-case letters, digits, `+`, `-` and `.`, \
                 beginning with a letter, and not `file`, `http` or `https`",
                scheme.escape_debug()
            ),
            Self::Engine(error) => write!(f, "cannot start the sandbox: {error:#}"),
        }
    }
}

impl std::error::Error for BuildError {}

/// Sets up a [`Reader`]. By default nothing can be reached:
///
/// * no roots, so every path is outside them;
/// * no deny rules and no limit on the size of files;
/// * [`MEMORY`] and [`DEADLINE`] for each read, [`ENGINE_MEMORY`](crate::ENGINE_MEMORY) for the engines
///   of all reads of the process;
/// * an empty environment.
#[derive(Clone, Debug)]
pub struct Builder {
    roots: Vec<PathBuf>,
    deny: Vec<String>,
    max_file_size: Option<u64>,
    memory: usize,
    deadline: Option<Duration>,
    default_deadline: bool,
    environment: Vec<(String, String)>,
    pooled: bool,
    engine_memory: Option<usize>,
    reach: Reach,
}

impl Builder {
    /// Adds a directory that may be read, with everything beneath it. Relative
    /// paths belong to the first one.
    #[must_use]
    pub fn root(mut self, directory: impl Into<PathBuf>) -> Self {
        self.roots.push(directory.into());
        self
    }

    /// Adds a deny rule: a pattern as in `.gitignore`, relative to each root. It
    /// denies files and directories alike, by the path as it is written and by the
    /// real path of what was opened.
    #[must_use]
    pub fn deny(mut self, rule: impl Into<String>) -> Self {
        self.deny.push(rule.into());
        self
    }

    /// Refuses files with more than this many bytes, as the filesystem tells
    /// them; standard input has none.
    #[must_use]
    pub fn max_file_size(mut self, bytes: u64) -> Self {
        self.max_file_size = Some(bytes);
        self
    }

    /// Sets the memory of each read, in bytes; less than 2 MiB is too little for
    /// any.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets the memory of all engines of this process together, in bytes: that
    /// of SQLite and of the decoders of images, for the reads of every reader.
    /// An engine that needs memory which others have waits for them, until the
    /// time of its read is up. The last reader that sets it decides; the default
    /// is [`ENGINE_MEMORY`](crate::ENGINE_MEMORY).
    #[must_use]
    pub fn engine_memory(mut self, bytes: usize) -> Self {
        self.engine_memory = Some(bytes);
        self
    }

    /// Sets the time of each read; `None` lifts it.
    #[must_use]
    pub fn deadline(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.deadline = time.into();
        self.default_deadline = false;
        self
    }

    /// Says that the process ends after a read or two: it starts a tenth faster,
    /// and each read takes up to twice as long. The first reader of a process
    /// decides.
    #[must_use]
    pub fn short_lived(mut self) -> Self {
        self.pooled = false;
        self
    }

    /// Adds what answers the internal URLs of a scheme, in place of an earlier provider of
    /// that scheme. [`build`](Self::build) fails if the scheme is `file`, `http`, `https`,
    /// or not a scheme in lower case.
    #[must_use]
    pub fn provider(mut self, provider: impl Provider + 'static) -> Self {
        self.reach.providers.add(provider);
        self
    }

    /// Sets the home directory, which `~` means at the start of a path.
    #[must_use]
    pub fn home(mut self, directory: impl Into<String>) -> Self {
        self.environment.push(("HOME".to_owned(), directory.into()));
        self
    }

    /// Builds the reader. The first one of a process takes about a
    /// millisecond, others less.
    ///
    /// # Errors
    /// If a root cannot be opened, a rule is not a pattern, a provider has a scheme that
    /// it cannot have, or the sandbox does not start.
    pub fn build(self) -> Result<Reader, BuildError> {
        let policy =
            Policy::new(&self.roots, &self.deny, self.max_file_size).map_err(BuildError::Policy)?;
        if let Some(scheme) = self.reach.providers.wrong_scheme() {
            return Err(BuildError::Scheme(scheme));
        }
        let component = Component::shared(self.pooled).map_err(BuildError::Engine)?;
        if let Some(bytes) = self.engine_memory {
            component.engines().budget().set_limit(bytes);
        }
        Ok(Reader::new(Shared {
            component,
            policy: Arc::new(policy),
            memory: self.memory,
            deadline: self.deadline,
            default_deadline: self.default_deadline,
            environment: self.environment.into(),
            reach: Arc::new(self.reach),
        }))
    }
}

impl Reader {
    /// Sets up a reader.
    pub fn builder() -> Builder {
        Builder {
            roots: Vec::new(),
            deny: Vec::new(),
            max_file_size: None,
            memory: MEMORY,
            deadline: Some(DEADLINE),
            default_deadline: true,
            environment: Vec::new(),
            pooled: true,
            engine_memory: None,
            reach: Reach::default(),
        }
    }
}
