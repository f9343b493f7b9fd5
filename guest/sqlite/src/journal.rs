//! Rollback journals: the original pages of an unfinished transaction.
//!
//! A valid journal next to a database means that a transaction did not finish. The next
//! program that writes would restore the pages. Here the pages replace those of the
//! database in memory, and the file is not changed. The format is defined in "Database
//! File Format", chapter 3, "The Rollback Journal".

use std::collections::BTreeMap;

/// The first bytes of each header in a rollback journal.
const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// The size of the fields of a header in bytes. The rest of the header, up to the end of its
/// sector, is unused.
const HEADER: usize = 28;

/// A function that reads a number of bytes of the journal from an offset. Returns all of these
/// bytes, or `None` if the journal ends before the last of them.
pub type ReadAt<'r> = dyn FnMut(u64, usize) -> Option<Vec<u8>> + 'r;

/// The data to roll back an unfinished transaction.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rollback {
    /// The size of a page of the database in bytes.
    pub page_size: u32,
    /// The number of pages of the database before the transaction.
    pub pages: u32,
    /// The offset in the journal of the original content of each changed page, by page number. Page
    /// numbers start at 1.
    pub originals: BTreeMap<u32, u64>,
}

struct Header {
    /// The number of records (original pages) after the header. `None` if the header does not state
    /// it.
    records: Option<u32>,
    nonce: u32,
    pages: u32,
    sector: u32,
    page_size: u32,
}

/// Reads the original pages from a journal of `size` bytes. Returns `None` if the journal does not
/// belong to an unfinished transaction, or if the transaction has not written to the database yet.
pub fn rollback(size: u64, read: &mut ReadAt<'_>) -> Option<Rollback> {
    let first = header(0, read)?;
    let mut undone = Rollback {
        page_size: first.page_size,
        pages: first.pages,
        originals: BTreeMap::new(),
    };
    let record = u64::from(first.page_size).saturating_add(8);
    let sector = u64::from(first.sector);
    let mut at = 0u64;
    let mut next = Some(first);
    while let Some(header) = next {
        at = at.saturating_add(sector);
        let left = size.saturating_sub(at) / record;
        let records = header.records.map_or(left, u64::from).min(left);
        for _ in 0..records {
            // A torn record at the end means that its page was not written yet.
            let Some(page) = valid(at, &header, undone.page_size, read) else {
                return Some(undone);
            };
            if page <= undone.pages {
                undone.originals.entry(page).or_insert(at.saturating_add(4));
            }
            at = at.saturating_add(record);
        }
        // Each header starts at a sector.
        at = at.div_ceil(sector).saturating_mul(sector);
        next = self::header(at, read).filter(|next| {
            records > 0 && next.sector == header.sector && next.page_size == undone.page_size
        });
    }
    Some(undone).filter(|undone| !undone.originals.is_empty() || undone.pages == 0)
}

/// The name of the super-journal, which is stored at the end of a journal of `size` bytes. `None`
/// if the journal contains no such name. A transaction over several databases has a super-journal,
/// and is committed when that file is deleted.
pub fn super_journal(size: u64, read: &mut ReadAt<'_>) -> Option<String> {
    // The length of the name, its checksum and the magic bytes.
    let end = read(size.checked_sub(16)?, 16)?;
    let long = |at: usize| Some(u32::from_be_bytes(end.get(at..at + 4)?.try_into().ok()?));
    let (length, sum) = (long(0)?, long(4)?);
    if end.get(8..)? != MAGIC || !(1..=4096).contains(&length) {
        return None;
    }
    let at = size.checked_sub(16)?.checked_sub(u64::from(length))?;
    let name = read(at, usize::try_from(length).ok()?)?;
    // SQLite adds the characters as signed numbers.
    let signed = |byte: &u8| i32::from(i8::from_ne_bytes([*byte])).cast_unsigned();
    let added = name.iter().map(signed).fold(0u32, u32::wrapping_add);
    (added == sum).then(|| String::from_utf8_lossy(&name).into_owned())
}

fn header(at: u64, read: &mut ReadAt<'_>) -> Option<Header> {
    let bytes = read(at, HEADER)?;
    let long = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if bytes.get(..8)? != MAGIC {
        return None;
    }
    let header = Header {
        records: Some(long(8)?).filter(|records| *records != u32::MAX),
        nonce: long(12)?,
        pages: long(16)?,
        sector: long(20)?,
        page_size: long(24)?,
    };
    let power = |size: u32, least: u32| size.is_power_of_two() && (least..=65536).contains(&size);
    (power(header.sector, 32) && power(header.page_size, 512)).then_some(header)
}

/// The number of the page whose original content is in the record at the offset `at`. `None` if the
/// checksum of the record is not valid.
fn valid(at: u64, header: &Header, page_size: u32, read: &mut ReadAt<'_>) -> Option<u32> {
    let size = usize::try_from(page_size).ok()?;
    let bytes = read(at, size.checked_add(8)?)?;
    let long = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let page = long(0)?;
    let data = bytes.get(4..size.checked_add(4)?)?;
    // The checksum covers every 200th byte from the end.
    let mut sum = header.nonce;
    let mut place = size.checked_sub(200)?;
    while place > 0 {
        sum = sum.wrapping_add(u32::from(*data.get(place)?));
        place = place.saturating_sub(200);
    }
    (page > 0 && long(size.checked_add(4)?)? == sum).then_some(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal(records: u32, pages: &[(u32, u8)], torn: bool) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for field in [records, 7, 3, 512, 512] {
            bytes.extend_from_slice(&field.to_be_bytes());
        }
        bytes.resize(512, 0);
        for (number, fill) in pages {
            let data = [*fill; 512];
            // The checksum covers the bytes 312 and 112.
            let sum = 7 + 2 * u32::from(*fill);
            bytes.extend_from_slice(&number.to_be_bytes());
            bytes.extend_from_slice(&data);
            bytes.extend_from_slice(&sum.to_be_bytes());
        }
        if torn {
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Rollback> {
        rollback(bytes.len() as u64, &mut |at, length| {
            let at = usize::try_from(at).ok()?;
            bytes.get(at..at + length).map(<[u8]>::to_vec)
        })
    }

    #[test]
    fn original_pages_are_found() {
        let undone = read(&journal(2, &[(1, 5), (3, 9)], false)).unwrap();
        assert_eq!((undone.page_size, undone.pages), (512, 3));
        assert_eq!(undone.originals, BTreeMap::from([(1, 516), (3, 1036)]));
        // Without a stated number of records, all records are read.
        let unknown = read(&journal(u32::MAX, &[(1, 5), (3, 9)], false)).unwrap();
        assert_eq!(unknown.originals.len(), 2);
        // A torn record is ignored.
        let torn = read(&journal(2, &[(1, 5), (3, 9)], true)).unwrap();
        assert_eq!(torn.originals.len(), 1);
    }

    #[test]
    fn super_journal_name_is_read() {
        let name = b"/data/a.db-mj123";
        let sum: u32 = name.iter().map(|byte| u32::from(*byte)).sum();
        let mut bytes = journal(1, &[(1, 5)], false);
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(&16u32.to_be_bytes());
        bytes.extend_from_slice(&sum.to_be_bytes());
        bytes.extend_from_slice(&MAGIC);
        let named = |bytes: &[u8]| {
            super_journal(bytes.len() as u64, &mut |at, length| {
                let at = usize::try_from(at).ok()?;
                bytes.get(at..at + length).map(<[u8]>::to_vec)
            })
        };
        assert_eq!(named(&bytes).as_deref(), Some("/data/a.db-mj123"));
        // The checksum is wrong, or there is no name.
        let place = bytes.len() - 20;
        bytes[place] ^= 1;
        assert_eq!(named(&bytes), None);
        assert_eq!(named(&journal(1, &[(1, 5)], false)), None);
        assert_eq!(named(b""), None);
    }

    #[test]
    fn finished_or_unsynced_journals_are_ignored() {
        // A persistent journal is zeroed after a commit. A journal that was not synced
        // has no pages that reached the database.
        assert_eq!(read(&[0; 1024]), None);
        assert_eq!(read(b""), None);
        assert_eq!(read(&journal(0, &[(1, 5)], false)), None);
    }
}
