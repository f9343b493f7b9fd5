//! `wasi:filesystem`, for reading beneath roots and nothing else.
//!
//! Paths are resolved by the kernel beneath the handle of a root, so that no
//! link, `..` or rename leads out of it. Every open is non-blocking and
//! followed by a check of what was opened: a regular file or directory, not
//! denied by its real path. Where there are deny rules, facts and symlinks are
//! read through a handle that was checked in the same way, so that no name is
//! looked up a second time after the check. Directories are read entry by entry.
//! Every call checks first whether the read is to stop.

use super::platform::{self, code, descriptor_type, follow, name, read_at, real_path, stat};
use super::{Policy, Refusal, Stop, walk};
use crate::bindings::wasi::filesystem::{preopens, types};
use cap_fs_ext::{OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_primitives::fs::{self as cap, FollowSymlinks, OpenOptions};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use types::{DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, OpenFlags, PathFlags};
use wasmtime::component::{HasData, Resource, ResourceTable};
use wasmtime_wasi::p2::bindings::sync::io::streams::{InputStream, OutputStream};

/// Bytes handed out by one call: what the reader asks for.
const READ_BYTES: usize = 64 * 1024;

/// How often a file is opened that other processes replace before its name is
/// checked: a program that saves by rename does so once.
const REPLACED_TRIES: u32 = 16;

/// An open file or directory.
#[derive(Debug)]
pub enum Descriptor {
    /// A regular file.
    File(File),
    /// A directory.
    Directory(Arc<File>),
}

/// Entries of a directory, read as they are asked for.
pub struct EntryStream {
    entries: cap::ReadDir,
    /// The real path of the directory, if there are deny rules for its entries.
    directory: Option<PathBuf>,
}

/// What one read may reach, and what became of its calls.
#[derive(Debug)]
pub struct Filesystem {
    pub policy: Arc<Policy>,
    pub stop: Stop,
    /// The rule that refused the latest failed call.
    pub refusal: Option<Refusal>,
    /// Entries that deny rules kept out of listings.
    pub withheld: u64,
    /// The file that was opened last.
    latest: Option<u32>,
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

    /// The real path of the file that was opened last, by the name of a root;
    /// `None` if it is not open any more, or the system does not tell.
    ///
    /// # Errors
    /// If no path leads to it any more.
    pub fn opened(&self, table: &ResourceTable) -> Result<Option<String>, String> {
        let latest = self.latest.map(Resource::new_borrow);
        let Some(Descriptor::File(file)) = latest.and_then(|latest| table.get(&latest).ok()) else {
            return Ok(None);
        };
        let real = match real_path(file) {
            Ok(Some(real)) => real,
            Ok(None) => return Err("it was removed or replaced".to_owned()),
            Err(_) => return Ok(None),
        };
        let roots = self.policy.roots().iter();
        let named = roots.filter_map(|root| {
            let path = real.strip_prefix(&root.real).ok()?;
            Path::new(&root.name)
                .join(path)
                .into_os_string()
                .into_string()
                .ok()
        });
        Ok(named.into_iter().next())
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

/// The outcome of a call: what the reader sees, inside what stops it.
type Outcome<T> = wasmtime::Result<Result<T, ErrorCode>>;

type Handle = Resource<Descriptor>;

impl View<'_> {
    fn directory(&self, handle: &Handle) -> Outcome<Arc<File>> {
        Ok(match self.table.get(handle)? {
            Descriptor::Directory(directory) => Ok(Arc::clone(directory)),
            Descriptor::File(_) => Err(ErrorCode::NotDirectory),
        })
    }

    /// Starts a call on a path in a directory.
    fn begin(&mut self, handle: &Handle) -> Outcome<Arc<File>> {
        self.filesystem.stop.check()?;
        self.filesystem.refusal = None;
        self.directory(handle)
    }

    fn refuse<T>(&mut self, refusal: Refusal) -> Result<T, ErrorCode> {
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
    fn failed<T>(&mut self, error: &io::Error) -> Result<T, ErrorCode> {
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

    /// The real path of a handle.
    fn real_path(&mut self, file: &File) -> Result<PathBuf, ErrorCode> {
        match real_path(file) {
            Ok(Some(path)) => Ok(path),
            Ok(None) => self.refuse(Refusal::Unverified("it was removed or replaced")),
            Err(error) if platform::unavailable(&error).is_some() => self.failed(&error),
            Err(_) => self.refuse(Refusal::Unverified(
                "the operating system does not say which file was opened",
            )),
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
            match self.real_path(&file) {
                Ok(real) => {
                    return match self.filesystem.policy.denied(&real) {
                        Some(refusal) => self.refuse(refusal),
                        None => Ok(file),
                    };
                }
                Err(_) if tries < REPLACED_TRIES => {}
                Err(code) => return Err(code),
            }
        }
    }

    fn open(
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
    fn look<T>(
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
        match looked {
            Ok(looked) => Ok(looked),
            Err(error) => self.failed(&error),
        }
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

impl preopens::Host for View<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Handle, String)>> {
        let policy = Arc::clone(&self.filesystem.policy);
        let mut directories = Vec::with_capacity(policy.roots().len());
        for root in policy.roots() {
            let handle = Arc::clone(&root.handle);
            directories.push((
                self.table.push(Descriptor::Directory(handle))?,
                root.name.clone(),
            ));
        }
        Ok(directories)
    }
}

impl types::Host for View<'_> {
    fn filesystem_error_code(
        &mut self,
        _: Resource<wasmtime_wasi::p2::IoError>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        Ok(None)
    }
}

impl types::HostDirectoryEntryStream for View<'_> {
    fn read_directory_entry(
        &mut self,
        stream: Resource<EntryStream>,
    ) -> Outcome<Option<types::DirectoryEntry>> {
        self.filesystem.stop.check()?;
        let stream = self.table.get_mut(&stream)?;
        loop {
            let entry = match stream.entries.next() {
                None => return Ok(Ok(None)),
                Some(Err(error)) => return Ok(Err(code(&error))),
                Some(Ok(entry)) => entry,
            };
            let file_name = entry.file_name();
            let type_ = match entry.file_type().map(descriptor_type) {
                // Some filesystems do not tell in their listings.
                Ok(DescriptorType::Unknown) | Err(_) => entry
                    .metadata()
                    .map_or(DescriptorType::Unknown, |metadata| {
                        descriptor_type(metadata.file_type())
                    }),
                Ok(type_) => type_,
            };
            if let Some(directory) = &mut stream.directory {
                // A symlink may lead to a directory, which rules may be for.
                let is_directory = match type_ {
                    DescriptorType::Unknown | DescriptorType::SymbolicLink => None,
                    type_ => Some(type_ == DescriptorType::Directory),
                };
                directory.push(&file_name);
                let denied = self.filesystem.policy.denied_entry(directory, is_directory);
                directory.pop();
                if denied.is_some() {
                    self.filesystem.withheld += 1;
                    continue;
                }
            }
            return Ok(Ok(Some(types::DirectoryEntry {
                type_,
                name: name(&file_name),
            })));
        }
    }

    fn drop(&mut self, stream: Resource<EntryStream>) -> wasmtime::Result<()> {
        self.table.delete(stream)?;
        Ok(())
    }
}

impl types::HostDescriptor for View<'_> {
    fn open_at(
        &mut self,
        handle: Handle,
        flags: PathFlags,
        path: String,
        open: OpenFlags,
        wanted: DescriptorFlags,
    ) -> Outcome<Handle> {
        let directory = match self.begin(&handle)? {
            Ok(directory) => directory,
            Err(code) => return Ok(Err(code)),
        };
        if !OpenFlags::DIRECTORY.contains(open) || !DescriptorFlags::READ.contains(wanted) {
            return Ok(Err(ErrorCode::ReadOnly));
        }
        Ok(match self.open(&directory, flags, &path) {
            Ok(Descriptor::File(_)) if open.contains(OpenFlags::DIRECTORY) => {
                Err(ErrorCode::NotDirectory)
            }
            Ok(descriptor) => {
                let handle = self.table.push(descriptor)?;
                self.filesystem.latest = Some(handle.rep());
                Ok(handle)
            }
            Err(code) => Err(code),
        })
    }

    fn stat_at(
        &mut self,
        handle: Handle,
        flags: PathFlags,
        path: String,
    ) -> Outcome<DescriptorStat> {
        let directory = match self.begin(&handle)? {
            Ok(directory) => directory,
            Err(code) => return Ok(Err(code)),
        };
        Ok(self.look(
            &directory,
            &path,
            follow(flags),
            |directory, path| cap::stat(directory, path, follow(flags)).map(|found| stat(&found)),
            |file| cap::Metadata::from_file(file).map(|found| stat(&found)),
        ))
    }

    fn readlink_at(&mut self, handle: Handle, path: String) -> Outcome<String> {
        let directory = match self.begin(&handle)? {
            Ok(directory) => directory,
            Err(code) => return Ok(Err(code)),
        };
        // The text of a link is shown whatever it says; it opens nothing.
        let target = self.look(
            &directory,
            &path,
            FollowSymlinks::No,
            cap::read_link_contents,
            platform::read_link,
        );
        Ok(target.map(|target| name(target.as_os_str())))
    }

    fn read_directory(&mut self, handle: Handle) -> Outcome<Resource<EntryStream>> {
        let directory = match self.begin(&handle)? {
            Ok(directory) => directory,
            Err(code) => return Ok(Err(code)),
        };
        let real = if self.filesystem.policy.has_rules() {
            self.real_path(&directory).map(Some)
        } else {
            Ok(None)
        };
        let real = match real {
            Ok(real) => real,
            Err(code) => return Ok(Err(code)),
        };
        // Its entries are checked one by one.
        if let Some(refusal) = real
            .as_ref()
            .and_then(|real| self.filesystem.policy.denied(real))
        {
            return Ok(self.refuse(refusal));
        }
        Ok(match cap::read_base_dir(&directory) {
            Ok(entries) => Ok(self.table.push(EntryStream {
                entries,
                directory: real,
            })?),
            Err(error) => self.failed(&error),
        })
    }

    fn read(&mut self, handle: Handle, length: u64, offset: u64) -> Outcome<(Vec<u8>, bool)> {
        self.filesystem.stop.check()?;
        let file = match self.table.get(&handle)? {
            Descriptor::File(file) => file,
            Descriptor::Directory(_) => return Ok(Err(ErrorCode::IsDirectory)),
        };
        let length = usize::try_from(length)
            .unwrap_or(READ_BYTES)
            .min(READ_BYTES);
        Ok(match read_at(file, length, offset) {
            Ok(bytes) => {
                let end = bytes.is_empty() && length > 0;
                Ok((bytes, end))
            }
            Err(error) => Err(code(&error)),
        })
    }

    fn stat(&mut self, handle: Handle) -> Outcome<DescriptorStat> {
        let metadata = match self.table.get(&handle)? {
            Descriptor::File(file) => cap::Metadata::from_file(file),
            Descriptor::Directory(directory) => cap::Metadata::from_file(directory),
        };
        Ok(metadata
            .map(|metadata| stat(&metadata))
            .map_err(|error| code(&error)))
    }

    fn get_type(&mut self, handle: Handle) -> Outcome<DescriptorType> {
        Ok(Ok(match self.table.get(&handle)? {
            Descriptor::File(_) => DescriptorType::RegularFile,
            Descriptor::Directory(_) => DescriptorType::Directory,
        }))
    }

    fn get_flags(&mut self, handle: Handle) -> Outcome<DescriptorFlags> {
        self.table.get(&handle)?;
        Ok(Ok(DescriptorFlags::READ))
    }

    fn is_same_object(&mut self, one: Handle, other: Handle) -> wasmtime::Result<bool> {
        Ok(match (self.table.get(&one)?, self.table.get(&other)?) {
            // A directory that is a root under two names has one handle.
            (Descriptor::Directory(one), Descriptor::Directory(other)) => Arc::ptr_eq(one, other),
            _ => one.rep() == other.rep(),
        })
    }

    fn drop(&mut self, handle: Handle) -> wasmtime::Result<()> {
        self.table.delete(handle)?;
        Ok(())
    }

    fn advise(&mut self, _: Handle, _: u64, _: u64, _: types::Advice) -> Outcome<()> {
        Ok(Ok(()))
    }

    // Nothing is read through streams, and nothing is written at all.

    fn read_via_stream(&mut self, _: Handle, _: u64) -> Outcome<Resource<InputStream>> {
        Ok(Err(ErrorCode::Unsupported))
    }

    fn metadata_hash(&mut self, _: Handle) -> Outcome<types::MetadataHashValue> {
        Ok(Err(ErrorCode::Unsupported))
    }

    fn metadata_hash_at(
        &mut self,
        _: Handle,
        _: PathFlags,
        _: String,
    ) -> Outcome<types::MetadataHashValue> {
        Ok(Err(ErrorCode::Unsupported))
    }

    fn write_via_stream(&mut self, _: Handle, _: u64) -> Outcome<Resource<OutputStream>> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn append_via_stream(&mut self, _: Handle) -> Outcome<Resource<OutputStream>> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn sync_data(&mut self, _: Handle) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn sync(&mut self, _: Handle) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn set_size(&mut self, _: Handle, _: u64) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn set_times(
        &mut self,
        _: Handle,
        _: types::NewTimestamp,
        _: types::NewTimestamp,
    ) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn write(&mut self, _: Handle, _: Vec<u8>, _: u64) -> Outcome<u64> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn create_directory_at(&mut self, _: Handle, _: String) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn set_times_at(
        &mut self,
        _: Handle,
        _: PathFlags,
        _: String,
        _: types::NewTimestamp,
        _: types::NewTimestamp,
    ) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn link_at(&mut self, _: Handle, _: PathFlags, _: String, _: Handle, _: String) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn remove_directory_at(&mut self, _: Handle, _: String) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn rename_at(&mut self, _: Handle, _: String, _: Handle, _: String) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn symlink_at(&mut self, _: Handle, _: String, _: String) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }

    fn unlink_file_at(&mut self, _: Handle, _: String) -> Outcome<()> {
        Ok(Err(ErrorCode::ReadOnly))
    }
}
