//! The sectors of a compound file, and the chains of the allocation tables ([MS-CFB] 2.2 to 2.5).

use super::bytes::{MAGIC, u16_at, u32_at};
use crate::Error;
use crate::package::{LEFT_OUT, Part};

/// Numbers from here on are marks, such as the end of a chain, and no sectors.
const MARKS: u32 = 0xffff_fffa;
/// The mark at the end of a chain.
const END: u32 = 0xffff_fffe;
/// The size of the header that contains the first 109 numbers of the table's own sectors.
const HEADER: usize = 512;

/// A file as sectors.
pub struct Sectors {
    bytes: Vec<u8>,
    /// The size of a sector in bytes: 512 or 4096.
    size: usize,
    /// The sector that follows each sector in its chain.
    table: Vec<u32>,
    /// Whether the file ends before parts of the table. Missing entries are then the next sector.
    is_cut: bool,
    /// The size of a small sector in bytes: 64.
    small_size: usize,
    /// The same table for small sectors.
    small_table: Vec<u32>,
    /// The sectors that consist of small sectors.
    small: Part,
    /// The streams of this size and above have their own sectors.
    cutoff: u64,
    /// The first sector of the directory.
    directory: u32,
}

impl Sectors {
    /// Reads the header and the allocation table.
    pub fn read(bytes: Vec<u8>, notes: &mut Vec<String>) -> Result<Self, Error> {
        if !bytes.starts_with(MAGIC) || bytes.len() < HEADER {
            return Err(Error::Damaged("not a compound file".to_owned()));
        }
        let word = |at: usize| u32_at(&bytes, at).unwrap_or(END);
        let version = u16_at(&bytes, 26);
        let size = match u16_at(&bytes, 30) {
            Some(12) => 4096,
            Some(9) => 512,
            _ if version == Some(4) => 4096,
            _ => 512,
        };
        let cutoff = match word(56) {
            0 | END => 4096,
            cutoff => u64::from(cutoff),
        };
        let mut sectors = Self {
            size,
            table: Vec::new(),
            is_cut: false,
            small_size: 64,
            small_table: Vec::new(),
            small: Part::default(),
            cutoff,
            directory: word(48),
            bytes,
        };
        sectors.read_table();
        if sectors.is_cut {
            notes.push(
                "The file is cut: its allocation table is not complete. The streams are taken \
                 as contiguous where it is missing."
                    .to_owned(),
            );
        }
        let small_table = u32_at(&sectors.bytes, 60).unwrap_or(END);
        let part = sectors.chain(small_table, None, usize::MAX);
        sectors.small_table = words(&part.bytes);
        Ok(sectors)
    }

    /// Returns the bytes of the file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The number of sectors of the file. The last may be cut.
    fn count(&self) -> usize {
        let content = self.bytes.len().saturating_sub(self.size.min(HEADER));
        content.div_ceil(self.size)
    }

    /// Returns the bytes of a sector, up to the end of the file.
    fn sector(&self, number: u32) -> Option<&[u8]> {
        if number >= MARKS {
            return None;
        }
        // The header fills the first sector.
        let start = usize::try_from(number)
            .ok()?
            .checked_add(1)?
            .checked_mul(self.size)?;
        let end = start.saturating_add(self.size).min(self.bytes.len());
        self.bytes.get(start..end).filter(|it| !it.is_empty())
    }

    /// Reads the allocation table, whose own sectors are listed in the header and in a chain.
    fn read_table(&mut self) {
        let count = self.count();
        let mut list = words(self.bytes.get(76..HEADER).unwrap_or_default());
        let mut next = u32_at(&self.bytes, 68).unwrap_or(END);
        let mut table = Vec::new();
        let mut lists: usize = 0;
        'lists: loop {
            for number in &list {
                // Entries for sectors after the end of the file have no use.
                if table.len() >= count {
                    break 'lists;
                }
                if *number >= MARKS {
                    continue;
                }
                match self.sector(*number) {
                    Some(sector) => table.extend(words(sector)),
                    None => self.is_cut = true,
                }
            }
            lists = lists.saturating_add(1);
            if lists > count || next >= MARKS {
                break;
            }
            let Some(sector) = self.sector(next) else {
                self.is_cut = true;
                break;
            };
            list = words(sector);
            next = list.pop().unwrap_or(END);
        }
        self.table = table;
    }

    /// Reads the chain of the directory.
    pub fn directory(&self) -> Part {
        self.chain(self.directory, None, usize::MAX)
    }

    /// Looks for the directory without its chain: sectors that begin with the entry of the root.
    pub fn lost_directory(&self) -> Vec<u8> {
        let root: Vec<u8> = "Root Entry\0"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let mut number: u32 = 0;
        while let Some(sector) = self.sector(number) {
            if sector.starts_with(&root) {
                return self.chain(number, None, usize::MAX).bytes;
            }
            number = number.saturating_add(1);
        }
        Vec::new()
    }

    /// Reads the chain that consists of small sectors. It belongs to the root.
    pub fn read_small(&mut self, start: u32, size: u64) {
        self.small = self.chain(start, Some(size), usize::MAX);
    }

    /// Reads a stream up to a limit of bytes.
    pub fn stream(&self, start: u32, size: u64, limit: usize) -> Part {
        if size < self.cutoff {
            self.small_chain(start, size, limit)
        } else {
            self.chain(start, Some(size), limit)
        }
    }

    /// Reads the sectors of a chain. Without a size, it ends with the chain.
    fn chain(&self, start: u32, size: Option<u64>, limit: usize) -> Part {
        let wanted = size.map_or(usize::MAX, |size| {
            usize::try_from(size).unwrap_or(usize::MAX)
        });
        let mut bytes = Vec::new();
        let mut number = start;
        // A chain that is longer than the file has a cycle.
        for _ in 0..self.count() {
            if bytes.len() >= wanted.min(limit) {
                break;
            }
            let Some(sector) = self.sector(number) else {
                break;
            };
            bytes.extend_from_slice(sector);
            let index = usize::try_from(number).unwrap_or(usize::MAX);
            number = match self.table.get(index) {
                Some(next) => *next,
                None if self.is_cut && size.is_some() => number.saturating_add(1),
                None => END,
            };
        }
        let damage = match size {
            None => (number < MARKS).then(|| "its chain of sectors has no end".to_owned()),
            Some(_) => damage(bytes.len(), wanted, limit),
        };
        bytes.truncate(wanted.min(limit));
        Part { bytes, damage }
    }

    /// Reads the small sectors of a chain.
    fn small_chain(&self, start: u32, size: u64, limit: usize) -> Part {
        let wanted = usize::try_from(size).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        let mut number = start;
        while bytes.len() < wanted.min(limit) {
            let at = usize::try_from(number).unwrap_or(usize::MAX);
            let at = at.saturating_mul(self.small_size);
            let all = self.small.bytes.get(at..).unwrap_or_default();
            let sector = all.get(..self.small_size).unwrap_or(all);
            if sector.is_empty() {
                break;
            }
            bytes.extend_from_slice(sector);
            let index = usize::try_from(number).unwrap_or(usize::MAX);
            number = match self.small_table.get(index) {
                Some(next) => *next,
                None if self.is_cut => number.saturating_add(1),
                None => END,
            };
        }
        let damage = damage(bytes.len(), wanted, limit);
        bytes.truncate(wanted.min(limit));
        Part { bytes, damage }
    }
}

/// Returns what is wrong with a stream of which `read` bytes could be read.
fn damage(read: usize, wanted: usize, limit: usize) -> Option<String> {
    if read < wanted.min(limit) {
        Some(format!("only {read} of its {wanted} bytes are in the file"))
    } else if limit < wanted {
        Some(format!("it has more than {limit} bytes, and {LEFT_OUT}"))
    } else {
        None
    }
}

/// Splits bytes into numbers.
fn words(bytes: &[u8]) -> Vec<u32> {
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().copied().map(u32::from_le_bytes).collect()
}
