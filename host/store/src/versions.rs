//! Which snapshots show the same version of a file, and which lines replace others.

use crate::limits::{OVERHEAD, PART_OVERHEAD, TIME_GRAIN};
use crate::snapshot::{Run, Snapshot, Stamp, Tagged};
use std::collections::BTreeMap;

/// Whether a snapshot shows the same version of its path as an older one.
///
/// Equal hashes decide. Without them, the stamps must be equal, and the tags if there are two. Without two
/// tags, the file must also have been unchanged for so long that a later change has another timestamp.
pub(crate) fn same_version(old: &Snapshot, new: &Snapshot) -> bool {
    let other_tag = old.tag.is_some() && new.tag.is_some() && old.tag != new.tag;
    match (old.hash, new.hash) {
        _ if other_tag => false,
        (Some(old), Some(new)) => old == new,
        _ if (old.before, old.after) != (new.before, new.after) => false,
        // A dialect without tags may have read the file in between.
        _ => (new.tag.is_some() && old.tag == new.tag) || settled(old.after, old.read),
    }
}

fn settled(stamp: Option<Stamp>, read: i64) -> bool {
    stamp.is_some_and(|stamp| stamp.modified.saturating_add(TIME_GRAIN) <= i128::from(read))
}

/// The facts of two snapshots of the same version, without their windows and lines.
pub(crate) fn joined_facts(old: &Snapshot, new: &Snapshot) -> Snapshot {
    Snapshot {
        path: new.path.clone(),
        real: new.real.clone().or_else(|| old.real.clone()),
        tag: new.tag.clone().or_else(|| old.tag.clone()),
        hash: new.hash.or(old.hash),
        windows: Vec::new(),
        runs: Vec::new(),
        total: new.total.or(old.total),
        before: new.before.or(old.before),
        after: new.after.or(old.after),
        read: new.read,
        origin: new.origin,
        text_left_out: old.text_left_out,
    }
}

/// The snapshots with a tag, of which the newest is first.
pub(crate) fn tagged(mut snapshots: Vec<Snapshot>) -> Tagged {
    let Some((newest, older)) = snapshots.split_first() else {
        return Tagged::None;
    };
    if older.iter().any(|other| is_other_text(newest, other)) {
        return Tagged::Ambiguous(snapshots);
    }
    Tagged::One(Box::new(snapshots.swap_remove(0)))
}

/// Whether two snapshots are of different texts. Without both hashes, the number of lines and the lines that both
/// have decide.
fn is_other_text(one: &Snapshot, other: &Snapshot) -> bool {
    if let (Some(one), Some(other)) = (one.hash, other.hash) {
        return one != other;
    }
    let totals = one.total.zip(other.total);
    totals.is_some_and(|(one, other)| one != other)
        || one.runs.iter().any(|run| {
            let lines = run.lines.iter().zip(run.first..);
            let mut both = lines.filter_map(|(line, number)| Some((line, other.line(number)?)));
            both.any(|(line, text)| line != text)
        })
}

/// The size of a snapshot without its windows and lines, as it counts for the limits.
pub(crate) fn facts_bytes(snapshot: &Snapshot) -> u64 {
    let text = snapshot.path.len() + snapshot.tag.as_ref().map_or(0, String::len);
    OVERHEAD.saturating_add(text as u64)
}

/// The size of a run, as it counts for the limits.
pub(crate) fn run_bytes(run: &Run) -> u64 {
    let lines = run.lines.iter();
    lines.fold(PART_OVERHEAD, |sum, line| {
        sum.saturating_add(line.len() as u64).saturating_add(1)
    })
}

/// The parts of a run before and after the lines from `first` to the line before `end`.
pub(crate) fn outside(mut run: Run, first: i64, end: i64) -> [Option<Run>; 2] {
    let lines_before = |line: i64, run: &Run| {
        let count = usize::try_from(line.saturating_sub(run.first)).unwrap_or(0);
        count.min(run.lines.len())
    };
    let after = run.lines.split_off(lines_before(end, &run));
    let after = Run {
        first: end.max(run.first),
        lines: after,
    };
    run.lines.truncate(lines_before(first, &run));
    [run, after].map(|run| (!run.lines.is_empty()).then_some(run))
}

/// Runs by the number of their first line, without overlap. Later runs replace lines of earlier ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs(BTreeMap<i64, Run>);

impl Runs {
    /// Adds a run in place of the lines with the same numbers.
    pub(crate) fn insert(&mut self, run: Run) {
        if run.lines.is_empty() {
            return;
        }
        let (first, end) = (run.first, run.end());
        // Runs do not overlap, so that only the last one that starts before `first` can reach it.
        let before = self.0.range(..first).next_back();
        let before = before.filter(|(_, run)| run.end() > first);
        let inside = self.0.range(first..end).map(|(first, _)| *first);
        let replaced: Vec<i64> = before
            .map(|(first, _)| *first)
            .into_iter()
            .chain(inside)
            .collect();
        for old in replaced {
            let old = self.0.remove(&old);
            let parts = old.map(|old| outside(old, first, end));
            for part in parts.into_iter().flatten().flatten() {
                self.0.insert(part.first, part);
            }
        }
        self.0.insert(first, run);
    }

    /// The runs in order, as they were added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Run> {
        self.0.values()
    }

    /// The runs in order, as they were added.
    pub(crate) fn into_parts(self) -> impl Iterator<Item = Run> {
        self.0.into_values()
    }

    /// The runs in order. Those without lines between them are one run.
    pub(crate) fn joined(self) -> Vec<Run> {
        let mut joined: Vec<Run> = Vec::with_capacity(self.0.len());
        for mut run in self.0.into_values() {
            match joined.last_mut() {
                Some(last) if last.end() == run.first => last.lines.append(&mut run.lines),
                _ => joined.push(run),
            }
        }
        joined
    }
}

impl FromIterator<Run> for Runs {
    fn from_iter<T: IntoIterator<Item = Run>>(runs: T) -> Self {
        let mut all = Self::default();
        for run in runs {
            all.insert(run);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(first: i64, text: &str) -> Run {
        Run {
            first,
            lines: text.chars().map(String::from).collect(),
        }
    }

    fn text(runs: Runs) -> Vec<(i64, String)> {
        let joined = runs.joined().into_iter();
        joined.map(|run| (run.first, run.lines.concat())).collect()
    }

    #[test]
    fn later_lines_replace_earlier_ones() {
        for (runs, expected) in [
            (vec![run(1, "abc"), run(4, "de")], vec![(1, "abcde")]),
            (
                vec![run(1, "abc"), run(5, "de")],
                vec![(1, "abc"), (5, "de")],
            ),
            (vec![run(1, "abcde"), run(2, "XY")], vec![(1, "aXYde")]),
            (vec![run(2, "XY"), run(1, "abcde")], vec![(1, "abcde")]),
            (
                vec![run(1, "ab"), run(3, "cd"), run(2, "XY")],
                vec![(1, "aXYd")],
            ),
            (vec![run(1, "ab"), run(1, "")], vec![(1, "ab")]),
            (vec![run(-2, "yz"), run(1, "a")], vec![(-2, "yz"), (1, "a")]),
        ] {
            let expected: Vec<_> = expected
                .iter()
                .map(|(n, t)| (*n, (*t).to_owned()))
                .collect();
            assert_eq!(text(runs.into_iter().collect()), expected);
        }
    }

    #[test]
    fn runs_at_the_ends_of_the_numbers_do_not_overflow() {
        let runs: Runs = [
            run(i64::MAX, "ab"),
            run(i64::MIN, "ab"),
            run(i64::MAX - 1, "cd"),
        ]
        .into_iter()
        .collect();
        assert!(runs.iter().count() >= 2);
    }

    fn stamp(modified: i128) -> Stamp {
        Stamp {
            size: 1,
            modified,
            device: 1,
            inode: 1,
        }
    }

    #[test]
    fn hash_decides_whether_versions_are_the_same_and_else_stamps_and_tags() {
        let new = |tag: Option<&str>, hash: Option<u8>, after: Option<Stamp>| Snapshot {
            tag: tag.map(str::to_owned),
            hash: hash.map(|byte| [byte; 32]),
            after,
            read: 3_000_000_000,
            ..Snapshot::new("/a")
        };
        let a = Some("a");
        for (old, new, expected) in [
            (
                new(None, Some(1), Some(stamp(1))),
                new(None, Some(1), Some(stamp(2))),
                true,
            ),
            (
                new(None, Some(1), Some(stamp(1))),
                new(None, Some(2), Some(stamp(1))),
                false,
            ),
            (new(a, Some(1), None), new(Some("b"), Some(1), None), false),
            (
                new(a, None, Some(stamp(1))),
                new(a, Some(1), Some(stamp(1))),
                true,
            ),
            (
                new(a, None, Some(stamp(1))),
                new(a, None, Some(stamp(2))),
                false,
            ),
            (new(a, None, None), new(a, None, None), true),
            // A dialect without tags read the same version.
            (
                new(a, None, Some(stamp(1))),
                new(None, None, Some(stamp(1))),
                true,
            ),
            (
                new(a, None, Some(stamp(2_500_000_000))),
                new(None, None, Some(stamp(2_500_000_000))),
                false,
            ),
            (new(None, None, None), new(None, None, None), false),
            (
                new(None, None, Some(stamp(1))),
                new(None, None, Some(stamp(1))),
                true,
            ),
            // The file changed so shortly before the read that another change may have the same time.
            (
                new(None, None, Some(stamp(2_500_000_000))),
                new(None, None, Some(stamp(2_500_000_000))),
                false,
            ),
        ] {
            assert_eq!(same_version(&old, &new), expected, "{old:?} {new:?}");
        }
    }
}
