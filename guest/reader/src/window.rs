//! What was asked for, and the page that answers it.
//!
//! Between sources and dialects stands one [`Window`] and one [`Page`]. What a
//! page left out, why, and how to go on is computed where the page is filled
//! (`pages`), from what was really emitted.

use crate::limits;
use crate::path::{Lines, Part, Range, Selector, Start};
use crate::visible::Marks;

/// How the number of a line is written before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Not at all.
    None,
    /// `12:`
    Colon,
    /// `12|`
    Bar,
    /// Right-aligned to six columns and a tab, as `cat -n` does.
    Tab,
    /// Right-aligned to four columns, and ` | `.
    Column,
}

impl Numbering {
    /// Writes what stands before a line; `column` is where the line starts if
    /// it is shown from the middle.
    pub fn write(self, line: i64, column: u64, out: &mut String) {
        let (width, end) = match self {
            Self::None => return,
            Self::Colon => (0, ":"),
            Self::Bar => (0, "|"),
            Self::Tab => (6, "\t"),
            Self::Column => (4, " | "),
        };
        // A page has thousands of them, so they do not go through `fmt`.
        let mut digits = itoa::Buffer::new();
        let number = digits.format(line);
        for _ in number.len()..width {
            out.push(' ');
        }
        out.push_str(number);
        if column > 1 && matches!(self, Self::Colon | Self::Bar) {
            out.push('@');
            out.push_str(digits.format(column));
        }
        out.push_str(end);
    }

    /// Bytes that this costs, at most one off for lines from the middle.
    fn cost(self, line: i64) -> u64 {
        let digits = u64::from(line.unsigned_abs().checked_ilog10().unwrap_or(0)).saturating_add(1);
        match self {
            Self::None => 0,
            Self::Colon | Self::Bar => digits.saturating_add(1),
            Self::Tab => digits.max(6).saturating_add(1),
            Self::Column => digits.max(4).saturating_add(3),
        }
    }
}

/// How many bytes a page may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// As many as the lines that it is meant for are worth.
    ByLines,
    /// This many, in whole lines.
    Lines(u64),
    /// This many, and the last line ends where they do.
    Bytes(u64),
}

/// What a page is asked to show, and how much it may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Which lines.
    pub selector: Selector,
    /// Lines of an open-ended read.
    pub open_lines: u64,
    /// Lines of any read.
    pub max_lines: u64,
    /// A single range shows lines around it.
    pub context: bool,
    /// The dialect states the exact number of lines.
    pub exact_total: bool,
    /// What stands before each line.
    pub numbering: Numbering,
    /// Characters of a line outside raw; `None` is all of them.
    pub line_chars: Option<u64>,
    /// Bytes of what marks a line as cut.
    pub cut_cost: u64,
    /// How many bytes it may hold.
    pub capacity: Capacity,
}

impl Window {
    /// Bytes that the page holds at most if it is meant for this many lines.
    pub fn max_bytes(&self, lines: u64) -> u64 {
        match self.capacity {
            Capacity::ByLines => limits::PAGE_BYTES.max(
                lines
                    .min(limits::MAX_LINES)
                    .saturating_mul(limits::BYTES_PER_LINE),
            ),
            Capacity::Lines(bytes) | Capacity::Bytes(bytes) => bytes,
        }
    }

    /// Bytes of a line on the page beside its text.
    pub fn line_cost(&self, line: i64) -> u64 {
        if self.selector.raw {
            return 0;
        }
        self.numbering.cost(line).saturating_add(1)
    }

    /// The range that was asked for, if it is shown with context.
    pub fn padded(&self) -> Option<Range> {
        match self.selector.lines {
            Lines::One(range)
                if self.context
                    && !self.selector.raw
                    && !range.by_column
                    && range.end.is_some() =>
            {
                Some(range)
            }
            _ => None,
        }
    }
}

/// How many lines there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// All of them were counted.
    Exact(u64),
    /// Counting stopped here.
    AtLeast(u64),
}

impl Total {
    /// The number, exact or not.
    pub fn count(self) -> u64 {
        match self {
            Self::Exact(n) | Self::AtLeast(n) => n,
        }
    }
}

/// Why a page ended before what was asked for did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// It held as many lines as it may.
    Lines,
    /// The next line would not have fitted into this many bytes.
    Bytes(u64),
}

/// A line on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, counted from 1; negative ones count from the end.
    pub number: i64,
    /// The column it is shown from, counted from 1 in characters.
    pub column: u64,
    /// Where its text starts in [`Page::text`]; it ends where the next one
    /// starts.
    pub start: usize,
    /// The column that comes next, if the line was cut.
    pub cut: Option<u64>,
}

/// The lines that were shown and what is known of the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Of what the lines are.
    pub part: Part,
    /// The lines, one after the other: exactly for raw, else made visible and
    /// without their endings.
    pub text: String,
    /// Where each of them lies.
    pub lines: Vec<Line>,
    /// Why the page ended early, if it did.
    pub limit: Option<Limit>,
    /// What asks for what comes after the last line; `None` if nothing does.
    pub rest: Option<Selector>,
    /// `rest` goes on inside the last line.
    pub inside: bool,
    /// What asks for all that was asked for and is not on the page: what follows
    /// in lines that were cut, then `rest`. `None` if all was shown.
    pub left: Option<Selector>,
    /// The lines there are.
    pub total: Total,
    /// Ranges that were asked for and lie past the end.
    pub skipped: Vec<Range>,
    /// What was made visible, or replaced.
    pub marks: Marks,
    /// Whether the last line ends in a line ending, if the end was seen.
    pub final_newline: Option<bool>,
    /// Why reading stopped early, if the source failed in the middle.
    pub damage: Option<String>,
}

impl Page {
    /// A page without lines.
    pub fn empty() -> Self {
        Self {
            part: Part::Whole,
            text: String::new(),
            lines: Vec::new(),
            limit: None,
            rest: None,
            inside: false,
            left: None,
            total: Total::AtLeast(0),
            skipped: Vec::new(),
            marks: Marks::default(),
            final_newline: None,
            damage: None,
        }
    }

    /// The text of the line at `index`.
    pub fn line(&self, index: usize) -> &str {
        let start = self.lines.get(index).map_or(self.text.len(), |l| l.start);
        let end = self
            .lines
            .get(index.saturating_add(1))
            .map_or(self.text.len(), |l| l.start);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The lines without anything before or behind them, joined by `\n`.
    pub fn plain(&self) -> String {
        let mut plain = String::with_capacity(self.text.len().saturating_add(self.lines.len()));
        for index in 0..self.lines.len() {
            if index > 0 {
                plain.push('\n');
            }
            plain.push_str(self.line(index));
        }
        plain
    }

    /// The runs of lines shown, first and last.
    pub fn spans(&self) -> Vec<(i64, i64)> {
        runs(self.lines.iter())
    }

    /// The runs of lines shown from their first character to their last.
    pub fn whole_spans(&self) -> Vec<(i64, i64)> {
        let whole = |line: &&Line| line.column == 1 && line.cut.is_none();
        runs(self.lines.iter().filter(whole))
    }

    /// Whether the line at `index` does not follow the one before it.
    pub fn gap_before(&self, index: usize) -> bool {
        let number = |i: usize| self.lines.get(i).map(|l| l.number);
        match index.checked_sub(1).and_then(number) {
            Some(before) => number(index).is_some_and(|n| n > before.saturating_add(1)),
            None => false,
        }
    }

    /// Whether `rest` goes on inside the last line.
    pub fn rest_is_inside(&self) -> bool {
        let last = self.lines.last();
        let starts = |range: &Range| {
            last.is_some_and(|last| {
                i64::try_from(range.start.line) == Ok(last.number)
                    && last.cut == Some(range.start.column)
            })
        };
        match self.rest.as_ref().map(|rest| &rest.lines) {
            Some(Lines::One(range)) => starts(range),
            Some(Lines::List(ranges)) => ranges.first().is_some_and(starts),
            Some(Lines::Tail { column, .. }) => last.is_some_and(|last| last.cut == Some(*column)),
            Some(Lines::All) | None => false,
        }
    }

    /// The lines that were cut, each with the column that comes next, without
    /// the one in which `rest` goes on.
    pub fn cuts(&self) -> impl Iterator<Item = (&Line, u64)> {
        let count = self.lines.len().saturating_sub(usize::from(self.inside));
        let lines = self.lines.iter().take(count);
        lines.filter_map(|line| Some((line, line.cut?)))
    }

    /// The selector that reads on in a line that was cut.
    pub fn rest_of(&self, line: &Line, column: u64) -> Selector {
        let lines = match u64::try_from(line.number) {
            Ok(number) => Lines::One(Range {
                start: Start {
                    line: number,
                    column,
                },
                end: None,
                by_column: true,
            }),
            Err(_) => Lines::Tail {
                count: line.number.unsigned_abs(),
                column,
            },
        };
        Selector {
            part: self.part,
            lines,
            raw: false,
        }
    }
}

/// Runs of consecutive lines, first and last.
pub fn runs<'l>(lines: impl Iterator<Item = &'l Line>) -> Vec<(i64, i64)> {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some((_, last)) if line.number <= last.saturating_add(1) => *last = line.number,
            _ => runs.push((line.number, line.number)),
        }
    }
    runs
}
