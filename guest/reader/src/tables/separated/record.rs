//! The records of CSV, one after the other.
//!
//! A record is parsed in memory. One that does not fit, or whose quotes are not closed, ends at the end
//! of its line, and its quotes have no meaning.

use super::quotes::{self, Found, Kind, Quotes};
use crate::limits;
use crate::tables::feed::Feed;
use crate::tables::{Cell, SqlValue};
use crate::units;
use crate::world::FileError;
use std::borrow::Cow;

/// The records of a text.
pub struct Records<'i, 'a> {
    feed: Feed<'i, 'a>,
    delimiter: u8,
    /// The number of bytes before the first record.
    before: usize,
    /// The quotes of the text.
    quotes: Quotes,
    /// The number of bytes that were searched in vain for closing quotes.
    searched: usize,
    /// The number of rows whose quotes have no meaning, and the first of them.
    literal: (u64, u64),
    /// The largest number of values of a row, if not all of them are kept.
    most_values: usize,
    /// The number of rows that are not read whole because they are too large, and the first of these
    /// rows with its size in bytes.
    large: (u64, u64, u64),
}

/// The number of values in each of the first records of a sample. `whole` states whether the sample
/// is the whole text, so that its last record is complete.
pub fn sample_widths(text: &[u8], delimiter: u8, quotes: Quotes, whole: bool) -> Vec<usize> {
    let mut widths = Vec::new();
    walk(text, delimiter, quotes, whole, |_, record| {
        widths.push(record.len());
    });
    widths
}

/// The first records of a sample, each with the offset at which it starts.
pub fn sample_records(
    text: &[u8],
    delimiter: u8,
    quotes: Quotes,
    whole: bool,
) -> Vec<(usize, Vec<String>)> {
    let mut records = Vec::new();
    let mut keep = |start: usize, record: Vec<Cow<'_, [u8]>>| {
        let values = record.into_iter().take(limits::ROW_VALUES);
        let values = values.map(|value| String::from_utf8_lossy(&value).into_owned());
        records.push((start, values.collect()));
    };
    walk(text, delimiter, quotes, whole, &mut keep);
    // A sample without a complete record has the start of the first one.
    if records.is_empty() && !whole {
        walk(text, delimiter, quotes, true, |start, record| {
            if records.is_empty() {
                let values = record.into_iter().take(limits::ROW_VALUES);
                let values = values.map(|value| String::from_utf8_lossy(&value).into_owned());
                records.push((start, values.collect()));
            }
        });
    }
    records
}

/// Calls `each` with the first records of a text: the offset of each, and its values.
fn walk(
    text: &[u8],
    delimiter: u8,
    quotes: Quotes,
    whole: bool,
    mut each: impl FnMut(usize, Vec<Cow<'_, [u8]>>),
) {
    let mut at = 0usize;
    for _ in 0..limits::TABLE_SAMPLE_RECORDS {
        let rest = text.get(at..).unwrap_or_default();
        let Some(found) = quotes::find(rest, delimiter, quotes, whole) else {
            return;
        };
        let record = rest.get(found.start..found.end).unwrap_or_default();
        let mut values = Vec::new();
        quotes::split(record, delimiter, quotes, found.kind, |value| {
            values.push(Cow::Owned(value.into_owned()));
        });
        each(at.saturating_add(found.start), values);
        at = at.saturating_add(found.end);
    }
}

impl<'i, 'a> Records<'i, 'a> {
    /// The records after the first `before` bytes of a text.
    pub fn new(feed: Feed<'i, 'a>, delimiter: u8, quotes: Quotes, before: usize) -> Self {
        let mut records = Self {
            feed,
            delimiter,
            before,
            quotes,
            searched: 0,
            literal: (0, 0),
            most_values: 0,
            large: (0, 0, 0),
        };
        records.feed.skip(before);
        records
    }

    /// Starts again at the first record.
    ///
    /// # Errors
    /// Fails if the source is a stream that can be read only once.
    pub fn restart(&mut self) -> Result<(), FileError> {
        self.feed.restart()?;
        self.searched = 0;
        self.literal = (0, 0);
        self.most_values = 0;
        self.large = (0, 0, 0);
        self.feed.skip(self.before);
        Ok(())
    }

    /// The number of bytes of the source that were read.
    pub fn position(&self) -> u64 {
        self.feed.position()
    }

    /// The notes on damage of the records that were read.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let why = "a quote that is not closed before a delimiter";
        match self.literal {
            (0, _) => {}
            (1, row) => notes.push(format!(
                "row {row} has {why}; the quotes of this row are characters"
            )),
            (count, row) => notes.push(format!(
                "{count} rows have {why}, the first is {row}; the quotes of these rows are characters"
            )),
        }
        if !self.has_quotes() && self.quotes.mark.is_some() {
            notes.push("quotes are characters after these rows".to_owned());
        }
        if self.most_values > 0 {
            notes.push(format!(
                "a row has {} values, of which the first {} are read",
                self.most_values,
                limits::ROW_VALUES
            ));
        }
        let limit = units::bytes(limits::RECORD_BYTES as u64);
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

    /// Whether quotes still have a meaning.
    fn has_quotes(&self) -> bool {
        self.searched < limits::UNCLOSED_BYTES
    }

    fn read(&mut self, number: u64, cells: Option<&mut Vec<Cell>>) -> bool {
        let quotes = if self.has_quotes() {
            self.quotes
        } else {
            Quotes::NONE
        };
        let Some((found, is_whole)) = self.find(quotes) else {
            return false;
        };
        if let Kind::Literal(searched) = found.kind {
            self.searched = self.searched.saturating_add(searched);
            if self.literal.0 == 0 {
                self.literal.1 = number;
            }
            self.literal.0 = self.literal.0.saturating_add(1);
        }
        if let Some(cells) = cells {
            let text = self.feed.buffered();
            let record = text.get(found.start..found.end).unwrap_or_default();
            let mut values = 0usize;
            quotes::split(record, self.delimiter, quotes, found.kind, |value| {
                if values < limits::ROW_VALUES {
                    cells.push(cell(&value));
                }
                values = values.saturating_add(1);
            });
            if values > limits::ROW_VALUES {
                self.most_values = self.most_values.max(values);
            }
        }
        self.feed.advance(found.end);
        if !is_whole {
            let length = found.end.saturating_sub(found.start) as u64;
            let rest = self.feed.skip_line();
            if self.large.0 == 0 {
                (self.large.1, self.large.2) = (number, length.saturating_add(rest));
            }
            self.large.0 = self.large.0.saturating_add(1);
        }
        true
    }

    /// Finds the next record in the buffer of the feed, which is filled as far as necessary. Also
    /// returns whether it is the whole record.
    fn find(&mut self, quotes: Quotes) -> Option<(Found, bool)> {
        loop {
            let text = self.feed.text();
            if text.is_empty() {
                return None;
            }
            let ended = self.feed.has_ended();
            let text = self.feed.buffered();
            if let Some(found) = quotes::find(text, self.delimiter, quotes, ended) {
                return Some((found, true));
            }
            if ended {
                // Only line ends are left.
                return None;
            }
            let is_long = text.len() >= limits::RECORD_BYTES;
            if is_long && let Some(found) = self.cut(quotes) {
                return Some(found);
            }
            self.feed.more();
        }
    }

    /// The record at the start of a buffer in which it has no end: to the end of its line, or as much
    /// of it as is in the buffer. `None` if the buffer has only line ends.
    fn cut(&mut self, quotes: Quotes) -> Option<(Found, bool)> {
        let text = self.feed.buffered();
        if let Some(mut line) = quotes::find(text, self.delimiter, Quotes::NONE, false) {
            line.kind = Kind::Literal(text.len());
            return Some((line, true));
        }
        let found = quotes::find(text, self.delimiter, quotes, true);
        match found {
            Some(found) => Some((found, false)),
            None => {
                let length = text.len();
                self.feed.advance(length);
                None
            }
        }
    }
}

/// The cell with a text.
fn cell(text: &[u8]) -> Cell {
    let kept = text.get(..limits::ROW_VALUE_BYTES).unwrap_or(text);
    let shown = match str::from_utf8(kept) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(kept).into_owned(),
    };
    let mut cell = Cell::of_text(shown);
    if kept.len() < text.len() {
        // The start of a text may look like a number.
        cell.value = SqlValue::Text;
        cell.bytes = text.len() as u64;
    }
    cell
}
