//! tar: headers of 512 bytes, each before the bytes of its member.
//!
//! An archive is read forward, once, and no further than the member that is
//! looked for; of several of one name the first is taken. What extended headers
//! say (pax, GNU long names) counts, and only that.

use super::tape::Tape;
use super::{Catalogue, Format, Looked, Member, MemberKind, asked, damaged};
use crate::limits;
use crate::world::{FileError, Source, Time};
use tar::{EntryType, Header, PaxExtensions};

/// Bytes of a block: headers and members start at one.
const BLOCK: usize = 512;

/// Whether first bytes are those of a header: its sum is right.
pub fn is_header(head: &[u8]) -> bool {
    head.get(..BLOCK).is_some_and(|block| {
        let named = block.first().is_some_and(|byte| *byte != 0);
        named && sum_is_right(block)
    })
}

/// The sum of a header is that of its bytes, its own field being blanks.
fn sum_is_right(block: &[u8]) -> bool {
    let Ok(expected) = header(block).cksum() else {
        return false;
    };
    let sum = |bytes: Option<&[u8]>| {
        let bytes = bytes.unwrap_or_default().iter();
        bytes.fold(0u32, |sum, byte| sum.saturating_add(u32::from(*byte)))
    };
    let blanks = 8 * u32::from(b' ');
    let actual = sum(block.get(..148)).saturating_add(sum(block.get(156..BLOCK)));
    actual.saturating_add(blanks) == expected
}

fn header(block: &[u8]) -> Header {
    let mut header = Header::new_old();
    if let Some(block) = block.get(..BLOCK) {
        header.as_mut_bytes().copy_from_slice(block);
    }
    header
}

/// Looks for the first member that has one of these names.
///
/// # Errors
/// If not even the first header can be read.
pub fn look(source: Box<dyn Source>, names: &[String]) -> Result<Looked, FileError> {
    let mut tape = Tape::new(source);
    let mut catalogue = Catalogue::default();
    let mut extended = Extended::default();
    loop {
        if catalogue.members.len() as u64 >= limits::ARCHIVE_MEMBERS {
            let words = format!(
                "more than {} members; the rest is left out",
                limits::ARCHIVE_MEMBERS
            );
            catalogue.notes.push(words);
            break;
        }
        let block = match tape.take(BLOCK) {
            Ok(block) => block,
            Err(error) if catalogue.members.is_empty() => return Err(error),
            Err(error) => {
                catalogue.notes.push(error.to_string());
                break;
            }
        };
        if block.is_empty() || block.iter().all(|byte| *byte == 0) {
            break;
        }
        if block.len() < BLOCK || !sum_is_right(&block) {
            let words = format!(
                "a header at byte {} is damaged; nothing is read behind it",
                tape.at
            );
            if catalogue.members.is_empty() {
                return Err(damaged(Format::Tar, words));
            }
            catalogue.notes.push(words);
            break;
        }
        let header = header(&block);
        let kind = header.entry_type();
        let size = match header.entry_size() {
            Ok(size) => extended.size.unwrap_or(size),
            // What is no file may leave the field blank.
            Err(_) if !kind.is_file() => 0,
            Err(error) => {
                catalogue.notes.push(error.to_string());
                break;
            }
        };
        if kind == EntryType::GNUSparse {
            skip_sparse_map(&header, &mut tape)?;
        }
        let padded = size.div_ceil(BLOCK as u64).saturating_mul(BLOCK as u64);
        if extended.take(kind, size, padded, &mut tape, &mut catalogue)? {
            continue;
        }
        let said = std::mem::take(&mut extended);
        let name = said.name.unwrap_or_else(|| text(&header.path_bytes()));
        let target = || {
            said.target
                .clone()
                .unwrap_or_else(|| text(&header.link_name_bytes().unwrap_or_default()))
        };
        let member = Member {
            kind: match kind {
                EntryType::Directory => MemberKind::Directory,
                EntryType::Symlink | EntryType::Link => MemberKind::Link(target()),
                EntryType::Regular | EntryType::Continuous if name.ends_with('/') => {
                    MemberKind::Directory
                }
                EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                    MemberKind::File
                }
                _ => MemberKind::Other,
            },
            name,
            size,
            modified: header
                .mtime()
                .ok()
                .map(|seconds| Time { seconds, nanos: 0 }),
        };
        if let Some(name) = asked(&member, names) {
            if kind == EntryType::GNUSparse {
                return Ok(Looked::Closed(member, "it is stored sparsely".to_owned()));
            }
            return Ok(Looked::Found(tape.open(member, name)));
        }
        // A link has no bytes, whatever its header says.
        let holds = matches!(member.kind, MemberKind::File | MemberKind::Other);
        catalogue.members.push(member);
        if let Err(error) = tape.skip(if holds { padded } else { 0 }) {
            catalogue.notes.push(error.to_string());
            break;
        }
    }
    Ok(Looked::Missing(catalogue))
}

/// Goes behind the rest of a map of holes, which may take blocks of its own.
fn skip_sparse_map(header: &Header, tape: &mut Tape) -> Result<(), FileError> {
    let mut extended = header.as_gnu().is_some_and(tar::GnuHeader::is_extended);
    while extended {
        let block = tape.take(BLOCK)?;
        // The flag stands behind 21 pairs of numbers of 12 digits.
        extended = block.get(504).is_some_and(|flag| *flag != 0);
    }
    Ok(())
}

/// What extended headers say of the member that follows them.
#[derive(Default)]
struct Extended {
    name: Option<String>,
    target: Option<String>,
    size: Option<u64>,
}

impl Extended {
    /// Takes a header that speaks of the next one; false if it is that of a
    /// member.
    fn take(
        &mut self,
        kind: EntryType,
        size: u64,
        padded: u64,
        tape: &mut Tape,
        catalogue: &mut Catalogue,
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
        tape.skip(padded.saturating_sub(bytes.len() as u64))?;
        if bytes.len() as u64 != size {
            let words = format!("an extended header of {size} bytes is left out");
            catalogue.notes.push(words);
            return Ok(true);
        }
        match kind {
            EntryType::GNULongName => self.name = Some(text(&bytes)),
            EntryType::GNULongLink => self.target = Some(text(&bytes)),
            EntryType::XHeader => {
                for pair in PaxExtensions::new(&bytes).flatten() {
                    let value = || text(pair.value_bytes());
                    match pair.key_bytes() {
                        b"path" => self.name = Some(value()),
                        b"linkpath" => self.target = Some(value()),
                        b"size" => self.size = value().parse().ok(),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        Ok(true)
    }
}

/// A name as text, to its first NUL.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0);
    let bytes = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}
