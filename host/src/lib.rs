//! Reading anything as text for a model: one path string in, blocks out, with
//! every parser inside a WebAssembly sandbox.
//!
//! ```
//! let directory = std::env::temp_dir().join("omniread-doc");
//! std::fs::create_dir_all(&directory)?;
//! std::fs::write(directory.join("hello.txt"), "hello\nworld\n")?;
//!
//! let reader = omniread::Reader::builder().root(&directory).deny(".env").build()?;
//! let reply = reader.session().read("hello.txt:2-2")?;
//! assert_eq!(reply.details.next, None);
//! assert!(reply.text().contains("2:world"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Reader`] holds what may be reached, a [`Session`] what was shown. Every
//! read runs in a fresh instance of the reader component, with its own memory
//! and deadline, and blocks the calling thread: from async code call it where
//! blocking is allowed. 64 reads run at a time in a process; others wait for
//! their turn, which counts towards their deadline.
//!
//! The parts, from the outside in:
//!
//! * [`cli`] is a front end: it parses, calls and prints.
//! * `session` reads; `snapshots` and `cache` keep what outlives a read.
//! * this module holds what may be reached, and ends what takes too long.
//! * `engine` runs the component, in memory that `pool` hands on; `sandbox`
//!   enforces what it may reach. `engines` run beside it.

mod bindings;
mod cache;
pub mod cli;
mod code;
mod config;
mod engine;
mod engines;
mod json;
mod kept;
mod pool;
mod sandbox;
mod session;
mod snapshots;
mod stdin;
mod ticker;

pub use bindings::exports::omniread::read::types::{
    BinaryDetails, Block, Cut, DatabaseDetails, Definition, Details, Dialect, Dimensions,
    DirectoryDetails, Display, Ending, Escape, Exceeded, Failure, Form, Given, Header, IgnoreRule,
    Kind, Limit, Marks, Media, MediaDetails, NotText, NotebookDetails, Reason, Reply, Resolution,
    Span, Special, Stamp, State, TextDetails, Total, Window,
};
pub(crate) use bindings::omniread::read::images::Encodings;
pub use json::{definition as definition_to_json, outcome as outcome_to_json};
pub use omniread_options::{OptionError, Options, SETTINGS, Setting};
pub use sandbox::{CancelToken, PolicyError};
pub use session::Session;
pub use snapshots::{Snapshot, Staleness};

use bindings::exports::omniread::read::{tools::Asked, types as wit};
use engine::{Engine, Grant};
use kept::Kept;
use pool::Purpose;
use sandbox::{Policy, Stop, Stopped};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Memory of one read, unless set: enough for any page and the largest text
/// that is examined as a whole, many times over.
pub const MEMORY: usize = 512 << 20;

/// Memory of all engines of a process together, unless set: that of SQLite and
/// of the decoders of images. Engines that need more wait until others end.
pub const ENGINE_MEMORY: usize = 1 << 30;

/// Time of one read, unless set.
pub const DEADLINE: Duration = Duration::from_secs(10);

/// A reader that cannot be built.
#[derive(Debug)]
pub enum BuildError {
    /// What it should reach.
    Policy(PolicyError),
    /// The engine: most likely a processor that the code was not compiled for.
    Engine(wasmtime::Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(error) => error.fmt(f),
            Self::Engine(error) => write!(f, "cannot start the sandbox: {error:#}"),
        }
    }
}

impl std::error::Error for BuildError {}

/// Sets up a [`Reader`]. By default nothing can be reached:
///
/// * no roots, so every path is outside them;
/// * no deny rules and no limit on the size of files;
/// * [`MEMORY`] and [`DEADLINE`] for each read, [`ENGINE_MEMORY`] for the engines
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
    /// is [`ENGINE_MEMORY`].
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

    /// Sets the directory that `~` stands for.
    #[must_use]
    pub fn home(mut self, directory: impl Into<String>) -> Self {
        self.environment.push(("HOME".to_owned(), directory.into()));
        self
    }

    /// Builds the reader. The first one of a process takes about a
    /// millisecond, others less.
    ///
    /// # Errors
    /// If a root cannot be opened, a rule is no pattern, or the sandbox does
    /// not start.
    pub fn build(self) -> Result<Reader, BuildError> {
        let policy =
            Policy::new(&self.roots, &self.deny, self.max_file_size).map_err(BuildError::Policy)?;
        let engine = Engine::shared(self.pooled).map_err(BuildError::Engine)?;
        if let Some(bytes) = self.engine_memory {
            engine.budget().set_limit(bytes);
        }
        Ok(Reader(Arc::new(Shared {
            engine,
            policy: Arc::new(policy),
            memory: self.memory,
            deadline: self.deadline,
            default_deadline: self.default_deadline,
            environment: self.environment.into(),
        })))
    }
}

struct Shared {
    engine: Arc<Engine>,
    policy: Arc<Policy>,
    memory: usize,
    deadline: Option<Duration>,
    default_deadline: bool,
    environment: Arc<[(String, String)]>,
}

/// What may be reached, ready to read. Clones are cheap and share it.
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
        }
    }

    /// A session in which nothing was shown yet.
    pub fn session(&self) -> Session {
        Session::new(self.clone())
    }

    /// The tool of every dialect, to register with a model.
    ///
    /// # Errors
    /// If the reader fails, which would be a defect.
    pub fn definitions(&self) -> Result<Vec<Definition>, Failure> {
        let grant = self.grant(None, false, Arc::default());
        self.run(grant, |reader, store| {
            reader.tools(store)?.call_definitions(store)
        })
        .map_err(|error| plainly(self.why(&error, None)))
    }

    fn grant(&self, token: Option<CancelToken>, stdin: bool, kept: Arc<Kept>) -> Grant {
        // Whoever types at standard input takes their time, unless they were
        // given one.
        let time = self
            .0
            .deadline
            .filter(|_| !(stdin && self.0.default_deadline));
        Grant {
            policy: Arc::clone(&self.0.policy),
            stop: Stop {
                token,
                deadline: time.and_then(|time| Instant::now().checked_add(time)),
                processor: None,
            },
            memory: self.0.memory,
            environment: Arc::clone(&self.0.environment),
            stdin,
            kept,
            purpose: Purpose::Read,
        }
    }

    fn run<T>(
        &self,
        grant: Grant,
        call: impl FnOnce(
            &engine::Instance<'_>,
            &mut wasmtime::Store<engine::State>,
        ) -> wasmtime::Result<T>,
    ) -> wasmtime::Result<T> {
        self.0.engine.run(grant, call)
    }

    fn encoded(
        &self,
        grant: Grant,
        data: Vec<u8>,
        mime: &str,
        side: u32,
        encodings: Encodings,
    ) -> Option<Vec<u8>> {
        let mut store = self.0.engine.store(grant).ok()?;
        let _ticking = self.0.engine.tick();
        store.data_mut().encoded(data, mime, side, encodings)
    }

    /// What ended a call, which ran on the processor for so long, if that is known.
    fn why(&self, error: &wasmtime::Error, ran: Option<Duration>) -> Reason {
        let limit = |name: &str, value: u64, ran: Option<u64>| {
            Reason::Limit(Exceeded {
                name: name.to_owned(),
                value,
                ran,
            })
        };
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        match error.downcast_ref::<Stopped>() {
            Some(Stopped::Cancelled) => Reason::Cancelled(String::new()),
            Some(Stopped::Deadline | Stopped::Processor) => {
                limit("time", self.0.deadline.map_or(0, millis), ran.map(millis))
            }
            Some(Stopped::Memory) => limit("memory", self.0.memory as u64, None),
            None => Reason::Internal(format!("{error:#}")),
        }
    }

    /// The failure of a call that was ended: its words come from an instance
    /// that did not see the data.
    fn ended(
        &self,
        error: &wasmtime::Error,
        dialect: Dialect,
        asked: &Asked,
        options: &wit::Options,
        ran: Option<Duration>,
    ) -> Failure {
        self.worded(dialect, asked, options, self.why(error, ran))
    }

    /// A failure that the host found, in the words of a dialect.
    fn worded(
        &self,
        dialect: Dialect,
        asked: &Asked,
        options: &wit::Options,
        reason: Reason,
    ) -> Failure {
        let grant = Grant {
            memory: MEMORY,
            purpose: Purpose::Words,
            stop: Stop {
                token: None,
                deadline: Instant::now().checked_add(DEADLINE),
                processor: None,
            },
            ..self.grant(None, false, Arc::default())
        };
        let words = self.run(grant, |reader, store| {
            reader
                .tools(store)?
                .call_ended(store, dialect, asked, options, &reason)
        });
        words.unwrap_or_else(|_| plainly(reason))
    }
}

/// A failure where no dialect can word it.
fn plainly(reason: Reason) -> Failure {
    let message = match &reason {
        Reason::Internal(cause) => format!("the reader failed: {cause}"),
        _ => "the read was ended".to_owned(),
    };
    Failure {
        text: message.clone(),
        structured: "{}".to_owned(),
        reason,
        message,
        hint: None,
    }
}

impl Reply {
    /// The text of all blocks, notices included.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
                Block::Image(_) | Block::Document(_) => None,
            })
            .collect();
        texts.join("\n")
    }
}
