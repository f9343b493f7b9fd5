//! The access of the reader to its environment: one trait each for files, engines, the network, the
//! session and the clock.
//!
//! The reader uses a [`World`]. Three types implement it: the component with WASI (`wasi.rs`),
//! native builds with the standard library (`local.rs`), and tests in memory (`memory.rs`).

#[cfg(test)]
pub mod bitmap;
mod bytes;
mod database;
mod document;
mod ends;
pub mod fetch;
mod file;
mod http;
#[cfg(feature = "native")]
mod local;
#[cfg(test)]
pub mod memory;
#[cfg(feature = "native")]
mod native;
mod remote;
mod resource;
mod shown;
#[cfg(target_family = "wasm")]
pub mod wasi;

pub use bytes::{Bytes, part_from};
pub use database::{
    Bounds, Connection, DatabaseError, Described, Input, Need, NumberedRow, Ordered, Ordering,
    Parts, Rows, Value, Work,
};
pub use document::{Document, DocumentError, DocumentFailure};
pub use ends::{Ends, Found};
pub use file::{FileError, FileType, Info, Refusal, Stat, Time};
pub use http::{Http, HttpBody, HttpRequest, HttpResponse, RequestFailure};
#[cfg(feature = "native")]
pub use local::LocalWorld;
pub use omniread_image_types::{
    Bounds as ImageBounds, Encoding, Encodings, Error as ImageError, Format as DecoderFormat,
    Image, ImageFacts, Transcoded,
};

pub use remote::Remote;
pub use resource::{Resource, ResourceError};
pub use shown::{Change, Comparison, Earlier, ShownImages, ShownLines, Snapshot};

use omniread_document::Format;
use omniread_schemes::{Facts, is_scheme};
use std::rc::Rc;

/// A source of bytes: a file, a stream, or a member of an archive.
pub trait Source {
    /// Reads up to `len` bytes from `offset`, and appends them to `out`. Appends at least one
    /// byte, unless `offset` is the end.
    ///
    /// A source without random access accepts only the offset at which the previous read ended. A
    /// source that can be rewound also accepts offset 0.
    ///
    /// # Errors
    /// Fails if the operating system or the source reports an error. `out` is unchanged then.
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError>;

    /// Whether any offset may be read at any time.
    fn seekable(&self) -> bool;

    /// Whether the source can be read again from its first byte.
    fn rewindable(&self) -> bool {
        self.seekable()
    }

    /// Whether each read may be a request over a network, which may take a tenth of a second. Callers
    /// read large parts of such a source, and do not scan it.
    fn remote(&self) -> bool {
        false
    }

    /// The source as one with several owners, if it is such a source and consists of the same
    /// bytes.
    fn shared(&self) -> Option<Remote> {
        None
    }

    /// Whether the source has more bytes. `offset` is the end of the bytes that were read so far.
    /// `None` if that is not known without another read.
    fn has_more(&self, _offset: u64) -> Option<bool> {
        None
    }

    /// Announces that a range will be read as a whole, so that it can be requested at once.
    fn expect(&mut self, _offset: u64, _length: u64) {}

    /// The metadata of the source, as far as it is known at this time.
    fn info(&mut self) -> Info {
        Info::default()
    }

    /// A hash of which file this is and of its state. Two reads with the same hash read the same bytes. `None`
    /// if that is not certain, as for a file that changed a moment ago.
    fn state(&mut self) -> Option<[u64; 2]> {
        None
    }
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of the entry. If it is not UTF-8, some hosts escape its undecodable bytes as
    /// `\xNN`.
    pub name: String,
    /// The type of the entry. A symlink is not followed.
    pub file_type: FileType,
}

/// An open directory.
pub trait Directory {
    /// Returns the next entry, in the order of the file system. `None` after the last entry.
    ///
    /// # Errors
    /// Fails if this entry cannot be read. The next call continues after it.
    fn next(&mut self) -> Option<Result<Entry, FileError>>;

    /// Returns the next entry with its metadata, if it is not a symlink and they can be read. `most` is the maximum
    /// number of entries, with this one, that the caller requests in this way, so that a host can look at several
    /// at once.
    ///
    /// # Errors
    /// As [`Directory::next`].
    fn next_measured(&mut self, _most: u64) -> Option<Result<(Entry, Option<Stat>), FileError>> {
        let entry = match self.next()? {
            Ok(entry) => entry,
            Err(error) => return Some(Err(error)),
        };
        let is_link = entry.file_type == FileType::Symlink;
        let stat = if is_link {
            None
        } else {
            self.stat(&entry.name).ok()
        };
        Some(Ok((entry, stat)))
    }

    /// Returns the metadata of an entry. A symlink is not followed.
    ///
    /// # Errors
    /// Fails if the operating system reports an error.
    fn stat(&mut self, name: &str) -> Result<Stat, FileError>;

    /// Returns the target of a symlink.
    ///
    /// # Errors
    /// Fails if the operating system reports an error.
    fn read_link(&mut self, name: &str) -> Result<String, FileError>;

    /// Opens a subdirectory.
    ///
    /// # Errors
    /// Fails if the operating system reports an error.
    fn open(&mut self, name: &str) -> Result<Box<dyn Directory>, FileError>;

    /// Opens subdirectories that have at most `most` entries in all, with one call of the host. `None` for one that is
    /// opened only by [`Directory::open`], as those after the end of the list are.
    fn open_all(&mut self, _names: &[&str], _most: u64) -> Vec<Option<Box<dyn Directory>>> {
        Vec::new()
    }

    /// Notes about the entries that were returned so far.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The error of an image function if the host has no image engine.
fn no_engine() -> ImageError {
    ImageError::Failed("this host has no image engine".to_owned())
}

/// A directory that is mounted for a scheme: its files are read by internal URLs, such as
/// `skill://name`, and by no other path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// The scheme in lower case, without `://`.
    pub scheme: String,
    /// The absolute path of the directory, if the runtime names it.
    pub directory: Option<String>,
}

impl Mount {
    /// Parses the name of a preopened directory: `scheme://`, with the absolute path of the
    /// directory after it if that is known. `None` for the name of a root.
    pub fn parse(name: &str) -> Option<Self> {
        let (scheme, directory) = name.split_once("://")?;
        if !is_scheme(scheme) {
            return None;
        }
        Some(Self {
            scheme: scheme.to_ascii_lowercase(),
            directory: directory.starts_with('/').then(|| directory.to_owned()),
        })
    }
}

/// Files, directories and standard input.
///
/// Paths are relative to a root, a directory that may be read. A root is identified by its index in
/// [`Files::roots`]. The empty path is the root itself. The indexes of mounts follow those of the roots.
pub trait Files {
    /// The names of the roots: absolute paths, or `.` if the runtime does not name them. Relative
    /// paths in requests are resolved in the first root.
    fn roots(&self) -> &[String];

    /// The directories that are mounted for schemes.
    fn mounts(&self) -> &[Mount] {
        &[]
    }

    /// The indexes of the mounts of a scheme, in the order in which they are searched.
    fn mounts_of(&self, scheme: &str) -> Vec<usize> {
        let mounts = self.mounts().iter().enumerate();
        let own = mounts.filter(|(_, mount)| mount.scheme == scheme);
        own.map(|(index, _)| self.roots().len().saturating_add(index))
            .collect()
    }

    /// The mount with the index `root`. `None` if that is the index of a root.
    fn mount(&self, root: usize) -> Option<&Mount> {
        self.mounts().get(root.checked_sub(self.roots().len())?)
    }

    /// The index of the first root that is the same directory as the root with the index `root`. A
    /// directory may be a root under several names.
    fn canonical_root(&self, root: usize) -> usize {
        root
    }

    /// Returns the metadata of a path. `follow` decides whether a symlink at its end is
    /// followed.
    ///
    /// # Errors
    /// Fails if the operating system reports an error or the host refuses access.
    fn stat(&mut self, root: usize, path: &str, follow: bool) -> Result<Stat, FileError>;

    /// Opens a regular file.
    ///
    /// # Errors
    /// Fails if the operating system reports an error or the host refuses access.
    fn open(&mut self, root: usize, path: &str) -> Result<Box<dyn Source>, FileError>;

    /// Opens a directory.
    ///
    /// # Errors
    /// Fails if the operating system reports an error or the host refuses access.
    fn list(&mut self, root: usize, path: &str) -> Result<Box<dyn Directory>, FileError>;

    /// Searches for the paths below a root that end with another one. `None` if the host does not search, so that the
    /// caller lists the directories.
    fn find_ends(&mut self, _root: usize, _wanted: &Ends<'_>) -> Option<Found> {
        None
    }

    /// Returns the target of a symlink.
    ///
    /// # Errors
    /// Fails if the operating system reports an error or the host refuses access.
    fn read_link(&mut self, root: usize, path: &str) -> Result<String, FileError>;

    /// Opens standard input.
    fn stdin(&mut self) -> Box<dyn Source>;

    /// The user's home directory. `None` if it is not known.
    fn home(&self) -> Option<&str>;

    /// The number of directory entries that the host has hidden so far, because deny rules forbid
    /// them.
    fn denied_entries(&self) -> u64;

    /// The real path of the file that was opened last: absolute, with all symlinks resolved.
    /// `None` if it is not known.
    ///
    /// # Errors
    /// Fails with a message if no path leads to that file any more.
    fn opened_path(&self) -> Result<Option<String>, String> {
        Ok(None)
    }

    /// Whether there are deny rules for members of archives.
    fn denies_members(&self) -> bool {
        false
    }

    /// The deny rule that forbids a member of an archive, if there is one.
    fn denies(&self, _member: &str) -> Option<String> {
        None
    }
}

/// The engines (SQLite, the image decoders and the document converters): components that the host loads when a read needs
/// them. The default implementations are for a host without engines, and fail.
pub trait Engines {
    /// Opens a database.
    ///
    /// # Errors
    /// Fails if the database, its log or its journal cannot be opened, or if there is no
    /// engine.
    fn database(&mut self, _: &Parts) -> Result<Box<dyn Connection>, DatabaseError> {
        Err(DatabaseError::Failed(
            "this host has no database engine".to_owned(),
        ))
    }

    /// Creates an empty database in memory.
    ///
    /// # Errors
    /// Fails if there is no engine.
    fn memory_database(&mut self) -> Result<Box<dyn Connection>, DatabaseError> {
        Err(DatabaseError::Failed(
            "this host has no database engine".to_owned(),
        ))
    }

    /// Reads the header of an image. `data` may be only the first part of the file.
    ///
    /// # Errors
    /// Fails if the header is not valid, or if there is no engine.
    fn probe_image(&mut self, _data: &[u8], _: DecoderFormat) -> Result<ImageFacts, ImageError> {
        Err(no_engine())
    }

    /// Checks that all of an image can be decoded, and that it has at most `pixels` pixels.
    ///
    /// # Errors
    /// Fails if the image cannot be decoded or has more pixels, or if there is no engine.
    fn validate_image(
        &mut self,
        _data: &[u8],
        _: DecoderFormat,
        _pixels: u64,
    ) -> Result<(), ImageError> {
        Err(no_engine())
    }

    /// Decodes an image and re-encodes it to fit the bounds, unless the unchanged file can be used.
    ///
    /// # Errors
    /// Fails if the image cannot be decoded, if it cannot be encoded within the bounds, or if there
    /// is no engine.
    fn transcode_image(
        &mut self,
        _data: &[u8],
        _: DecoderFormat,
        _: ImageBounds,
    ) -> Result<Transcoded, ImageError> {
        Err(no_engine())
    }

    /// Opens a document. `state` is the [`Source::state`] of the file, if the input is the whole file. The session then
    /// keeps the layout of a PDF document, so that its next page is read faster.
    ///
    /// # Errors
    /// Fails if the document cannot be read, or if there is no engine.
    fn document(
        &mut self,
        _: &Input,
        _: Format,
        _state: Option<[u64; 2]>,
    ) -> Result<Box<dyn Document>, DocumentError> {
        Err(DocumentError::Failed(
            "this host has no document engine".to_owned(),
        ))
    }
}

/// Web addresses, and internal URLs such as `skill://name`. The default implementations are for a
/// host that supports neither.
pub trait Network {
    /// What sends requests for web addresses. `None` if there is no network access.
    fn http(&mut self) -> Option<Rc<dyn Http>> {
        None
    }

    /// The facts of a scheme of which the host has resources.
    ///
    /// # Errors
    /// Fails with the schemes of which the host has resources, if it has none of this one.
    fn facts(&mut self, _scheme: &str) -> Result<Facts, Vec<String>> {
        Err(Vec::new())
    }

    /// The names of the resources of a scheme, at most `most`. `None` if they cannot be listed.
    ///
    /// # Errors
    /// Fails if the host fails to list them.
    fn resource_names(
        &mut self,
        _scheme: &str,
        _most: usize,
    ) -> Result<Option<Vec<String>>, FileError> {
        Ok(None)
    }

    /// Opens an internal URL. `is_remote` says whether each read of its bytes may be a request over a
    /// network.
    ///
    /// # Errors
    /// Fails if the scheme is not supported, or if the resource does not exist or cannot be
    /// read.
    fn resource(&mut self, _url: &str, _is_remote: bool) -> Result<Resource, ResourceError> {
        Err(ResourceError::Scheme)
    }
}

/// A component that parses bytes for the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Runs queries on SQLite databases.
    Sqlite,
    /// Decodes, scales and encodes images.
    Images,
    /// Converts office documents, e-books, mails and workbooks.
    Documents,
    /// Converts PDF documents and renders their pages.
    Pdf,
}

/// The capabilities of a host besides reading text files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// The engines that the host provides.
    pub engines: Vec<Engine>,
    /// Whether the host allows any network access.
    pub network: bool,
    /// The schemes of the internal URLs that the host supports, without `://`.
    pub schemes: Vec<String>,
}

/// The time of a read, in milliseconds. The time that other programs and servers take does not
/// count, if the host measures it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadTime {
    /// The time that the read has used so far. It never decreases.
    pub used: u64,
    /// The time after which the host stops the read. `None` if there is no limit.
    pub limit: Option<u64>,
}

impl ReadTime {
    /// The time that is left. `None` if there is no limit.
    pub fn left(self) -> Option<u64> {
        Some(self.limit?.saturating_sub(self.used))
    }
}

/// The clocks.
pub trait Clock {
    /// The time of day.
    fn now(&self) -> Time;

    /// The time of the read.
    fn read_time(&self) -> ReadTime;

    /// The milliseconds of real time since an arbitrary point in time. The number never decreases.
    fn monotonic_millis(&self) -> u64;
}

/// The state that the reads of a session share: which parts of files were shown, and a cache. A
/// cache entry may disappear at any time.
pub trait Session {
    /// Reports the part of a file that was shown.
    fn remember(&mut self, snapshot: &Snapshot);

    /// Whether the host keeps the text of the parts that were shown.
    fn keeps_text(&self) -> bool {
        false
    }

    /// Returns the cache entry with this key.
    fn cached(&mut self, _key: &str) -> Option<Vec<u8>> {
        None
    }

    /// Whether the host stores artifacts.
    fn stores_artifacts(&self) -> bool {
        false
    }

    /// Stores the whole text of a document of which a reply shows only a part. `source` is the path or
    /// the address of the document. Returns the id of the artifact. `None` if it is not stored.
    fn store_artifact(&mut self, _source: &str, _text: &str) -> Option<String> {
        None
    }

    /// Starts an artifact with the content of a path or URL, in place of one that is not finished. Returns
    /// false if it is not stored.
    fn start_artifact(&mut self, _source: &str, _mime: &str) -> bool {
        false
    }

    /// Appends bytes to the artifact that was started. Returns false if it is not stored.
    fn write_artifact(&mut self, _bytes: &[u8]) -> bool {
        false
    }

    /// Ends the artifact that was started. Returns its id. `None` if it is not stored.
    fn finish_artifact(&mut self) -> Option<String> {
        None
    }

    /// Whether later reads get the entries that are stored now.
    fn lasting(&self) -> bool {
        true
    }

    /// Stores a cache entry. An entry that is too large is not stored.
    fn cache(&mut self, _key: &str, _value: &[u8]) {}

    /// The images that were shown in the present generation.
    fn images(&mut self) -> ShownImages {
        ShownImages::default()
    }

    /// Reports that a reply shows these images, in addition to earlier ones.
    fn show_images(&mut self, _: ShownImages) {}

    /// Compares a snapshot that is not reported yet with what was shown of the file before.
    fn compare(&mut self, _snapshot: &Snapshot) -> Comparison {
        Comparison::Unchanged
    }

    /// Reports that a reply is shown for a path, with the SHA-256 of the request and that of the reply. Returns the
    /// last read with the same request, if the model still sees it and the reply is the same.
    fn show(&mut self, _request: &[u8; 32], _reply: &[u8; 32], _path: &str) -> Option<Earlier> {
        None
    }
}

/// Everything that a read can access.
pub trait World: Files + Engines + Network + Session + Clock {}

impl<W: Files + Engines + Network + Session + Clock> World for W {}
