//! Upkeep of a store on disk, on a thread of its own: moves the write-ahead log to the database, and gives
//! unused pages back to the file system. Only here the process waits for the disk.

use super::directory::{Access, Directory};
use super::fault::Fault;
use super::open::{Log, connect};
use super::schema::pragma;
use crate::error::StoreError;
use crate::limits::{
    CLOSE_LONG_TIME, CLOSE_TIME, LOG_BYTES, LONG_LOG_BYTES, MANY_LOG_BYTES, StoreLimits, WRITE_TIME,
};
use rusqlite::Connection;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The maximum number of used pages of a database that is written again without its unused pages: 4 MiB. Other
/// writers wait meanwhile, for less time than after which they drop a write. A larger one keeps its unused pages for
/// the next writes.
const COMPACT_PAGES: i64 = 1024;

/// The upkeep of a store.
#[derive(Clone, Debug)]
pub(super) struct Upkeep(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    directory: Directory,
    limits: StoreLimits,
    /// Whether a thread runs.
    runs: Mutex<bool>,
    ended: Condvar,
    /// The size of the log in bytes from which the next thread starts.
    next: AtomicU64,
    /// The size of the log in bytes from which a writer waits for the thread.
    next_wait: AtomicU64,
}

impl Upkeep {
    pub(super) fn new(directory: Directory, limits: StoreLimits) -> Self {
        Self(Arc::new(Shared {
            directory,
            limits,
            runs: Mutex::new(false),
            ended: Condvar::new(),
            next: AtomicU64::new(LOG_BYTES),
            next_wait: AtomicU64::new(LONG_LOG_BYTES),
        }))
    }

    /// Starts a thread if the log is large.
    pub(super) fn after_write(&self, connection: &Connection) {
        // Without the size, the next write decides.
        let bytes = Log::of(connection).map_or(0, Log::bytes);
        if bytes > self.0.next.load(Ordering::Relaxed) {
            self.start();
        }
        if bytes > self.0.next_wait.load(Ordering::Relaxed) {
            // With a slow disk, a writer waits again only after as many bytes.
            let next = bytes.saturating_add(LONG_LOG_BYTES);
            self.0.next_wait.store(next, Ordering::Relaxed);
            self.wait(WRITE_TIME);
        }
    }

    /// Waits for the end of the thread.
    pub(super) fn wait(&self, time: Duration) {
        let runs = self.0.runs.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.ended.wait_timeout_while(runs, time, |runs| *runs));
    }

    /// Starts a thread, unless one runs.
    pub(super) fn start(&self) {
        let mut runs = self.0.runs.lock().unwrap_or_else(PoisonError::into_inner);
        if *runs {
            return;
        }
        let shared = Arc::clone(&self.0);
        let thread = thread::Builder::new().name("omniread-store".to_owned());
        // Without a thread, the log grows until the next attempt.
        *runs = thread.spawn(move || shared.run()).is_ok();
    }

    /// Starts a thread if the log is large, and waits some time for it.
    pub(super) fn close(&self, connection: &Connection) {
        let bytes = Log::of(connection).map_or(0, Log::bytes);
        if bytes > LOG_BYTES {
            self.start();
        }
        let time = if bytes > LONG_LOG_BYTES {
            CLOSE_LONG_TIME
        } else {
            CLOSE_TIME
        };
        self.wait(time);
    }
}

impl Shared {
    fn run(&self) {
        let done = self.work();
        // After an error, or while others read old pages, the log grows before the next attempt.
        let next = match done {
            Ok(log) if log.pages == log.moved => {
                self.next_wait.store(LONG_LOG_BYTES, Ordering::Relaxed);
                LOG_BYTES
            }
            Ok(log) => log.bytes().saturating_add(LOG_BYTES),
            Err(_) => self.next.load(Ordering::Relaxed).saturating_add(LOG_BYTES),
        };
        self.next.store(next, Ordering::Relaxed);
        *self.runs.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.ended.notify_all();
    }

    fn work(&self) -> Result<Log, Fault> {
        let path = self.directory.database();
        let file = self.directory.file_id();
        // The first statement opens the log by its name. After a removal of all files, it would create one.
        let (lock, _) = self.directory.lock().map_err(Fault::Store)?;
        let connection = connect(&path, self.limits, Access::Write)?;
        let unused = pragma(&connection, "freelist_count")?;
        drop(lock);
        // The log of another database must not be moved to this one.
        if file != self.directory.file_id() {
            return Err(Fault::Store(StoreError::Cleared));
        }
        let used = pragma(&connection, "page_count")?.saturating_sub(unused);
        if unused > COMPACT_PAGES && used < COMPACT_PAGES {
            connection.execute_batch("VACUUM")?;
        }
        move_log(&connection)
    }
}

/// Moves the log to the database, and starts it again.
fn move_log(connection: &Connection) -> Result<Log, Fault> {
    let mut log = Log::moved(connection)?;
    if log.pages != log.moved {
        // What was written meanwhile is little.
        log = Log::moved(connection)?;
    }
    if log.pages != log.moved && log.bytes() > MANY_LOG_BYTES {
        log = Log::moved_alone(connection)?;
    }
    if log.pages == log.moved {
        // The first write after this starts the log again, and waits for the disk. This is that write.
        connection.execute("UPDATE total SET checkpoints = checkpoints + 1", [])?;
    }
    Ok(log)
}
