//! How the lines of a read compare with those that the session has shown of the file before.

use crate::changes::anchors;
use omniread_store::{Run, Snapshot};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant};

/// The time after which a comparison ends. It is then less exact. A page has few lines, so this bounds only
/// hostile ones.
const COMPARISON_TIME: Duration = Duration::from_millis(200);

/// A place at which lines differ from those that were shown before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The number of the first line that differs. If there is none, lines were removed before it.
    pub(crate) first: i64,
    /// The number of lines that differ.
    pub(crate) lines: usize,
    /// The number of lines that were shown before in the place of these.
    pub(crate) before: usize,
}

/// Compares the lines of a read with the versions that were shown before, the newest first. `is_current` says
/// whether a version is that of the file now. `None` if all lines belong to it, or if no line was shown before.
pub(crate) fn compare(
    now: &Snapshot,
    versions: &[Snapshot],
    is_current: impl Fn(&Snapshot) -> bool,
) -> Option<Vec<Place>> {
    let deadline = Instant::now().checked_add(COMPARISON_TIME);
    let mut rest = unseen(&now.runs, versions, &is_current);
    let former = versions.iter().filter(|version| !is_current(version));
    let mut places = BTreeMap::new();
    let mut has_former = false;
    for version in former {
        if rest.is_empty() {
            break;
        }
        has_former = true;
        let mut compared = Vec::new();
        for run in &now.runs {
            for old in &version.runs {
                let Some((range, differing)) = differences(old, run, (version, now), deadline)
                else {
                    continue;
                };
                for place in differing {
                    if rest.iter().any(|lines| touches(lines, &place)) {
                        places.entry(place.first).or_insert(place);
                    }
                }
                compared.push(range);
            }
        }
        for range in compared {
            rest = without(&rest, &range);
        }
    }
    has_former.then(|| places.into_values().collect())
}

/// The ranges of lines that no version of the file now has shown.
fn unseen(
    runs: &[Run],
    versions: &[Snapshot],
    is_current: impl Fn(&Snapshot) -> bool,
) -> Vec<Range<i64>> {
    let mut rest: Vec<Range<i64>> = runs.iter().map(range).collect();
    for version in versions.iter().filter(|version| is_current(version)) {
        for seen in &version.runs {
            rest = without(&rest, &range(seen));
        }
    }
    rest
}

/// The numbers of the lines of a run.
fn range(run: &Run) -> Range<i64> {
    run.first..run.first.saturating_add(number(run.lines.len()))
}

fn number(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

/// Ranges without another one.
fn without(ranges: &[Range<i64>], other: &Range<i64>) -> Vec<Range<i64>> {
    let parts = ranges.iter().flat_map(|range| {
        let before = range.start..range.end.min(other.start);
        let after = range.start.max(other.end)..range.end;
        [before, after]
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// Whether a place is in a range, or lines were removed in it, at its start or after its end.
fn touches(range: &Range<i64>, place: &Place) -> bool {
    if place.lines == 0 {
        return (range.start..=range.end).contains(&place.first);
    }
    let end = place.first.saturating_add(number(place.lines));
    place.first < range.end && end > range.start
}

/// The lines of a run that can be compared with a run that was shown before, and the places at which they
/// differ. `None` if the runs have nothing in common.
///
/// Lines that occur once in both are in the same place. Around them, as many lines are compared as both runs
/// have, so that lines that were not shown before are not taken for changed ones.
fn differences(
    old: &Run,
    new: &Run,
    (then, now): (&Snapshot, &Snapshot),
    deadline: Option<Instant>,
) -> Option<(Range<i64>, Vec<Place>)> {
    let lines: Vec<&str> = new.lines.iter().map(String::as_str).collect();
    let found = anchors(old, &lines);
    let (mut from, mut to) = match (found.first(), found.last()) {
        (Some(&(old_first, new_first)), Some(&(old_last, new_last))) => {
            let before = old_first.min(new_first);
            let after = (old.lines.len().saturating_sub(old_last))
                .min(lines.len().saturating_sub(new_last));
            let from = (
                old_first.saturating_sub(before),
                new_first.saturating_sub(before),
            );
            (
                from,
                (
                    old_last.saturating_add(after),
                    new_last.saturating_add(after),
                ),
            )
        }
        _ => {
            let same_side = (old.first < 0) == (new.first < 0);
            let start = old.first.max(new.first);
            let end = range(old).end.min(range(new).end);
            if start >= end || !same_side {
                return None;
            }
            let index = |run: &Run, line: i64| usize::try_from(line.saturating_sub(run.first)).ok();
            (
                (index(old, start)?, index(new, start)?),
                (index(old, end)?, index(new, end)?),
            )
        }
    };
    // The start and the end of the file are places that both may have.
    if old.first == 1 && new.first == 1 {
        from = (0, 0);
    }
    if is_end(old, then) && is_end(new, now) {
        to = (old.lines.len(), lines.len());
    }
    let then: Vec<&str> = old
        .lines
        .get(from.0..to.0)?
        .iter()
        .map(String::as_str)
        .collect();
    let lines = lines.get(from.1..to.1)?;
    let start = new.first.saturating_add(number(from.1));
    let operations = capture_diff_slices_deadline(Algorithm::Myers, &then, lines, deadline);
    let place = |operation: &DiffOp| Place {
        first: start.saturating_add(number(operation.new_range().start)),
        lines: operation.new_range().len(),
        before: operation.old_range().len(),
    };
    let differing = operations
        .iter()
        .filter(|operation| !matches!(operation, DiffOp::Equal { .. }))
        .map(place);
    Some((
        start..start.saturating_add(number(lines.len())),
        differing.collect(),
    ))
}

/// Whether a run has the last line of its file.
fn is_end(run: &Run, of: &Snapshot) -> bool {
    let last = range(run).end.saturating_sub(1);
    last == -1
        || of
            .total
            .is_some_and(|total| u64::try_from(last) == Ok(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A version of a file whose lines `first` and following were shown.
    fn version(first: i64, lines: &str, total: u64) -> Snapshot {
        let mut snapshot = Snapshot::new("/a");
        snapshot.total = Some(total);
        snapshot.runs.push(Run {
            first,
            lines: lines.split(' ').map(str::to_owned).collect(),
        });
        snapshot
    }

    fn place(first: i64, lines: usize, before: usize) -> Place {
        Place {
            first,
            lines,
            before,
        }
    }

    fn since(now: &Snapshot, then: &Snapshot) -> Vec<Place> {
        compare(now, std::slice::from_ref(then), |_| false).unwrap()
    }

    #[test]
    fn whole_files_are_compared() {
        let then = version(1, "a b c d", 4);
        for (now, places) in [
            ("a b c d", vec![]),
            ("a B c d", vec![place(2, 1, 1)]),
            ("a b c d e", vec![place(5, 1, 0)]),
            ("x a b c d", vec![place(1, 1, 0)]),
            ("a c d", vec![place(2, 0, 1)]),
            ("a b c", vec![place(4, 0, 1)]),
            ("x y", vec![place(1, 2, 4)]),
        ] {
            let total = now.split(' ').count() as u64;
            assert_eq!(since(&version(1, now, total), &then), places, "{now}");
        }
    }

    #[test]
    fn lines_that_were_not_shown_before_are_not_changed() {
        let then = version(3, "c d e", 9);
        for (first, now, places) in [
            (1, "a b c d e f g", vec![]),
            (2, "b c D e f", vec![place(4, 1, 1)]),
            // Two lines were added before them.
            (1, "x y a b c d E f", vec![place(7, 1, 1)]),
            (5, "e f g", vec![]),
            (8, "h i", vec![]),
            // Nothing in common: the numbers decide.
            (4, "D E F", vec![place(4, 2, 2)]),
        ] {
            assert_eq!(since(&version(first, now, 9), &then), places, "{now}");
        }
        // The file got longer after the page.
        let page = version(1, "a b", 5);
        assert_eq!(since(&version(1, "a b", 9), &page), []);
        assert_eq!(since(&version(1, "a b c", 9), &page), []);
        // The last lines.
        let tail = version(-2, "y z", 9);
        assert_eq!(since(&version(-3, "y z !", 9), &tail), [place(-1, 1, 0)]);
    }

    #[test]
    fn each_line_is_compared_with_what_was_shown_of_it_last() {
        let first = version(1, "a b c d", 9);
        let second = version(3, "C d e", 9);
        // The second version is the present one. Only its lines were seen.
        let is_second = |version: &Snapshot| version.runs[0].first == 3;
        let versions = [second, first];
        let now = version(1, "A b C d e", 9);
        assert_eq!(
            compare(&now, &versions, is_second),
            Some(vec![place(1, 1, 1)])
        );
        let now = version(3, "C d e", 9);
        assert_eq!(compare(&now, &versions, is_second), None);
        // Without a former version, nothing can have changed.
        assert_eq!(compare(&now, &versions[..1], is_second), None);
    }
}
