//! Bytes of which only parts are known, for the import `inputs`.

use omniread_sparse::{KNOWN_BYTES, Parts};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The memory of the known bytes of a read, in all its sparse bytes together. It is outside of the
/// memory of the sandbox.
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
pub struct Sparse(Arc<Mutex<Counted>>);

/// Parts, and the memory that is counted for them.
#[derive(Debug)]
struct Counted {
    parts: Parts,
    bytes: usize,
    total: KnownBytes,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.total.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Sparse {
    /// Creates bytes of which none is known. `total` counts the known bytes of the read.
    pub(crate) fn new(size: u64, total: KnownBytes) -> Self {
        Self(Arc::new(Mutex::new(Counted {
            parts: Parts::new(size),
            bytes: 0,
            total,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The total number of bytes, known or not.
    pub(crate) fn size(&self) -> u64 {
        self.lock().parts.size()
    }

    /// Adds a part.
    ///
    /// # Errors
    /// Fails as [`Parts::add`], if the known bytes of the read would be too many.
    pub(crate) fn add(&self, offset: u64, bytes: Vec<u8>) -> Result<(), String> {
        let mut locked = self.lock();
        let counted = &mut *locked;
        counted.parts.add(offset, bytes, |more| {
            let is_counted = counted.total.take(more);
            if is_counted {
                counted.bytes = counted.bytes.saturating_add(more);
            }
            is_counted
        })
    }

    /// Reads up to `length` bytes from `offset`. Returns at least one byte, except at the end.
    ///
    /// # Errors
    /// Fails as [`Parts::read`].
    pub(crate) fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        self.lock().parts.read(offset, length)
    }

    /// The first range that could not be read since the previous call: its offset and its length.
    pub(crate) fn missing(&self) -> Option<(u64, u64)> {
        self.lock().parts.missing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
