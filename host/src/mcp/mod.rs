//! The MCP server, `omniread mcp`: the tool of one dialect, and the roots as resources.
//!
//! [`Server`] is what the clients of a process share. Each client has a `Handler` (`handler.rs`)
//! with a session of its own. `stdio.rs` and `http.rs` are the transports.

mod access;
mod client;
mod handler;
mod http;
mod log;
mod quick;
mod resources;
mod result;
mod runner;
mod stdin;
mod stdio;
mod token;

use crate::{BuildError, Dialect, Failure, Options, Reader};
use rmcp::model::Tool;
use runner::Runner;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::runtime::Runtime;

pub use http::{Http, serve as serve_http};
pub use stdio::serve as serve_stdio;
pub use token::Token;

/// Which clients get `structuredContent`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
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
pub type BuildReader = dyn Fn(&[PathBuf]) -> Result<Reader, BuildError> + Send + Sync;

/// The settings of the server.
pub struct Settings {
    /// The dialect of the tool.
    pub dialect: Dialect,
    /// The options of all reads.
    pub options: Options,
    /// Which clients get `structuredContent`.
    pub structured: Structured,
    /// Whether the roots of a client replace the granted roots. Otherwise they narrow them.
    pub roots_from_client: Option<Box<BuildReader>>,
}

/// What the clients of a process share.
pub struct Server {
    /// The reader with the granted roots.
    reader: Reader,
    settings: Settings,
    tool: Tool,
    runner: Runner,
}

impl Server {
    /// Creates a server.
    ///
    /// # Errors
    /// Fails only if the reader has a defect.
    pub fn new(reader: Reader, settings: Settings) -> Result<Arc<Self>, Failure> {
        let definitions = reader.definitions()?;
        let chosen = definitions
            .iter()
            .find(|definition| definition.dialect == settings.dialect);
        let tool = chosen
            .and_then(|definition| serde_json::from_value(crate::Api::Mcp.tool(definition)).ok());
        Ok(Arc::new(Self {
            reader,
            settings,
            tool: tool.unwrap_or_default(),
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
