//! The zip family: a directory at the end says where each member lies.
//!
//! Only the directory counts, and of several members of one name the last. What
//! members say of themselves is not asked, except where their bytes start.

use super::span::Span;
use super::{Catalogue, Format, Looked, Member, MemberKind, Opened, asked, damaged, read_into};
use crate::limits;
use crate::sources::inflate::{Compression, Inflated};
use crate::world::{FileError, Source, Time};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use rawzip::{
    CompressionMethod, EntryFlags, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive,
    ZipArchiveEntryWayfinder, ZipFileHeaderRecord, ZipLocator,
};
use std::cell::RefCell;
use std::io;

/// A source as the reader of directories wants it.
struct Positional(RefCell<Box<dyn Source>>);

impl ReaderAt for Positional {
    fn read_at(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        read_into(&mut **self.0.borrow_mut(), offset, out)
    }
}

/// What the directory says of a member beside its name.
struct Record {
    at: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    flags: EntryFlags,
    /// Its name, if that is not UTF-8.
    raw: Option<Vec<u8>>,
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
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let source = Positional(RefCell::new(source));
    let archive = ZipLocator::new()
        .locate_in_reader(source, &mut buffer, size)
        .map_err(|(_, error)| damaged(Format::Zip, error))?;
    let mut catalogue = Catalogue::default();
    let mut records: Vec<Record> = Vec::new();
    let mut spans: Vec<(u64, u64)> = Vec::new();
    let mut entries = archive.entries(&mut buffer);
    loop {
        if catalogue.members.len() as u64 >= limits::ARCHIVE_MEMBERS {
            let words = format!(
                "more than {} members; the rest is left out",
                limits::ARCHIVE_MEMBERS
            );
            catalogue.notes.push(words);
            break;
        }
        let record = match entries.next_entry() {
            Ok(Some(record)) => record,
            Ok(None) => break,
            Err(error) => {
                catalogue
                    .notes
                    .push(damaged(Format::Zip, error).to_string());
                break;
            }
        };
        let (member, raw) = member(&record);
        spans.push((record.local_header_offset(), record.compressed_size_hint()));
        records.push(Record {
            at: record.wayfinder(),
            method: record.compression_method(),
            flags: record.flags(),
            raw,
        });
        catalogue.members.push(member);
    }
    decode(&mut catalogue, &records);
    // Of several of one name the last counts, and a longer name before others.
    let mut found: Option<(usize, &Member, &Record)> = None;
    for (member, record) in catalogue.members.iter().zip(&records) {
        if let Some(name) = asked(member, names)
            && found.is_none_or(|(other, ..)| name <= other)
        {
            found = Some((name, member, record));
        }
    }
    if let Some((name, member, record)) = found {
        return Ok(open(name, member.clone(), record, archive));
    }
    catalogue.notes.extend(overlap(spans));
    let said = archive.entries_hint();
    if said != catalogue.members.len() as u64 {
        let found = catalogue.members.len();
        let words = format!("the directory holds {found} entries, but is said to hold {said}");
        catalogue.notes.push(words);
    }
    Ok(Looked::Missing(catalogue))
}

/// A member, and the bytes of its name if they are not UTF-8.
fn member(record: &ZipFileHeaderRecord<'_>) -> (Member, Option<Vec<u8>>) {
    let path = record.file_path();
    let bytes: &[u8] = path.as_bytes();
    let (name, raw) = match std::str::from_utf8(bytes) {
        Ok(name) => (name.to_owned(), None),
        Err(_) => (
            String::from_utf8_lossy(bytes).into_owned(),
            Some(bytes.to_vec()),
        ),
    };
    let modified = match record.last_modified() {
        rawzip::time::ZipDateTimeKind::Utc(time) => u64::try_from(time.to_unix()).ok(),
        rawzip::time::ZipDateTimeKind::Local(_) => None,
    };
    let member = Member {
        kind: if record.is_dir() {
            MemberKind::Directory
        } else {
            MemberKind::File
        },
        name,
        size: record.uncompressed_size_hint(),
        modified: modified.map(|seconds| Time { seconds, nanos: 0 }),
    };
    (member, raw)
}

/// Names in other encodings, as older programs write them: all of an archive
/// tell together which one it is.
fn decode(catalogue: &mut Catalogue, records: &[Record]) {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut raw = records
        .iter()
        .filter_map(|record| record.raw.as_ref())
        .peekable();
    if raw.peek().is_none() {
        return;
    }
    for name in raw {
        detector.feed(name, false);
        detector.feed(b"\n", false);
    }
    detector.feed(b"", true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    for (member, record) in catalogue.members.iter_mut().zip(records) {
        if let Some(raw) = &record.raw {
            let (name, _) = encoding.decode_without_bom_handling(raw);
            member.name = name.into_owned();
        }
    }
    let name = encoding.name().to_lowercase();
    catalogue.notes.push(format!("names in {name} (guessed)"));
}

fn open(name: usize, member: Member, record: &Record, archive: ZipArchive<Positional>) -> Looked {
    let (flags, method) = (record.flags, record.method);
    if flags.is_encrypted() {
        return Looked::Closed(member, "it is encrypted".to_owned());
    }
    let compression = match method {
        CompressionMethod::STORE => None,
        CompressionMethod::DEFLATE => Some(Compression::Deflate),
        CompressionMethod::DEFLATE64 => Some(Compression::Deflate64),
        // The second flag tells of a mark at the end.
        CompressionMethod::LZMA => Some(Compression::Lzma(
            Some(member.size).filter(|_| flags.bits() & 2 == 0),
        )),
        CompressionMethod::BZIP2 => Some(Compression::Bzip2),
        CompressionMethod::ZSTD | CompressionMethod::ZSTD_DEPRECATED => Some(Compression::Zstd),
        CompressionMethod::XZ => Some(Compression::Xz),
        method => {
            let name = method
                .name()
                .map_or_else(String::new, |name| format!(" ({name})"));
            let words = format!("it is compressed by method {}{name}", method.as_u16());
            return Looked::Closed(member, words);
        }
    };
    let (start, end) = match archive.get_entry(record.at) {
        Ok(entry) => entry.compressed_data_range(),
        Err(error) => return Looked::Closed(member, error.to_string()),
    };
    let source = archive.into_inner().0.into_inner();
    let span = Box::new(Span::new(source, start, end.saturating_sub(start)));
    let source: Box<dyn Source> = match compression {
        None => span,
        Some(compression) => Box::new(Inflated::new(span, compression)),
    };
    Looked::Found(Opened {
        member,
        name,
        source,
    })
}

/// Whether members share bytes, as they do only in archives that are made to
/// grow without end.
fn overlap(mut spans: Vec<(u64, u64)>) -> Option<String> {
    spans.sort_unstable();
    let overlaps = spans.windows(2).any(|pair| match pair {
        [(start, length), (next, _)] => start.saturating_add(*length) > *next,
        _ => false,
    });
    overlaps.then(|| "entries overlap, as in a decompression bomb".to_owned())
}
