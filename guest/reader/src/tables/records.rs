//! JSON lines as rows: one JSON value per line.
//!
//! The keys of the objects name the columns. A value that is not an object, and a line that is not
//! JSON, are in the column `value`.

use super::feed::Feed;
use super::names::unique;
use super::{Cell, Row, Rows, SqlValue};
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::limits;
use crate::pages::Input;
use crate::units;
use crate::world::FileError;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

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
            indexes: BTreeMap::new(),
            first: VecDeque::new(),
            number: 0,
            damaged: (0, 0),
            long: (0, 0, 0),
            others: BTreeSet::new(),
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
        rows.indexes = keys.into_iter().zip(0..).collect();
        rows
    }

    /// The next line that is not empty. `None` at the end. Without `keep`, its text is not stored.
    fn next_line(&mut self, keep: bool) -> Option<Line> {
        let line = match self.first.pop_front() {
            Some(line) => line,
            None => self.read_line(keep)?,
        };
        self.number = self.number.saturating_add(1);
        Some(line)
    }

    /// Reads a line that is not empty from the text.
    fn read_line(&mut self, keep: bool) -> Option<Line> {
        let limit = usize::try_from(limits::RECORD_BYTES).unwrap_or(usize::MAX);
        loop {
            let mut line = Line::default();
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
                return Some(line);
            }
            if !any {
                return None;
            }
        }
    }

    /// The index of the column for values that are not objects. It may be after the columns.
    fn value_index(&self) -> usize {
        let index = self.indexes.get(VALUE).copied();
        index.unwrap_or(self.columns.len())
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
        let text = String::from_utf8_lossy(&line.text);
        let record = match serde_json::from_str::<Record<'_>>(text.trim()) {
            Ok(record) if !line.is_cut() => record,
            _ => {
                self.add_damage(&line);
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
        Some(Row {
            number: self.number,
            cells,
        })
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

/// A line of a JSON lines file.
enum Record<'t> {
    /// An object: its keys and the text of its values.
    Object(Vec<(String, &'t RawValue)>),
    /// Any other value.
    Other(&'t RawValue),
    /// Not JSON.
    Damaged,
}

impl<'de: 't, 't> Deserialize<'de> for Record<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = <&RawValue>::deserialize(deserializer)?;
        if !value.get().starts_with('{') {
            return Ok(Self::Other(value));
        }
        let fields: Fields<'_> = serde_json::from_str(value.get()).map_err(D::Error::custom)?;
        Ok(Self::Object(fields.0))
    }
}

/// The fields of an object, in order.
struct Fields<'t>(Vec<(String, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Fields<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut fields = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    let value: &'de RawValue = map.next_value()?;
                    if fields.len() < limits::ROW_VALUES {
                        fields.push((key, value));
                    }
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}
