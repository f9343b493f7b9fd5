//! The runs of lines that a window requests.

use crate::path::{Lines, Range};
use crate::window::Window;

/// A place in the requested runs of lines.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// The index of the run that contains the line.
    pub index: usize,
    pub line: i64,
    pub column: u64,
}

impl Spot {
    /// The start of the text, in the first run.
    pub const START: Self = Self {
        index: 0,
        line: 1,
        column: 1,
    };
}

/// A range of lines to show. A negative line number counts from the end of the text.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub first: i64,
    /// The column from which the first line is shown, counted from 1.
    pub column: u64,
    pub last: Option<i64>,
    /// Whether the first line may exceed the limit of characters for a line.
    pub uncut: bool,
}

impl Run {
    pub fn of(range: &Range) -> Self {
        let first = signed(range.start.line);
        Self {
            first,
            column: range.start.column,
            last: match range.end {
                Some(end) => Some(signed(end)),
                None => range.by_column.then_some(first),
            },
            // A range from column 1 to an end may request exactness only, not a long line.
            uncut: range.by_column && (range.start.column > 1 || range.end.is_none()),
        }
    }

    /// The number of lines that this run requests, or `open_lines` if the run has no last line.
    pub fn lines(&self, open_lines: u64) -> u64 {
        self.last.map_or(open_lines, |last| {
            u64::try_from(last.saturating_sub(self.first))
                .unwrap_or(0)
                .saturating_add(1)
        })
    }
}

/// A line number as a signed one.
pub fn signed(line: u64) -> i64 {
    i64::try_from(line).unwrap_or(i64::MAX)
}

/// The ranges of lines to show for a window, which is a request for lines. The window must not
/// request the last lines of the text.
pub fn runs(window: &Window) -> Vec<Run> {
    match &window.selector.lines {
        Lines::All | Lines::Tail { .. } => vec![Run::of(&Range::lines(1, None))],
        Lines::One(range) => {
            let shown = window.context_range().map(|range| range.padded());
            vec![Run::of(&shown.unwrap_or(*range))]
        }
        Lines::List(ranges) => ranges.iter().map(Run::of).collect(),
    }
}
