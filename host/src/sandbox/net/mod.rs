//! The network access of reads: which hosts a user granted, and which addresses a connection may use.
//!
//! ```text
//! hooks    `wasi:http` for a read
//! client   requests over connections that are kept
//! connect  connections to addresses that were checked, and TLS
//! resolve  names → addresses
//! grant    what the user granted, and the decision about a host and its addresses
//! address  the scope of an IP address: public, private, loopback, …
//! progress what a read has received so far
//! time     the time that the requests of a read may take
//! failure  why a request has no response
//! ```
//!
//! Nothing is reachable without a grant. A name is resolved once, and the connection uses an address that
//! was checked. Each redirect is a new request, and each request is checked.

mod address;
mod client;
mod connect;
mod failure;
mod grant;
mod hooks;
mod progress;
mod resolve;
#[cfg(test)]
mod tests;
mod time;

pub use client::{Client, Config, Limits, Secret};
pub use failure::Failure;
pub use grant::{Grant, GrantError, Grants, Host};
pub use hooks::Hooks;
pub use progress::{Progress, Received};
pub use resolve::{Resolve, System};
