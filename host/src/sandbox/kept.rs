//! The names in directories, which searches for missing paths keep as long as the directories do not change.
//!
//! A directory that did not change for a while, and whose file system notes the time of each change of its names, has
//! the same names as long as it has the same times. So a search for another missing path looks at the directories, of
//! which there are few, and not at their entries.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum size in bytes of all that is kept. A workspace of a million files takes about 5 MB.
const KEPT_BYTES: usize = 16 << 20;

/// The number of bytes of a directory besides its names.
const DIRECTORY_BYTES: usize = 200;

/// The number of bytes of a name of a subdirectory besides its characters: a pointer, a length, and what an allocation
/// takes at least.
const NAME_BYTES: usize = 48;

/// The maximum number of names of a directory that are kept.
pub const HASHES: usize = KEPT_BYTES / size_of::<u32>();

/// Which directory this is, and the times of its last changes, in seconds and nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub device: (u32, u32),
    pub inode: u64,
    pub status: (i64, u32),
    pub content: (i64, u32),
}

/// The names of the entries of a directory.
#[derive(Debug)]
pub struct Names {
    state: State,
    /// The hashes of all names, sorted.
    hashes: Box<[u32]>,
    /// The names of the subdirectories, in the order of the file system.
    pub folders: Box<[Box<str>]>,
}

impl Names {
    /// Keeps hashes of names, and the names of subdirectories.
    pub fn new(state: State, mut hashes: Vec<u32>, folders: Vec<Box<str>>) -> Self {
        hashes.sort_unstable();
        Self {
            state,
            hashes: hashes.into(),
            folders: folders.into(),
        }
    }

    /// Whether the directory may have an entry with this name. Few others have the same hash.
    pub fn may_have(&self, name: &str) -> bool {
        self.hashes.binary_search(&hash(name.as_bytes())).is_ok()
    }

    fn bytes(&self) -> usize {
        let folders = self.folders.iter().map(|name| name.len() + NAME_BYTES);
        DIRECTORY_BYTES + self.hashes.len() * size_of::<u32>() + folders.sum::<usize>()
    }
}

/// The hash of a name (FNV-1a).
pub fn hash(name: &[u8]) -> u32 {
    name.iter().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// All names that are kept. Every read of the process finds them, because they depend on nothing but the directories,
/// and a search looks only at the directories that it reaches itself.
#[derive(Default)]
struct Kept {
    directories: HashMap<((u32, u32), u64), Arc<Names>>,
    bytes: usize,
}

static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The names of a directory, if it has not changed since they were kept.
pub fn find(state: &State) -> Option<Arc<Names>> {
    let kept = lock();
    let names = kept.as_ref()?.directories.get(&(state.device, state.inode));
    names.filter(|names| names.state == *state).cloned()
}

/// Keeps the names of a directory.
pub fn keep(names: Names) {
    let bytes = names.bytes();
    if bytes > KEPT_BYTES {
        return;
    }
    let mut kept = lock();
    let kept = kept.get_or_insert_default();
    if kept.bytes + bytes > KEPT_BYTES {
        *kept = Kept::default();
    }
    let place = (names.state.device, names.state.inode);
    if let Some(old) = kept.directories.insert(place, Arc::new(names)) {
        kept.bytes -= old.bytes();
    }
    kept.bytes += bytes;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(inode: u64, changed: i64, files: usize) -> Names {
        let state = State {
            device: (u32::MAX, 7),
            inode,
            status: (changed, 0),
            content: (changed, 0),
        };
        let hashes = (0..files).map(|n| hash(format!("{n}").as_bytes()));
        Names::new(state, hashes.collect(), vec!["below".into()])
    }

    #[test]
    fn names_are_found_until_the_directory_changes() {
        let old = names(1, 5, 100);
        let state = old.state;
        keep(old);
        let found = find(&state).unwrap();
        assert!(found.may_have("99") && !found.may_have("100"));
        assert_eq!(&*found.folders[0], "below");
        let changed = names(1, 6, 101);
        assert!(find(&changed.state).is_none());
        let state = changed.state;
        keep(changed);
        assert!(find(&state).unwrap().may_have("100"));
        // What is kept has a limit.
        for inode in 2..10 {
            keep(names(inode, 5, 1 << 20));
        }
        assert!(lock().as_ref().unwrap().bytes <= KEPT_BYTES);
        keep(names(11, 5, KEPT_BYTES));
        assert!(find(&names(11, 5, KEPT_BYTES).state).is_none());
    }
}
