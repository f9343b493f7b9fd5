//! What a client may read.

use super::{Reader, Session};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a client may read.
#[derive(Clone)]
pub struct Access {
    /// The reader with the roots of the client.
    pub reader: Arc<dyn Reader>,
    /// The session of the client.
    pub session: Arc<dyn Session>,
    /// The reason why the client may read nothing: none of its roots is in the granted roots.
    pub refused: Option<Arc<str>>,
}

/// What the server knows about a client. Clones share it.
#[derive(Clone, Default)]
pub struct Known(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// The number of times that the client has changed its roots.
    changes: u64,
    access: Option<Access>,
    /// Whether the client gets `structuredContent`. `None` if its calls need more than a response.
    quick: Option<bool>,
}

impl Known {
    /// What the client may read, if it is known, and the number of changes of its roots so far.
    pub fn access(&self) -> (Option<Access>, u64) {
        let state = self.lock();
        (state.access.clone(), state.changes)
    }

    /// Sets what the client may read, unless it has changed its roots since `changes`.
    pub fn set_access(&self, access: &Access, changes: u64) {
        let mut state = self.lock();
        if state.changes == changes {
            state.access = Some(access.clone());
        }
    }

    /// Forgets what the client may read, because it has changed its roots.
    pub fn change(&self) {
        let mut state = self.lock();
        state.changes += 1;
        state.access = None;
    }

    /// Sets whether calls of the client that need only a response have `structuredContent`. `None`
    /// if they need more than a response.
    pub fn set_quick(&self, structured: Option<bool>) {
        self.lock().quick = structured;
    }

    /// The session of calls that need only a response, and whether they have `structuredContent`.
    pub fn quick(&self) -> Option<(Arc<dyn Session>, bool)> {
        let state = self.lock();
        let access = state.access.as_ref()?;
        if access.refused.is_some() {
            return None;
        }
        Some((access.session.clone(), state.quick?))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
