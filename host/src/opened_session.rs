//! Sessions whose state is in a directory, and the reads that only their program sees.

use crate::reader::Reader;
use crate::session::Session;
use crate::session_state::SessionState;
use omniread_store::{Handle, SetAside, Store, StoreError, StoreLimits};
use std::path::Path;
use std::sync::Arc;

/// A session whose state is in a directory.
#[derive(Debug)]
#[non_exhaustive]
pub struct OpenedSession {
    /// The session.
    pub session: Session,
    /// The previous state, if it could not be used: it was damaged, of a newer version, or not a session. It
    /// was renamed, and nothing of it is lost.
    pub set_aside: Option<SetAside>,
    /// Whether the directory is in a root or mount of the reader. Reads of it are denied.
    pub is_in_root: bool,
}

impl Session {
    /// Opens a session whose state is in a directory, and outlives the process. The directory is created if
    /// it does not exist. Several processes can use it at once. Reads of the session are denied access to the
    /// directory, because it has the state of all clients.
    ///
    /// # Errors
    /// Fails if the directory cannot be created, is a symlink, belongs to another user, or others may write
    /// to it.
    pub fn open(
        reader: &Reader,
        directory: impl AsRef<Path>,
        limits: StoreLimits,
    ) -> Result<OpenedSession, StoreError> {
        let directory = directory.as_ref();
        let opened = Store::open(directory, limits)?;
        let real = directory.canonicalize().map_err(|error| StoreError::Path {
            path: directory.to_owned(),
            verb: "open",
            reason: error.to_string(),
        })?;
        let mut session = reader.hiding(&real).session();
        let is_in_root = reader.reaches(&real);
        session.state = Arc::new(SessionState {
            store: opened.store,
            handle: Handle::default(),
            on_disk: true,
            generation: None,
            directory: Some(real.into()),
            is_seen: true,
        });
        Ok(OpenedSession {
            session,
            set_aside: opened.set_aside,
            is_in_root,
        })
    }

    /// Returns a session with the state of this one whose replies no model sees, such as those for an editor.
    /// They are not remembered as shown, and the option `repeat` has no effect on them.
    #[must_use]
    pub fn unseen(&self) -> Self {
        let state = SessionState {
            is_seen: false,
            ..(*self.state).clone()
        };
        let mut session = self.clone();
        session.state = Arc::new(state);
        session
    }

    /// Whether the state outlives the process.
    pub fn is_kept(&self) -> bool {
        self.state.on_disk
    }

    /// The reader of the session: that with which it was made, without access to the directory of its state.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }
}
