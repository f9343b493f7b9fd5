//! The cache of a session: data that the reader keeps between reads, such as the number of
//! lines of the pages of a document.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The maximum size in bytes of an entry, including its key. It is enough for a converted document
/// or the body of a web page.
const ENTRY_BYTES: usize = 8 << 20;

/// The maximum size of all entries of a session in bytes. The least recently used entries are
/// removed first.
const BYTES: usize = 32 << 20;

/// The number of bytes that count for each entry in addition to its value and the two copies of its
/// key. Without them, a million empty entries would count almost nothing.
const OVERHEAD: usize = 256;

/// The cache entries of a session.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    /// The value of each key, and the time of its last use according to `clock`.
    values: HashMap<String, (Vec<u8>, u64)>,
    /// The keys, by the time of their last use according to `clock`.
    used: BTreeMap<u64, String>,
    /// The number of uses of all entries so far, which serves as the time.
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

    /// Returns the value with this key, and marks it as the most recently used one.
    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let mut entries = self.entries();
        let (key, value) = entries.take(key)?;
        let found = value.clone();
        entries.push(key, value);
        Some(found)
    }

    /// Stores a value in place of the previous value of its key. Returns false if the new value is
    /// too large. No value is stored under the key then.
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
    fn least_recently_used_entry_is_removed_first() {
        let cache = Cache::default();
        let value = vec![0; ENTRY_BYTES / 2];
        let count = BYTES / value.len();
        for n in 0..count {
            assert!(cache.put(n.to_string(), value.clone()));
        }
        // The overhead counts too, so the first entry was removed.
        assert!(cache.get("0").is_none());
        assert!(cache.get("1").is_some());
        assert!(cache.put("new".to_owned(), value));
        assert!(cache.get("1").is_some());
        assert!(cache.get("2").is_none());
    }

    #[test]
    fn too_large_entry_is_refused_and_not_cut() {
        let cache = Cache::default();
        assert!(cache.put("a".to_owned(), vec![1]));
        assert!(!cache.put("a".to_owned(), vec![0; ENTRY_BYTES]));
        // The previous value is out of date.
        assert_eq!(cache.get("a"), None);
        assert!(!cache.put("k".repeat(ENTRY_BYTES), Vec::new()));
    }

    #[test]
    fn empty_entries_count_towards_the_limit() {
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
