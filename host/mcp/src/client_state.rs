//! What the server knows about a client.

use super::{Reader, Session};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a client may read.
#[derive(Clone)]
pub struct Grant {
    /// The reader with the roots of the client.
    pub reader: Arc<dyn Reader>,
    /// The session of the client.
    pub session: Arc<dyn Session>,
    /// The reason why the client may read nothing: none of its roots is in the granted roots.
    pub refused: Option<Arc<str>>,
}

/// What the calls of a client need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// The service of rmcp.
    #[default]
    Service,
    /// Only a response. `structured` means that it has `structuredContent`.
    Response { structured: bool },
}

/// What the server knows about a client. Clones share it.
#[derive(Clone, Default)]
pub struct ClientState(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// The number of times that the client has changed its roots.
    changes: u64,
    grant: Option<Grant>,
    calls: Calls,
}

impl ClientState {
    /// What the client may read, if it is known, and the number of changes of its roots so far.
    pub fn grant(&self) -> (Option<Grant>, u64) {
        let state = self.lock();
        (state.grant.clone(), state.changes)
    }

    /// Sets what the client may read, unless it has changed its roots since `changes`.
    pub fn set_grant(&self, grant: &Grant, changes: u64) {
        let mut state = self.lock();
        if state.changes == changes {
            state.grant = Some(grant.clone());
        }
    }

    /// Forgets what the client may read, because it has changed its roots.
    pub fn change_roots(&self) {
        let mut state = self.lock();
        state.changes += 1;
        state.grant = None;
    }

    /// Sets what the calls of the client need.
    pub fn set_calls(&self, calls: Calls) {
        self.lock().calls = calls;
    }

    /// The session of calls that need only a response, and whether they have `structuredContent`.
    pub fn quick(&self) -> Option<(Arc<dyn Session>, bool)> {
        let state = self.lock();
        let grant = state.grant.as_ref()?;
        let Calls::Response { structured } = state.calls else {
            return None;
        };
        let may_read = grant.refused.is_none();
        may_read.then(|| (Arc::clone(&grant.session), structured))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
