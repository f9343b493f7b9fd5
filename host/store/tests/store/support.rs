//! Directories for tests, random numbers, and snapshots.

#[cfg(feature = "disk")]
pub(crate) use crate::place::Place;
use omniread_store::{Handle, NewReply, Run, Snapshot, Stamp, Store, StoreLimits};

/// Numbers that depend only on their seed.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end.max(1)
    }

    /// A usize below `end`.
    pub(crate) fn index(&mut self, end: usize) -> usize {
        usize::try_from(self.below(end as u64)).unwrap()
    }
}

pub(crate) fn handle(name: &str) -> Handle {
    Handle::new(name).unwrap()
}

/// A run whose lines are the characters of a text.
pub(crate) fn run(first: i64, text: &str) -> Run {
    Run {
        first,
        lines: text.chars().map(String::from).collect(),
    }
}

pub(crate) fn stamp(modified: i128) -> Stamp {
    Stamp {
        size: 3,
        modified,
        device: 1,
        inode: 2,
    }
}

/// A snapshot with a tag, a hash and one run.
pub(crate) fn snapshot(path: &str, version: u8, first: i64, text: &str) -> Snapshot {
    Snapshot {
        tag: Some(format!("{version:04x}")),
        hash: Some([version; 32]),
        runs: vec![run(first, text)],
        after: Some(stamp(i128::from(version))),
        read: 7,
        ..Snapshot::new(path)
    }
}

/// Runs a test with a store in memory and a store on disk.
pub(crate) fn each(limits: StoreLimits, test: impl Fn(Store)) {
    test(Store::memory(limits));
    #[cfg(feature = "disk")]
    {
        let place = Place::new();
        let opened = Store::open(place.path(), limits).unwrap();
        assert_eq!(opened.set_aside, None);
        test(opened.store);
    }
}

/// Notes a reply of the present generation.
pub(crate) fn note_shown(store: &Store, handle: &Handle, key: &[u8; 32], path: &str) -> bool {
    let reply = NewReply {
        content: [7; 32],
        path,
        generation: store.generation(handle),
    };
    store.note_shown(handle, key, &reply)
}
