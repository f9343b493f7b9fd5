//! All contact with the machine, behind one trait for each part of it.
//!
//! The reader asks a [`World`]; the component answers through WASI
//! (`wasi.rs`), native builds through the standard library (`local.rs`), tests
//! from memory (`memory.rs`).

mod bytes;
mod database;
#[cfg(not(target_family = "wasm"))]
mod local;
#[cfg(test)]
pub mod memory;
#[cfg(target_family = "wasm")]
pub mod wasi;

pub use bytes::{Bytes, part_from};
pub use database::{Bounds, Connection, DatabaseError, Input, Parts, Rows, Value};
#[cfg(not(target_family = "wasm"))]
pub use local::LocalWorld;
pub use omniread_image_types::{
    Bounds as ImageBounds, Encoding, Encodings, Error as ImageError, Facts, Fitted,
    Format as DecoderFormat, Image,
};

use crate::failure::{Special, Unreachable};
use std::fmt;

/// A point in time since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Whole seconds.
    pub seconds: u64,
    /// Nanoseconds beyond them.
    pub nanos: u32,
}

impl Time {
    /// A time in milliseconds since 1970.
    pub fn from_millis(millis: u64) -> Self {
        let nanos = u32::try_from(millis % 1000).unwrap_or(0);
        Self {
            seconds: millis / 1000,
            nanos: nanos.saturating_mul(1_000_000),
        }
    }

    /// The same in milliseconds.
    pub fn millis(self) -> u64 {
        self.seconds
            .saturating_mul(1000)
            .saturating_add(u64::from(self.nanos / 1_000_000))
    }
}

/// What lies under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// Something that cannot be read like a file.
    Special(Special),
}

/// What the filesystem says of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// What it is.
    pub file_type: FileType,
    /// Bytes; may be a lie, as in `/proc`.
    pub size: u64,
    /// Time of the last change.
    pub modified: Option<Time>,
}

/// What is known of a source apart from its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Its bytes; may be wrong, as in `/proc`.
    pub size: Option<u64>,
    /// Time of the last change.
    pub modified: Option<Time>,
    /// The MIME type that its server reports.
    pub mime: Option<String>,
    /// The character set that its server reports.
    pub charset: Option<String>,
}

impl From<Stat> for Info {
    fn from(stat: Stat) -> Self {
        Self {
            size: Some(stat.size),
            modified: stat.modified,
            ..Self::default()
        }
    }
}

/// A rule of the host that refused a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The deny rule it holds.
    Denied(String),
    /// The file has more bytes than this limit.
    Size(u64),
}

/// Why the world did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// There is nothing under that name.
    NotFound,
    /// The operating system forbids it.
    Permission,
    /// The path leads out of the root.
    Escape,
    /// Links that lead nowhere or too far.
    Links,
    /// Refused by a rule of the host.
    Refused(Refusal),
    /// It would take more bytes than a limit of the reader, which has this
    /// name.
    Limit(&'static str, u64),
    /// The operating system has no more of something. Holds of what.
    Unavailable(String),
    /// Anything else, in words.
    Other(String),
}

impl FileError {
    /// The error of bytes that have passed by.
    pub fn passed() -> Self {
        Self::Other("standard input can be read only once, and in order".to_owned())
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("not found"),
            Self::Permission => f.write_str("permission denied"),
            Self::Escape => f.write_str("outside the roots"),
            Self::Links => f.write_str("too many links"),
            Self::Refused(Refusal::Denied(rule)) => write!(f, "denied by the rule `{rule}`"),
            Self::Refused(Refusal::Size(limit)) => {
                write!(f, "larger than the {limit} bytes that are allowed")
            }
            Self::Limit(name, bytes) => {
                let limit = bytes >> 20;
                write!(f, "it would take more than {limit} MB of memory ({name})")
            }
            Self::Unavailable(words) | Self::Other(words) => f.write_str(words),
        }
    }
}

/// Bytes: a file, a stream, or what a container holds.
pub trait Source {
    /// Adds up to `len` bytes from `offset` to `out`, at least one unless that
    /// is the end.
    ///
    /// A source without random access serves offsets in ascending order only,
    /// each where the bytes served so far end, or from the first byte again if
    /// it can be rewound.
    ///
    /// # Errors
    /// What the operating system says; `out` is as it was.
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError>;

    /// Whether any offset may be read at any time.
    fn seekable(&self) -> bool;

    /// Whether it can be read again from its first byte.
    fn rewindable(&self) -> bool {
        self.seekable()
    }

    /// Whether there are bytes from `offset` on, which is where those that were read
    /// end. `None` if only reading tells.
    fn has_more(&self, _offset: u64) -> Option<bool> {
        None
    }

    /// What is known of it now.
    fn info(&mut self) -> Info {
        Info::default()
    }
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name; one that is not UTF-8 is escaped as `\xNN` by hosts that can.
    pub name: String,
    /// What it is, a link being a link.
    pub file_type: FileType,
}

/// An open directory.
pub trait Directory {
    /// The next entry, in the order of the filesystem.
    ///
    /// # Errors
    /// An entry that cannot be told; the next call goes on after it.
    fn next(&mut self) -> Option<Result<Entry, FileError>>;

    /// What the filesystem says of an entry, a link being a link.
    ///
    /// # Errors
    /// What the operating system says.
    fn stat(&mut self, name: &str) -> Result<Stat, FileError>;

    /// Where a link points to.
    ///
    /// # Errors
    /// What the operating system says.
    fn read_link(&mut self, name: &str) -> Result<String, FileError>;

    /// A directory in this one.
    ///
    /// # Errors
    /// What the operating system says.
    fn open(&mut self, name: &str) -> Result<Box<dyn Directory>, FileError>;
}

/// What a reader was shown of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The absolute path.
    pub path: String,
    /// The hashline tag that was shown.
    pub tag: Option<String>,
    /// The lines that were shown, first and last.
    pub shown: Vec<(i64, i64)>,
    /// Bytes on disk.
    pub size: Option<u64>,
    /// Time of the last change.
    pub modified: Option<Time>,
    /// SHA-256 of the bytes on disk, where it was asked for.
    pub sha256: Option<String>,
}

/// The error of a world that decodes no images.
fn no_engine() -> ImageError {
    ImageError::Failed("there is none here".to_owned())
}

/// Files and directories, and standard input.
///
/// Paths are relative to a root, which is given by its place in
/// [`Files::roots`]; the empty path is the root itself.
pub trait Files {
    /// The names of the roots: absolute paths, or `.` where the runtime does
    /// not tell. Relative paths belong to the first.
    fn roots(&self) -> &[String];

    /// The first root that is the same directory as this one: a directory may
    /// be a root under several names.
    fn same_root(&self, root: usize) -> usize {
        root
    }

    /// What lies under a path; `follow` tells whether a link at its end is
    /// followed.
    ///
    /// # Errors
    /// What the operating system or the host says.
    fn stat(&mut self, root: usize, path: &str, follow: bool) -> Result<Stat, FileError>;

    /// Opens a regular file.
    ///
    /// # Errors
    /// What the operating system or the host says.
    fn open(&mut self, root: usize, path: &str) -> Result<Box<dyn Source>, FileError>;

    /// Opens a directory.
    ///
    /// # Errors
    /// What the operating system or the host says.
    fn list(&mut self, root: usize, path: &str) -> Result<Box<dyn Directory>, FileError>;

    /// Where a link points to.
    ///
    /// # Errors
    /// What the operating system or the host says.
    fn read_link(&mut self, root: usize, path: &str) -> Result<String, FileError>;

    /// Standard input.
    fn stdin(&mut self) -> Box<dyn Source>;

    /// The user's home directory.
    fn home(&self) -> Option<&str>;

    /// Entries that deny rules kept out of listings so far.
    fn withheld(&self) -> u64;

    /// The real path of the file that was opened last: absolute, with all
    /// symlinks followed. `None` if it is not known.
    ///
    /// # Errors
    /// Why no path leads to that file any more.
    fn opened(&self) -> Result<Option<String>, String> {
        Ok(None)
    }

    /// Whether there are deny rules for members of archives.
    fn denies_members(&self) -> bool {
        false
    }

    /// The deny rule that keeps a member of an archive from being read.
    fn denies(&self, _member: &str) -> Option<String> {
        None
    }
}

/// Engines: components of their own, which are loaded when a read needs them. A
/// world without an engine refuses what needs it.
pub trait Engines {
    /// Opens a database.
    ///
    /// # Errors
    /// If a part of it cannot be opened, or there is no engine.
    fn database(&mut self, _: &Parts) -> Result<Box<dyn Connection>, DatabaseError> {
        Err(DatabaseError::Failed(
            "there is no engine for databases here".to_owned(),
        ))
    }

    /// Reads the header of an image, of which `data` may be the first part.
    ///
    /// # Errors
    /// What is wrong with it, or there is no engine.
    fn examine(&mut self, _data: &[u8], _: DecoderFormat) -> Result<Facts, ImageError> {
        Err(no_engine())
    }

    /// Decodes an image of at most this many pixels, to see whether all of it
    /// can be.
    ///
    /// # Errors
    /// Why it cannot, or there is no engine.
    fn verify(&mut self, _data: &[u8], _: DecoderFormat, _pixels: u64) -> Result<(), ImageError> {
        Err(no_engine())
    }

    /// Makes an image fit.
    ///
    /// # Errors
    /// Why there is nothing to show, or there is no engine.
    fn fit(
        &mut self,
        _data: &[u8],
        _: DecoderFormat,
        _: ImageBounds,
    ) -> Result<Fitted, ImageError> {
        Err(no_engine())
    }
}

/// What a web address answers with.
pub struct Fetched {
    /// The address, after redirects.
    pub url: String,
    /// The body.
    pub source: Box<dyn Source>,
    /// What the server reports of it.
    pub info: Info,
}

/// What an internal URL leads to.
pub struct Resource {
    /// Its bytes.
    pub source: Box<dyn Source>,
    /// What the host knows of it.
    pub info: Info,
    /// The absolute path of the file that an edit tool may change, if there is one.
    pub path: Option<String>,
}

/// Why a resource cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceError {
    /// The host does not answer this scheme.
    Scheme,
    /// There is no such resource. Holds similar URLs, the best one first.
    NotFound(Vec<String>),
    /// What can go wrong with any file.
    File(FileError),
}

/// What is not on a filesystem. A world without it has these defaults.
pub trait Network {
    /// Gets what a web address answers with; `None` if this world has no network at all.
    ///
    /// # Errors
    /// Why a server was not reached, or did not answer.
    fn fetch(&mut self, _url: &str) -> Option<Result<Fetched, Unreachable>> {
        None
    }

    /// Opens an internal URL.
    ///
    /// # Errors
    /// Why it cannot be opened.
    fn resource(&mut self, _url: &str) -> Result<Resource, ResourceError> {
        Err(ResourceError::Scheme)
    }
}

/// What a host can do beside reading text from files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// The names of its engines.
    pub engines: Vec<String>,
    /// Whether it grants any network.
    pub network: bool,
    /// The schemes of its internal URLs, without `://`.
    pub schemes: Vec<String>,
}

/// Time.
pub trait Clock {
    /// The time of day.
    fn now(&self) -> Time;

    /// Milliseconds since some moment, never going back.
    fn ticks(&self) -> u64;

    /// Milliseconds until the host ends the read; `None` if it does not.
    fn time_left(&self) -> Option<u64> {
        None
    }
}

/// State between reads. What is kept in a session may be gone at any time.
pub trait Session {
    /// Reports what a reader was shown.
    fn remember(&mut self, snapshot: &Snapshot);

    /// What the session keeps under a key.
    fn cached(&mut self, _key: &str) -> Option<Vec<u8>> {
        None
    }

    /// Keeps something in the session. An entry that is too large is not kept.
    fn cache(&mut self, _key: &str, _value: &[u8]) {}
}

/// Everything that a read can reach.
pub trait World: Files + Engines + Network + Session + Clock {}

impl<W: Files + Engines + Network + Session + Clock> World for W {}
