//! How the lines of a read compare with those that the session has shown of the file before.

use crate::aligned::{Identity, Place as Position, anchors, number, range, touches, without};
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

/// How the lines of a read compare with those that were shown before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// They are those that were shown last, or nothing was shown before.
    Same,
    /// The file has changed, with the places at which these lines differ. None of them may.
    Changed(Vec<Place>),
    /// The file has changed. Whether these lines have is not known.
    Unknown,
}

/// Compares the lines of a read with the versions that were shown before, the newest first. Each line is compared
/// with the version in which it was shown last, so that a change that was undone is a change too.
pub(crate) fn compare(
    now: &Snapshot,
    versions: &[Snapshot],
    identity: impl Fn(&Snapshot) -> Identity,
) -> Compared {
    let Some(newest) = versions.first() else {
        return Compared::Same;
    };
    if now.runs.is_empty() {
        let before = newest.runs.iter().map(|run| run.lines.len()).sum();
        return match identity(newest) {
            Identity::Other if now.total == Some(0) && before > 0 => {
                Compared::Changed(vec![Place {
                    first: 1,
                    lines: 0,
                    before,
                }])
            }
            Identity::Other => Compared::Unknown,
            Identity::Same | Identity::Unsure => Compared::Same,
        };
    }
    let deadline = Instant::now().checked_add(COMPARISON_TIME);
    let mut rest: Vec<Range<i64>> = now.runs.iter().map(range).collect();
    let mut places = BTreeMap::new();
    // Whether the model has seen anything of this version, and of another one since.
    let (mut is_known, mut has_former) = (false, false);
    let mut has_lost = false;
    for version in versions {
        if rest.is_empty() {
            break;
        }
        let known = identity(version);
        let (compared, loses) = match known {
            Identity::Same => (Vec::new(), false),
            Identity::Other | Identity::Unsure => differences(version, now, deadline),
        };
        let is_equal = compared.iter().all(|(_, places)| places.is_empty());
        if known == Identity::Same || known == Identity::Unsure && is_equal {
            for seen in &version.runs {
                rest = without(&rest, &range(seen));
            }
            is_known = true;
            continue;
        }
        has_former |= !is_known;
        has_lost |= loses;
        let (ranges, differing): (Vec<_>, Vec<_>) = compared.into_iter().unzip();
        for place in differing.into_iter().flatten() {
            if rest
                .iter()
                .any(|lines| touches(lines, place.first, place.lines))
            {
                places.entry(place.first).or_insert(place);
            }
        }
        for range in &ranges {
            rest = without(&rest, range);
        }
    }
    if places.is_empty() && !has_former {
        return Compared::Same;
    }
    // Some of these lines, or of those that were shown between them, have no counterpart.
    if places.is_empty() && (has_lost || !rest.is_empty()) {
        return Compared::Unknown;
    }
    Compared::Changed(places.into_values().collect())
}

/// Lines of a read that can be compared with lines that were shown before, and the places at which they differ.
type Differences = (Range<i64>, Vec<Place>);

/// Compares all lines of a read with those of a version.
///
/// Lines that occur once in both are in the same place. Around them, as many lines are compared as both have, so
/// that lines that were not shown before are not taken for changed ones. Other lines are where the lines around them
/// say, or else where they were. The second part of the result says whether lines that were shown between others may
/// have been removed.
fn differences(
    then: &Snapshot,
    now: &Snapshot,
    deadline: Option<Instant>,
) -> (Vec<Differences>, bool) {
    let found = anchors(&then.runs, &now.runs);
    let mut compared: Vec<Differences> = Vec::new();
    let mut covered: Vec<Range<i64>> = Vec::new();
    let mut replaced: Vec<Range<i64>> = Vec::new();
    for anchored in found.chunk_by(|one, next| one.0.0 == next.0.0 && one.1.0 == next.1.0) {
        let (Some((first, last)), Some((old, new))) = (
            anchored.first().zip(anchored.last()),
            anchored
                .first()
                .and_then(|(old, new)| Some((then.runs.get(old.0)?, now.runs.get(new.0)?))),
        ) else {
            continue;
        };
        let before = first.0.1.min(first.1.1);
        let after = (old.lines.len().saturating_sub(last.0.1))
            .min(new.lines.len().saturating_sub(last.1.1));
        let old_part = first.0.1.saturating_sub(before)..last.0.1.saturating_add(after);
        let new_part = first.1.1.saturating_sub(before)..last.1.1.saturating_add(after);
        let (old_part, new_part) = to_the_ends((old, then, old_part), (new, now, new_part));
        covered.push(numbers(old, &old_part));
        compared.extend(difference((old, old_part), (new, new_part), deadline));
    }
    for (index, new) in now.runs.iter().enumerate() {
        if found.iter().any(|(_, place)| place.0 == index) {
            continue;
        }
        let mut shifts = shifts(index, &found, then, now).into_iter();
        let found_part = |shift: i64, is_last: bool| {
            let overlapping = then.runs.iter().filter_map(|old| {
                let parts = overlap((old, then), (new, now), shift)?;
                let numbers = numbers(old, &parts.0);
                let meets =
                    |range: &Range<i64>| range.start < numbers.end && numbers.start < range.end;
                (is_last || !covered.iter().any(meets)).then_some((old, parts))
            });
            let overlapping: Vec<_> = overlapping.collect();
            (!overlapping.is_empty()).then_some(overlapping)
        };
        // Lines that were moved elsewhere are replaced where they were.
        let parts = shifts
            .find_map(|shift| found_part(shift, false))
            .or_else(|| found_part(0, true));
        for (old, (old_part, new_part)) in parts.into_iter().flatten() {
            replaced.push(numbers(old, &old_part));
            compared.extend(difference((old, old_part), (new, new_part), deadline));
        }
    }
    covered.append(&mut replaced);
    let is_compared = |run: &Run| {
        let run = range(run);
        let meets = |part: &Range<i64>| part.start < run.end && run.start < part.end;
        covered.iter().any(meets)
    };
    let between = then.runs.iter().map(is_compared);
    let mut between = between.skip_while(|compared| !compared);
    let has_lost = between.any(|compared| !compared) && between.any(|compared| compared);
    (compared, has_lost)
}

/// The parts of two runs that have the same numbers after the lines of the first one have moved by `shift`. `None` if
/// there are none.
fn overlap(
    (old, then): (&Run, &Snapshot),
    (new, now): (&Run, &Snapshot),
    shift: i64,
) -> Option<(Range<usize>, Range<usize>)> {
    let was = range(old);
    let start = was.start.saturating_add(shift).max(new.first);
    let end = was.end.saturating_add(shift).min(range(new).end);
    let same_side = (old.first < 0) == (new.first < 0);
    let old_part = indexes(old, start.saturating_sub(shift)..end.saturating_sub(shift))?;
    let new_part = indexes(new, start..end)?;
    same_side.then(|| to_the_ends((old, then, old_part), (new, now, new_part)))
}

/// By how much the lines of a run may have moved: as far as the lines before it, or else as those after it.
fn shifts(run: usize, found: &[(Position, Position)], then: &Snapshot, now: &Snapshot) -> Vec<i64> {
    let side = |run: &Run| run.first < 0;
    let of = |(old, new): &(Position, Position)| {
        let (before, after) = (then.runs.get(old.0)?, now.runs.get(new.0)?);
        let same = side(before) == side(after) && now.runs.get(run).map(side) == Some(side(after));
        let line = |run: &Run, index: usize| run.first.saturating_add(number(index));
        same.then(|| line(after, new.1).saturating_sub(line(before, old.1)))
    };
    let at = found.partition_point(|(_, new)| new.0 < run);
    let mut before = found
        .get(..at)
        .unwrap_or_default()
        .iter()
        .rev()
        .filter_map(of);
    let mut after = found.get(at..).unwrap_or_default().iter().filter_map(of);
    let around: Vec<i64> = [before.next(), after.next()]
        .into_iter()
        .flatten()
        .collect();
    if around.is_empty() { vec![0] } else { around }
}

/// The indexes of lines in a run. `None` if there are none.
fn indexes(run: &Run, lines: Range<i64>) -> Option<Range<usize>> {
    let index = |line: i64| usize::try_from(line.saturating_sub(run.first)).ok();
    (lines.start < lines.end).then_some(())?;
    Some(index(lines.start)?..index(lines.end)?)
}

/// The numbers of lines of a run.
fn numbers(run: &Run, part: &Range<usize>) -> Range<i64> {
    let line = |index: usize| run.first.saturating_add(number(index));
    line(part.start)..line(part.end)
}

/// A run, its version, and the indexes of the lines that are compared.
type Part<'s> = (&'s Run, &'s Snapshot, Range<usize>);

/// The parts of two runs, up to the start and the end of the file if both have it.
fn to_the_ends(old: Part<'_>, new: Part<'_>) -> (Range<usize>, Range<usize>) {
    let ((old, then, mut old_part), (new, now, mut new_part)) = (old, new);
    if old.first == 1 && new.first == 1 {
        (old_part.start, new_part.start) = (0, 0);
    }
    if is_end(old, then) && is_end(new, now) {
        (old_part.end, new_part.end) = (old.lines.len(), new.lines.len());
    }
    (old_part, new_part)
}

fn difference(
    (old, old_part): (&Run, Range<usize>),
    (new, new_part): (&Run, Range<usize>),
    deadline: Option<Instant>,
) -> Option<Differences> {
    let numbers = numbers(new, &new_part);
    let (then, now) = (old.lines.get(old_part)?, new.lines.get(new_part)?);
    let operations = capture_diff_slices_deadline(Algorithm::Myers, then, now, deadline);
    let place = |operation: &DiffOp| Place {
        first: numbers
            .start
            .saturating_add(number(operation.new_range().start)),
        lines: operation.new_range().len(),
        before: operation.old_range().len(),
    };
    let differing = operations
        .iter()
        .filter(|operation| !matches!(operation, DiffOp::Equal { .. }));
    let differing = differing.map(place).collect();
    Some((numbers, differing))
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
        match compare(now, std::slice::from_ref(then), |_| Identity::Other) {
            Compared::Changed(places) => places,
            Compared::Unknown => Vec::new(),
            Compared::Same => panic!("nothing has changed"),
        }
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
        let second_is = |identity| {
            move |version: &Snapshot| {
                if version.runs[0].first == 3 {
                    identity
                } else {
                    Identity::Other
                }
            }
        };
        let versions = [second, first];
        for identity in [Identity::Same, Identity::Unsure] {
            let now = version(1, "A b C d e", 9);
            assert_eq!(
                compare(&now, &versions, second_is(identity)),
                Compared::Changed(vec![place(1, 1, 1)])
            );
            let now = version(3, "C d e", 9);
            assert_eq!(
                compare(&now, &versions, second_is(identity)),
                Compared::Same
            );
        }
        // Without a former version, nothing can have changed.
        let now = version(3, "C d e", 9);
        let only = &versions[..1];
        assert_eq!(
            compare(&now, only, second_is(Identity::Same)),
            Compared::Same
        );
        // A tag is only a name: other lines are a change.
        let now = version(3, "X d e", 9);
        assert_eq!(
            compare(&now, only, second_is(Identity::Unsure)),
            Compared::Changed(vec![place(3, 1, 1)])
        );
    }

    #[test]
    fn change_that_was_undone_is_a_change() {
        let versions = [version(1, "a B c", 3), version(1, "a b c", 3)];
        let now = version(1, "a b c", 3);
        let is_first = |then: &Snapshot| {
            if then.runs[0].lines[1] == "b" {
                Identity::Same
            } else {
                Identity::Other
            }
        };
        assert_eq!(
            compare(&now, &versions, is_first),
            Compared::Changed(vec![place(2, 1, 1)])
        );
        // Lines that were not shown of the version in between are as they were.
        let versions = [version(2, "B", 3), version(1, "a b c", 3)];
        assert_eq!(
            compare(&version(3, "c", 3), &versions, is_first_line),
            Compared::Changed(Vec::new())
        );
    }

    fn is_first_line(then: &Snapshot) -> Identity {
        if then.runs[0].first == 1 {
            Identity::Same
        } else {
            Identity::Other
        }
    }

    fn runs(total: u64, parts: &[(i64, &str)]) -> Snapshot {
        let mut snapshot = Snapshot::new("/a");
        snapshot.total = Some(total);
        snapshot.runs = parts
            .iter()
            .flat_map(|(first, lines)| version(*first, lines, total).runs)
            .collect();
        snapshot
    }

    #[test]
    fn runs_are_compared_with_those_in_the_same_place() {
        let then = runs(9, &[(1, "h }"), (4, "} b"), (7, "c }")]);
        let now = runs(10, &[(1, "h }"), (4, "} b"), (7, "c }")]);
        assert_eq!(since(&now, &then), []);
        // Heads of declarations, of which one was renamed, and two lines were added before it.
        let then = runs(40, &[(1, "f1 }"), (11, "f2 }"), (21, "f3 }"), (31, "f4 }")]);
        let now = runs(42, &[(1, "f1 }"), (11, "f2 }"), (23, "g3 }"), (33, "f4 }")]);
        assert_eq!(since(&now, &then), [place(23, 1, 1)]);
        // Lines that have changed places.
        let then = runs(30, &[(5, "5 6"), (10, "10 11"), (20, "20 21")]);
        let now = runs(30, &[(5, "10 11"), (10, "5 6"), (20, "20 21")]);
        assert_eq!(since(&now, &then).len(), 1);
        // A declaration that was removed, and one that was added.
        let heads = [(1, "f1 }"), (11, "f2 }"), (21, "f3 }"), (31, "f4 }")];
        let all = runs(40, &heads);
        let without = runs(30, &[(1, "f1 }"), (11, "f3 }"), (21, "f4 }")]);
        for (now, then) in [(&all, &without), (&without, &all)] {
            let compared = compare(now, std::slice::from_ref(then), |_| Identity::Other);
            assert_ne!(compared, Compared::Changed(Vec::new()));
            assert_ne!(compared, Compared::Same);
        }
    }

    #[test]
    fn file_without_lines_is_compared_as_a_whole() {
        let then = version(1, "a b", 2);
        let mut empty = Snapshot::new("/a");
        empty.total = Some(0);
        assert_eq!(since(&empty, &then), [place(1, 0, 2)]);
        let image = Snapshot::new("/a");
        let compared = |identity| compare(&image, std::slice::from_ref(&image), |_| identity);
        assert_eq!(compared(Identity::Other), Compared::Unknown);
        assert_eq!(compared(Identity::Same), Compared::Same);
        assert_eq!(compare(&image, &[], |_| Identity::Other), Compared::Same);
    }
}
