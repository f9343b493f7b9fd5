//! A part of a text whose lines are numbered from its start, or from the end of the text.

use crate::encoding::Encoding;
use crate::pages::{Input, fill};
use crate::path::{Lines, Range};
use crate::window::{Line, Page, Window};
use omniread_logs::Report;
use omniread_tokens::estimate;

/// A part of a text.
pub struct Stretch<'i, 's> {
    input: &'i mut Input<'s>,
    encoding: Encoding,
    /// What was found in it.
    pub report: &'i Report,
    /// The number of its lines.
    total: u64,
    /// Whether its lines are numbered from the end of the text: -1 is the last.
    from_end: bool,
}

impl<'i, 's> Stretch<'i, 's> {
    /// The start of a text, in which `report` was found.
    pub fn of_start(input: &'i mut Input<'s>, encoding: Encoding, report: &'i Report) -> Self {
        Self {
            input,
            encoding,
            report,
            total: report.lines,
            from_end: false,
        }
    }

    /// The end of a text, in which `report` was found. `input` has only the lines of this part.
    pub fn of_end(input: &'i mut Input<'s>, encoding: Encoding, report: &'i Report) -> Self {
        Self {
            input,
            encoding: Encoding {
                bom_len: 0,
                ..encoding
            },
            report,
            total: report.lines,
            from_end: true,
        }
    }

    /// Whether this is the start of the text.
    pub fn is_start(&self) -> bool {
        !self.from_end
    }

    /// The number after that of the last line.
    pub fn end(&self) -> u64 {
        self.total.saturating_add(1)
    }

    /// The number in the text of the line that is `line` in the stretch.
    pub fn number(&self, line: u64) -> i64 {
        let number = i64::try_from(line).unwrap_or(i64::MAX);
        if !self.from_end {
            return number;
        }
        let end = i64::try_from(self.end()).unwrap_or(i64::MAX);
        number.saturating_sub(end)
    }

    /// A page with these lines, which are in order.
    pub fn lines(&mut self, lines: &[u64], window: &Window) -> Page {
        if lines.is_empty() {
            return Page::empty();
        }
        let mut ranges: Vec<Range> = Vec::new();
        for line in lines {
            match ranges.last_mut() {
                Some(Range { end: Some(end), .. }) if end.saturating_add(1) == *line => {
                    *end = *line;
                }
                _ => ranges.push(Range::lines(*line, Some(*line))),
            }
        }
        self.fill(ranges, window)
    }

    fn fill(&mut self, ranges: Vec<Range>, window: &Window) -> Page {
        let mut window = window.clone();
        window.selector.lines = Lines::List(ranges);
        let mut page = fill(
            self.input,
            self.encoding.charset,
            self.encoding.bom_len,
            &window,
        );
        for line in &mut page.lines {
            line.number = self.number(line.number.unsigned_abs());
        }
        page
    }

    /// A page with the last lines, at most `count` as [`fitting`] returns it, and the number of the first of them in the
    /// stretch.
    pub fn tail(&mut self, mut count: u64, window: &Window) -> (Page, u64) {
        // Escape sequences and undecodable bytes may take more room than their bytes.
        loop {
            if count == 0 {
                return (Page::empty(), self.end());
            }
            let start = self.end().saturating_sub(count);
            let page = self.fill(vec![Range::lines(start, Some(self.total))], window);
            if page.following.is_none() {
                return (page, start);
            }
            count /= 2;
        }
    }
}

/// The number of last lines of a text, of which there are `lines`, that fit into the window without escape sequences.
pub fn fitting(text: &[u8], lines: u64, window: &Window) -> u64 {
    let most = lines.min(window.open_lines);
    let room = window.max_bytes(window.open_lines);
    let chars = window.line_chars.unwrap_or(u64::MAX);
    // A character has up to four bytes.
    let longest = usize::try_from(chars.saturating_mul(4)).unwrap_or(usize::MAX);
    let (mut bytes, mut tokens, mut count) = (0u64, 0u64, 0u64);
    let mut end = text.strip_suffix(b"\n").unwrap_or(text).len();
    while count < most {
        let before = text.get(..end).unwrap_or_default();
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at.saturating_add(1));
        let line = before.get(start..).unwrap_or_default();
        let line = line.get(..longest).unwrap_or(line);
        bytes = bytes
            .saturating_add(line.len() as u64)
            .saturating_add(window.line_overhead(i64::MAX / 1_000_000_000));
        if let Some(budget) = window.tokens {
            let shown: String = String::from_utf8_lossy(line)
                .chars()
                .take(usize::try_from(chars).unwrap_or(usize::MAX))
                .collect();
            tokens = tokens.saturating_add(estimate(&shown)).saturating_add(6);
            if tokens > budget {
                break;
            }
        }
        if bytes > room {
            break;
        }
        count = count.saturating_add(1);
        if start == 0 {
            break;
        }
        end = start.saturating_sub(1);
    }
    count
}

/// Adds the lines of a page after those of another.
pub fn append(page: &mut Page, other: Page) {
    let start = page.text.len();
    page.text.push_str(&other.text);
    page.lines.extend(other.lines.into_iter().map(|line| Line {
        start: line.start.saturating_add(start),
        ..line
    }));
    page.escapes.invalid = page.escapes.invalid.saturating_add(other.escapes.invalid);
    page.escapes.control = page.escapes.control.saturating_add(other.escapes.control);
    page.escapes.hidden = page.escapes.hidden.saturating_add(other.escapes.hidden);
    page.escapes.bidi = page.escapes.bidi.saturating_add(other.escapes.bidi);
}
