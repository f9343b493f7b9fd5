//! The network access of reads: which hosts a user granted, and which addresses a connection may use.
//!
//! ```text
//! address  the scope of an IP address: public, private, loopback, …
//! grant    what the user granted, and the decision about a host and its addresses
//! ```
//!
//! Nothing is reachable without a grant. A name is resolved once, and the connection uses an address that
//! was checked. Each redirect is a new request, and each request is checked.

mod address;
mod grant;

pub use address::Scope;
pub use grant::{Denied, Grant, GrantError, Grants, Host};
