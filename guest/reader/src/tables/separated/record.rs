//! The records of CSV, one after the other. `csv-core` parses them.
//!
//! A quote that is not closed would make one value of the rest of the file. Such a record is read
//! again from its start, and quotes have no meaning in it.

use super::simple;
use crate::limits;
use crate::tables::feed::Feed;
use crate::tables::{Cell, SqlValue};
use crate::units;
use crate::world::FileError;
use csv_core::{ReadFieldResult, Reader, ReaderBuilder};

/// The size in bytes of the buffer for the text of a value. Most values fit into it.
const BUFFER_BYTES: usize = 4096;

/// The records of a text.
pub struct Records<'i, 'a> {
    feed: Feed<'i, 'a>,
    delimiter: u8,
    /// The number of bytes before the first record.
    before: usize,
    reader: Reader,
    buffer: Box<[u8; BUFFER_BYTES]>,
    /// Whether the reader gives quotes a meaning.
    quoting: bool,
    /// The number of unclosed quotes that were repaired.
    repaired: u32,
    /// The rows that contain an unclosed quote.
    unclosed: Vec<u64>,
    /// The text of the current record so far, which is read again if a quote is not closed.
    record: Vec<u8>,
    /// The largest number of values of a row, if not all of them are kept.
    most_values: usize,
    /// The number of rows whose values are not kept whole because the row is too large, and the
    /// first of these rows with its size in bytes.
    large: (u64, u64, u64),
}

fn reader(delimiter: u8, quoting: bool) -> Reader {
    ReaderBuilder::new()
        .delimiter(delimiter)
        .quoting(quoting)
        .build()
}

/// The number of values in each of the first records of a sample. `whole` states whether the sample
/// is the whole text, so that its last record is complete.
pub fn sample_widths(text: &[u8], delimiter: u8, whole: bool) -> Vec<usize> {
    let mut widths = Vec::new();
    let mut width = 0usize;
    walk(text, delimiter, whole, |_, ends| {
        width = width.saturating_add(1);
        if ends {
            widths.push(std::mem::take(&mut width));
        }
        widths.len() < limits::TABLE_SAMPLE_RECORDS
    });
    widths
}

/// The first records of a sample.
pub fn sample_records(text: &[u8], delimiter: u8, whole: bool) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let mut record = Vec::new();
    walk(text, delimiter, whole, |value, ends| {
        if record.len() < limits::ROW_VALUES {
            record.push(String::from_utf8_lossy(value).into_owned());
        }
        if ends {
            records.push(std::mem::take(&mut record));
        }
        records.len() < limits::TABLE_SAMPLE_RECORDS
    });
    // A sample without a complete record has the start of the first one.
    if records.is_empty() && !record.is_empty() {
        records.push(record);
    }
    records
}

/// Calls `each` with every value of a text, and with whether it is the last one of its record, until
/// it returns `false`.
fn walk(text: &[u8], delimiter: u8, whole: bool, mut each: impl FnMut(&[u8], bool) -> bool) {
    let mut reader = reader(delimiter, true);
    let mut value = Vec::new();
    let mut buffer = [0; BUFFER_BYTES];
    let mut rest = text;
    loop {
        if rest.is_empty() && !whole {
            return;
        }
        let (result, read, written) = reader.read_field(rest, &mut buffer);
        rest = rest.get(read..).unwrap_or_default();
        value.extend_from_slice(buffer.get(..written).unwrap_or_default());
        match result {
            ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
            ReadFieldResult::Field { record_end } => {
                if !each(&value, record_end) {
                    return;
                }
                value.clear();
            }
            ReadFieldResult::End => return,
        }
    }
}

impl<'i, 'a> Records<'i, 'a> {
    /// The records after the first `before` bytes of a text.
    pub fn new(feed: Feed<'i, 'a>, delimiter: u8, before: usize) -> Self {
        let mut records = Self {
            feed,
            delimiter,
            before,
            reader: reader(delimiter, true),
            buffer: Box::new([0; BUFFER_BYTES]),
            quoting: true,
            repaired: 0,
            unclosed: Vec::new(),
            record: Vec::new(),
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
        self.reader = reader(self.delimiter, true);
        self.quoting = true;
        self.repaired = 0;
        self.unclosed.clear();
        self.most_values = 0;
        self.large = (0, 0, 0);
        self.skip_before();
        Ok(())
    }

    /// The number of bytes of the source that were read.
    pub fn position(&self) -> u64 {
        self.feed.position()
    }

    /// The notes on damage of the records that were read.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        match self.unclosed.as_slice() {
            [] => {}
            [row] => notes.push(format!(
                "row {row} has a quote that is not closed; the quotes of this row have no meaning"
            )),
            [row, ..] => notes.push(format!(
                "{} rows have a quote that is not closed, the first is {row}; the quotes of these rows have no meaning",
                self.unclosed.len()
            )),
        }
        if self.repaired >= limits::UNCLOSED_QUOTES {
            notes.push("quotes have no meaning after these rows".to_owned());
        }
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
        loop {
            let mut cells = Vec::new();
            match self.read(number, Some(&mut cells)) {
                End::Record => return Some(cells),
                End::Text => return None,
                End::Again => {}
            }
        }
    }

    /// Skips the next record, which is the row `number`. Returns whether there was one.
    pub fn skip(&mut self, number: u64) -> bool {
        loop {
            match self.read(number, None) {
                End::Record => return true,
                End::Text => return false,
                End::Again => {}
            }
        }
    }

    fn read(&mut self, number: u64, mut cells: Option<&mut Vec<Cell>>) -> End {
        if self.read_simple(&mut cells) {
            return End::Record;
        }
        self.record.clear();
        let mut value = Value::default();
        let mut values = 0usize;
        let most = usize::try_from(limits::RECORD_BYTES).unwrap_or(usize::MAX);
        // The size of the values that may still be kept.
        let mut room = if cells.is_some() { most } else { 0 };
        let mut bytes = 0u64;
        loop {
            let mut text = self.feed.buffered();
            if text.is_empty() {
                text = self.feed.text();
                let ended = text.is_empty();
                let long = self.record.len() as u64 > limits::RECORD_BYTES;
                if self.quoting && long && value.has_line_end {
                    return self.without_quotes(number);
                }
                if self.quoting && ended {
                    // A line end ends a record, unless it is in quotes.
                    let (result, _, written) = self.reader.read_field(b"\n", &mut self.buffer[..]);
                    return match result {
                        _ if written > 0 => self.without_quotes(number),
                        ReadFieldResult::Field { .. } => {
                            self.keep(&value, values, &mut cells);
                            if cells.is_some() {
                                self.add_large(number, bytes);
                            }
                            End::Record
                        }
                        _ => End::Text,
                    };
                }
                text = self.feed.buffered();
            }
            let (result, read, written) = self.reader.read_field(text, &mut self.buffer[..]);
            if self.quoting {
                self.record
                    .extend_from_slice(text.get(..read).unwrap_or_default());
            }
            self.feed.advance(read);
            let part = self.buffer.get(..written).unwrap_or_default();
            bytes = bytes.saturating_add(part.len() as u64);
            value.add(part, &mut room);
            match result {
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {
                    // Only a value in quotes contains a line end.
                    value.has_line_end |= memchr::memchr(b'\n', part).is_some();
                }
                ReadFieldResult::Field { record_end } => {
                    self.keep(&value, values, &mut cells);
                    value.clear();
                    values = values.saturating_add(1);
                    if record_end {
                        if cells.is_some() {
                            self.add_large(number, bytes);
                        }
                        self.with_quotes();
                        return End::Record;
                    }
                }
                ReadFieldResult::End => return End::Text,
            }
        }
    }

    /// Reads the next record if all of it is in the buffer and none of its values is in quotes, which
    /// is several times as fast. Returns `false` and reads nothing otherwise. A record is skipped even
    /// if it has values in quotes.
    fn read_simple(&mut self, cells: &mut Option<&mut Vec<Cell>>) -> bool {
        let text = self.feed.text();
        let Some(found) = simple::find(text, self.delimiter, self.quoting) else {
            return false;
        };
        if let Some(cells) = cells {
            if found.has_quote {
                return false;
            }
            let record = text.get(found.start..found.end).unwrap_or_default();
            let mut values = 0usize;
            let mut from = 0usize;
            loop {
                let rest = record.get(from..).unwrap_or_default();
                let end = memchr::memchr(self.delimiter, rest);
                if values < limits::ROW_VALUES {
                    let value = end.map_or(rest, |end| rest.get(..end).unwrap_or_default());
                    cells.push(cell(value, value.len() as u64));
                } else {
                    self.most_values = self.most_values.max(values.saturating_add(1));
                }
                values = values.saturating_add(1);
                match end {
                    Some(end) => from = from.saturating_add(end).saturating_add(1),
                    None => break,
                }
            }
        }
        self.feed.advance(found.end.saturating_add(1));
        self.with_quotes();
        true
    }

    /// Counts a row of which not everything is kept.
    fn add_large(&mut self, number: u64, bytes: u64) {
        if bytes <= limits::RECORD_BYTES {
            return;
        }
        if self.large.0 == 0 {
            (self.large.1, self.large.2) = (number, bytes);
        }
        self.large.0 = self.large.0.saturating_add(1);
    }

    /// Adds a value to a record that has `values` values, unless there are too many.
    fn keep(&mut self, value: &Value, values: usize, cells: &mut Option<&mut Vec<Cell>>) {
        if values >= limits::ROW_VALUES {
            self.most_values = self.most_values.max(values.saturating_add(1));
        } else if let Some(cells) = cells {
            cells.push(value.cell());
        }
    }

    /// Gives quotes their meaning again after a record without it, unless too many were not closed.
    fn with_quotes(&mut self) {
        if !self.quoting && self.repaired < limits::UNCLOSED_QUOTES {
            self.reader = reader(self.delimiter, true);
            self.quoting = true;
        }
    }

    /// Prepares to read the current record again without quotes.
    fn without_quotes(&mut self, number: u64) -> End {
        self.feed.unread(std::mem::take(&mut self.record));
        self.reader = reader(self.delimiter, false);
        self.quoting = false;
        self.repaired = self.repaired.saturating_add(1);
        self.unclosed.push(number);
        End::Again
    }
}

/// The end of an attempt to read a record.
enum End {
    /// The record is complete.
    Record,
    /// There are no more records.
    Text,
    /// The record must be read again.
    Again,
}

/// The text of a value.
#[derive(Default)]
struct Value {
    text: Vec<u8>,
    /// The size in bytes of the whole text, which may be cut.
    bytes: u64,
    /// Whether a part of the text that filled a buffer has a line end.
    has_line_end: bool,
}

impl Value {
    /// Adds a part of the text. `room` is the size that the record has left for its values.
    fn add(&mut self, text: &[u8], room: &mut usize) {
        self.bytes = self.bytes.saturating_add(text.len() as u64);
        let left = limits::ROW_VALUE_BYTES.saturating_sub(self.text.len());
        let kept = text.get(..left.min(*room)).unwrap_or(text);
        self.text.extend_from_slice(kept);
        *room = room.saturating_sub(kept.len());
    }

    fn clear(&mut self) {
        self.text.clear();
        self.bytes = 0;
        self.has_line_end = false;
    }

    fn cell(&self) -> Cell {
        cell(&self.text, self.bytes)
    }
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
