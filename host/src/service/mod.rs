//! What long-lived processes share: threads that run reads, lines of input, and the output.
//!
//! [`serve`] is the service over standard input and output. The MCP server (`mcp/`) uses the same
//! threads, lines and output.

mod input;
pub mod limits;
mod output;
mod request;
pub mod serve;
mod signals;
mod workers;

#[cfg(feature = "mcp")]
pub use input::{Input, Line, Lines, READ_BYTES};
#[cfg(feature = "mcp")]
pub use output::Output;
#[cfg(feature = "mcp")]
pub use signals::on_termination;
#[cfg(feature = "mcp")]
pub use workers::Workers;
