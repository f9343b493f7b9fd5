//! The opening of a store on disk: its creation, its checks, and the settings of connections.

use super::aside::set_aside;
use super::directory::{Access, Directory, create, of_path};
use super::erase;
use super::fault::Fault;
use super::schema;
use super::statement::{Transaction, execute, first_row};
use crate::error::{Problem, StoreError};
use crate::limits::{BUSY_MILLISECONDS, LOG_BYTES, StoreLimits};
use crate::records::SetAside;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The size of the pages of a database in bytes, which is the default of SQLite.
const PAGE_BYTES: u64 = 4096;

/// The number of statements that a connection keeps after parsing: more than there are in this crate.
const STATEMENTS: usize = 96;

/// Opens the database of a directory, or creates it. A database that is not usable is set aside.
pub(super) fn open(
    directory: &Directory,
    limits: StoreLimits,
) -> Result<(Connection, Option<SetAside>), StoreError> {
    let (lock, access) = directory.lock()?;
    let result = open_as(directory, limits, access);
    drop(lock);
    result
}

/// Opens the database while no other process opens it.
pub(super) fn open_as(
    directory: &Directory,
    limits: StoreLimits,
    access: Access,
) -> Result<(Connection, Option<SetAside>), StoreError> {
    erase::finish(directory, access)?;
    let path = directory.database();
    let reason = match path.symlink_metadata() {
        // A log without its database would be read as a part of the new one.
        Err(_) if directory.log().symlink_metadata().is_ok() => {
            "the database of its log is missing".to_owned()
        }
        Err(_) => return Ok((created(directory, limits, access)?, None)),
        Ok(metadata) if !metadata.is_file() => "it is not a regular file".to_owned(),
        Ok(_) => match check(directory, limits, access) {
            Ok(connection) => return Ok((connection, None)),
            Err(Unusable::Reason(reason)) => reason,
            Err(Unusable::Error(error)) => return Err(error),
        },
    };
    if access == Access::ReadOnly {
        return Err(StoreError::Path {
            path,
            verb: "open",
            reason,
        });
    }
    let aside = set_aside(directory, reason)?;
    Ok((created(directory, limits, access)?, Some(aside)))
}

/// Creates the database, and opens it.
fn created(
    directory: &Directory,
    limits: StoreLimits,
    access: Access,
) -> Result<Connection, StoreError> {
    let path = directory.database();
    let created = create_database(directory);
    created.map_err(|fault| failed(&path, "create", fault))?;
    let connection = check(directory, limits, access).map_err(|unusable| match unusable {
        Unusable::Error(error) => error,
        Unusable::Reason(reason) => StoreError::Path {
            path: path.clone(),
            verb: "create",
            reason,
        },
    })?;
    start_log(&connection).map_err(|fault| failed(&path, "create", fault))?;
    Ok(connection)
}

/// Writes the start of the log without waiting for the disk. There is no earlier log that it could be mixed with.
/// Otherwise, the first read would wait.
fn start_log(connection: &Connection) -> Result<(), Fault> {
    connection.pragma_update(None, "synchronous", "OFF")?;
    execute(
        connection,
        "UPDATE total SET checkpoints = checkpoints + 1",
        [],
    )?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok(())
}

/// Why a database cannot be used.
enum Unusable {
    /// It is set aside for this reason.
    Reason(String),
    /// The system does not let the process use it.
    Error(StoreError),
}

fn failed(path: &Path, verb: &'static str, fault: Fault) -> StoreError {
    match fault {
        Fault::Store(error) => error,
        Fault::Sql(error) if fault_is_busy(&error) => StoreError::Busy(path.to_owned()),
        Fault::Sql(error) => StoreError::Path {
            path: path.to_owned(),
            verb,
            reason: error.to_string(),
        },
        Fault::Damaged => StoreError::Path {
            path: path.to_owned(),
            verb,
            reason: Problem::Damaged.to_string(),
        },
    }
}

fn fault_is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

/// Opens a database, and checks that it is a store.
fn check(
    directory: &Directory,
    limits: StoreLimits,
    access: Access,
) -> Result<Connection, Unusable> {
    let path = directory.database();
    let unusable = |fault: Fault| {
        if fault.problem() == Problem::Damaged {
            Unusable::Reason("it is damaged".to_owned())
        } else {
            Unusable::Error(failed(&path, "open", fault))
        }
    };
    let connection = connect(&path, limits, access).map_err(unusable)?;
    if let Some(reason) = schema::mismatch(&connection).map_err(unusable)? {
        return Err(Unusable::Reason(reason));
    }
    let complete = match access {
        Access::Write => has_its_end(&connection, &path),
        Access::ReadOnly => has_its_end_or_a_log(&connection, directory),
    };
    if !complete.map_err(unusable)? {
        return Err(Unusable::Reason(
            "it is damaged: its end is missing".to_owned(),
        ));
    }
    if directory.mark().symlink_metadata().is_ok() {
        let mut sound = connection
            .prepare("PRAGMA integrity_check(1)")
            .map_err(|error| unusable(error.into()))?;
        let sound = sound.query_row([], |row| row.get::<_, String>(0));
        if sound.map_err(|error| unusable(error.into()))? != "ok" {
            return Err(Unusable::Reason("it is damaged".to_owned()));
        }
        // Reads decide again whether the database is damaged, if the mark stays.
        let _ = fs::remove_file(directory.mark());
    }
    Ok(connection)
}

/// Whether the file of a database has all its pages. SQLite does not notice that a part of the last page is
/// missing. True also if the end of the database may be in the log.
fn has_its_end(connection: &Connection, path: &Path) -> Result<bool, Fault> {
    let before = Log::of(connection)?;
    let complete = has_all_pages(connection, path)?;
    let after = Log::of(connection)?;
    Ok(complete || before.pages != before.moved || before != after)
}

/// As [`has_its_end`], for a database that is read-only: SQLite does not report the state of its log.
fn has_its_end_or_a_log(connection: &Connection, directory: &Directory) -> Result<bool, Fault> {
    let log = fs::metadata(directory.log()).map_or(0, |log| log.len());
    Ok(has_all_pages(connection, &directory.database())? || log > 0)
}

/// Whether the file of a database is as long as its pages.
fn has_all_pages(connection: &Connection, path: &Path) -> Result<bool, Fault> {
    // During a transaction, no other process shortens the file.
    let _transaction = Transaction::to_read(connection)?;
    let pages = schema::pragma(connection, "page_count")?;
    let bytes = fs::metadata(path).map_err(|error| Fault::Store(of_path(path, "open", &error)))?;
    Ok(bytes.len() >= u64::try_from(pages).unwrap_or(0).saturating_mul(PAGE_BYTES))
}

/// The number of pages in the write-ahead log of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Log {
    pub(super) pages: i64,
    /// The number of pages that the database has too.
    pub(super) moved: i64,
}

impl Log {
    pub(super) fn of(connection: &Connection) -> Result<Self, Fault> {
        Self::after(connection, "PRAGMA wal_checkpoint(NOOP)")
    }

    /// Moves the log to the database, as far as no process reads old pages.
    pub(super) fn moved(connection: &Connection) -> Result<Self, Fault> {
        Self::after(connection, "PRAGMA wal_checkpoint(PASSIVE)")
    }

    /// Moves the whole log while other writers wait.
    pub(super) fn moved_alone(connection: &Connection) -> Result<Self, Fault> {
        Self::after(connection, "PRAGMA wal_checkpoint(RESTART)")
    }

    fn after(connection: &Connection, pragma: &str) -> Result<Self, Fault> {
        let log = first_row(connection, pragma, [], |row| {
            Ok(Self {
                pages: row.get(1)?,
                moved: row.get(2)?,
            })
        });
        Ok(log?)
    }

    /// The size of the log in bytes.
    pub(super) fn bytes(self) -> u64 {
        let pages = u64::try_from(self.pages).unwrap_or(0);
        pages.saturating_mul(PAGE_BYTES)
    }
}

/// Waits a millisecond for other processes, unless it was called often enough. The waits of SQLite itself become so
/// long that several writers in turn do not get their turn in time.
pub(super) fn wait_for_others(waits: i32) -> bool {
    if waits < BUSY_MILLISECONDS {
        thread::sleep(Duration::from_millis(1));
    }
    waits < BUSY_MILLISECONDS
}

/// Makes a connection to a database that exists.
pub(super) fn connect(
    path: &Path,
    limits: StoreLimits,
    access: Access,
) -> Result<Connection, Fault> {
    let access = match access {
        Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
        Access::ReadOnly => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_handler(Some(wait_for_others))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // The last connection would move the log to the database in the path of a read, and remove it by its
    // name, which may belong to another database after this one was set aside.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Without this, statements are parsed again for other values, in case that another plan is better.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.execute_batch(
        "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA synchronous = NORMAL",
    )?;
    for (name, value) in [
        ("mmap_size", 0),
        ("wal_autocheckpoint", 0),
        // The file of a log that became very large is cut when the log starts again.
        ("journal_size_limit", LOG_BYTES.saturating_mul(2)),
        // Pages are not always full. A wrong count of sizes cannot fill the disk.
        (
            "max_page_count",
            (limits.bytes / PAGE_BYTES)
                .saturating_mul(2)
                .saturating_add(4096),
        ),
    ] {
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        connection
            .pragma_update_and_check(None, name, value, |_| Ok(()))
            .or_else(|error| match error {
                rusqlite::Error::QueryReturnedNoRows => Ok(()),
                error => Err(error),
            })?;
    }
    Ok(connection)
}

/// Creates an empty database under another name, and renames it when it is complete.
fn create_database(directory: &Directory) -> Result<(), Fault> {
    let path = directory.file(".new");
    let failed = |verb, error: &std::io::Error| Fault::Store(of_path(&path, verb, error));
    // A process that was killed may have left files.
    for part in [".new", ".new-journal", ".new-wal", ".new-shm"] {
        let _ = fs::remove_file(directory.file(part));
    }
    create(&path).map_err(|error| failed("create", &error))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(&path, flags)?;
    // If the power fails now, the database is set aside, and nothing is lost.
    connection.pragma_update(None, "synchronous", "OFF")?;
    schema::create(&connection)?;
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        return Err(Fault::Store(StoreError::Path {
            path,
            verb: "create",
            reason: "its file system has no shared memory for a write-ahead log".to_owned(),
        }));
    }
    connection.close().map_err(|(_, error)| error)?;
    let database = directory.database();
    fs::rename(&path, &database).map_err(|error| failed("rename", &error))?;
    Ok(())
}
