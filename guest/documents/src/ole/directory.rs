//! The directory of a compound file: a tree of storages and streams ([MS-CFB] 2.6).

use super::bytes::{u16_at, u32_at};
use super::sectors::Sectors;
use crate::{Error, limits};

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A storage, which contains entries.
    Storage,
    /// A stream of bytes.
    Stream,
}

/// A storage or a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The names of the storages and its own, with `/` between them. A name may begin with a control
    /// character.
    pub path: String,
    /// The kind.
    pub kind: Kind,
    /// The size in bytes that the directory states. 0 for a storage.
    pub size: u64,
    /// The class identifier, as it is stored.
    pub class: [u8; 16],
    /// The first sector.
    pub start: u32,
}

impl Entry {
    /// Returns the name without the storages.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

/// The size of a record.
const RECORD: usize = 128;
/// The number of a record that does not exist.
const NONE: u32 = 0xffff_ffff;

/// A record of the directory.
struct Record {
    name: String,
    /// 1: a storage, 2: a stream, 5: the root.
    kind: u8,
    left: u32,
    right: u32,
    child: u32,
    class: [u8; 16],
    start: u32,
    size: u64,
}

/// Reads the directory, and the small sectors, which belong to the root.
pub fn read(sectors: &mut Sectors, notes: &mut Vec<String>) -> Result<Vec<Entry>, Error> {
    let part = sectors.directory();
    let mut records = parse(&part.bytes);
    let is_lost = !records.iter().any(|record| record.kind == 5);
    if is_lost {
        records = parse(&sectors.lost_directory());
    }
    if !records.iter().any(|it| matches!(it.kind, 1 | 2 | 5)) {
        return Err(Error::Damaged(
            "the directory of the compound file is missing".to_owned(),
        ));
    }
    if part.damage.is_some() || is_lost {
        notes.push("The directory of the compound file is damaged.".to_owned());
    }
    if records.len() >= limits::OLE_ENTRIES {
        notes.push(format!(
            "The compound file has more than {} entries. The others are ignored.",
            limits::OLE_ENTRIES
        ));
    }
    let root = records.iter().position(|record| record.kind == 5);
    if let Some(found) = root.and_then(|root| records.get(root)) {
        sectors.read_small(found.start, found.size);
    }
    Ok(tree(&records, root))
}

fn parse(bytes: &[u8]) -> Vec<Record> {
    let (chunks, _) = bytes.as_chunks::<RECORD>();
    let records = chunks.iter().take(limits::OLE_ENTRIES);
    records.map(|record| parse_record(record)).collect()
}

fn parse_record(record: &[u8]) -> Record {
    let word = |at: usize| u32_at(record, at).unwrap_or(NONE);
    // The length of the name includes the zero at its end.
    let length = usize::from(u16_at(record, 64).unwrap_or(0)).min(64);
    let (units, _) = record.get(..length).unwrap_or_default().as_chunks::<2>();
    let units = units.iter().copied().map(u16::from_le_bytes);
    let name: String = char::decode_utf16(units.take_while(|unit| *unit != 0))
        .map(|found| found.unwrap_or(char::REPLACEMENT_CHARACTER))
        .map(|found| if found == '/' { '_' } else { found })
        .collect();
    let kind = record.get(66).copied().unwrap_or(0);
    let class = record.get(80..).and_then(|it| it.first_chunk::<16>());
    // Version 3 uses 32 bits of the size, and the others are undefined. No stream has more.
    let size = u64::from(u32_at(record, 120).unwrap_or(0));
    Record {
        name,
        kind,
        left: word(68),
        right: word(72),
        child: word(76),
        class: class.copied().unwrap_or_default(),
        start: word(116),
        size,
    }
}

/// Lists the entries of a storage in the order of their tree, and those of its storages after each.
fn tree(records: &[Record], root: Option<usize>) -> Vec<Entry> {
    let mut walk = Walk {
        records,
        seen: vec![false; records.len()],
        entries: Vec::new(),
        path_bytes: 0,
    };
    if let Some(root) = root
        && let Some(record) = records.get(root)
    {
        walk.mark(root);
        walk.storage(record.child);
    }
    // Records that the damaged tree does not reach. Storages come first, and their content is in
    // them.
    for kind in [1, 2] {
        for (index, record) in records.iter().enumerate() {
            if record.kind == kind && walk.mark(index) {
                walk.add(record, None);
                if kind == 1 {
                    let parent = walk.entries.len().checked_sub(1);
                    walk.run(vec![(record.child, parent, 1)]);
                }
            }
        }
    }
    walk.entries
}

/// A walk through the records.
struct Walk<'r> {
    records: &'r [Record],
    /// Whether a record was visited. A damaged tree may contain a record twice.
    seen: Vec<bool>,
    entries: Vec<Entry>,
    /// The bytes of all paths.
    path_bytes: usize,
}

impl Walk<'_> {
    /// Marks a record as visited. Returns whether it was not.
    fn mark(&mut self, index: usize) -> bool {
        self.seen
            .get_mut(index)
            .is_some_and(|seen| !std::mem::replace(seen, true))
    }

    /// Lists the tree of records that begins with a record.
    fn storage(&mut self, first: u32) {
        self.run(vec![(first, None, 0)]);
    }

    /// Lists records: their numbers, the entries of their storages, and their depths.
    fn run(&mut self, mut open: Vec<(u32, Option<usize>, usize)>) {
        while let Some((number, parent, depth)) = open.pop() {
            let index = usize::try_from(number).unwrap_or(usize::MAX);
            let Some(record) = self.records.get(index) else {
                continue;
            };
            if !self.mark(index) {
                continue;
            }
            open.push((record.right, parent, depth));
            open.push((record.left, parent, depth));
            if !matches!(record.kind, 1 | 2) {
                continue;
            }
            let added = self.add(record, parent);
            if record.kind == 1 && added && depth < limits::OLE_DEPTH {
                let own = self.entries.len().checked_sub(1);
                open.push((record.child, own, depth.saturating_add(1)));
            }
        }
    }

    /// Adds an entry. Returns whether there was space for its path.
    fn add(&mut self, record: &Record, parent: Option<usize>) -> bool {
        let storage = parent.and_then(|parent| self.entries.get(parent));
        let path = match storage {
            Some(storage) => format!("{}/{}", storage.path, record.name),
            None => record.name.clone(),
        };
        self.path_bytes = self.path_bytes.saturating_add(path.len());
        if self.path_bytes > limits::OLE_PATHS {
            return false;
        }
        let is_storage = record.kind == 1;
        self.entries.push(Entry {
            path,
            kind: if is_storage {
                Kind::Storage
            } else {
                Kind::Stream
            },
            size: if is_storage { 0 } else { record.size },
            class: record.class,
            start: record.start,
        });
        true
    }
}
