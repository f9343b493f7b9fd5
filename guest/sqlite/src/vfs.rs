//! A database and its write-ahead log as read-only files for SQLite, and its temporary files in memory.
//!
//! SQLite does not see the rollback journal: the original pages replace those of the
//! database here. SQLite reads the log itself, and keeps the index of the log in its own
//! memory.

#![allow(unsafe_code, reason = "registering a VFS hands pointers to SQLite")]

use crate::input::Input;
use crate::journal::Rollback;
use crate::temporary::Temporary;
use crate::unread;
use sqlite_wasm_rs::WasmOsCallback;
use sqlite_wasm_rs::vfs::{
    AccessMode, LockLevel, OpenAccess, OpenOptions, OpenRequest, OpenedFile, SQLiteIoMethods,
    SQLiteVfs, SyncOptions, VfsError, VfsErrorCode, VfsFile, VfsResult, VfsStore, register_vfs,
};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The files of a database.
pub struct Files {
    /// The database.
    pub main: Input,
    /// The size of the database in bytes when it was opened. A change of it is detected after each statement, so the host
    /// is not asked again.
    pub size: u64,
    /// The write-ahead log.
    pub wal: Option<Input>,
    /// The rollback journal.
    pub journal: Option<Input>,
    /// The original pages in the journal. `None` if there is no unfinished transaction.
    pub undone: Option<Rollback>,
}

/// The place for the files under a name. It is empty while a connection is prepared and its database is not known.
pub type Place = OnceCell<Rc<Files>>;

/// The name of the VFS.
pub const NAME: &std::ffi::CStr = c"omniread";

thread_local! {
    static OPEN: RefCell<BTreeMap<String, Rc<Place>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Adds files under a name by which SQLite can open them.
pub fn add(name: &str, files: Rc<Place>) {
    OPEN.with_borrow_mut(|open| open.insert(name.to_owned(), files));
}

/// Removes the files that were added under this name.
pub fn remove(name: &str) {
    OPEN.with_borrow_mut(|open| open.remove(name));
}

/// Registers the VFS with SQLite. Further calls have no effect.
///
/// # Errors
/// Fails if SQLite rejects the registration.
pub fn register() -> Result<(), String> {
    thread_local!(static DONE: RefCell<bool> = const { RefCell::new(false) });
    DONE.with_borrow_mut(|done| {
        if !*done {
            let name = NAME.to_str().unwrap_or_default();
            // SAFETY: there is only one thread, and the VFS is never unregistered.
            let registered = unsafe { register_vfs::<Methods, ReadOnly>(name, (), true) };
            let _kept = registered.map_err(|error| format!("{error:?}"))?.into_raw();
            *done = true;
        }
        Ok(())
    })
}

fn error(code: VfsErrorCode, message: &str) -> VfsError {
    VfsError::new(code, message.to_owned().into())
}

fn read_only<T>() -> VfsResult<T> {
    Err(error(VfsErrorCode::ReadOnly, "nothing is written here"))
}

/// An open file.
pub enum Open {
    /// A file of a database.
    Database(Part),
    /// A file without a name, which SQLite writes and reads.
    Temporary(Temporary),
}

/// A file of a database: the main file or the write-ahead log.
pub struct Part {
    files: Rc<Place>,
    log: bool,
}

impl Part {
    /// The bytes of the file. `None` for a write-ahead log that does not exist, which is read as
    /// empty.
    fn input(&self) -> Option<&Input> {
        let files = self.files.get()?;
        if self.log {
            files.wal.as_ref()
        } else {
            Some(&files.main)
        }
    }

    /// The journal, and the original pages in it. `None` for the write-ahead log, and if there is
    /// no unfinished transaction.
    fn undone(&self) -> Option<(&Input, &Rollback)> {
        let files = self.files.get().filter(|_| !self.log)?;
        Some((files.journal.as_ref()?, files.undone.as_ref()?))
    }

    fn read(&self, room: &mut [u8], offset: u64) -> VfsResult<usize> {
        let broken = |message: String| error(VfsErrorCode::IoRead, &message);
        if self.files.get().is_none() {
            return Ok(unread::read(offset, room));
        }
        let Some((journal, undone)) = self.undone() else {
            let read = self.input().map_or(Ok(0), |part| part.read(offset, room));
            return read.map_err(broken);
        };
        // Each page is read from the journal or from the database.
        let size = u64::from(undone.page_size);
        let end = size.saturating_mul(undone.pages.into());
        let mut done = 0usize;
        while done < room.len() {
            let at = offset.saturating_add(done as u64);
            if at >= end {
                break;
            }
            let into = at % size;
            let left = size.saturating_sub(into).min(end.saturating_sub(at));
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            let stop = done.saturating_add(left).min(room.len());
            let place = room.get_mut(done..stop).unwrap_or_default();
            let number = u32::try_from((at / size).saturating_add(1)).unwrap_or(u32::MAX);
            let read = match undone.originals.get(&number) {
                Some(original) => journal.read(original.saturating_add(into), place),
                None => self.input().map_or(Ok(0), |main| main.read(at, place)),
            };
            let read = read.map_err(broken)?;
            done = done.saturating_add(read);
            if read < place.len() {
                break;
            }
        }
        Ok(done)
    }

    fn size(&self) -> VfsResult<u64> {
        if let Some((_, undone)) = self.undone() {
            return Ok(u64::from(undone.page_size).saturating_mul(undone.pages.into()));
        }
        let Some(files) = self.files.get().filter(|_| !self.log) else {
            let size = self.input().map_or(Ok(0), Input::size);
            return size.map_err(|message| error(VfsErrorCode::IoStat, &message));
        };
        Ok(files.size)
    }
}

impl VfsFile for Open {
    fn read(&mut self, room: &mut [u8], offset: u64) -> VfsResult<usize> {
        match self {
            Self::Database(part) => part.read(room, offset),
            Self::Temporary(file) => Ok(file.read(offset, room)),
        }
    }

    fn write(&mut self, bytes: &[u8], offset: u64) -> VfsResult<()> {
        match self {
            Self::Database(_) => read_only(),
            Self::Temporary(file) => {
                let written = file.write(offset, bytes).then_some(());
                written.ok_or_else(|| error(VfsErrorCode::NoMemory, "there is no more memory"))
            }
        }
    }

    fn truncate(&mut self, size: u64) -> VfsResult<()> {
        match self {
            Self::Database(_) => read_only(),
            Self::Temporary(file) => {
                file.truncate(size);
                Ok(())
            }
        }
    }

    fn sync(&mut self, _: SyncOptions) -> VfsResult<()> {
        Ok(())
    }

    fn size(&self) -> VfsResult<u64> {
        match self {
            Self::Database(part) => part.size(),
            Self::Temporary(file) => Ok(file.size()),
        }
    }

    // Locks have no effect. A change by another program is detected after the read.
    fn lock(&mut self, _: LockLevel) -> VfsResult<()> {
        Ok(())
    }

    fn unlock(&mut self, _: LockLevel) -> VfsResult<()> {
        Ok(())
    }

    fn check_reserved_lock(&self) -> VfsResult<bool> {
        Ok(false)
    }
}

struct Store;

/// The files of the database that a file name belongs to, and whether the name is that of its
/// write-ahead log. `None` if there is no such database.
fn find(name: &str) -> Option<(Rc<Place>, bool)> {
    let (main, log) = match name.strip_suffix("-wal") {
        Some(main) => (main, true),
        None => (name, false),
    };
    OPEN.with_borrow(|open| Some((Rc::clone(open.get(main)?), log)))
}

impl VfsStore for Store {
    type File = Open;
    type AppData = ();

    fn open_file((): &(), request: OpenRequest<'_>) -> VfsResult<OpenedFile<Open>> {
        let Some(name) = request.filename else {
            return Ok(OpenedFile {
                file: Open::Temporary(Temporary::default()),
                access: OpenAccess::ReadWrite,
            });
        };
        let found = find(name.path());
        let (files, log) =
            found.ok_or_else(|| error(VfsErrorCode::CantOpen, "there is no such file"))?;
        Ok(OpenedFile {
            file: Open::Database(Part { files, log }),
            access: OpenAccess::ReadOnly,
        })
    }

    fn close_file((): &(), _: Option<&str>, _: Open, _: OpenOptions) -> VfsResult<()> {
        Ok(())
    }

    fn access((): &(), name: &str, mode: AccessMode) -> VfsResult<bool> {
        let has_log = |files: &Place| files.get().is_some_and(|files| files.wal.is_some());
        let there = find(name).is_some_and(|(files, log)| !log || has_log(&files));
        Ok(!matches!(mode, AccessMode::ReadWrite) && there)
    }

    fn full_pathname((): &(), name: &str) -> VfsResult<String> {
        Ok(name.to_owned())
    }

    fn delete_file((): &(), _: &str, _: bool) -> VfsResult<()> {
        read_only()
    }
}

struct Methods;

impl SQLiteIoMethods for Methods {
    type Store = Store;
}

struct ReadOnly;

impl SQLiteVfs<Methods> for ReadOnly {
    type Os = WasmOsCallback;

    fn os((): &()) -> &WasmOsCallback {
        &WasmOsCallback
    }
}
