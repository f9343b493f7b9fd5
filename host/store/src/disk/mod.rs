//! A store in a directory, in the SQLite database `session.db`.
//!
//! Each write is one transaction in the write-ahead log, without waiting for the disk. After the end of the
//! process at any moment, at most the last write is missing.
//!
//! | module | contents |
//! |---|---|
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
mod codec;
mod directory;
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

use crate::backend::{Backend, Draft, Parts, now};
use crate::error::{Dropped, StoreError};
use crate::handle::Handle;
use crate::limits::{CLOSE_LONG_TIME, REOPENED, STALE, StoreLimits, TOUCHED};
use crate::records::{ArtifactSummary, PathSummary, SetAside, ShownReply};
use crate::snapshot::Snapshot;
use cache::Value;
use directory::{Directory, FileId, create};
use fault::{Counts, Fault};
use pinned::Pins;
use rusqlite::Connection;
use statement::Transaction;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use upkeep::Upkeep;

/// The number of bits of the identifier of an artifact that is not finished. The bits above count how often the database was opened again.
const ID_BITS: u32 = 48;

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
    /// The file that was set aside when the database was opened again.
    set_aside: Option<SetAside>,
    /// Uses of cache entries that the next write notes.
    touched: Vec<(Handle, String)>,
    /// Keys of the cache whose last write was dropped. Their previous values are out of date.
    stale: HashSet<(Handle, String)>,
    /// Generations that this process started and could not write.
    generations: HashMap<Handle, u64>,
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
            set_aside: None,
            touched: Vec::new(),
            stale: HashSet::new(),
            generations: HashMap::new(),
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
        (reopened << ID_BITS) | id
    }

    /// The identifier of an artifact in the present database.
    fn inner_id(&self, id: i64) -> Result<i64, Fault> {
        let reopened = i64::from(self.reopened.load(Ordering::Relaxed));
        if id >> ID_BITS == reopened {
            Ok(id & ((1 << ID_BITS) - 1))
        } else {
            Err(Fault::Store(StoreError::Cleared))
        }
    }

    /// Opens the database again if it is damaged, or if another process set it aside.
    fn reopen(&self, state: &mut State) -> Result<(), Fault> {
        state.damaged |= self.pins.take_damage();
        let file = self.directory.file_id();
        let replaced = file.is_some() && file != state.file;
        let reopened = self.reopened.load(Ordering::Relaxed);
        if (state.damaged || replaced) && reopened < REOPENED {
            self.reopened.store(reopened + 1, Ordering::Relaxed);
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
        if let Err(fault) = self.reopen(state) {
            self.counts.count_write(&fault);
            return Err(fault);
        }
        let connection = &state.connection;
        let touched = &state.touched;
        let write = || {
            let transaction = Transaction::to_write(connection)?;
            cache::touch(connection, touched)?;
            let done = work(connection)?;
            transaction.commit()?;
            Ok(done)
        };
        match write() {
            Ok(done) => {
                state.touched.clear();
                self.upkeep.after_write(&state.connection);
                Ok(done)
            }
            Err(fault) => {
                self.counts.count_write(&fault);
                self.note_damage(state, &fault);
                Err(fault)
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

    /// The present generation, with those that could not be written.
    fn generation_in(&self, state: &mut State, handle: &Handle) -> u64 {
        let written = self.read_in(state, |connection| handles::generation(connection, handle));
        let unwritten = state.generations.get(handle).copied().unwrap_or(0);
        written.unwrap_or(0).max(unwritten)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let mut state = self.state();
        if !state.touched.is_empty() {
            // The order of use in the cache is worth one attempt.
            let _ = self.write_in(&mut state, |_| Ok(()));
        }
        self.upkeep.close(&state.connection);
    }
}

impl Disk {
    /// Writes the database again without the pages that were freed, whose bytes would stay in the files. Another
    /// process that writes at the same time prevents this. The pages are used again then.
    fn erase(&self) {
        const ERASE: &str =
            "PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE);";
        let mut state = self.state();
        if self.reopen(&mut state).is_ok() {
            self.upkeep.wait(CLOSE_LONG_TIME);
            let _ = state.connection.execute_batch(ERASE);
        }
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
        self.generation_in(&mut self.state(), handle)
    }

    fn start_generation(&self, handle: &Handle) -> u64 {
        let mut state = self.state();
        // Another process may start one at the same time, so the number is read in the same transaction.
        let unwritten = state.generations.get(handle).copied().unwrap_or(0);
        let started = self.write_in(&mut state, |connection| {
            let before = handles::generation(connection, handle)?.max(unwritten);
            let generation = before.saturating_add(1);
            handles::write_generation(connection, handle, generation)?;
            Ok(generation)
        });
        started.unwrap_or_else(|_| {
            // No reply of an earlier generation may count as shown.
            let generation = self.generation_in(&mut state, handle).saturating_add(1);
            state.generations.insert(handle.clone(), generation);
            generation
        })
    }

    fn shown(&self, handle: &Handle, key: &[u8; 32]) -> Option<ShownReply> {
        let mut state = self.state();
        let shown = self.read_in(&mut state, |connection| {
            handles::shown(connection, handle, key)
        });
        let unwritten = state.generations.get(handle).copied().unwrap_or(0);
        shown.ok()?.filter(|reply| reply.generation >= unwritten)
    }

    fn note_shown(&self, handle: &Handle, key: &[u8; 32], path: &str) -> bool {
        let mut state = self.state();
        let unwritten = state.generations.get(handle).copied().unwrap_or(0);
        let noted = self.write_in(&mut state, |connection| {
            let mut generation = handles::generation(connection, handle)?;
            if unwritten > generation {
                generation = unwritten;
                handles::write_generation(connection, handle, generation)?;
            }
            let reply = ShownReply {
                path: path.to_owned(),
                generation,
                read: now(),
            };
            handles::note_shown(connection, handle, key, &reply)
        });
        noted.is_ok()
    }

    fn clear(&self, handle: &Handle) -> Result<(), StoreError> {
        let mut state = self.state();
        let cleared = self.write_in(&mut state, |connection| handles::clear(connection, handle));
        cleared.map_err(Fault::of_write)?;
        self.pins.clear(Some(handle));
        state.generations.remove(handle);
        state.stale.retain(|(of, _)| of != handle);
        drop(state);
        self.erase();
        Ok(())
    }

    fn clear_all(&self) -> Result<(), StoreError> {
        let mut state = self.state();
        let cleared = self.write_in(&mut state, handles::clear_all);
        cleared.map_err(Fault::of_write)?;
        self.pins.clear(None);
        state.generations.clear();
        state.stale.clear();
        drop(state);
        self.erase();
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
