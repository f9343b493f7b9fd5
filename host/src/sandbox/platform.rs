//! Conversion of operating system errors and metadata to those of WASI.

use super::listing::{EntryType, entry_type};
use crate::bindings::omniread::parts::sandbox::EntryMetadata;
use crate::bindings::wasi::filesystem::types::{
    Datetime, DescriptorStat, DescriptorType, ErrorCode, MetadataHashValue, PathFlags,
};
use cap_primitives::fs::{self as cap, FollowSymlinks, OpenOptions};
#[cfg(unix)]
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io;
use std::path::PathBuf;
#[cfg(unix)]
use std::time::Duration;
use std::time::{SystemTime, UNIX_EPOCH};

/// Converts an I/O error to an error code of WASI.
pub fn code(error: &io::Error) -> ErrorCode {
    // A symlink out of a root has only an error kind. The kernel reports EXDEV.
    match error.kind() {
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
            ErrorCode::NotPermitted
        }
        io::ErrorKind::PermissionDenied => ErrorCode::Access,
        io::ErrorKind::NotFound => ErrorCode::NoEntry,
        io::ErrorKind::NotADirectory => ErrorCode::NotDirectory,
        io::ErrorKind::IsADirectory => ErrorCode::IsDirectory,
        io::ErrorKind::CrossesDevices => ErrorCode::CrossDevice,
        io::ErrorKind::InvalidFilename => ErrorCode::NameTooLong,
        io::ErrorKind::InvalidInput => ErrorCode::Invalid,
        io::ErrorKind::Interrupted => ErrorCode::Interrupted,
        io::ErrorKind::WouldBlock => ErrorCode::WouldBlock,
        io::ErrorKind::OutOfMemory => ErrorCode::InsufficientMemory,
        io::ErrorKind::Unsupported => ErrorCode::Unsupported,
        _ => raw_code(error),
    }
}

#[cfg(unix)]
fn raw_code(error: &io::Error) -> ErrorCode {
    match rustix::io::Errno::from_io_error(error) {
        Some(rustix::io::Errno::LOOP) => ErrorCode::Loop,
        // The path is a socket, or a pipe without a writer.
        Some(rustix::io::Errno::NXIO | rustix::io::Errno::NODEV) => ErrorCode::NoSuchDevice,
        Some(rustix::io::Errno::XDEV) => ErrorCode::CrossDevice,
        _ => ErrorCode::Io,
    }
}

#[cfg(not(unix))]
fn raw_code(_: &io::Error) -> ErrorCode {
    ErrorCode::Io
}

/// Converts the type of a file to that of WASI.
fn descriptor_type(file_type: cap::FileType) -> DescriptorType {
    entry_type(file_type).into()
}

impl From<EntryType> for DescriptorType {
    fn from(type_: EntryType) -> Self {
        match type_ {
            EntryType::RegularFile => Self::RegularFile,
            EntryType::Directory => Self::Directory,
            EntryType::Symlink => Self::SymbolicLink,
            EntryType::Fifo => Self::Fifo,
            EntryType::Socket => Self::Socket,
            EntryType::BlockDevice => Self::BlockDevice,
            EntryType::CharacterDevice => Self::CharacterDevice,
            EntryType::Unknown => Self::Unknown,
        }
    }
}

/// Converts the metadata of a file to that of WASI. The only time in it is that of the last change,
/// because the reader uses no other.
pub fn stat(metadata: &cap::Metadata) -> DescriptorStat {
    let modified = metadata
        .modified()
        .ok()
        .map(cap_primitives::time::SystemTime::into_std);
    DescriptorStat {
        type_: descriptor_type(metadata.file_type()),
        link_count: link_count(metadata),
        size: metadata.len(),
        data_access_timestamp: None,
        data_modification_timestamp: modified.and_then(datetime),
        status_change_timestamp: None,
    }
}

/// The time for which a file must be unchanged, so that its times say whether it changes later. A file system
/// that stores whole seconds may give two changes in two seconds the same time.
#[cfg(unix)]
pub const SETTLED: Duration = Duration::from_secs(2);

/// A hash of which file this is and of its state: its size, and the times of its last changes. `None` if it
/// changed a moment ago, so that its next change may have the same time.
#[cfg(unix)]
pub fn state_hash(metadata: &std::fs::Metadata) -> Option<MetadataHashValue> {
    use std::os::unix::fs::MetadataExt as _;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    let settled = i64::try_from(now.checked_sub(SETTLED)?.as_secs()).ok()?;
    // The time of the last change of the status is also that of a change of the content, and no program can set it.
    if metadata.ctime() >= settled || metadata.mtime() >= settled {
        return None;
    }
    let mut hash = Sha256::new();
    for number in [metadata.dev(), metadata.ino(), metadata.size()] {
        hash.update(number.to_le_bytes());
    }
    let changed = [metadata.mtime(), metadata.mtime_nsec()];
    let status = [metadata.ctime(), metadata.ctime_nsec()];
    for number in changed.into_iter().chain(status) {
        hash.update(number.to_le_bytes());
    }
    let hash: [u8; 32] = hash.finalize().into();
    let mut parts = hash.chunks_exact(8).filter_map(|part| part.try_into().ok());
    Some(MetadataHashValue {
        lower: u64::from_le_bytes(parts.next()?),
        upper: u64::from_le_bytes(parts.next()?),
    })
}

#[cfg(not(unix))]
pub fn state_hash(_: &std::fs::Metadata) -> Option<MetadataHashValue> {
    None
}

/// The number of hard links to a file. It is 0 after the file was removed.
#[cfg(unix)]
fn link_count(metadata: &cap::Metadata) -> u64 {
    use cap::MetadataExt as _;
    metadata.nlink()
}

#[cfg(not(unix))]
fn link_count(_: &cap::Metadata) -> u64 {
    1
}

fn datetime(time: SystemTime) -> Option<Datetime> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    Some(Datetime {
        seconds: since.as_secs(),
        nanoseconds: since.subsec_nanos(),
    })
}

/// The metadata of an entry of a directory, by one call of the system.
pub enum Measured {
    /// The metadata. `None` if they cannot be read.
    Entry(Option<EntryMetadata>),
    /// This system has no such call.
    Unsupported,
}

/// The metadata of an entry of a directory, which is not followed.
#[cfg(target_os = "linux")]
pub fn entry_metadata(directory: &File, name: &str) -> Measured {
    use rustix::fs::{AtFlags, StatxFlags};
    let wanted = StatxFlags::SIZE | StatxFlags::MTIME;
    // As with `cap_primitives`, a single name does not lead out of its directory.
    match rustix::fs::statx(directory, name, AtFlags::SYMLINK_NOFOLLOW, wanted) {
        Ok(found) if StatxFlags::from_bits_retain(found.stx_mask).contains(wanted) => {
            let time = found.stx_mtime;
            let seconds = u64::try_from(time.tv_sec).ok();
            Measured::Entry(Some(EntryMetadata {
                size: found.stx_size,
                modified: seconds.map(|seconds| (seconds, time.tv_nsec)),
            }))
        }
        Ok(_) | Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => Measured::Unsupported,
        Err(_) => Measured::Entry(None),
    }
}

#[cfg(not(target_os = "linux"))]
pub fn entry_metadata(_: &File, _: &str) -> Measured {
    Measured::Unsupported
}

/// Whether a symlink at the end of a path is followed.
pub fn follow(flags: PathFlags) -> FollowSymlinks {
    if flags.contains(PathFlags::SYMLINK_FOLLOW) {
        FollowSymlinks::Yes
    } else {
        FollowSymlinks::No
    }
}

/// The real path of an open file, whatever path it was opened by. `None` if no path leads to it
/// any more.
#[cfg(target_os = "linux")]
pub fn real_path(file: &File) -> io::Result<Option<PathBuf>> {
    use std::os::fd::AsRawFd as _;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::MetadataExt as _;
    let path = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    if !path.as_os_str().as_bytes().ends_with(b" (deleted)") {
        return Ok(Some(path));
    }
    // The kernel appends ` (deleted)` to the name of a removed file, see proc(5). A file may
    // also have such a name.
    let opened = file.metadata()?;
    let named = path
        .symlink_metadata()
        .is_ok_and(|named| (named.dev(), named.ino()) == (opened.dev(), opened.ino()));
    Ok(named.then_some(path))
}

#[cfg(target_vendor = "apple")]
pub fn real_path(file: &File) -> io::Result<Option<PathBuf>> {
    use std::os::unix::ffi::OsStringExt as _;
    use std::os::unix::fs::MetadataExt as _;
    let path = rustix::fs::getpath(file)?;
    let path: PathBuf = std::ffi::OsString::from_vec(path.into_bytes()).into();
    let opened = file.metadata()?;
    // The path of a removed or replaced file is its last one, which may lead to another file.
    let named = path
        .symlink_metadata()
        .is_ok_and(|named| (named.dev(), named.ino()) == (opened.dev(), opened.ino()));
    Ok(named.then_some(path))
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub fn real_path(_: &File) -> io::Result<Option<PathBuf>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The options that open a path to examine it, but not to read it. Such an open needs no permission
/// for the file, and has no effect on a pipe or device. `None` if the system has no such options.
#[cfg(target_os = "linux")]
pub fn peek_options(follow: FollowSymlinks) -> Option<OpenOptions> {
    use cap::OpenOptionsExt as _;
    use cap_fs_ext::OpenOptionsFollowExt as _;
    let flags = i32::try_from(rustix::fs::OFlags::PATH.bits()).ok()?;
    let mut options = OpenOptions::new();
    options.read(true).follow(follow).custom_flags(flags);
    Some(options)
}

#[cfg(not(target_os = "linux"))]
pub fn peek_options(_: FollowSymlinks) -> Option<OpenOptions> {
    None
}

/// The target of a symlink that was opened by [`peek_options`].
#[cfg(target_os = "linux")]
pub fn read_link(link: &File) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    if !link.metadata()?.is_symlink() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let target = rustix::fs::readlinkat(link, "", Vec::new())?;
    Ok(std::ffi::OsString::from_vec(target.into_bytes()).into())
}

#[cfg(not(target_os = "linux"))]
pub fn read_link(_: &File) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A message about the resource that the operating system has run out of. `None` if the call failed
/// for another reason.
pub fn unavailable(error: &io::Error) -> Option<&'static str> {
    #[cfg(unix)]
    match rustix::io::Errno::from_io_error(error)? {
        rustix::io::Errno::MFILE => return Some("this process has too many open files"),
        rustix::io::Errno::NFILE => return Some("the system has too many open files"),
        rustix::io::Errno::NOMEM => return Some("the system has no memory left"),
        _ => {}
    }
    let _ = error;
    None
}

/// Reads up to `length` bytes at an offset. The buffer is not filled with zeros first.
#[cfg(unix)]
pub fn read_at(file: &File, length: usize, offset: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    rustix::io::pread(file, rustix::buffer::spare_capacity(&mut bytes), offset)?;
    Ok(bytes)
}

#[cfg(windows)]
pub fn read_at(file: &File, length: usize, offset: u64) -> io::Result<Vec<u8>> {
    use std::os::windows::fs::FileExt as _;
    let mut bytes = vec![0; length];
    let read = file.seek_read(&mut bytes, offset)?;
    bytes.truncate(read);
    Ok(bytes)
}

/// Converts a file name to UTF-8, which WASI requires. Other bytes are written as `\xFF`. Real
/// names hardly contain such text, so another file is not opened by mistake.
pub fn name(name: &std::ffi::OsStr) -> String {
    match name.to_str() {
        Some(name) => name.to_owned(),
        None => name
            .as_encoded_bytes()
            .utf8_chunks()
            .flat_map(|chunk| {
                let bytes = chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}"));
                std::iter::once(chunk.valid().to_owned()).chain(bytes)
            })
            .collect(),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// A file that changed a moment ago may change again with the same time.
    #[test]
    fn only_a_file_that_did_not_change_lately_has_a_hash_of_its_state() {
        let hash = |path: &str| {
            let found = state_hash(&std::fs::metadata(path).unwrap());
            found.map(|hash| (hash.lower, hash.upper))
        };
        let path = std::env::temp_dir().join(format!("omniread-state-{}", std::process::id()));
        let fresh = path.to_str().unwrap();
        std::fs::write(fresh, "a").unwrap();
        assert_eq!(hash(fresh), None);
        // A program can set the time of the last change back, but not that of the status.
        let file = std::fs::File::options().append(true).open(fresh).unwrap();
        let hour = Duration::from_hours(1);
        file.set_modified(SystemTime::now() - hour).unwrap();
        assert_eq!(hash(fresh), None);
        std::fs::remove_file(fresh).unwrap();
        let old = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(hash(old).is_some());
        assert_eq!(hash(old), hash(old));
    }

    /// A file that no path leads to any more has no real path, whatever its name was.
    #[test]
    fn removed_or_replaced_file_has_no_real_path() {
        let directory = std::env::temp_dir().join(format!("omniread-path-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let directory = directory.canonicalize().unwrap();
        for name in ["a", "a (deleted)"] {
            let path = directory.join(name);
            let created = |name: &str| {
                let path = directory.join(name);
                std::fs::write(&path, name).unwrap();
                File::open(path).unwrap()
            };
            let file = created(name);
            assert_eq!(real_path(&file).unwrap(), Some(path.clone()));
            std::fs::rename(&path, directory.join("moved")).unwrap();
            assert_eq!(real_path(&file).unwrap(), Some(directory.join("moved")));
            std::fs::remove_file(directory.join("moved")).unwrap();
            assert_eq!(real_path(&file).unwrap(), None);
            // Another file has the name that the kernel reports for the removed one.
            let removed = created(name);
            std::fs::remove_file(&path).unwrap();
            let _other = created(&format!("{name} (deleted)"));
            assert_eq!(real_path(&removed).unwrap(), None);
            let replaced = created(name);
            drop(created("new"));
            std::fs::rename(directory.join("new"), &path).unwrap();
            assert_eq!(real_path(&replaced).unwrap(), None);
        }
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
