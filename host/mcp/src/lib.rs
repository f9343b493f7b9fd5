//! The MCP server, `omniread mcp`: one tool, and the roots as resources.
//!
//! [`Server`] is what the clients of a process share. Each client has a `Handler` (`handler.rs`)
//! with a session of its own. `stdio.rs` and `http.rs` are the transports. All reads go through the
//! traits in `reader.rs`.

mod client;
mod client_state;
mod cors;
mod handler;
mod handles;
mod http;
mod log;
mod log_writer;
mod logged;
mod probes;
mod progress;
mod quick;
mod random;
mod reader;
mod refused;
mod request_log;
mod resources;
mod responses;
mod roots;
mod server;
mod sessions;
mod skills;
mod stdio;
mod token;
mod watch;

pub use handles::ARGUMENT as SESSION_ARGUMENT;
pub use http::{Http, serve as serve_http};
pub use reader::{Form, Read, ReadError, ReadErrorKind, Reader, Session, SkillRequest};
pub use request_log::RequestLog;
pub use resources::file_uri;
pub use server::{Server, Settings, Structured};
pub use skills::{skill_file_type, skill_path, skill_uri};
pub use stdio::serve as serve_stdio;
pub use token::Token;
