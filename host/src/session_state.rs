//! The state of a session between its reads.

use omniread_store::{Handle, Store, StoreLimits};

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
}

impl Default for SessionState {
    fn default() -> Self {
        Self {
            store: Store::memory(StoreLimits::MEMORY),
            handle: Handle::default(),
            on_disk: false,
            generation: None,
        }
    }
}
