//! The world of the component: WASI, called directly.
//!
//! The standard library would look at every entry of a directory twice and
//! read through streams; here a call is a call.

mod database;
mod image;
mod network;

use super::{
    Capabilities, Clock, Connection, DatabaseError, DecoderFormat, Directory, Engines, Entry,
    Facts, FileError, FileType, Files, Fitted, ImageBounds, ImageError, Info, Parts, Refusal,
    Session, Snapshot, Source, Stat, Time,
};
use crate::bindings::omniread::read::{sandbox, session};
use crate::bindings::wasi::cli::{environment, stdin};
use crate::bindings::wasi::clocks::{monotonic_clock, wall_clock};
use crate::bindings::wasi::filesystem::preopens;
use crate::bindings::wasi::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntryStream, ErrorCode,
    OpenFlags, PathFlags,
};
use crate::bindings::wasi::io::streams::{InputStream, StreamError};
use crate::failure::{Special, aside};

/// What the runtime preopened.
pub struct WasiWorld {
    names: Vec<String>,
    roots: Vec<Descriptor>,
    /// For each root the first one that is the same directory.
    same: Vec<usize>,
    environment: Vec<(String, String)>,
}

impl WasiWorld {
    /// Takes over the preopened directories.
    pub fn preopened() -> Self {
        let (roots, names): (Vec<Descriptor>, _) = preopens::get_directories().into_iter().unzip();
        let first = |(place, root): (usize, &Descriptor)| {
            let mut before = roots.iter().take(place);
            before
                .position(|other| other.is_same_object(root))
                .unwrap_or(place)
        };
        let same = roots.iter().enumerate().map(first).collect();
        Self {
            names,
            roots,
            same,
            environment: environment::get_environment(),
        }
    }

    /// The variables of the environment.
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.environment
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// What the host can do.
    pub fn capabilities() -> Capabilities {
        let host = sandbox::get_capabilities();
        Capabilities {
            engines: host.engines,
            network: host.network && network::FETCHES,
            schemes: host.schemes,
        }
    }

    fn root(&self, root: usize) -> Result<&Descriptor, FileError> {
        self.roots.get(root).ok_or(FileError::NotFound)
    }
}

/// A path as WASI wants it: it knows no empty one.
fn at(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

fn error(code: ErrorCode) -> FileError {
    match code {
        // No name is too long, or holds bytes that are no text.
        ErrorCode::NoEntry
        | ErrorCode::NotDirectory
        | ErrorCode::NameTooLong
        | ErrorCode::IllegalByteSequence => FileError::NotFound,
        ErrorCode::Loop => FileError::Links,
        ErrorCode::Access
        | ErrorCode::Busy
        | ErrorCode::FileTooLarge
        | ErrorCode::InsufficientMemory => refused(code),
        ErrorCode::NotPermitted | ErrorCode::CrossDevice => FileError::Escape,
        ErrorCode::WouldBlock => {
            FileError::Other("there is nothing to read without waiting".to_owned())
        }
        code => FileError::Other(message(code).to_owned()),
    }
}

/// The meaning of a code of the operating system.
fn message(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::Invalid | ErrorCode::InvalidSeek | ErrorCode::Overflow => {
            "the operating system does not let it be read like a file"
        }
        ErrorCode::Unsupported => "the filesystem does not support reading it",
        ErrorCode::Io => {
            "the operating system reports an input/output error; its device may be damaged"
        }
        ErrorCode::TextFileBusy | ErrorCode::Already | ErrorCode::InProgress => {
            "another program is using it"
        }
        ErrorCode::NoLock | ErrorCode::Deadlock => "another program has locked it",
        ErrorCode::Quota => "a quota of the operating system was reached",
        ErrorCode::InsufficientSpace => "there is no space left on the device",
        ErrorCode::NoDevice | ErrorCode::NoSuchDevice => "there is no such device",
        ErrorCode::IsDirectory => "it is a directory",
        ErrorCode::BadDescriptor | ErrorCode::NotRecoverable => {
            "it was closed or replaced while it was read"
        }
        ErrorCode::Interrupted => "reading it was interrupted",
        ErrorCode::Pipe => "it is a pipe that nobody writes to",
        ErrorCode::ReadOnly => "the filesystem is read-only",
        ErrorCode::TooManyLinks => "it has too many links",
        _ => "the operating system reports an error that has no meaning for a file",
    }
}

/// The error of a call that the host may have refused.
fn refused(code: ErrorCode) -> FileError {
    match (sandbox::refused(), code) {
        (Some(sandbox::Refusal::Denied(rule)), _) => FileError::Refused(Refusal::Denied(rule)),
        (Some(sandbox::Refusal::Size(limit)), _) => FileError::Refused(Refusal::Size(limit)),
        (Some(sandbox::Refusal::Unverified(why)), _) => FileError::Other(format!(
            "its name cannot be checked against the deny rules: {why}"
        )),
        (Some(sandbox::Refusal::Unavailable(what)), _) => FileError::Unavailable(what),
        (None, ErrorCode::InsufficientMemory) => {
            FileError::Unavailable("the system has no memory left".to_owned())
        }
        (None, ErrorCode::Busy) => FileError::Other("another program uses it".to_owned()),
        (None, ErrorCode::FileTooLarge) => FileError::Other("it is too large".to_owned()),
        (None, _) => FileError::Permission,
    }
}

fn file_type(descriptor: DescriptorType) -> FileType {
    match descriptor {
        DescriptorType::RegularFile => FileType::File,
        DescriptorType::Directory => FileType::Directory,
        DescriptorType::SymbolicLink => FileType::Link,
        DescriptorType::Fifo => FileType::Special(Special::Pipe),
        DescriptorType::Socket => FileType::Special(Special::Socket),
        DescriptorType::BlockDevice | DescriptorType::CharacterDevice => {
            FileType::Special(Special::Device)
        }
        DescriptorType::Unknown => FileType::Special(Special::Other),
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
}

/// Adds bytes; the first ones become the buffer themselves, so that they are
/// not touched twice.
fn add(bytes: Vec<u8>, out: &mut Vec<u8>) {
    if out.capacity() == 0 {
        *out = bytes;
    } else {
        out.extend_from_slice(&bytes);
    }
}

/// Standard input, and the bytes that were read.
struct Stdin(InputStream, u64);

impl Source for Stdin {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if offset != self.1 {
            return Err(FileError::passed());
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
                    aside(failed.to_debug_string())
                )));
            }
        }
        Ok(())
    }

    fn seekable(&self) -> bool {
        false
    }
}

struct Folder {
    // Dropped before the descriptor that it reads.
    entries: DirectoryEntryStream,
    descriptor: Descriptor,
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
            descriptor,
        }))
    }
}

impl Directory for Folder {
    fn next(&mut self) -> Option<Result<Entry, FileError>> {
        match self.entries.read_directory_entry() {
            Ok(entry) => entry.map(|entry| {
                Ok(Entry {
                    name: entry.name,
                    file_type: file_type(entry.type_),
                })
            }),
            Err(code) => Some(Err(error(code))),
        }
    }

    fn stat(&mut self, name: &str) -> Result<Stat, FileError> {
        self.descriptor
            .stat_at(PathFlags::empty(), name)
            .map(stat)
            .map_err(error)
    }

    fn read_link(&mut self, name: &str) -> Result<String, FileError> {
        self.descriptor.readlink_at(name).map_err(error)
    }

    fn open(&mut self, name: &str) -> Result<Box<dyn Directory>, FileError> {
        Self::open(&self.descriptor, name)
    }
}

impl Files for WasiWorld {
    fn roots(&self) -> &[String] {
        &self.names
    }

    fn same_root(&self, root: usize) -> usize {
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

    fn withheld(&self) -> u64 {
        sandbox::withheld()
    }

    fn opened(&self) -> Result<Option<String>, String> {
        sandbox::opened()
    }

    fn denies_members(&self) -> bool {
        sandbox::denies_members()
    }

    fn denies(&self, member: &str) -> Option<String> {
        sandbox::denies(member)
    }
}

impl Engines for WasiWorld {
    fn database(&mut self, parts: &Parts) -> Result<Box<dyn Connection>, DatabaseError> {
        self.connect(parts)
    }

    fn examine(&mut self, data: &[u8], format: DecoderFormat) -> Result<Facts, ImageError> {
        image::examine(data, format)
    }

    fn verify(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
        pixels: u64,
    ) -> Result<(), ImageError> {
        image::verify(data, format, pixels)
    }

    fn fit(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
        bounds: ImageBounds,
    ) -> Result<Fitted, ImageError> {
        image::fit(data, format, bounds)
    }
}

impl Session for WasiWorld {
    fn remember(&mut self, snapshot: &Snapshot) {
        session::remember(&session::Snapshot {
            path: snapshot.path.clone(),
            tag: snapshot.tag.clone(),
            shown: snapshot
                .shown
                .iter()
                .map(|&(first, last)| session::Lines { first, last })
                .collect(),
            size: snapshot.size,
            modified: snapshot.modified.map(Time::millis),
            sha256: snapshot.sha256.clone(),
        });
    }

    fn cached(&mut self, key: &str) -> Option<Vec<u8>> {
        session::get(key)
    }

    fn cache(&mut self, key: &str, value: &[u8]) {
        session::put(key, value);
    }
}

impl Clock for WasiWorld {
    fn now(&self) -> Time {
        let now = wall_clock::now();
        Time {
            seconds: now.seconds,
            nanos: now.nanoseconds,
        }
    }

    fn ticks(&self) -> u64 {
        monotonic_clock::now() / 1_000_000
    }

    fn time_left(&self) -> Option<u64> {
        sandbox::time_left()
    }
}
