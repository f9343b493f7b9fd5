//! What one read sees of the filesystem: opening a path beneath a root, and
//! checking what was opened.
//!
//! Paths are resolved by the kernel beneath the handle of a root, so that no
//! link, `..` or rename leads out of it. Every open is non-blocking and
//! followed by a check of what was opened: a regular file or directory, not
//! denied by its real path. Where there are deny rules, facts and symlinks are
//! read through a handle that was checked in the same way, so that no name is
//! looked up a second time after the check. (Only Linux has such handles;
//! elsewhere, facts and symlinks are read by name after a check of the name.)

use super::platform::{self, code, follow, name, real_path};
use super::{Policy, Refusal, Stop, walk};
use crate::bindings::wasi::filesystem::types::{ErrorCode, PathFlags};
use crate::handles::Descriptor;
use cap_fs_ext::{OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_primitives::fs::{self as cap, FollowSymlinks, OpenOptions};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use wasmtime::component::{HasData, Resource, ResourceTable};

/// Attempts to open a file that other processes keep replacing before its path is
/// checked: a program that saves by rename replaces it once.
const REPLACED_TRIES: u32 = 16;

/// Why a file without a path is not read.
const REPLACED: &str = "it was removed or replaced";

/// Why a file is not read whose path cannot be asked for.
const UNKNOWN: &str = "the operating system does not say which file was opened";

/// What one read may reach, and what became of its calls.
#[derive(Debug)]
pub struct Filesystem {
    pub policy: Arc<Policy>,
    pub stop: Stop,
    /// Why the latest failed call was refused, or could not be done.
    pub refusal: Option<Refusal>,
    /// Entries that deny rules kept out of listings.
    pub withheld: u64,
    /// The file that was opened last.
    pub(super) latest: Option<u32>,
}

impl Filesystem {
    pub fn new(policy: Arc<Policy>, stop: Stop) -> Self {
        Self {
            policy,
            stop,
            refusal: None,
            withheld: 0,
            latest: None,
        }
    }

    /// The real path of the file that was opened last, by the name of a root,
    /// and with names that are not UTF-8 escaped as in listings; `None` if no
    /// file is open, or this platform has no call for it.
    ///
    /// # Errors
    /// If no path in a root leads to it any more, or the call fails.
    pub fn opened(&self, table: &ResourceTable) -> Result<Option<String>, String> {
        let latest = self.latest.map(Resource::new_borrow);
        let Some(Descriptor::File(file)) = latest.and_then(|latest| table.get(&latest).ok()) else {
            return Ok(None);
        };
        let real = match real_path(file) {
            Ok(Some(real)) => real,
            Ok(None) => return Err(REPLACED.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(None),
            Err(_) => return Err(UNKNOWN.to_owned()),
        };
        let mut roots = self.policy.roots().iter();
        let named = roots.find_map(|root| {
            let path = real.strip_prefix(&root.real).ok()?;
            Some(name(Path::new(&root.name).join(path).as_os_str()))
        });
        // Its directory was moved out of the roots.
        named.map(Some).ok_or_else(|| REPLACED.to_owned())
    }
}

/// A call in progress.
pub struct View<'a> {
    pub table: &'a mut ResourceTable,
    pub filesystem: &'a mut Filesystem,
}

impl HasData for Filesystem {
    type Data<'a> = View<'a>;
}

impl View<'_> {
    pub(super) fn refuse<T>(&mut self, refusal: Refusal) -> Result<T, ErrorCode> {
        let code = match refusal {
            Refusal::Denied(_) => ErrorCode::Access,
            Refusal::Size(_) => ErrorCode::FileTooLarge,
            Refusal::Unverified(_) => ErrorCode::Busy,
            Refusal::Unavailable(_) => ErrorCode::InsufficientMemory,
        };
        self.filesystem.refusal = Some(refusal);
        Err(code)
    }

    /// The code of a system call that failed.
    pub(super) fn failed<T>(&mut self, error: &io::Error) -> Result<T, ErrorCode> {
        match platform::unavailable(error) {
            Some(what) => self.refuse(Refusal::Unavailable(what)),
            None => Err(code(error)),
        }
    }

    /// Refuses a path that a rule denies, by any name on the way. What is opened
    /// is checked once more by its handle.
    fn allow(&mut self, directory: &File, path: &str) -> Result<(), ErrorCode> {
        if !self.filesystem.policy.has_rules() {
            return Ok(());
        }
        let base = self.real_path(directory)?;
        match walk::refusal(&self.filesystem.policy, &base, path) {
            Some(refusal) => self.refuse(refusal),
            None => Ok(()),
        }
    }

    /// The real path of a handle that has one.
    pub(super) fn real_path(&mut self, file: &File) -> Result<PathBuf, ErrorCode> {
        match self.current_path(file)? {
            Some(path) => Ok(path),
            None => self.refuse(Refusal::Unverified(REPLACED)),
        }
    }

    /// The real path of a handle; `None` if no path leads to it any more.
    fn current_path(&mut self, file: &File) -> Result<Option<PathBuf>, ErrorCode> {
        match real_path(file) {
            Ok(path) => Ok(path),
            Err(error) if platform::unavailable(&error).is_some() => self.failed(&error),
            Err(_) => self.refuse(Refusal::Unverified(UNKNOWN)),
        }
    }

    /// Opens a path, and checks the name of what was opened. A file that
    /// another process removes or replaces meanwhile has no name to check, and is
    /// opened again.
    fn open_checked(
        &mut self,
        directory: &File,
        path: &str,
        options: &OpenOptions,
    ) -> Result<File, ErrorCode> {
        let mut tries = 0;
        loop {
            let file = match cap::open(directory, Path::new(path), options) {
                Ok(file) => file,
                Err(error) => return self.failed(&error),
            };
            if !self.filesystem.policy.has_rules() {
                return Ok(file);
            }
            tries += 1;
            // Only a file without a path is worth another try.
            let real = match self.current_path(&file)? {
                None if tries < REPLACED_TRIES => continue,
                None => return self.refuse(Refusal::Unverified(REPLACED)),
                Some(real) => real,
            };
            return match self.filesystem.policy.denied(&real) {
                Some(refusal) => self.refuse(refusal),
                None => Ok(file),
            };
        }
    }

    pub(super) fn open(
        &mut self,
        directory: &File,
        flags: PathFlags,
        path: &str,
    ) -> Result<Descriptor, ErrorCode> {
        self.allow(directory, path)?;
        let mut options = OpenOptions::new();
        // Non-blocking, so that a pipe that takes a file's place is opened at
        // once and then refused. A reader never becomes anyone's terminal.
        options.read(true).follow(follow(flags)).nonblock(true);
        #[cfg(windows)]
        {
            use cap_fs_ext::OpenOptionsMaybeDirExt as _;
            options.maybe_dir(true);
        }
        #[cfg(unix)]
        {
            use cap_primitives::fs::OpenOptionsExt as _;
            options.custom_flags(i32::try_from(rustix::fs::OFlags::NOCTTY.bits()).unwrap_or(0));
        }
        let file = self.open_checked(directory, path, &options)?;
        let metadata = file.metadata().map_err(|error| code(&error))?;
        if !metadata.is_file() && !metadata.is_dir() {
            return Err(ErrorCode::Unsupported);
        }
        if metadata.is_dir() {
            return Ok(Descriptor::Directory(Arc::new(file)));
        }
        if let Some(refusal) = self.filesystem.policy.oversized(metadata.len()) {
            return self.refuse(refusal);
        }
        Ok(Descriptor::File(file))
    }

    /// Reads something of a path without opening it for reading. Where there
    /// are deny rules, this is read from a handle whose name was checked, unless
    /// no other process can change what the path means.
    pub(super) fn look<T>(
        &mut self,
        directory: &File,
        path: &str,
        follow: FollowSymlinks,
        by_name: impl FnOnce(&File, &Path) -> io::Result<T>,
        by_handle: impl FnOnce(&File) -> io::Result<T>,
    ) -> Result<T, ErrorCode> {
        self.allow(directory, path)?;
        let fixed = follow == FollowSymlinks::No && is_entry(path);
        let looked = match platform::peek_options(follow) {
            Some(options) if self.filesystem.policy.has_rules() && !fixed => {
                by_handle(&self.open_checked(directory, path, &options)?)
            }
            _ => by_name(directory, Path::new(path)),
        };
        looked.or_else(|error| self.failed(&error))
    }
}

/// Whether a path names an entry of the directory itself, so that no symlink is
/// on the way to it.
fn is_entry(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    matches!(
        (parts.next(), parts.next()),
        (Some(Component::Normal(_)), None)
    )
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn file_without_a_path_is_refused_where_there_are_rules() {
        let directory =
            std::env::temp_dir().join(format!("omniread-checked-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("gone"), "").unwrap();
        let rules = ["*.pem".to_owned()];
        let policy = Policy::new(std::slice::from_ref(&directory), &rules, None).unwrap();
        let mut view = View {
            table: &mut ResourceTable::new(),
            filesystem: &mut Filesystem::new(Arc::new(policy), Stop::default()),
        };
        let file = File::open(directory.join("gone")).unwrap();
        assert!(view.real_path(&file).is_ok());
        std::fs::remove_file(directory.join("gone")).unwrap();
        assert_eq!(view.real_path(&file), Err(ErrorCode::Busy));
        assert_eq!(view.filesystem.refusal, Some(Refusal::Unverified(REPLACED)));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
