//! The lines of a text, and the rendering of an outline from marked lines.

use super::piece::Piece;
use crate::item::Parsed;
use crate::limits;
use crate::spans;
use memchr::{memchr, memchr_iter};
use std::ops::ControlFlow;

/// The maximum size of a line number and a fold mark in bytes.
const MARK_BYTES: usize = 16;

/// The lines of a text, numbered from 1.
pub struct Lines<'t> {
    lines: Vec<Line<'t>>,
    /// For each line, the number of significant lines up to and including it. Empty lines, brackets
    /// alone, short or documenting comments, and attributes are not significant.
    telling: Vec<u32>,
}

struct Line<'t> {
    text: &'t str,
    /// Whether the line is not significant: empty, brackets alone, part of a short or documenting
    /// comment, or an attribute.
    quiet: bool,
}

/// Whether a byte belongs to a word or begins a string, so that the line that contains it is
/// significant.
fn is_telling(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'"' | b'\'' | 0x80..)
}

/// Whether a line is empty, brackets alone, or the delimiter of a string of several lines.
fn is_quiet(line: &str) -> bool {
    let text = line.as_bytes();
    let text = text.get(spans::spaces(text)..).unwrap_or_default();
    let text = text.trim_ascii_start();
    match text.first() {
        Some(b'"' | b'\'') => matches!(text.trim_ascii_end(), b"\"\"\"" | b"'''"),
        Some(first) if is_telling(*first) => false,
        _ => !text.iter().copied().any(is_telling),
    }
}

impl<'t> Lines<'t> {
    /// Splits a text into lines.
    pub fn new(text: &'t str, parsed: &Parsed) -> Self {
        let mut lines = Vec::new();
        let mut start = 0usize;
        let mut push = |start: usize, end: usize| {
            let text = text.get(start..end).unwrap_or_default();
            lines.push(Line {
                text,
                quiet: is_quiet(text),
            });
        };
        for end in memchr_iter(b'\n', text.as_bytes()) {
            push(start, end);
            start = end.saturating_add(1);
        }
        if start < text.len() {
            push(start, text.len());
        }
        let mut quiet = |first: u32, end: u32| {
            let range = (first as usize).saturating_sub(1)..(end as usize).saturating_sub(1);
            for line in lines.get_mut(range).into_iter().flatten() {
                line.quiet = true;
            }
        };
        let mut docs = parsed.items.iter().filter_map(|item| item.doc).peekable();
        for (first, last) in &parsed.comments {
            while docs.next_if(|(_, doc)| doc < first).is_some() {}
            let doc = docs.peek().is_some_and(|(doc, _)| doc <= last);
            if doc || last.saturating_sub(*first) < limits::SILENT_COMMENT_LINES {
                quiet(*first, last.saturating_add(1));
            }
        }
        for item in parsed.items.iter().filter(|item| item.first < item.sign) {
            quiet(item.first, item.sign);
        }
        let mut so_far = 0u32;
        let mut telling = vec![0];
        telling.extend(lines.iter().map(|line| {
            so_far = so_far.saturating_add(u32::from(!line.quiet));
            so_far
        }));
        Self { lines, telling }
    }

    /// The number of lines.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    fn text(&self, line: u32) -> &'t str {
        let line = (line as usize).checked_sub(1);
        line.and_then(|line| self.lines.get(line))
            .map_or("", |line| line.text)
    }

    /// Whether any line of a range is significant.
    pub fn has_significant(&self, first: u32, last: u32) -> bool {
        let before = self.telling.get((first as usize).saturating_sub(1));
        before != self.telling.get(last as usize)
    }

    /// Whether `line` begins with a closing delimiter and is indented no more than the line `open`.
    /// Such a line closes the block that begins on the line `open`.
    pub fn closes(&self, open: u32, line: u32) -> bool {
        let indent = |text: &str| text.len().saturating_sub(text.trim_ascii_start().len());
        let (open, text) = (self.text(open), self.text(line));
        if indent(text) > indent(open) {
            return false;
        }
        let text = text.trim_ascii();
        let word = text
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .next();
        text.starts_with(['}', ')', ']'])
            || text.starts_with("</")
            || matches!(word, Some("end" | "fi" | "done" | "esac" | "endif"))
    }

    /// Whether a line ends with a bracket that opens a block.
    pub fn opens(&self, line: u32) -> bool {
        self.text(line).trim_ascii().ends_with(['{', '[', '(', '>'])
    }

    /// Removes empty lines from both ends of a range.
    pub fn trimmed(&self, first: u32, last: u32) -> (u32, u32) {
        let blank = |line: &u32| self.text(*line).trim_ascii().is_empty();
        let from = (first..=last).find(|line| !blank(line)).unwrap_or(first);
        let to = (from..=last).rev().find(|line| !blank(line));
        (from, to.unwrap_or(last))
    }

    /// The number of the first line with a letter or digit among the lines `first` to `last`.
    pub fn wording(&self, first: u32, last: u32) -> Option<u32> {
        (first..=last).find(|line| self.text(*line).chars().any(char::is_alphanumeric))
    }

    /// The maximum size of a rendered piece in bytes.
    pub fn bytes(&self, piece: &Piece) -> usize {
        let bytes = |line: u32| self.text(line).len().min(limits::LINE_BYTES);
        let text = match piece {
            Piece::Line(line) => bytes(*line),
            Piece::Fold {
                first, last, tail, ..
            } => bytes(*first).saturating_add(if *tail { bytes(*last) } else { 0 }),
            Piece::Gap { .. } => 0,
        };
        text.saturating_add(MARK_BYTES)
    }
}

/// The lines of a text that an outline shows, and those that it may fold.
pub struct Marks {
    /// For each line, 1 if the line is shown, otherwise 0.
    shown: Vec<u8>,
    /// For each line, the last line that may be folded after it; 0 if no line may be folded.
    folds: Vec<u32>,
}

impl Marks {
    /// Creates marks for a text of `lines` lines. No line is shown.
    pub fn none(lines: usize) -> Self {
        let places = lines.saturating_add(2);
        Self {
            shown: vec![0; places],
            folds: vec![0; places],
        }
    }

    /// Removes all marks.
    pub fn clear(&mut self) {
        self.shown.fill(0);
        self.folds.fill(0);
    }

    /// Marks the lines `first` to `last` as shown.
    pub fn show(&mut self, first: u32, last: u32) {
        if let Some(lines) = self.shown.get_mut(first as usize..=last as usize) {
            lines.fill(1);
        }
    }

    /// Marks the lines after `line`, up to and including `last`, as lines that may be folded.
    pub fn fold(&mut self, line: u32, last: u32) {
        if let Some(fold) = self.folds.get_mut(line as usize) {
            *fold = last.max(*fold);
        }
    }

    fn shows(&self, line: u32) -> bool {
        self.shown.get(line as usize) == Some(&1)
    }

    /// The first shown line at or after a line.
    fn next(&self, line: u32) -> Option<u32> {
        let rest = self.shown.get(line as usize..)?;
        Some(line.saturating_add(u32::try_from(memchr(1, rest)?).ok()?))
    }
}

/// Renders the marked lines into pieces, and passes each to `piece` until it returns
/// [`ControlFlow::Break`].
pub fn render(
    lines: &Lines<'_>,
    marks: &Marks,
    mut piece: impl FnMut(Piece) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let count = u32::try_from(lines.count()).unwrap_or(u32::MAX);
    let mut line = 1u32;
    while line <= count {
        let next = line.saturating_add(1);
        if !marks.shows(line) {
            let end = marks.next(line).unwrap_or(count.saturating_add(1));
            let last = end.saturating_sub(1).min(count);
            if lines.has_significant(line, last) {
                piece(Piece::Gap {
                    first: line,
                    last,
                    words: None,
                })?;
            }
            line = end;
            continue;
        }
        let last = marks.folds.get(line as usize).copied().unwrap_or(0);
        let last = last.min(count);
        let tail = last > line && marks.shows(last);
        let inner = if tail { last.saturating_sub(1) } else { last };
        let hidden =
            inner >= next && !marks.shows(next) && marks.next(next).is_none_or(|next| next > inner);
        if hidden && lines.has_significant(next, inner) {
            piece(Piece::Fold {
                first: line,
                last,
                tail,
                words: None,
            })?;
            line = last.saturating_add(1);
            continue;
        }
        piece(Piece::Line(line))?;
        line = next;
    }
    ControlFlow::Continue(())
}
