//! Access to files and directories, and to standard input.

use super::errors::error;
use super::preopened::WasiWorld;
use crate::bindings::omniread::parts::sandbox;
use crate::bindings::wasi::cli::stdin;
use crate::bindings::wasi::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntryStream, OpenFlags,
    PathFlags,
};
use crate::bindings::wasi::io::streams::{InputStream, StreamError};
use crate::failure::{SpecialFile, library_message};
use crate::world::{
    Directory, Ends, Entry, FileError, FileType, Files, Found, Info, Mount, Source, Stat, Time,
};
use std::rc::Rc;
use std::vec;

/// Converts the empty path to `.`, because WASI does not accept an empty path.
fn at(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

fn file_type(descriptor: DescriptorType) -> FileType {
    match descriptor {
        DescriptorType::RegularFile => FileType::File,
        DescriptorType::Directory => FileType::Directory,
        DescriptorType::SymbolicLink => FileType::Symlink,
        DescriptorType::Fifo => FileType::Special(SpecialFile::Pipe),
        DescriptorType::Socket => FileType::Special(SpecialFile::Socket),
        DescriptorType::BlockDevice | DescriptorType::CharacterDevice => {
            FileType::Special(SpecialFile::Device)
        }
        DescriptorType::Unknown => FileType::Special(SpecialFile::Other),
    }
}

fn stat(stat: DescriptorStat) -> Stat {
    Stat {
        file_type: file_type(stat.type_),
        size: stat.size,
        modified: stat.data_modification_timestamp.map(|time| Time {
            seconds: time.seconds,
            nanos: time.nanoseconds,
        }),
    }
}

struct File(Descriptor);

impl Source for File {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let (bytes, _) = self.0.read(len as u64, offset).map_err(error)?;
        add(bytes, out);
        Ok(())
    }

    fn seekable(&self) -> bool {
        true
    }

    fn info(&mut self) -> Info {
        self.0
            .stat()
            .map_or_else(|_| Info::default(), |found| stat(found).into())
    }

    fn state(&mut self) -> Option<[u64; 2]> {
        let hash = self.0.metadata_hash().ok()?;
        Some([hash.lower, hash.upper])
    }
}

/// Appends `bytes` to `out`. If `out` has no allocated memory yet, it becomes `bytes` without a
/// copy.
pub fn add(bytes: Vec<u8>, out: &mut Vec<u8>) {
    if out.capacity() == 0 {
        *out = bytes;
    } else {
        out.extend_from_slice(&bytes);
    }
}

/// Standard input. Contains the number of bytes that were read so far.
struct Stdin(InputStream, u64);

impl Source for Stdin {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if offset != self.1 {
            return Err(FileError::not_rewindable());
        }
        match self.0.blocking_read(len as u64) {
            Ok(bytes) => {
                self.1 = offset.saturating_add(bytes.len() as u64);
                add(bytes, out);
            }
            Err(StreamError::Closed) => {}
            Err(StreamError::LastOperationFailed(failed)) => {
                return Err(FileError::Other(format!(
                    "standard input cannot be read: {}",
                    library_message(failed.to_debug_string())
                )));
            }
        }
        Ok(())
    }

    fn seekable(&self) -> bool {
        false
    }
}

/// The number of entries of a directory that are requested at once by a caller that may not read all of them.
const ENTRIES: u32 = 64;

struct Folder {
    // The stream has to be dropped before the descriptor that it reads.
    entries: DirectoryEntryStream,
    descriptor: Rc<Descriptor>,
    batch: Batch,
}

/// Entries that the host has returned.
struct Batch {
    /// The names of all entries.
    names: String,
    entries: vec::IntoIter<sandbox::Entry>,
    /// The number of bytes of `names` that belong to earlier entries.
    passed: usize,
}

impl Batch {
    fn new(batch: sandbox::Batch) -> Self {
        Self {
            names: batch.names,
            entries: batch.entries.into_iter(),
            passed: 0,
        }
    }

    fn next(&mut self) -> Option<(Entry, Option<Stat>)> {
        let entry = self.entries.next()?;
        let end = self.passed.saturating_add(entry.name as usize);
        let name = self.names.get(self.passed..end).unwrap_or_default();
        self.passed = end;
        let file_type = file_type(entry.type_);
        let stat = entry.metadata.map(|found| Stat {
            file_type,
            size: found.size,
            modified: found
                .modified
                .map(|(seconds, nanos)| Time { seconds, nanos }),
        });
        let name = name.to_owned();
        Some((Entry { name, file_type }, stat))
    }
}

impl Folder {
    fn open(parent: &Descriptor, path: &str) -> Result<Box<dyn Directory>, FileError> {
        let descriptor = parent
            .open_at(
                PathFlags::SYMLINK_FOLLOW,
                at(path),
                OpenFlags::DIRECTORY,
                DescriptorFlags::READ,
            )
            .map_err(error)?;
        let entries = descriptor.read_directory().map_err(error)?;
        Ok(Box::new(Self {
            entries,
            descriptor: Rc::new(descriptor),
            batch: Batch::new(sandbox::Batch {
                names: String::new(),
                entries: Vec::new(),
            }),
        }))
    }

    /// The next entry, for which the host is called if it has not returned it already.
    fn entry(
        &mut self,
        most: u32,
        measured: bool,
    ) -> Option<Result<(Entry, Option<Stat>), FileError>> {
        if self.batch.entries.as_slice().is_empty() {
            match sandbox::next_entries(&self.descriptor, &self.entries, most, measured) {
                Ok(batch) => self.batch = Batch::new(batch),
                Err(code) => return Some(Err(error(code))),
            }
        }
        self.batch.next().map(Ok)
    }
}

fn stat_at(descriptor: &Descriptor, path: &str) -> Result<Stat, FileError> {
    descriptor
        .stat_at(PathFlags::empty(), path)
        .map(stat)
        .map_err(error)
}

impl Directory for Folder {
    fn next(&mut self) -> Option<Result<Entry, FileError>> {
        let entry = self.entry(ENTRIES, false)?;
        Some(entry.map(|(entry, _)| entry))
    }

    fn next_measured(&mut self, most: u64) -> Option<Result<(Entry, Option<Stat>), FileError>> {
        self.entry(u32::try_from(most).unwrap_or(u32::MAX), true)
    }

    fn stat(&mut self, name: &str) -> Result<Stat, FileError> {
        stat_at(&self.descriptor, name)
    }

    fn read_link(&mut self, name: &str) -> Result<String, FileError> {
        self.descriptor.readlink_at(name).map_err(error)
    }

    fn open(&mut self, name: &str) -> Result<Box<dyn Directory>, FileError> {
        Self::open(&self.descriptor, name)
    }

    fn open_all(&mut self, names: &[&str], most: u64) -> Vec<Option<Box<dyn Directory>>> {
        let asked: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let folders = sandbox::list_folders(&self.descriptor, &asked, most).unwrap_or_default();
        let folders = folders.into_iter().zip(asked);
        folders
            .map(|(batch, name)| -> Option<Box<dyn Directory>> {
                Some(Box::new(Listed {
                    parent: Rc::clone(&self.descriptor),
                    name,
                    batch: Batch::new(batch?),
                }))
            })
            .collect()
    }
}

/// A subdirectory whose entries the host has returned already.
struct Listed {
    parent: Rc<Descriptor>,
    /// The name of the subdirectory.
    name: String,
    batch: Batch,
}

impl Listed {
    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.name)
    }
}

impl Directory for Listed {
    fn next(&mut self) -> Option<Result<Entry, FileError>> {
        Some(Ok(self.batch.next()?.0))
    }

    fn next_measured(&mut self, _: u64) -> Option<Result<(Entry, Option<Stat>), FileError>> {
        self.batch.next().map(Ok)
    }

    fn stat(&mut self, name: &str) -> Result<Stat, FileError> {
        stat_at(&self.parent, &self.path(name))
    }

    fn read_link(&mut self, name: &str) -> Result<String, FileError> {
        self.parent.readlink_at(&self.path(name)).map_err(error)
    }

    fn open(&mut self, name: &str) -> Result<Box<dyn Directory>, FileError> {
        Folder::open(&self.parent, &self.path(name))
    }
}

impl Files for WasiWorld {
    fn roots(&self) -> &[String] {
        &self.names
    }

    fn mounts(&self) -> &[Mount] {
        &self.mounts
    }

    fn canonical_root(&self, root: usize) -> usize {
        self.same.get(root).copied().unwrap_or(root)
    }

    fn stat(&mut self, root: usize, path: &str, follow: bool) -> Result<Stat, FileError> {
        let flags = if follow {
            PathFlags::SYMLINK_FOLLOW
        } else {
            PathFlags::empty()
        };
        self.root(root)?
            .stat_at(flags, at(path))
            .map(stat)
            .map_err(error)
    }

    fn open(&mut self, root: usize, path: &str) -> Result<Box<dyn Source>, FileError> {
        let descriptor = self
            .root(root)?
            .open_at(
                PathFlags::SYMLINK_FOLLOW,
                at(path),
                OpenFlags::empty(),
                DescriptorFlags::READ,
            )
            .map_err(error)?;
        Ok(Box::new(File(descriptor)))
    }

    fn list(&mut self, root: usize, path: &str) -> Result<Box<dyn Directory>, FileError> {
        Folder::open(self.root(root)?, path)
    }

    fn find_ends(&mut self, root: usize, wanted: &Ends<'_>) -> Option<Found> {
        let most = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let ends = sandbox::Ends {
            end: wanted.end.to_owned(),
            pruned: wanted
                .pruned
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            depth: most(wanted.depth),
            most: most(wanted.most),
            until: wanted.until,
        };
        let found = sandbox::find_ends(self.root(root).ok()?, &ends).ok()?;
        Some(found.map_or(Found::Late, Found::Paths))
    }

    fn read_link(&mut self, root: usize, path: &str) -> Result<String, FileError> {
        self.root(root)?.readlink_at(at(path)).map_err(error)
    }

    fn stdin(&mut self) -> Box<dyn Source> {
        Box::new(Stdin(stdin::get_stdin(), 0))
    }

    fn home(&self) -> Option<&str> {
        self.environment()
            .find(|(name, _)| *name == "HOME")
            .map(|(_, home)| home)
    }

    fn denied_entries(&self) -> u64 {
        sandbox::denied_entries()
    }

    fn opened_path(&self) -> Result<Option<String>, String> {
        sandbox::opened()
    }

    fn denies_members(&self) -> bool {
        sandbox::denies_members()
    }

    fn denies(&self, member: &str) -> Option<String> {
        sandbox::denies(member)
    }
}
