//! Bytes of which only parts are known.
//!
//! The reader adds parts, and an engine reads them through a source. No read waits: one of bytes that
//! are not known fails at once, and the reader gets the missing range. The parts are a crate of their
//! own because the host and the portable component both implement the interface `inputs.sparse`.

use std::collections::BTreeMap;

/// The maximum number of known bytes of a read, in all its sparse bytes together. Engines copy them,
/// and have 256 MB or more.
pub const KNOWN_BYTES: usize = 64 << 20;

/// The number of bytes that a part counts in addition to its own, so that many small parts do not
/// take more memory than counted.
const PART_BYTES: usize = 128;

/// The maximum number of bytes that one read returns. An engine requests up to this many.
const READ_BYTES: usize = 1 << 20;

/// The known parts of bytes.
#[derive(Debug)]
pub struct Parts {
    size: u64,
    /// Each part by its offset. No two overlap.
    known: BTreeMap<u64, Vec<u8>>,
    /// The first range that could not be read since the latest call of [`Parts::missing`].
    missing: Option<(u64, u64)>,
}

impl Parts {
    /// Creates bytes of which none is known.
    pub fn new(size: u64) -> Self {
        Self {
            size,
            known: BTreeMap::new(),
            missing: None,
        }
    }

    /// The total number of bytes, known or not.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds a part. `count` gets the memory that the part takes, in bytes, and returns false if that
    /// is too much.
    ///
    /// # Errors
    /// Fails with a message if a byte is known already or is after the end, or if `count` returns
    /// false.
    pub fn add(
        &mut self,
        offset: u64,
        bytes: Vec<u8>,
        count: impl FnOnce(usize) -> bool,
    ) -> Result<(), String> {
        if bytes.is_empty() {
            return Ok(());
        }
        let end = offset.checked_add(bytes.len() as u64);
        let Some(end) = end.filter(|end| *end <= self.size) else {
            return Err("the part ends after the end of the bytes".to_owned());
        };
        if let Some((start, last)) = self.known.range(..end).next_back()
            && start.saturating_add(last.len() as u64) > offset
        {
            return Err("the part has bytes that are known already".to_owned());
        }
        if !count(bytes.len().saturating_add(PART_BYTES)) {
            let limit = KNOWN_BYTES >> 20;
            return Err(format!("more than {limit} MB of the bytes are needed"));
        }
        self.known.insert(offset, bytes);
        Ok(())
    }

    /// Reads up to `length` bytes from `offset`. Returns at least one byte, except at the end.
    ///
    /// # Errors
    /// Fails with a message if the first byte is not known.
    pub fn read(&mut self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        let length = length.min(self.size.saturating_sub(offset));
        if length == 0 {
            return Ok(Vec::new());
        }
        let part = self.known.range(..=offset).next_back();
        let known = part.and_then(|(start, bytes)| {
            let skipped = usize::try_from(offset.checked_sub(*start)?).ok()?;
            bytes.get(skipped..).filter(|known| !known.is_empty())
        });
        if let Some(known) = known {
            let most = usize::try_from(length).map_or(READ_BYTES, |most| most.min(READ_BYTES));
            return Ok(known.get(..most).unwrap_or(known).to_vec());
        }
        self.missing.get_or_insert((offset, length));
        Err(format!("the byte at offset {offset} is not known yet"))
    }

    /// The first range that could not be read since the previous call: its offset and its length.
    pub fn missing(&mut self) -> Option<(u64, u64)> {
        self.missing.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a part of any size.
    fn add(parts: &mut Parts, offset: u64, bytes: Vec<u8>) -> Result<(), String> {
        parts.add(offset, bytes, |_| true)
    }

    #[test]
    fn known_bytes_are_read_and_the_first_missing_range_is_reported_once() {
        let mut parts = Parts::new(100);
        add(&mut parts, 10, (10..20).collect()).unwrap();
        add(&mut parts, 20, (20..30).collect()).unwrap();
        assert_eq!(parts.read(12, 3), Ok(vec![12, 13, 14]));
        // A read ends at the end of a part, and the next one continues in the next part.
        assert_eq!(parts.read(18, 10), Ok(vec![18, 19]));
        assert_eq!(parts.read(20, 1000), Ok((20..30).collect()));
        assert_eq!(parts.missing(), None);
        assert!(parts.read(30, 50).is_err());
        assert!(parts.read(0, 1).is_err());
        assert_eq!(parts.missing(), Some((30, 50)));
        assert_eq!(parts.missing(), None);
        // The missing range ends with the bytes.
        assert!(parts.read(90, u64::MAX).is_err());
        assert_eq!(parts.missing(), Some((90, 10)));
        assert_eq!(parts.read(100, 5), Ok(Vec::new()));
        assert_eq!(parts.read(u64::MAX, 5), Ok(Vec::new()));
        assert_eq!(parts.missing(), None);
    }

    #[test]
    fn part_is_refused_if_it_overlaps_or_is_outside() {
        let mut parts = Parts::new(100);
        add(&mut parts, 10, vec![1; 10]).unwrap();
        for (offset, length) in [(10, 10), (5, 6), (19, 1), (0, 100), (12, 2)] {
            assert!(
                add(&mut parts, offset, vec![2; length]).is_err(),
                "{offset}"
            );
        }
        for (offset, length) in [(91, 10), (100, 1), (u64::MAX, 1)] {
            assert!(
                add(&mut parts, offset, vec![2; length]).is_err(),
                "{offset}"
            );
        }
        add(&mut parts, 20, vec![3; 80]).unwrap();
        add(&mut parts, 0, vec![4; 10]).unwrap();
        assert_eq!(parts.read(9, 1), Ok(vec![4]));
        assert_eq!(parts.read(10, 10), Ok(vec![1; 10]));
    }

    #[test]
    fn part_counts_more_than_its_bytes_and_is_not_added_if_it_is_too_much() {
        let mut parts = Parts::new(100);
        let mut counted = 0;
        let mut count = |bytes| {
            counted = bytes;
            false
        };
        assert!(parts.add(0, vec![1; 10], &mut count).is_err());
        assert!(counted > 10);
        assert!(parts.read(0, 1).is_err());
    }
}
