//! The view of one read on the file system: it opens paths beneath a root, and checks the
//! opened file.
//!
//! The kernel resolves paths beneath the handle of a root, so that no symlink, `..` or rename
//! leads out of it. Every open is non-blocking. Then the opened file is checked: it must be a
//! regular file or directory, and its real path must not be denied.
//!
//! If there are deny rules, metadata and symlinks are read through a handle that was checked in
//! the same way, so that no name is looked up again after the check. Only Linux has such
//! handles. On other systems, metadata and symlinks are read by name after a check of the name.

use super::platform::{self, code, follow, name, real_path};
use super::{Examined, Policy, Refusal, Stop, allows, processes, stamp, walk};
use crate::bindings::wasi::filesystem::types::{ErrorCode, PathFlags};
use crate::handles::Descriptor;
use cap_fs_ext::{OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_primitives::fs::{self as cap, FollowSymlinks, OpenOptions};
use omniread_store::Stamp;
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use wasmtime::component::{HasData, Resource, ResourceTable};

/// The maximum number of attempts to open a file, if other processes replace it each time between
/// its opening and the check of its path. A program that saves by rename replaces it once.
const REPLACED_TRIES: u32 = 16;

/// The time for which the real path of a directory is not looked up again for its entries, which takes
/// longer than to look at an entry. A directory that is moved meanwhile was allowed when it was opened.
const BASE_TIME: Duration = Duration::from_millis(10);

/// The maximum number of entries of a listing that are remembered. A listing looks at as many.
const LISTED_ENTRIES: usize = 20_000;

/// The maximum number of opened files whose states are kept for the session. A read shows one file, which it
/// opens first or after the files that decide whether it is ignored.
const OPENED_FILES: usize = 16;

/// The message about an opened file to which no path leads any more.
const REPLACED: &str = "it was removed or replaced";

/// The message about an opened file whose path the operating system cannot report.
const UNKNOWN: &str = "the operating system does not say which file was opened";

/// The access policy of one read, and the state of its calls.
#[derive(Debug)]
pub struct Filesystem {
    pub policy: Arc<Policy>,
    pub stop: Stop,
    /// The reason why the most recent call was refused. `None` if it was not refused.
    pub refusal: Option<Refusal>,
    /// The number of entries that deny rules removed from listings.
    pub denied_entries: u64,
    /// The states of the files that were opened, before their bytes were read.
    opened: Vec<Stamp>,
    /// The file that was opened last.
    last: Option<Last>,
    /// The index, in the table of handles, of the file or directory that was opened last.
    pub(super) latest: Option<u32>,
    /// The real path of the directory that was checked last, and its refusal. All entries of a listing
    /// are in one directory, and the refusal of a path never changes.
    checked: Option<(PathBuf, Option<Refusal>)>,
    /// The directory whose entry was looked at last.
    base: Option<Base>,
    /// The directory that was listed last, and those of its entries that no rule denies.
    listed: (PathBuf, HashSet<String>),
}

/// A file that was opened.
#[derive(Debug)]
struct Last {
    file: Arc<File>,
    real: OnceLock<io::Result<Option<PathBuf>>>,
}

/// No path leads to an opened file any more.
#[derive(Debug)]
pub struct Gone;

/// A directory that no rule denies, its real path, and the time at which this was found out.
#[derive(Debug)]
struct Base {
    directory: Arc<File>,
    real: Arc<Path>,
    at: Instant,
}

impl Filesystem {
    pub fn new(policy: Arc<Policy>, stop: Stop) -> Self {
        Self {
            policy,
            stop,
            refusal: None,
            denied_entries: 0,
            opened: Vec::new(),
            last: None,
            latest: None,
            checked: None,
            base: None,
            listed: (PathBuf::new(), HashSet::new()),
        }
    }

    /// The states of the files that were opened, in order.
    pub fn opened_files(&self) -> &[Stamp] {
        &self.opened
    }

    /// The state in which a file was opened. `None` if another file is at its path now.
    pub fn opened_as(&self, now: &Stamp) -> Option<Stamp> {
        let same = |then: &&Stamp| (then.device, then.inode) == (now.device, now.inode);
        self.opened.iter().find(same).copied()
    }

    /// The real path of the file that was opened last, for what the session keeps of its content. The system is asked for
    /// it only here, which takes as long as to read a page of a file. `None` if no file was opened, or if the system cannot
    /// report paths.
    ///
    /// # Errors
    /// Fails if no path leads to the file any more, so that no rule can be checked against it.
    pub fn last_real(&self) -> Result<Option<&Path>, Gone> {
        let Some(last) = &self.last else {
            return Ok(None);
        };
        match last.real.get_or_init(|| real_path(&last.file)) {
            Ok(Some(real)) => Ok(Some(real)),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
            Ok(None) | Err(_) => Err(Gone),
        }
    }

    /// The present state of the file that was opened last, if `path` is its real path, the policy allows it, and it is
    /// still there. That takes one system call in place of four.
    pub fn examined(&self, path: &Path) -> Option<Examined> {
        let real = self.last_real().ok().flatten();
        real.filter(|real| *real == path)?;
        // The file may have been moved after it was opened.
        if !allows(&self.policy, path) {
            return None;
        }
        let stamp = stamp(&path.symlink_metadata().ok()?);
        // Only regular files are opened. On systems without such numbers, it may be another file.
        let is_same = stamp.inode != 0 && self.opened_as(&stamp).is_some();
        is_same.then(|| Examined {
            real: path.to_owned(),
            stamp,
            hash: None,
        })
    }

    /// Notes that no rule denies an entry of a directory, by the real path of the directory.
    pub(super) fn note_listed(&mut self, directory: &Path, entry: &str) {
        if self.listed.0 != directory {
            self.listed = (directory.to_owned(), HashSet::new());
        }
        if self.listed.1.len() < LISTED_ENTRIES {
            self.listed.1.insert(entry.to_owned());
        }
    }

    fn is_listed(&self, directory: &Path, entry: &str) -> bool {
        self.listed.1.contains(entry) && self.listed.0 == directory
    }

    /// The refusal of the real path of a directory, if a rule denies it or a directory above it.
    pub(super) fn denied_directory(&mut self, real: &Path) -> Option<Refusal> {
        if let Some((known, refusal)) = &self.checked
            && known == real
        {
            return refusal.clone();
        }
        let refusal = self.policy.denied(real);
        self.checked = Some((real.to_owned(), refusal.clone()));
        refusal
    }

    /// The path of the file that was opened last: the name of a root, and the real path of the file
    /// relative to it. File names that are not UTF-8 are escaped as in listings. `None` if that
    /// file is not open any more or is a directory, or if this platform cannot report paths.
    ///
    /// # Errors
    /// Fails if no path in a root leads to the file any more, or if the operating system fails to
    /// report the path.
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
        let mounts = self.policy.mounts().iter().map(|mount| &mount.root);
        let mut roots = self.policy.roots().iter().chain(mounts);
        let named = roots.find_map(|root| {
            let path = real.strip_prefix(&root.real).ok()?;
            Some(name(Path::new(&root.name).join(path).as_os_str()))
        });
        // The directory of the file was moved out of the roots.
        named.map(Some).ok_or_else(|| REPLACED.to_owned())
    }
}

/// The parts of the state of an instance that a call to the file system uses.
pub struct View<'a> {
    pub table: &'a mut ResourceTable,
    pub filesystem: &'a mut Filesystem,
}

impl HasData for Filesystem {
    type Data<'a> = View<'a>;
}

/// The functions that look up something about an entry of a directory, such as its metadata.
pub(super) struct Lookup<N, H, L> {
    /// Looks it up by the name of the entry in the directory.
    pub(super) by_name: N,
    /// Looks it up with an open file.
    pub(super) by_handle: H,
    /// Whether what was found is a symlink.
    pub(super) is_link: L,
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

    /// Converts the error of a system call. A lack of resources of the system becomes a refusal.
    pub(super) fn failed<T>(&mut self, error: &io::Error) -> Result<T, ErrorCode> {
        match platform::unavailable(error) {
            Some(what) => self.refuse(Refusal::Unavailable(what)),
            None => Err(code(error)),
        }
    }

    /// Refuses a path if a rule denies it, a directory on the way to it, or the target of a symlink
    /// in it. An opened file is checked again through its handle.
    fn allow(&mut self, directory: &File, path: &str) -> Result<(), ErrorCode> {
        if !self.filesystem.policy.has_rules() {
            return Ok(());
        }
        let base = self.allowed_base(directory)?;
        match walk::refusal(&self.filesystem.policy, &base, path) {
            Some(refusal) => self.refuse(refusal),
            None => Ok(()),
        }
    }

    /// The real path of a directory, which is refused if a rule denies it.
    fn allowed_base(&mut self, directory: &File) -> Result<PathBuf, ErrorCode> {
        let base = self.real_path(directory)?;
        match self.filesystem.denied_directory(&base) {
            Some(refusal) => self.refuse(refusal),
            None => Ok(base),
        }
    }

    /// As [`Self::allow`], for an entry of a directory that is not followed. The target of a symlink is
    /// not checked.
    fn allow_entry(&mut self, directory: &Arc<File>, entry: &str) -> Result<(), ErrorCode> {
        let base = match &self.filesystem.base {
            Some(base)
                if Arc::ptr_eq(&base.directory, directory) && base.at.elapsed() < BASE_TIME =>
            {
                Arc::clone(&base.real)
            }
            _ => {
                let at = Instant::now();
                let real: Arc<Path> = self.allowed_base(directory)?.into();
                self.filesystem.base = Some(Base {
                    directory: Arc::clone(directory),
                    real: Arc::clone(&real),
                    at,
                });
                real
            }
        };
        if self.filesystem.is_listed(&base, entry) {
            return Ok(());
        }
        match self.filesystem.policy.denied_entry(&base.join(entry)) {
            Some(refusal) => self.refuse(refusal),
            None => Ok(()),
        }
    }

    /// The real path of an open file or directory. The call is refused if no path leads to it any
    /// more.
    pub(super) fn real_path(&mut self, file: &File) -> Result<PathBuf, ErrorCode> {
        match self.current_path(file)? {
            Some(path) => Ok(path),
            None => self.refuse(Refusal::Unverified(REPLACED)),
        }
    }

    /// The real path of an open file or directory. `None` if no path leads to it any more.
    fn current_path(&mut self, file: &File) -> Result<Option<PathBuf>, ErrorCode> {
        match real_path(file) {
            Ok(path) => Ok(path),
            Err(error) if platform::unavailable(&error).is_some() => self.failed(&error),
            Err(_) => self.refuse(Refusal::Unverified(UNKNOWN)),
        }
    }

    /// Opens a path, and checks the real path of the opened file against the deny rules. If another
    /// process removes or replaces the file before this check, the opened file has no path, so the
    /// path is opened again. Returns the real path too, if there are rules.
    fn open_checked(
        &mut self,
        directory: &File,
        path: &str,
        options: &OpenOptions,
    ) -> Result<(File, Option<PathBuf>), ErrorCode> {
        let mut tries = 0;
        loop {
            let file = match cap::open(directory, Path::new(path), options) {
                Ok(file) => file,
                Err(error) => return self.failed(&error),
            };
            if !self.filesystem.policy.has_rules() {
                return Ok((file, None));
            }
            tries += 1;
            // Another attempt helps only if the file has no path.
            let real = match self.current_path(&file)? {
                None if tries < REPLACED_TRIES => continue,
                None => return self.refuse(Refusal::Unverified(REPLACED)),
                Some(real) => real,
            };
            return match self.filesystem.policy.denied(&real) {
                Some(refusal) => self.refuse(refusal),
                None => Ok((file, Some(real))),
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
        // Non-blocking, so that a pipe in place of a file is opened at once and then refused.
        // The flags also prevent a terminal from becoming the controlling one.
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
        let (file, real) = self.open_checked(directory, path, &options)?;
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
        if let Some(refusal) = processes::refusal(&file, metadata.len()) {
            return self.refuse(refusal);
        }
        if self.filesystem.opened.len() < OPENED_FILES {
            self.filesystem.opened.push(stamp(&metadata));
        }
        let file = Arc::new(file);
        self.filesystem.last = Some(Last {
            file: Arc::clone(&file),
            real: real.map_or_else(OnceLock::new, |real| OnceLock::from(Ok(Some(real)))),
        });
        Ok(Descriptor::File(file))
    }

    /// Reads metadata of a path without opening it for reading. If there are deny rules, the
    /// metadata is read through a handle whose real path was checked, if the system has such
    /// handles. A single name that is not followed as a symlink needs no handle, because no other
    /// process can make it lead to another directory. Its target is looked at only if it is a symlink,
    /// which `is_link` says.
    pub(super) fn metadata<T>(
        &mut self,
        directory: &Arc<File>,
        path: &str,
        follow: FollowSymlinks,
        lookup: Lookup<
            impl FnOnce(&File, &Path) -> io::Result<T>,
            impl FnOnce(&File) -> io::Result<T>,
            impl FnOnce(&T) -> bool,
        >,
    ) -> Result<T, ErrorCode> {
        let Lookup {
            by_name,
            by_handle,
            is_link,
        } = lookup;
        let fixed = follow == FollowSymlinks::No && is_entry(path);
        if fixed && self.filesystem.policy.has_rules() {
            self.allow_entry(directory, path)?;
            let looked = by_name(directory, Path::new(path)).or_else(|error| self.failed(&error));
            if !matches!(&looked, Ok(found) if !is_link(found)) {
                self.allow(directory, path)?;
            }
            return looked;
        }
        self.allow(directory, path)?;
        let looked = match platform::peek_options(follow) {
            Some(options) if self.filesystem.policy.has_rules() => {
                by_handle(&self.open_checked(directory, path, &options)?.0)
            }
            _ => by_name(directory, Path::new(path)),
        };
        looked.or_else(|error| self.failed(&error))
    }
}

/// Whether a path is a single name, so that no symlink can be on the way to it.
pub(super) fn is_entry(path: &str) -> bool {
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
        let policy = Policy::new(std::slice::from_ref(&directory), &[], &rules, None).unwrap();
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

    /// Nothing is kept of such a file, because later rules could not be checked against its path.
    #[test]
    fn path_of_a_file_that_was_removed_is_an_error() {
        let directory = std::env::temp_dir().join(format!("omniread-last-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let directory = directory.canonicalize().unwrap();
        let policy = Policy::new(std::slice::from_ref(&directory), &[], &[], None).unwrap();
        let mut filesystem = Filesystem::new(Arc::new(policy), Stop::default());
        let mut view = View {
            table: &mut ResourceTable::new(),
            filesystem: &mut filesystem,
        };
        let root = File::open(&directory).unwrap();
        let (a, b) = (directory.join("a"), directory.join("b"));
        std::fs::write(&a, "").unwrap();
        view.open(&root, PathFlags::empty(), "a").unwrap();
        std::fs::rename(&a, &b).unwrap();
        assert_eq!(view.filesystem.last_real().unwrap(), Some(b.as_path()));
        std::fs::write(&a, "").unwrap();
        view.open(&root, PathFlags::empty(), "a").unwrap();
        std::fs::rename(&b, &a).unwrap();
        assert!(view.filesystem.last_real().is_err());
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
