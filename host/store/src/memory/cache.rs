//! The cache of a store in memory.

use crate::backend::entry_bytes;
use crate::handle::Handle;
use std::collections::{BTreeMap, HashMap};

/// A handle and the key of a value in its cache.
type Key = (Handle, String);

/// The cache of all handles.
#[derive(Debug, Default)]
pub(super) struct Cache {
    /// The value of each key, and the time of its last use according to `clock`.
    values: HashMap<Key, (Vec<u8>, u64)>,
    /// The keys, by the time of their last use according to `clock`.
    used: BTreeMap<u64, Key>,
    /// The number of uses of all entries so far, which serves as the time.
    clock: u64,
    /// The size of all entries, as it counts for the limits.
    pub(super) bytes: u64,
}

impl Cache {
    fn take(&mut self, handle: &Handle, key: &str) -> Option<Vec<u8>> {
        let (value, used) = self.values.remove(&(handle.clone(), key.to_owned()))?;
        self.used.remove(&used);
        self.bytes = self.bytes.saturating_sub(entry_bytes(key, &value));
        Some(value)
    }

    pub(super) fn remove(&mut self, handle: &Handle, key: &str) {
        self.take(handle, key);
    }

    pub(super) fn push(&mut self, handle: &Handle, key: &str, value: Vec<u8>) {
        self.clock += 1;
        self.bytes = self.bytes.saturating_add(entry_bytes(key, &value));
        let key = (handle.clone(), key.to_owned());
        self.used.insert(self.clock, key.clone());
        self.values.insert(key, (value, self.clock));
    }

    pub(super) fn get(&mut self, handle: &Handle, key: &str) -> Option<Vec<u8>> {
        let value = self.take(handle, key)?;
        let found = value.clone();
        self.push(handle, key, value);
        Some(found)
    }

    /// Removes the least recently used entries until at most this many bytes are left.
    pub(super) fn shrink(&mut self, bytes: u64) {
        while self.bytes > bytes
            && let Some((_, key)) = self.used.pop_first()
            && let Some((value, _)) = self.values.remove(&key)
        {
            self.bytes = self.bytes.saturating_sub(entry_bytes(&key.1, &value));
        }
    }

    pub(super) fn clear(&mut self, handle: &Handle) {
        let keys = self.values.keys().filter(|(of, _)| of == handle);
        let keys: Vec<Key> = keys.cloned().collect();
        for (handle, key) in keys {
            self.take(&handle, &key);
        }
    }
}
