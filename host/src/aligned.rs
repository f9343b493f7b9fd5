//! Which lines of two texts are in the same place, and sets of line numbers.

use omniread_store::Run;
use std::collections::HashMap;
use std::ops::Range;

/// The place of a line: the index of its run, and its index in the run.
pub(crate) type Place = (usize, usize);

/// The lines that occur once in two texts of which only runs are known, as their places in both, in increasing
/// order of both.
pub(crate) fn anchors(old: &[Run], new: &[Run]) -> Vec<(Place, Place)> {
    let wanted = once(old);
    let unique = once(new);
    let mut anchors: Vec<(Place, Place)> = wanted
        .iter()
        .filter_map(|(line, place)| Some(((*place)?, (*unique.get(line)?)?)))
        .collect();
    anchors.sort_unstable();
    // Lines that were moved are no anchors: the longest increasing part stays.
    increasing(&anchors)
}

/// The lines of runs with their places. `None` for lines that occur several times.
fn once(runs: &[Run]) -> HashMap<&str, Option<Place>> {
    let mut places: HashMap<&str, Option<Place>> = HashMap::new();
    for (number, run) in runs.iter().enumerate() {
        for (index, line) in run.lines.iter().enumerate() {
            places
                .entry(line)
                .and_modify(|place| *place = None)
                .or_insert(Some((number, index)));
        }
    }
    places
}

/// The longest part of pairs whose second elements increase. The first ones increase already.
fn increasing<T: Copy + Ord>(pairs: &[(T, T)]) -> Vec<(T, T)> {
    // For each length, the pair that ends such a part with the smallest second element.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |index: &usize| pairs.get(*index).map(|pair| pair.1);
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| second(end) < Some(pair.1));
        before.push(
            length
                .checked_sub(1)
                .and_then(|last| ends.get(last).copied()),
        );
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut part = Vec::new();
    let mut next = ends.last().copied();
    while let Some(index) = next {
        part.extend(pairs.get(index).copied());
        next = before.get(index).copied().flatten();
    }
    part.reverse();
    part
}

/// Ranges without another one.
pub(crate) fn without(ranges: &[Range<i64>], other: &Range<i64>) -> Vec<Range<i64>> {
    let parts = ranges.iter().flat_map(|range| {
        let before = range.start..range.end.min(other.start);
        let after = range.start.max(other.end)..range.end;
        [before, after]
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// Whether `lines` lines from `first` on are in a range. Lines that were removed before `first` are if it is in the
/// range, at its start, or after its end.
pub(crate) fn touches(range: &Range<i64>, first: i64, lines: usize) -> bool {
    if lines == 0 {
        return (range.start..=range.end).contains(&first);
    }
    first < range.end && first.saturating_add(number(lines)) > range.start
}

/// A number of lines, as one of their numbers.
pub(crate) fn number(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

/// The numbers of the lines of a run.
pub(crate) fn range(run: &Run) -> Range<i64> {
    run.first..run.first.saturating_add(number(run.lines.len()))
}

/// How a version that was shown relates to the file now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// It is the version of the file now.
    Same,
    /// It is another one.
    Other,
    /// It has the tag of the file now, which another version may have too. The lines decide.
    Unsure,
}
