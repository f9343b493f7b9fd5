//! The entries of a directory, as the system returns them: without an allocation for each.

use cap_primitives::fs as cap;
use std::ffi::OsString;
use std::fs::File;
use std::io;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStringExt as _;

/// The type of an entry, which is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "Windows has no special files"))]
pub enum EntryType {
    /// A file.
    RegularFile,
    /// A directory.
    Directory,
    /// A symlink.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A socket of the file system.
    Socket,
    /// A device with blocks.
    BlockDevice,
    /// A device with characters.
    CharacterDevice,
    /// Another type, or one that the system does not state.
    Unknown,
}

/// The number of bytes of entries that are requested from the system at once.
#[cfg(target_os = "linux")]
const BUFFER: usize = 32 << 10;

/// What the system says of a directory that was removed after it was opened, at each call. It has no more entries.
#[cfg(target_os = "linux")]
const REMOVED: rustix::io::Errno = rustix::io::Errno::NOENT;

/// Reads the entries of a directory that nothing was read of before. `visit` gets the bytes of each name, and the type.
/// `go_on` is asked from time to time, and ends the reading if it returns false.
///
/// # Errors
/// Fails if the system does. `visit` has then got the entries before.
#[cfg(target_os = "linux")]
pub fn each(
    directory: &File,
    mut go_on: impl FnMut() -> bool,
    mut visit: impl FnMut(&[u8], EntryType),
) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(BUFFER);
    let mut entries = rustix::fs::RawDir::new(directory, buffer.spare_capacity_mut());
    loop {
        if entries.is_buffer_empty() && !go_on() {
            return Ok(());
        }
        let entry = match entries.next() {
            None | Some(Err(REMOVED)) => return Ok(()),
            Some(Err(rustix::io::Errno::INTR)) => continue,
            Some(entry) => entry?,
        };
        let (name, type_) = typed(directory, &entry);
        let name = name.to_bytes();
        if !matches!(name, b"." | b"..") {
            visit(name, type_);
        }
    }
}

/// The name and the type of an entry, which is not followed.
#[cfg(target_os = "linux")]
fn typed<'e>(
    directory: &File,
    entry: &'e rustix::fs::RawDirEntry<'_>,
) -> (&'e std::ffi::CStr, EntryType) {
    use rustix::fs::{AtFlags, FileType, statat};
    let name = entry.file_name();
    let mut type_ = type_of(entry.file_type());
    // Listings of some file systems do not contain types.
    if type_ == EntryType::Unknown
        && let Ok(found) = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
    {
        type_ = type_of(FileType::from_raw_mode(found.st_mode));
    }
    (name, type_)
}

#[cfg(target_os = "linux")]
fn type_of(type_: rustix::fs::FileType) -> EntryType {
    use rustix::fs::FileType;
    match type_ {
        FileType::RegularFile => EntryType::RegularFile,
        FileType::Directory => EntryType::Directory,
        FileType::Symlink => EntryType::Symlink,
        FileType::Fifo => EntryType::Fifo,
        FileType::Socket => EntryType::Socket,
        FileType::BlockDevice => EntryType::BlockDevice,
        FileType::CharacterDevice => EntryType::CharacterDevice,
        FileType::Unknown => EntryType::Unknown,
    }
}

/// The type of an entry, which is not followed.
#[cfg(not(target_os = "linux"))]
fn type_of(entry: &cap_primitives::fs::DirEntry) -> EntryType {
    match entry.file_type().map(entry_type) {
        // Listings of some file systems do not contain types.
        Ok(EntryType::Unknown) | Err(_) => {
            let found = entry.metadata();
            found.map_or(EntryType::Unknown, |found| entry_type(found.file_type()))
        }
        Ok(type_) => type_,
    }
}

/// As on Linux, with the calls of `cap_primitives`.
#[cfg(not(target_os = "linux"))]
pub fn each(
    directory: &File,
    mut go_on: impl FnMut() -> bool,
    mut visit: impl FnMut(&[u8], EntryType),
) -> io::Result<()> {
    for entry in cap_primitives::fs::read_base_dir(directory)? {
        if !go_on() {
            break;
        }
        let entry = entry?;
        visit(entry.file_name().as_encoded_bytes(), type_of(&entry));
    }
    Ok(())
}

/// The type of a file.
pub fn entry_type(file_type: cap::FileType) -> EntryType {
    if file_type.is_file() {
        EntryType::RegularFile
    } else if file_type.is_dir() {
        EntryType::Directory
    } else if file_type.is_symlink() {
        EntryType::Symlink
    } else {
        special_type(file_type)
    }
}

#[cfg(unix)]
fn special_type(file_type: cap::FileType) -> EntryType {
    use cap::FileTypeExt as _;
    if file_type.is_fifo() {
        EntryType::Fifo
    } else if file_type.is_socket() {
        EntryType::Socket
    } else if file_type.is_block_device() {
        EntryType::BlockDevice
    } else if file_type.is_char_device() {
        EntryType::CharacterDevice
    } else {
        EntryType::Unknown
    }
}

#[cfg(not(unix))]
fn special_type(_: cap::FileType) -> EntryType {
    EntryType::Unknown
}

/// The entries of a directory, read on demand.
#[cfg(target_os = "linux")]
pub struct Listing {
    /// The directory, at a position of its own.
    directory: File,
    /// Room for what the system returns at once.
    buffer: Vec<u8>,
    /// Entries that the system has returned already, and the error after them.
    read: std::collections::VecDeque<(OsString, EntryType)>,
    failed: Option<io::Error>,
    /// Whether nothing more is to be requested. The system would repeat its error.
    has_ended: bool,
}

#[cfg(target_os = "linux")]
impl Listing {
    /// The entries of a directory, from the first one.
    ///
    /// # Errors
    /// Fails if the directory may not be read.
    pub fn new(directory: &File) -> io::Result<Self> {
        use rustix::fs::{Mode, OFlags};
        // Another handle of the directory has another position.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = rustix::fs::openat(directory, c".", flags, Mode::empty())?;
        Ok(Self {
            directory: directory.into(),
            buffer: Vec::with_capacity(BUFFER),
            read: std::collections::VecDeque::new(),
            failed: None,
            has_ended: false,
        })
    }

    fn fill(&mut self) {
        let buffer = self.buffer.spare_capacity_mut();
        let mut entries = rustix::fs::RawDir::new(&self.directory, buffer);
        loop {
            match entries.next() {
                Some(Ok(entry)) => {
                    let (name, type_) = typed(&self.directory, &entry);
                    let name = name.to_bytes();
                    if !matches!(name, b"." | b"..") {
                        let name = OsString::from_vec(name.to_owned());
                        self.read.push_back((name, type_));
                    }
                }
                Some(Err(rustix::io::Errno::INTR)) => continue,
                None | Some(Err(REMOVED)) => {
                    self.has_ended = true;
                    return;
                }
                Some(Err(error)) => {
                    self.failed = Some(error.into());
                    self.has_ended = true;
                    return;
                }
            }
            if entries.is_buffer_empty() && !self.read.is_empty() {
                return;
            }
        }
    }
}

#[cfg(target_os = "linux")]
impl Iterator for Listing {
    type Item = io::Result<(OsString, EntryType)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.read.is_empty() && self.failed.is_none() && !self.has_ended {
            self.fill();
        }
        match self.read.pop_front() {
            Some(entry) => Some(Ok(entry)),
            None => self.failed.take().map(Err),
        }
    }
}

/// The entries of a directory, read on demand.
#[cfg(not(target_os = "linux"))]
pub struct Listing(cap_primitives::fs::ReadDir);

#[cfg(not(target_os = "linux"))]
impl Listing {
    /// The entries of a directory, from the first one.
    ///
    /// # Errors
    /// Fails if the directory may not be read.
    pub fn new(directory: &File) -> io::Result<Self> {
        cap_primitives::fs::read_base_dir(directory).map(Self)
    }
}

#[cfg(not(target_os = "linux"))]
impl Iterator for Listing {
    type Item = io::Result<(OsString, EntryType)>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(
            self.0
                .next()?
                .map(|entry| (entry.file_name(), type_of(&entry))),
        )
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn directory_that_was_removed_has_no_entries() {
        let path = std::env::temp_dir().join(format!("omniread-removed-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let directory = File::open(&path).unwrap();
        let mut listing = Listing::new(&directory).unwrap();
        std::fs::remove_dir(&path).unwrap();
        assert!(listing.next().is_none() && listing.next().is_none());
        let mut names = 0;
        each(&directory, || true, |_, _| names += 1).unwrap();
        assert_eq!(names, 0);
    }

    #[test]
    fn error_ends_a_listing() {
        // Not a directory.
        let path = std::env::temp_dir().join(format!("omniread-file-{}", std::process::id()));
        std::fs::write(&path, "").unwrap();
        let file = File::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let mut listing = Listing {
            directory: file.try_clone().unwrap(),
            buffer: Vec::with_capacity(BUFFER),
            read: std::collections::VecDeque::new(),
            failed: None,
            has_ended: false,
        };
        assert!(listing.next().is_some_and(|it| it.is_err()));
        assert!(listing.next().is_none());
        assert!(each(&file, || true, |_, _| ()).is_err());
    }
}
