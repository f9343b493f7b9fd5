//! What changed in a file since a session showed lines of it.

use crate::snapshots::Staleness;
use omniread_store::{Run, Snapshot};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The time after which a comparison ends. It is then less exact: it may report more lines than changed.
const COMPARISON_TIME: Duration = Duration::from_secs(2);

/// What changed in a file since lines of it were shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// Whether the file has changed.
    pub staleness: Staleness,
    /// The changed lines, in order. Empty if nothing changed in the lines that were shown.
    pub hunks: Vec<Hunk>,
    /// Whether all lines that were shown were compared. If not, the session has not kept all text, or the
    /// file is not text any more.
    pub is_complete: bool,
}

/// Lines that were shown, and the lines that are in their place now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hunk {
    /// The number of the first line as it was shown. If there are no such lines, new lines were inserted before
    /// it.
    pub old_first: i64,
    /// The lines that were shown and are not in the file any more.
    pub old: Vec<String>,
    /// The number of the first line now. If there are no such lines, lines were removed before it.
    pub new_first: i64,
    /// The lines that are in the file now and were not shown.
    pub new: Vec<String>,
}

/// Compares the lines of a snapshot with all lines of the file now.
pub(crate) fn compare(then: &Snapshot, now: &[&str]) -> Vec<Hunk> {
    let deadline = Instant::now().checked_add(COMPARISON_TIME);
    let runs = then.runs.iter();
    runs.flat_map(|run| hunks(run, then.total, now, deadline))
        .collect()
}

fn number(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

fn owned(lines: Option<&[&str]>) -> Vec<String> {
    let lines = lines.unwrap_or_default().iter();
    lines.map(|line| (*line).to_owned()).collect()
}

fn hunks(run: &Run, total: Option<u64>, now: &[&str], deadline: Option<Instant>) -> Vec<Hunk> {
    let old: Vec<&str> = run.lines.iter().map(String::as_str).collect();
    let operations = capture_diff_slices_deadline(Algorithm::Myers, &old, now, deadline);
    // The lines around those that were shown are unknown, and not new.
    let end = run.first.saturating_add(number(old.len()));
    let last = end.saturating_sub(1);
    let ends_text = last == -1 || total.is_some_and(|total| u64::try_from(last) == Ok(total));
    let known = Range {
        start: usize::from(run.first != 1),
        end: old.len().saturating_sub(usize::from(!ends_text)),
    };
    let is_known = |operation: &&DiffOp| match operation {
        DiffOp::Equal { .. } => false,
        DiffOp::Insert { old_index, .. } => (known.start..=known.end).contains(old_index),
        DiffOp::Delete { .. } | DiffOp::Replace { .. } => true,
    };
    let hunk = |operation: &DiffOp| {
        let (old_range, new_range) = (operation.old_range(), operation.new_range());
        // Lines in place of the last one that was shown may go on after it.
        let new_end = if !ends_text && old_range.end == old.len() {
            new_range
                .end
                .min(new_range.start.saturating_add(old_range.len()))
        } else {
            new_range.end
        };
        Hunk {
            old_first: run.first.saturating_add(number(old_range.start)),
            new_first: number(new_range.start).saturating_add(1),
            new: owned(now.get(new_range.start..new_end)),
            old: owned(old.get(old_range)),
        }
    };
    operations.iter().filter(is_known).map(hunk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(first: i64, lines: &[&str], total: Option<u64>) -> Snapshot {
        let mut snapshot = Snapshot::new("/a");
        snapshot.total = total;
        snapshot.runs.push(Run {
            first,
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        });
        snapshot
    }

    fn hunk(old_first: i64, old: &[&str], new_first: i64, new: &[&str]) -> Hunk {
        Hunk {
            old_first,
            old: owned(Some(old)),
            new_first,
            new: owned(Some(new)),
        }
    }

    #[test]
    fn changed_added_and_removed_lines_have_both_numbers() {
        let then = snapshot(1, &["a", "b", "c", "d"], Some(4));
        let now = ["a", "B", "c", "x", "d", "e"];
        assert_eq!(
            compare(&then, &now),
            [
                hunk(2, &["b"], 2, &["B"]),
                hunk(4, &[], 4, &["x"]),
                hunk(5, &[], 6, &["e"]),
            ]
        );
        assert_eq!(compare(&then, &["a", "c", "d"]), [hunk(2, &["b"], 2, &[])]);
        assert_eq!(compare(&then, &["a", "b", "c", "d"]), []);
    }

    #[test]
    fn lines_that_were_not_shown_are_not_new() {
        let then = snapshot(3, &["c", "d"], Some(9));
        let now = ["a", "b", "c", "x", "d", "e", "f"];
        assert_eq!(compare(&then, &now), [hunk(4, &[], 4, &["x"])]);
        // Lines before them were added.
        assert_eq!(compare(&then, &["1", "2", "3", "c", "d", "e"]), []);
        // The first page of a longer file.
        let first = snapshot(1, &["a", "b"], Some(4));
        assert_eq!(compare(&first, &["a", "b", "c", "d"]), []);
        assert_eq!(
            compare(&first, &["0", "a", "b", "c"]),
            [hunk(1, &[], 1, &["0"])]
        );
        // The last lines, whose numbers count from the end.
        let last = snapshot(-2, &["y", "z"], None);
        assert_eq!(compare(&last, &["a", "y", "z"]), []);
        assert_eq!(
            compare(&last, &["a", "y", "z", "!"]),
            [hunk(0, &[], 4, &["!"])]
        );
    }

    #[test]
    fn everything_may_have_changed() {
        let then = snapshot(1, &["a", "b"], Some(2));
        assert_eq!(compare(&then, &[]), [hunk(1, &["a", "b"], 1, &[])]);
        assert_eq!(compare(&then, &["x"]), [hunk(1, &["a", "b"], 1, &["x"])]);
    }
}
