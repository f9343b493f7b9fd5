//! The removal of what a store has: all files of a directory, or the data of one handle in small steps.

use super::directory::{Access, Directory, create, of_path};
use super::fault::Fault;
use super::statement::{execute, first_row};
use crate::error::{Problem, StoreError};
use crate::handle::Handle;
use rusqlite::{Connection, OptionalExtension};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

/// The beginning of the names of all files of stores.
const FILES: &str = "session.db";

/// Whether there is a store in a directory.
pub(crate) fn exists(directory: &Path) -> bool {
    directory.join(FILES).symlink_metadata().is_ok()
}

/// Removes all files of stores in a directory. Returns false if there are none.
pub(crate) fn erase(directory: &Path) -> Result<bool, StoreError> {
    match Directory::existing(directory)? {
        Some(directory) => erase_all(&directory),
        None => Ok(false),
    }
}

/// Removes all files while no process opens the store. Those that have it open notice that its file is another one.
pub(super) fn erase_all(directory: &Directory) -> Result<bool, StoreError> {
    if files(directory)?.is_empty() {
        return Ok(false);
    }
    match directory.lock()? {
        (Some(_lock), Access::Write) => remove_all(directory).map(|()| true),
        _ => Err(StoreError::Write(Problem::ReadOnly)),
    }
}

/// Ends the removal that a process began and did not end.
pub(super) fn finish(directory: &Directory, access: Access) -> Result<(), StoreError> {
    if access == Access::Write && directory.erasing().symlink_metadata().is_ok() {
        remove_all(directory)?;
    }
    Ok(())
}

fn remove_all(directory: &Directory) -> Result<(), StoreError> {
    // Without the mark, the next process sets aside what is left after the end of this one.
    let _ = create(&directory.erasing());
    for name in files(directory)? {
        let path = directory.path().join(name);
        remove(&path).map_err(|error| of_path(&path, "remove", &error))?;
    }
    match fs::remove_file(directory.erasing()) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(of_path(&directory.erasing(), "remove", &error))
        }
        _ => Ok(()),
    }
}

/// The names of all files, the database first: without it, no process uses the others.
fn files(directory: &Directory) -> Result<Vec<String>, StoreError> {
    let path = directory.path();
    let failed = |error: io::Error| of_path(path, "list", &error);
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_str().filter(|name| name.starts_with(FILES));
        files.extend(name.map(str::to_owned));
    }
    let kept = ["session.db.lock", "session.db.erasing"];
    files.retain(|name| !kept.contains(&&**name));
    files.sort_unstable();
    Ok(files)
}

/// Removes a file, and its bytes also for those who have it open.
fn remove(path: &Path) -> io::Result<()> {
    let metadata = path.symlink_metadata()?;
    if metadata.is_dir() {
        return fs::remove_dir(path);
    }
    let is_alone = {
        #[cfg(unix)]
        {
            std::os::unix::fs::MetadataExt::nlink(&metadata) == 1
        }
        #[cfg(not(unix))]
        true
    };
    // Other processes have the index of a log in their memory, and a part that is missing would end them.
    let is_index = path.to_string_lossy().ends_with("-shm");
    let file: Option<File> = if metadata.is_file() && is_alone && !is_index {
        create(path).ok()
    } else {
        None
    };
    fs::remove_file(path)?;
    if let Some(file) = file {
        // What cannot be cut ends with the last process that uses it.
        let _ = file.set_len(0);
    }
    Ok(())
}

/// Takes the name of a handle away, so that nothing of it is found any more.
pub(super) fn hide(connection: &Connection, handle: &Handle) -> Result<(), Fault> {
    // No handle has a space.
    execute(
        connection,
        "UPDATE handle SET name = 'cleared ' || id WHERE name = ?1",
        [handle.as_str()],
    )?;
    Ok(())
}

/// The steps in which the data of a handle are removed. Each is a transaction of some megabytes at most.
const STEPS: [&str; 6] = [
    "DELETE FROM part WHERE id IN (SELECT part.id FROM part JOIN artifact ON artifact.id = part.artifact WHERE artifact.handle = ?1 LIMIT 16)",
    "DELETE FROM artifact WHERE id IN (SELECT id FROM artifact WHERE handle = ?1 LIMIT 200)",
    "DELETE FROM cache WHERE (handle, key) IN (SELECT handle, key FROM cache WHERE handle = ?1 LIMIT 2)",
    "DELETE FROM path WHERE (handle, name) IN (SELECT handle, name FROM path WHERE handle = ?1 LIMIT 4)",
    "DELETE FROM reply WHERE (handle, key) IN (SELECT handle, key FROM reply WHERE handle = ?1 LIMIT 200)",
    "DELETE FROM handle WHERE id = ?1",
];

/// Moves the log to the database, and empties it. The first pass does not hinder others, so that little is left for the
/// second one.
pub(super) const EMPTY_LOG: &str =
    "PRAGMA wal_checkpoint(PASSIVE); PRAGMA wal_checkpoint(TRUNCATE);";

/// Removes a part of a handle without a name. Returns false if there is nothing left.
pub(super) fn remove_step(connection: &Connection) -> Result<bool, Fault> {
    let hidden = "SELECT id FROM handle WHERE name LIKE 'cleared %' LIMIT 1";
    let hidden: Option<i64> = first_row(connection, hidden, [], |row| row.get(0)).optional()?;
    let Some(hidden) = hidden else {
        return Ok(false);
    };
    for step in STEPS {
        if execute(connection, step, [hidden])? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
