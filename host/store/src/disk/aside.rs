//! Files that are not usable as a store, and that are renamed therefore.

use super::directory::{Directory, create, of_path};
use crate::error::StoreError;
use crate::limits::SET_ASIDE;
use crate::records::SetAside;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The suffixes of the files of a database. The database is the last one, so that a process which is
/// killed in between leaves a database that is set aside again, and never a log for a new database.
const PARTS: [&str; 4] = ["-journal", "-wal", "-shm", ""];

/// Renames the database of a directory with its other files.
pub(super) fn set_aside(directory: &Directory, reason: String) -> Result<SetAside, StoreError> {
    let database = directory.database();
    let number = free_number(directory)?;
    // If this process is killed in between, the next one finds a database without its log.
    create(&directory.mark()).map_err(|error| of_path(&directory.mark(), "create", &error))?;
    for part in PARTS {
        let from = directory.file(part);
        let to = directory.file(&format!(".set-aside-{number}{part}"));
        match fs::rename(&from, &to) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(of_path(&database, "rename", &error));
            }
            _ => {}
        }
    }
    let mark = fs::remove_file(directory.mark());
    if let Err(error) = mark
        && error.kind() != ErrorKind::NotFound
    {
        return Err(of_path(&directory.mark(), "remove", &error));
    }
    Ok(SetAside {
        path: directory.file(&format!(".set-aside-{number}")),
        reason,
    })
}

/// The number after the highest one in use. If there are too many files, the one with the lowest number is
/// removed.
fn free_number(directory: &Directory) -> Result<u32, StoreError> {
    let database = directory.database();
    let parent = database.parent().unwrap_or(Path::new("."));
    let entries = fs::read_dir(parent).map_err(|error| of_path(parent, "list", &error))?;
    let mut numbers: Vec<u32> = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| of_path(parent, "list", &error))?;
        let name = entry.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix("session.db.set-aside-"));
        let number = number.and_then(|number| number.split('-').next());
        numbers.extend(number.and_then(|number| number.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    numbers.dedup();
    let highest = numbers.last().copied().unwrap_or(0);
    let excess = (numbers.len() + 1).saturating_sub(SET_ASIDE as usize);
    for number in numbers.into_iter().take(excess) {
        for part in PARTS {
            // A file that cannot be removed only takes space.
            let _ = fs::remove_file(directory.file(&format!(".set-aside-{number}{part}")));
        }
    }
    Ok(highest.saturating_add(1))
}
