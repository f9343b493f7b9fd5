//! The sessions that MCP clients name by handles.

use omniread::sessions::Handle;
use omniread::{Reader, Session};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of sessions with a handle at a time. Each in memory remembers what it has shown, and the one
/// that was used longest ago ends.
const SESSIONS: usize = 256;

/// A session, and the generation that its conversation is in.
#[derive(Debug)]
pub struct Conversation {
    pub session: Session,
    generation: Mutex<Option<String>>,
}

impl Conversation {
    pub fn new(session: Session) -> Arc<Self> {
        Arc::new(Self {
            session,
            generation: Mutex::default(),
        })
    }

    /// Starts a new generation, unless its name is that of the last one. The first name starts one too, because
    /// the session may have been used by another process.
    pub fn set_generation(&self, name: &str) {
        let mut last = self
            .generation
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if last.as_deref() != Some(name) {
            self.session.start_generation();
            *last = Some(name.to_owned());
        }
    }
}

/// The sessions of a server. Clients that do not name one have a session for each connection, in memory.
#[derive(Debug)]
pub struct Handles {
    /// The session of `--session`, whose store has the sessions of all handles.
    disk: Option<Session>,
    /// The sessions in use. The one that was used last is the last one.
    used: Mutex<Vec<(String, Arc<Conversation>)>>,
}

impl Handles {
    pub fn new(disk: Option<Session>) -> Arc<Self> {
        Arc::new(Self {
            disk,
            used: Mutex::default(),
        })
    }

    /// Makes the session of a new handle.
    ///
    /// # Errors
    /// Fails with a message if the handle cannot be used.
    pub fn create(&self, name: &str, reader: &Reader) -> Result<Arc<Conversation>, String> {
        let session = match &self.disk {
            Some(disk) => {
                let handle = Handle::new(name).map_err(|error| error.to_string())?;
                disk.with_handle(&handle)
            }
            None => reader.session(),
        };
        let conversation = Conversation::new(session);
        self.add(name, &conversation);
        Ok(conversation)
    }

    /// The session of a handle. `None` if there is none.
    pub fn get(&self, name: &str) -> Option<Arc<Conversation>> {
        let mut used = self.used();
        if let Some(at) = used.iter().position(|(other, _)| other == name) {
            let found = used.remove(at);
            let conversation = Arc::clone(&found.1);
            used.push(found);
            return Some(conversation);
        }
        drop(used);
        let disk = self.disk.as_ref()?;
        let handle = Handle::new(name).ok()?;
        if !disk.handles().contains(&handle) {
            return None;
        }
        let conversation = Conversation::new(disk.with_handle(&handle));
        self.add(name, &conversation);
        Some(conversation)
    }

    fn add(&self, name: &str, conversation: &Arc<Conversation>) {
        let mut used = self.used();
        if used.len() >= SESSIONS {
            used.remove(0);
        }
        used.push((name.to_owned(), Arc::clone(conversation)));
    }

    fn used(&self) -> MutexGuard<'_, Vec<(String, Arc<Conversation>)>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
