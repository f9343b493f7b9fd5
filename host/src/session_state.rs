//! The state of a session between its reads.

use omniread_store::{Handle, Store, StoreLimits};
use std::path::Path;
use std::sync::Arc;

/// The state of a session between its reads.
#[derive(Clone, Debug)]
pub(crate) struct SessionState {
    /// What the session keeps.
    pub(crate) store: Store,
    /// The client to which it belongs.
    pub(crate) handle: Handle,
    /// Whether it outlives the process.
    pub(crate) on_disk: bool,
    /// The generation to which reads belong. `None` for the present one.
    pub(crate) generation: Option<u64>,
    /// The real path of the directory that has it. No read has access to it: it has the state of all clients.
    pub(crate) directory: Option<Arc<Path>>,
    /// Whether a model sees the replies, so that they are remembered as shown.
    pub(crate) is_seen: bool,
}

impl Default for SessionState {
    fn default() -> Self {
        Self {
            store: Store::memory(StoreLimits::MEMORY),
            handle: Handle::default(),
            on_disk: false,
            generation: None,
            directory: None,
            is_seen: true,
        }
    }
}
