//! Snapshots: the files and lines that a session showed, and whether the files have changed
//! since.

use crate::types::Stamp;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// The maximum number of files with a snapshot. The least recently read files are removed
/// first.
const SNAPSHOTS: usize = 30;

/// The lines of a file that a session has shown, and the state of the file at its last read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The absolute path.
    pub path: String,
    /// The tag that identifies the shown text for an edit tool. It is in the header of the reply.
    /// `None` if no reply had a tag.
    pub tag: Option<String>,
    /// The ranges of shown lines, in order and without overlap. Each range consists of the numbers
    /// of its first and last line. Negative numbers count from the end of the file.
    pub shown: Vec<(i64, i64)>,
    /// The size on disk in bytes at the last read.
    pub size: Option<u64>,
    /// The modification time of the file at the last read, in milliseconds since 1970.
    pub modified: Option<u64>,
    /// The SHA-256 of the bytes of the file at the last read, as 64 hex digits. `None` if no
    /// dialect (the format of a read tool, such as `omp`) has requested it.
    pub sha256: Option<String>,
    /// The time at which the last read of the file started, in milliseconds since 1970.
    pub read: u64,
}

/// The facts about a file that one read reports for its snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) path: String,
    pub(crate) tag: Option<String>,
    /// The ranges of shown lines. Each range consists of the numbers of its first and last line.
    pub(crate) shown: Vec<(i64, i64)>,
    pub(crate) size: Option<u64>,
    pub(crate) modified: Option<u64>,
    pub(crate) sha256: Option<String>,
}

/// The state of a file, compared with its snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Staleness {
    /// The file was not read in this session, or its snapshot was removed.
    Unread,
    /// The file is unchanged.
    Same,
    /// The file has another modification time, but the same content. The contents are compared by
    /// their SHA-256, or by the tag in the header of the reply if no SHA-256 was recorded.
    Touched,
    /// The content is different.
    Changed,
    /// The file does not exist any more.
    Gone,
}

impl Staleness {
    /// Whether the shown text may be out of date.
    pub fn is_stale(self) -> bool {
        matches!(self, Self::Changed | Self::Gone)
    }
}

/// The time in milliseconds within which two changes of a file may have the same timestamp. FAT
/// has the coarsest clock of the common file systems.
const TIME_GRAIN: u64 = 2000;

impl Snapshot {
    /// Whether the file was last changed so long before the read that any later change has a
    /// different timestamp.
    fn settled(&self) -> bool {
        self.modified
            .is_some_and(|modified| modified.saturating_add(TIME_GRAIN) <= self.read)
    }

    /// Compares the size and modification time of a file with those of the snapshot. `None` if only
    /// the content can decide.
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

    /// Compares the content of a file, by hash or tag, with that of the snapshot.
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

/// The snapshots of a session. The file that was read most recently is the last one.
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

    /// Stores the report of a read that started at `began`.
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
            // The bytes may differ although the time is the same, unless the timestamp has
            // settled.
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

    /// A time so long after 1970 that a change of a file at that time has a different timestamp
    /// than a change in 1970.
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
    fn lines_of_an_unchanged_file_are_merged() {
        let snapshots = Snapshots::default();
        snapshots.remember(report("/a", "0000", 5, 9), later());
        snapshots.remember(report("/a", "0000", 1, 4), later());
        assert_eq!(snapshots.get("/a").unwrap().shown, [(1, 9)]);
        snapshots.remember(report("/a", "1111", 2, 3), later());
        assert_eq!(snapshots.get("/a").unwrap().shown, [(2, 3)]);
    }

    #[test]
    fn tag_and_hash_from_different_dialects_are_merged() {
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
    fn lines_of_possibly_different_bytes_are_not_merged() {
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
    fn timestamp_decides_only_once_it_has_settled() {
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
    fn least_recently_read_file_is_removed_first() {
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
