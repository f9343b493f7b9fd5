//! Snapshots: the files and lines that a session showed, and whether the files have changed
//! since.

use crate::aligned::Identity;
use crate::bindings::omniread::parts::session as wit;
use crate::sandbox::Examined;
use crate::types::Stamp as FileStamp;
use omniread_store::{self as store, Origin, Run, Stamp, Window};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::time::SystemTime;

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
    /// The text of these ranges as it was shown, without numbers. The store of a session may have left
    /// text out.
    pub text: Vec<String>,
    /// The size on disk in bytes at the last read.
    pub size: Option<u64>,
    /// The modification time of the file at the last read, in milliseconds since 1970.
    pub modified: Option<u64>,
    /// The SHA-256 of the bytes of the file at the last read, as 64 hex digits. `None` if neither the
    /// dialect (the format of a read tool, such as `omp`) nor the session has requested it.
    pub sha256: Option<String>,
    /// The time at which the last read of the file started, in milliseconds since 1970.
    pub read: u64,
}

impl Snapshot {
    /// The snapshot that a store has.
    pub(crate) fn of(kept: store::Snapshot) -> Self {
        let stamp = kept.after;
        let last = |run: &Run| {
            let lines = i64::try_from(run.lines.len()).unwrap_or(i64::MAX);
            run.first.saturating_add(lines).saturating_sub(1)
        };
        Self {
            path: kept.path,
            tag: kept.tag,
            shown: kept.runs.iter().map(|run| (run.first, last(run))).collect(),
            text: kept.runs.iter().map(|run| run.lines.join("\n")).collect(),
            size: stamp.map(|stamp| stamp.size),
            modified: stamp.and_then(|stamp| u64::try_from(stamp.modified / 1_000_000).ok()),
            sha256: kept.hash.map(|hash| hex(&hash)),
            read: u64::try_from(kept.read / 1_000_000).unwrap_or(0),
        }
    }
}

/// The snapshots of a file whose text had a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tagged {
    /// No snapshot has the tag.
    None,
    /// The newest snapshot with the tag.
    One(Snapshot),
    /// Snapshots of different texts with the same tag, the newest first. The tag does not identify one.
    Ambiguous(Vec<Snapshot>),
}

/// The hex digits of a hash.
fn hex(hash: &[u8; 32]) -> String {
    let mut text = String::with_capacity(64);
    for byte in hash {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The hash of 64 hex digits. `None` if the text has another form.
fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut hash = [0; 32];
    if text.len() != 64 {
        return None;
    }
    for (index, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(hash)
}

/// The number of nanoseconds since 1970.
fn nanos(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    })
}

/// The snapshot for a read that started at `began` and that the reader reports. `before` is the state of the
/// file when it was opened, and `examined` is its state after the read. `on_disk` says whether the session
/// outlives the process.
pub(crate) fn reported(
    report: wit::Snapshot,
    before: Option<Stamp>,
    examined: Examined,
    began: SystemTime,
    on_disk: bool,
) -> store::Snapshot {
    let is_settled = before == Some(examined.stamp);
    let mut snapshot = store::Snapshot::new(report.path);
    snapshot.real = examined.real.into_os_string().into_string().ok();
    snapshot.tag = report.tag;
    snapshot.total = report.total;
    snapshot.before = before;
    snapshot.after = Some(examined.stamp);
    snapshot.read = nanos(began);
    snapshot.origin = Origin::Shown;
    // A hash of other bytes than those that were shown would hide a change.
    let own = examined.hash.filter(|_| is_settled);
    snapshot.hash = report.sha256.as_deref().and_then(unhex).or(own);
    for lines in report.shown {
        let text = lines.text.unwrap_or_default();
        // In memory, the text itself is there for comparison.
        if on_disk {
            snapshot.windows.push(Window {
                first: lines.first,
                last: lines.last,
                hash: Sha256::digest(&text).into(),
            });
        }
        snapshot.runs.push(Run {
            first: lines.first,
            lines: text.split('\n').map(str::to_owned).collect(),
        });
    }
    snapshot
}

/// The state of a file, compared with its snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Staleness {
    /// The file was not read in this session, or its snapshot was removed.
    Unread,
    /// The file is unchanged.
    Same,
    /// The file has another modification time or is another file, but has the same content. The contents
    /// are compared by their SHA-256, or by the tag in the header of the reply if no SHA-256 is known.
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

    /// The name, as in JSON: `unread`, `same`, `touched`, `changed` or `gone`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::Same => "same",
            Self::Touched => "touched",
            Self::Changed => "changed",
            Self::Gone => "gone",
        }
    }
}

/// The time in nanoseconds within which two changes of a file may have the same timestamp. FAT
/// has the coarsest clock of the common file systems.
const TIME_GRAIN: i128 = 2_000_000_000;

/// Compares the stamp of a file with that of its snapshot. `None` if only the content can decide.
pub(crate) fn by_stamp(then: &store::Snapshot, now: &Stamp) -> Option<Staleness> {
    let stamp = then.after?;
    if stamp.size != now.size {
        return Some(Staleness::Changed);
    }
    let comparable = then.hash.is_some() || then.tag.is_some();
    // A change within the grain of the clock has the same time.
    let settled = stamp.modified.saturating_add(TIME_GRAIN) <= i128::from(then.read);
    match (stamp == *now && then.before == then.after, comparable) {
        (true, true) => settled.then_some(Staleness::Same),
        (true, false) => Some(Staleness::Same),
        (false, _) => None,
    }
}

/// Whether two snapshots are of the same content. The hash decides, or else the state of the file. A tag is only a
/// name: with an equal one, and for a file of the same size without tags, the lines decide.
pub(crate) fn identity(then: &store::Snapshot, now: &store::Snapshot) -> Identity {
    if let (Some(then), Some(now)) = (then.hash, now.hash) {
        return if then == now {
            Identity::Same
        } else {
            Identity::Other
        };
    }
    let is_untouched = then.after.is_some() && then.after == now.after && then.before == then.after;
    let size = |one: &store::Snapshot| one.after.map(|stamp| stamp.size);
    let totals = then.total.zip(now.total);
    let is_other_size = totals.is_some_and(|(then, now)| then != now);
    match (&then.tag, &now.tag) {
        (Some(tag), Some(other)) if tag != other => Identity::Other,
        _ if is_untouched => Identity::Same,
        _ if is_other_size => Identity::Other,
        (Some(_), Some(_)) => Identity::Unsure,
        _ if size(then).is_some() && size(then) == size(now) => Identity::Unsure,
        _ => Identity::Other,
    }
}

/// The number of seconds since a time in nanoseconds since 1970.
pub(crate) fn seconds_since(time: i64) -> u64 {
    let seconds = nanos(SystemTime::now()).saturating_sub(time) / 1_000_000_000;
    u64::try_from(seconds).unwrap_or(0)
}

/// Compares the hash of a file with that of the snapshot.
pub(crate) fn by_hash(then: &store::Snapshot, now: &Stamp, hash: [u8; 32]) -> Staleness {
    compared(then, now, then.hash == Some(hash))
}

/// Compares the content of a file, by hash or tag, with that of the snapshot. `hash` and `tag` are those of
/// the file now.
pub(crate) fn by_content(
    then: &store::Snapshot,
    now: &Stamp,
    hash: Option<&str>,
    tag: Option<&str>,
) -> Staleness {
    let same = match (then.hash, hash.and_then(unhex)) {
        (Some(then), Some(now)) => then == now,
        _ => then.tag.is_some() && then.tag.as_deref() == tag,
    };
    compared(then, now, same)
}

/// The state of a file whose content is the same, or not.
pub(crate) fn compared(then: &store::Snapshot, now: &Stamp, same: bool) -> Staleness {
    match (same, then.after == Some(*now)) {
        (false, _) => Staleness::Changed,
        (true, true) => Staleness::Same,
        (true, false) => Staleness::Touched,
    }
}

/// The snapshot of a file that an edit tool has written: its bytes are known to the model. `now` is the state of
/// the file after the write. Its stamp belongs to these bytes only if it has their hash, and `lines` are then those
/// of the file as a reply shows them.
pub(crate) fn written(
    path: String,
    bytes: &[u8],
    now: Option<Examined>,
    content: Option<&FileStamp>,
    lines: Option<Vec<String>>,
) -> store::Snapshot {
    let hash: [u8; 32] = Sha256::digest(bytes).into();
    let mut snapshot = store::Snapshot::new(path);
    snapshot.hash = Some(hash);
    snapshot.read = nanos(SystemTime::now());
    snapshot.origin = Origin::Written;
    let is_there =
        content.and_then(|content| content.sha256.as_deref()) == Some(hex(&hash).as_str());
    if let Some(now) = now {
        snapshot.real = now.real.into_os_string().into_string().ok();
        snapshot.before = is_there.then_some(now.stamp);
        snapshot.after = snapshot.before;
    }
    if is_there {
        snapshot.tag = content.and_then(|content| content.tag.clone());
    }
    let text = || {
        let text = std::str::from_utf8(bytes).ok()?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Some(text.lines().map(str::to_owned).collect())
    };
    if let Some(lines) = lines.filter(|_| is_there).or_else(text) {
        snapshot.total = Some(lines.len() as u64);
        snapshot.runs.push(Run { first: 1, lines });
    }
    snapshot
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: [u8; 32] = [7; 32];

    fn stamp(size: u64, modified: i128) -> Stamp {
        Stamp {
            size,
            modified,
            device: 1,
            inode: 2,
        }
    }

    fn then(modified: i128, read: i64, hash: Option<[u8; 32]>) -> store::Snapshot {
        let mut snapshot = store::Snapshot::new("/a");
        snapshot.before = Some(stamp(1, modified));
        snapshot.after = snapshot.before;
        snapshot.read = read;
        snapshot.hash = hash;
        snapshot
    }

    #[test]
    fn timestamp_decides_only_once_it_has_settled() {
        const SECOND: i64 = 1_000_000_000;
        let seconds = |n: i64| i128::from(n * SECOND);
        let hash = Some(HASH);
        for (then, now, expected) in [
            (
                then(0, 9 * SECOND, hash),
                stamp(1, 0),
                Some(Staleness::Same),
            ),
            (
                then(seconds(8), 9 * SECOND, hash),
                stamp(1, seconds(8)),
                None,
            ),
            (
                then(seconds(8), 9 * SECOND, None),
                stamp(1, seconds(8)),
                Some(Staleness::Same),
            ),
            (then(0, 9 * SECOND, hash), stamp(1, 1), None),
            (then(0, 9 * SECOND, None), stamp(1, 1), None),
            (
                then(0, 9 * SECOND, hash),
                stamp(2, 0),
                Some(Staleness::Changed),
            ),
            (
                then(0, 9 * SECOND, hash),
                Stamp {
                    inode: 3,
                    ..stamp(1, 0)
                },
                None,
            ),
        ] {
            assert_eq!(by_stamp(&then, &now), expected);
        }
    }

    #[test]
    fn file_that_changed_while_it_was_read_is_compared_by_content() {
        let mut read = then(0, 9_000_000_000, Some(HASH));
        read.before = Some(stamp(1, -1));
        assert_eq!(by_stamp(&read, &stamp(1, 0)), None);
    }

    #[test]
    fn hash_decides_before_the_tag() {
        let mut then = then(0, 9, Some(HASH));
        then.tag = Some("0000".to_owned());
        let (same, other) = (hex(&HASH), hex(&[8; 32]));
        let tag = Some("0000");
        let now = stamp(1, 0);
        assert_eq!(by_content(&then, &now, Some(&same), None), Staleness::Same);
        let touched = by_content(&then, &stamp(1, 1), Some(&same), None);
        assert_eq!(touched, Staleness::Touched);
        // Two texts may have one tag.
        assert_eq!(
            by_content(&then, &now, Some(&other), tag),
            Staleness::Changed
        );
        then.hash = None;
        assert_eq!(by_content(&then, &now, Some(&other), tag), Staleness::Same);
    }

    #[test]
    fn hashes_are_hex_digits() {
        assert_eq!(unhex(&hex(&HASH)), Some(HASH));
        assert_eq!(unhex("07"), None);
        assert_eq!(unhex(&"é".repeat(32)), None);
    }
}
