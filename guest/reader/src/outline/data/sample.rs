//! Lines and facts that stand for a long text of records.

use crate::sort;
use crate::units::thousands;
use std::collections::VecDeque;

/// Lines of a record that are shown.
const RECORD: u32 = 20;

/// What a text of records is shown by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Lines that are worth showing: the first and the last one of each run, in
    /// order, none next to another.
    pub shown: Vec<(u32, u32)>,
    /// What holds for all of the text, in short.
    pub words: Vec<String>,
}

/// The first and the last records of a text.
#[derive(Debug)]
pub struct Ends {
    first: Vec<(u32, u32)>,
    last: VecDeque<(u32, u32)>,
    most: (usize, usize),
}

impl Ends {
    /// So many from the start, and so many up to the end.
    pub fn new(first: usize, last: usize) -> Self {
        Self {
            first: Vec::new(),
            last: VecDeque::new(),
            most: (first, last),
        }
    }

    /// The next record stands on these lines.
    pub fn add(&mut self, first: u32, last: u32) {
        let last = last.min(first.saturating_add(RECORD).saturating_sub(1));
        if self.first.len() < self.most.0 {
            self.first.push((first, last));
        } else {
            if self.last.len() >= self.most.1 {
                self.last.pop_front();
            }
            self.last.push_back((first, last));
        }
    }

    /// Their lines and these, as runs.
    pub fn with(self, others: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
        let mut lines: Vec<(u32, u32)> = self
            .first
            .into_iter()
            .chain(self.last)
            .chain(others)
            .collect();
        sort::by(&mut lines, |(first, last)| {
            ((*first).into(), (*last).into())
        });
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (first, last) in lines {
            match runs.last_mut() {
                Some(run) if run.1.saturating_add(1) >= first => run.1 = run.1.max(last),
                _ => runs.push((first, last)),
            }
        }
        runs
    }
}

/// Up to so many of these, at equal distances, with the first and the last one.
pub fn spread<T: Copy>(lines: &[T], most: usize) -> impl Iterator<Item = T> {
    let count = lines.len().min(most);
    let steps = count.saturating_sub(1).max(1);
    (0..count).filter_map(move |n| {
        let at = n
            .saturating_mul(lines.len().saturating_sub(1))
            .checked_div(steps)?;
        lines.get(at).copied()
    })
}

/// So many of something: `1 record`, `1,204 records`.
pub fn counted(count: u64, one: &str) -> String {
    let more = if count == 1 { "" } else { "s" };
    format!("{} {one}{more}", thousands(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs() {
        let mut ends = Ends::new(2, 2);
        for line in 1..=9 {
            ends.add(line * 2, line * 2);
        }
        assert_eq!(ends.with([(5, 6), (17, 17)]), [(2, 2), (4, 6), (16, 18)]);
        let mut ends = Ends::new(1, 1);
        ends.add(3, 400);
        assert_eq!(ends.with([]), [(3, 22)]);
    }

    #[test]
    fn spread_evenly() {
        let lines: Vec<(u32, u32)> = (0..101).map(|line| (line, line)).collect();
        let spread_to = |most| {
            spread(&lines, most)
                .map(|(line, _)| line)
                .collect::<Vec<_>>()
        };
        assert_eq!(spread_to(5), [0, 25, 50, 75, 100]);
        assert_eq!(spread_to(1), [0]);
        assert_eq!(spread(&lines[..3], 20).count(), 3);
        assert_eq!(spread::<u32>(&[], 20).count(), 0);
    }
}
