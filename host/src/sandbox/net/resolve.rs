//! Names to addresses.

use std::io;
use std::net::{IpAddr, ToSocketAddrs as _};

/// Resolves names. A name is resolved once for each connection, and the connection uses an address of
/// the answer, so that an answer that changes later has no effect.
pub trait Resolve: Send + Sync {
    /// The addresses of a name, the preferred one first. May block.
    ///
    /// # Errors
    /// Fails if the name has no address, or if no answer arrives.
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The resolver of the system, which knows its hosts file and its name servers.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Resolve for System {
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let addresses = (name, 0).to_socket_addrs()?;
        Ok(addresses.map(|address| address.ip()).collect())
    }
}
