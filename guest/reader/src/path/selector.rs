//! The selector at the end of a path: which lines, and whether exactly.
//!
//! | form | lines |
//! |---|---|
//! | `N`, `N-` | from N on |
//! | `A-B`, `A..B` | A to B |
//! | `A+C` | C lines from A |
//! | `-N` | the last N |
//! | `5-9,20,40-` | each of these; a bare number is that one line |
//! | `N@C`, `N@C-B` | line N from column C; then up to line B |
//! | `raw` | the text exactly; also before or after any of these |
//! | `img` | the picture that a text draws, such as SVG |
//! | `cell:4`, `cell:2-4` | cells of a notebook, counted from 0; lines of them after another colon |
//!
//! An `L` may stand before each number, and case does not matter.

use crate::failure::{Failure, Reason};
use std::fmt;

/// Where a range starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    /// The line, counted from 1.
    pub line: u64,
    /// The column, counted from 1 in characters; more than 1 only if it was
    /// asked for.
    pub column: u64,
}

/// A run of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Where it starts.
    pub start: Start,
    /// The last line; `None` is the end of the text.
    pub end: Option<u64>,
    /// The column was asked for. Such a range is exact, and without an end it
    /// is the rest of that one line.
    pub by_column: bool,
}

impl Range {
    /// Lines `first` to `last`.
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
}

/// Which lines a selector asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lines {
    /// No selector: from the start.
    All,
    /// One range: `N`, `A-B`, `A+C` or `N@C`.
    One(Range),
    /// A list, sorted, without overlap.
    List(Vec<Range>),
    /// The last lines, the first of them from a column.
    Tail {
        /// How many.
        count: u64,
        /// The column in the first of them, counted from 1.
        column: u64,
    },
}

/// Which part of a file the lines are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// The picture that it draws, which has no lines.
    Picture,
    /// Cells of a notebook, first and last, counted from 0.
    Cells(u64, u64),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Picture => f.write_str("img"),
            Self::Cells(first, last) if first == last => write!(f, "cell:{first}"),
            Self::Cells(first, last) => write!(f, "cell:{first}-{last}"),
        }
    }
}

/// A parsed selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// Of what.
    pub part: Part,
    /// Which lines.
    pub lines: Lines,
    /// The text exactly as it is.
    pub raw: bool,
}

impl Selector {
    /// No selector at all.
    pub const NONE: Self = Self::of(Part::Whole);

    /// All lines of a part.
    pub const fn of(part: Part) -> Self {
        Self {
            part,
            lines: Lines::All,
            raw: false,
        }
    }

    /// Whether it asks for certain lines, or for the exact text.
    pub fn asks_for_lines(&self) -> bool {
        self.raw || self.lines != Lines::All
    }

    /// Parses what follows the colon after a name.
    ///
    /// # Errors
    /// `Ok(None)` if this is no selector and so belongs to a name;
    /// [`Reason::Selector`] if it is one that cannot mean anything, such as
    /// `0` or `9-3`.
    pub fn parse(text: &str) -> Result<Option<Self>, Failure> {
        if text.eq_ignore_ascii_case("img") {
            return Ok(Some(Self::of(Part::Picture)));
        }
        if let Some(cells) = text
            .split_at_checked(5)
            .and_then(|(word, cells)| word.eq_ignore_ascii_case("cell:").then_some(cells))
        {
            return parse_cells(cells);
        }
        let (lines, raw) = match text.split_once(':') {
            None if text.eq_ignore_ascii_case("raw") => {
                return Ok(Some(Self {
                    raw: true,
                    ..Self::NONE
                }));
            }
            None => (text, false),
            Some((lines, raw)) if raw.eq_ignore_ascii_case("raw") => (lines, true),
            Some((raw, lines)) if raw.eq_ignore_ascii_case("raw") => (lines, true),
            Some(_) => return Ok(None),
        };
        let part = Part::Whole;
        Ok(parse_lines(lines)?.map(|lines| Self { part, lines, raw }))
    }

    /// Whether this text names a selector that belongs to no reader yet.
    pub fn reserved(text: &str) -> Option<&'static str> {
        ["conflicts"]
            .into_iter()
            .find(|word| text.eq_ignore_ascii_case(word))
    }
}

/// Parses what follows `cell:`.
fn parse_cells(text: &str) -> Result<Option<Selector>, Failure> {
    let (cells, lines) = match text.split_once(':') {
        Some((cells, lines)) => (cells, Some(lines)),
        None => (text, None),
    };
    let (first, last) = cells.split_once('-').unwrap_or((cells, cells));
    let (Some(first), Some(last)) = (number(first), number(last)) else {
        return Ok(None);
    };
    if last < first {
        let message = format!("Invalid range {first}-{last}: end must be >= start.");
        return Err(mistake(text, message));
    }
    let part = Part::Cells(first, last);
    let of_lines = lines.map_or(Ok(Some(Selector::NONE)), Selector::parse)?;
    let plain = of_lines.filter(|lines| lines.part == Part::Whole);
    Ok(plain.map(|lines| Selector { part, ..lines }))
}

fn parse_lines(text: &str) -> Result<Option<Lines>, Failure> {
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
            // A later part may show that the whole is a name.
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
    let inside = |pair: &[Range]| match pair {
        [first, then] => then.by_column || then.start.line <= first.end.unwrap_or(first.start.line),
        _ => false,
    };
    if ranges.windows(2).any(inside) {
        return Err(mistake(
            text,
            "Invalid column in a list: only its first line can be read by column.".to_owned(),
        ));
    }
    // An open range is exact on its own as well.
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
    Ok(Some(Lines::Tail { count, column }))
}

struct Parsed {
    range: Range,
    /// A single number: one line in a list, open-ended alone.
    bare: bool,
}

/// `None` if the text has not the shape of a range.
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
            // To the end of the text, which a column does not go to.
            (column.is_none().then_some(None)?, false)
        } else {
            (Some(labelled(end)?), false)
        }
    };
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

/// A run of digits; beyond what 64 bits hold it is the largest number, which
/// is past the end of any text.
fn number(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(u64::MAX))
}

fn mistake(selector: &str, message: String) -> Failure {
    Failure::new(Reason::Selector(selector.to_owned()), message)
}

fn column_zero(selector: &str, line: &str) -> Failure {
    mistake(
        selector,
        format!("Column selector 0 is invalid; columns are 1-indexed. Use :{line}@1."),
    )
}

/// Sorts ranges and joins those that overlap or touch. A range by column joins
/// none: where it starts inside another, the other's lines come first.
fn merge(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_by_key(|r| (r.start, r.end.unwrap_or(u64::MAX)));
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

impl fmt::Display for Selector {
    /// The shortest text that parses to this selector, without a colon before
    /// it; nothing if there is no selector.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.part)?;
        let mut separator = "";
        if self.part != Part::Whole {
            separator = ":";
            if self.lines != Lines::All {
                f.write_str(separator)?;
            }
        }
        match &self.lines {
            Lines::All => {}
            Lines::One(range) => {
                write!(f, "{range}")?;
                separator = ":";
            }
            Lines::List(ranges) => {
                for (n, range) in ranges.iter().enumerate() {
                    let comma = if n > 0 { "," } else { "" };
                    // In a list a bare number would be one line.
                    let open = if range.end.is_none() && !range.by_column {
                        "-"
                    } else {
                        ""
                    };
                    write!(f, "{comma}{range}{open}")?;
                }
                separator = ":";
            }
            Lines::Tail { count, column } => {
                write!(f, "-{count}")?;
                if *column > 1 {
                    write!(f, "@{column}")?;
                }
                separator = ":";
            }
        }
        if self.raw {
            write!(f, "{separator}raw")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn canonical(text: &str) -> Option<String> {
        Selector::parse(text).unwrap().map(|s| s.to_string())
    }

    #[test]
    fn every_spelling_has_one_meaning() {
        for (text, meaning) in [
            ("5", "5"),
            ("L5", "5"),
            ("5-", "5"),
            ("5..", "5"),
            ("l5-L9", "5-9"),
            ("5..9", "5-9"),
            ("5+3", "5-7"),
            ("L5+L3", "5-7"),
            ("-4", "-4"),
            ("-4@7", "-4@7"),
            ("raw", "raw"),
            ("RAW", "raw"),
            ("5-9:raw", "5-9:raw"),
            ("raw:5-9", "5-9:raw"),
            ("raw:-60", "-60:raw"),
            ("20,5-9", "5-9,20-20"),
            ("5-9,10-12", "5-12"),
            ("5-9,7-20", "5-20"),
            ("5-9,7-", "5"),
            ("19,59", "19-19,59-59"),
            ("12@2001", "12@2001"),
            ("12@2001-40", "12@2001-40"),
            ("12@2001-12,40-", "12@2001-12,40-"),
            ("12@2001,40-", "12@2001-12,40-"),
            ("99999999999999999999", "18446744073709551615"),
            ("IMG", "img"),
            ("cell:4", "cell:4"),
            ("Cell:2-4", "cell:2-4"),
            ("cell:2-4:5-9", "cell:2-4:5-9"),
            ("cell:0:raw", "cell:0:raw"),
            ("cell:0:raw:-3", "cell:0:-3:raw"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(meaning), "{text}");
        }
    }

    #[test]
    fn a_list_that_merges_into_one_range_stays_a_list() {
        // Lists are exact; a single range is shown with context.
        assert_eq!(
            Selector::parse("1-2,3-4").unwrap().unwrap().lines,
            Lines::List(vec![Range::lines(1, Some(4))])
        );
    }

    #[test]
    fn anything_else_belongs_to_the_name() {
        for text in [
            "",
            "x",
            "LL5",
            "5-x",
            "5,",
            "5,-3",
            "-",
            "--3",
            "5:6",
            "raw:raw",
            "5-9:raw:raw",
            "1.5",
            "5 ",
            "+3",
            "0x",
            "5@",
            "5@3-",
            "@3",
            "0,x",
            "cell",
            "cell:",
            "cell:x",
            "cell:1-",
            "cell:1:img",
            "cell:1:cell:1",
            "img:5",
        ] {
            assert_eq!(Selector::parse(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named_in_full() {
        for (text, message) in [
            (
                "0",
                "Line selector 0 is invalid; lines are 1-indexed. Use :1.",
            ),
            (
                "0-4",
                "Line selector 0 is invalid; lines are 1-indexed. Use :1.",
            ),
            ("9-3", "Invalid range 9-3: end must be >= start."),
            ("5+0", "Invalid range 5+0: count must be >= 1."),
            ("cell:3-1", "Invalid range 3-1: end must be >= start."),
            ("1-3,9-3", "Invalid range 9-3: end must be >= start."),
            (
                "-0",
                "Tail selector -0 is invalid; use :-N with N >= 1 to read the last N lines.",
            ),
            (
                "2@5,2-3",
                "Invalid column in a list: only its first line can be read by column.",
            ),
            (
                "1-3,2@5",
                "Invalid column in a list: only its first line can be read by column.",
            ),
            (
                "3@0",
                "Column selector 0 is invalid; columns are 1-indexed. Use :3@1.",
            ),
        ] {
            assert_eq!(
                Selector::parse(text).unwrap_err().message,
                message,
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn printing_and_parsing_agree(text in "[L]?[1-9][0-9]{0,2}(@[1-9][0-9]?)?(-|\\.\\.|\\+[1-9])?(,[1-9][0-9]{0,2}-?){0,3}(:raw)?") {
            if let Ok(Some(selector)) = Selector::parse(&text) {
                let printed = selector.to_string();
                let again = Selector::parse(&printed).unwrap().unwrap();
                prop_assert_eq!(again.to_string(), printed);
                prop_assert_eq!(again.raw, selector.raw);
            }
        }

        #[test]
        fn no_text_breaks_the_parser(text in ".{0,40}") {
            let _ = Selector::parse(&text);
        }
    }
}
