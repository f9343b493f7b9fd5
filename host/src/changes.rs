//! What changed in a file since a session showed lines of it.

use crate::aligned::{Identity, anchors, number, touches, without};
use crate::snapshots::Staleness;
use omniread_store::{Run, Snapshot};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::ops::Range;
use std::slice;
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

/// Compares the lines that were shown with all lines of the file now. `versions` has the newest one first. Each line
/// is compared with the version in which it was shown last.
pub(crate) fn compare(
    versions: &[Snapshot],
    now: &[String],
    identity: impl Fn(&Snapshot) -> Identity,
) -> Vec<Hunk> {
    let deadline = Instant::now().checked_add(COMPARISON_TIME);
    let file = Run {
        first: 1,
        lines: now.to_vec(),
    };
    // The line after the last one is the place of lines that were added or removed there.
    let whole = 1..number(now.len()).saturating_add(2);
    let mut rest = vec![whole];
    let mut found = Vec::new();
    for version in versions {
        let known = identity(version);
        let compared = match known {
            Identity::Same => Vec::new(),
            Identity::Other | Identity::Unsure => differences(version, &file, deadline),
        };
        let is_equal = compared.iter().all(|(_, hunks)| hunks.is_empty());
        if known == Identity::Same || known == Identity::Unsure && is_equal {
            for run in &version.runs {
                let place = place(run, version.total, &file);
                rest = without(&rest, &shown(&place, now.len()));
            }
            continue;
        }
        let (places, hunks): (Vec<_>, Vec<_>) = compared.into_iter().unzip();
        for hunk in hunks.into_iter().flatten() {
            let mut rest = rest.iter();
            if rest.any(|lines| touches(lines, hunk.new_first, hunk.new.len())) {
                found.push(hunk);
            }
        }
        for place in &places {
            rest = without(&rest, &shown(place, now.len()));
        }
    }
    found.sort_by_key(|hunk| hunk.new_first);
    found
}

/// The numbers of lines of the file now, and that after them if they are the last ones.
fn shown(place: &Range<usize>, lines: usize) -> Range<i64> {
    let end = place.end.saturating_add(1);
    let end = if place.end >= lines {
        end.saturating_add(1)
    } else {
        end
    };
    number(place.start.saturating_add(1))..number(end)
}

/// The lines of the file now that are in the place of lines of a version, and what changed in them.
fn differences(
    then: &Snapshot,
    now: &Run,
    deadline: Option<Instant>,
) -> Vec<(Range<usize>, Vec<Hunk>)> {
    let lines = now.lines.as_slice();
    if then.total == Some(0) && !lines.is_empty() {
        let all = Hunk {
            old_first: 1,
            old: Vec::new(),
            new_first: 1,
            new: lines.to_vec(),
        };
        return vec![(0..lines.len(), vec![all])];
    }
    let runs = then.runs.iter();
    runs.map(|run| {
        let place = place(run, then.total, now);
        let hunks = hunks(run, lines, &place, deadline);
        (place, hunks)
    })
    .collect()
}

/// Copies of lines. None if they are not there.
fn owned(lines: Option<&[String]>) -> Vec<String> {
    lines.unwrap_or_default().to_vec()
}

/// The lines of the file now that are in the place of the lines of a run.
///
/// Lines that occur once in both are in the same place, if they are in the same order. Before the first and
/// after the last of them, lines are in their old places relative to it. Without any, the run is where it was.
fn place(run: &Run, total: Option<u64>, now: &Run) -> Range<usize> {
    let count = run.lines.len();
    let from_end = usize::try_from(run.first.unsigned_abs()).unwrap_or(usize::MAX);
    let start = if run.first < 0 {
        now.lines.len().saturating_sub(from_end)
    } else {
        from_end.saturating_sub(1)
    };
    let mut range = start..start.saturating_add(count);
    let anchors = anchors(slice::from_ref(run), slice::from_ref(now));
    if let (Some(&((_, old), (_, new))), Some(&((_, last_old), (_, last_new)))) =
        (anchors.first(), anchors.last())
    {
        range = new.saturating_sub(old)..last_new.saturating_add(count.saturating_sub(last_old));
    }
    let last = run.first.saturating_add(number(count)).saturating_sub(1);
    if run.first == 1 {
        range.start = 0;
    }
    if last == -1 || total.is_some_and(|total| u64::try_from(last) == Ok(total)) {
        range.end = now.lines.len();
    }
    let end = range.end.min(now.lines.len());
    range.start.min(end)..end
}

fn hunks(run: &Run, now: &[String], place: &Range<usize>, deadline: Option<Instant>) -> Vec<Hunk> {
    let old = run.lines.as_slice();
    let now = now.get(place.clone()).unwrap_or_default();
    let operations = capture_diff_slices_deadline(Algorithm::Myers, old, now, deadline);
    let changed = |operation: &&DiffOp| !matches!(operation, DiffOp::Equal { .. });
    let hunk = |operation: &DiffOp| {
        let (old_range, new_range) = (operation.old_range(), operation.new_range());
        let new_first = place
            .start
            .saturating_add(new_range.start)
            .saturating_add(1);
        Hunk {
            old_first: run.first.saturating_add(number(old_range.start)),
            new_first: number(new_first),
            new: owned(now.get(new_range)),
            old: owned(old.get(old_range)),
        }
    };
    operations.iter().filter(changed).map(hunk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(lines: Option<&[&str]>) -> Vec<String> {
        let lines = lines.unwrap_or_default().iter();
        lines.map(|line| (*line).to_owned()).collect()
    }

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

    fn compare(then: &Snapshot, now: &[&str]) -> Vec<Hunk> {
        let versions = std::slice::from_ref(then);
        super::compare(versions, &owned(Some(now)), |_| Identity::Other)
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
        // Other blocks of the same lines are not those that were shown.
        let block = snapshot(4, &["f", "1", "}"], Some(9));
        let now = ["f", "1", "}", "f", "2", "}", "f", "1", "}"];
        assert_eq!(compare(&block, &now), [hunk(5, &["1"], 5, &["2"])]);
        // A line in the middle was changed, and lines were added far before it.
        let middle = snapshot(3, &["c", "d", "e"], Some(9));
        let now = ["1", "2", "a", "b", "c", "D", "e", "f"];
        assert_eq!(compare(&middle, &now), [hunk(4, &["d"], 6, &["D"])]);
        let first = snapshot(3, &["c", "d", "e"], Some(9));
        let now = ["a", "b", "C", "d", "e", "f"];
        assert_eq!(compare(&first, &now), [hunk(3, &["c"], 3, &["C"])]);
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
        let mut empty = Snapshot::new("/a");
        empty.total = Some(0);
        assert_eq!(compare(&empty, &["x"]), [hunk(1, &[], 1, &["x"])]);
    }

    #[test]
    fn each_line_is_compared_with_what_was_shown_of_it_last() {
        let old = snapshot(1, &["a", "b", "c"], Some(6));
        let newer = snapshot(5, &["e", "f"], Some(6));
        let is_newer = |then: &Snapshot| {
            if then.runs[0].first == 5 {
                Identity::Same
            } else {
                Identity::Other
            }
        };
        let now = owned(Some(&["a", "B", "c", "d", "e", "f"]));
        let versions = [newer, old.clone()];
        assert_eq!(
            super::compare(&versions, &now, is_newer),
            [hunk(2, &["b"], 2, &["B"])]
        );
        // The change was shown.
        let versions = [snapshot(1, &["a", "B"], Some(6)), old];
        assert_eq!(super::compare(&versions, &now, |_| Identity::Other), []);
    }
}
