//! Which paths have a row, or will have one.

use crate::done::{Done, Hashes, Key};
use crate::progress::Progress;
use crate::settings::Settings;
use std::collections::HashMap;
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
    /// Whether paths of the list that have a row are looked at again: they may be directories with new files.
    is_expanding: bool,
    entries: Hashes<u32>,
    taken_over: HashMap<Key, TakenOver>,
}

/// A path that was taken over.
#[derive(Debug, Default)]
struct TakenOver {
    /// The entries that have it no more.
    lost_by: Vec<u32>,
    /// Whether its row is written.
    is_written: bool,
}

/// What a row is about: a path, or that not all entries of the directory or archive at this path are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About<'p> {
    pub(crate) path: &'p Path,
    pub(crate) is_path: bool,
}

impl About<'_> {
    fn key(self) -> Key {
        if self.is_path {
            Key::of(self.path)
        } else {
            Key::of_other(self.path)
        }
    }
}

impl Seen {
    pub(crate) fn new(done: Done, is_ordered: bool) -> Self {
        Self {
            done,
            is_ordered,
            ..Self::default()
        }
    }

    /// The paths of a batch with these settings.
    pub(crate) fn of(done: Done, settings: &Settings) -> Self {
        Self {
            is_expanding: settings.only_paths && settings.recursive,
            ..Self::new(done, settings.is_ordered)
        }
    }

    /// Whether an earlier run has a row to a path. Counts it then.
    pub(crate) fn is_done(&self, path: &Path, progress: &Progress) -> bool {
        let is_done = self.done.contains(path);
        if is_done {
            Progress::count(&progress.done_before);
        }
        is_done
    }

    /// Gives a row to a path of the list. Returns false if the path needs neither a row nor to be expanded.
    pub(crate) fn accept(&mut self, about: About<'_>, entry: u32, progress: &Progress) -> bool {
        if self.is_expanding {
            self.take_new(about, entry, progress)
        } else {
            self.take(about, entry, progress)
        }
    }

    /// Gives a row to an entry of the list. Returns false if the entry needs none.
    pub(crate) fn take(&mut self, about: About<'_>, entry: u32, progress: &Progress) -> bool {
        let is_done = about.is_path && self.is_done(about.path, progress);
        !is_done && self.take_new(about, entry, progress)
    }

    fn take_new(&mut self, about: About<'_>, entry: u32, progress: &Progress) -> bool {
        let key = about.key();
        let Some(owner) = self.entries.get_mut(&key) else {
            self.entries.insert(key, entry);
            return true;
        };
        if about.is_path {
            Progress::count(&progress.repeated);
        }
        if !self.is_ordered || entry >= *owner {
            return false;
        }
        let taken_over = self.taken_over.entry(key).or_default();
        taken_over.lost_by.push(*owner);
        *owner = entry;
        true
    }

    /// Whether an entry has lost a row to an earlier one.
    pub(crate) fn has_lost(&self, about: About<'_>, entry: u32) -> bool {
        let taken_over = || self.taken_over.get(&about.key());
        !self.taken_over.is_empty() && taken_over().is_some_and(|it| it.lost_by.contains(&entry))
    }

    /// Whether the row of an entry is to be written now. `is_last` says that no rows of earlier entries follow, because the
    /// batch was stopped.
    pub(crate) fn writes(&mut self, about: About<'_>, entry: u32, is_last: bool) -> bool {
        if self.taken_over.is_empty() {
            return true;
        }
        let Some(taken_over) = self.taken_over.get_mut(&about.key()) else {
            return true;
        };
        if taken_over.lost_by.contains(&entry) && (taken_over.is_written || !is_last) {
            return false;
        }
        taken_over.is_written = true;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(path: &str) -> About<'_> {
        About {
            path: Path::new(path),
            is_path: true,
        }
    }

    fn taking(is_ordered: bool) -> impl FnMut(&str, u32) -> bool {
        let mut done = Done::default();
        done.insert(Path::new("before"));
        let mut seen = Seen::new(done, is_ordered);
        let progress = Progress::default();
        move |path, entry| {
            let is_taken = seen.take(about(path), entry, &progress);
            assert!(!is_taken || !seen.has_lost(about(path), entry));
            is_taken
        }
    }

    #[test]
    fn path_belongs_to_the_first_entry() {
        let mut take = taking(true);
        assert!(take("a", 2) && !take("a", 2) && !take("a", 3));
        assert!(take("a", 1) && !take("a", 1));
        assert!(take("b", 1) && !take("before", 0));
    }

    #[test]
    fn path_belongs_to_the_first_thread_if_rows_have_no_order() {
        let mut take = taking(false);
        assert!(take("a", 2) && !take("a", 1) && !take("a", 3));
    }

    #[test]
    fn rows_of_entries_that_have_lost_them_are_not_written() {
        let mut seen = Seen::new(Done::default(), true);
        let progress = Progress::default();
        for entry in [4, 2, 0] {
            assert!(seen.take(about("a"), entry, &progress));
        }
        assert!(seen.has_lost(about("a"), 2) && seen.has_lost(about("a"), 4));
        assert!(!seen.has_lost(about("a"), 0) && !seen.has_lost(about("b"), 2));
        assert!(!seen.writes(about("a"), 4, false) && seen.writes(about("b"), 4, false));
        assert!(seen.writes(about("a"), 0, false) && !seen.writes(about("a"), 2, true));
        assert_eq!(progress.now().repeated, 2);
    }

    #[test]
    fn row_of_a_stopped_batch_is_written_if_no_earlier_one_is() {
        let mut seen = Seen::new(Done::default(), true);
        let progress = Progress::default();
        for entry in [4, 2, 0] {
            seen.take(about("a"), entry, &progress);
        }
        assert!(seen.writes(about("a"), 2, true) && !seen.writes(about("a"), 4, true));
    }

    #[test]
    fn row_about_entries_that_are_not_known_is_not_that_of_the_path() {
        let mut seen = Seen::new(Done::default(), true);
        let progress = Progress::default();
        let incomplete = About {
            is_path: false,
            ..about("a.tar")
        };
        assert!(seen.take(about("a.tar"), 1, &progress) && seen.take(incomplete, 1, &progress));
        assert!(seen.take(about("a.tar"), 0, &progress) && seen.take(incomplete, 0, &progress));
        assert!(!seen.writes(incomplete, 1, false) && seen.writes(incomplete, 0, false));
        assert_eq!(progress.now().repeated, 1);
    }
}
