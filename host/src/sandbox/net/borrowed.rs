//! A connection that a response uses until its end.

use super::direct::Direct;
use super::pool::{Idle, Pool, Sender, Server};
use std::fmt;
use std::sync::Arc;

/// A connection over which a response arrives. After it, the connection is kept for the next request.
pub struct Borrowed {
    /// `None` after it was given back.
    idle: Option<Idle>,
    pool: Arc<Pool>,
    server: Server,
}

impl Borrowed {
    /// A connection that is given back to a pool, where it belongs to a server.
    pub fn new(idle: Idle, pool: Arc<Pool>, server: Server) -> Self {
        Self {
            idle: Some(idle),
            pool,
            server,
        }
    }

    /// The connection.
    pub fn direct(&mut self) -> Option<&mut Direct> {
        match &mut self.idle.as_mut()?.sender {
            Sender::Direct(direct) => Some(direct),
            Sender::Http1(_) | Sender::Http2(_) => None,
        }
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        // A body that did not arrive as a whole ends the connection.
        let is_usable = self.direct().is_some_and(Direct::settle);
        if let Some(idle) = self.idle.take().filter(|_| is_usable) {
            self.pool.keep(&self.server, idle);
        }
    }
}

impl fmt::Debug for Borrowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Borrowed").field(&self.server).finish()
    }
}
