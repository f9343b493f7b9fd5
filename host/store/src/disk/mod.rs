//! A store in a directory, in the SQLite database `session.db`.
//!
//! Each write is one transaction in the write-ahead log, without waiting for the disk. After the end of the
//! process at any moment, at most the last write is missing.
//!
//! | module | contents |
//! |---|---|
//! | `erase` | the removal of all files, and the steps that remove the data of a handle |
//! | `clearing` | the removal of a handle beside other reads and writes |
//! | `upkeep` | the thread that moves the log to the database |
//! | `open` | creation, checks and settings of the database |
//! | `aside` | the renaming of files that are not usable |
//! | `schema` | the tables |
//! | `directory` | the checks of the directory, and the names of files |
//! | `pinned` | artifacts that are open |
//! | `snapshots`, `artifacts`, `cache`, `handles` | the statements for each kind of data |
//! | `codec` | the form of facts and lines |
//! | `statement` | statements that are parsed once |
//! | `fault` | errors of SQLite, and their counts |

mod artifacts;
mod aside;
mod cache;
mod clearing;
mod codec;
mod directory;
mod erase;
mod fault;
mod handles;
mod open;
mod pinned;
mod schema;
mod snapshots;
mod statement;
#[cfg(test)]
mod tests;
mod upkeep;

pub(crate) use erase::{erase, exists};

use crate::backend::{Backend, Draft, Parts};
use crate::error::{Dropped, Problem, StoreError};
use crate::handle::Handle;
use crate::limits::{
    BUSY_PAUSE, PATIENT_STEP, PATIENT_TIME, REOPENED, STALE, StoreLimits, TOUCHED,
};
use crate::records::{ArtifactSummary, NewReply, PathSummary, SetAside, ShownImages, ShownReply};
use crate::snapshot::Snapshot;
use cache::Value;
use directory::{Directory, FileId, create};
use fault::{Counts, Fault};
use pinned::Pins;
use rusqlite::Connection;
use statement::Transaction;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use upkeep::Upkeep;

/// A store in a directory.
#[derive(Debug)]
pub(crate) struct Disk {
    directory: Directory,
    limits: StoreLimits,
    state: Mutex<State>,
    counts: Arc<Counts>,
    pins: Pins,
    upkeep: Upkeep,
    /// The number of times that the database was opened again. It changes only while `state` is locked.
    reopened: AtomicU32,
}

/// The connection, and what this process knows beyond the database.
#[derive(Debug)]
struct State {
    connection: Connection,
    /// The file of the connection.
    file: Option<FileId>,
    /// Whether the database is damaged. It is opened again then, which checks all of it.
    damaged: bool,
    /// The number of times that it was opened again because of damage.
    repairs: u32,
    /// The file that was set aside when the database was opened again.
    set_aside: Option<SetAside>,
    /// Uses of cache entries that the next write notes.
    touched: Vec<(Handle, String)>,
    /// Keys of the cache whose last write was dropped. Their previous values are out of date.
    stale: HashSet<(Handle, String)>,
    /// Handles whose new generation could not be written. The next write starts it.
    pending: BTreeSet<Handle>,
    /// When others prevented a write for the whole time that a write waits.
    busy: Option<Instant>,
}

impl Disk {
    pub(crate) fn open(
        directory: &Path,
        limits: StoreLimits,
    ) -> Result<(Self, Option<SetAside>), StoreError> {
        let directory = Directory::new(directory)?;
        let (connection, set_aside) = open::open(&directory, limits)?;
        Ok((Self::new(directory, limits, connection), set_aside))
    }

    fn new(directory: Directory, limits: StoreLimits, connection: Connection) -> Self {
        let state = State {
            file: directory.file_id(),
            connection,
            damaged: false,
            repairs: 0,
            set_aside: None,
            touched: Vec::new(),
            stale: HashSet::new(),
            pending: BTreeSet::new(),
            busy: None,
        };
        Self {
            upkeep: Upkeep::new(directory.clone(), limits),
            directory,
            limits,
            state: Mutex::new(state),
            counts: Arc::default(),
            pins: Pins::default(),
            reopened: AtomicU32::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the use of a damaged database. The next opening checks all of it.
    fn note_damage(&self, state: &mut State, fault: &Fault) {
        if fault.is_of_the_file() && !state.damaged {
            state.damaged = true;
            // Without the mark, the next process finds the damage as this one did.
            let _ = create(&self.directory.mark());
        }
    }

    /// The identifier of an artifact for the caller. It differs from those of the same number in a database that
    /// was opened before or later.
    fn outer_id(&self, id: i64) -> i64 {
        let reopened = i64::from(self.reopened.load(Ordering::Relaxed));
        (reopened << artifacts::ID_BITS) | id
    }

    /// The identifier of an artifact in the present database.
    fn inner_id(&self, id: i64) -> Result<i64, Fault> {
        let reopened = i64::from(self.reopened.load(Ordering::Relaxed));
        if id >> artifacts::ID_BITS == reopened {
            Ok(id & ((1 << artifacts::ID_BITS) - 1))
        } else {
            Err(Fault::Store(StoreError::Cleared))
        }
    }

    /// Opens the database again if it is damaged, or if another process set it aside.
    fn reopen(&self, state: &mut State) -> Result<(), Fault> {
        state.damaged |= self.pins.take_damage();
        let file = self.directory.file_id();
        // Another process may have removed all files. Without their directory, this one goes on with those it has open.
        let replaced = file != state.file && (file.is_some() || self.directory.path().is_dir());
        if replaced || state.damaged && state.repairs < REOPENED {
            let reopened = self.reopened.load(Ordering::Relaxed);
            self.reopened
                .store((reopened + 1) & artifacts::MOST, Ordering::Relaxed);
            if !replaced {
                state.repairs += 1;
            }
            // The open files are not those of the store any more.
            state.damaged |= replaced;
            if let Ok((connection, set_aside)) = open::open(&self.directory, self.limits) {
                state.connection = connection;
                state.file = self.directory.file_id();
                state.damaged = false;
                state.set_aside = set_aside.or_else(|| state.set_aside.take());
            }
        }
        if state.damaged {
            return Err(Fault::Damaged);
        }
        Ok(())
    }

    /// Writes in one transaction, which is dropped as a whole after an error.
    fn write_in<T>(
        &self,
        state: &mut State,
        work: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let done = self.attempt(state, work);
        if let Err(fault) = &done {
            self.counts.count_write(fault);
        }
        done
    }

    /// Writes in one transaction, without a count of what is dropped.
    fn attempt<T>(
        &self,
        state: &mut State,
        work: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.reopen(state)?;
        let waits = state.busy.is_none_or(|busy| busy.elapsed() > BUSY_PAUSE);
        if !waits {
            state.connection.busy_timeout(Duration::ZERO)?;
        }
        let connection = &state.connection;
        let write = || -> Result<T, Fault> {
            let transaction = Transaction::to_write(connection)?;
            for handle in &state.pending {
                let before = handles::generation(connection, handle)?;
                handles::write_generation(connection, handle, before.saturating_add(1))?;
            }
            cache::touch(connection, &state.touched)?;
            let done = work(connection)?;
            transaction.commit()?;
            Ok(done)
        };
        let done = write();
        if !waits {
            state.connection.busy_handler(Some(open::wait_for_others))?;
        }
        match &done {
            Ok(_) => {
                state.touched.clear();
                state.pending.clear();
                state.busy = None;
                self.upkeep.after_write(&state.connection);
            }
            Err(fault) => {
                if waits && fault.problem() == Problem::Busy {
                    state.busy = Some(Instant::now());
                }
                self.note_damage(state, fault);
            }
        }
        done
    }

    /// Writes outside of a read. While other processes write, it is tried again for some time, and other threads use
    /// the store meanwhile.
    fn write_patiently<T>(
        &self,
        work: impl Fn(&Connection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let start = Instant::now();
        loop {
            let mut state = self.state();
            match self.attempt(&mut state, &work) {
                Err(fault)
                    if fault.problem() == Problem::Busy && start.elapsed() < PATIENT_TIME =>
                {
                    drop(state);
                    thread::sleep(PATIENT_STEP);
                }
                done => {
                    if let Err(fault) = &done {
                        self.counts.count_write(fault);
                    }
                    return done;
                }
            }
        }
    }

    fn write<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
        self.write_in(&mut self.state(), work)
    }

    /// Reads in one transaction, so that all rows are of one time.
    fn read_in<T>(
        &self,
        state: &mut State,
        work: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let reopened = self.reopen(state);
        let read = || {
            reopened?;
            let transaction = Transaction::to_read(&state.connection)?;
            let found = work(&state.connection)?;
            transaction.commit()?;
            Ok(found)
        };
        let done = read();
        if let Err(fault) = &done
            && !matches!(fault, Fault::Store(_))
        {
            self.counts.count_read();
            self.note_damage(state, fault);
        }
        done
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
        self.read_in(&mut self.state(), work)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let mut state = self.state();
        if !state.touched.is_empty() || !state.pending.is_empty() {
            // They are worth one attempt.
            let _ = self.write_in(&mut state, |_| Ok(()));
        }
        self.upkeep.close(&state.connection);
    }
}

impl Backend for Disk {
    fn remember(&self, handle: &Handle, snapshot: Snapshot) -> bool {
        let limits = self.limits;
        let kept =
            self.write(|connection| snapshots::remember(connection, limits, handle, snapshot));
        kept.unwrap_or(false)
    }

    fn versions(&self, handle: &Handle, path: &str, tag: Option<&str>) -> Vec<Snapshot> {
        let found = self.read(|connection| snapshots::versions(connection, handle, path, tag));
        let (versions, damaged) = found.unwrap_or_default();
        for _ in 0..damaged {
            self.counts.count_read();
        }
        versions
    }

    fn paths(&self, handle: &Handle) -> Vec<PathSummary> {
        let paths = self.read(|connection| snapshots::paths(connection, handle));
        paths.unwrap_or_default()
    }

    fn get(&self, handle: &Handle, key: &str) -> Option<Vec<u8>> {
        let mut state = self.state();
        let place = (handle.clone(), key.to_owned());
        if state.stale.contains(&place) || state.stale.len() > STALE {
            return None;
        }
        let value = self.read_in(&mut state, |connection| cache::get(connection, handle, key));
        let Value::Sound(value) = value.ok()?? else {
            self.counts.count_read();
            return None;
        };
        state.touched.retain(|touched| *touched != place);
        if state.touched.len() >= TOUCHED {
            state.touched.remove(0);
        }
        state.touched.push(place);
        Some(value)
    }

    fn put(&self, handle: &Handle, key: &str, value: &[u8]) -> bool {
        let limits = self.limits;
        let mut state = self.state();
        let put = self.write_in(&mut state, |connection| {
            cache::put(connection, limits, handle, key, value)
        });
        let place = (handle.clone(), key.to_owned());
        match put {
            Ok(_) => state.stale.remove(&place),
            Err(_) if state.stale.len() > STALE => false,
            Err(_) => state.stale.insert(place),
        };
        put.unwrap_or(false)
    }

    fn append(&self, draft: &mut Draft, part: &[u8]) -> Result<(), StoreError> {
        let id = self.write(|connection| {
            let id = draft.id.map(|id| self.inner_id(id)).transpose()?;
            let id = artifacts::append(connection, self.limits, (draft, id), part)?;
            Ok(self.outer_id(id))
        });
        draft.id = Some(id.map_err(Fault::of_write)?);
        draft.parts += 1;
        draft.size = draft.size.saturating_add(part.len() as u64);
        Ok(())
    }

    fn finish(&self, draft: &mut Draft, part: &[u8]) -> Result<u64, StoreError> {
        let number = self.write(|connection| {
            let id = draft.id.map(|id| self.inner_id(id)).transpose()?;
            let id = artifacts::append(connection, self.limits, (draft, id), part)?;
            let size = draft.size.saturating_add(part.len() as u64);
            artifacts::finish(connection, id, draft, size)
        });
        number.map_err(Fault::of_write)
    }

    fn abandon(&self, id: i64) {
        // What stays after an error is removed later, as after the end of the process.
        let _ = self.write(|connection| artifacts::abandon(connection, self.inner_id(id)?));
    }

    fn artifact_limit(&self) -> u64 {
        self.limits.artifacts()
    }

    fn open_artifact(
        &self,
        handle: &Handle,
        number: u64,
    ) -> Result<(Arc<dyn Parts>, ArtifactSummary), StoreError> {
        let place = (&self.directory, self.limits);
        let opened = self.read(|_| self.pins.open(place, &self.counts, handle, number));
        let (pinned, summary) = opened.map_err(Fault::of_read)?;
        Ok((pinned, summary))
    }

    fn artifacts(&self, handle: &Handle) -> Vec<ArtifactSummary> {
        let list = self.read(|connection| artifacts::list(connection, handle));
        list.unwrap_or_default()
    }

    fn generation(&self, handle: &Handle) -> u64 {
        let mut state = self.state();
        let written = self.read_in(&mut state, |connection| {
            handles::generation(connection, handle)
        });
        let pending = u64::from(state.pending.contains(handle));
        written.unwrap_or(0).saturating_add(pending)
    }

    fn start_generation(&self, handle: &Handle) -> Result<u64, StoreError> {
        // Whatever happens, no reply of an earlier generation counts as shown in this process.
        self.state().pending.insert(handle.clone());
        let started = self.write_patiently(|connection| handles::generation(connection, handle));
        started.map_err(|fault| StoreError::Generation(fault.problem()))
    }

    fn shown(&self, handle: &Handle, key: &[u8; 32]) -> Option<ShownReply> {
        let mut state = self.state();
        if state.pending.contains(handle) {
            return None;
        }
        let shown = self.read_in(&mut state, |connection| {
            handles::shown(connection, handle, key)
        });
        shown.ok()?
    }

    fn note_shown(&self, handle: &Handle, key: &[u8; 32], reply: &NewReply<'_>) -> bool {
        let mut state = self.state();
        let noted = self.write_in(&mut state, |connection| {
            let is_present = handles::generation(connection, handle)? == reply.generation;
            if is_present {
                handles::note_shown(connection, handle, self.limits, key, reply)?;
            }
            Ok(is_present)
        });
        // An earlier reply to the same request would be taken for the last one.
        if noted.is_err() {
            state.pending.insert(handle.clone());
        }
        noted.unwrap_or(false)
    }

    fn images(&self, handle: &Handle) -> ShownImages {
        let mut state = self.state();
        if state.pending.contains(handle) {
            return ShownImages::default();
        }
        let images = self.read_in(&mut state, |connection| handles::images(connection, handle));
        images.unwrap_or_default()
    }

    fn add_images(&self, handle: &Handle, generation: u64, images: ShownImages) -> bool {
        let mut state = self.state();
        let added = self.write_in(&mut state, |connection| {
            let is_present = handles::generation(connection, handle)? == generation;
            if is_present {
                handles::add_images(connection, handle, images)?;
            }
            Ok(is_present)
        });
        added.unwrap_or(false)
    }

    fn clear(&self, handle: &Handle) -> Result<(), StoreError> {
        let hidden = self.write_patiently(|connection| erase::hide(connection, handle));
        hidden.map_err(Fault::of_write)?;
        self.pins.clear(Some(handle));
        let mut state = self.state();
        state.pending.remove(handle);
        state.stale.retain(|(of, _)| of != handle);
        drop(state);
        self.remove_hidden();
        Ok(())
    }

    fn clear_all(&self) -> Result<(), StoreError> {
        let mut state = self.state();
        self.pins.clear(None);
        erase::erase_all(&self.directory)?;
        state.pending.clear();
        state.stale.clear();
        state.touched.clear();
        // After an error, the next use tries it again.
        let _ = self.reopen(&mut state);
        Ok(())
    }

    fn handles(&self) -> Vec<Handle> {
        self.read(handles::all).unwrap_or_default()
    }

    fn set_aside(&self) -> Option<SetAside> {
        self.state().set_aside.clone()
    }

    fn dropped(&self) -> Dropped {
        self.counts.dropped()
    }
}
