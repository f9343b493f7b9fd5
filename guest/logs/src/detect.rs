//! Whether a text is a log.

use crate::ascii::{at, without_colours};
use crate::limits;
use crate::line::{Form, form};
use crate::name::{Named, named};

/// How the lines of a log begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// With a time stamp or another sign of an entry. Other lines belong to the entry before them.
    Entries,
    /// In many ways, as in the output of a build.
    Output,
}

/// Fields that each entry of an export of journald has. Settings have other names, as in `CONFIG_X=y`.
const JOURNAL_FIELDS: [&[u8]; 2] = [b"__REALTIME_TIMESTAMP=", b"\nMESSAGE="];

#[derive(Clone, Copy, Default)]
struct Count {
    lines: usize,
    entries: usize,
    /// Lines that begin with a sign that other texts do not have.
    strong: usize,
}

/// Whether a text is a log. `samples` are parts of it that begin at a line, the first one at the start of the text.
pub fn detect(name: &str, samples: &[&[u8]]) -> Option<Shape> {
    let named = named(name);
    if named == Named::Other {
        return None;
    }
    let is_log = named == Named::Log;
    let mut sum = Count::default();
    for (number, sample) in samples.iter().enumerate() {
        let must_begin = number == 0 && !is_log;
        let count = count(sample, must_begin);
        // Most texts are no logs, and this is found out at their start.
        if must_begin && !count.begins(0) {
            return None;
        }
        sum = Count {
            lines: sum.lines.saturating_add(count.lines),
            entries: sum.entries.saturating_add(count.entries),
            strong: sum.strong.saturating_add(count.strong),
        };
    }
    let shape = if sum.strong.saturating_mul(3) >= sum.lines {
        Shape::Entries
    } else {
        Shape::Output
    };
    if is_log {
        return (sum.lines > 0).then_some(shape);
    }
    let is = sum.lines >= limits::MIN_LINES && sum.entries.saturating_mul(2) >= sum.lines;
    is.then_some(shape)
}

impl Count {
    /// Whether two of five lines are entries, or can be if this many entries follow.
    fn begins(self, entries: usize) -> bool {
        let lines = self.lines.saturating_add(entries).saturating_mul(2);
        self.entries.saturating_add(entries).saturating_mul(5) >= lines
    }
}

/// Counts lines of a sample. With `must_begin`, it ends when too few of them are entries of a log.
fn count(sample: &[u8], must_begin: bool) -> Count {
    let mut count = Count::default();
    let mut clean = Vec::new();
    // Few texts have lines in the form of a field.
    let mut is_journal = None;
    let mut has_fields = || {
        let is_in = |field: &&[u8]| memchr::memmem::find(sample, field).is_some();
        *is_journal.get_or_insert_with(|| JOURNAL_FIELDS.iter().any(is_in))
    };
    let has_colours = memchr::memchr(0x1b, sample).is_some();
    let mut rest = sample;
    while !rest.is_empty() && count.lines < limits::SAMPLE_LINES {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let mut line = crate::ascii::first(rest, end);
        rest = crate::ascii::from(rest, end.saturating_add(1));
        if line.trim_ascii_start().is_empty() {
            continue;
        }
        line = crate::ascii::first(line, limits::LINE_BYTES).trim_ascii_end();
        if has_colours && memchr::memchr(0x1b, line).is_some() {
            without_colours(line, &mut clean);
            line = clean.trim_ascii();
        }
        count.lines = count.lines.saturating_add(1);
        let form = form(line).filter(|form| *form != Form::Field || has_fields());
        count.entries = count.entries.saturating_add(usize::from(form.is_some()));
        let is_strong = match form {
            Some(Form::Level) => at(line, 0) == b'[' || at(line, 0).is_ascii_uppercase(),
            form => form.is_some(),
        };
        count.strong = count.strong.saturating_add(usize::from(is_strong));
        let left = limits::SAMPLE_LINES.saturating_sub(count.lines);
        if must_begin && !count.begins(left) {
            break;
        }
    }
    count
}
