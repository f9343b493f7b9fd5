//! Summaries of logs. A log is detected from the timestamps or levels at the start of its records.

mod fields;
mod levels;
mod shapes;
mod starts;

use super::lines::{Line, Lines};
use super::sample::{FirstAndLast, Sample, counted, spread};
use crate::item::cut;
use crate::numbers::thousands;
use levels::Level;
use memchr::memmem::{FindIter, find_iter};
use shapes::Shapes;
use starts::start;
use std::iter::Peekable;

/// The number of records that are shown from the start of a log.
const FIRST: usize = 5;
/// The number of records that are shown from the end of a log.
const LAST: usize = 5;

/// The maximum number of errors that are shown.
const ERRORS: usize = 20;

/// The number of lines at the start of a text, not counting blank lines, that are examined to
/// detect a log.
const EXAMINED: usize = 200;
/// The minimum number of lines out of ten that must belong to records of a log.
const OF_TEN: usize = 8;
/// The minimum number of records that the examined lines of a log must contain.
const RECORDS: usize = 5;

/// The maximum number of message patterns that are listed.
const SHAPES: usize = 8;
/// The minimum number of records that a listed message pattern has.
const OFTEN: u32 = 3;
/// The maximum length in bytes of a listed message pattern. Longer patterns are cut.
const SHAPE: usize = 120;

/// Texts that indicate an error in a record without a level.
const WRONG: [&str; 6] = [
    "panic:",
    "panicked at",
    "Traceback (most recent call last)",
    "fatal error",
    "Fatal error",
    "Segmentation fault",
];

/// Summarises a log. Returns `None` if the text is not a log.
pub fn parse(text: &str) -> Option<Sample> {
    if !is_log(text) {
        return None;
    }
    let mut scan = Scan {
        ends: FirstAndLast::new(FIRST, LAST),
        record: None,
        records: 0,
        span: None,
        levels: [0; levels::COUNT],
        errors: Vec::new(),
        listed: Listed::default(),
        shapes: Shapes::default(),
        wrong: WRONG.map(|words| find_iter(text.as_bytes(), words).peekable()),
    };
    for line in Lines::new(text) {
        scan.line(&line);
    }
    Some(scan.finish())
}

/// Whether a text is a log: most of its first lines belong to records.
fn is_log(text: &str) -> bool {
    let (mut records, mut more, mut lines) = (0usize, 0usize, 0usize);
    for line in Lines::new(text)
        .filter(|line| !line.is_blank())
        .take(EXAMINED)
    {
        lines = lines.saturating_add(1);
        if start(line.text).is_some() {
            records = records.saturating_add(1);
        } else if records > 0 && is_continuation(&line) {
            more = more.saturating_add(1);
        }
    }
    // A text with few records and many indented lines may have any format.
    let known = records.saturating_add(more);
    records >= RECORDS
        && known.saturating_mul(10) >= lines.saturating_mul(OF_TEN)
        && records.saturating_mul(8) >= lines
}

/// Whether a line seems to continue the previous record.
fn is_continuation(line: &Line<'_>) -> bool {
    line.indent() > 0
        || raised(line.text)
        || [
            "Caused by",
            "Traceback",
            "at ",
            "...",
            "goroutine ",
            "stack backtrace",
            "}",
            "]",
            ")",
        ]
        .iter()
        .any(|start| line.text.starts_with(start))
}

/// Whether a line begins with the name of a raised exception: `a.b.IOException: …`.
fn raised(text: &str) -> bool {
    let word = text.split([':', ' ']).next().unwrap_or_default();
    let word = word.trim_end_matches(':');
    (word.ends_with("Exception") || word.ends_with("Error"))
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$'))
        && word.len() > 5
}

/// The kinds of errors in the current record that are already listed.
#[derive(Clone, Copy, Debug, Default)]
struct Listed {
    /// Whether an exception is listed.
    raised: bool,
    /// Whether any error is listed: an error level, a text such as `panic:`, or an exception.
    wrong: bool,
}

struct Scan<'t> {
    ends: FirstAndLast,
    /// The numbers of the first and last line of the current record.
    record: Option<(u32, u32)>,
    records: u64,
    /// The first and the last timestamp of the log so far.
    span: Option<(&'t str, &'t str)>,
    levels: [u64; levels::COUNT],
    /// The line numbers of errors, each with the line number of the exception that belongs to the
    /// error, if there is one.
    errors: Vec<(u32, Option<u32>)>,
    listed: Listed,
    shapes: Shapes,
    wrong: [Peekable<FindIter<'t, 'static>>; 6],
}

impl<'t> Scan<'t> {
    fn line(&mut self, line: &Line<'t>) {
        let wrong = self.is_wrong(line);
        if line.is_blank() {
            return;
        }
        if let Some(start) = start(line.text) {
            self.end_record();
            self.record = Some((line.number, line.number));
            self.records = self.records.saturating_add(1);
            self.shapes.add(start.rest);
            if let Some(stamp) = start.stamp {
                let (first, _) = self.span.unwrap_or((stamp, stamp));
                self.span = Some((first, stamp));
            }
            if let Some(count) = start
                .level
                .and_then(|level| self.levels.get_mut(level.at()))
            {
                *count = count.saturating_add(1);
            }
            let level = start.level.is_some_and(Level::is_error);
            let wrong = wrong && start.level.is_none();
            self.listed = Listed {
                wrong: level || wrong,
                raised: false,
            };
            if self.listed.wrong {
                self.errors.push((line.number, None));
            }
            return;
        }
        let record = self.record.get_or_insert((line.number, line.number));
        record.1 = line.number;
        let raised = raised(line.text) && !self.listed.raised;
        if !raised && (!wrong || self.listed.wrong) {
            return;
        }
        match self.errors.last_mut() {
            Some(error) if raised && self.listed.wrong => error.1 = Some(line.number),
            _ => self.errors.push((line.number, None)),
        }
        self.listed.raised |= raised;
        self.listed.wrong = true;
    }

    /// Whether a line contains a text that indicates an error, such as `panic:`.
    fn is_wrong(&mut self, line: &Line<'_>) -> bool {
        let end = line.start.saturating_add(line.text.len());
        let mut found = false;
        for places in &mut self.wrong {
            while places.next_if(|at| *at < end).is_some() {
                found = true;
            }
        }
        found
    }

    fn end_record(&mut self) {
        if let Some((first, last)) = self.record.take() {
            self.ends.add(first, last);
        }
    }

    fn finish(mut self) -> Sample {
        self.end_record();
        let mut words = vec![counted(self.records, "record")];
        if let (Some((first, last)), Some(records)) = (self.span, words.first_mut()) {
            records.push_str(&format!(
                " from {} to {}",
                first.trim_ascii(),
                last.trim_ascii()
            ));
        }
        let levels = self
            .levels
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0);
        let levels: Vec<String> = levels
            .map(|(at, count)| format!("{} {}", Level::of(at).name(), thousands(*count)))
            .collect();
        if !levels.is_empty() {
            words.push(levels.join(", "));
        }
        if self.errors.len() > ERRORS {
            let all = thousands(self.errors.len() as u64);
            words.push(format!("{ERRORS} of {all} errors are shown"));
        }
        for shape in self.shapes.most(SHAPES, OFTEN) {
            let count = thousands(u64::from(shape.count));
            let text = cut(&shape.text, SHAPE);
            let more = if text.len() < shape.text.len() {
                "…"
            } else {
                ""
            };
            words.push(format!(
                "{count} × {}{more}",
                text.trim_start_matches([' ', '-', ':', ']', ')', '|'])
            ));
        }
        let shown = self
            .ends
            .with(spread(&self.errors, ERRORS).flat_map(|(line, raised)| {
                [Some(line), raised]
                    .into_iter()
                    .flatten()
                    .map(|line| (line, line))
            }));
        Sample {
            shown,
            facts: words,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn log_levels_and_patterns_are_summarised() {
        let mut text = String::new();
        for n in 0..500 {
            let level = if n % 100 == 50 { "ERROR" } else { "INFO" };
            writeln!(
                text,
                "2024-01-02 15:{:02}:{:02} {level} GET /a/{n} {n} {n}ms",
                n / 60,
                n % 60
            )
            .unwrap();
            if n == 250 {
                text.push_str("Traceback (most recent call last):\n  File \"x\", line 1\n    y\nKeyError: 'z'\n\n");
            }
        }
        let sample = parse(&text).unwrap();
        assert_eq!(
            sample.facts,
            [
                "500 records from 2024-01-02 15:00:00 to 2024-01-02 15:08:19",
                "ERROR 5, INFO 495",
                "495 × INFO GET <path> <n> <n>ms",
                "5 × ERROR GET <path> <n> <n>ms",
            ]
        );
        assert_eq!(
            sample.shown,
            [
                (1, 5),
                (51, 51),
                (151, 151),
                (251, 251),
                (255, 255),
                (356, 356),
                (456, 456),
                (501, 505)
            ]
        );
    }

    #[test]
    fn many_errors_are_sampled_evenly() {
        let text = "ERROR: x\n".repeat(1000);
        let sample = parse(&text).unwrap();
        assert_eq!(
            sample.facts,
            [
                "1,000 records",
                "ERROR 1,000",
                "20 of 1,000 errors are shown",
                "1,000 × x"
            ]
        );
        let shown: u32 = sample
            .shown
            .iter()
            .map(|(first, last)| last - first + 1)
            .sum();
        assert_eq!(shown, 28);
    }

    #[test]
    fn error_texts_without_level_are_shown() {
        let text = format!(
            "{}goroutine 1\npanic: x\n\n\tat y\n",
            "12:00:01 x\n".repeat(20)
        );
        assert_eq!(parse(&text).unwrap().shown, [(1, 5), (17, 24)]);
    }

    #[test]
    fn other_texts_are_not_logs() {
        let prose = "In 2024 this was new.\n\n  It still is.\n".repeat(100);
        let table = "2024-01-02 15:04:05,1,2\n".repeat(100);
        let notes = format!("2024-01-02 15:04:05 x\n{}", "  y\n".repeat(100));
        for text in ["", "\n\n", &prose, &table, &notes, &"INFO\n".repeat(99)] {
            assert_eq!(parse(text), None, "{}", cut(text, 100));
        }
    }
}
