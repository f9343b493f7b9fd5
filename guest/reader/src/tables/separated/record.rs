//! The records of CSV, one after the other.
//!
//! A quote that does not close its value would make one value of several rows, or of the rest of the
//! file. The quotes of such a row are characters, and a note names the row.

use super::cells::{cell, keep_plain, keep_quoted};
use super::marks::{Marked, Marks};
use super::ragged::Ragged;
use super::repair::{Lines, lines_of, repaired};
use super::scan::{Scan, Span, Style, find, spans, values};
use crate::limits;
use crate::tables::feed::Feed;
use crate::tables::{Cell, SqlValue};
use crate::units;
use crate::world::FileError;
use std::borrow::Cow;

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
    /// The record that was read last.
    current: Current,
    /// The values of the current record, if they are divided.
    spans: Vec<Span>,
    marks: Marks,
}

/// A record that was read.
#[derive(Default)]
enum Current {
    #[default]
    Nothing,
    /// A record in memory, divided at marks.
    Marked(Marked),
    /// A record in memory: the index of its first byte, its size, and the meaning of its quotes.
    Record(usize, usize, Style),
    /// The values of a record that is too large to be in memory as a whole.
    Cells(Vec<Cell>),
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
            current: Current::Nothing,
            spans: Vec::new(),
            marks: Marks::default(),
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
        self.current = Current::Nothing;
        self.skip_before();
        Ok(())
    }

    /// Whether the source can be read again from any place.
    pub fn can_restart(&self) -> bool {
        self.feed.is_seekable()
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
        if !self.read(number, true) {
            return None;
        }
        Some(match std::mem::take(&mut self.current) {
            Current::Cells(cells) => cells,
            current => {
                self.current = current;
                self.cells()
            }
        })
    }

    /// Skips the next record, which is the row `number`. Returns whether there was one.
    pub fn skip(&mut self, number: u64) -> bool {
        self.read(number, false)
    }

    /// Reads the next record, which is the row `number`, without making its values. Returns their
    /// number. `None` after the last record.
    pub fn advance(&mut self, number: u64) -> Option<usize> {
        let style = self.style();
        self.feed.text();
        let (text, used, changes) = self.feed.memory();
        self.marks.update(text, used, changes, style);
        if let Some(marked) = self.marks.next(text, used, style, &mut self.spans)
            && marked.bytes() <= limits::ROW_VALUE_BYTES
            && marked.count() <= limits::ROW_VALUES
        {
            self.feed.advance(marked.after().saturating_sub(used));
            self.current = Current::Marked(marked);
            return Some(marked.count());
        }
        if !self.read(number, true) {
            return None;
        }
        if let Current::Record(start, length, style) = self.current {
            if length > limits::ROW_VALUE_BYTES {
                self.current = Current::Cells(self.cells());
            } else {
                let record = in_memory(&self.feed, start, length);
                self.spans.clear();
                let all = &mut self.spans;
                let mut count = 0usize;
                spans(record, style, |span, _| {
                    if count < limits::ROW_VALUES {
                        all.push(span);
                    }
                    count = count.saturating_add(1);
                });
                self.count_values(count);
                return Some(count.min(limits::ROW_VALUES));
            }
        }
        match &self.current {
            Current::Cells(cells) => Some(cells.len()),
            _ => Some(0),
        }
    }

    /// A value of the record that [`Records::advance`] read, if it is kept whole in memory.
    pub fn value(&self, index: usize) -> Option<Cow<'_, [u8]>> {
        match &self.current {
            Current::Marked(marked) => {
                let (text, ..) = self.feed.memory();
                let span = if marked.is_listed() {
                    *self.spans.get(index)?
                } else {
                    self.marks.span(text, *marked, index, self.style.quote)?
                };
                Some(span.text(text, self.style))
            }
            Current::Record(start, length, style) => {
                let record = in_memory(&self.feed, *start, *length);
                let span = self.spans.get(index)?;
                Some(span.text(record, *style))
            }
            Current::Nothing | Current::Cells(_) => None,
        }
    }

    /// The size in bytes of the values of the record that [`Records::advance`] read.
    pub fn bytes(&self) -> usize {
        match &self.current {
            Current::Marked(marked) if marked.is_listed() => {
                let (text, ..) = self.feed.memory();
                let values = self.spans.iter();
                values.map(|span| span.bytes(text, self.style)).sum()
            }
            Current::Marked(marked) => marked.value_bytes(),
            Current::Record(start, length, style) => {
                let record = in_memory(&self.feed, *start, *length);
                let values = self.spans.iter();
                values.map(|span| span.bytes(record, *style)).sum()
            }
            Current::Nothing | Current::Cells(_) => 0,
        }
    }

    /// The values of the record that [`Records::advance`] read, if it is too large to be divided in memory.
    pub fn large(&self) -> Option<&[Cell]> {
        match &self.current {
            Current::Cells(cells) => Some(cells),
            _ => None,
        }
    }

    /// The values of the record that was read last.
    pub fn cells(&mut self) -> Vec<Cell> {
        let mut cells = Vec::new();
        let (text, ..) = self.feed.memory();
        let count = match &self.current {
            Current::Nothing => 0,
            Current::Marked(marked) if marked.has_quotes() => {
                keep_quoted(marked.text(text), self.style, &mut cells)
            }
            Current::Marked(marked) => {
                keep_plain(marked.text(text), self.style.delimiter, &mut cells)
            }
            Current::Record(start, length, style) => {
                let record = in_memory(&self.feed, *start, *length);
                if style
                    .quote
                    .is_none_or(|quote| memchr::memchr(quote, record).is_none())
                {
                    keep_plain(record, style.delimiter, &mut cells)
                } else {
                    keep_quoted(record, *style, &mut cells)
                }
            }
            Current::Cells(kept) => {
                cells.clone_from(kept);
                0
            }
        };
        self.count_values(count);
        cells
    }

    fn read(&mut self, number: u64, keep: bool) -> bool {
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
                                return self.repair(number, ends, keep);
                            }
                        }
                    }
                    self.keep(start, end, style);
                    return true;
                }
                Scan::Broken { start, at } => {
                    let searched = at.saturating_sub(start) as u64;
                    self.searched = self.searched.saturating_add(searched);
                    self.feed.advance(start);
                    return self.repair(number, ends, keep);
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
                            return self.repair(number, ends, keep);
                        }
                        return self.read_large(number, style, keep);
                    }
                    self.feed.advance(start);
                    ends = !self.feed.more(length);
                }
            }
        }
    }

    /// Makes a part of the text that was not used yet the current record, and marks it as used.
    fn keep(&mut self, start: usize, end: usize, style: Style) {
        let (_, used, _) = self.feed.memory();
        let length = end.saturating_sub(start);
        self.current = Current::Record(used.saturating_add(start), length, style);
        self.feed.advance(end.saturating_add(1));
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
    fn repair(&mut self, number: u64, ends: bool, keep: bool) -> bool {
        let most = usize::try_from(limits::RECORD_BYTES).unwrap_or(usize::MAX);
        let mut ends = ends;
        let literal = self.style.literal();
        let line = loop {
            let text = self.feed.text();
            match find(text, literal, ends) {
                Scan::Record { end, .. } => break end,
                _ if text.len() > most => {
                    self.unclosed.add(number);
                    return self.read_large(number, literal, keep);
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
        if !style.backslash || style.quote.is_none() {
            self.unclosed.add(number);
        }
        self.keep(0, end, style);
        true
    }

    /// Reads a record that is larger than the limit: its start, up to the next line end.
    fn read_large(&mut self, number: u64, style: Style, keep: bool) -> bool {
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
        if keep {
            if let Some(last) = kept.last_mut()
                && more > 0
            {
                last.bytes = last.bytes.saturating_add(more);
                last.value = SqlValue::Text;
            }
            self.current = Current::Cells(kept);
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

/// A part of the text in memory.
fn in_memory<'f>(feed: &'f Feed<'_, '_>, start: usize, length: usize) -> &'f [u8] {
    let (text, ..) = feed.memory();
    text.get(start..start.saturating_add(length))
        .unwrap_or_default()
}
