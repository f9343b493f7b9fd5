//! The directory of a store, and the names of its files. Only the user of the process can access them.

use crate::error::StoreError;
use crate::limits::OPEN_TIME;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The name of the database, with which the names of all files of a store begin.
const DATABASE: &str = "session.db";

/// The directory of a store.
#[derive(Clone, Debug)]
pub(super) struct Directory(PathBuf);

/// The device and the number of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId(u64, u64);

/// Whether the directory can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Write,
    ReadOnly,
}

/// An error of a system call on a path.
pub(super) fn of_path(path: &Path, verb: &'static str, error: &io::Error) -> StoreError {
    StoreError::Path {
        path: path.to_owned(),
        verb,
        reason: error.to_string(),
    }
}

impl Directory {
    /// Checks a directory. `None` if it does not exist.
    pub(super) fn existing(path: &Path) -> Result<Option<Self>, StoreError> {
        if let Err(error) = path.symlink_metadata()
            && error.kind() == ErrorKind::NotFound
        {
            return Ok(None);
        }
        Self::checked(path).map(Some)
    }

    /// Checks a directory, and creates it if it does not exist.
    pub(super) fn new(path: &Path) -> Result<Self, StoreError> {
        #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        if let Some(parent) = path.parent() {
            // An error is reported for the directory itself.
            let _ = fs::create_dir_all(parent);
        }
        match builder.create(path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => match path.symlink_metadata()
            {
                Ok(_) => {}
                Err(_) => return Err(of_path(path, "create", &error)),
            },
            _ => {}
        }
        Self::checked(path)
    }

    fn checked(path: &Path) -> Result<Self, StoreError> {
        check(path)?;
        // SQLite refuses a path with a symlink in any part of it.
        let real = path.canonicalize();
        let real = real.map_err(|error| of_path(path, "open", &error))?;
        check(&real)?;
        check_entries(&real)?;
        Ok(Self(real))
    }

    /// The file with a suffix of its name: `-wal` for `session.db-wal`.
    pub(super) fn file(&self, suffix: &str) -> PathBuf {
        self.0.join(format!("{DATABASE}{suffix}"))
    }

    pub(super) fn database(&self) -> PathBuf {
        self.file("")
    }

    /// The write-ahead log.
    pub(super) fn log(&self) -> PathBuf {
        self.file("-wal")
    }

    /// The mark that a process found the database damaged.
    pub(super) fn mark(&self) -> PathBuf {
        self.file(".damaged")
    }

    /// The mark that a process removes all files.
    pub(super) fn erasing(&self) -> PathBuf {
        self.file(".erasing")
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// The identity of the database. `None` if there is none, or if the system has no such numbers.
    #[cfg_attr(
        not(unix),
        expect(clippy::unused_self, reason = "only Unix has such numbers")
    )]
    pub(super) fn file_id(&self) -> Option<FileId> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let metadata = fs::metadata(self.database()).ok()?;
            Some(FileId(metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        None
    }

    /// Waits until no other process opens the store, and prevents others from it until the file is
    /// dropped. In a directory that is read-only, there is nothing to lock.
    pub(super) fn lock(&self) -> Result<(Option<File>, Access), StoreError> {
        let path = self.file(".lock");
        let file = match create(&path) {
            Ok(file) => file,
            Err(error) if is_read_only(&error) => return Ok((None, Access::ReadOnly)),
            Err(error) => return Err(of_path(&path, "open", &error)),
        };
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok((Some(file), Access::Write)),
                Err(TryLockError::Error(error)) => return Err(of_path(&path, "lock", &error)),
                Err(TryLockError::WouldBlock) if start.elapsed() > OPEN_TIME => {
                    return Err(StoreError::Busy(self.database()));
                }
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

fn is_read_only(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied
    )
}

/// Creates a file for the user alone, or opens it if it exists. Does not follow a symlink.
pub(super) fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}

/// Checks that a directory that never had a store has no files of something else: those of a project should not be
/// mixed with the state of clients, and reads have no access to the directory.
fn check_entries(path: &Path) -> Result<(), StoreError> {
    // Without the right to list the directory, nothing is known of its files.
    let Ok(entries) = fs::read_dir(path) else {
        return Ok(());
    };
    let mut is_empty = true;
    for entry in entries.flatten() {
        let name = entry.file_name();
        // After a removal, the lock is left.
        if name.as_encoded_bytes().starts_with(DATABASE.as_bytes()) {
            return Ok(());
        }
        is_empty = false;
    }
    if is_empty {
        return Ok(());
    }
    Err(StoreError::DirectoryHasOtherFiles(path.to_owned()))
}

/// Checks that only the user of the process can write to a directory.
fn check(path: &Path) -> Result<(), StoreError> {
    let metadata = path.symlink_metadata();
    let metadata = metadata.map_err(|error| of_path(path, "open", &error))?;
    if metadata.is_symlink() {
        return Err(StoreError::DirectoryIsSymlink(path.to_owned()));
    }
    if !metadata.is_dir() {
        return Err(StoreError::NotADirectory(path.to_owned()));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err(StoreError::DirectoryOfOtherUser(path.to_owned()));
        }
        if metadata.mode() & 0o022 != 0 {
            return Err(StoreError::DirectoryWritableByOthers(path.to_owned()));
        }
    }
    Ok(())
}
