//! The [`World`](super::World) of the WebAssembly component, which calls WASI directly.
//!
//! The standard library would examine every entry of a directory twice, and would read files
//! through streams.

mod database;
mod document;
mod http;
mod image;
mod network;
mod remote;

use super::{
    Capabilities, Clock, Connection, DatabaseError, DecoderFormat, Directory, Document,
    DocumentError, Engines, Entry, FileError, FileType, Files, ImageBounds, ImageError, ImageFacts,
    Info, Input, Parts, ReadTime, Refusal, Session, Snapshot, Source, Stat, Time, Transcoded,
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
use crate::failure::{SpecialFile, library_message};
use omniread_document::Format;

/// The directories that the runtime preopened, and the environment.
pub struct WasiWorld {
    names: Vec<String>,
    roots: Vec<Descriptor>,
    /// For each root, the index of the first root that is the same directory.
    same: Vec<usize>,
    environment: Vec<(String, String)>,
    /// The parts of a source on a server that were fetched for an engine.
    parts: Option<remote::Parts>,
}

impl WasiWorld {
    /// Creates the world from the preopened directories.
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
            parts: None,
        }
    }

    /// The environment variables.
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.environment
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The capabilities that the host reports, except network access if the component has none.
    pub fn capabilities() -> Capabilities {
        let host = sandbox::get_capabilities();
        Capabilities {
            engines: host.engines,
            network: host.network && http::Outgoing::new().is_some(),
            schemes: host.schemes,
        }
    }

    fn root(&self, root: usize) -> Result<&Descriptor, FileError> {
        self.roots.get(root).ok_or(FileError::NotFound)
    }
}

/// Converts the empty path to `.`, because WASI does not accept an empty path.
fn at(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

fn error(code: ErrorCode) -> FileError {
    match code {
        // A name that is too long or not UTF-8 cannot exist here.
        ErrorCode::NoEntry
        | ErrorCode::NotDirectory
        | ErrorCode::NameTooLong
        | ErrorCode::IllegalByteSequence => FileError::NotFound,
        ErrorCode::Loop => FileError::SymlinkLoop,
        ErrorCode::Access
        | ErrorCode::Busy
        | ErrorCode::FileTooLarge
        | ErrorCode::InsufficientMemory => refused(code),
        ErrorCode::NotPermitted | ErrorCode::CrossDevice => FileError::OutsideRoot,
        ErrorCode::WouldBlock => {
            FileError::Other("there is nothing to read without waiting".to_owned())
        }
        code => FileError::Other(message(code).to_owned()),
    }
}

/// The message for an error code of the operating system.
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

/// The error for a failed call of the file system. If the host refused the call, the error contains
/// the rule or reason that the host reports.
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
}

/// Appends `bytes` to `out`. If `out` has no allocated memory yet, it becomes `bytes` without a
/// copy.
fn add(bytes: Vec<u8>, out: &mut Vec<u8>) {
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

struct Folder {
    // The stream has to be dropped before the descriptor that it reads.
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

impl Engines for WasiWorld {
    fn database(&mut self, parts: &Parts) -> Result<Box<dyn Connection>, DatabaseError> {
        self.connect(parts)
    }

    fn memory_database(&mut self) -> Result<Box<dyn Connection>, DatabaseError> {
        database::in_memory()
    }

    fn probe_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
    ) -> Result<ImageFacts, ImageError> {
        image::probe(data, format)
    }

    fn validate_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
        pixels: u64,
    ) -> Result<(), ImageError> {
        image::validate(data, format, pixels)
    }

    fn transcode_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
        bounds: ImageBounds,
    ) -> Result<Transcoded, ImageError> {
        image::transcode(data, format, bounds)
    }

    fn document(
        &mut self,
        input: &Input,
        format: Format,
    ) -> Result<Box<dyn Document>, DocumentError> {
        self.open_document(input, format)
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

    fn stores_artifacts(&self) -> bool {
        session::stores_artifacts()
    }

    fn store_artifact(&mut self, source: &str, text: &str) -> Option<String> {
        session::store_artifact(source, text)
    }

    fn lasting(&self) -> bool {
        session::lasting()
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

    fn read_time(&self) -> ReadTime {
        match sandbox::get_time() {
            Some(sandbox::Time { used, limit }) => ReadTime { used, limit },
            None => ReadTime {
                used: self.monotonic_millis(),
                limit: None,
            },
        }
    }

    fn monotonic_millis(&self) -> u64 {
        monotonic_clock::now() / 1_000_000
    }
}
