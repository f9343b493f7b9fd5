//! Zip: the directory, the local headers and the decompression of members.

use super::part::{LEFT_OUT, Part};
use crate::limits;
use flate2::{Decompress, FlushDecompress, Status};
use rawzip::Crc32;

/// The fields of a directory entry that are needed to read a part.
pub struct Member {
    /// The name.
    pub name: String,
    /// The position of the local header.
    header: usize,
    /// The compressed size. `None` if only the end of the stream states it.
    packed: Option<usize>,
    /// The size of the content that the directory states. It may be wrong.
    size: Option<usize>,
    method: u16,
    encrypted: bool,
    crc: Option<u32>,
}

/// Lists the members of the central directory.
pub fn directory(bytes: &[u8]) -> Result<Vec<Member>, String> {
    let archive = rawzip::ZipArchive::from_slice(bytes).map_err(|error| error.to_string())?;
    let mut members = Vec::new();
    let mut entries = archive.entries();
    loop {
        match entries.next_entry() {
            Ok(Some(entry)) => {
                if entry.is_dir() || members.len() >= limits::PARTS {
                    continue;
                }
                if entry.file_path().as_bytes().len() > limits::PART_NAME_BYTES {
                    continue;
                }
                let header = usize::try_from(entry.local_header_offset()).unwrap_or(usize::MAX);
                if bytes.get(header..).is_none_or(|at| !at.starts_with(LOCAL)) {
                    return Err("a member is not at its position".to_owned());
                }
                members.push(Member {
                    name: clean_name(entry.file_path().as_bytes()),
                    header,
                    packed: usize::try_from(entry.compressed_size_hint()).ok(),
                    size: usize::try_from(entry.uncompressed_size_hint()).ok(),
                    method: entry.compression_method().as_u16(),
                    encrypted: entry.flags().is_encrypted(),
                    crc: Some(entry.crc32()),
                });
            }
            Ok(None) => return Ok(members),
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// The signature of a local header.
const LOCAL: &[u8] = b"PK\x03\x04";

/// Returns the little-endian number of two bytes at a position.
fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let pair = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(pair.try_into().ok()?))
}

/// Returns the little-endian number of four bytes at a position.
fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

/// Lists the members by their local headers.
pub fn local_headers(bytes: &[u8]) -> Vec<Member> {
    let mut members = Vec::new();
    let mut at = 0_usize;
    while members.len() < limits::PARTS {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(offset) = rest.windows(4).position(|four| four == LOCAL) else {
            break;
        };
        let header = at.saturating_add(offset);
        at = header.saturating_add(4);
        let read = || {
            let fields = bytes.get(header..)?;
            let flags = u16_at(fields, 6)?;
            let name = usize::from(u16_at(fields, 26)?);
            let packed = usize::try_from(u32_at(fields, 18)?).ok()?;
            let known = flags & 8 == 0 && packed != 0xffff_ffff;
            let member = Member {
                name: clean_name(fields.get(30..30_usize.checked_add(name)?)?),
                header,
                packed: known.then_some(packed),
                size: None,
                method: u16_at(fields, 8)?,
                encrypted: flags & 1 != 0,
                crc: None,
            };
            let is_part = !member.name.is_empty() && !member.name.ends_with('/');
            (is_part && name <= limits::PART_NAME_BYTES).then_some(member)
        };
        if let Some(member) = read() {
            let skip = member.packed.unwrap_or_default().saturating_add(30);
            if header.saturating_add(skip) <= bytes.len() {
                at = header.saturating_add(skip);
            }
            members.push(member);
        }
    }
    members
}

/// Returns the name of a part as relationships write it.
fn clean_name(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name).replace('\\', "/");
    name.trim_start_matches('/').to_owned()
}

/// The damage of a member whose bytes are not those that were stored.
const WRONG_SUM: &str = "its checksum is wrong";

/// Reads a member, of which at most `limit` bytes are decompressed with `stream`.
pub fn read(bytes: &[u8], member: &Member, limit: usize, stream: &mut Decompress) -> Part {
    let damaged = |why: &str| Part {
        bytes: Vec::new(),
        damage: Some(why.to_owned()),
    };
    let data = match stored(bytes, member) {
        Ok(data) => data,
        Err(why) => return damaged(why),
    };
    let mut part = match member.method {
        0 => within(data, limit),
        8 => inflate_with(stream, data, member.size, limit),
        method => return damaged(&format!("its compression method {method} is not supported")),
    };
    if part.damage.is_none()
        && let Some(crc) = member.crc
        && rawzip::crc32(&part.bytes) != crc
    {
        part.damage = Some(WRONG_SUM.to_owned());
    }
    part
}

/// The bytes of a member as they are stored. Fails with the reason why they cannot be read.
fn stored<'b>(bytes: &'b [u8], member: &Member) -> Result<&'b [u8], &'static str> {
    if member.encrypted {
        return Err("it is encrypted");
    }
    let start = || {
        let fields = bytes.get(member.header..)?;
        let name = usize::from(u16_at(fields, 26)?);
        let extra = usize::from(u16_at(fields, 28)?);
        fields.get(name.checked_add(extra)?.checked_add(30)?..)
    };
    let data = start().ok_or("its header is damaged")?;
    Ok(match member.packed {
        Some(packed) => data.get(..packed).unwrap_or(data),
        None => data,
    })
}

/// A member that is read in pieces.
pub struct Stream {
    /// The state of the decompression. `None` if the member is not compressed.
    inflate: Option<Decompress>,
    /// The number of stored bytes that are read.
    used: usize,
    /// The checksum of the bytes so far.
    sum: Crc32,
    /// Whether nothing follows.
    pub is_end: bool,
    /// The reason why the member is not complete.
    pub damage: Option<String>,
}

impl Stream {
    /// Starts to read a member. `None` if it is encrypted or compressed in another way.
    pub fn new(member: &Member) -> Option<Self> {
        let is_readable = matches!(member.method, 0 | 8) && !member.encrypted;
        is_readable.then(|| Self {
            inflate: (member.method == 8).then(|| Decompress::new(false)),
            used: 0,
            sum: Crc32::new(),
            is_end: false,
            damage: None,
        })
    }

    /// Reads the next bytes of the member, at least one of them unless it ends.
    pub fn read(&mut self, bytes: &[u8], member: &Member, out: &mut Vec<u8>) {
        let before = out.len();
        self.decompress(bytes, member, out);
        self.sum.update(out.get(before..).unwrap_or_default());
        if self.is_end
            && self.damage.is_none()
            && member.crc.is_some_and(|it| it != self.sum.checksum())
        {
            self.damage = Some(WRONG_SUM.to_owned());
        }
    }

    /// Adds the next bytes of the member to `out`.
    fn decompress(&mut self, bytes: &[u8], member: &Member, out: &mut Vec<u8>) {
        const STEP: usize = 256 * 1024;
        let data = stored(bytes, member).unwrap_or_default();
        let before = out.len();
        while out.len() == before && !self.is_end {
            let rest = data.get(self.used..).unwrap_or_default();
            let Some(inflate) = &mut self.inflate else {
                let next = rest.get(..STEP).unwrap_or(rest);
                out.extend_from_slice(next);
                self.used = self.used.saturating_add(next.len());
                self.is_end = next.len() == rest.len();
                continue;
            };
            out.reserve(STEP);
            let status = inflate.decompress_vec(rest, out, FlushDecompress::None);
            let used = usize::try_from(inflate.total_in()).unwrap_or(usize::MAX);
            let progress = self.used != used || out.len() != before;
            self.used = used;
            let why = match status {
                Ok(Status::StreamEnd) => {
                    self.is_end = true;
                    continue;
                }
                Ok(_) if progress => continue,
                Ok(_) => "its data ends early",
                Err(_) => "its compressed data is damaged",
            };
            self.damage = Some(why.to_owned());
            self.is_end = true;
        }
    }
}

/// A part that is not compressed, of which at most `limit` bytes are read.
pub fn within(data: &[u8], limit: usize) -> Part {
    Part {
        bytes: data.get(..limit).unwrap_or(data).to_vec(),
        damage: (data.len() > limit).then(|| cut(limit)),
    }
}

/// Returns the damage of a part that exceeds a limit.
fn cut(limit: usize) -> String {
    match limit >> 20 {
        // Other parts have used up what may be read.
        0 => format!("the parts of the document are too large, and {LEFT_OUT}"),
        size => format!("it has more than {size} MB, and {LEFT_OUT}"),
    }
}

/// Decompresses a stream, up to its damage or the limit.
pub fn inflate(data: &[u8], limit: usize) -> Part {
    inflate_with(&mut Decompress::new(false), data, None, limit)
}

/// Decompresses a stream with a decompressor, whose tables are not allocated again. `size` is the size of
/// the content if it is known. It may be wrong.
fn inflate_with(stream: &mut Decompress, data: &[u8], size: Option<usize>, limit: usize) -> Part {
    const STEP: usize = 64 * 1024;
    // The fastest loop of the decompressor needs this room after its last byte.
    const MARGIN: usize = 512;
    // Most parts are at most this many times as large as their compressed data. The memory of others grows with what
    // is found, so that a wrong size costs little.
    const USUAL: usize = 16;
    let most = data.len().saturating_mul(USUAL).min(limit);
    let size = size.map_or(STEP, |size| size.min(most).saturating_add(MARGIN));
    stream.reset(false);
    let mut out = Vec::with_capacity(size);
    let mut used = 0_usize;
    let damage = loop {
        if out.len() > limit {
            out.truncate(limit);
            break Some(cut(limit));
        }
        // A vector that doubles would take three times the size of the part for a moment.
        if out.capacity().saturating_sub(out.len()) < MARGIN {
            out.reserve_exact(STEP.max(out.len() / 4));
        }
        let rest = data.get(used..).unwrap_or_default();
        let before = out.len();
        let status = stream.decompress_vec(rest, &mut out, FlushDecompress::None);
        let next = usize::try_from(stream.total_in()).unwrap_or(usize::MAX);
        let progress = next != used || out.len() != before;
        used = next;
        match status {
            Ok(Status::StreamEnd) => break None,
            Ok(_) if progress => {}
            Ok(_) => break Some("its data ends early".to_owned()),
            Err(_) => break Some("its compressed data is damaged".to_owned()),
        }
    };
    let is_cut = out.len() > limit;
    out.truncate(limit);
    // The memory of a part that is kept is counted by its bytes.
    if out.capacity().saturating_sub(out.len()) > STEP {
        out.shrink_to_fit();
    }
    Part {
        bytes: out,
        damage: if is_cut { Some(cut(limit)) } else { damage },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use std::io::Write as _;

    #[test]
    fn wrong_size_in_the_directory_changes_nothing() {
        let content: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&content).unwrap();
        let data = encoder.finish().unwrap();
        let mut stream = Decompress::new(false);
        let sizes = [0, 1, 70_000, content.len(), usize::MAX].map(Some);
        for size in sizes.into_iter().chain([None]) {
            let part = inflate_with(&mut stream, &data, size, content.len());
            assert_eq!((part.bytes.len(), part.damage), (content.len(), None));
            assert!(part.bytes == content, "{size:?}");
            let part = inflate_with(&mut stream, &data, size, 99_999);
            assert!(
                part.bytes == content[..99_999] && part.damage.is_some(),
                "{size:?}"
            );
            let half = &data[..data.len() / 2];
            let part = inflate_with(&mut stream, half, size, content.len());
            assert_eq!(part.damage.as_deref(), Some("its data ends early"));
            assert!(content.starts_with(&part.bytes) && !part.bytes.is_empty());
        }
    }

    #[test]
    fn wrong_size_in_the_directory_takes_no_memory() {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(b"a small part").unwrap();
        let mut data = encoder.finish().unwrap();
        data.resize(1 << 20, 0);
        let part = inflate_with(
            &mut Decompress::new(false),
            &data,
            Some(usize::MAX),
            32 << 20,
        );
        assert_eq!((&*part.bytes, part.damage), (&b"a small part"[..], None));
        assert!(part.bytes.capacity() < 128 * 1024);
    }
}
