//! The index of a pack: the offsets of objects, sorted by their ids.
//!
//! Only the table of the first bytes of ids is read as a whole (1,024 bytes). Ids are hashes, so that the place of
//! one among its neighbours is known to a few percent.

use crate::error::Error;
use crate::files::Files;
use crate::id::{Algorithm, Id};
use crate::limits;
use crate::windows::Windows;

/// An open index.
pub struct Index {
    file: Windows,
    algorithm: Algorithm,
    /// Version 1 has the offset before each id. Version 2 has tables.
    version: u32,
    /// The number of objects whose first byte is at most the place in this list.
    fan_out: Vec<u32>,
    /// The number of objects.
    count: u32,
    /// The offset of the first id.
    ids: u64,
}

impl Index {
    /// Opens an index. `None` if it does not exist.
    pub fn open(
        files: &mut dyn Files,
        path: &str,
        algorithm: Algorithm,
    ) -> Result<Option<Self>, Error> {
        let failed = |error| Error::file(path, error);
        let Some(file) = files.open(path).map_err(failed)? else {
            return Ok(None);
        };
        let damaged = |why: &str| Error::damaged(format_args!("`{path}`"), why);
        let mut file = Windows::new(file, path, limits::INDEX_WINDOW);
        let magic: [u8; 4] = file.exact(0)?;
        let (version, table) = if &magic == b"\xfftOc" {
            (file.number(4)?, 8_u64)
        } else {
            (1, 0)
        };
        if !matches!(version, 1 | 2) {
            let what = format!("version {version} of the format of `{path}`");
            return Err(Error::Unsupported(what));
        }
        let mut fan_out = Vec::with_capacity(256);
        let mut count = 0;
        for place in 0..256_u64 {
            let next = file.number(table.saturating_add(place.saturating_mul(4)))?;
            if next < count {
                return Err(damaged("its first table is not sorted"));
            }
            count = next;
            fan_out.push(next);
        }
        let ids = table.saturating_add(1024);
        // The table of ids, 4 bytes for a checksum (version 2) and 4 for an offset.
        let other: u64 = if version == 1 { 4 } else { 8 };
        let each = other.saturating_add(algorithm.bytes() as u64);
        let least = u64::from(count).saturating_mul(each).saturating_add(ids);
        if least > file.size() {
            return Err(damaged("it ends before the last of its objects"));
        }
        Ok(Some(Self {
            file,
            algorithm,
            version,
            fan_out,
            count,
            ids,
        }))
    }

    /// The offset of an object in the pack. `None` if it is not in it.
    pub fn find(&mut self, id: &Id) -> Result<Option<u64>, Error> {
        let place = self.lower_bound(id)?;
        if place >= self.upper(id.first()) || self.id(place)? != *id {
            return Ok(None);
        }
        self.offset(place).map(Some)
    }

    /// The ids from `first` to `last`, at most `most`.
    pub fn range(&mut self, first: &Id, last: &Id, most: usize) -> Result<Vec<Id>, Error> {
        let mut found = Vec::new();
        let mut place = self.lower_bound(first)?;
        while place < self.count && found.len() < most {
            let id = self.id(place)?;
            if id > *last {
                break;
            }
            found.push(id);
            place = place.saturating_add(1);
        }
        Ok(found)
    }

    /// The place after the last id with a first byte.
    fn upper(&self, first: u8) -> u32 {
        self.fan_out.get(usize::from(first)).copied().unwrap_or(0)
    }

    /// The place of the first id that is not smaller than `id`.
    fn lower_bound(&mut self, id: &Id) -> Result<u32, Error> {
        let first = id.first();
        let mut low = first.checked_sub(1).map_or(0, |before| self.upper(before));
        let mut high = self.upper(first);
        let wanted = second_part(id);
        let (mut least, mut most) = (0_u64, u64::from(u32::MAX));
        let mut guesses = 0_u32;
        while low < high {
            let between = high.saturating_sub(low);
            let middle = low.saturating_add(between / 2);
            // Where the id would be if the ids were spread evenly. They are, unless somebody chose them.
            let part = wanted.saturating_sub(least);
            let all = most.saturating_sub(least).max(1);
            let guess = part.saturating_mul(u64::from(between)).checked_div(all);
            let guess = guess.and_then(|it| u32::try_from(it).ok()).unwrap_or(0);
            let guess = low.saturating_add(guess.min(between.saturating_sub(1)));
            let place = if guesses < 4 { guess } else { middle };
            guesses = guesses.saturating_add(1);
            let here = self.id(place)?;
            if here < *id {
                low = place.saturating_add(1);
                least = second_part(&here).min(wanted);
            } else {
                high = place;
                most = second_part(&here).max(wanted);
            }
        }
        Ok(low)
    }

    /// The id at a place.
    fn id(&mut self, place: u32) -> Result<Id, Error> {
        let place = u64::from(place);
        let bytes = self.algorithm.bytes() as u64;
        let at = match self.version {
            1 => place
                .saturating_mul(bytes.saturating_add(4))
                .saturating_add(4),
            _ => place.saturating_mul(bytes),
        };
        let at = self.ids.saturating_add(at);
        let id = match self.algorithm {
            Algorithm::Sha1 => Id::from_bytes(self.algorithm, &self.file.exact::<20>(at)?),
            Algorithm::Sha256 => Id::from_bytes(self.algorithm, &self.file.exact::<32>(at)?),
        };
        id.ok_or_else(|| Error::damaged(format_args!("`{}`", self.file.path()), "an id is cut"))
    }

    /// The offset of the object at a place.
    fn offset(&mut self, place: u32) -> Result<u64, Error> {
        let place = u64::from(place);
        let (count, bytes) = (u64::from(self.count), self.algorithm.bytes() as u64);
        if self.version == 1 {
            let at = place.saturating_mul(bytes.saturating_add(4));
            return Ok(u64::from(self.file.number(self.ids.saturating_add(at))?));
        }
        let table = |each: u64| self.ids.saturating_add(count.saturating_mul(each));
        let offsets = table(bytes.saturating_add(4));
        let large = table(bytes.saturating_add(8));
        let short = self
            .file
            .number(offsets.saturating_add(place.saturating_mul(4)))?;
        // The highest bit says that the number is a place in the table of offsets with 8 bytes.
        if short & 0x8000_0000 == 0 {
            return Ok(u64::from(short));
        }
        let place = u64::from(short & 0x7fff_ffff);
        let at = large.saturating_add(place.saturating_mul(8));
        Ok(u64::from_be_bytes(self.file.exact(at)?))
    }
}

/// The four bytes after the first one, by which ids with the same first byte are spread.
fn second_part(id: &Id) -> u64 {
    let bytes = id.as_bytes().iter().skip(1).take(4);
    bytes.fold(0, |part, byte| part << 8 | u64::from(*byte))
}
