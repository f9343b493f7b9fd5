//! What the clients of a process share.

use super::reader::Reader;
use omniread_service::{Waiting, Workers, limits};
use rmcp::model::Tool;
use serde_json::Value;
use std::fmt;
use std::io;
use std::sync::Arc;
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

/// The settings of the server.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Which clients get `structuredContent`.
    pub structured: Structured,
    /// Whether the roots of a client replace the granted roots. Otherwise they narrow them.
    pub roots_from_client: bool,
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
        }))
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
