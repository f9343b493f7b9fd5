//! The zip family: a directory at the end says where each member lies.
//!
//! Only the directory counts, and of several members of one name the last. What
//! members say of themselves is compared with it and otherwise left alone.

use super::checked::Checked;
use super::links::read_targets;
use super::span::Span;
use super::{Catalogue, Format, Looked, Member, MemberKind, Opened, damaged, names, read_into};
use crate::containers::inflate::{Codec, Inflated};
use crate::containers::shared::Shared;
use crate::failure::aside;
use crate::limits;
use crate::sort;
use crate::world::{FileError, Source, Time};
use rawzip::extra_fields::ExtraFieldId;
use rawzip::time::ZipDateTimeKind;
use rawzip::{
    CompressionMethod, CreatorSystem, EntryFlags, ErrorKind, RECOMMENDED_BUFFER_SIZE, ReaderAt,
    ZipArchive, ZipArchiveEntryWayfinder, ZipEntry, ZipFileHeaderRecord, ZipLocator, crc32,
};
use std::io;

/// A source as the reader of directories wants it.
struct Positional(Shared);

impl ReaderAt for Positional {
    fn read_at(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        read_into(&mut self.0.clone(), offset, out)
    }
}

/// An archive and its members.
struct Zip {
    directory: Directory,
    catalogue: Catalogue,
}

/// What there is of an archive beside its members.
struct Directory {
    archive: ZipArchive<Positional>,
    source: Shared,
    records: Vec<Record>,
}

/// What the directory says of a member beside its name.
struct Record {
    at: ZipArchiveEntryWayfinder,
    /// Where its header starts.
    header: u64,
    method: CompressionMethod,
    flags: EntryFlags,
    /// CRC-32 of its bytes.
    sum: u32,
    /// Its name as it is written, if it has another one in Unicode.
    written: Option<Vec<u8>>,
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
    let mut zip = Zip::read(Shared::new(source), size)?;
    names::decode(&mut zip.catalogue);
    let Zip {
        directory,
        mut catalogue,
    } = zip;
    let Some((place, name)) = catalogue.find(names) else {
        if directory.is_split() {
            catalogue.notes.push(PARTS.to_owned());
        } else {
            directory.compare(&mut catalogue);
            read_targets(&mut catalogue, names, limits::ZIP_LINKS, |place, all| {
                let member = all.members.get(place)?;
                directory.open(place, member).ok().map(|(source, _)| source)
            });
        }
        return Ok(Looked::Missing(catalogue));
    };
    let member = catalogue.members.swap_remove(place);
    let opened = directory.open(place, &member);
    Ok(match opened {
        Ok((source, notes)) => Looked::Found(Opened {
            member,
            name,
            source,
            notes,
        }),
        Err(why) => Looked::Closed(member, why),
    })
}

impl Zip {
    /// Reads the directory of an archive.
    fn read(source: Shared, size: u64) -> Result<Self, FileError> {
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
        let mut catalogue = Catalogue {
            last_counts: true,
            ..Catalogue::default()
        };
        if let Some(start) = start(&source, archive.eocd_offset()) {
            let size = size.saturating_sub(start);
            source = Shared::new(Box::new(Span::new(Box::new(source), start, size)));
            archive = locate(&source, size)?;
            catalogue
                .notes
                .push(format!("the archive starts at byte {start}"));
        }
        let mut records: Vec<Record> = Vec::new();
        let mut entries = archive.entries(&mut buffer);
        loop {
            let entry = match entries.next_entry() {
                Ok(Some(entry)) => entry,
                Ok(None) => break,
                Err(error) if records.is_empty() => return Err(damaged(Format::Zip, error)),
                Err(error) => {
                    catalogue.cut(&damaged(Format::Zip, error));
                    break;
                }
            };
            if catalogue.members.len() as u64 >= limits::ARCHIVE_MEMBERS {
                catalogue.cut_at_limit();
                break;
            }
            let (member, written) = member(&entry);
            catalogue.dos_names |= member.raw.is_some() && is_dos(&entry);
            records.push(Record {
                at: entry.wayfinder(),
                header: entry.local_header_offset(),
                method: entry.compression_method(),
                flags: entry.flags(),
                sum: entry.crc32(),
                written,
            });
            catalogue.members.push(member);
        }
        let directory = Directory {
            archive,
            source,
            records,
        };
        Ok(Self {
            directory,
            catalogue,
        })
    }
}

impl Directory {
    /// Whether this is the last part of an archive in several files.
    fn is_split(&self) -> bool {
        split(&self.source, self.archive.eocd_offset())
    }

    /// Notes what in the directory does not fit together.
    fn compare(&self, catalogue: &mut Catalogue) {
        let notes = &mut catalogue.notes;
        let records = self.records.iter();
        let mut spans: Vec<(u64, u64)> = records
            .map(|record| (record.header, record.at.compressed_size_hint()))
            .collect();
        sort::by(&mut spans, |span| *span);
        // Members share bytes only in archives that are made to grow without
        // end.
        let overlap = spans.windows(2).any(|pair| match pair {
            [(start, length), (next, _)] => start.saturating_add(*length) > *next,
            _ => false,
        });
        if overlap {
            notes.push("entries overlap, as in a decompression bomb".to_owned());
        }
        let (found, said) = (self.records.len(), self.archive.entries_hint());
        if said != found as u64 && !catalogue.cut {
            let entries = if found == 1 { "entry" } else { "entries" };
            notes.push(format!(
                "the directory holds {found} {entries}, but is said to hold {said}"
            ));
        }
    }

    /// Opens the member of a place, and tells what does not fit together there.
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
        let entry = self.archive.get_entry(record.at).map_err(|error| {
            if self.is_split() {
                PARTS.to_owned()
            } else {
                format!("its own header is damaged: {}", aside(error))
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

/// Where an archive starts whose offsets are counted from there: its directory
/// is directly before its end, but not as far from the start as is said there.
/// None if that is the start of the file.
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

/// What is said of archives in several files.
const PARTS: &str = "this is one part of a split archive; join its parts first, as \
    `zip -s 0 ARCHIVE.zip --out WHOLE.zip` does";

/// Whether the mark at this place is that of a part of an archive: at the start
/// of the first one, or at its end with a number.
fn split(source: &Shared, at: u64) -> bool {
    let mut bytes = [0; 6];
    match read_into(&mut source.clone(), at, &mut bytes) {
        Ok(6) => match bytes {
            [b'P', b'K', 7, 8, ..] => true,
            // More disks than can be counted are those of ZIP64.
            [b'P', b'K', 5, 6, low, high] => {
                !matches!(u16::from_le_bytes([low, high]), 0 | u16::MAX)
            }
            _ => false,
        },
        _ => false,
    }
}

/// A member, and its name as it is written if it has another one in Unicode.
fn member(entry: &ZipFileHeaderRecord<'_>) -> (Member, Option<Vec<u8>>) {
    let path = entry.file_path();
    let bytes: &[u8] = path.as_bytes();
    let (mut name, mut raw) = names::text(bytes);
    let mut written = None;
    if raw.is_some()
        && let Some(unicode) = unicode(entry, bytes)
    {
        (name, written) = (unicode, raw.take());
    }
    // Some programs of DOS write names as they are there.
    if is_dos(entry) && raw.is_none() && name.contains('\\') && !name.contains('/') {
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
            MemberKind::Link(None)
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

/// Whether an entry was made on a system that has its names from DOS.
fn is_dos(entry: &ZipFileHeaderRecord<'_>) -> bool {
    let system = entry.version_made_by().creator_system();
    !matches!(system, CreatorSystem::UNIX | CreatorSystem::MACOS)
}

/// The name in Unicode that an entry has beside the one that is written
/// (APPNOTE.TXT, 4.6.9); it counts only for that one.
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

/// How a member of `size` bytes is compressed; none if it is not.
fn codec(record: &Record, size: u64) -> Result<Option<Codec>, String> {
    Ok(Some(match record.method {
        CompressionMethod::STORE => return Ok(None),
        CompressionMethod::DEFLATE => Codec::Deflate,
        CompressionMethod::DEFLATE64 => Codec::Deflate64,
        // The second flag tells of a mark at the end.
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

/// What the header before a member says otherwise than the directory.
fn differences(entry: &ZipEntry<'_, Positional>, record: &Record, name: &[u8]) -> Vec<String> {
    // Room for most names and extra fields; the error tells how much more.
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
            "the header before the member {what}; the directory of the archive counts"
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
        differs(format!("tells another method, {method}"));
    }
    // Sizes may follow the member instead.
    let told = !header.flags().has_data_descriptor();
    let size = header.uncompressed_size_hint();
    if told && size != record.at.uncompressed_size_hint() {
        differs(format!("tells another size, {size} bytes"));
    }
    notes
}
