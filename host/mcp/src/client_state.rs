//! What the server knows about a client.

use super::quick::{Description, Quick};
use super::reader::{Form, Reader, Session};
use rmcp::model::RequestId;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a client may read.
#[derive(Clone)]
pub struct Grant {
    /// The reader with the roots of the client.
    pub reader: Arc<dyn Reader>,
    /// The session of the client.
    pub session: Arc<dyn Session>,
    /// A note for the model, if the roots of the client have no effect.
    pub note: Option<Arc<str>>,
}

/// What the server knows about a client. Clones share it.
#[derive(Clone, Default)]
pub struct ClientState(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// The number of times that the client has changed its roots.
    changes: u64,
    grant: Option<Grant>,
    /// The name and the version of the client, for the log.
    name: Option<String>,
    /// Whether the client got a note on its roots.
    is_noted: bool,
    /// The last call for the service of rmcp, and how it describes the client.
    last: Option<(RequestId, Description)>,
    /// The description of clients whose calls do not need the service of rmcp, and the form of their
    /// results.
    quick: Option<(Description, Form)>,
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

    /// The name and the version of the client, if they are known.
    pub fn name(&self) -> Option<String> {
        self.lock().name.clone()
    }

    /// Sets the name and the version of the client.
    pub fn set_name(&self, name: Option<String>) {
        self.lock().name = name;
    }

    /// The note of a grant, unless the client got a note before: it is said once in a session.
    pub fn note(&self, grant: &Grant) -> Option<Arc<str>> {
        let note = grant.note.clone()?;
        let mut state = self.lock();
        let is_first = !std::mem::replace(&mut state.is_noted, true);
        is_first.then_some(note)
    }

    /// Lets calls skip the service of rmcp if they describe the client as this one did. Their
    /// results have this form.
    pub fn set_quick(&self, id: &RequestId, form: Form) {
        let mut state = self.lock();
        if let Some((_, description)) = state.last.take_if(|(last, _)| last == id) {
            state.quick = Some((description, form));
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
        let (description, form) = state.quick.as_ref()?;
        Some(Quick {
            session: Arc::clone(&grant.session),
            description: description.clone(),
            form: *form,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
