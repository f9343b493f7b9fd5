//! Upkeep of a store on disk, on a thread of its own: moves the write-ahead log to the database, and gives unused
//! pages back to the file system. Only here the process waits for the disk.

use super::directory::{Access, Directory};
use super::fault::Fault;
use super::open::connect;
use super::schema::pragma;
use crate::limits::{CLOSE_LONG_TIME, CLOSE_TIME, LOG_BYTES, LONG_LOG_BYTES, Limits};
use rusqlite::Connection;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// The number of pages that one step gives back, so that other writers wait for some milliseconds.
const STEP_PAGES: i64 = 512;

/// The number of unused pages that stay in the file, for the next writes.
const SPARE_PAGES: i64 = 1024;

/// The upkeep of a store.
#[derive(Clone, Debug)]
pub(super) struct Upkeep(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    directory: Directory,
    limits: Limits,
    /// Whether a thread runs.
    runs: Mutex<bool>,
    ended: Condvar,
    /// The size of the log in bytes from which the next thread starts.
    next: AtomicU64,
}

impl Upkeep {
    pub(super) fn new(directory: Directory, limits: Limits) -> Self {
        Self(Arc::new(Shared {
            directory,
            limits,
            runs: Mutex::new(false),
            ended: Condvar::new(),
            next: AtomicU64::new(LOG_BYTES),
        }))
    }

    /// Starts a thread if the log is large.
    pub(super) fn after_write(&self) {
        if self.0.directory.log_bytes() > self.0.next.load(Ordering::Relaxed) {
            self.start();
        }
    }

    fn start(&self) {
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
    pub(super) fn close(&self) {
        let bytes = self.0.directory.log_bytes();
        if bytes > LOG_BYTES {
            self.start();
        }
        let time = if bytes > LONG_LOG_BYTES {
            CLOSE_LONG_TIME
        } else {
            CLOSE_TIME
        };
        let runs = self.0.runs.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.ended.wait_timeout_while(runs, time, |runs| *runs));
    }
}

impl Shared {
    fn run(&self) {
        let done = self.work();
        // After an error, or while others read old pages, the log grows before the next attempt.
        let next = match done {
            Ok(true) => LOG_BYTES,
            _ => self.directory.log_bytes().saturating_add(LOG_BYTES),
        };
        self.next.store(next, Ordering::Relaxed);
        *self.runs.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.ended.notify_all();
    }

    /// Returns whether the whole log was moved.
    fn work(&self) -> Result<bool, Fault> {
        let path = self.directory.database();
        let connection = connect(&path, self.limits, Access::Write)?;
        let moved = move_log(&connection)?;
        let unused = give_back(&connection)?;
        Ok(if unused {
            move_log(&connection)?
        } else {
            moved
        })
    }
}

fn move_log(connection: &Connection) -> Result<bool, Fault> {
    let moved = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        let (log, moved): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok(log == moved)
    })?;
    if moved {
        // The first write after this starts the log again, and waits for the disk. This is that write.
        connection.execute("UPDATE total SET checkpoints = checkpoints + 1", [])?;
    }
    Ok(moved)
}

/// Gives unused pages back if they are more than a quarter. Returns whether it did.
fn give_back(connection: &Connection) -> Result<bool, Fault> {
    let mut some = false;
    loop {
        let unused = pragma(connection, "freelist_count")?;
        let pages = pragma(connection, "page_count")?;
        if unused <= SPARE_PAGES.saturating_add(pages / 4) {
            return Ok(some);
        }
        let mut step = connection.prepare(&format!("PRAGMA incremental_vacuum({STEP_PAGES})"))?;
        let mut rows = step.query([])?;
        while rows.next()?.is_some() {}
        some = true;
    }
}
