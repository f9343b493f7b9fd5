//! Zip: the directory, the local headers and the decompression of members.

use super::part::Part;
use crate::limits;
use flate2::{Crc, Decompress, FlushDecompress, Status};

/// The fields of a directory entry that are needed to read a part.
pub struct Member {
    /// The name.
    pub name: String,
    /// The position of the local header.
    header: usize,
    /// The compressed size. `None` if only the end of the stream states it.
    packed: Option<usize>,
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

/// Reads a member, of which at most `limit` bytes are decompressed.
pub fn read(bytes: &[u8], member: &Member, limit: usize) -> Part {
    let damaged = |why: &str| Part {
        bytes: Vec::new(),
        damage: Some(why.to_owned()),
    };
    if member.encrypted {
        return damaged("it is encrypted");
    }
    let start = || {
        let fields = bytes.get(member.header..)?;
        let name = usize::from(u16_at(fields, 26)?);
        let extra = usize::from(u16_at(fields, 28)?);
        fields.get(name.checked_add(extra)?.checked_add(30)?..)
    };
    let Some(data) = start() else {
        return damaged("its header is damaged");
    };
    let data = match member.packed {
        Some(packed) => data.get(..packed).unwrap_or(data),
        None => data,
    };
    let mut part = match member.method {
        0 => within(data, limit),
        8 => inflate(data, limit),
        method => return damaged(&format!("its compression method {method} is not supported")),
    };
    if part.damage.is_none()
        && let Some(crc) = member.crc
    {
        let mut sum = Crc::new();
        sum.update(&part.bytes);
        if sum.sum() != crc {
            part.damage = Some("its checksum is wrong".to_owned());
        }
    }
    part
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
        0 => "the parts of the document are too large, and the rest is left out".to_owned(),
        size => format!("it has more than {size} MB, and the rest is left out"),
    }
}

/// Decompresses a stream, up to its damage or the limit.
fn inflate(data: &[u8], limit: usize) -> Part {
    const STEP: usize = 64 * 1024;
    let mut stream = Decompress::new(false);
    let mut out = Vec::new();
    let mut used = 0_usize;
    let damage = loop {
        if out.len() > limit {
            out.truncate(limit);
            break Some(cut(limit));
        }
        // A vector that doubles would take three times the size of the part for a moment.
        if out.capacity().saturating_sub(out.len()) < STEP {
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
    if out.len() > limit {
        out.truncate(limit);
        return Part {
            bytes: out,
            damage: Some(cut(limit)),
        };
    }
    Part { bytes: out, damage }
}
