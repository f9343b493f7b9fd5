//! The request for lines, and the page that results from it.
//!
//! Sources and dialects share one [`Window`] and one [`Page`]. The module `pages` computes what
//! a page left out, why, and how to continue, from the lines that it emitted.

use crate::escapes::EscapeCounts;
use crate::limits;
use crate::path::{Lines, Part, Range, Selector, Start};
use std::fmt;

/// The format of the line number before each line of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// No number.
    None,
    /// The number and a colon: `12:`.
    Colon,
    /// The number and a bar: `12|`.
    Bar,
    /// The number, right-aligned to six characters, and a tab, as in `cat -n`.
    Tab,
    /// The number, right-aligned to four characters, and ` | `.
    Column,
    /// The number, a colon and a space: `12: `.
    Spaced,
    /// An `L`, the number, a colon and a space: `L12: `.
    Letter,
}

impl Numbering {
    /// Writes the line number before a line. `column` is the first shown column of the line,
    /// counted from 1. It is written as in `12@40:` if it is not 1 and the format is `Colon` or
    /// `Bar`.
    pub fn write(self, line: i64, column: u64, out: &mut String) {
        let (width, end) = match self {
            Self::None => return,
            Self::Colon => (0, ":"),
            Self::Bar => (0, "|"),
            Self::Tab => (6, "\t"),
            Self::Column => (4, " | "),
            Self::Spaced => (0, ": "),
            Self::Letter => {
                out.push('L');
                (0, ": ")
            }
        };
        // A page has thousands of numbers, so they do not go through `fmt`.
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

    /// The size in bytes of the line number and the characters after it. The column that is written
    /// for a line that is not shown from its start is not counted.
    fn overhead(self, line: i64) -> u64 {
        let digits = u64::from(line.unsigned_abs().checked_ilog10().unwrap_or(0)).saturating_add(1);
        match self {
            Self::None => 0,
            Self::Colon | Self::Bar => digits.saturating_add(1),
            Self::Tab => digits.max(6).saturating_add(1),
            Self::Column => digits.max(4).saturating_add(3),
            Self::Spaced => digits.saturating_add(2),
            Self::Letter => digits.saturating_add(3),
        }
    }
}

/// The maximum size of a page in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// A size that grows with the number of requested lines.
    ByLines,
    /// This many bytes. A line that does not fit is left for the next page, unless it is the first.
    Lines(u64),
    /// This many bytes. A line that does not fit is cut at this size.
    Bytes(u64),
}

/// The lines that are requested for a page, and the limits of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The requested lines.
    pub selector: Selector,
    /// The maximum number of lines of a page if the requested range has no end.
    pub open_lines: u64,
    /// The maximum number of lines of any page.
    pub max_lines: u64,
    /// Whether a request for a single range also shows a few lines before and after the range.
    pub context: bool,
    /// Whether all lines of the text are counted, because the reply states their exact number.
    pub exact_total: bool,
    /// The format of the number before each line.
    pub numbering: Numbering,
    /// The maximum number of characters that are shown of a line, except in raw text. `None` for no
    /// limit.
    pub line_chars: Option<u64>,
    /// The size in bytes of the mark that is written after a cut line.
    pub cut_mark_bytes: u64,
    /// The maximum size of the page.
    pub capacity: Capacity,
    /// The maximum size in bytes of the page, whatever its capacity is.
    pub reply_bytes: u64,
    /// The maximum number of tokens, as an estimate, of the lines of the page with their numbers. `None` for no
    /// limit.
    pub tokens: Option<u64>,
}

impl Window {
    /// The maximum size of the page in bytes, if `lines` lines are requested.
    pub fn max_bytes(&self, lines: u64) -> u64 {
        let bytes = match self.capacity {
            Capacity::ByLines => limits::PAGE_BYTES.max(
                lines
                    .min(limits::MAX_LINES)
                    .saturating_mul(limits::BYTES_PER_LINE),
            ),
            Capacity::Lines(bytes) | Capacity::Bytes(bytes) => bytes,
        };
        bytes.min(self.reply_bytes)
    }

    /// The number of bytes that a line adds to the page besides its text: its line number and its
    /// line ending.
    pub fn line_overhead(&self, line: i64) -> u64 {
        if self.selector.raw {
            return 0;
        }
        self.numbering.overhead(line).saturating_add(1)
    }

    /// The requested range of lines, if a few lines before and after it are shown too. `None`
    /// otherwise.
    pub fn context_range(&self) -> Option<Range> {
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

/// The number of lines of a text, or of rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// The exact number: all lines or rows were counted.
    Exact(u64),
    /// A lower bound: there are at least this many lines or rows.
    AtLeast(u64),
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(n) => n.fmt(f),
            Self::AtLeast(n) => write!(f, "at least {n}"),
        }
    }
}

impl Total {
    /// The number, which is only a lower bound if it is not exact.
    pub fn count(self) -> u64 {
        match self {
            Self::Exact(n) | Self::AtLeast(n) => n,
        }
    }
}

/// The limit that a page reached before the end of the requested lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The maximum number of lines, or of cut lines.
    Lines,
    /// The maximum size of the page. Contains this size in bytes.
    Bytes(u64),
    /// The maximum number of tokens of the page. Contains this number.
    Tokens(u64),
}

/// A line on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the line, counted from 1. A negative number counts from the end: -1 is the
    /// last line.
    pub number: i64,
    /// The first shown column of the line, in characters counted from 1.
    pub column: u64,
    /// The byte offset in [`Page::text`] at which the text of the line starts. The text ends where
    /// the text of the next line starts.
    pub start: usize,
    /// The first column after the shown ones, if the line is cut.
    pub cut: Option<u64>,
    /// The number of columns of the line, if `column` is after the end of the line.
    pub length: Option<u64>,
}

/// The lines that are shown, and facts about the rest of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The part of the source that the lines belong to, such as the whole source or some cells of a
    /// notebook.
    pub part: Part,
    /// The text of all lines of the page. Raw text is exact. Other text is escaped and has no line
    /// endings.
    pub text: String,
    /// The position of each line in `text`.
    pub lines: Vec<Line>,
    /// The limit that the page reached before the end of the requested lines. `None` if it reached
    /// no limit.
    pub limit: Option<Limit>,
    /// The selector of the requested text after the end of the page. `None` if the page reaches the
    /// end of the requested text. Only `remaining` also contains the rest of cut lines.
    pub following: Option<Selector>,
    /// Whether `following` starts inside the last line of the page.
    pub following_is_inside_line: bool,
    /// The selector of all requested text that is not on the page: the rest of cut lines, then
    /// `following`. `None` if everything is shown.
    pub remaining: Option<Selector>,
    /// The number of lines of the text.
    pub total: Total,
    /// The requested ranges that start after the end of the text.
    pub skipped: Vec<Range>,
    /// The numbers of characters that were escaped or replaced.
    pub escapes: EscapeCounts,
    /// Whether the last line of the text has a line ending. `None` if the page did not reach the
    /// end of the text, or has no lines.
    pub final_newline: Option<bool>,
    /// The error message, if a part of the source could not be read.
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
            following: None,
            following_is_inside_line: false,
            remaining: None,
            total: Total::AtLeast(0),
            skipped: Vec::new(),
            escapes: EscapeCounts::default(),
            final_newline: None,
            damage: None,
        }
    }

    /// The text of the line at `index` in `lines`.
    pub fn line(&self, index: usize) -> &str {
        let start = self.lines.get(index).map_or(self.text.len(), |l| l.start);
        let end = self
            .lines
            .get(index.saturating_add(1))
            .map_or(self.text.len(), |l| l.start);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The text of the lines, without numbers and marks, joined by `\n`.
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

    /// The runs of consecutive lines on the page, each as its first and last line number.
    pub fn spans(&self) -> Vec<(i64, i64)> {
        runs(self.lines.iter())
    }

    /// The runs of consecutive lines that the page shows completely, each as its first and last
    /// line number.
    pub fn whole_spans(&self) -> Vec<(i64, i64)> {
        let whole = |line: &&Line| line.column == 1 && line.cut.is_none();
        runs(self.lines.iter().filter(whole))
    }

    /// Whether lines of the text are left out between the line at `index` and the line before it on
    /// the page.
    pub fn gap_before(&self, index: usize) -> bool {
        let number = |i: usize| self.lines.get(i).map(|l| l.number);
        match index.checked_sub(1).and_then(number) {
            Some(before) => number(index).is_some_and(|n| n > before.saturating_add(1)),
            None => false,
        }
    }

    /// Whether `following` starts inside the last line of the page.
    pub fn following_starts_inside_line(&self) -> bool {
        let last = self.lines.last();
        let starts = |range: &Range| {
            last.is_some_and(|last| {
                i64::try_from(range.start.line) == Ok(last.number)
                    && last.cut == Some(range.start.column)
            })
        };
        match self.following.as_ref().map(|rest| &rest.lines) {
            Some(Lines::One(range)) => starts(range),
            Some(Lines::List(ranges)) => ranges.first().is_some_and(starts),
            Some(Lines::Tail { column, .. }) => last.is_some_and(|last| last.cut == Some(*column)),
            Some(Lines::All) | None => false,
        }
    }

    /// The cut lines of the page, each with the first column after the shown ones. The line in
    /// which `following` starts is not among them.
    pub fn cuts(&self) -> impl Iterator<Item = (&Line, u64)> {
        let count = self
            .lines
            .len()
            .saturating_sub(usize::from(self.following_is_inside_line));
        let lines = self.lines.iter().take(count);
        lines.filter_map(|line| Some((line, line.cut?)))
    }

    /// The selector of the rest of a cut line, from `column` to its end.
    pub fn line_remainder(&self, line: &Line, column: u64) -> Selector {
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
            part: self.part.clone(),
            lines,
            raw: false,
        }
    }
}

/// The runs of consecutive lines among `lines`, each as its first and last line number.
pub fn runs<'l>(lines: impl Iterator<Item = &'l Line>) -> Vec<(i64, i64)> {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            // Lines that are counted from the end do not follow those that are counted from the start.
            Some((first, last))
                if (*first < 0) == (line.number < 0) && line.number <= last.saturating_add(1) =>
            {
                *last = line.number;
            }
            _ => runs.push((line.number, line.number)),
        }
    }
    runs
}
