//! The network access of reads: which hosts a user granted, and which addresses a connection may use.
//!
//! ```text
//! hooks    `wasi:http` for a read
//! client   sends requests
//! target   the server to which a request goes
//! pool     connections that are kept for the next request
//! connect  connections to addresses that were checked, and TLS
//! borrowed a connection that a response uses until its end
//! ambient  the runtime of all connections
//! direct   a connection that the thread of a read serves itself
//! proxy    connections through an HTTP proxy
//! content  the body of a response
//! meter    bytes of a connection that belong to no response
//! resolve  names → addresses
//! grant    what the user granted, and the decision about a host and its addresses
//! address  the scope of an IP address: public, private, loopback, …
//! progress what a read has received so far
//! time     the time that the requests of a read may take
//! turns    a thread that lets waiting requests check their stop conditions
//! failure  why a request has no response
//! limits   the limits of all of these, with their reasons
//! ```
//!
//! Nothing is reachable without a grant. A name is resolved once, and the connection uses an address that
//! was checked. Each redirect is a new request, and each request is checked. Through a proxy, only the host
//! and the port are checked, because the proxy resolves the name.

mod address;
mod ambient;
mod borrowed;
mod client;
mod connect;
mod content;
mod direct;
mod failure;
mod grant;
mod hooks;
mod limits;
mod meter;
mod pool;
mod progress;
mod proxy;
mod resolve;
mod target;
#[cfg(test)]
pub mod tests;
mod time;
mod turns;

pub use ambient::enter;
pub use client::{Client, Config, Secret};
pub use failure::{Failure, Step};
pub use grant::{Grant, GrantError, Grants, Host};
pub use hooks::Hooks;
pub use limits::{DEFAULT_NET_BYTES, DEFAULT_NET_TIMEOUT, Limits};
pub use progress::{Progress, Received};
pub use proxy::{Proxy, ProxyError};
pub use resolve::{Resolve, System};
#[cfg(feature = "mcp-client")]
pub use target::Target;
#[cfg(feature = "mcp-client")]
pub use time::Clock;
