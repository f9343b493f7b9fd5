//! Archives: containers of members, told by their bytes.
//!
//! A member is looked for by the names that a path may mean, and what is not
//! found is answered with what there is. Nothing is unpacked anywhere.

mod names;
mod sevenz;
mod span;
mod tape;
mod tar;
mod unix;
mod zip;

pub use names::{Child, Tree, duplicates, normal};

use crate::limits;
use crate::world::{Bytes, FileError, Source, Time};
use std::io;

/// What a member is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A link, and where it leads.
    Link(String),
    /// Something that is neither, such as a device.
    Other,
}

/// A member as an archive lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name as it is written.
    pub name: String,
    /// What it is.
    pub kind: MemberKind,
    /// Its bytes, as the archive tells them.
    pub size: u64,
    /// Time of its last change.
    pub modified: Option<Time>,
}

/// The members of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// The members, in the order of the archive.
    pub members: Vec<Member>,
    /// What is to be said of the archive.
    pub notes: Vec<String>,
}

/// A member that was found.
pub struct Opened {
    /// What the archive says of it.
    pub member: Member,
    /// Which of the names it was found by.
    pub name: usize,
    /// Its bytes.
    pub source: Box<dyn Source>,
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
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            head if head.starts_with(sevenz::MAGIC) => Some(Self::SevenZip),
            head if head.starts_with(unix::AR) => Some(Self::Ar),
            head if unix::CPIO.iter().any(|magic| head.starts_with(*magic)) => Some(Self::Cpio),
            head if tar::is_header(head) => Some(Self::Tar),
            _ => None,
        }
    }

    /// The format of an archive that may stand behind a program, as those do
    /// that unpack themselves.
    pub fn behind_program(head: &[u8]) -> Option<Self> {
        let program =
            head.starts_with(b"MZ") || head.starts_with(b"\x7fELF") || head.starts_with(b"#!");
        program.then_some(Self::Zip)
    }

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
            Self::Tar => tar::look(source, names),
            Self::Ar | Self::Cpio => unix::look(self, source, names),
            Self::SevenZip => sevenz::look(source, size, names),
        }
    }
}

/// Which of these names a member is read by; none if it is no file.
fn asked(member: &Member, names: &[String]) -> Option<usize> {
    if member.kind != MemberKind::File {
        return None;
    }
    let asked = normal(&member.name)?;
    names.iter().position(|name| *name == asked)
}

/// Reads a source the way readers of the standard library do.
fn read_into(source: &mut dyn Source, at: u64, out: &mut [u8]) -> io::Result<usize> {
    let mut bytes = Vec::new();
    source
        .read(at, out.len(), &mut bytes)
        .map_err(|error| io::Error::other(error.to_string()))?;
    let count = bytes.len().min(out.len());
    if let (Some(to), Some(from)) = (out.get_mut(..count), bytes.get(..count)) {
        to.copy_from_slice(from);
    }
    Ok(count)
}

/// The error of data that is not what it should be.
fn damaged(format: Format, words: impl std::fmt::Display) -> FileError {
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
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        source.read(before as u64, limits::CHUNK_BYTES, &mut bytes)?;
        if bytes.len() == before {
            break;
        }
        if bytes.len() > limits::NESTED_BYTES {
            let limit = limits::NESTED_BYTES >> 20;
            let words =
                format!("an archive of this kind inside another may have {limit} MB at most");
            return Err(FileError::Other(words));
        }
    }
    let size = bytes.len() as u64;
    Ok((Box::new(Bytes::new(bytes)), size))
}
