//! The implementation of `wasi:filesystem`: reading beneath roots, and nothing else.
//!
//! [`View`] opens paths. Directories are read entry by entry. Each call first checks whether
//! the read was stopped.

use super::entries::next_entry;
use super::listing::Listing;
use super::platform::{self, follow, name, read_at, stat};
use super::view::{Lookup, View, is_entry};
use crate::bindings::wasi::filesystem::{preopens, types};
use crate::handles::{Descriptor, EntryStream};
use cap_primitives::fs::{self as cap, FollowSymlinks};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use types::{DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, OpenFlags, PathFlags};
use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::sync::io::streams::{InputStream, OutputStream};

/// The maximum number of bytes that one call of `read` returns. The reader requests this many.
const READ_BYTES: usize = 64 * 1024;

/// The outcome of a call from an instance. The inner result is returned to the instance. The outer
/// error stops the instance.
type Outcome<T> = wasmtime::Result<Result<T, ErrorCode>>;

type Handle = Resource<Descriptor>;

impl View<'_> {
    fn directory(&self, handle: &Handle) -> Outcome<Arc<File>> {
        Ok(match self.table.get(handle)? {
            Descriptor::Directory(directory) => Ok(Arc::clone(directory)),
            Descriptor::File(_) => Err(ErrorCode::NotDirectory),
        })
    }

    /// Prepares a call: clears the last refusal, and checks that the read was not stopped.
    ///
    /// # Errors
    /// Fails if the read was stopped.
    pub(super) fn start(&mut self) -> wasmtime::Result<()> {
        self.filesystem.refusal = None;
        // The processor time of an engine is checked between its instructions.
        Ok(self.filesystem.stop.check_waiting()?)
    }

    /// Prepares a call whose path is relative to a directory, and returns that directory.
    pub(super) fn begin(&mut self, handle: &Handle) -> Outcome<Arc<File>> {
        self.start()?;
        self.directory(handle)
    }
}

/// The metadata of a path. An entry that is no symlink is not followed, which takes one call of the system in place of up
/// to three.
fn metadata_of(
    directory: &File,
    path: &Path,
    follow: FollowSymlinks,
) -> std::io::Result<DescriptorStat> {
    if follow == FollowSymlinks::Yes && path.to_str().is_some_and(is_entry) {
        match cap::stat(directory, path, FollowSymlinks::No) {
            Ok(found) if found.file_type().is_symlink() => {}
            found => return found.map(|found| stat(&found)),
        }
    }
    cap::stat(directory, path, follow).map(|found| stat(&found))
}

impl preopens::Host for View<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Handle, String)>> {
        let policy = Arc::clone(&self.filesystem.policy);
        let roots = policy.roots().iter();
        let roots = roots.map(|root| (&root.handle, root.name.clone()));
        let mounts = policy.mounts().iter();
        let mounts = mounts.map(|mount| (&mount.root.handle, mount.name()));
        let directories = roots.chain(mounts).map(|(handle, name)| {
            let descriptor = Descriptor::Directory(Arc::clone(handle));
            Ok((self.table.push(descriptor)?, name))
        });
        directories.collect()
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
        self.start()?;
        let stream = self.table.get_mut(&stream)?;
        Ok(match next_entry(stream, self.filesystem) {
            None => Ok(None),
            Some(Err(error)) => self.failed(&error),
            Some(Ok((name, type_))) => Ok(Some(types::DirectoryEntry { type_, name })),
        })
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
        Ok(self.metadata(
            &directory,
            &path,
            follow(flags),
            Lookup {
                by_name: |directory: &File, path: &Path| {
                    metadata_of(directory, path, follow(flags))
                },
                by_handle: |file: &File| cap::Metadata::from_file(file).map(|found| stat(&found)),
                is_link: |found: &types::DescriptorStat| {
                    found.type_ == DescriptorType::SymbolicLink
                },
            },
        ))
    }

    fn readlink_at(&mut self, handle: Handle, path: String) -> Outcome<String> {
        let directory = match self.begin(&handle)? {
            Ok(directory) => directory,
            Err(code) => return Ok(Err(code)),
        };
        // The target of a symlink may be any text. It is shown, and opens nothing.
        let target = self.metadata(
            &directory,
            &path,
            FollowSymlinks::No,
            Lookup {
                by_name: cap::read_link_contents,
                by_handle: platform::read_link,
                is_link: |_: &PathBuf| true,
            },
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
        // The entries are checked one by one.
        if let Some(refusal) = real
            .as_ref()
            .and_then(|real| self.filesystem.denied_directory(real))
        {
            return Ok(self.refuse(refusal));
        }
        Ok(match Listing::new(&directory) {
            Ok(entries) => Ok(self.table.push(EntryStream {
                entries,
                directory: real,
                failed: None,
            })?),
            Err(error) => self.failed(&error),
        })
    }

    fn read(&mut self, handle: Handle, length: u64, offset: u64) -> Outcome<(Vec<u8>, bool)> {
        self.start()?;
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
            Err(error) => self.failed(&error),
        })
    }

    fn stat(&mut self, handle: Handle) -> Outcome<DescriptorStat> {
        self.start()?;
        let metadata = match self.table.get(&handle)? {
            Descriptor::File(file) => cap::Metadata::from_file(file),
            Descriptor::Directory(directory) => cap::Metadata::from_file(directory),
        };
        Ok(match metadata {
            Ok(metadata) => Ok(stat(&metadata)),
            Err(error) => self.failed(&error),
        })
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

    fn metadata_hash(&mut self, handle: Handle) -> Outcome<types::MetadataHashValue> {
        self.start()?;
        let metadata = match self.table.get(&handle)? {
            Descriptor::File(file) => file.metadata(),
            Descriptor::Directory(directory) => directory.metadata(),
        };
        Ok(match metadata {
            Ok(metadata) => platform::state_hash(&metadata).ok_or(ErrorCode::Unsupported),
            Err(error) => self.failed(&error),
        })
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
