//! Archives: containers of members, detected by content and not by extension.
//!
//! A member is searched for by all names that a path may mean. If no member is found, the
//! result is the list of all members. Nothing is extracted to disk.

mod ar;
mod checked;
mod cpio;
mod forward;
pub mod links;
mod names;
mod sevenz;
mod span;
mod sparse;
mod tape;
mod tar;
mod zip;

pub use names::{Child, children, duplicates, is_directory, normalized};
pub use zip::part as zip_part;

use crate::failure::library_message;
use crate::limits;
use crate::world::{Bytes, FileError, Info, Source, Time};
use std::cmp::Ordering;
use std::io::{self, Read as _};

/// The type of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link and its target, relative to the directory of the link. `None` if
    /// the target is not known.
    Symlink(Option<String>),
    /// A hard link. Contains the name of the member that it links to.
    HardLink(String),
    /// Another type, such as a device.
    Other,
}

impl MemberKind {
    /// Whether the member is a symbolic link or a hard link.
    pub fn is_link(&self) -> bool {
        matches!(self, Self::Symlink(_) | Self::HardLink(_))
    }
}

/// A member as an archive lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The name as text, before it is normalized.
    pub name: String,
    /// The bytes of the name, if they are not UTF-8.
    pub raw: Option<Vec<u8>>,
    /// The type of the member.
    pub kind: MemberKind,
    /// Size in bytes, as the archive states it.
    pub size: u64,
    /// Time of the last change.
    pub modified: Option<Time>,
}

impl Member {
    /// The metadata of the member.
    pub fn info(&self) -> Info {
        Info {
            size: Some(self.size),
            modified: self.modified,
            ..Info::default()
        }
    }
}

/// The members of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// The members, in the order of the archive.
    pub members: Vec<Member>,
    /// Notes about the archive.
    pub notes: Vec<String>,
    /// Whether a name that is not UTF-8 may be in code page 437, because it was written by a DOS
    /// program.
    pub dos_names: bool,
    /// Whether the last of several members with one name is used. Otherwise, the first is used.
    pub last_duplicate_wins: bool,
    /// Whether there may be further members that are not listed.
    pub incomplete: bool,
    /// The number of members that deny rules remove from listings.
    pub denied_members: u64,
}

impl Index {
    /// Finds the file with the longest possible name of `names`, which are sorted by length,
    /// longest first. Returns the index of the file in `members`, and the index of the name in
    /// `names`.
    fn find(&self, names: &[String]) -> Option<(usize, usize)> {
        let mut found: Option<(usize, (usize, bool))> = None;
        for (place, member) in self.members.iter().enumerate() {
            let Some(name) = matching_name(member, names) else {
                continue;
            };
            // Of two spellings of a name, the requested one is used.
            let spelled = names
                .get(name)
                .is_none_or(|requested| *requested != member.name);
            let better = |(_, other)| match (name, spelled).cmp(&other) {
                Ordering::Less => true,
                Ordering::Equal => self.last_duplicate_wins,
                Ordering::Greater => false,
            };
            if found.is_none_or(better) {
                found = Some((place, (name, spelled)));
            }
        }
        found.map(|(place, (name, _))| (place, name))
    }

    /// Marks the list as incomplete and notes the reason.
    fn mark_incomplete(&mut self, why: &impl ToString) {
        self.incomplete = true;
        self.notes.push(why.to_string());
    }

    /// Marks the list as incomplete, because it has the maximum number of members.
    fn cut_at_limit(&mut self) {
        let limit = limits::ARCHIVE_MEMBERS;
        self.mark_incomplete(&format!("more than {limit} members; the rest is left out"));
    }
}

/// A member that was found and opened.
pub struct Opened {
    /// The member as the archive lists it.
    pub member: Member,
    /// The index of the matching name in the list of requested names.
    pub name: usize,
    /// The bytes of the member.
    pub source: Box<dyn Source>,
    /// Notes about the member.
    pub notes: Vec<String>,
}

/// The result of a search for a member.
pub enum Lookup {
    /// The member was found and opened.
    Found(Opened),
    /// The member was found, but it cannot be read. Contains the reason.
    Unreadable(Member, String),
    /// No file has any of the requested names. Contains the list of all members.
    NotFound(Index),
}

/// The format of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// zip, and the formats that are based on it.
    Zip,
    /// tar.
    Tar,
    /// ar, which is also the format of Debian packages.
    Ar,
    /// cpio.
    Cpio,
    /// 7z.
    SevenZip,
}

impl Format {
    /// Detects the format from the first bytes of a file.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            // The third signature is that of the first part of a split archive.
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => {
                Some(Self::Zip)
            }
            head if head.starts_with(sevenz::MAGIC) => Some(Self::SevenZip),
            head if head.starts_with(ar::MAGIC) => Some(Self::Ar),
            head if cpio::is_header(head) => Some(Self::Cpio),
            head if tar::is_header(head) => Some(Self::Tar),
            _ => None,
        }
    }

    /// The format of archives that may follow other data in a file, such as a self-extracting
    /// program. An archive in this format is found by its directory, which is at the end of the
    /// file.
    pub const APPENDED: Self = Self::Zip;

    /// The name of the format, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zip => "zip archive",
            Self::Tar => "tar archive",
            Self::Ar => "ar archive",
            Self::Cpio => "cpio archive",
            Self::SevenZip => "7z archive",
        }
    }

    /// Finds a file by one of several possible names, and opens it. `names` is sorted by length,
    /// longest first.
    ///
    /// # Errors
    /// Fails if the archive cannot be read at all.
    pub fn find_first(
        self,
        source: Box<dyn Source>,
        size: Option<u64>,
        names: &[String],
    ) -> Result<Lookup, FileError> {
        match self {
            Self::Zip => zip::find_first(source, size, names),
            Self::Tar => forward::find_first(|| tar::Tar, source, names),
            Self::Ar => forward::find_first(ar::Ar::default, source, names),
            Self::Cpio => forward::find_first(cpio::Cpio::default, source, names),
            Self::SevenZip => sevenz::find_first(source, size, names),
        }
    }
}

/// The index in `names` of the first name that the member has. `None` if the member has none of the
/// names, or is not a file.
fn matching_name(member: &Member, names: &[String]) -> Option<usize> {
    if names.is_empty() || member.kind != MemberKind::File {
        return None;
    }
    names
        .iter()
        .position(|name| may_be(&member.name, name) && is_called(&member.name, name))
}

/// Whether the member has this name, either as it is spelled or in its normal form.
fn is_called(member: &str, name: &str) -> bool {
    // A member without a name does not match an empty name.
    normalized(member)
        .filter(|normal| !normal.is_empty())
        .is_some_and(|normal| *normal == *name || *member == *name)
}

/// Whether the member can have this name: a cheap test before [`is_called`]. There may be
/// a million members, and the last part of the name excludes most of them.
fn may_be(member: &str, name: &str) -> bool {
    let last = match memchr::memrchr(b'/', name.as_bytes()) {
        Some(at) => name.get(at.saturating_add(1)..).unwrap_or_default(),
        None => name,
    };
    member.ends_with(last) || matches!(member.as_bytes().last(), Some(b'/' | b'.'))
}

/// Reads bytes of a source from the offset `at` on into a slice, as [`io::Read`] does.
fn read_into(source: &mut dyn Source, at: u64, out: &mut [u8]) -> io::Result<usize> {
    let mut bytes = Vec::new();
    source
        .read(at, out.len(), &mut bytes)
        .map_err(|error| io::Error::other(error.to_string()))?;
    bytes.as_slice().read(out)
}

/// The error for a damaged archive.
fn damaged(format: Format, message: impl std::fmt::Display) -> FileError {
    let message = library_message(message);
    FileError::Other(format!("the {} is damaged: {message}", format.name()))
}

/// Returns a seekable source and its size. A source that is not seekable, such as a member of
/// another archive, or that has no known size, is read into memory.
fn into_seekable(
    mut source: Box<dyn Source>,
    size: Option<u64>,
) -> Result<(Box<dyn Source>, u64), FileError> {
    if let Some(size) = size.filter(|_| source.seekable()) {
        return Ok((source, size));
    }
    let bytes = read_to_memory(&mut *source, "nested-archive", limits::NESTED_BYTES)?;
    let size = bytes.len() as u64;
    Ok((Box::new(Bytes::new(bytes)), size))
}

/// Reads all bytes of a source into memory, up to `limit` bytes. `name` is the name of the limit in
/// the error message.
///
/// # Errors
/// Fails if there are more bytes, or if they cannot be read.
pub fn read_to_memory(
    source: &mut dyn Source,
    name: &'static str,
    limit: usize,
) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        source.read(before as u64, limits::CHUNK_BYTES, &mut bytes)?;
        if bytes.len() == before {
            return Ok(bytes);
        }
        if bytes.len() > limit {
            return Err(FileError::Limit(name, limit as u64));
        }
    }
}
