//! The zip family: a directory at the end of the archive states the position of each
//! member.
//!
//! Only the directory is used. If several members have one name, the last is used. The
//! local header of a member is compared with the directory, and differences become notes.

use super::bytes::{into_seekable, read_into};
use super::checked::Checked;
use super::format::{Format, damaged};
use super::index::{Index, Member, MemberKind};
use super::links::read_targets;
use super::lookup::{Lookup, Opened, last_part};
use super::names;
use super::span::Span;
use crate::containers::inflate::{Codec, Inflated};
use crate::containers::shared::Shared;
use crate::failure::library_message;
use crate::limits;
use crate::world::{FileError, Source, Time};
use omniread_outline::sort;
use rawzip::extra_fields::ExtraFieldId;
use rawzip::time::ZipDateTimeKind;
use rawzip::{
    CompressionMethod, CreatorSystem, EntryFlags, ErrorKind, RECOMMENDED_BUFFER_SIZE, ReaderAt,
    ZipArchive, ZipArchiveEntryWayfinder, ZipEntry, ZipFileHeaderRecord, ZipLocator, crc32,
};
use std::io;

/// A source that implements [`ReaderAt`], from which `rawzip` reads.
struct Positional(Shared);

impl ReaderAt for Positional {
    fn read_at(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        read_into(&mut self.0.clone(), offset, out)
    }
}

/// An archive and the list of its members.
struct Zip {
    directory: Directory,
    index: Index,
}

/// The parts of an archive that are needed to open a member.
struct Directory {
    archive: ZipArchive<Positional>,
    source: Shared,
    records: Vec<Record>,
}

/// The fields of a directory entry that are needed to open a member.
struct Record {
    at: ZipArchiveEntryWayfinder,
    /// Offset of the local header, which precedes the member.
    header: u64,
    method: CompressionMethod,
    flags: EntryFlags,
    /// CRC-32 of the member.
    sum: u32,
    /// The bytes of the name in the directory entry, if the member is listed under a different
    /// name, such as the Unicode name of the entry.
    written: Option<Vec<u8>>,
}

/// Finds a file by one of several possible names, and opens it. `names` is sorted by length,
/// longest first.
///
/// # Errors
/// Fails if the directory of the archive cannot be read.
pub fn find_first(
    source: Box<dyn Source>,
    size: Option<u64>,
    names: &[String],
) -> Result<Lookup, FileError> {
    let (source, size) = into_seekable(source, size)?;
    let source = Shared::new(source);
    // An empty part of a name would keep all members.
    let is_named = !names.is_empty() && names.iter().all(|name| !last_part(name).is_empty());
    if is_named
        && let Some(zip) = Zip::read(source.clone(), size, Some(names))?
        && let Some(found) = zip.index.find(names)
    {
        return Ok(opened(&zip.directory, zip.index, found));
    }
    let Some(mut zip) = Zip::read(source, size, None)? else {
        return Ok(Lookup::NotFound(Index::default()));
    };
    names::decode(&mut zip.index);
    let Zip {
        directory,
        mut index,
    } = zip;
    let Some(found) = index.find(names) else {
        if directory.is_split() {
            index.notes.push(PARTS.to_owned());
        } else {
            directory.compare(&mut index);
            read_targets(&mut index, names, limits::ZIP_LINKS, |place, all| {
                let member = all.members.get(place)?;
                directory.open(place, member).ok().map(|(source, _)| source)
            });
        }
        return Ok(Lookup::NotFound(index));
    };
    Ok(opened(&directory, index, found))
}

/// Opens the member with the index `place`, which has the name with the index `name`.
fn opened(directory: &Directory, mut index: Index, (place, name): (usize, usize)) -> Lookup {
    let member = index.members.swap_remove(place);
    match directory.open(place, &member) {
        Ok((source, notes)) => Lookup::Found(Opened {
            member,
            name,
            source,
            notes,
        }),
        Err(why) => Lookup::Unreadable(member, why),
    }
}

impl Zip {
    /// Reads the directory of an archive. With `wanted`, only those members are kept that may have one of these
    /// names, which is much faster. `None` if names must be decoded, for which all of them are needed.
    fn read(
        source: Shared,
        size: u64,
        wanted: Option<&[String]>,
    ) -> Result<Option<Self>, FileError> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let mut locate = |source: &Shared, size| {
            let source = Positional(source.clone());
            let archive = ZipLocator::new().locate_in_reader(source, &mut buffer, size);
            archive.map_err(|(_, error)| damaged(Format::Zip, error))
        };
        let mut archive = locate(&source, size).map_err(|error| {
            if split(&source, 0) {
                FileError::Other(PARTS.to_owned())
            } else {
                error
            }
        })?;
        let mut source = source;
        let mut index = Index {
            last_duplicate_wins: true,
            ..Index::default()
        };
        if let Some(start) = start(&source, archive.eocd_offset()) {
            let size = size.saturating_sub(start);
            source = Shared::new(Box::new(Span::new(Box::new(source), start, size)));
            archive = locate(&source, size)?;
            index
                .notes
                .push(format!("the archive starts at byte {start}"));
        }
        let mut records: Vec<Record> = Vec::new();
        let mut seen = 0u64;
        let mut entries = archive.entries(&mut buffer);
        loop {
            let entry = match entries.next_entry() {
                Ok(Some(entry)) => entry,
                Ok(None) => break,
                Err(error) if seen == 0 => return Err(damaged(Format::Zip, error)),
                Err(error) => {
                    index.mark_incomplete(&damaged(Format::Zip, error));
                    break;
                }
            };
            if seen >= limits::ARCHIVE_MEMBERS {
                index.cut_at_limit();
                break;
            }
            seen = seen.saturating_add(1);
            if let Some(names) = wanted {
                let path = entry.file_path();
                let name: &[u8] = path.as_bytes();
                if std::str::from_utf8(name).is_err() {
                    return Ok(None);
                }
                if !may_match(&entry, name, names) {
                    continue;
                }
            }
            let (member, written) = member(&entry);
            index.dos_names |= member.raw.is_some() && is_dos(&entry);
            records.push(Record {
                at: entry.wayfinder(),
                header: entry.local_header_offset(),
                method: entry.compression_method(),
                flags: entry.flags(),
                sum: entry.crc32(),
                written,
            });
            index.members.push(member);
        }
        let directory = Directory {
            archive,
            source,
            records,
        };
        Ok(Some(Self { directory, index }))
    }
}

impl Directory {
    /// Whether this file is the last part of a split archive.
    fn is_split(&self) -> bool {
        split(&self.source, self.archive.eocd_offset())
    }

    /// Adds notes to `index` about contradictions in the directory.
    fn compare(&self, index: &mut Index) {
        let notes = &mut index.notes;
        let records = self.records.iter();
        let mut spans: Vec<(u64, u64)> = records
            .map(|record| (record.header, record.at.compressed_size_hint()))
            .collect();
        sort::by(&mut spans, |span| *span);
        // Members share bytes only in decompression bombs.
        let overlap = spans.windows(2).any(|pair| match pair {
            [(start, length), (next, _)] => start.saturating_add(*length) > *next,
            _ => false,
        });
        if overlap {
            notes.push("entries overlap, as in a decompression bomb".to_owned());
        }
        let (found, stated) = (self.records.len(), self.archive.entries_hint());
        if stated != found as u64 && !index.incomplete {
            let entries = if found == 1 { "entry" } else { "entries" };
            notes.push(format!(
                "the directory contains {found} {entries}, but its header states {stated}"
            ));
        }
    }

    /// Opens `member`, which has the index `place`. Returns its bytes, and notes about differences
    /// between the directory and the local header of the member.
    fn open(
        &self,
        place: usize,
        member: &Member,
    ) -> Result<(Box<dyn Source>, Vec<String>), String> {
        let Some(record) = self.records.get(place) else {
            return Err("there is no such entry".to_owned());
        };
        if record.flags.is_encrypted() {
            return Err("it is encrypted".to_owned());
        }
        let codec = codec(record, member.size)?;
        let length = record.at.compressed_size_hint();
        let length = length.saturating_add(limits::ZIP_HEADER_BYTES);
        self.source.clone().expect(record.header, length);
        let entry = self.archive.get_entry(record.at).map_err(|error| {
            if self.is_split() {
                PARTS.to_owned()
            } else {
                format!("its own header is damaged: {}", library_message(error))
            }
        })?;
        let written = record.written.as_deref().or(member.raw.as_deref());
        let written = written.unwrap_or(member.name.as_bytes());
        let notes = differences(&entry, record, written);
        let (start, end) = entry.compressed_data_range();
        let length = end.saturating_sub(start);
        let span = Box::new(Span::new(Box::new(self.source.clone()), start, length));
        let source: Box<dyn Source> = match codec {
            None => span,
            Some(codec) => Box::new(Inflated::new(span, vec![codec])),
        };
        let source = Checked::new(source, member, Some(record.sum));
        Ok((Box::new(source), notes))
    }
}

/// The offset in the file at which the archive starts, if other data precedes it and the offsets in
/// the archive do not count that data. In this case, the directory is directly before the end
/// record, which is at the offset `end`, but not at the offset that the record states. `None` in
/// all other cases.
fn start(source: &Shared, end: u64) -> Option<u64> {
    let mut bytes = [0; 22];
    let read = read_into(&mut source.clone(), end, &mut bytes);
    let long = |at: usize| {
        let bytes = bytes.get(at..at.checked_add(4)?)?;
        Some(u64::from(u32::from_le_bytes(bytes.try_into().ok()?)))
    };
    let directory = end.checked_sub(long(12)?)?;
    let start = directory.checked_sub(long(16)?)?;
    let mut mark = [0; 4];
    let there = read_into(&mut source.clone(), directory, &mut mark);
    let is_directory = there.is_ok() && mark == *b"PK\x01\x02";
    (read.is_ok() && start > 0 && is_directory).then_some(start)
}

/// The message for split archives.
const PARTS: &str = "this is one part of a split archive; join its parts first, as \
    `zip -s 0 ARCHIVE.zip --out joined.zip` does";

/// The note on a file that has the name of a zip archive, but does not start like one: the last part
/// of a split archive. `None` for any other file.
pub fn part(source: Box<dyn Source>, size: Option<u64>) -> Option<&'static str> {
    let size = size.filter(|_| source.seekable() && !source.remote())?;
    let source = Shared::new(source);
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let positional = Positional(source.clone());
    let located = ZipLocator::new().locate_in_reader(positional, &mut buffer, size);
    let archive = located.ok()?;
    split(&source, archive.eocd_offset()).then_some(PARTS)
}

/// Whether the bytes at the offset `at` belong to a split archive: they are the marker of its first
/// part, or an end record with a disk number other than 0.
fn split(source: &Shared, at: u64) -> bool {
    let mut bytes = [0; 6];
    match read_into(&mut source.clone(), at, &mut bytes) {
        Ok(6) => match bytes {
            [b'P', b'K', 7, 8, ..] => true,
            // ZIP64 sets the disk number to its maximum.
            [b'P', b'K', 5, 6, low, high] => {
                !matches!(u16::from_le_bytes([low, high]), 0 | u16::MAX)
            }
            _ => false,
        },
        _ => false,
    }
}

/// The member that a directory entry describes. Also returns the bytes of its name in the entry, if
/// the member gets a different name.
fn member(entry: &ZipFileHeaderRecord<'_>) -> (Member, Option<Vec<u8>>) {
    let path = entry.file_path();
    let bytes: &[u8] = path.as_bytes();
    let (mut name, mut raw) = names::text(bytes);
    let mut written = None;
    // A name in the entry may have a `?` in place of each letter that a code page lacks.
    if let Some(unicode) = unicode(entry, bytes).filter(|unicode| *unicode != name) {
        raw = None;
        written = Some(bytes.to_vec());
        name = unicode;
    }
    // Some DOS programs write `\` as the separator.
    if is_dos(entry)
        && raw.is_none()
        && written.is_none()
        && name.contains('\\')
        && !name.contains('/')
    {
        written = Some(bytes.to_vec());
        name = name.replace('\\', "/");
    }
    let modified = match entry.last_modified() {
        ZipDateTimeKind::Utc(time) => u64::try_from(time.to_unix()).ok(),
        ZipDateTimeKind::Local(_) => None,
    };
    let member = Member {
        kind: if entry.is_dir() || name.ends_with('/') {
            MemberKind::Directory
        } else if entry.mode().is_symlink() {
            MemberKind::Symlink(None)
        } else {
            MemberKind::File
        },
        name,
        raw,
        size: entry.uncompressed_size_hint(),
        modified: modified.map(|seconds| Time { seconds, nanos: 0 }),
    };
    (member, written)
}

/// Whether a member may have one of `names`: a cheap test of the name that is written in its entry.
fn may_match(entry: &ZipFileHeaderRecord<'_>, written: &[u8], names: &[String]) -> bool {
    let ends = |name: &String| written.ends_with(last_part(name).as_bytes());
    // A name may end in parts that its normal form lacks, and may be given in another field.
    matches!(written.last(), None | Some(b'/' | b'.' | b'\\'))
        || names.iter().any(ends)
        || entry
            .extra_fields()
            .any(|(id, _)| id == ExtraFieldId::INFO_ZIP_UNICODE_PATH)
}

/// Whether the entry may have a DOS name, because it was not written on Unix or macOS.
fn is_dos(entry: &ZipFileHeaderRecord<'_>) -> bool {
    let system = entry.version_made_by().creator_system();
    !matches!(system, CreatorSystem::UNIX | CreatorSystem::MACOS)
}

/// The name from the Unicode path field (APPNOTE.TXT, 4.6.9). `None` if the field is missing, or
/// does not contain the checksum of `written`, the name in the directory entry.
fn unicode(entry: &ZipFileHeaderRecord<'_>, written: &[u8]) -> Option<String> {
    let mut fields = entry.extra_fields();
    let (_, field) = fields.find(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH)?;
    match field {
        [1, a, b, c, d, name @ ..] if u32::from_le_bytes([*a, *b, *c, *d]) == crc32(written) => {
            String::from_utf8(name.to_vec()).ok()
        }
        _ => None,
    }
}

/// The codec of a member of `size` bytes. `None` if the member is stored without compression.
///
/// # Errors
/// Fails if the compression method is not supported.
fn codec(record: &Record, size: u64) -> Result<Option<Codec>, String> {
    Ok(Some(match record.method {
        CompressionMethod::STORE => return Ok(None),
        CompressionMethod::DEFLATE => Codec::Deflate,
        CompressionMethod::DEFLATE64 => Codec::Deflate64,
        // The second flag states that an end marker follows.
        CompressionMethod::LZMA => {
            Codec::LzmaZip(Some(size).filter(|_| record.flags.bits() & 2 == 0))
        }
        CompressionMethod::BZIP2 => Codec::Bzip2,
        CompressionMethod::ZSTD | CompressionMethod::ZSTD_DEPRECATED => Codec::Zstd,
        CompressionMethod::XZ => Codec::Xz,
        CompressionMethod::PPMD => Codec::Ppmd8,
        method => {
            let name = method.name();
            let name = name.map_or_else(String::new, |name| format!(" ({name})"));
            let method = method.as_u16();
            return Err(format!("it is compressed by method {method}{name}"));
        }
    }))
}

/// Notes about differences between the local header of a member and the directory. `name` is the
/// name in the directory.
fn differences(entry: &ZipEntry<'_, Positional>, record: &Record, name: &[u8]) -> Vec<String> {
    // Room for most names and extra fields. The error states the required size if it is
    // too small.
    let mut buffer = vec![0; 512];
    if let Err(error) = entry.local_header(&mut buffer)
        && let ErrorKind::BufferTooSmall { required } = error.kind()
    {
        buffer.resize(*required, 0);
    }
    let Ok(header) = entry.local_header(&mut buffer) else {
        return Vec::new();
    };
    let path = header.file_path();
    let other: &[u8] = path.as_bytes();
    let mut notes = Vec::new();
    let mut differs = |what: String| {
        notes.push(format!(
            "the header before the member {what}; the central directory is used"
        ));
    };
    if other != name {
        let other = String::from_utf8_lossy(other);
        differs(if other.is_empty() {
            "gives it no name".to_owned()
        } else {
            format!("calls it `{other}`")
        });
    }
    if header.compression_method() != record.method {
        let method = header.compression_method().as_u16();
        differs(format!("states another method, {method}"));
    }
    // With a data descriptor, the sizes follow the member.
    let stated = !header.flags().has_data_descriptor();
    let size = header.uncompressed_size_hint();
    if stated && size != record.at.uncompressed_size_hint() {
        differs(format!("states another size, {size} bytes"));
    }
    notes
}
