//! Bytes of which only parts are known, for the import `inputs`.
//!
//! The reader adds parts, and an engine reads them through a source. No read waits: one of bytes
//! that are not known fails at once, and the reader gets the missing range.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of known bytes of a read, in all its sparse bytes together. They are outside
/// of the memory of the sandbox, and are copied to engines that have 256 MB or more.
const KNOWN_BYTES: usize = 64 << 20;

/// The number of bytes that a part counts in addition to its own, so that many small parts do not
/// take more memory than counted.
const PART_BYTES: usize = 128;

/// The maximum number of bytes that one read returns. An engine requests up to this many.
const READ_BYTES: usize = 1 << 20;

/// The number of known bytes of a read, in all its sparse bytes together.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownBytes(Arc<AtomicUsize>);

impl KnownBytes {
    /// Counts more bytes. Returns false, and counts nothing, if there would be too many.
    fn take(&self, bytes: usize) -> bool {
        let counted = |sum: usize| sum.checked_add(bytes).filter(|sum| *sum <= KNOWN_BYTES);
        let order = Ordering::Relaxed;
        self.0.fetch_update(order, order, counted).is_ok()
    }
}

/// Bytes of which only parts are known. Clones share them.
#[derive(Clone, Debug)]
pub struct Sparse(Arc<Mutex<Parts>>);

#[derive(Debug)]
struct Parts {
    size: u64,
    /// The known parts, each by its offset. No two overlap.
    known: BTreeMap<u64, Vec<u8>>,
    /// The first range that could not be read since the latest call of [`Sparse::missing`].
    missing: Option<(u64, u64)>,
    /// The number of bytes that are counted for these parts.
    counted: usize,
    total: KnownBytes,
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.total.0.fetch_sub(self.counted, Ordering::Relaxed);
    }
}

impl Sparse {
    /// Creates bytes of which none is known. `total` counts the known bytes of the read.
    pub(crate) fn new(size: u64, total: KnownBytes) -> Self {
        Self(Arc::new(Mutex::new(Parts {
            size,
            known: BTreeMap::new(),
            missing: None,
            counted: 0,
            total,
        })))
    }

    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The total number of bytes, known or not.
    pub(crate) fn size(&self) -> u64 {
        self.parts().size
    }

    /// Adds a part.
    ///
    /// # Errors
    /// Fails with a message if a byte is known already or is after the end, or if there would be
    /// too many known bytes.
    pub(crate) fn add(&self, offset: u64, bytes: Vec<u8>) -> Result<(), String> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut parts = self.parts();
        let end = offset.checked_add(bytes.len() as u64);
        let Some(end) = end.filter(|end| *end <= parts.size) else {
            return Err("the part ends after the end of the bytes".to_owned());
        };
        if let Some((start, last)) = parts.known.range(..end).next_back()
            && start.saturating_add(last.len() as u64) > offset
        {
            return Err("the part has bytes that are known already".to_owned());
        }
        let counted = bytes.len().saturating_add(PART_BYTES);
        if !parts.total.take(counted) {
            let limit = KNOWN_BYTES >> 20;
            return Err(format!("more than {limit} MB of the bytes are needed"));
        }
        parts.counted = parts.counted.saturating_add(counted);
        parts.known.insert(offset, bytes);
        Ok(())
    }

    /// Reads up to `length` bytes from `offset`. Returns at least one byte, except at the end.
    ///
    /// # Errors
    /// Fails with a message if the first byte is not known.
    pub(crate) fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        let mut parts = self.parts();
        let length = length.min(parts.size.saturating_sub(offset));
        if length == 0 {
            return Ok(Vec::new());
        }
        let part = parts.known.range(..=offset).next_back();
        let known = part.and_then(|(start, bytes)| {
            let skipped = usize::try_from(offset.checked_sub(*start)?).ok()?;
            bytes.get(skipped..).filter(|known| !known.is_empty())
        });
        if let Some(known) = known {
            let most = usize::try_from(length).map_or(READ_BYTES, |most| most.min(READ_BYTES));
            return Ok(known.get(..most).unwrap_or(known).to_vec());
        }
        parts.missing.get_or_insert((offset, length));
        Err(format!("the byte at offset {offset} is not known yet"))
    }

    /// The first range that could not be read since the previous call: its offset and its length.
    pub(crate) fn missing(&self) -> Option<(u64, u64)> {
        self.parts().missing.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_bytes_are_read_and_the_first_missing_range_is_reported_once() {
        let sparse = Sparse::new(100, KnownBytes::default());
        sparse.add(10, (10..20).collect()).unwrap();
        sparse.add(20, (20..30).collect()).unwrap();
        assert_eq!(sparse.read(12, 3), Ok(vec![12, 13, 14]));
        // A read ends at the end of a part, and the next one continues in the next part.
        assert_eq!(sparse.read(18, 10), Ok(vec![18, 19]));
        assert_eq!(sparse.read(20, 1000), Ok((20..30).collect()));
        assert_eq!(sparse.missing(), None);
        assert!(sparse.read(30, 50).is_err());
        assert!(sparse.read(0, 1).is_err());
        assert_eq!(sparse.missing(), Some((30, 50)));
        assert_eq!(sparse.missing(), None);
        // The missing range ends with the bytes.
        assert!(sparse.read(90, u64::MAX).is_err());
        assert_eq!(sparse.missing(), Some((90, 10)));
        assert_eq!(sparse.read(100, 5), Ok(Vec::new()));
        assert_eq!(sparse.read(u64::MAX, 5), Ok(Vec::new()));
        assert_eq!(sparse.missing(), None);
    }

    #[test]
    fn part_is_refused_if_it_overlaps_or_is_outside() {
        let sparse = Sparse::new(100, KnownBytes::default());
        sparse.add(10, vec![1; 10]).unwrap();
        for (offset, length) in [(10, 10), (5, 6), (19, 1), (0, 100), (12, 2)] {
            assert!(sparse.add(offset, vec![2; length]).is_err(), "{offset}");
        }
        for (offset, length) in [(91, 10), (100, 1), (u64::MAX, 1)] {
            assert!(sparse.add(offset, vec![2; length]).is_err(), "{offset}");
        }
        sparse.add(20, vec![3; 80]).unwrap();
        sparse.add(0, vec![4; 10]).unwrap();
        assert_eq!(sparse.read(9, 1), Ok(vec![4]));
        assert_eq!(sparse.read(10, 10), Ok(vec![1; 10]));
    }

    #[test]
    fn known_bytes_of_a_read_are_limited_in_total_until_they_are_freed() {
        let total = KnownBytes::default();
        let (one, two) = (
            Sparse::new(u64::MAX, total.clone()),
            Sparse::new(u64::MAX, total.clone()),
        );
        one.add(0, vec![0; KNOWN_BYTES / 2]).unwrap();
        assert!(two.add(0, vec![0; KNOWN_BYTES / 2]).is_err());
        two.add(0, vec![0; KNOWN_BYTES / 4]).unwrap();
        // A source of the engine keeps the bytes.
        let source = one.clone();
        drop(one);
        assert!(two.add(1 << 30, vec![0; KNOWN_BYTES / 2]).is_err());
        drop(source);
        two.add(1 << 30, vec![0; KNOWN_BYTES / 2]).unwrap();
        drop(two);
        assert_eq!(total.0.load(Ordering::Relaxed), 0);
        // Each part counts more than its bytes.
        let many = Sparse::new(u64::MAX, total);
        let full = (0..1_000_000).find(|offset| many.add(*offset, vec![0]).is_err());
        assert!(full.is_some());
    }
}
