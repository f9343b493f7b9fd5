//! 7z: the directory is at the end, and members are in blocks. A block is decompressed
//! from its start.

use super::bytes::{into_seekable, read_into};
use super::checked::Checked;
use super::format::{Format, damaged};
use super::index::{Index, Member, MemberKind};
use super::links::read_targets;
use super::lookup::{Lookup, Opened};
use super::span::Span;
use crate::containers::inflate::{Codec, Inflated, Machine};
use crate::containers::shared::Shared;
use crate::limits;
use crate::world::{Bytes, FileError, Source, Time};
use sevenz_rust2::{
    Archive, ArchiveEntry, BlockDecoder, Coder, EncoderMethod as Method, Error, NtTime, Password,
};
use std::io::{self, Read, Seek, SeekFrom};

/// The first bytes of a 7z archive.
pub const MAGIC: &[u8] = b"7z\xbc\xaf\x27\x1c";

/// Size in bytes of the header at the start of the archive.
const HEADER: u64 = 32;

/// The bits of the Windows attributes that mark a symbolic link. The upper half contains the Unix
/// mode if the flag 0x8000 is set (p7zip, `FILE_ATTRIBUTE_UNIX_EXTENSION`).
const UNIX_LINK: u32 = (0o120_000 << 16) | 0x8000;

/// A seekable source that implements [`Read`] and [`Seek`].
struct File {
    source: Shared,
    size: u64,
    at: u64,
}

impl Read for File {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = read_into(&mut self.source, self.at, out)?;
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

/// The message for the first volume of an archive, and for one of which the end is missing.
const CUT: &str = "the directory of the archive is not in this file, which is one of several \
    volumes, or incomplete; join all volumes first, as `cat ARCHIVE.7z.* > joined.7z` does";

/// Whether the directory is not in the file. The header states its offset and size
/// (`7zFormat.txt`, `StartHeader`).
fn is_cut(source: &mut dyn Source, size: u64) -> bool {
    let mut header = [0; 16];
    if !matches!(read_into(source, 12, &mut header), Ok(16)) {
        return false;
    }
    let [offset, length] = [header.get(..8), header.get(8..)].map(|bytes| {
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u64::from_le_bytes)
    });
    let end = offset.saturating_add(length).saturating_add(HEADER);
    // Numbers that are far too large are damage.
    end > size && end >> 50 == 0
}

/// Finds a file by one of several possible names, and opens it. `names` is sorted by length,
/// longest first.
///
/// # Errors
/// Fails if the directory cannot be read.
pub fn find_first(
    source: Box<dyn Source>,
    size: Option<u64>,
    names: &[String],
) -> Result<Lookup, FileError> {
    let (mut source, size) = into_seekable(source, size)?;
    if is_empty(&mut *source) {
        return Ok(Lookup::NotFound(Index::default()));
    }
    if is_cut(&mut *source, size) {
        return Err(FileError::Other(CUT.to_owned()));
    }
    let source = Shared::new(source);
    let file = File {
        source: source.clone(),
        size,
        at: 0,
    };
    let mut file = io::BufReader::with_capacity(limits::CHUNK_BYTES, file);
    let archive = Archive::read(&mut file, &Password::empty()).map_err(file_error)?;
    let mut index = Index::default();
    for entry in &archive.files {
        if index.members.len() as u64 >= limits::ARCHIVE_MEMBERS {
            index.cut_at_limit();
            break;
        }
        index.members.push(member(entry));
    }
    let mut open = |place: usize| match open_streamed(&archive, place, source.clone())? {
        Some(source) => Ok(source),
        None => in_memory(&archive, place, &mut file),
    };
    let Some((place, name)) = index.find(names) else {
        // Each link may cost the decompression of a block, so only requested links are
        // read.
        read_targets(&mut index, names, 0, |place, _| open(place).ok());
        return Ok(Lookup::NotFound(index));
    };
    let member = index.members.swap_remove(place);
    let source = match open(place) {
        Ok(source) => source,
        Err(why) => return Ok(Lookup::Unreadable(member, why)),
    };
    let entry = archive.files.get(place).filter(|entry| entry.has_crc);
    let sum = entry.and_then(|entry| u32::try_from(entry.crc).ok());
    Ok(Lookup::Found(Opened {
        source: Box::new(Checked::new(source, &member, sum)),
        member,
        name,
        notes: Vec::new(),
    }))
}

/// Whether the archive has no members. The header of such an archive states zero for the
/// offset, the size and the checksum of the directory.
fn is_empty(source: &mut dyn Source) -> bool {
    let mut header = [0; 32];
    let read = read_into(source, 0, &mut header);
    let (sum, directory) = (header.get(8..12), header.get(12..).unwrap_or_default());
    // A header that was overwritten with zeros has no valid checksum of its own.
    matches!(read, Ok(32))
        && directory.iter().all(|byte| *byte == 0)
        && sum == Some(&rawzip::crc32(directory).to_le_bytes())
}

/// Opens the member with the index `place`, so that it is decompressed while it is read. `None` if
/// its block is not compressed by a simple chain of codecs.
fn open_streamed(
    archive: &Archive,
    place: usize,
    source: Shared,
) -> Result<Option<Box<dyn Source>>, String> {
    let map = &archive.stream_map;
    let Some(at) = map.file_block_index.get(place).copied().flatten() else {
        return Ok(Some(Box::new(Bytes::new(Vec::new()))));
    };
    let damaged = || "its block is not where it should be".to_owned();
    let block = archive.blocks.get(at).ok_or_else(damaged)?;
    let mut codecs = Vec::new();
    let mut coders = 0usize;
    for (index, coder) in block.ordered_coder_iter() {
        coders = coders.saturating_add(1);
        if coder.encoder_method_id() == Method::ID_COPY {
            continue;
        }
        let Some(codec) = codec(coder, block.get_unpack_size_at_index(index))? else {
            return Ok(None);
        };
        codecs.push(codec);
    }
    if coders != block.coders.len() {
        return Ok(None);
    }
    let pack = map.block_first_pack_stream_index().get(at);
    let pack = *pack.ok_or_else(damaged)?;
    let start = map.pack_stream_offsets().get(pack).ok_or_else(damaged)?;
    let start = archive.pack_pos().saturating_add(*start);
    let length = *archive.pack_sizes().get(pack).ok_or_else(damaged)?;
    let packed = Span::new(Box::new(source), start.saturating_add(HEADER), length);
    // The members of a block are stored one after the other.
    let first = *map.block_first_file_index.get(at).ok_or_else(damaged)?;
    let before = archive.files.get(first..place).ok_or_else(damaged)?;
    let start = before
        .iter()
        .fold(0u64, |sum, entry| sum.saturating_add(entry.size));
    let size = archive.files.get(place).map_or(0, |entry| entry.size);
    let source: Box<dyn Source> = if codecs.is_empty() {
        Box::new(packed)
    } else {
        Box::new(Inflated::new(Box::new(packed), codecs))
    };
    Ok(Some(Box::new(Span::new(source, start, size))))
}

/// The codec of `coder`, whose output has `size` bytes. `None` for BCJ2, which has several inputs.
///
/// # Errors
/// Fails if the method is not supported, or if its properties are damaged.
fn codec(coder: &Coder, size: u64) -> Result<Option<Codec>, String> {
    let properties = coder.properties();
    let number = |bytes: &[u8]| match bytes {
        [a, b, c, d, ..] => Some(u32::from_le_bytes([*a, *b, *c, *d])),
        _ => None,
    };
    let codec = match (coder.encoder_method_id(), properties) {
        (Method::ID_LZMA, [first, rest @ ..]) => number(rest).map(|dictionary| Codec::Lzma {
            properties: *first,
            dictionary,
            size,
        }),
        // The dictionary has 2, 3, 4, 6, 8, 12… times 2 KiB.
        (Method::ID_LZMA2, [bits @ 0..40]) => {
            let bits = u32::from(*bits);
            Some(Codec::Lzma2(((2 | (bits & 1)) << 11) << (bits / 2)))
        }
        (Method::ID_PPMD, [order, rest @ ..]) => number(rest).map(|memory| Codec::Ppmd7 {
            order: u32::from(*order),
            memory,
        }),
        (Method::ID_BZIP2, _) => Some(Codec::Bzip2),
        (Method::ID_DEFLATE, _) => Some(Codec::Deflate),
        (Method::ID_DEFLATE64, _) => Some(Codec::Deflate64),
        (Method::ID_ZSTD, _) => Some(Codec::Zstd),
        (Method::ID_DELTA, [distance]) => Some(Codec::Delta(usize::from(*distance) + 1)),
        (Method::ID_BCJ_X86, _) => Some(Codec::Jumps(Machine::X86)),
        (Method::ID_BCJ_PPC, _) => Some(Codec::Jumps(Machine::PowerPc)),
        (Method::ID_BCJ_IA64, _) => Some(Codec::Jumps(Machine::Ia64)),
        (Method::ID_BCJ_ARM, _) => Some(Codec::Jumps(Machine::Arm)),
        (Method::ID_BCJ_ARM64, _) => Some(Codec::Jumps(Machine::Arm64)),
        (Method::ID_BCJ_ARM_THUMB, _) => Some(Codec::Jumps(Machine::Thumb)),
        (Method::ID_BCJ_SPARC, _) => Some(Codec::Jumps(Machine::Sparc)),
        (Method::ID_BCJ_RISCV, _) => Some(Codec::Jumps(Machine::RiscV)),
        (Method::ID_BCJ2, _) => return Ok(None),
        (Method::ID_AES256_SHA256, _) => return Err("it is encrypted".to_owned()),
        (id, _) => {
            let name =
                Method::by_id(id).map_or_else(|| format!("{id:02x?}"), |m| m.name().to_owned());
            return Err(format!("it is compressed by method {name}"));
        }
    };
    codec
        .map(Some)
        .ok_or_else(|| "its properties are damaged".to_owned())
}

/// Decompresses the block of the member with the index `place` up to the end of that member, and
/// returns the member in memory. [`BlockDecoder`] provides the bytes of members only while it runs.
fn in_memory(
    archive: &Archive,
    place: usize,
    file: &mut io::BufReader<File>,
) -> Result<Box<dyn Source>, String> {
    let limit = limits::NESTED_BYTES as u64;
    let map = &archive.stream_map;
    let block = map.file_block_index.get(place).copied().flatten();
    let first = block.and_then(|block| map.block_first_file_index.get(block));
    let (Some(block), Some(first)) = (block, first) else {
        return Ok(Box::new(Bytes::new(Vec::new())));
    };
    let mut next = *first;
    let mut bytes = Vec::new();
    let password = Password::empty();
    let decoder = BlockDecoder::new(1, block, archive, &password, file);
    let outcome = decoder.for_each_entries(&mut |_, reader: &mut dyn Read| {
        let here = next == place;
        next = next.saturating_add(1);
        if here {
            reader
                .take(limit.saturating_add(1))
                .read_to_end(&mut bytes)?;
        } else {
            io::copy(reader, &mut io::sink())?;
        }
        Ok(!here)
    });
    if bytes.len() as u64 > limit {
        let limit = limit >> 20;
        return Err(format!(
            "a member of this kind of block may have {limit} MB at most"
        ));
    }
    match outcome {
        Err(error) if bytes.is_empty() => Err(file_error(error).to_string()),
        _ => Ok(Box::new(Bytes::new(bytes))),
    }
}

fn member(entry: &ArchiveEntry) -> Member {
    // Times are steps of 100 ns since 1601.
    let since = u64::from(entry.last_modified_date)
        .checked_sub(u64::from(NtTime::UNIX_EPOCH))
        .filter(|_| entry.has_last_modified_date);
    Member {
        name: entry.name.clone(),
        raw: None,
        kind: if entry.is_directory {
            MemberKind::Directory
        } else if entry.has_windows_attributes && entry.windows_attributes & UNIX_LINK == UNIX_LINK
        {
            MemberKind::Symlink(None)
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

fn file_error(error: Error) -> FileError {
    match error {
        Error::PasswordRequired | Error::MaybeBadPassword(_) => {
            FileError::Other("it is encrypted".to_owned())
        }
        // `sevenz_rust2` without decryption reports AES as an unsupported method.
        Error::UnsupportedCompressionMethod(method) if method == Method::AES256_SHA256.name() => {
            FileError::Other("it is encrypted".to_owned())
        }
        Error::UnsupportedCompressionMethod(method) => {
            FileError::Other(format!("it is compressed by method {method}"))
        }
        Error::Io(error, _) => damaged(Format::SevenZip, error),
        Error::NextHeaderCrcMismatch => damaged(
            Format::SevenZip,
            "the checksum of its directory does not match",
        ),
        Error::UnsupportedVersion { major, minor } => damaged(
            Format::SevenZip,
            format!("version {major}.{minor} is not known"),
        ),
        // The messages of the other errors contain only numbers from the directory.
        _ => damaged(Format::SevenZip, "its directory is invalid"),
    }
}
