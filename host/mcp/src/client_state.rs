//! What the server knows about a client.

use super::quick::{Description, Quick};
use super::reader::{Reader, Session};
use rmcp::model::RequestId;
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

/// What the server knows about a client. Clones share it.
#[derive(Clone, Default)]
pub struct ClientState(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// The number of times that the client has changed its roots.
    changes: u64,
    grant: Option<Grant>,
    /// The last call for the service of rmcp, and how it describes the client.
    last: Option<(RequestId, Description)>,
    /// The description of clients whose calls do not need the service of rmcp, and whether they get
    /// `structuredContent`.
    quick: Option<(Description, bool)>,
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

    /// Remembers how a call for the service of rmcp describes the client.
    pub fn describe(&self, id: RequestId, description: Description) {
        self.lock().last = Some((id, description));
    }

    /// Lets calls skip the service of rmcp if they describe the client as this one did.
    /// `structured` decides whether they get `structuredContent`.
    pub fn set_quick(&self, id: &RequestId, structured: bool) {
        let mut state = self.lock();
        if let Some((_, description)) = state.last.take_if(|(last, _)| last == id) {
            state.quick = Some((description, structured));
        }
    }

    /// Lets all calls go through the service of rmcp.
    pub fn unset_quick(&self) {
        self.lock().quick = None;
    }

    /// What is needed for calls that skip the service of rmcp. `None` if no call may.
    pub fn quick(&self) -> Option<Quick> {
        let state = self.lock();
        let grant = state.grant.as_ref()?;
        let (description, structured) = state.quick.as_ref()?;
        let may_read = grant.refused.is_none();
        may_read.then(|| Quick {
            session: Arc::clone(&grant.session),
            description: description.clone(),
            structured: *structured,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
