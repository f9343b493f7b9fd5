//! The lines of a log that report errors, grouped by their messages.

use crate::ascii::{at, first, from, has, run, without_colours};
use crate::detect::Shape;
use crate::level::Level;
use crate::limits;
use crate::line::{Form, parse};
use crate::mask;
use crate::suspects::Suspects;
use std::collections::BTreeMap;

/// A message that reports an error, and its repetitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The first line that has it, counted from 1.
    pub first: u64,
    /// The last line that has it.
    pub last: u64,
    /// The number of lines that have it.
    pub count: u64,
    /// The number of lines that follow the first one and belong to it, such as a stack trace.
    pub follow: u64,
    /// The last of these lines that names an exception and is not indented.
    pub cause: Option<u64>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The different messages that report errors, in the order of their first lines.
    pub messages: Vec<Message>,
    /// The number of lines that report errors.
    pub errors: u64,
    /// The number of lines that report errors and are not in `messages`, because there were too many different
    /// ones, with the first of them.
    pub others: u64,
    /// The first of these lines.
    pub first_other: Option<u64>,
    /// The number of lines that report warnings.
    pub warnings: u64,
    /// The number of lines.
    pub lines: u64,
}

/// Searches the lines of a log.
pub struct Scanner {
    shape: Shape,
    report: Report,
    /// The index of each message by the hash of its key.
    index: BTreeMap<u64, (usize, Vec<u8>)>,
    /// The message to which the lines belong that follow, if they do. `None` for one that is not kept.
    trace: Option<Trace>,
    clean: Vec<u8>,
    key: Vec<u8>,
    /// The entry of journald at the current line.
    entry: Entry,
}

/// An entry of journald, whose fields are in any order.
#[derive(Default)]
struct Entry {
    is_error: bool,
    /// The number of the line with the message, and the message.
    message: Option<(u64, Vec<u8>)>,
}

impl Entry {
    /// Whether fields of an entry were found that lines after them may complete.
    fn is_open(&self) -> bool {
        self.is_error || self.message.is_some()
    }
}

/// The lines that follow an error.
#[derive(Clone, Copy)]
struct Trace {
    /// The message, if its first line was the last error.
    message: Option<usize>,
    lines: u64,
    /// The first word of the line before the error, as a hash, if that line looks like one that belongs to an error and
    /// does not: other lines with this word do not either.
    ordinary: Option<u64>,
}

impl Scanner {
    /// A search in a log of this shape.
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            report: Report::default(),
            index: BTreeMap::new(),
            trace: None,
            clean: Vec::new(),
            key: Vec::new(),
            entry: Entry::default(),
        }
    }

    /// Searches all lines of a text, which begins at a line.
    pub fn text(&mut self, text: &[u8]) {
        let mut suspects = Suspects::new(text);
        let mut start = 0usize;
        while start < text.len() {
            // Lines that follow an error may belong to it, as do the fields of an entry of journald.
            let is_alone = self.trace.is_none() && !self.entry.is_open();
            // A place is searched from the end of the line before on.
            if is_alone && let Some(end) = start.checked_sub(1) {
                let next = suspects.next(end).unwrap_or(text.len());
                let skipped = self.skipped(
                    text.get(start..next).unwrap_or_default(),
                    next == text.len(),
                );
                start = start.saturating_add(skipped);
            }
            let rest = from(text, start);
            if rest.is_empty() {
                break;
            }
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.line(first(rest, length));
            if is_alone && let Some(trace) = &mut self.trace {
                let before = text.get(..start.saturating_sub(1)).unwrap_or_default();
                // Blank lines may be between them.
                let before = before.trim_ascii_end();
                let line = memchr::memrchr(b'\n', before).map_or(0, |end| end.saturating_add(1));
                trace.ordinary = ordinary(from(before, line));
            }
            start = start.saturating_add(length).saturating_add(1);
        }
    }

    /// Counts the lines before the one that `text` ends in, or all of them if they are the last. Returns their length.
    fn skipped(&mut self, text: &[u8], is_last: bool) -> usize {
        let length = match memchr::memrchr(b'\n', text) {
            _ if is_last => text.len(),
            Some(end) => end.saturating_add(1),
            None => 0,
        };
        let skipped = first(text, length);
        let ends = memchr::memchr_iter(b'\n', skipped).count();
        let is_cut = skipped.last().is_some_and(|byte| *byte != b'\n');
        let lines = (ends as u64).saturating_add(u64::from(is_cut));
        self.report.lines = self.report.lines.saturating_add(lines);
        length
    }

    /// What was found.
    pub fn report(self) -> Report {
        self.report
    }

    /// Searches a line without its line end.
    pub(crate) fn line(&mut self, line: &[u8]) {
        let number = self.report.lines.saturating_add(1);
        self.report.lines = number;
        let mut line = first(line, limits::LINE_BYTES);
        line = line.strip_suffix(b"\r").unwrap_or(line);
        if memchr::memchr(0x1b, line).is_none() {
            return self.clean_line(number, line);
        }
        let mut clean = std::mem::take(&mut self.clean);
        without_colours(line, &mut clean);
        self.clean_line(number, &clean);
        self.clean = clean;
    }

    fn clean_line(&mut self, number: u64, line: &[u8]) {
        let entries = self.shape == Shape::Entries;
        let mut parsed = None;
        if let Some(trace) = &mut self.trace {
            let is_ordinary = trace.ordinary.is_some() && ordinary(line) == trace.ordinary;
            let continues = trace.lines < limits::TRACE_LINES
                && !is_ordinary
                && if entries && !is_indented(line) {
                    let of_line = parse(line);
                    let is = of_line.form.is_none();
                    parsed = Some(of_line);
                    is
                } else {
                    continues_output(line)
                };
            if continues {
                trace.lines = trace.lines.saturating_add(1);
                if let Some(message) = trace.message.and_then(|n| self.report.messages.get_mut(n)) {
                    message.follow = message.follow.saturating_add(1);
                    if parsed.is_some_and(|line| line.level == Level::Error) {
                        message.cause = Some(number);
                    }
                }
                return;
            }
            if trace.lines >= limits::TRACE_LINES
                && let Some(message) = trace.message.and_then(|n| self.report.messages.get_mut(n))
            {
                // These are the lines of a log, and not a stack trace.
                (message.follow, message.cause) = (0, None);
            }
            self.trace = None;
        }
        let parsed = parsed.unwrap_or_else(|| parse(line));
        if parsed.form == Some(Form::Field) {
            return self.field(number, line, parsed.level);
        }
        if line.is_empty() {
            self.entry = Entry::default();
        }
        match parsed.level {
            Level::Other => {}
            Level::Warning => self.report.warnings = self.report.warnings.saturating_add(1),
            Level::Error => self.error(number, from(line, parsed.message)),
        }
    }

    /// Reports the message of an entry of journald once both its priority and its message are known.
    fn field(&mut self, number: u64, line: &[u8], level: Level) {
        match level {
            Level::Other => {}
            Level::Warning => self.report.warnings = self.report.warnings.saturating_add(1),
            Level::Error => self.entry.is_error = true,
        }
        if let Some(message) = line.strip_prefix(b"MESSAGE=") {
            self.entry.message = Some((number, message.to_vec()));
        }
        if self.entry.is_error
            && let Some((number, message)) = self.entry.message.take()
        {
            self.error(number, &message);
            self.trace = None;
            self.entry = Entry::default();
        }
    }

    fn error(&mut self, number: u64, message: &[u8]) {
        self.report.errors = self.report.errors.saturating_add(1);
        mask::mask(message, &mut self.key);
        let hash = mask::hash(&self.key);
        let mut new = None;
        match self.index.get(&hash) {
            Some((index, key)) if *key == self.key => {
                if let Some(message) = self.report.messages.get_mut(*index) {
                    message.count = message.count.saturating_add(1);
                    message.last = number;
                }
            }
            Some(_) => self.other(number),
            None if self.report.messages.len() >= limits::MESSAGES => self.other(number),
            None => {
                let index = self.report.messages.len();
                self.index.insert(hash, (index, self.key.clone()));
                self.report.messages.push(Message {
                    first: number,
                    last: number,
                    count: 1,
                    follow: 0,
                    cause: None,
                });
                new = Some(index);
            }
        }
        self.trace = Some(Trace {
            message: new,
            lines: 0,
            ordinary: None,
        });
    }

    fn other(&mut self, number: u64) {
        self.report.others = self.report.others.saturating_add(1);
        self.report.first_other.get_or_insert(number);
    }
}

/// The first word of a line that could belong to an error before it, as a hash.
fn ordinary(line: &[u8]) -> Option<u64> {
    let line = first(line, limits::LINE_BYTES);
    let may_belong = is_indented(line) || parse(line).form.is_none();
    let word = line.trim_ascii_start();
    let end = run(word, 0, |byte| !byte.is_ascii_whitespace());
    // A frame of a stack trace, or a mark of a compiler, is no ordinary line.
    let is_word = end > 2 && first(word, end).iter().all(u8::is_ascii_alphabetic);
    (may_belong && is_word).then(|| mask::hash(first(word, end)))
}

fn is_indented(line: &[u8]) -> bool {
    matches!(at(line, 0), b' ' | b'\t')
}

/// Whether a line of the output of a program continues what the line before it reports.
fn continues_output(line: &[u8]) -> bool {
    if is_indented(line) {
        return !line.trim_ascii().is_empty();
    }
    let starts: [&[u8]; 8] = [
        b"at ",
        b"caused by",
        b"...",
        b"note:",
        b"help:",
        b"goroutine ",
        b"stack backtrace",
        b"hint:",
    ];
    // rustc: `12 | let x = …`
    let digits = run(line, 0, |byte| byte.is_ascii_digit());
    let is_source =
        digits > 0 && matches!(from(line, digits).trim_ascii_start().first(), Some(b'|'));
    is_source || starts.iter().any(|start| has(line, 0, start))
}
