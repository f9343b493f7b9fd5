//! The MCP server, `omniread mcp`: the tool of one dialect, and the roots as resources.
//!
//! [`Server`] is what the clients of a process share. Each client has a `Handler` (`handler.rs`)
//! with a session of its own. `stdio.rs` and `http.rs` are the transports.

mod client;
mod handler;
mod http;
mod log;
mod resources;
mod result;
mod stdio;
mod token;

use crate::service::Workers;
use crate::{BuildError, Dialect, Failure, Options, Reader};
use rmcp::model::Tool;
use std::path::PathBuf;
use std::sync::Arc;

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
    workers: Workers,
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
            workers: Workers::new(),
        }))
    }
}
