//! What a command line requests.

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
        if self.is_short() {
            COMMAND_TIMEOUT
        } else {
            omniread::limits::DEFAULT_TIMEOUT
        }
    }

    /// Whether the process ends after a few reads.
    pub fn is_short(&self) -> bool {
        match self {
            Self::Serve => false,
            #[cfg(feature = "mcp")]
            Self::Mcp(_) => false,
            _ => true,
        }
    }
}
