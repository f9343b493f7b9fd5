//! Artifacts that are open. Each has a connection of its own with a transaction, which reads the database as it was
//! when the artifact was opened. So an artifact stays readable when any process removes it to make room.
//!
//! The log cannot start again while a transaction reads it, so that it grows during a read of an artifact.

use super::artifacts;
use super::directory::{Access, Directory, create};
use super::fault::{Counts, Fault};
use super::open::connect;
use super::statement::execute;
use crate::backend::Parts;
use crate::error::StoreError;
use crate::handle::Handle;
use crate::limits::StoreLimits;
use crate::records::ArtifactSummary;
use rusqlite::Connection;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The open artifacts of a store.
#[derive(Debug, Default)]
pub(super) struct Pins {
    all: Mutex<Vec<Weak<Pinned>>>,
    /// Whether a read of one of them found the database damaged.
    found_damage: Arc<AtomicBool>,
}

/// An open artifact.
#[derive(Debug)]
pub(super) struct Pinned {
    handle: Handle,
    id: i64,
    /// `None` after the handle was cleared.
    connection: Mutex<Option<Connection>>,
    directory: Directory,
    counts: Arc<Counts>,
    found_damage: Arc<AtomicBool>,
}

impl Pins {
    /// Opens an artifact.
    pub(super) fn open(
        &self,
        (directory, limits): (&Directory, StoreLimits),
        counts: &Arc<Counts>,
        handle: &Handle,
        number: u64,
    ) -> Result<(Arc<Pinned>, ArtifactSummary), Fault> {
        let file = directory.file_id();
        let connection = connect(&directory.database(), limits, Access::ReadOnly)?;
        execute(&connection, "BEGIN", [])?;
        let (id, summary) = artifacts::find(&connection, handle, number)?;
        // The log may be that of another database, which replaced this one meanwhile.
        if file != directory.file_id() {
            return Err(Fault::Store(StoreError::Cleared));
        }
        let pinned = Arc::new(Pinned {
            handle: handle.clone(),
            id,
            connection: Mutex::new(Some(connection)),
            directory: directory.clone(),
            counts: Arc::clone(counts),
            found_damage: Arc::clone(&self.found_damage),
        });
        let mut all = self.all();
        all.retain(|pinned| pinned.strong_count() > 0);
        all.push(Arc::downgrade(&pinned));
        Ok((pinned, summary))
    }

    /// Ends the transactions of a handle, or of all handles, so that nothing of them stays in the files.
    pub(super) fn clear(&self, handle: Option<&Handle>) {
        for pinned in self.all().iter().filter_map(Weak::upgrade) {
            if handle.is_none_or(|handle| pinned.handle == *handle) {
                *pinned.connection() = None;
            }
        }
    }

    /// Whether a read found the database damaged since the last call.
    pub(super) fn take_damage(&self) -> bool {
        self.found_damage.swap(false, Ordering::Relaxed)
    }

    fn all(&self) -> MutexGuard<'_, Vec<Weak<Pinned>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pinned {
    fn connection(&self) -> MutexGuard<'_, Option<Connection>> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Parts for Pinned {
    fn part(&self, number: u64) -> Result<Vec<u8>, StoreError> {
        let connection = self.connection();
        let connection = connection.as_ref().ok_or(StoreError::Cleared)?;
        artifacts::part(connection, self.id, number).map_err(|fault| {
            self.counts.count_read();
            if fault.is_of_the_file() {
                self.found_damage.store(true, Ordering::Relaxed);
                // Without the mark, the next process finds the damage as this one did.
                let _ = create(&self.directory.mark());
            }
            fault.of_read()
        })
    }
}
