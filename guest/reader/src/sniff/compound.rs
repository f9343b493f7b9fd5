//! Detection of the content of compound files ([MS-CFB]): documents of office programs before 2007,
//! mails of Outlook and encrypted packages.

use crate::pages::Input;
use omniread_document as document;

/// The first bytes of a compound file ([MS-CFB], 2.2).
pub const SIGNATURE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// The maximum number of sectors of a directory that are read. The entries of the root are near its
/// start.
const SECTORS: usize = 64;

/// The maximum number of entries that are compared.
const ENTRIES: usize = 2048;

/// The number of bytes of an entry of the directory ([MS-CFB], 2.6.1).
const ENTRY: usize = 128;

/// The content of a compound file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A document.
    Document(document::Format),
    /// An encrypted package ([MS-OFFCRYPTO], 2.3.4.4).
    Encrypted,
    /// Anything else.
    Other,
}

/// The names of streams in the root, in lowercase, with the content that they indicate.
const STREAMS: [(&str, Content); 6] = [
    ("encryptedpackage", Content::Encrypted),
    ("worddocument", Content::Document(document::Format::Doc)),
    (
        "powerpoint document",
        Content::Document(document::Format::Ppt),
    ),
    ("workbook", Content::Document(document::Format::Xls)),
    ("book", Content::Document(document::Format::Xls)),
    (
        "__properties_version1.0",
        Content::Document(document::Format::Msg),
    ),
];

/// Detects the content by the names of the streams in the root. `None` if the directory cannot be
/// read.
pub fn content(input: &mut Input<'_>) -> Option<Content> {
    let (directory, complete) = directory(input)?;
    let root = directory.chunks_exact(ENTRY).next()?;
    let mut found = Content::Other;
    let mut pending = vec![number(root, 76)?];
    let mut seen = 0usize;
    while let Some(index) = pending.pop() {
        seen = seen.saturating_add(1);
        if seen > ENTRIES {
            break;
        }
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let Some(entry) = directory.chunks_exact(ENTRY).nth(index) else {
            continue;
        };
        let name = name(entry);
        let known = STREAMS.iter().find(|(known, _)| *known == name);
        match known {
            Some((_, content @ Content::Encrypted)) => return Some(*content),
            Some((_, content)) => found = *content,
            None => {}
        }
        // The siblings of an entry are a binary tree.
        pending.extend(number(entry, 68).into_iter().chain(number(entry, 72)));
    }
    (complete || found != Content::Other).then_some(found)
}

/// Reads the first sectors of the directory. Also returns whether all of it was read.
fn directory(input: &mut Input<'_>) -> Option<(Vec<u8>, bool)> {
    let header = input.head().get(..512)?.to_vec();
    let shift = u32::from(u16::from_le_bytes([*header.get(30)?, *header.get(31)?]));
    let size = match shift {
        9 => 512usize,
        12 => 4096,
        _ => return None,
    };
    let per_sector = u32::try_from(size.checked_div(4)?).ok()?;
    let mut directory = Vec::new();
    let mut sector = number(&header, 48)?;
    for _ in 0..SECTORS {
        let Some(bytes) = read(input, sector, size) else {
            break;
        };
        directory.extend_from_slice(&bytes);
        let place = usize::try_from(sector.checked_div(per_sector)?).ok()?;
        let table = table(input, &header, place, size).and_then(|table| read(input, table, size));
        let Some(table) = table else {
            return Some((directory, false));
        };
        let entry = usize::try_from(sector.checked_rem(per_sector)?).ok()?;
        match number(&table, entry.checked_mul(4)?) {
            Some(next) => sector = next,
            None => return Some((directory, true)),
        }
    }
    (!directory.is_empty()).then_some((directory, false))
}

/// The sector with a part of the table of sectors, by its index. The header lists the first 109 of
/// them, and a chain of sectors lists the others ([MS-CFB], 2.5).
fn table(input: &mut Input<'_>, header: &[u8], index: usize, size: usize) -> Option<u32> {
    const IN_HEADER: usize = 109;
    let Some(mut index) = index.checked_sub(IN_HEADER) else {
        return number(header, index.checked_mul(4)?.checked_add(76)?);
    };
    let per_sector = size.checked_div(4)?.checked_sub(1)?;
    let mut sector = number(header, 68)?;
    for _ in 0..SECTORS {
        let list = read(input, sector, size)?;
        if index < per_sector {
            return number(&list, index.checked_mul(4)?);
        }
        index = index.checked_sub(per_sector)?;
        sector = number(&list, per_sector.checked_mul(4)?)?;
    }
    None
}

/// Reads a sector. `None` if the file ends before it.
fn read(input: &mut Input<'_>, sector: u32, size: usize) -> Option<Vec<u8>> {
    let start = u64::from(sector).checked_add(1)?.checked_mul(size as u64)?;
    let mut bytes = Vec::new();
    while bytes.len() < size {
        let chunk = input.chunk(start.checked_add(bytes.len() as u64)?);
        if chunk.is_empty() {
            return None;
        }
        let missing = size.saturating_sub(bytes.len());
        bytes.extend_from_slice(chunk.get(..missing).unwrap_or(chunk));
    }
    Some(bytes)
}

/// The number at an offset. `None` if it refers to nothing ([MS-CFB], 2.1).
fn number(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*bytes)).filter(|number| *number < 0xFFFF_FFFA)
}

/// The name of an entry in lowercase.
fn name(entry: &[u8]) -> String {
    let units = entry.chunks_exact(2).take(32);
    let units = units.filter_map(|unit| unit.first_chunk::<2>().copied());
    let units = units.map(u16::from_le_bytes).take_while(|unit| *unit != 0);
    let chars = char::decode_utf16(units);
    let name: String = chars
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    name.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Bytes, Source};

    /// A compound file whose root has these streams.
    fn file(streams: &[&str]) -> Vec<u8> {
        let mut header = vec![0u8; 512];
        header[..8].copy_from_slice(SIGNATURE);
        header[30] = 9;
        header[48] = 1;
        for (index, byte) in header[76..].iter_mut().enumerate() {
            *byte = if index < 4 { 0 } else { 0xFF };
        }
        let mut table = vec![0xFF; 512];
        let sectors = streams.len() / 4 + 1;
        for sector in 1..sectors {
            table[sector * 4..][..4]
                .copy_from_slice(&(u32::try_from(sector).unwrap() + 1).to_le_bytes());
        }
        let mut directory = Vec::new();
        let mut add = |name: &str, right: u32, child: u32| {
            let mut entry = vec![0u8; ENTRY];
            for (place, unit) in name.encode_utf16().enumerate() {
                entry[place * 2..][..2].copy_from_slice(&unit.to_le_bytes());
            }
            entry[68..72].fill(0xFF);
            entry[72..76].copy_from_slice(&right.to_le_bytes());
            entry[76..80].copy_from_slice(&child.to_le_bytes());
            directory.extend(entry);
        };
        add("Root Entry", u32::MAX, 1);
        for (index, name) in streams.iter().enumerate() {
            let last = index + 1 == streams.len();
            let right = if last {
                u32::MAX
            } else {
                u32::try_from(index).unwrap() + 2
            };
            add(name, right, u32::MAX);
        }
        directory.resize(sectors * 512, 0);
        [header, table, directory].concat()
    }

    fn detected(bytes: Vec<u8>) -> Option<Content> {
        let size = Some(bytes.len() as u64);
        let mut source = Bytes::new(bytes);
        let mut input = Input::new(&mut source as &mut dyn Source, size).unwrap();
        content(&mut input)
    }

    #[test]
    fn content_is_detected_by_the_streams_of_the_root() {
        for (streams, content) in [
            (
                vec!["WordDocument"],
                Content::Document(document::Format::Doc),
            ),
            (
                vec!["a", "b", "c", "d", "e", "Workbook"],
                Content::Document(document::Format::Xls),
            ),
            (vec!["EncryptedPackage", "Workbook"], Content::Encrypted),
            (vec!["Workbook2"], Content::Other),
        ] {
            assert_eq!(detected(file(&streams)), Some(content), "{streams:?}");
        }
    }

    #[test]
    fn damaged_directory_is_not_read() {
        let whole = file(&["WordDocument"]);
        assert_eq!(detected(whole[..600].to_vec()), None);
        assert_eq!(detected(whole[..1100].to_vec()), None);
        // The entries refer to themselves.
        let mut cycle = file(&["a", "b"]);
        let right = 1024 + ENTRY + 72;
        cycle[right] = 1;
        assert_eq!(detected(cycle), Some(Content::Other));
    }
}
