//! Sample records and facts that summarise a long text of records.

use crate::limits;
use crate::numbers::thousands;
use std::collections::VecDeque;

/// The summary of a text that consists of records, such as a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The lines to show, as the numbers of the first and last line of each run of lines. Runs are
    /// in order and not adjacent.
    pub shown: Vec<(u32, u32)>,
    /// Short facts about all records: `3 records, 2 columns: id, name`.
    pub facts: Vec<String>,
}

/// Collects the lines of the first and last records of a text.
#[derive(Debug)]
pub struct FirstAndLast {
    first: Vec<(u32, u32)>,
    last: VecDeque<(u32, u32)>,
    most: (usize, usize),
}

impl FirstAndLast {
    /// Creates a collection that keeps at most `first` records from the start of the text and
    /// `last` records from its end.
    pub fn new(first: usize, last: usize) -> Self {
        Self {
            first: Vec::new(),
            last: VecDeque::new(),
            most: (first, last),
        }
    }

    /// Adds the next record, which begins on line `first` and ends on line `last`.
    pub fn add(&mut self, first: u32, last: u32) {
        let last = last.min(first.saturating_add(limits::RECORD_LINES).saturating_sub(1));
        if self.first.len() < self.most.0 {
            self.first.push((first, last));
        } else {
            if self.last.len() >= self.most.1 {
                self.last.pop_front();
            }
            self.last.push_back((first, last));
        }
    }

    /// The lines of the kept records, as runs of lines in order. Adjacent runs are merged.
    pub fn runs(self) -> Vec<(u32, u32)> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (first, last) in self.first.into_iter().chain(self.last) {
            match runs.last_mut() {
                Some(run) if run.1.saturating_add(1) >= first => run.1 = run.1.max(last),
                _ => runs.push((first, last)),
            }
        }
        runs
    }
}

/// A count with its noun: `1 record`, `1,204 records`.
pub fn counted(count: u64, one: &str) -> String {
    let more = if count == 1 { "" } else { "s" };
    format!("{} {one}{more}", thousands(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampled_records_merge_into_runs() {
        let mut ends = FirstAndLast::new(2, 2);
        for line in 1..=9 {
            ends.add(line * 2, line * 2);
        }
        assert_eq!(ends.runs(), [(2, 2), (4, 4), (16, 16), (18, 18)]);
        let mut ends = FirstAndLast::new(2, 2);
        for line in 1..=9 {
            ends.add(line, line);
        }
        assert_eq!(ends.runs(), [(1, 2), (8, 9)]);
        let mut ends = FirstAndLast::new(1, 1);
        ends.add(3, 400);
        assert_eq!(ends.runs(), [(3, 22)]);
    }
}
