//! The cross-reference tables and streams of a file (ISO 32000-2, 7.5.4 and 7.5.8).

use super::source::{self, Failure, Source};
use super::syntax::{header, number};
use crate::decode;
use crate::limits;
use hayro_syntax::object::{Array, Dict, FromBytes, ObjectIdentifier, Stream};
use memchr::memmem;
use std::collections::{BTreeMap, BTreeSet};

/// Where an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// At an offset in the file.
    Offset(u64),
    /// In a stream of objects: its number, and the index of the object in it.
    Member(u32, u32),
}

/// The places of all objects.
pub struct Table {
    pub entries: BTreeMap<ObjectIdentifier, Entry>,
    /// The catalog.
    pub root: ObjectIdentifier,
    /// The document information dictionary.
    pub info: Option<ObjectIdentifier>,
    /// The offsets of objects and tables, and the size of the file, in ascending order.
    ends: Vec<u64>,
}

/// The number of bytes at the end of a file in which the offset of the last table is looked for.
const TAIL: u64 = 4096;

/// The number of bytes of a table that are read at first.
const FIRST: u64 = 16 * 1024;

/// The maximum number of tables, as in the library.
const TABLES: usize = 256;

impl Table {
    /// Reads the tables, from the last one to the first.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if a table has errors or the file is encrypted.
    pub fn read(source: &dyn Source) -> Result<Self, Failure> {
        let size = source.size();
        let tail_at = size.saturating_sub(TAIL);
        let tail = source::bytes(source, tail_at, size.saturating_sub(tail_at));
        let tail = tail.map_err(Failure::Io)?;
        let first = start(&tail).ok_or(Failure::Whole)?;
        let mut reader = Reader {
            source,
            entries: BTreeMap::new(),
            trailer: None,
        };
        let mut seen = BTreeSet::new();
        // The next table is the last of the list.
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            if at >= size || !seen.insert(at) || seen.len() > TABLES {
                return Err(Failure::Whole);
            }
            let (hybrid, before) = reader.table(at)?;
            open.extend(before);
            open.extend(hybrid);
        }
        let (root, info) = reader.trailer.ok_or(Failure::Whole)?;
        let offsets = reader.entries.values().filter_map(|entry| match entry {
            Entry::Offset(at) => Some(*at),
            Entry::Member(..) => None,
        });
        let mut ends: Vec<u64> = offsets.chain(seen.iter().copied()).collect();
        ends.push(size);
        ends.sort_unstable();
        ends.dedup();
        Ok(Self {
            entries: reader.entries,
            root,
            info,
            ends,
        })
    }

    /// The end of the object at an offset: where the next one starts.
    pub fn end(&self, at: u64) -> u64 {
        let next = self.ends.partition_point(|end| *end <= at);
        self.ends.get(next).copied().unwrap_or(at)
    }
}

/// The offset of the last table, which the end of a file states.
fn start(tail: &[u8]) -> Option<u64> {
    let at = memmem::rfind(tail, b"startxref")?;
    number(tail.get(at..)?.get("startxref".len()..)?).map(|(number, _)| number)
}

/// Reads tables.
struct Reader<'s> {
    source: &'s dyn Source,
    entries: BTreeMap<ObjectIdentifier, Entry>,
    /// The catalog and the document information dictionary of the last table.
    trailer: Option<(ObjectIdentifier, Option<ObjectIdentifier>)>,
}

/// The offsets of the stream that belongs to a table, and of the table before it.
type Others = (Option<u64>, Option<u64>);

impl Reader<'_> {
    /// Reads the table at an offset.
    fn table(&mut self, at: u64) -> Result<Others, Failure> {
        let rest = self.source.size().saturating_sub(at);
        let mut length = FIRST;
        loop {
            let bytes = source::bytes(self.source, at, length.min(rest)).map_err(Failure::Io)?;
            if let Some(others) = self.parse(&bytes)? {
                return Ok(others);
            }
            if length >= rest || length >= limits::RANGE_TABLE_BYTES {
                return Err(Failure::Whole);
            }
            length = length.saturating_mul(4).min(limits::RANGE_TABLE_BYTES);
        }
    }

    /// Reads a table. `None` if its end is missing.
    fn parse(&mut self, bytes: &[u8]) -> Result<Option<Others>, Failure> {
        let bytes = bytes.trim_ascii_start();
        let mut found = Vec::new();
        let own;
        let dict = if let Some(rest) = bytes.strip_prefix(b"xref") {
            let Some((rows, trailer)) = rows(rest) else {
                return Ok(None);
            };
            found = rows;
            let Some(dict) = Dict::from_bytes(trailer) else {
                return Ok(None);
            };
            own = dict;
            &own
        } else {
            let (_, body) = header(bytes).ok_or(Failure::Whole)?;
            let Some(stream) = Stream::from_bytes(body) else {
                return Ok(None);
            };
            let data = decode::data(&stream, limits::OBJECT_BYTES);
            let data = data.filter(|data| !data.1).ok_or(Failure::Whole)?;
            fields(stream.dict(), &data.0, &mut found).ok_or(Failure::Whole)?;
            own = stream.dict().clone();
            &own
        };
        if dict.contains_key("Encrypt") {
            return Err(Failure::Whole);
        }
        for (id, entry) in found {
            self.entries.entry(id).or_insert(entry);
        }
        if self.entries.len() > limits::RANGE_ENTRIES {
            return Err(Failure::Whole);
        }
        if self.trailer.is_none() {
            let root = dict.get_ref("Root").ok_or(Failure::Whole)?;
            let info = dict.get_ref("Info").map(Into::into);
            self.trailer = Some((root.into(), info));
        }
        let offset = |key: &str| -> Result<Option<u64>, Failure> {
            match dict.get::<i64>(key) {
                Some(at) => u64::try_from(at).map(Some).map_err(|_| Failure::Whole),
                None => Ok(None),
            }
        };
        Ok(Some((offset("XRefStm")?, offset("Prev")?)))
    }
}

type Found = Vec<(ObjectIdentifier, Entry)>;

/// The entries of a table of text, and what is after the word `trailer`. `None` if it has errors, or if its
/// end is missing.
fn rows(bytes: &[u8]) -> Option<(Found, &[u8])> {
    let mut found = Vec::new();
    let mut rest = bytes.trim_ascii_start();
    while rest.first()?.is_ascii_digit() {
        let (first, after) = number(rest)?;
        let (count, after) = number(after)?;
        rest = after.trim_ascii_start();
        for index in 0..count {
            // Each has 20 bytes: ten digits, a space, five digits, a space, a letter and the end of the line.
            let (row, after) = rest.split_at_checked(20)?;
            rest = after;
            let (at, row) = number(row)?;
            let (generation, row) = number(row)?;
            if row.trim_ascii_start().first() == Some(&b'n') {
                let id = u32::try_from(first.checked_add(index)?).ok()?;
                let generation = i32::try_from(generation).ok()?;
                let id = ObjectIdentifier::new(id, generation);
                found.push((id, Entry::Offset(at)));
            }
        }
        rest = rest.trim_ascii_start();
    }
    let trailer = rest.strip_prefix(b"trailer")?;
    Some((found, trailer.trim_ascii_start()))
}

/// The entries of a stream. `None` if it has errors.
fn fields(dict: &Dict<'_>, data: &[u8], found: &mut Found) -> Option<()> {
    let widths = dict.get::<[u8; 3]>("W")?;
    let [kind, second, third] = widths.map(usize::from);
    if kind > 1 || second > 8 || third > 8 {
        return None;
    }
    let size = kind.checked_add(second)?.checked_add(third)?;
    let mut rows = data.chunks_exact(size.max(1));
    let ranges: Vec<(u32, u32)> = match dict.get::<Array<'_>>("Index") {
        Some(list) => list.iter::<(u32, u32)>().collect(),
        None => vec![(0, dict.get::<u32>("Size")?)],
    };
    for (first, count) in ranges {
        for index in 0..count {
            let row = rows.next()?;
            let (type_, row) = row.split_at_checked(kind)?;
            let (second, third) = row.split_at_checked(second)?;
            let (second, third) = (big_endian(second), big_endian(third));
            let number = first.checked_add(index)?;
            let entry = match type_.first().copied().unwrap_or(1) {
                0 => continue,
                1 => {
                    let id = ObjectIdentifier::new(number, i32::try_from(third).ok()?);
                    (id, Entry::Offset(second))
                }
                2 => {
                    let entry =
                        Entry::Member(u32::try_from(second).ok()?, u32::try_from(third).ok()?);
                    (ObjectIdentifier::new(number, 0), entry)
                }
                _ => return None,
            };
            found.push(entry);
        }
    }
    Some(())
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |value, byte| value << 8 | u64::from(*byte))
}
