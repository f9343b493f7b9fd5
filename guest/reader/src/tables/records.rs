//! JSON lines as rows: one JSON value per line.
//!
//! The keys of the objects name the columns. A value that is not an object, and a line that is not
//! JSON, are in the column `value`.

mod flat;
mod parse;
#[cfg(test)]
mod tests;

use super::feed::Feed;
use super::names::unique;
use super::{Advanced, Cell, Row, Rows, SqlValue};
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::limits;
use crate::pages::Input;
use crate::units;
use crate::world::FileError;
use flat::Field;
use parse::Record;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The name of the column for a value that is not an object.
const VALUE: &str = "value";

/// The maximum number of keys that a note names.
const NAMED_KEYS: usize = 5;

/// The maximum number of keys without a column that are remembered.
const OTHER_KEYS: usize = 1000;

/// The maximum size in bytes of a key without a column that is remembered.
const OTHER_KEY_BYTES: usize = 100;

/// The lines of a JSON lines file as rows, numbered from 1. A line of spaces is not a row.
pub struct JsonRows<'i, 'a> {
    feed: Feed<'i, 'a>,
    columns: Vec<String>,
    /// The name of the column for values that are not objects, if it is not one of `columns`.
    extra: Option<String>,
    /// The keys of the columns, in their order.
    keys: Vec<String>,
    /// The index of the column of each key.
    indexes: BTreeMap<String, usize>,
    /// The first lines, which are read already because their keys name the columns.
    first: VecDeque<Line>,
    number: u64,
    /// The number of lines that are not JSON, and the first row of them.
    damaged: (u64, u64),
    /// The number of lines that are too long to be parsed, and the first row of them with its size.
    long: (u64, u64, u64),
    /// The keys without a column. Long ones are cut.
    others: BTreeSet<String>,
    /// The line of the row that [`Rows::advance`] returned.
    current: Line,
    /// The fields of this line.
    fields: Vec<Field>,
    /// The index in `fields` of the value of each column, counted from 1. 0 if the row has none.
    places: Vec<usize>,
}

/// A line, which may be cut.
#[derive(Default)]
struct Line {
    text: Vec<u8>,
    bytes: u64,
}

impl<'i, 'a> JsonRows<'i, 'a> {
    /// The rows of a text. The keys of the first records name the columns.
    pub fn new(input: &'i mut Input<'a>, encoding: Encoding) -> Self {
        let mut rows = Self {
            feed: Feed::new(input, encoding),
            columns: Vec::new(),
            extra: None,
            keys: Vec::new(),
            indexes: BTreeMap::new(),
            first: VecDeque::new(),
            number: 0,
            damaged: (0, 0),
            long: (0, 0, 0),
            others: BTreeSet::new(),
            current: Line::default(),
            fields: Vec::new(),
            places: Vec::new(),
        };
        // The sizes of the lines that can be parsed, and of all lines.
        let (mut parsed, mut bytes) = (0usize, 0u64);
        while parsed < limits::TABLE_SAMPLE_BYTES
            && bytes < limits::RECORD_BYTES
            && rows.first.len() < limits::TABLE_SAMPLE_RECORDS
        {
            let Some(line) = rows.read_line(true) else {
                break;
            };
            bytes = bytes.saturating_add(line.text.len() as u64);
            if !line.is_cut() {
                parsed = parsed.saturating_add(line.text.len());
            }
            rows.first.push_back(line);
        }
        let keys = keys(&rows.first);
        rows.columns = unique(keys.iter().cloned());
        if !keys.iter().any(|key| key == VALUE) {
            let named = keys.iter().cloned().chain([VALUE.to_owned()]);
            rows.extra = unique(named).pop();
        }
        rows.indexes.extend(keys.iter().cloned().zip(0..));
        rows.keys = keys;
        rows
    }

    /// The next line that is not empty. `None` at the end. Without `keep`, its text is not stored.
    fn next_line(&mut self, keep: bool) -> Option<Line> {
        let mut line = Line::default();
        self.next_into(keep, &mut line).then_some(line)
    }

    /// Reads the next line that is not empty. Returns whether there is one.
    fn next_into(&mut self, keep: bool, line: &mut Line) -> bool {
        match self.first.pop_front() {
            Some(first) => *line = first,
            None if self.read_into(keep, line) => {}
            None => return false,
        }
        self.number = self.number.saturating_add(1);
        true
    }

    /// Reads a line that is not empty from the text.
    fn read_line(&mut self, keep: bool) -> Option<Line> {
        let mut line = Line::default();
        self.read_into(keep, &mut line).then_some(line)
    }

    /// Reads a line that is not empty from the text. Returns whether there is one.
    fn read_into(&mut self, keep: bool, line: &mut Line) -> bool {
        let limit = usize::try_from(limits::RECORD_BYTES).unwrap_or(usize::MAX);
        loop {
            line.text.clear();
            line.bytes = 0;
            let mut any = false;
            let mut ended = false;
            let mut solid = false;
            while !ended {
                let text = self.feed.text();
                if text.is_empty() {
                    break;
                }
                any = true;
                let end = memchr::memchr(b'\n', text);
                ended = end.is_some();
                let part = end.map_or(text, |end| text.get(..end).unwrap_or_default());
                solid = solid || !part.iter().all(u8::is_ascii_whitespace);
                let used = part.len().saturating_add(usize::from(ended));
                if keep {
                    let room = limit.saturating_sub(line.text.len());
                    line.text
                        .extend_from_slice(part.get(..room).unwrap_or(part));
                }
                line.bytes = line.bytes.saturating_add(part.len() as u64);
                self.feed.advance(used);
            }
            if solid {
                if keep && line.is_cut() {
                    // It is shown as a value.
                    line.text.truncate(limits::ROW_VALUE_BYTES);
                    line.text.shrink_to_fit();
                }
                return true;
            }
            if !any {
                return false;
            }
        }
    }

    /// The index of the column for values that are not objects. It may be after the columns.
    fn value_index(&self) -> usize {
        let index = self.indexes.get(VALUE).copied();
        index.unwrap_or(self.columns.len())
    }

    /// Finds the values of the current line. Returns whether it is an object of plain values.
    fn find_plain(&mut self) -> bool {
        let line = &self.current;
        let is_short = line.text.len() < limits::ROW_VALUE_BYTES && !line.is_cut();
        if !is_short
            || !flat::fields(&line.text, &mut self.fields)
            || self.fields.len() > limits::ROW_VALUES
            || str::from_utf8(&line.text).is_err()
        {
            return false;
        }
        self.places.clear();
        self.places.resize(self.columns.len(), 0);
        for (at, field) in self.fields.iter().enumerate() {
            let key = line.text.get(field.key.clone()).unwrap_or_default();
            // Most rows have the same keys in the same order.
            let is_next = self.keys.get(at).is_some_and(|own| own.as_bytes() == key);
            let index = if is_next {
                Some(at)
            } else {
                let key = str::from_utf8(key).unwrap_or_default();
                let index = self.indexes.get(key).copied();
                if index.is_none() && self.others.len() < OTHER_KEYS {
                    self.others.insert(shortened(key.to_owned()));
                }
                index
            };
            if let Some(place) = index.and_then(|index| self.places.get_mut(index)) {
                *place = at.saturating_add(1);
            }
        }
        true
    }

    /// The field of the current row with the value of a column, and the text of the value.
    fn field(&self, column: usize) -> Option<(&Field, &[u8])> {
        let place = self.places.get(column)?.checked_sub(1)?;
        let field = self.fields.get(place)?;
        Some((field, self.current.text.get(field.value.clone())?))
    }

    /// Parses a line.
    fn parsed(&mut self, line: &Line) -> Row {
        let text = String::from_utf8_lossy(&line.text);
        let record = match serde_json::from_str::<Record<'_>>(text.trim()) {
            Ok(record) if !line.is_cut() => record,
            _ => {
                self.add_damage(line);
                Record::Damaged
            }
        };
        let mut cells = vec![Cell::empty(); self.columns.len()];
        let alone = match record {
            Record::Object(fields) => {
                for (key, value) in fields {
                    let index = self.indexes.get(&*key);
                    match index.and_then(|index| cells.get_mut(*index)) {
                        Some(cell) => *cell = of_json(value.get()),
                        None if self.others.len() < OTHER_KEYS => {
                            self.others.insert(shortened(key));
                        }
                        None => {}
                    }
                }
                None
            }
            Record::Other(value) => Some(of_json(value.get())),
            Record::Damaged => {
                let mut cell = text_cell(text.trim().to_owned());
                if line.is_cut() {
                    cell.bytes = line.bytes;
                }
                Some(cell)
            }
        };
        if let Some(alone) = alone {
            let index = self.value_index();
            cells.resize(cells.len().max(index.saturating_add(1)), Cell::empty());
            if let Some(cell) = cells.get_mut(index) {
                *cell = alone;
            }
        }
        Row {
            number: self.number,
            cells,
        }
    }

    /// Counts a line that is not JSON or not complete.
    fn add_damage(&mut self, line: &Line) {
        if line.is_cut() {
            if self.long.0 == 0 {
                (self.long.1, self.long.2) = (self.number, line.bytes);
            }
            self.long.0 = self.long.0.saturating_add(1);
        } else {
            if self.damaged.0 == 0 {
                self.damaged.1 = self.number;
            }
            self.damaged.0 = self.damaged.0.saturating_add(1);
        }
    }
}

impl Line {
    fn is_cut(&self) -> bool {
        (self.text.len() as u64) < self.bytes
    }
}

/// The keys of the first records, in order of appearance.
fn keys(lines: &VecDeque<Line>) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    let mut add = |key: &str| {
        if keys.len() < limits::ROW_VALUES && known.insert(key.to_owned()) {
            keys.push(key.to_owned());
        }
    };
    for line in lines {
        match serde_json::from_slice::<Record<'_>>(&line.text) {
            Ok(Record::Object(fields)) => fields.iter().for_each(|(key, _)| add(key)),
            Ok(Record::Other(_) | Record::Damaged) | Err(_) => add(VALUE),
        }
    }
    keys
}

impl Rows for JsonRows<'_, '_> {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn extra_column(&self) -> Option<&str> {
        self.extra.as_deref()
    }

    fn next(&mut self) -> Option<Row> {
        let line = self.next_line(true)?;
        Some(self.parsed(&line))
    }

    fn advance(&mut self) -> Advanced {
        let mut line = std::mem::take(&mut self.current);
        let is_row = self.next_into(true, &mut line);
        self.current = line;
        if !is_row {
            return Advanced::End;
        }
        if self.find_plain() {
            return Advanced::Lazy {
                number: self.number,
                width: self.columns.len(),
            };
        }
        Advanced::Row(self.current())
    }

    fn value(&self, index: usize) -> Option<Cow<'_, [u8]>> {
        let (_, text) = self.field(index)?;
        Some(Cow::Borrowed(text))
    }

    fn has_typed(&self) -> bool {
        true
    }

    fn typed(&self, index: usize) -> Option<SqlValue> {
        let (field, text) = self.field(index)?;
        Some(match text.first() {
            _ if field.is_text => SqlValue::Text,
            Some(b't' | b'f') => SqlValue::Integer(i64::from(text == b"true")),
            Some(b'n') => SqlValue::Null,
            _ => SqlValue::of_bytes(text),
        })
    }

    fn bytes(&self) -> usize {
        let columns = 0..self.places.len();
        columns
            .filter_map(|column| Some(self.field(column)?.1.len()))
            .sum()
    }

    fn current(&mut self) -> Row {
        let line = std::mem::take(&mut self.current);
        let row = self.parsed(&line);
        self.current = line;
        row
    }

    fn skip(&mut self, count: u64) -> u64 {
        let lines = (0..count).take_while(|_| self.next_line(false).is_some());
        lines.count() as u64
    }

    fn skip_to(&mut self, number: u64) {
        self.skip(number.saturating_sub(self.number.saturating_add(1)));
    }

    fn restart(&mut self) -> Result<(), FileError> {
        self.feed.restart()?;
        self.first.clear();
        self.number = 0;
        self.damaged = (0, 0);
        self.long = (0, 0, 0);
        self.others.clear();
        Ok(())
    }

    fn can_restart(&self) -> bool {
        self.feed.is_seekable()
    }

    fn position(&self) -> u64 {
        self.feed.position()
    }

    fn describe(&self) -> String {
        let count = self.columns.len();
        let columns = if count == 1 { "column" } else { "columns" };
        format!("JSON lines: {count} {columns}, named by the keys of the first records")
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let value = match &self.extra {
            Some(extra) => extra.as_str(),
            None => self
                .columns
                .get(self.value_index())
                .map_or(VALUE, |name| name),
        };
        match self.damaged {
            (0, _) => {}
            (1, row) => notes.push(format!(
                "row {row} is not JSON; it is shown as text in the column `{value}`"
            )),
            (count, row) => notes.push(format!(
                "{count} rows are not JSON, the first is {row}; they are shown as text in the column `{value}`"
            )),
        }
        let limit = units::bytes(limits::RECORD_BYTES);
        match self.long {
            (0, ..) => {}
            (1, row, bytes) => notes.push(format!(
                "row {row} has {}, which is more than {limit}; its start is read as text, in the column `{value}`",
                units::bytes(bytes)
            )),
            (count, row, _) => notes.push(format!(
                "{count} rows have more than {limit}, the first is {row}; their starts are read as text, in the column `{value}`"
            )),
        }
        if !self.others.is_empty() {
            let named: Vec<String> = self
                .others
                .iter()
                .take(NAMED_KEYS)
                .map(|key| format!("`{}`", escape_invisible(key)))
                .collect();
            let more = self.others.len().saturating_sub(named.len());
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            notes.push(format!(
                "keys that the first records do not have are left out: {}{more}",
                named.join(", ")
            ));
        }
        notes
    }
}

/// A key as it is remembered for a note.
fn shortened(mut key: String) -> String {
    if key.len() > OTHER_KEY_BYTES {
        key.truncate(key.floor_char_boundary(OTHER_KEY_BYTES));
        key.push('…');
    }
    key
}

/// The cell of a JSON value. Arrays and objects are JSON text.
fn of_json(json: &str) -> Cell {
    match json.as_bytes().first() {
        Some(b'"') => text_cell(serde_json::from_str(json).unwrap_or_else(|_| json.to_owned())),
        Some(b'[' | b'{') => text_cell(json.to_owned()),
        Some(b't' | b'f') => Cell {
            text: json.to_owned(),
            bytes: json.len() as u64,
            value: SqlValue::Integer(i64::from(json == "true")),
        },
        Some(b'n') => Cell {
            text: "null".to_owned(),
            bytes: 4,
            value: SqlValue::Null,
        },
        _ => Cell::of_text(json.to_owned()),
    }
}

fn text_cell(mut text: String) -> Cell {
    let bytes = text.len() as u64;
    if text.len() > limits::ROW_VALUE_BYTES {
        let end = text.floor_char_boundary(limits::ROW_VALUE_BYTES);
        text.truncate(end);
    }
    Cell {
        text,
        bytes,
        value: SqlValue::Text,
    }
}
