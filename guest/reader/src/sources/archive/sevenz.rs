//! 7z: a directory at the end, and members in blocks that are decompressed from
//! their start.
//!
//! A member is held in memory, since what stands before it in its block has to
//! be decompressed whatever is read of it.

use super::{Catalogue, Format, Looked, Member, MemberKind, Opened, asked, damaged, read_into};
use crate::limits;
use crate::world::{Bytes, FileError, Source, Time};
use sevenz_rust2::{ArchiveEntry, ArchiveReader, Error, NtTime, Password};
use std::io::{self, Read, Seek, SeekFrom};

/// What 7z archives begin with.
pub const MAGIC: &[u8] = b"7z\xbc\xaf\x27\x1c";

/// A source that can be read anywhere, as a file.
struct File {
    source: Box<dyn Source>,
    size: u64,
    at: u64,
}

impl Read for File {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = read_into(&mut *self.source, self.at, out)?;
        self.at = self.at.saturating_add(count as u64);
        Ok(count)
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// Looks for the longest of these names that a file has.
///
/// # Errors
/// If there is no directory.
pub fn look(
    source: Box<dyn Source>,
    size: Option<u64>,
    names: &[String],
) -> Result<Looked, FileError> {
    let (source, size) = super::anywhere(source, size)?;
    let file = io::BufReader::with_capacity(
        limits::CHUNK_BYTES,
        File {
            source,
            size,
            at: 0,
        },
    );
    let mut archive = ArchiveReader::new(file, Password::empty()).map_err(words)?;
    let mut catalogue = Catalogue::default();
    let mut found: Option<(usize, Member)> = None;
    for entry in &archive.archive().files {
        let member = member(entry);
        if let Some(name) = asked(&member, names)
            && found.as_ref().is_none_or(|(other, _)| name < *other)
        {
            found = Some((name, member.clone()));
        }
        catalogue.members.push(member);
    }
    let Some((name, member)) = found else {
        return Ok(Looked::Missing(catalogue));
    };
    let mut bytes = Vec::new();
    let limit = limits::NESTED_BYTES as u64;
    let outcome = archive.for_each_entries(|entry, reader| {
        if entry.name != member.name || entry.is_directory {
            io::copy(reader, &mut io::sink())?;
            return Ok(true);
        }
        reader
            .take(limit.saturating_add(1))
            .read_to_end(&mut bytes)?;
        Ok(false)
    });
    if bytes.len() as u64 > limit {
        let words = format!(
            "a member of a 7z archive may have {} MB at most",
            limit >> 20
        );
        return Ok(Looked::Closed(member, words));
    }
    match outcome {
        Err(error) if bytes.is_empty() => Ok(Looked::Closed(member, words(error).to_string())),
        _ => Ok(Looked::Found(Opened {
            member,
            name,
            source: Box::new(Bytes::new(bytes)),
        })),
    }
}

fn member(entry: &ArchiveEntry) -> Member {
    // Steps of 100 ns since 1601.
    let since = u64::from(entry.last_modified_date)
        .checked_sub(u64::from(NtTime::UNIX_EPOCH))
        .filter(|_| entry.has_last_modified_date);
    Member {
        name: entry.name.clone(),
        kind: if entry.is_directory {
            MemberKind::Directory
        } else {
            MemberKind::File
        },
        size: entry.size,
        modified: since.map(|steps| Time {
            seconds: steps / 10_000_000,
            nanos: 0,
        }),
    }
}

fn words(error: Error) -> FileError {
    match error {
        Error::PasswordRequired | Error::MaybeBadPassword(_) => {
            FileError::Other("it is encrypted".to_owned())
        }
        Error::UnsupportedCompressionMethod(method) => {
            FileError::Other(format!("it is compressed by method {method}"))
        }
        error => damaged(Format::SevenZip, error),
    }
}
