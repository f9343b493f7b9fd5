//! `wasi:filesystem`, for reading beneath roots and nothing else.
//!
//! Paths are resolved by the kernel beneath the handle of a root, so that no
//! link, `..` or rename leads out of it. Every open is non-blocking and
//! followed by a look at what was opened: a regular file or directory, not
//! denied by its real path. Directories are read entry by entry. Every call
//! checks first whether the read is to stop.

use super::platform::{code, descriptor_type, follow, name, read_at, real_path, stat};
use super::{Policy, Refusal, Stop};
use crate::bindings::wasi::filesystem::{preopens, types};
use cap_fs_ext::{OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_primitives::fs::{self as cap, OpenOptions};
use std::fs::File;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use types::{DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, OpenFlags, PathFlags};
use wasmtime::Result;
use wasmtime::component::{HasData, Resource, ResourceTable};
use wasmtime_wasi::p2::bindings::sync::io::streams::{InputStream, OutputStream};

/// Bytes handed out by one call: what the reader asks for.
const READ_BYTES: usize = 64 * 1024;

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
    /// The real path, if there are deny rules to hold its entries against.
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
}

impl Filesystem {
    pub fn new(policy: Arc<Policy>, stop: Stop) -> Self {
        Self {
            policy,
            stop,
            refusal: None,
            withheld: 0,
        }
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
type Outcome<T> = Result<Result<T, ErrorCode>>;

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
        };
        self.filesystem.refusal = Some(refusal);
        Err(code)
    }

    /// Refuses a path that a rule denies, as it is written and where it leads.
    /// What is opened is looked at once more by its handle.
    fn allow(&mut self, directory: &File, path: &str) -> Result<(), ErrorCode> {
        if !self.filesystem.policy.has_rules() {
            return Ok(());
        }
        let base = real_path(directory).map_err(|error| code(&error))?;
        let written = beneath(&base, path);
        let real = written.canonicalize().ok();
        for path in std::iter::once(written).chain(real) {
            if let Some(refusal) = self.filesystem.policy.denied(&path) {
                return self.refuse(refusal);
            }
        }
        Ok(())
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
        let file = cap::open(directory, Path::new(path), &options).map_err(|error| code(&error))?;
        let metadata = file.metadata().map_err(|error| code(&error))?;
        if !metadata.is_file() && !metadata.is_dir() {
            return Err(ErrorCode::Unsupported);
        }
        if self.filesystem.policy.has_rules() {
            let real = real_path(&file).map_err(|error| code(&error))?;
            if let Some(refusal) = self.filesystem.policy.denied(&real) {
                return self.refuse(refusal);
            }
        }
        if metadata.is_dir() {
            return Ok(Descriptor::Directory(Arc::new(file)));
        }
        if let Some(refusal) = self.filesystem.policy.oversized(metadata.len()) {
            return self.refuse(refusal);
        }
        Ok(Descriptor::File(file))
    }
}

/// A path in a directory, without `.` and `..`.
fn beneath(base: &Path, path: &str) -> PathBuf {
    let mut out = base.to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(part) => out.push(part),
            Component::ParentDir => {
                out.pop();
            }
            _ => {}
        }
    }
    out
}

impl preopens::Host for View<'_> {
    fn get_directories(&mut self) -> Result<Vec<(Handle, String)>> {
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
    ) -> Result<Option<ErrorCode>> {
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
            if let Some(directory) = &stream.directory
                && self
                    .filesystem
                    .policy
                    .denied(&directory.join(entry.file_name()))
                    .is_some()
            {
                self.filesystem.withheld += 1;
                continue;
            }
            let type_ = match entry.file_type().map(descriptor_type) {
                // Some filesystems do not tell in their listings.
                Ok(DescriptorType::Unknown) | Err(_) => entry
                    .metadata()
                    .map_or(DescriptorType::Unknown, |metadata| {
                        descriptor_type(metadata.file_type())
                    }),
                Ok(type_) => type_,
            };
            return Ok(Ok(Some(types::DirectoryEntry {
                type_,
                name: name(&entry.file_name()),
            })));
        }
    }

    fn drop(&mut self, stream: Resource<EntryStream>) -> Result<()> {
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
            Ok(descriptor) => Ok(self.table.push(descriptor)?),
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
        if let Err(code) = self.allow(&directory, &path) {
            return Ok(Err(code));
        }
        Ok(cap::stat(&directory, Path::new(&path), follow(flags))
            .map(|metadata| stat(&metadata))
            .map_err(|error| code(&error)))
    }

    fn readlink_at(&mut self, handle: Handle, path: String) -> Outcome<String> {
        let directory = match self.begin(&handle)? {
            Ok(directory) => directory,
            Err(code) => return Ok(Err(code)),
        };
        if let Err(code) = self.allow(&directory, &path) {
            return Ok(Err(code));
        }
        // The text of a link is shown whatever it says; it opens nothing.
        Ok(cap::read_link_contents(&directory, Path::new(&path))
            .map(|target| name(target.as_os_str()))
            .map_err(|error| code(&error)))
    }

    fn read_directory(&mut self, handle: Handle) -> Outcome<Resource<EntryStream>> {
        let directory = match self.begin(&handle)? {
            Ok(directory) => directory,
            Err(code) => return Ok(Err(code)),
        };
        let opened = cap::read_base_dir(&directory).and_then(|entries| {
            let rules = self.filesystem.policy.has_rules();
            let directory = rules.then(|| real_path(&directory)).transpose()?;
            Ok(EntryStream { entries, directory })
        });
        Ok(match opened {
            Ok(stream) => Ok(self.table.push(stream)?),
            Err(error) => Err(code(&error)),
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

    fn is_same_object(&mut self, one: Handle, other: Handle) -> Result<bool> {
        Ok(match (self.table.get(&one)?, self.table.get(&other)?) {
            // A directory that is a root under two names has one handle.
            (Descriptor::Directory(one), Descriptor::Directory(other)) => Arc::ptr_eq(one, other),
            _ => one.rep() == other.rep(),
        })
    }

    fn drop(&mut self, handle: Handle) -> Result<()> {
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
