//! Compound files, the container of the formats before 2007 ([MS-CFB]).
//!
//! ```text
//! mod.rs      streams by their paths
//! bytes       numbers in bytes
//! sectors     the sectors, and the chains of the allocation tables
//! directory   the tree of storages and streams
//! properties  title, author and dates in property sets
//! rc4         encryption of documents before 2007
//! art         drawings and images of Office
//! equation    formulas of the Equation Editor → LaTeX
//! ```
//!
//! ```ignore
//! let mut file = Compound::open(bytes)?;
//! for entry in file.entries() {}                  // path, size, kind, class
//! for entry in file.children("ObjectPool") {}     // what is directly in a storage, "" for the root
//! if let Some(part) = file.stream("WordDocument") // names without case, `/` between storages
//!     { part.bytes; part.damage; }
//! let metadata = properties::read(&mut file);     // with the names of package/metadata.rs
//! ```
//!
//! A damaged stream is returned up to the damage and does not affect the others. If the directory is
//! damaged, the entries that no storage contains are listed in the root. If a file is cut before
//! its allocation table, streams are taken as contiguous.

pub mod art;
mod bytes;
mod directory;
pub mod equation;
pub mod properties;
pub mod rc4;
mod sectors;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;

use crate::package::Part;
use crate::{Error, limits};
pub use bytes::{MAGIC, u16_at, u32_at};
pub use directory::{Entry, Kind};
use sectors::Sectors;
use std::collections::BTreeMap;

/// A compound file.
pub struct Compound {
    sectors: Sectors,
    entries: Vec<Entry>,
    /// Indices into `entries` by path in lowercase.
    by_path: BTreeMap<String, usize>,
    /// The bytes of the streams that are read so far.
    spent: usize,
    notes: Vec<String>,
}

impl Compound {
    /// Reads the allocation tables and the directory.
    ///
    /// # Errors
    /// Fails if the bytes are no compound file, or if the directory cannot be found.
    pub fn open(bytes: Vec<u8>) -> Result<Self, Error> {
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limits::DOCUMENT_BYTES {
            return Err(Error::exhausted("document size"));
        }
        let mut notes = Vec::new();
        let mut sectors = Sectors::read(bytes, &mut notes)?;
        let entries = directory::read(&mut sectors, &mut notes)?;
        let mut by_path = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            by_path.entry(entry.path.to_lowercase()).or_insert(index);
        }
        Ok(Self {
            sectors,
            entries,
            by_path,
            spent: 0,
            notes,
        })
    }

    /// Notes on the file as a whole.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Lists the storages and streams, without the root. A storage is before what it contains.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Lists the entries that are directly in a storage. The path of the root is empty.
    pub fn children<'a>(&'a self, storage: &str) -> impl Iterator<Item = &'a Entry> {
        let mut prefix = storage.to_lowercase();
        if !prefix.is_empty() {
            prefix.push('/');
        }
        let start = self.by_path.range(prefix.clone()..);
        let inside = start.map_while(move |(path, index)| {
            let name = path.strip_prefix(&prefix)?;
            Some((name.contains('/'), *index))
        });
        let direct = inside.filter(|(deeper, _)| !deeper);
        direct.filter_map(|(_, index)| self.entries.get(index))
    }

    /// Returns the storage or stream with the path.
    pub fn find(&self, path: &str) -> Option<&Entry> {
        let index = self.by_path.get(&path.to_lowercase())?;
        self.entries.get(*index)
    }

    /// Returns whether there is a stream with the path.
    pub fn has(&self, path: &str) -> bool {
        self.find(path).is_some_and(|it| it.kind == Kind::Stream)
    }

    /// Returns the bytes of the file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.sectors.into_bytes()
    }

    /// Reads a stream. `None` if there is no such stream.
    pub fn stream(&mut self, path: &str) -> Option<Part> {
        self.stream_within(path, limits::PART_BYTES)
    }

    /// Reads a stream, of which at most `most` bytes are read.
    pub fn stream_within(&mut self, path: &str, most: usize) -> Option<Part> {
        let index = self.by_path.get(&path.to_lowercase())?;
        let entry = self.entries.get(*index)?;
        if entry.kind != Kind::Stream {
            return None;
        }
        let rest = limits::PACKAGE_BYTES.saturating_sub(self.spent);
        let limit = most.min(rest);
        let part = self.sectors.stream(entry.start, entry.size, limit);
        self.spent = self.spent.saturating_add(part.bytes.len());
        Some(part)
    }
}
