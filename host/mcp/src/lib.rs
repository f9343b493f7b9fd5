//! The MCP server, `omniread mcp`: one tool, and the roots as resources.
//!
//! [`Server`] is what the clients of a process share. Each client has a `Handler` (`handler.rs`)
//! with a session of its own. `stdio.rs` and `http.rs` are the transports. All reads go through the
//! traits in `reader.rs`.

mod access;
mod client;
mod handler;
mod http;
mod log;
mod quick;
mod reader;
mod resources;
mod runner;
mod stdin;
mod stdio;
mod token;

use rmcp::model::Tool;
use runner::Runner;
use serde_json::Value;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::runtime::Runtime;

pub use http::{Http, serve as serve_http};
pub use reader::{Read, ReadError, ReadErrorKind, Reader, Session};
pub use stdio::serve as serve_stdio;
pub use token::Token;

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

/// Builds a reader with these roots, and with the deny rules and limits of the process.
///
/// # Errors
/// Returns a message if a root cannot be opened.
pub type BuildReader = dyn Fn(&[PathBuf]) -> Result<Arc<dyn Reader>, String> + Send + Sync;

/// The settings of the server.
pub struct Settings {
    /// Which clients get `structuredContent`.
    pub structured: Structured,
    /// Whether the roots of a client replace the granted roots. Otherwise they narrow them.
    pub roots_from_client: Option<Box<BuildReader>>,
}

/// What the clients of a process share.
pub struct Server {
    /// The reader with the granted roots.
    reader: Arc<dyn Reader>,
    settings: Settings,
    tool: Tool,
    runner: Runner,
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
            runner: Runner::new(),
        }))
    }

    /// Starts the runtime of the server. One of its threads runs the tasks, and the other takes over
    /// while the first one reads.
    ///
    /// # Errors
    /// Fails if the threads cannot be started.
    fn runtime(&self) -> io::Result<Runtime> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_io()
            .enable_time()
            .build()?;
        self.runner.watch(runtime.handle().clone())?;
        Ok(runtime)
    }
}
