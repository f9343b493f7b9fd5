//! What a command line requests.

use super::batch_arguments::BatchArguments;
#[cfg(feature = "mcp")]
use super::mcp_arguments::McpArguments;
use super::session_arguments::SessionAction;
use clap_complete::Shell;
use omniread::limits::COMMAND_TIMEOUT;
use omniread::{Api, Dialect};
use std::ffi::OsString;
use std::time::Duration;

/// The task that a command line requests.
pub enum Task {
    /// Read paths.
    Read(Vec<OsString>),
    /// Run the tool of a dialect with these JSON arguments.
    Call(Dialect, String),
    /// Print tool definitions.
    Tools {
        /// The dialect. `None` is all dialects, or with an API the dialect of the command line.
        dialect: Option<Dialect>,
        /// The API in whose form the definition is printed.
        api: Option<Api>,
        /// Whether the arguments are those that the tool of the agent has today.
        current: bool,
    },
    /// Read many files, with a row for each.
    Batch(BatchArguments),
    /// Answer requests on standard input.
    Serve,
    /// Serve MCP clients.
    #[cfg(feature = "mcp")]
    Mcp(McpArguments),
    /// Print the configuration, or if true the schema of configuration files.
    Config(bool),
    /// Show or clear what a session keeps.
    Session(SessionAction),
    /// Print completions for this shell.
    Completions(Shell),
    /// Print the man page.
    Man,
    /// Print the version.
    Version,
}

impl Task {
    /// The timeout of reads if nothing sets it.
    pub fn default_timeout(&self) -> Duration {
        // The rows of a batch are complete rather than early.
        if self.is_short() || matches!(self, Self::Batch(_)) {
            COMMAND_TIMEOUT
        } else {
            omniread::limits::DEFAULT_TIMEOUT
        }
    }

    /// Whether the process ends after a few reads.
    pub fn is_short(&self) -> bool {
        match self {
            Self::Batch(_) | Self::Serve => false,
            #[cfg(feature = "mcp")]
            Self::Mcp(_) => false,
            _ => true,
        }
    }
}
