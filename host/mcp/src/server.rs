//! What the clients of a process share.

use super::reader::Reader;
use super::request_log::{Request, RequestLog, Running};
use omniread_service::{Metrics, Waiting, Workers, limits};
use rmcp::model::Tool;
use serde_json::Value;
use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// Which clients get `structuredContent`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Structured {
    /// All clients, except those that are known to show it to the model in place of the text and
    /// the images.
    #[default]
    Auto,
    /// All clients.
    Always,
    /// No client.
    Never,
}

/// The maximum number of notes that are remembered for clients without a session.
const NOTES: usize = 1024;

/// The settings of the server.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which clients get `structuredContent`.
    pub structured: Structured,
    /// Whether the roots of a client replace the granted roots. Otherwise they narrow them.
    pub roots_from_client: bool,
    /// Whether the text of a result is at most what the client is known to pass to its model.
    pub fit_client: bool,
    /// Whether the tool has an argument for the handle of a session.
    pub session_argument: bool,
    /// What the model of a client has to know about the tool, apart from its definition.
    pub instructions: String,
    /// The log of requests.
    pub log: Option<RequestLog>,
}

/// What the clients of a process share.
pub struct Server {
    /// The reader with the granted roots.
    pub(crate) reader: Arc<dyn Reader>,
    pub(crate) settings: Settings,
    pub(crate) tool: Tool,
    /// The threads that read.
    pub(crate) workers: Workers,
    /// The requests that have no response yet.
    pub(crate) waiting: Waiting,
    /// The metrics, if the server has a place where they are requested.
    metrics: OnceLock<Arc<Metrics>>,
    /// The number of sessions so far.
    sessions: AtomicU64,
    /// The notes that clients without a session got, with the names of the clients.
    notes: Mutex<HashSet<u64>>,
    /// Hashes the notes, which have no maximum size. No client can find two with the same hash.
    hasher: RandomState,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

impl Server {
    /// Creates a server with this tool, whose definition is JSON as MCP has it.
    ///
    /// # Errors
    /// Fails if the definition is not that of a tool.
    pub fn new(
        reader: Arc<dyn Reader>,
        tool: Value,
        settings: Settings,
    ) -> Result<Arc<Self>, serde_json::Error> {
        Ok(Arc::new(Self {
            reader,
            settings,
            tool: serde_json::from_value(tool)?,
            workers: Workers::default(),
            waiting: Waiting::new(limits::UNANSWERED),
            metrics: OnceLock::new(),
            sessions: AtomicU64::new(0),
            notes: Mutex::default(),
            hasher: RandomState::new(),
        }))
    }

    /// The number of the next session.
    pub(crate) fn next_session(&self) -> u64 {
        self.sessions.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Whether a client without a session, of which only the name is known, gets this note for the
    /// first time.
    pub(crate) fn is_first_note(&self, client: Option<String>, note: &str) -> bool {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.len() >= NOTES {
            notes.clear();
        }
        notes.insert(self.hasher.hash_one((client, note)))
    }

    /// The metrics, which are counted from the first call on.
    pub(crate) fn count(&self) -> Arc<Metrics> {
        Arc::clone(self.metrics.get_or_init(|| Arc::new(Metrics::of_http())))
    }

    /// The metrics, if they are counted.
    pub(crate) fn metrics(&self) -> Option<&Arc<Metrics>> {
        self.metrics.get()
    }

    /// Begins a request that is logged or counted. `None` if it is neither. `request` describes it, with its parameters if
    /// it is logged.
    pub(crate) fn begin(&self, request: impl FnOnce(bool) -> Request) -> Option<Running> {
        let (log, metrics) = (self.settings.log.as_ref(), self.metrics());
        let is_wanted = log.is_some() || metrics.is_some();
        is_wanted.then(|| Running::begin(log, metrics, request(log.is_some())))
    }

    /// Writes a line of the log, if there is one.
    pub(crate) fn log(&self, event: &str, fields: Value) {
        if let Some(log) = &self.settings.log {
            log.write(event, fields);
        }
    }

    /// Writes the last line of the log, if there is one.
    pub(crate) fn log_stop(&self, fields: Value) {
        if let Some(log) = &self.settings.log {
            log.stop(fields);
        }
    }

    /// Runs a blocking call on a thread for reads. Reads never run on a thread of the runtime, where
    /// functions of WASI that wait would fail. Returns `None` if the call panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        call: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, outcome) = oneshot::channel();
        self.workers.run(move || {
            // The task may have been dropped.
            let _ = sender.send(call());
        });
        outcome.await.ok()
    }
}

/// Starts a runtime for the tasks of the protocol.
pub(crate) fn runtime(threads: usize) -> io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .thread_name("omniread-tasks")
        .enable_io()
        .enable_time()
        .build()
}
