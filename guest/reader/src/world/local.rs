//! The world of a native build: the standard library, without a sandbox.
//!
//! It serves tests, fuzzing and benchmarks. It does not check roots or deny rules: the host
//! does.

#![expect(
    clippy::disallowed_methods,
    reason = "this is the World that others ask"
)]

use super::{
    Clock, Directory, Engines, Entry, FileError, FileType, Files, Info, Input, Network, ReadTime,
    Session, Snapshot, Source, Stat, Time, native,
};
use super::{DecoderFormat, ImageBounds, ImageError, ImageFacts, Transcoded};
use super::{Document, DocumentError};
use crate::failure::SpecialFile;
use omniread_document as document;
use std::fs;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The world of native builds: the file system of this process, through the standard library.
pub struct LocalWorld {
    roots: Vec<String>,
    home: Option<String>,
    start: Instant,
    /// The reports of the parts of files that were shown, in order.
    pub snapshots: Vec<Snapshot>,
}

impl LocalWorld {
    /// Creates a world in which these directories are the roots (the directories that may be read).
    pub fn new(roots: Vec<String>) -> Self {
        Self {
            roots,
            home: None,
            start: Instant::now(),
            snapshots: Vec::new(),
        }
    }

    fn path(&self, root: usize, path: &str) -> Result<PathBuf, FileError> {
        let root = self.roots.get(root).ok_or(FileError::NotFound)?;
        if path.split('/').next() == Some("..") {
            return Err(FileError::OutsideRoot);
        }
        Ok(Path::new(root).join(path))
    }
}

fn time(time: SystemTime) -> Option<Time> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    Some(Time {
        seconds: since.as_secs(),
        nanos: since.subsec_nanos(),
    })
}

fn file_type(file_type: fs::FileType) -> FileType {
    if file_type.is_file() {
        FileType::File
    } else if file_type.is_dir() {
        FileType::Directory
    } else if file_type.is_symlink() {
        FileType::Symlink
    } else {
        FileType::Special(special(file_type))
    }
}

#[cfg(unix)]
fn special(file_type: fs::FileType) -> SpecialFile {
    use std::os::unix::fs::FileTypeExt as _;
    if file_type.is_fifo() {
        SpecialFile::Pipe
    } else if file_type.is_socket() {
        SpecialFile::Socket
    } else {
        SpecialFile::Device
    }
}

#[cfg(not(unix))]
fn special(_: fs::FileType) -> SpecialFile {
    SpecialFile::Other
}

fn stat(metadata: &fs::Metadata) -> Stat {
    Stat {
        file_type: file_type(metadata.file_type()),
        size: metadata.len(),
        modified: metadata.modified().ok().and_then(time),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is a `map_err` argument")]
fn error(error: io::Error) -> FileError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileError::NotFound,
        io::ErrorKind::PermissionDenied => FileError::Permission,
        _ => FileError::Other(error.to_string()),
    }
}

struct LocalFile {
    file: fs::File,
    at: u64,
}

impl Source for LocalFile {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if self.at != offset {
            self.file.seek(SeekFrom::Start(offset)).map_err(error)?;
            self.at = offset;
        }
        let read = read_some(&mut self.file, len, out)?;
        self.at = self.at.saturating_add(read);
        Ok(())
    }

    fn seekable(&self) -> bool {
        true
    }

    fn info(&mut self) -> Info {
        let metadata = self.file.metadata();
        metadata.map_or_else(|_| Info::default(), |metadata| stat(&metadata).into())
    }
}

/// Reads up to `len` bytes, appends them to `out`, and returns their number.
fn read_some(from: &mut impl Read, len: usize, out: &mut Vec<u8>) -> Result<u64, FileError> {
    let before = out.len();
    out.reserve(len);
    let read = from.take(len as u64).read_to_end(out);
    if read.is_err() {
        out.truncate(before);
    }
    read.map(|read| read as u64).map_err(error)
}

/// Standard input. Contains the number of bytes that were read so far.
struct LocalStdin(u64);

impl Source for LocalStdin {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if offset != self.0 {
            return Err(FileError::not_rewindable());
        }
        let before = out.len();
        read_some(&mut io::stdin(), len, out)?;
        let read = out.len().saturating_sub(before) as u64;
        self.0 = offset.saturating_add(read);
        Ok(())
    }

    fn seekable(&self) -> bool {
        false
    }
}

struct LocalDirectory {
    path: PathBuf,
    entries: fs::ReadDir,
}

impl LocalDirectory {
    fn new(path: PathBuf) -> Result<Self, FileError> {
        let entries = fs::read_dir(&path).map_err(error)?;
        Ok(Self { path, entries })
    }
}

impl Directory for LocalDirectory {
    fn next(&mut self) -> Option<Result<Entry, FileError>> {
        let entry = match self.entries.next()? {
            Ok(entry) => entry,
            Err(failed) => return Some(Err(error(failed))),
        };
        Some(entry.file_type().map_err(error).map(|kind| Entry {
            name: entry.file_name().to_string_lossy().into_owned(),
            file_type: file_type(kind),
        }))
    }

    fn stat(&mut self, name: &str) -> Result<Stat, FileError> {
        fs::symlink_metadata(self.path.join(name))
            .map_err(error)
            .map(|m| stat(&m))
    }

    fn read_link(&mut self, name: &str) -> Result<String, FileError> {
        let target = fs::read_link(self.path.join(name)).map_err(error)?;
        Ok(target.to_string_lossy().into_owned())
    }

    fn open(&mut self, name: &str) -> Result<Box<dyn Directory>, FileError> {
        Ok(Box::new(Self::new(self.path.join(name))?))
    }
}

impl Files for LocalWorld {
    fn roots(&self) -> &[String] {
        &self.roots
    }

    fn stat(&mut self, root: usize, path: &str, follow: bool) -> Result<Stat, FileError> {
        let path = self.path(root, path)?;
        let metadata = if follow {
            fs::metadata(path)
        } else {
            fs::symlink_metadata(path)
        };
        metadata.map_err(error).map(|m| stat(&m))
    }

    fn open(&mut self, root: usize, path: &str) -> Result<Box<dyn Source>, FileError> {
        let file = fs::File::open(self.path(root, path)?).map_err(error)?;
        Ok(Box::new(LocalFile { file, at: 0 }))
    }

    fn list(&mut self, root: usize, path: &str) -> Result<Box<dyn Directory>, FileError> {
        Ok(Box::new(LocalDirectory::new(self.path(root, path)?)?))
    }

    fn read_link(&mut self, root: usize, path: &str) -> Result<String, FileError> {
        let target = fs::read_link(self.path(root, path)?).map_err(error)?;
        Ok(target.to_string_lossy().into_owned())
    }

    fn stdin(&mut self) -> Box<dyn Source> {
        Box::new(LocalStdin(0))
    }

    fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }

    fn denied_entries(&self) -> u64 {
        0
    }
}

impl Engines for LocalWorld {
    fn probe_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
    ) -> Result<ImageFacts, ImageError> {
        omniread_images::probe(data, format)
    }

    fn validate_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
        pixels: u64,
    ) -> Result<(), ImageError> {
        omniread_images::validate(data, format, pixels)
    }

    fn transcode_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
        bounds: ImageBounds,
    ) -> Result<Transcoded, ImageError> {
        omniread_images::transcode(data, format, bounds)
    }

    fn document(
        &mut self,
        input: &Input,
        format: document::Format,
        _: Option<[u64; 2]>,
    ) -> Result<Box<dyn Document>, DocumentError> {
        let bytes = match input {
            Input::Bytes(bytes) => bytes.clone(),
            Input::Remote(remote) => return native::open_remote(remote, format),
            Input::File(root, path) => {
                let path = self.path(*root, path);
                let bytes = path.and_then(|path| fs::read(path).map_err(error));
                bytes.map_err(|error| DocumentError::Io(error.to_string()))?
            }
        };
        native::open(bytes, format, None)
    }
}

impl Network for LocalWorld {}

impl Session for LocalWorld {
    fn remember(&mut self, snapshot: &Snapshot) {
        self.snapshots.push(snapshot.clone());
    }
}

impl Clock for LocalWorld {
    fn now(&self) -> Time {
        time(SystemTime::now()).unwrap_or(Time {
            seconds: 0,
            nanos: 0,
        })
    }

    fn read_time(&self) -> ReadTime {
        ReadTime {
            used: self.monotonic_millis(),
            limit: None,
        }
    }

    fn monotonic_millis(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
