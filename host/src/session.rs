//! State that outlives one read: what was shown of which file.

use crate::bindings::omniread::read::session;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Files of which is known what was shown; the least recently read go first.
const SNAPSHOTS: usize = 30;

/// What was shown of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The absolute path.
    pub path: String,
    /// The hashline tag that was shown, if any was.
    pub tag: Option<String>,
    /// The lines that were shown, first and last, in order and without
    /// overlap. Negative ones count from the end.
    pub shown: Vec<(i64, i64)>,
    /// Bytes on disk when it was last read.
    pub size: Option<u64>,
    /// Time of its last change then, in milliseconds since 1970.
    pub modified: Option<u64>,
}

/// The snapshots of a session, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Snapshots(Mutex<VecDeque<Snapshot>>);

impl Snapshots {
    pub(crate) fn get(&self, path: &str) -> Option<Snapshot> {
        let snapshots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        snapshots
            .iter()
            .find(|snapshot| snapshot.path == path)
            .cloned()
    }

    pub(crate) fn remember(&self, report: session::Snapshot) {
        let mut snapshots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let old = snapshots
            .iter()
            .position(|snapshot| snapshot.path == report.path);
        let mut shown: Vec<(i64, i64)> = report
            .shown
            .iter()
            .map(|lines| (lines.first, lines.last))
            .collect();
        if let Some(old) = old.and_then(|old| snapshots.remove(old)) {
            let same =
                old.tag == report.tag && old.size == report.size && old.modified == report.modified;
            if same {
                shown = merged(shown.into_iter().chain(old.shown).collect());
            }
        }
        snapshots.push_back(Snapshot {
            path: report.path,
            tag: report.tag,
            shown,
            size: report.size,
            modified: report.modified,
        });
        if snapshots.len() > SNAPSHOTS {
            snapshots.pop_front();
        }
    }
}

fn merged(mut spans: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    spans.sort_unstable();
    let mut merged: Vec<(i64, i64)> = Vec::with_capacity(spans.len());
    for (first, last) in spans {
        match merged.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(path: &str, tag: &str, first: i64, last: i64) -> session::Snapshot {
        session::Snapshot {
            path: path.to_owned(),
            tag: Some(tag.to_owned()),
            shown: vec![session::Lines { first, last }],
            size: Some(1),
            modified: Some(2),
        }
    }

    #[test]
    fn lines_add_up_while_the_file_stays_the_same() {
        let snapshots = Snapshots::default();
        snapshots.remember(report("/a", "0000", 5, 9));
        snapshots.remember(report("/a", "0000", 1, 4));
        assert_eq!(snapshots.get("/a").unwrap().shown, [(1, 9)]);
        snapshots.remember(report("/a", "1111", 2, 3));
        assert_eq!(snapshots.get("/a").unwrap().shown, [(2, 3)]);
    }

    #[test]
    fn the_least_recently_read_goes_first() {
        let snapshots = Snapshots::default();
        for n in 0..SNAPSHOTS {
            snapshots.remember(report(&n.to_string(), "0000", 1, 1));
        }
        snapshots.remember(report("0", "0000", 2, 2));
        snapshots.remember(report("new", "0000", 1, 1));
        assert!(snapshots.get("0").is_some());
        assert!(snapshots.get("1").is_none());
    }
}
