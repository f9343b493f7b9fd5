//! The objects of a file that were read.

use super::source::{self, Failure, Source};
use super::syntax::{header, number};
use super::walk::Kind;
use super::xref::{Entry, Table};
use crate::decode;
use crate::limits;
use hayro_syntax::object::{Dict, FromBytes, Object, ObjectIdentifier, Stream};
use std::collections::BTreeMap;
use std::ops::Range;

/// The size of an object from which only its start is read at first.
const SMALL: u64 = 16 * 1024;

/// The number of bytes of a large object that are read at first. They have its dictionary.
const HEAD: u64 = 4096;

/// The number of bytes between two objects from which they are read separately.
const GAP: u64 = 4096;

/// The objects of a file that were read.
pub struct Held {
    pub source: Box<dyn Source>,
    pub table: Table,
    /// The objects, one after the other.
    bytes: Vec<u8>,
    /// Where each object with an offset is in `bytes`.
    objects: BTreeMap<ObjectIdentifier, Place>,
    /// The streams of objects, decompressed.
    members: BTreeMap<u32, Members>,
}

/// Where an object is.
struct Place {
    at: Range<usize>,
    /// Whether the data of its stream are there.
    is_whole: bool,
}

/// The objects in a stream.
struct Members {
    data: Vec<u8>,
    /// The number of each object, and where it is.
    list: Vec<(u32, usize)>,
}

impl Held {
    pub fn new(source: Box<dyn Source>, table: Table) -> Self {
        Self {
            source,
            table,
            bytes: Vec::new(),
            objects: BTreeMap::new(),
            members: BTreeMap::new(),
        }
    }

    /// The number of bytes of all objects.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Forgets all objects.
    pub fn clear(&mut self) {
        self.bytes = Vec::new();
        self.objects = BTreeMap::new();
        self.members = BTreeMap::new();
    }

    /// The bytes of the objects with an offset, one after the other, and where each is.
    pub fn bytes(&self) -> (&[u8], impl Iterator<Item = (ObjectIdentifier, usize)> + '_) {
        let objects = self.objects.iter().map(|(id, place)| (*id, place.at.start));
        (&self.bytes, objects)
    }

    /// Whether a stream of objects was read.
    pub fn has_stream(&self, number: u32) -> bool {
        self.members.contains_key(&number)
    }

    /// An object. `None` if it was not read, or if it does not exist.
    pub fn object(&self, id: ObjectIdentifier) -> Option<Object<'_>> {
        match self.table.entries.get(&id)? {
            Entry::Offset(_) => {
                let bytes = self.bytes.get(self.objects.get(&id)?.at.clone())?;
                Object::from_bytes(header(bytes)?.1)
            }
            Entry::Member(stream, index) => {
                let members = self.members.get(stream)?;
                let (number, at) = members.list.get(usize::try_from(*index).ok()?)?;
                if *number != id.obj_number {
                    return None;
                }
                Object::from_bytes(members.data.get(*at..)?.trim_ascii_start())
            }
        }
    }

    /// An object that is a dictionary.
    pub fn dict(&self, id: ObjectIdentifier) -> Option<Dict<'_>> {
        self.object(id)?.into_dict()
    }

    /// Reads objects, and the streams of objects that they are in. Returns whether any was not there before.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if an object is not where the table says.
    pub fn read(&mut self, ids: &[ObjectIdentifier], kind: Kind) -> Result<bool, Failure> {
        let mut plain = Vec::new();
        let mut streams = Vec::new();
        for id in ids {
            match self.table.entries.get(id) {
                Some(Entry::Offset(_)) => plain.push(*id),
                Some(Entry::Member(stream, _)) if !self.has_stream(*stream) => {
                    streams.push(ObjectIdentifier::new(*stream, 0));
                }
                _ => {}
            }
        }
        streams.sort_unstable();
        streams.dedup();
        let mut changed = self.plain(&plain, |dict| kind.has_data(dict))?;
        changed |= self.plain(&streams, |_| true)?;
        for stream in streams {
            self.decompress(stream)?;
        }
        Ok(changed)
    }

    /// Reads objects with an offset.
    fn plain(
        &mut self,
        ids: &[ObjectIdentifier],
        has_data: impl Fn(&Dict<'_>) -> bool,
    ) -> Result<bool, Failure> {
        let mut wanted: Vec<(Range<u64>, ObjectIdentifier, bool)> = Vec::new();
        let mut heads = Vec::new();
        for id in ids {
            let Some(Entry::Offset(at)) = self.table.entries.get(id).copied() else {
                continue;
            };
            let end = self.table.end(at);
            match self.objects.get(id) {
                Some(place) if place.is_whole => {}
                Some(_) => heads.push((at..end, *id)),
                None if end.saturating_sub(at) <= SMALL => wanted.push((at..end, *id, true)),
                None => {
                    wanted.push((at..at.saturating_add(HEAD), *id, false));
                    heads.push((at..end, *id));
                }
            }
        }
        if wanted.is_empty() && heads.is_empty() {
            return Ok(false);
        }
        let mut changed = self.fetch(wanted)?;
        let mut rest = Vec::new();
        for (range, id) in heads {
            // An object that is large without a stream is read whole.
            let wants = match self.head(id) {
                Some(dict) => has_data(&dict),
                None => true,
            };
            if wants {
                rest.push((range, id, true));
            } else if let Some(place) = self.objects.get(&id)
                && !place.is_whole
            {
                self.end_head(id);
            }
        }
        changed |= self.fetch(rest)?;
        Ok(changed)
    }

    /// The dictionary of a large object with a stream, of which the start was read.
    fn head(&self, id: ObjectIdentifier) -> Option<Dict<'_>> {
        let bytes = self.bytes.get(self.objects.get(&id)?.at.clone())?;
        let (_, body) = header(bytes)?;
        let dict = Dict::from_bytes(body)?;
        let after = body.get(dict_end(body, &dict)?..)?.trim_ascii_start();
        after.starts_with(b"stream").then_some(dict)
    }

    /// Ends the start of an object so that it is a stream without data.
    fn end_head(&mut self, id: ObjectIdentifier) {
        let Some(place) = self.objects.get(&id) else {
            return;
        };
        let bytes = self.bytes.get(place.at.clone()).unwrap_or_default();
        let end = header(bytes).and_then(|(_, body)| {
            let dict = Dict::from_bytes(body)?;
            let start = bytes.len().checked_sub(body.len())?;
            start.checked_add(dict_end(body, &dict)?)
        });
        let Some(end) = end else { return };
        let mut own = bytes.get(..end).unwrap_or_default().to_vec();
        own.extend_from_slice(b"\nstream\n\nendstream\nendobj\n");
        self.add(id, &own, false);
    }

    /// Reads ranges, and keeps the objects in them. Ranges that are near are read at once.
    fn fetch(
        &mut self,
        mut wanted: Vec<(Range<u64>, ObjectIdentifier, bool)>,
    ) -> Result<bool, Failure> {
        wanted.sort_by_key(|one| one.0.start);
        let changed = !wanted.is_empty();
        let near = |last: &(Range<u64>, _, _), next: &(Range<u64>, _, _)| {
            next.0.start <= last.0.end.saturating_add(GAP)
        };
        for group in wanted.chunk_by(near) {
            let start = group.first().map_or(0, |one| one.0.start);
            let end = group.iter().map(|one| one.0.end).max().unwrap_or(start);
            let length = end.saturating_sub(start);
            let held = self.bytes.len() as u64;
            if held.saturating_add(length) > limits::FILE_BYTES as u64 {
                return Err(Failure::Whole);
            }
            let bytes = source::bytes(&*self.source, start, length).map_err(Failure::Io)?;
            for (range, id, is_whole) in group {
                let place =
                    |at: u64| usize::try_from(at.saturating_sub(start)).unwrap_or(usize::MAX);
                let (from, to) = (place(range.start), place(range.end).min(bytes.len()));
                let own = bytes.get(from..to).unwrap_or_default();
                if header(own).is_none_or(|(own, _)| own != *id) {
                    return Err(Failure::Whole);
                }
                self.add(*id, own, *is_whole);
            }
        }
        Ok(changed)
    }

    /// Keeps an object.
    fn add(&mut self, id: ObjectIdentifier, bytes: &[u8], is_whole: bool) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        let at = start..self.bytes.len();
        self.bytes.push(b'\n');
        self.objects.insert(id, Place { at, is_whole });
    }

    /// Decompresses a stream of objects.
    fn decompress(&mut self, id: ObjectIdentifier) -> Result<(), Failure> {
        let members = self.object(id).and_then(|object| {
            let stream = object.into_stream()?;
            let (data, cut) = decode::data(&stream, limits::OBJECT_BYTES)?;
            let list = (!cut).then(|| list(&stream, &data))??;
            Some(Members {
                data: data.into_owned(),
                list,
            })
        });
        let members = members.ok_or(Failure::Whole)?;
        let size: usize = self.members.values().map(|it| it.data.len()).sum();
        if size.saturating_add(members.data.len()) > limits::OBJECT_BYTES {
            return Err(Failure::Whole);
        }
        self.members.insert(id.obj_number, members);
        Ok(())
    }
}

/// The objects in a stream: their numbers, and where they are in its data (ISO 32000-2, 7.5.7).
fn list(stream: &Stream<'_>, data: &[u8]) -> Option<Vec<(u32, usize)>> {
    let count = stream.dict().get::<usize>("N")?;
    let first = stream.dict().get::<usize>("First")?;
    let mut rest = data;
    let mut out = Vec::new();
    for _ in 0..count {
        let (object, after) = number(rest)?;
        let (at, after) = number(after)?;
        rest = after;
        let at = first.checked_add(usize::try_from(at).ok()?)?;
        out.push((u32::try_from(object).ok()?, at));
    }
    Some(out)
}

/// Where a dictionary at the start of bytes ends.
fn dict_end(bytes: &[u8], dict: &Dict<'_>) -> Option<usize> {
    // The data of a dictionary are a part of the bytes, up to and with `>>`.
    let start = (dict.data().as_ptr() as usize).checked_sub(bytes.as_ptr() as usize)?;
    let end = start.checked_add(dict.data().len())?;
    bytes.get(..end)?.ends_with(b">>").then_some(end)
}
