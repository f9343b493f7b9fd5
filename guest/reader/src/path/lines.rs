//! Selectors of lines and columns: `50-80`, `-20`, `12@2001`.

use crate::failure::{Failure, Reason};
use crate::limits;
use omniread_outline::sort;
use std::fmt;

/// The start of a range: a line and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    /// The line, counted from 1.
    pub line: u64,
    /// The column in characters, counted from 1; 1 if the selector has no column.
    pub column: u64,
}

/// A range of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first line, and the column in it.
    pub start: Start,
    /// The last line. `None` means the end of the text or, if `by_column` is true, the end of the
    /// first line.
    pub end: Option<u64>,
    /// Whether the selector has a column. Such a range is shown without context lines. If it has no
    /// end, it is the rest of one line.
    pub by_column: bool,
}

impl Range {
    /// The range of the lines `first` to `last`.
    pub fn lines(first: u64, last: Option<u64>) -> Self {
        Self {
            start: Start {
                line: first,
                column: 1,
            },
            end: last,
            by_column: false,
        }
    }

    /// This range extended by the context lines before and after it.
    #[must_use]
    pub fn padded(&self) -> Self {
        let first = self.start.line.saturating_sub(limits::CONTEXT_BEFORE);
        let last = |end: u64| end.saturating_add(limits::CONTEXT_AFTER);
        Self::lines(first.max(1), self.end.map(last))
    }
}

/// The lines that a selector requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lines {
    /// All lines, because the path has no selector for lines.
    All,
    /// One range: `N`, `A-B`, `A+C` or `N@C`.
    One(Range),
    /// A list of ranges, sorted and without overlap.
    List(Vec<Range>),
    /// The last lines of the text.
    Tail {
        /// The number of lines at the end of the text.
        count: u64,
        /// The column at which the first of these lines starts, counted from 1.
        column: u64,
    },
}

/// Parses a selector of lines. Returns `Ok(None)` if the text does not have the syntax of such a
/// selector.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the syntax is right but the numbers are not, as in
/// `0` or `9-3`.
pub fn parse_lines(text: &str) -> Result<Option<Lines>, Failure> {
    if let Some(tail) = text.strip_prefix('-') {
        return parse_tail(text, tail);
    }
    let parts: Vec<&str> = text.split(',').collect();
    let mut ranges = Vec::with_capacity(parts.len());
    let mut wrong = None;
    for part in &parts {
        match parse_range(part) {
            None => return Ok(None),
            Some(Ok(range)) => ranges.push(range),
            // If a later part is not a range, the whole text is a name and not a mistake.
            Some(Err(failure)) => wrong = wrong.or(Some(failure)),
        }
    }
    if let Some(failure) = wrong {
        return Err(failure);
    }
    if let [only] = ranges.as_slice() {
        return Ok(Some(Lines::One(only.range)));
    }
    let ranges = ranges
        .into_iter()
        .map(|parsed| {
            let mut range = parsed.range;
            if parsed.bare {
                range.end = Some(range.start.line);
            }
            range
        })
        .collect();
    let ranges = merge(ranges);
    // A line in two ranges would be shown twice.
    let twice = ranges.windows(2).find_map(|pair| match pair {
        [first, then] => {
            let line = then.start.line;
            first.end.is_none_or(|end| line <= end).then_some(line)
        }
        _ => None,
    });
    if let Some(line) = twice {
        return Err(mistake(
            text,
            format!("Invalid column in a list: line {line} is in another range as well."),
        ));
    }
    // A range without an end has no context lines, so it needs no list to be exact.
    if let [only @ Range { end: None, .. }] = ranges.as_slice() {
        return Ok(Some(Lines::One(*only)));
    }
    Ok(Some(Lines::List(ranges)))
}

fn parse_tail(selector: &str, tail: &str) -> Result<Option<Lines>, Failure> {
    let (count, column) = match tail.split_once('@') {
        Some((count, column)) => (count, Some(column)),
        None => (tail, None),
    };
    let Some(count) = number(count) else {
        return Ok(None);
    };
    let column = match column.map(number) {
        None => 1,
        Some(Some(column)) => column,
        Some(None) => return Ok(None),
    };
    if count == 0 {
        return Err(mistake(
            selector,
            format!(
                "Tail selector -{count} is invalid; use :-N with N >= 1 to read the last N lines."
            ),
        ));
    }
    if column == 0 {
        return Err(column_zero(selector, &format!("-{count}")));
    }
    if column == u64::MAX {
        return Err(column_too_large(selector));
    }
    Ok(Some(Lines::Tail { count, column }))
}

struct Parsed {
    range: Range,
    /// Whether the range is written without a sign for its end: `N` or `N@C`. In a list, such a
    /// range is one line. Alone, `N` means all lines from N on.
    bare: bool,
}

/// Parses one range of lines. Returns `None` if the text does not have the syntax of a range.
fn parse_range(text: &str) -> Option<Result<Parsed, Failure>> {
    let digits = text.trim_start_matches(['l', 'L']);
    if text.len().saturating_sub(digits.len()) > 1 {
        return None;
    }
    let line_len = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (line, mut rest) = digits.split_at_checked(line_len)?;
    let line = number(line)?;
    let mut column = None;
    if let Some(after) = rest.strip_prefix('@') {
        let len = after.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, after) = after.split_at_checked(len)?;
        column = Some(number(digits)?);
        rest = after;
    }
    let by_column = column.is_some();
    let start = Start {
        line,
        column: column.unwrap_or(1),
    };
    let (end, bare) = if rest.is_empty() {
        (None, true)
    } else if let Some(count) = rest.strip_prefix('+') {
        let count = labelled(count)?;
        if count == 0 {
            return Some(Err(mistake(
                text,
                format!("Invalid range {line}+0: count must be >= 1."),
            )));
        }
        (Some(line.saturating_add(count.saturating_sub(1))), false)
    } else {
        let end = rest.strip_prefix("..").or_else(|| rest.strip_prefix('-'))?;
        if end.is_empty() {
            // `N-` is valid, `N@C-` is not: a range with a column and no end is one line.
            (column.is_none().then_some(None)?, false)
        } else {
            (Some(labelled(end)?), false)
        }
    };
    if line == u64::MAX {
        let digits = digits.get(..line_len).unwrap_or(digits);
        return Some(Err(mistake(
            text,
            format!("Line selector {digits} is invalid; no text has that many lines."),
        )));
    }
    if start.column == u64::MAX {
        return Some(Err(column_too_large(text)));
    }
    // No text has that many lines, so the range is open.
    let end = end.filter(|end| *end < u64::MAX);
    if line == 0 {
        return Some(Err(mistake(
            text,
            "Line selector 0 is invalid; lines are 1-indexed. Use :1.".to_owned(),
        )));
    }
    if start.column == 0 {
        return Some(Err(column_zero(text, &line.to_string())));
    }
    if let Some(end) = end.filter(|end| *end < line) {
        return Some(Err(mistake(
            text,
            format!("Invalid range {line}-{end}: end must be >= start."),
        )));
    }
    Some(Ok(Parsed {
        range: Range {
            start,
            end,
            by_column,
        },
        bare,
    }))
}

fn labelled(text: &str) -> Option<u64> {
    number(text.strip_prefix(['l', 'L']).unwrap_or(text))
}

/// Parses decimal digits. Returns `None` if the text contains anything else. A number that does not
/// fit into 64 bits becomes `u64::MAX`.
pub fn number(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(u64::MAX))
}

/// Creates the failure for a selector with invalid numbers.
pub fn mistake(selector: &str, message: String) -> Failure {
    Failure::new(Reason::InvalidSelector(selector.to_owned()), message)
}

fn column_zero(selector: &str, line: &str) -> Failure {
    mistake(
        selector,
        format!("Column selector 0 is invalid; columns are 1-indexed. Use :{line}@1."),
    )
}

fn column_too_large(selector: &str) -> Failure {
    mistake(
        selector,
        format!("Column selector {selector} is invalid; no line has that many characters."),
    )
}

/// Sorts ranges, and joins those that overlap or are adjacent. A range with a column is not joined
/// to the range before it.
fn merge(mut ranges: Vec<Range>) -> Vec<Range> {
    // The sort is stable: by start, then by end.
    sort::by(&mut ranges, |range| (range.end.unwrap_or(u64::MAX), 0));
    sort::by(&mut ranges, |range| (range.start.line, range.start.column));
    let mut merged: Vec<Range> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last)
                if !(range.by_column
                    || last.by_column && (last.end.is_none() || range.end.is_none()))
                    && last
                        .end
                        .is_none_or(|end| range.start.line <= end.saturating_add(1)) =>
            {
                last.end = match (last.end, range.end) {
                    (Some(a), Some(b)) => Some(a.max(b)),
                    _ => None,
                };
            }
            _ => merged.push(range),
        }
    }
    merged
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.start.line)?;
        if self.by_column {
            write!(f, "@{}", self.start.column)?;
        }
        match self.end {
            Some(end) => write!(f, "-{end}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Lines {
    /// Writes the shortest selector for these lines; an empty string for all lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::One(range) => write!(f, "{range}"),
            Self::List(ranges) => {
                for (n, range) in ranges.iter().enumerate() {
                    let comma = if n > 0 { "," } else { "" };
                    // In a list, a single number is one line.
                    if range.end == Some(range.start.line) && !range.by_column && ranges.len() > 1 {
                        write!(f, "{comma}{}", range.start.line)?;
                        continue;
                    }
                    let open = if range.end.is_none() && !range.by_column {
                        "-"
                    } else {
                        ""
                    };
                    write!(f, "{comma}{range}{open}")?;
                }
                Ok(())
            }
            Self::Tail { count, column: 1 } => write!(f, "-{count}"),
            Self::Tail { count, column } => write!(f, "-{count}@{column}"),
        }
    }
}
