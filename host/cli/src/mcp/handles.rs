//! The sessions that MCP clients name by handles.

use crate::session::Losses;
use omniread::Session;
use omniread::sessions::Handle;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of sessions with a handle at a time. Each in memory remembers what it has shown, and the one
/// that was used longest ago ends.
const SESSIONS: usize = 256;

/// A session, and the generation that its conversation is in.
#[derive(Debug)]
pub struct Conversation {
    pub session: Session,
    generation: Mutex<Option<String>>,
    /// Whether nothing of it is of use after its end.
    is_temporary: bool,
}

impl Drop for Conversation {
    fn drop(&mut self) {
        if self.is_temporary {
            // A store in memory can always be cleared.
            let _ = self.session.clear();
        }
    }
}

impl Conversation {
    fn new(session: Session, is_temporary: bool) -> Arc<Self> {
        Arc::new(Self {
            session,
            generation: Mutex::default(),
            is_temporary,
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
            // No earlier reply counts in this process, also after an error. The next request tries it again.
            let started = self.session.start_generation();
            *last = started.is_ok().then(|| name.to_owned());
        }
    }
}

/// The sessions of a server. Clients that do not name one have a session for each connection, in memory.
#[derive(Debug)]
pub struct Handles {
    /// The session of `--session`, whose store has the sessions of all handles.
    disk: Option<Session>,
    /// The session whose store has those of connections, and those of handles if they are not on disk. One store bounds
    /// the memory for all of them.
    memory: Session,
    /// The number of connections so far.
    connections: AtomicU64,
    pub losses: Losses,
    /// The sessions in use. The one that was used last is the last one.
    used: Mutex<Vec<(String, Arc<Conversation>)>>,
}

impl Handles {
    pub fn new(disk: Option<Session>, memory: Session, losses: Losses) -> Arc<Self> {
        Arc::new(Self {
            disk,
            memory,
            connections: AtomicU64::new(0),
            losses,
            used: Mutex::default(),
        })
    }

    /// Makes the session of a new connection.
    pub fn connect(&self) -> Arc<Conversation> {
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        // A number is always a handle. Clients cannot name it, because theirs begin otherwise.
        let handle = Handle::new(&format!("connection-{number}")).unwrap_or_default();
        Conversation::new(self.memory.with_handle(&handle), true)
    }

    /// Makes the session of a new handle.
    ///
    /// # Errors
    /// Fails with a message if the handle cannot be used.
    pub fn create(&self, name: &str) -> Result<Arc<Conversation>, String> {
        let handle = Handle::new(name).map_err(|error| error.to_string())?;
        let store = self.disk.as_ref().unwrap_or(&self.memory);
        let conversation = Conversation::new(store.with_handle(&handle), self.disk.is_none());
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
        let conversation = Conversation::new(disk.with_handle(&handle), false);
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
