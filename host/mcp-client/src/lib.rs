//! A client for MCP servers that a user configured: it reads their resources.
//!
//! ```text
//! servers     the servers of a process: which one has a resource
//! slot        one of them: its start, its resources, and its end
//! connection  one running server: requests with deadlines, lists, contents
//! waits       waits that end early
//! address     what a URL `mcp://…` names
//! text        lists as texts
//! published   skills of all servers: which one has a name, and its files
//! skills      one skill in a list, as SEP-2640 has it
//! lists       results of a server, which are read leniently
//! template    URI templates, RFC 6570
//! http        streamable HTTP, over connections that the caller makes
//! groups      the processes of all servers, which end with this one
//! process     the program of a server: start, standard error, end
//! flow        what a server sends, and its limits
//! values      the values of a message in JSON, counted before it is parsed
//! config      how a server is reached
//! secrets     values that messages must not contain
//! failure     why there is no answer
//! limits      the limits of all of these, with their reasons
//! ```
//!
//! A server is not trusted. It cannot make a read wait longer than a deadline, keep more memory than a limit, or
//! write control characters into a message.

mod address;
mod config;
mod connection;
mod failure;
mod flow;
#[cfg(unix)]
mod groups;
mod http;
pub mod limits;
mod lists;
mod process;
mod published;
mod secrets;
mod servers;
mod skills;
mod slot;
mod template;
mod text;
mod values;
mod waits;

pub use self::http::{Connect, Connecting, Stream};
pub use address::SCHEME;
pub use config::{INHERITED, Reach, Server, is_name};
pub use failure::{Failure, Step};
pub use process::kill_all;
pub use published::SKILLS;
pub use servers::Servers;
pub use slot::Opened;
