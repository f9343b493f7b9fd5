//! The records of CSV, one after the other.
//!
//! A quote that does not close its value would make one value of several rows, or of the rest of the
//! file. The quotes of such a row are characters, and a note names the row.

use super::ragged::Ragged;
use super::scan::{Samples, Scan, Style, find, values, width};
use crate::limits;
use crate::tables::feed::Feed;
use crate::tables::{Cell, SqlValue};
use crate::units;
use crate::world::FileError;

/// The records of a text.
pub struct Records<'i, 'a> {
    feed: Feed<'i, 'a>,
    /// The meaning of quotes in the file.
    style: Style,
    /// The number of bytes before the first record.
    before: usize,
    /// The number of values of most rows, or 0 if it is unknown.
    width: usize,
    /// The bytes that were searched for the ends of values in quotes which are not closed.
    searched: u64,
    /// The rows that contain a quote which does not close its value.
    unclosed: Ragged,
    /// The rows with a value of several lines, each of which could be a row.
    doubtful: Ragged,
    /// The largest number of values of a row, if not all of them are kept.
    most_values: usize,
    /// The number of rows whose values are not kept whole because the row is too large, and the
    /// first of these rows with its size in bytes.
    large: (u64, u64, u64),
}

/// The number of values in each of the first records of a sample. `whole` states whether the sample
/// is the whole text, so that its last record is complete.
pub fn sample_widths(text: &[u8], style: Style, whole: bool) -> Vec<usize> {
    let records = Samples::new(text, style, whole).take(limits::TABLE_SAMPLE_RECORDS);
    records
        .map(|record| width(record.text, record.style))
        .collect()
}

/// The first records of a sample, each with its start.
pub fn sample_records(text: &[u8], style: Style, whole: bool) -> Vec<(usize, Vec<String>)> {
    let mut samples = Samples::new(text, style, whole);
    let mut records: Vec<(usize, Vec<String>)> = samples
        .by_ref()
        .take(limits::TABLE_SAMPLE_RECORDS)
        .map(|record| (record.start, texts(record.text, record.style)))
        .collect();
    // A sample without a complete record has the start of the first one.
    if records.is_empty()
        && let Some(record) = samples.rest()
    {
        records.push((record.start, texts(record.text, record.style)));
    }
    records
}

fn texts(record: &[u8], style: Style) -> Vec<String> {
    let mut texts = Vec::new();
    values(record, style, |value, _| {
        if texts.len() < limits::ROW_VALUES {
            texts.push(String::from_utf8_lossy(&value).into_owned());
        }
    });
    texts
}

impl<'i, 'a> Records<'i, 'a> {
    /// The records after the first `before` bytes of a text. Most have `width` values.
    pub fn new(feed: Feed<'i, 'a>, style: Style, before: usize, width: usize) -> Self {
        let mut records = Self {
            feed,
            style,
            before,
            width,
            searched: 0,
            unclosed: Ragged::default(),
            doubtful: Ragged::default(),
            most_values: 0,
            large: (0, 0, 0),
        };
        records.skip_before();
        records
    }

    fn skip_before(&mut self) {
        self.feed.skip(self.before);
    }

    /// Starts again at the first record.
    ///
    /// # Errors
    /// Fails if the source is a stream that can be read only once.
    pub fn restart(&mut self) -> Result<(), FileError> {
        self.feed.restart()?;
        self.searched = 0;
        self.unclosed = Ragged::default();
        self.doubtful = Ragged::default();
        self.most_values = 0;
        self.large = (0, 0, 0);
        self.skip_before();
        Ok(())
    }

    /// The number of bytes of the source that were read.
    pub fn position(&self) -> u64 {
        self.feed.position()
    }

    /// Sets the number of values of most rows.
    pub fn set_width(&mut self, width: usize) {
        self.width = width;
    }

    /// The notes on damage of the records that were read.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        match self.unclosed.rows() {
            [] => {}
            [row] => notes.push(format!(
                "row {row} has a quote that is not closed; the quotes of this row have no meaning"
            )),
            [row, ..] => notes.push(format!(
                "{} rows have a quote that is not closed, the first is {row}; the quotes of these rows have no meaning",
                self.unclosed.count()
            )),
        }
        if self.searched >= limits::UNCLOSED_BYTES {
            notes.push("quotes have no meaning after these rows".to_owned());
        }
        let what = "a value in quotes of several lines, each of which could be a row";
        notes.extend(self.doubtful.note(what));
        if self.most_values > 0 {
            notes.push(format!(
                "a row has {} values, of which the first {} are read",
                self.most_values,
                limits::ROW_VALUES
            ));
        }
        let limit = units::bytes(limits::RECORD_BYTES);
        match self.large {
            (0, ..) => {}
            (1, row, bytes) => notes.push(format!(
                "row {row} has {}, of which the first {limit} are read",
                units::bytes(bytes)
            )),
            (count, row, _) => notes.push(format!(
                "{count} rows have more than {limit}, the first is {row}; the rest of these rows is not read"
            )),
        }
        notes
    }

    /// The values of the next record, which is the row `number`. `None` after the last record.
    pub fn next(&mut self, number: u64) -> Option<Vec<Cell>> {
        let mut cells = Vec::new();
        self.read(number, Some(&mut cells)).then_some(cells)
    }

    /// Skips the next record, which is the row `number`. Returns whether there was one.
    pub fn skip(&mut self, number: u64) -> bool {
        self.read(number, None)
    }

    fn read(&mut self, number: u64, mut cells: Option<&mut Vec<Cell>>) -> bool {
        let most = usize::try_from(limits::RECORD_BYTES).unwrap_or(usize::MAX);
        let mut ends = false;
        loop {
            let style = self.style();
            let text = self.feed.text();
            match find(text, style, ends) {
                Scan::Nothing => {
                    let length = text.len();
                    self.feed.advance(length);
                    if length == 0 {
                        return false;
                    }
                }
                Scan::Record {
                    start,
                    end,
                    has_quote,
                } => {
                    let record = text.get(start..end).unwrap_or_default();
                    if has_quote && memchr::memchr(b'\n', record).is_some() {
                        match lines_of(record, style, self.width) {
                            Lines::Value => {}
                            Lines::Doubtful => self.doubtful.add(number),
                            Lines::Rows => {
                                self.feed.advance(start);
                                return self.repair(number, ends, cells);
                            }
                        }
                    }
                    if let Some(cells) = &mut cells {
                        let record = self.feed.buffered().get(start..end).unwrap_or_default();
                        let count = if has_quote {
                            keep_quoted(record, style, cells)
                        } else {
                            keep_plain(record, style.delimiter, cells)
                        };
                        self.count_values(count);
                    }
                    self.feed.advance(end.saturating_add(1));
                    return true;
                }
                Scan::Broken { start, at } => {
                    let searched = at.saturating_sub(start) as u64;
                    self.searched = self.searched.saturating_add(searched);
                    self.feed.advance(start);
                    return self.repair(number, ends, cells);
                }
                Scan::Unfinished { start } => {
                    let length = text.len().saturating_sub(start);
                    let has_lines = || {
                        let record = text.get(start..).unwrap_or_default();
                        memchr::memchr(b'\n', record).is_some()
                    };
                    if length > most {
                        let has_lines = has_lines();
                        self.feed.advance(start);
                        if has_lines {
                            self.searched = self.searched.saturating_add(length as u64);
                            return self.repair(number, ends, cells);
                        }
                        return self.read_large(number, style, cells);
                    }
                    self.feed.advance(start);
                    ends = !self.feed.more(length);
                }
            }
        }
    }

    /// The meaning of quotes, which have none after the search for too many that are not closed.
    fn style(&self) -> Style {
        if self.searched < limits::UNCLOSED_BYTES {
            self.style
        } else {
            self.style.literal()
        }
    }

    /// Reads a record with a value in quotes that is not closed: a line, or a record in which a
    /// backslash escapes a quote. `ends` states whether the text in memory is complete.
    fn repair(&mut self, number: u64, ends: bool, cells: Option<&mut Vec<Cell>>) -> bool {
        let most = usize::try_from(limits::RECORD_BYTES).unwrap_or(usize::MAX);
        let mut ends = ends;
        let literal = self.style.literal();
        let line = loop {
            let text = self.feed.text();
            match find(text, literal, ends) {
                Scan::Record { end, .. } => break end,
                _ if text.len() > most => {
                    self.unclosed.add(number);
                    return self.read_large(number, literal, cells);
                }
                _ => {
                    let length = text.len();
                    if ends {
                        break length;
                    }
                    ends = !self.feed.more(length);
                }
            }
        };
        let text = self.feed.buffered();
        let (end, style) = repaired(text, line, ends, self.style, self.width);
        let record = text.get(..end).unwrap_or_default();
        let mut count = 0;
        if let Some(cells) = cells {
            count = keep_quoted(record, style, cells);
        }
        if !style.backslash || style.quote.is_none() {
            self.unclosed.add(number);
        }
        self.count_values(count);
        self.feed.advance(end.saturating_add(1));
        true
    }

    /// Reads a record that is larger than the limit: its start, up to the next line end.
    fn read_large(&mut self, number: u64, style: Style, cells: Option<&mut Vec<Cell>>) -> bool {
        let most = usize::try_from(limits::RECORD_BYTES).unwrap_or(usize::MAX);
        let text = self.feed.buffered();
        let start = text.get(..most).unwrap_or(text);
        let mut is_open = false;
        let mut count = 0usize;
        let mut kept = Vec::new();
        values(start, style, |value, open| {
            is_open = open;
            count = count.saturating_add(1);
            if count <= limits::ROW_VALUES {
                kept.push(cell(&value, value.len() as u64));
            }
        });
        let mut bytes = start.len() as u64;
        // The size of the last value after the start, and whether it has ended.
        let (mut more, mut ended) = (0u64, false);
        let used = start.len();
        self.feed.advance(used);
        loop {
            let text = self.feed.text();
            if text.is_empty() {
                break;
            }
            let end = memchr::memchr2(b'\n', b'\r', text);
            let part = end.map_or(text, |end| text.get(..end).unwrap_or_default());
            bytes = bytes.saturating_add(part.len() as u64);
            let mut rest = part;
            if !ended {
                let found = memchr::memchr(style.delimiter, part).filter(|_| !is_open);
                ended = found.is_some();
                let length = found.unwrap_or(part.len());
                more = more.saturating_add(length as u64);
                rest = part.get(length..).unwrap_or_default();
            }
            if ended {
                count = count.saturating_add(memchr::memchr_iter(style.delimiter, rest).count());
            }
            let used = part.len().saturating_add(usize::from(end.is_some()));
            self.feed.advance(used);
            if end.is_some() {
                break;
            }
        }
        if let Some(cells) = cells {
            if let Some(last) = kept.last_mut()
                && more > 0
            {
                last.bytes = last.bytes.saturating_add(more);
                last.value = SqlValue::Text;
            }
            cells.extend(kept);
            self.count_values(count);
            if self.large.0 == 0 {
                (self.large.1, self.large.2) = (number, bytes);
            }
            self.large.0 = self.large.0.saturating_add(1);
        }
        true
    }

    /// Counts the values of a row that are not kept.
    fn count_values(&mut self, count: usize) {
        if count > limits::ROW_VALUES {
            self.most_values = self.most_values.max(count);
        }
    }
}

/// The end and the style of a record whose quotes are not closed in the style of the file. Its first
/// line ends at `line`.
fn repaired(text: &[u8], line: usize, ends: bool, style: Style, expected: usize) -> (usize, Style) {
    let literal = style.literal();
    let first = text.get(..line).unwrap_or_default();
    if expected == 0 || style.quote.is_none() {
        return (line, literal);
    }
    let escaped = Style {
        backslash: true,
        ..style
    };
    if !style.backslash
        && memchr::memmem::find(first, b"\\\"").is_some()
        && let Scan::Record { end, .. } = find(text, escaped, ends)
        && width(text.get(..end).unwrap_or_default(), escaped) == expected
    {
        return (end, escaped);
    }
    let lenient = Style {
        lenient: true,
        ..style
    };
    if width(first, literal) != expected
        && matches!(find(first, lenient, true), Scan::Record { end, .. } if end == line)
        && width(first, lenient) == expected
    {
        return (line, lenient);
    }
    (line, literal)
}

/// The meaning of the lines of a record with a value in quotes that has several.
enum Lines {
    /// They are lines of a value.
    Value,
    /// They are probably lines of a value, but each could be a row.
    Doubtful,
    /// They are rows, and their quotes are characters.
    Rows,
}

/// The meaning of the lines of a record. `expected` is the number of values of most rows.
fn lines_of(record: &[u8], style: Style, expected: usize) -> Lines {
    let literal = style.literal();
    let mut lines = record.split(|byte| *byte == b'\n');
    if expected < 2 || !lines.all(|line| width(line, literal) == expected) {
        return Lines::Value;
    }
    if style.delimiter == b'\t' || width(record, style) != expected {
        return Lines::Rows;
    }
    Lines::Doubtful
}

/// Adds the values of a record without quotes that have a meaning. Returns their number.
fn keep_plain(record: &[u8], delimiter: u8, cells: &mut Vec<Cell>) -> usize {
    let mut count = 0usize;
    let mut from = 0usize;
    loop {
        let rest = record.get(from..).unwrap_or_default();
        let end = memchr::memchr(delimiter, rest);
        if count < limits::ROW_VALUES {
            let value = end.map_or(rest, |end| rest.get(..end).unwrap_or_default());
            cells.push(cell(value, value.len() as u64));
        }
        count = count.saturating_add(1);
        match end {
            Some(end) => from = from.saturating_add(end).saturating_add(1),
            None => return count,
        }
    }
}

/// Adds the values of a record. Returns their number.
fn keep_quoted(record: &[u8], style: Style, cells: &mut Vec<Cell>) -> usize {
    let mut count = 0usize;
    values(record, style, |value, _| {
        if count < limits::ROW_VALUES {
            cells.push(cell(&value, value.len() as u64));
        }
        count = count.saturating_add(1);
    });
    count
}

/// The cell with a text, which may be the start of one of `bytes` bytes.
fn cell(text: &[u8], bytes: u64) -> Cell {
    let kept = text.get(..limits::ROW_VALUE_BYTES).unwrap_or(text);
    let text = match str::from_utf8(kept) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(kept).into_owned(),
    };
    let mut cell = Cell::of_text(text);
    if (kept.len() as u64) < bytes {
        // The start of a text may look like a number.
        cell.value = SqlValue::Text;
        cell.bytes = bytes;
    }
    cell
}
