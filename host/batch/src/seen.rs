//! Which paths have a row, or will have one.

use crate::done::{Done, Hashes, Key};
use crate::progress::Progress;
use std::collections::HashSet;
use std::path::Path;

/// The paths of a batch, each with the number of the entry of the list to which it belongs.
///
/// Threads work on several entries at once, so that a path may be found first in a later one. If rows are in order, the
/// earlier entry takes it over, so that the place of its row does not depend on which thread was faster.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The paths to which an earlier run has a row.
    done: Done,
    is_ordered: bool,
    entries: Hashes<u32>,
    /// The paths that were taken over, with the entry that has them no more, until that entry comes to them.
    lost: HashSet<(Key, u32)>,
}

impl Seen {
    pub(crate) fn new(done: Done, is_ordered: bool) -> Self {
        Self {
            done,
            is_ordered,
            ..Self::default()
        }
    }

    /// Gives a path to an entry of the list. Returns false if the entry needs no row for it.
    pub(crate) fn take(&mut self, path: &Path, entry: u32, progress: &Progress) -> bool {
        if self.done.contains(path) {
            Progress::count(&progress.done_before);
            return false;
        }
        let key = Key::of(path);
        let Some(owner) = self.entries.get_mut(&key) else {
            self.entries.insert(key, entry);
            return true;
        };
        Progress::count(&progress.repeated);
        if !self.is_ordered || entry >= *owner {
            return false;
        }
        self.lost.insert((key, *owner));
        *owner = entry;
        true
    }

    /// Whether an entry has lost a path to an earlier one. It asks once.
    pub(crate) fn has_lost(&mut self, path: &Path, entry: u32) -> bool {
        !self.lost.is_empty() && self.lost.remove(&(Key::of(path), entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(is_ordered: bool) -> impl FnMut(&str, u32) -> bool {
        let mut done = Done::default();
        done.insert(Path::new("before"));
        let mut seen = Seen::new(done, is_ordered);
        let progress = Progress::default();
        move |path, entry| {
            let is_taken = seen.take(Path::new(path), entry, &progress);
            assert!(!is_taken || !seen.has_lost(Path::new(path), entry));
            is_taken
        }
    }

    #[test]
    fn path_belongs_to_the_first_entry() {
        let mut take = seen(true);
        assert!(take("a", 2) && !take("a", 2) && !take("a", 3));
        assert!(take("a", 1) && !take("a", 1));
        assert!(take("b", 1) && !take("before", 0));
    }

    #[test]
    fn path_belongs_to_the_first_thread_if_rows_have_no_order() {
        let mut take = seen(false);
        assert!(take("a", 2) && !take("a", 1) && !take("a", 3));
    }

    #[test]
    fn entry_that_has_lost_a_path_learns_it_once() {
        let mut seen = Seen::new(Done::default(), true);
        let progress = Progress::default();
        let path = Path::new("a");
        for entry in [4, 2, 0] {
            assert!(seen.take(path, entry, &progress));
        }
        assert!(seen.has_lost(path, 2) && !seen.has_lost(path, 2));
        assert!(seen.has_lost(path, 4) && !seen.has_lost(path, 0));
        assert_eq!(progress.now().repeated, 2);
    }
}
