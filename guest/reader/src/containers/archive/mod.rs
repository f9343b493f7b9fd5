//! Archives: containers of members, told by their bytes.
//!
//! A member is looked for by the names that a path may mean, and what is not
//! found is answered with what there is. Nothing is unpacked anywhere.

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

pub use names::{Child, children, duplicates, is_directory, normal};

use crate::failure::aside;
use crate::limits;
use crate::world::{Bytes, FileError, Info, Source, Time};
use std::cmp::Ordering;
use std::io::{self, Read as _};

/// What a member is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A link, and where it leads from the directory that it is in, if that is
    /// known.
    Link(Option<String>),
    /// Another name of a file, which is called so in the archive.
    HardLink(String),
    /// Something that is neither, such as a device.
    Other,
}

impl MemberKind {
    /// Whether it is a link of either kind.
    pub fn is_link(&self) -> bool {
        matches!(self, Self::Link(_) | Self::HardLink(_))
    }
}

/// A member as an archive lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name as it is written.
    pub name: String,
    /// The bytes of the name, if they are not UTF-8.
    pub raw: Option<Vec<u8>>,
    /// What it is.
    pub kind: MemberKind,
    /// Its bytes, as the archive tells them.
    pub size: u64,
    /// Time of its last change.
    pub modified: Option<Time>,
}

impl Member {
    /// What is known of it.
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
pub struct Catalogue {
    /// The members, in the order of the archive.
    pub members: Vec<Member>,
    /// What is to be said of the archive.
    pub notes: Vec<String>,
    /// Names that tell no encoding are in that of DOS.
    pub dos_names: bool,
    /// Of several members of one name the last counts, else the first.
    pub last_counts: bool,
    /// There may be more members than these.
    pub cut: bool,
    /// Members that deny rules keep out of listings.
    pub withheld: u64,
}

impl Catalogue {
    /// The place of the file that is meant by these names, the longest first,
    /// and which of them it has.
    fn find(&self, names: &[String]) -> Option<(usize, usize)> {
        let mut found: Option<(usize, (usize, bool))> = None;
        for (place, member) in self.members.iter().enumerate() {
            let Some(name) = asked(member, names) else {
                continue;
            };
            // Of two spellings of a name the one that was asked for counts.
            let spelled = names.get(name).is_none_or(|asked| *asked != member.name);
            let better = |(_, other)| match (name, spelled).cmp(&other) {
                Ordering::Less => true,
                Ordering::Equal => self.last_counts,
                Ordering::Greater => false,
            };
            if found.is_none_or(better) {
                found = Some((place, (name, spelled)));
            }
        }
        found.map(|(place, (name, _))| (place, name))
    }

    /// Notes that there may be more members, and why.
    fn cut(&mut self, why: &impl ToString) {
        self.cut = true;
        self.notes.push(why.to_string());
    }

    /// Notes that there are more members than are looked at.
    fn cut_at_limit(&mut self) {
        let limit = limits::ARCHIVE_MEMBERS;
        self.cut(&format!("more than {limit} members; the rest is left out"));
    }
}

/// A member that was found.
pub struct Opened {
    /// What the archive says of it.
    pub member: Member,
    /// Which of the names it was found by.
    pub name: usize,
    /// Its bytes.
    pub source: Box<dyn Source>,
    /// What is to be said of it.
    pub notes: Vec<String>,
}

/// What became of looking for a member.
pub enum Looked {
    /// It is there.
    Found(Opened),
    /// It is there, and cannot be read for this reason.
    Closed(Member, String),
    /// No file has any of these names.
    Missing(Catalogue),
}

/// The format of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The zip family.
    Zip,
    /// tar.
    Tar,
    /// ar, and with it Debian packages.
    Ar,
    /// cpio.
    Cpio,
    /// 7z.
    SevenZip,
}

impl Format {
    /// The format that first bytes tell.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            // The last one is that of the first part of a split archive.
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

    /// The format of archives that may follow something else, such as a
    /// program that unpacks them: their directory is at the end.
    pub const BEHIND: Self = Self::Zip;

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zip => "zip archive",
            Self::Tar => "tar archive",
            Self::Ar => "ar archive",
            Self::Cpio => "cpio archive",
            Self::SevenZip => "7z archive",
        }
    }

    /// Looks for the first of these names that a file has, longest first.
    ///
    /// # Errors
    /// If the archive cannot be read at all.
    pub fn look(
        self,
        source: Box<dyn Source>,
        size: Option<u64>,
        names: &[String],
    ) -> Result<Looked, FileError> {
        match self {
            Self::Zip => zip::look(source, size, names),
            Self::Tar => forward::look(|| tar::Tar, source, names),
            Self::Ar => forward::look(ar::Ar::default, source, names),
            Self::Cpio => forward::look(cpio::Cpio::default, source, names),
            Self::SevenZip => sevenz::look(source, size, names),
        }
    }
}

/// Which of these names a member is read by; none if it is no file.
fn asked(member: &Member, names: &[String]) -> Option<usize> {
    if names.is_empty() || member.kind != MemberKind::File {
        return None;
    }
    names
        .iter()
        .position(|name| may_be(&member.name, name) && is_called(&member.name, name))
}

/// Whether a member is called by a name, as it is spelled or as paths mean it.
fn is_called(member: &str, name: &str) -> bool {
    // What has no name is not what is asked for by an empty one.
    normal(member)
        .filter(|normal| !normal.is_empty())
        .is_some_and(|normal| *normal == *name || *member == *name)
}

/// Whether [`is_called`] has to be asked: there may be a million members, and the
/// last part of a name says what most of them are not called.
fn may_be(member: &str, name: &str) -> bool {
    let last = match memchr::memrchr(b'/', name.as_bytes()) {
        Some(at) => name.get(at.saturating_add(1)..).unwrap_or_default(),
        None => name,
    };
    member.ends_with(last) || matches!(member.as_bytes().last(), Some(b'/' | b'.'))
}

/// Reads a source the way readers of the standard library do.
fn read_into(source: &mut dyn Source, at: u64, out: &mut [u8]) -> io::Result<usize> {
    let mut bytes = Vec::new();
    source
        .read(at, out.len(), &mut bytes)
        .map_err(|error| io::Error::other(error.to_string()))?;
    bytes.as_slice().read(out)
}

/// The error of data that is not what it should be.
fn damaged(format: Format, words: impl std::fmt::Display) -> FileError {
    let words = aside(words);
    FileError::Other(format!("the {} is damaged: {words}", format.name()))
}

/// A source that can be read anywhere, and its size: a member of another
/// archive is held in memory.
fn anywhere(
    mut source: Box<dyn Source>,
    size: Option<u64>,
) -> Result<(Box<dyn Source>, u64), FileError> {
    if let Some(size) = size.filter(|_| source.seekable()) {
        return Ok((source, size));
    }
    let bytes = hold(&mut *source, "nested-archive", limits::NESTED_BYTES)?;
    let size = bytes.len() as u64;
    Ok((Box::new(Bytes::new(bytes)), size))
}

/// Holds all bytes of a source, up to a limit, which has a name.
///
/// # Errors
/// If there are more, or they cannot be read.
pub fn hold(
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
