//! tar: each member follows a header of 512 bytes. Extended headers (pax, GNU long names)
//! take precedence over the header of the member.

use super::format::{Format, damaged};
use super::forward::{Entry, Headers};
use super::index::{Member, MemberKind};
use super::names;
use super::sparse::{Map, Segment};
use super::tape::Tape;
use crate::limits;
use crate::world::{FileError, Time};
use tar::{EntryType, GnuExtSparseHeader, Header, PaxExtensions};

/// Size in bytes of a block. Headers and members start at the start of a block.
const BLOCK: usize = 512;

/// Size in bytes of a record. The end of an archive is padded to a full record.
const RECORD: usize = 20 * BLOCK;

/// Whether `head` starts with a tar header that has a valid checksum.
pub fn is_header(head: &[u8]) -> bool {
    head.get(..BLOCK).is_some_and(|block| {
        let named = block.first().is_some_and(|byte| *byte != 0);
        named && sum_is_right(block)
    })
}

/// Whether the checksum of a header is valid. The checksum is the sum of all bytes, with spaces in
/// place of the checksum field. Some old programs treat the bytes as signed, so the sum of signed
/// bytes is valid too.
fn sum_is_right(block: &[u8]) -> bool {
    let Ok(expected) = header(block).cksum() else {
        return false;
    };
    let (before, after) = (block.get(..148), block.get(156..BLOCK));
    let bytes = before.into_iter().chain(after).flatten();
    let spaces = i64::from(b' ').saturating_mul(8);
    let (unsigned, signed) = bytes.fold((spaces, spaces), |(unsigned, signed), byte| {
        (
            unsigned.saturating_add(i64::from(*byte)),
            signed.saturating_add(i64::from(byte.cast_signed())),
        )
    });
    [unsigned, signed].contains(&i64::from(expected))
}

fn header(block: &[u8]) -> Header {
    let mut header = Header::new_old();
    if let Some(block) = block.get(..BLOCK) {
        header.as_mut_bytes().copy_from_slice(block);
    }
    header
}

/// A parser for the headers of a tar archive.
pub struct Tar;

impl Headers for Tar {
    fn next(
        &mut self,
        tape: &mut Tape,
        notes: &mut Vec<String>,
    ) -> Result<Option<Entry>, FileError> {
        let mut stated = Extended::default();
        loop {
            let block = tape.take(BLOCK)?;
            let empty = |block: &[u8]| block.iter().all(|byte| *byte == 0);
            if empty(&block) {
                // An archive ends with two empty blocks, and is then padded to a full
                // record.
                if !block.is_empty() && !empty(&tape.take(RECORD)?) {
                    let at = tape.at;
                    notes.push(format!(
                        "the archive ends before byte {at}, but more bytes follow"
                    ));
                }
                return Ok(None);
            }
            if block.len() < BLOCK || !sum_is_right(&block) {
                let start = tape.at.saturating_sub(block.len() as u64);
                let message = if block.len() < BLOCK {
                    format!("it ends inside the header at byte {start}")
                } else {
                    format!("the header at byte {start} is damaged; nothing after it is read")
                };
                return Err(damaged(Format::Tar, message));
            }
            let header = header(&block);
            let kind = header.entry_type();
            let stored = match header.entry_size() {
                Ok(size) => match stated.size {
                    // If the header has no room for the size, only the extended header
                    // contains it.
                    Some(stated) if size != 0 && size != stated => {
                        let name = String::from_utf8_lossy(&header.path_bytes()).into_owned();
                        notes.push(format!(
                            "`{name}`: the size is {stated} in its extended header, which is used, \
                             and {size} in its header"
                        ));
                        stated
                    }
                    stated => stated.unwrap_or(size),
                },
                // Members that are not files may leave the size field empty.
                Err(_) if !kind.is_file() => 0,
                Err(error) => return Err(damaged(Format::Tar, error)),
            };
            if !stated.take(kind, stored, tape, notes)? {
                return stated.entry(&header, stored, tape).map(Some);
            }
        }
    }
}

/// The number of bytes between the end of a member of `stored` bytes and the next header.
fn padding(stored: u64) -> u64 {
    stored.next_multiple_of(BLOCK as u64).saturating_sub(stored)
}

/// The fields of extended headers that apply to the next member.
#[derive(Default)]
struct Extended {
    name: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: Option<Sparse>,
}

/// The fields of extended headers that describe a sparse file.
#[derive(Default)]
struct Sparse {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    /// Whether the map of the file is stored before its bytes, not in the extended header.
    inside: bool,
    /// The start and the length in bytes of each segment of the map, as consecutive numbers.
    numbers: Vec<u64>,
}

impl Extended {
    /// Reads the content of an extended header of `size` bytes. Returns false, and reads nothing,
    /// if `kind` is not the type of an extended header.
    fn take(
        &mut self,
        kind: EntryType,
        size: u64,
        tape: &mut Tape,
        notes: &mut Vec<String>,
    ) -> Result<bool, FileError> {
        let known = matches!(
            kind,
            EntryType::GNULongName
                | EntryType::GNULongLink
                | EntryType::XHeader
                | EntryType::XGlobalHeader
        );
        if !known {
            return Ok(false);
        }
        let wanted = usize::try_from(size)
            .unwrap_or(usize::MAX)
            .min(limits::EXTENDED_HEADER_BYTES);
        let bytes = tape.take(wanted)?;
        let left = size.saturating_sub(bytes.len() as u64);
        tape.skip(left.saturating_add(padding(size)))?;
        if left > 0 {
            notes.push(format!("an extended header of {size} bytes is left out"));
            return Ok(true);
        }
        match kind {
            EntryType::GNULongName => self.name = Some(names::field(&bytes).to_vec()),
            EntryType::GNULongLink => self.target = Some(names::field(&bytes).to_vec()),
            EntryType::XHeader => {
                for pair in PaxExtensions::new(&bytes).flatten() {
                    self.pax(pair.key_bytes(), pair.value_bytes());
                }
            }
            // A global header is ignored, because its fields apply to all members.
            _ => {}
        }
        Ok(true)
    }

    /// Stores the value of one key of a pax header.
    fn pax(&mut self, key: &[u8], value: &[u8]) {
        match key {
            b"path" => self.name = Some(names::field(value).to_vec()),
            b"linkpath" => self.target = Some(names::field(value).to_vec()),
            b"size" => self.size = number(value),
            _ => {
                let Some(key) = key.strip_prefix(b"GNU.sparse.") else {
                    return;
                };
                let sparse = self.sparse.get_or_insert_default();
                match key {
                    b"name" => sparse.name = Some(names::field(value).to_vec()),
                    b"size" | b"realsize" => sparse.size = number(value),
                    b"major" => sparse.inside = value == b"1",
                    b"offset" | b"numbytes" => sparse.numbers.extend(number(value)),
                    b"map" => {
                        let numbers = value.split(|byte| *byte == b',');
                        sparse.numbers = numbers.filter_map(number).collect();
                    }
                    _ => {}
                }
            }
        }
    }

    /// The member that `header` describes. The fields of the extended headers take precedence.
    fn entry(self, header: &Header, stored: u64, tape: &mut Tape) -> Result<Entry, FileError> {
        let kind = header.entry_type();
        let sparse = self.sparse;
        let (sparse_name, sparse_size, map) = match sparse {
            _ if kind == EntryType::GNUSparse => {
                let (segments, size) = old_map(header, tape)?;
                (None, size, Map::Segments(segments))
            }
            None => (None, None, Map::None),
            Some(sparse) if sparse.inside => (sparse.name, sparse.size, Map::Inside),
            Some(sparse) => {
                let pairs = sparse.numbers.chunks_exact(2);
                let pairs = pairs.filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
                (sparse.name, sparse.size, Map::Segments(pairs.collect()))
            }
        };
        let name = sparse_name
            .or(self.name)
            .unwrap_or_else(|| names::field(&header.path_bytes()).to_vec());
        let (name, raw) = names::text(&name);
        let target = || {
            let own = header.link_name_bytes().unwrap_or_default();
            let target = self.target.as_deref().unwrap_or(&own);
            names::text(names::field(target)).0
        };
        let kind = match kind {
            EntryType::Directory => MemberKind::Directory,
            EntryType::Symlink => MemberKind::Symlink(Some(target())),
            EntryType::Link => MemberKind::HardLink(target()),
            EntryType::Regular | EntryType::Continuous if name.ends_with('/') => {
                MemberKind::Directory
            }
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => MemberKind::File,
            _ => MemberKind::Other,
        };
        // A link has no content, even if its header states a size.
        let has_content = matches!(kind, MemberKind::File | MemberKind::Other);
        let stored = if has_content { stored } else { 0 };
        let seconds = header.mtime().ok();
        Ok(Entry {
            member: Member {
                name,
                raw,
                kind,
                size: sparse_size.unwrap_or(stored),
                modified: seconds.map(|seconds| Time { seconds, nanos: 0 }),
            },
            stored,
            padding: padding(stored),
            map,
        })
    }
}

/// The map of a sparse file in the old format, and the size of the file in bytes. Four segments are
/// in the header, and 21 in each block that follows it.
fn old_map(header: &Header, tape: &mut Tape) -> Result<(Vec<Segment>, Option<u64>), FileError> {
    let Some(header) = header.as_gnu() else {
        return Ok((Vec::new(), None));
    };
    let mut segments = Vec::new();
    let mut add = |sparse: &[tar::GnuSparseHeader]| {
        let sparse = sparse.iter().filter(|segment| !segment.is_empty());
        segments.extend(sparse.filter_map(|s| Some((s.offset().ok()?, s.length().ok()?))));
        segments.len() <= limits::SPARSE_SEGMENTS
    };
    add(&header.sparse);
    let mut extended = header.is_extended();
    while extended {
        let mut next = GnuExtSparseHeader::new();
        let block = tape.take(BLOCK)?;
        if block.len() == BLOCK {
            next.as_mut_bytes().copy_from_slice(&block);
        }
        if !add(&next.sparse) {
            let message = format!("a map of more than {} holes", limits::SPARSE_SEGMENTS);
            return Err(damaged(Format::Tar, message));
        }
        extended = next.is_extended();
    }
    Ok((segments, header.real_size().ok()))
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}
