//! The paths that have a row.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher, Hash as _, Hasher};
use std::path::Path;

/// A set of paths. It keeps 16 bytes of each, so that ten million need less than half a gigabyte: two hashes of
/// 64 bits. Two paths of a batch of this size have the same ones with a probability of 2⁻⁸².
#[derive(Debug, Default)]
pub struct Done(HashSet<Key, BuildHasherDefault<Low>>);

/// Values of paths.
pub(crate) type Hashes<V> = HashMap<Key, V, BuildHasherDefault<Low>>;

/// Both hashes of a path. As bytes, it needs no gap before or after a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key([u8; 16]);

/// The hasher of values that are hashes.
#[derive(Debug, Default)]
pub(crate) struct Low(u64);

impl Hasher for Low {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(chunk) {
                *to = *from;
            }
            self.0 ^= u64::from_ne_bytes(word);
        }
    }
}

impl Done {
    /// Adds a path. Returns false if it was in the set.
    pub fn insert(&mut self, path: &Path) -> bool {
        self.0.insert(Key::of(path))
    }

    /// Removes a path.
    pub fn remove(&mut self, path: &Path) {
        self.0.remove(&Key::of(path));
    }

    /// Whether a path is in the set.
    pub fn contains(&self, path: &Path) -> bool {
        self.0.contains(&Key::of(path))
    }

    /// The number of paths.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no paths.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Key {
    /// The hashes of a path as it is written: `a` and `./a` differ.
    pub(crate) fn of(path: &Path) -> Self {
        Self::seeded(path, [0, 1])
    }

    /// The hashes of something else with a path.
    pub(crate) fn of_other(path: &Path) -> Self {
        Self::seeded(path, [2, 3])
    }

    fn seeded(path: &Path, seeds: [u8; 2]) -> Self {
        let [first, second] = seeds.map(|seed| {
            let mut hasher = DefaultHasher::new();
            seed.hash(&mut hasher);
            path.as_os_str().as_encoded_bytes().hash(&mut hasher);
            u128::from(hasher.finish())
        });
        Self((first << 64 | second).to_ne_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_as_they_are_written() {
        let mut done = Done::default();
        assert!(done.is_empty());
        assert!(done.insert(Path::new("a/b")));
        assert!(!done.insert(Path::new("a/b")));
        assert!(done.insert(Path::new("./a/b")) && done.insert(Path::new("a//b")));
        assert!(done.contains(Path::new("a//b")) && !done.contains(Path::new("b")));
        done.remove(Path::new("a//b"));
        assert_eq!(done.len(), 2);
    }

    #[test]
    fn hundred_thousand_paths_differ() {
        let mut done = Done::default();
        let paths = || (0..100_000).map(|number| format!("d/{number}"));
        assert!(paths().all(|path| done.insert(Path::new(&path))));
        assert!(paths().all(|path| done.contains(Path::new(&path))));
    }
}
