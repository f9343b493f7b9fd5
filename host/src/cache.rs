//! What readers keep between the reads of a session, such as how many lines the
//! pages of a document have.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of an entry with its key: a converted document, or the body of a web page.
const ENTRY_BYTES: usize = 8 << 20;

/// Bytes of all entries of a session; the least recently used ones go first.
const BYTES: usize = 32 << 20;

/// Bytes that an entry takes apart from its value and two copies of its key: without
/// them, a million empty entries would cost nothing.
const OVERHEAD: usize = 256;

/// The entries of a session.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    /// The values, and when each was used last.
    values: HashMap<String, (Vec<u8>, u64)>,
    /// The keys by the time of their last use.
    used: BTreeMap<u64, String>,
    /// Counts uses.
    clock: u64,
    bytes: usize,
}

fn size(key: &str, value: &[u8]) -> usize {
    key.len()
        .saturating_mul(2)
        .saturating_add(value.len())
        .saturating_add(OVERHEAD)
}

impl Entries {
    fn take(&mut self, key: &str) -> Option<(String, Vec<u8>)> {
        let (key, (value, used)) = self.values.remove_entry(key)?;
        self.used.remove(&used);
        self.bytes = self.bytes.saturating_sub(size(&key, &value));
        Some((key, value))
    }

    fn push(&mut self, key: String, value: Vec<u8>) {
        self.clock += 1;
        self.bytes = self.bytes.saturating_add(size(&key, &value));
        self.used.insert(self.clock, key.clone());
        self.values.insert(key, (value, self.clock));
        while self.bytes > BYTES
            && let Some((_, key)) = self.used.pop_first()
            && let Some((value, _)) = self.values.remove(&key)
        {
            self.bytes = self.bytes.saturating_sub(size(&key, &value));
        }
    }
}

impl Cache {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value under a key, which becomes the most recently used one.
    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let mut entries = self.entries();
        let (key, value) = entries.take(key)?;
        let found = value.clone();
        entries.push(key, value);
        Some(found)
    }

    /// Keeps a value in place of the one that has its key. False if it is too large:
    /// then nothing is kept under the key.
    pub(crate) fn put(&self, key: String, value: Vec<u8>) -> bool {
        let mut entries = self.entries();
        entries.take(&key);
        if size(&key, &value) > ENTRY_BYTES {
            return false;
        }
        entries.push(key, value);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_recently_used_entry_goes_first() {
        let cache = Cache::default();
        let value = vec![0; ENTRY_BYTES / 2];
        let count = BYTES / value.len();
        for n in 0..count {
            assert!(cache.put(n.to_string(), value.clone()));
        }
        // The overhead counts too, so the first one is gone.
        assert!(cache.get("0").is_none());
        assert!(cache.get("1").is_some());
        assert!(cache.put("new".to_owned(), value));
        assert!(cache.get("1").is_some());
        assert!(cache.get("2").is_none());
    }

    #[test]
    fn entry_that_is_too_large_is_refused_and_not_cut() {
        let cache = Cache::default();
        assert!(cache.put("a".to_owned(), vec![1]));
        assert!(!cache.put("a".to_owned(), vec![0; ENTRY_BYTES]));
        // What it would have replaced is out of date.
        assert_eq!(cache.get("a"), None);
        assert!(!cache.put("k".repeat(ENTRY_BYTES), Vec::new()));
    }

    #[test]
    fn empty_entries_count() {
        let cache = Cache::default();
        for n in 0..=BYTES / OVERHEAD {
            cache.put(n.to_string(), Vec::new());
        }
        let entries = cache.entries();
        assert!(entries.bytes <= BYTES);
        assert_eq!(entries.values.len(), entries.used.len());
        drop(entries);
        assert!(cache.get("0").is_none());
    }
}
