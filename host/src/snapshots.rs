//! What was shown of which file, and what became of it since.

use crate::bindings::exports::omniread::read::types::Stamp;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

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
    /// SHA-256 of its bytes then, 64 hex digits, where the dialect asked for it.
    pub sha256: Option<String>,
    /// When the last read of it began, in milliseconds since 1970.
    pub read: u64,
}

/// What one read reports of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) path: String,
    pub(crate) tag: Option<String>,
    /// The first and last lines of the spans that were shown.
    pub(crate) shown: Vec<(i64, i64)>,
    pub(crate) size: Option<u64>,
    pub(crate) modified: Option<u64>,
    pub(crate) sha256: Option<String>,
}

/// What became of a file since it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staleness {
    /// It was not read in this session, or so long ago that it is forgotten.
    Unread,
    /// It is as it was.
    Same,
    /// It was written to, but says the same: by its hash, or where that is not
    /// known by the tag of its text.
    Touched,
    /// It says something else.
    Changed,
    /// It is no longer there.
    Gone,
}

impl Staleness {
    /// Whether what was shown of it can no longer be relied on.
    pub fn is_stale(self) -> bool {
        matches!(self, Self::Changed | Self::Gone)
    }
}

/// Milliseconds within which two changes of a file may bear the same time: the
/// coarsest clock of a common filesystem, that of FAT.
const TIME_GRAIN: u64 = 2000;

impl Snapshot {
    /// Whether a change since the read began would bear another time.
    fn settled(&self) -> bool {
        self.modified
            .is_some_and(|modified| modified.saturating_add(TIME_GRAIN) <= self.read)
    }

    /// What became of the file as far as size and time tell; `None` if only
    /// its content does.
    pub(crate) fn by_time(&self, now: &Stamp) -> Option<Staleness> {
        if self.size != Some(now.size) {
            return Some(Staleness::Changed);
        }
        let same_time = self.modified.is_some() && self.modified == now.modified;
        let comparable = self.sha256.is_some() || self.tag.is_some();
        match (same_time, comparable) {
            (true, true) => self.settled().then_some(Staleness::Same),
            (true, false) => Some(Staleness::Same),
            (false, true) => None,
            (false, false) => Some(Staleness::Changed),
        }
    }

    /// What became of the file by its content.
    pub(crate) fn by_content(&self, now: &Stamp) -> Staleness {
        let same = match (&self.sha256, &now.sha256) {
            (Some(then), Some(now)) => then == now,
            _ => self.tag.is_some() && self.tag == now.tag,
        };
        match (same, self.modified == now.modified) {
            (false, _) => Staleness::Changed,
            (true, true) => Staleness::Same,
            (true, false) => Staleness::Touched,
        }
    }
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

    /// Takes a report of a read that began at `began`.
    pub(crate) fn remember(&self, report: Report, began: SystemTime) {
        let mut snapshots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let old = snapshots
            .iter()
            .position(|snapshot| snapshot.path == report.path);
        let mut shown = report.shown;
        let (mut tag, mut sha256) = (report.tag, report.sha256);
        if let Some(old) = old.and_then(|old| snapshots.remove(old)) {
            let equal = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
            let differ =
                |a: &Option<String>, b: &Option<String>| a.is_some() && b.is_some() && a != b;
            let same = equal(&old.tag, &tag) || equal(&old.sha256, &sha256);
            let other = differ(&old.tag, &tag) || differ(&old.sha256, &sha256);
            // The bytes may be others at the same time, unless that has settled.
            if old.size == report.size
                && old.modified == report.modified
                && !other
                && (same || old.settled())
            {
                shown = merged(shown.into_iter().chain(old.shown).collect());
                tag = tag.or(old.tag);
                sha256 = sha256.or(old.sha256);
            }
        }
        let since = began.duration_since(SystemTime::UNIX_EPOCH);
        let read = since.map_or(0, |time| {
            u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
        });
        snapshots.push_back(Snapshot {
            path: report.path,
            tag,
            shown,
            size: report.size,
            modified: report.modified,
            sha256,
            read,
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
    use std::time::Duration;

    /// When the time of a file that was written at the start has settled.
    fn later() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(10)
    }

    fn report(path: &str, tag: &str, first: i64, last: i64) -> Report {
        Report {
            path: path.to_owned(),
            tag: Some(tag.to_owned()),
            shown: vec![(first, last)],
            size: Some(1),
            modified: Some(2),
            sha256: None,
        }
    }

    #[test]
    fn lines_add_up_while_the_file_stays_the_same() {
        let snapshots = Snapshots::default();
        snapshots.remember(report("/a", "0000", 5, 9), later());
        snapshots.remember(report("/a", "0000", 1, 4), later());
        assert_eq!(snapshots.get("/a").unwrap().shown, [(1, 9)]);
        snapshots.remember(report("/a", "1111", 2, 3), later());
        assert_eq!(snapshots.get("/a").unwrap().shown, [(2, 3)]);
    }

    #[test]
    fn what_another_dialect_learned_is_kept() {
        let snapshots = Snapshots::default();
        let hashed = Report {
            tag: None,
            sha256: Some("ab".to_owned()),
            ..report("/a", "", 5, 9)
        };
        snapshots.remember(hashed, later());
        snapshots.remember(report("/a", "0000", 1, 2), later());
        let snapshot = snapshots.get("/a").unwrap();
        assert_eq!(snapshot.shown, [(1, 2), (5, 9)]);
        assert_eq!(snapshot.sha256.as_deref(), Some("ab"));
        assert_eq!(snapshot.tag.as_deref(), Some("0000"));
    }

    #[test]
    fn what_may_be_of_other_bytes_is_not_joined() {
        let snapshots = Snapshots::default();
        let untagged = |first, last| Report {
            tag: None,
            ..report("/a", "", first, last)
        };
        let at_once = SystemTime::UNIX_EPOCH;
        snapshots.remember(untagged(1, 2), at_once);
        snapshots.remember(untagged(5, 6), at_once);
        assert_eq!(snapshots.get("/a").unwrap().shown, [(5, 6)]);
        snapshots.remember(report("/a", "0000", 1, 2), at_once);
        snapshots.remember(report("/a", "0000", 5, 6), at_once);
        assert_eq!(snapshots.get("/a").unwrap().shown, [(1, 2), (5, 6)]);
    }

    #[test]
    fn time_is_believed_once_it_has_settled() {
        let then = |modified, read, tag: Option<&str>| Snapshot {
            path: "/a".to_owned(),
            tag: tag.map(str::to_owned),
            shown: Vec::new(),
            size: Some(1),
            modified: Some(modified),
            sha256: None,
            read,
        };
        let now = |size, modified| Stamp {
            size,
            modified: Some(modified),
            sha256: None,
            tag: Some("0000".to_owned()),
        };
        let tag = Some("0000");
        for (then, now, expected) in [
            (then(0, 9000, tag), now(1, 0), Some(Staleness::Same)),
            (then(8000, 9000, tag), now(1, 8000), None),
            (then(8000, 9000, None), now(1, 8000), Some(Staleness::Same)),
            (then(0, 9000, tag), now(1, 1), None),
            (then(0, 9000, None), now(1, 1), Some(Staleness::Changed)),
            (then(0, 9000, tag), now(2, 0), Some(Staleness::Changed)),
        ] {
            assert_eq!(then.by_time(&now), expected);
        }
        assert_eq!(then(0, 9, tag).by_content(&now(1, 0)), Staleness::Same);
        assert_eq!(then(0, 9, tag).by_content(&now(1, 1)), Staleness::Touched);
        assert_eq!(
            then(0, 9, Some("1111")).by_content(&now(1, 0)),
            Staleness::Changed
        );
    }

    #[test]
    fn the_least_recently_read_goes_first() {
        let snapshots = Snapshots::default();
        for n in 0..SNAPSHOTS {
            snapshots.remember(report(&n.to_string(), "0000", 1, 1), later());
        }
        snapshots.remember(report("0", "0000", 2, 2), later());
        snapshots.remember(report("new", "0000", 1, 1), later());
        assert!(snapshots.get("0").is_some());
        assert!(snapshots.get("1").is_none());
    }
}
