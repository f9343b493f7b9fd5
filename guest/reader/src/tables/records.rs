//! JSON lines as rows: one JSON value per line.
//!
//! The keys of the objects name the columns. A value that is not an object, and a line that is not
//! JSON, are in the column `value`.

use super::feed::Feed;
use super::names::unique;
use super::{Cell, Row, Rows, Typed};
use crate::encoding::Encoding;
use crate::limits;
use crate::pages::Input;
use crate::world::FileError;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The name of the column for a value that is not an object.
const VALUE: &str = "value";

/// The maximum number of keys that a note names.
const NAMED_KEYS: usize = 5;

/// The maximum number of keys without a column that are remembered.
const OTHER_KEYS: usize = 1000;

/// The lines of a JSON lines file as rows, numbered from 1. A line of spaces is not a row.
pub struct JsonRows<'i, 'a> {
    feed: Feed<'i, 'a>,
    keys: Vec<String>,
    columns: Vec<String>,
    /// The index of the column of each key.
    places: BTreeMap<String, usize>,
    number: u64,
    /// The number of lines that are not JSON, and the first row of them.
    damaged: (u64, u64),
    /// The keys without a column.
    others: BTreeSet<String>,
    line: Line,
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
        let mut feed = Feed::new(input, encoding);
        let (sample, whole) = feed.sample();
        let keys = keys(&sample, whole);
        let places = keys.iter().cloned().zip(0..).collect();
        Self {
            feed,
            columns: unique(keys.iter().cloned()),
            keys,
            places,
            number: 0,
            damaged: (0, 0),
            others: BTreeSet::new(),
            line: Line::default(),
        }
    }

    /// Reads the next line that is not empty. Returns whether there is one. Without `keep`, its
    /// text is not stored.
    fn next_line(&mut self, keep: bool) -> bool {
        loop {
            self.line.text.clear();
            self.line.bytes = 0;
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
                    let limit = usize::try_from(limits::RECORD_BYTES).unwrap_or(usize::MAX);
                    let room = limit.saturating_sub(self.line.text.len());
                    self.line
                        .text
                        .extend_from_slice(part.get(..room).unwrap_or(part));
                }
                self.line.bytes = self.line.bytes.saturating_add(part.len() as u64);
                self.feed.advance(used);
            }
            if solid {
                self.number = self.number.saturating_add(1);
                return true;
            }
            if !any {
                return false;
            }
        }
    }

    /// The index of the column for values that are not objects. It may be after the columns.
    fn value_place(&self) -> usize {
        self.places.get(VALUE).copied().unwrap_or(self.keys.len())
    }
}

/// The keys of the first records of a sample, in order of appearance.
fn keys(sample: &[u8], whole: bool) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    let mut add = |key: &str| {
        if keys.len() < limits::ROW_VALUES && known.insert(key.to_owned()) {
            keys.push(key.to_owned());
        }
    };
    let mut lines: Vec<&[u8]> = sample.split(|byte| *byte == b'\n').collect();
    if !whole && lines.len() > 1 {
        lines.pop();
    }
    let lines = lines
        .into_iter()
        .filter(|line| !line.trim_ascii().is_empty());
    for line in lines.take(limits::TABLE_SAMPLE_RECORDS) {
        match serde_json::from_slice::<Record<'_>>(line) {
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

    fn next(&mut self) -> Option<Row> {
        if !self.next_line(true) {
            return None;
        }
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line.text);
        let record = match serde_json::from_str::<Record<'_>>(text.trim()) {
            Ok(record) => record,
            Err(_) => {
                if self.damaged.0 == 0 {
                    self.damaged.1 = self.number;
                }
                self.damaged.0 = self.damaged.0.saturating_add(1);
                Record::Damaged
            }
        };
        let mut cells = vec![Cell::empty(); self.keys.len()];
        let alone = match record {
            Record::Object(fields) => {
                for (key, value) in fields {
                    let cell = self
                        .places
                        .get(&*key)
                        .and_then(|place| cells.get_mut(*place));
                    match cell {
                        Some(cell) => *cell = of_json(value.get()),
                        None if self.others.len() < OTHER_KEYS => {
                            self.others.insert(key);
                        }
                        None => {}
                    }
                }
                None
            }
            Record::Other(value) => Some(of_json(value.get())),
            Record::Damaged => {
                let mut cell = text_cell(text.trim().to_owned());
                cell.bytes = cell.bytes.max(line.bytes);
                Some(cell)
            }
        };
        if let Some(alone) = alone {
            let place = self.value_place();
            cells.resize(cells.len().max(place.saturating_add(1)), Cell::empty());
            if let Some(cell) = cells.get_mut(place) {
                *cell = alone;
            }
        }
        self.line = Line {
            text: line.text,
            bytes: 0,
        };
        Some(Row {
            number: self.number,
            cells,
        })
    }

    fn skip(&mut self, count: u64) -> u64 {
        (0..count).take_while(|_| self.next_line(false)).count() as u64
    }

    fn skip_to(&mut self, number: u64) {
        self.skip(number.saturating_sub(self.number.saturating_add(1)));
    }

    fn restart(&mut self) -> Result<(), FileError> {
        self.feed.restart()?;
        self.number = 0;
        self.damaged = (0, 0);
        self.others.clear();
        Ok(())
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
        match self.damaged {
            (0, _) => {}
            (1, row) => notes.push(format!(
                "row {row} is not JSON; it is shown as text in the last column"
            )),
            (count, row) => notes.push(format!(
                "{count} rows are not JSON, the first is {row}; they are shown as text in the last column"
            )),
        }
        if !self.others.is_empty() {
            let named: Vec<String> = self
                .others
                .iter()
                .take(NAMED_KEYS)
                .map(|key| format!("`{key}`"))
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

/// The cell of a JSON value. Arrays and objects are JSON text.
fn of_json(json: &str) -> Cell {
    match json.as_bytes().first() {
        Some(b'"') => text_cell(serde_json::from_str(json).unwrap_or_else(|_| json.to_owned())),
        Some(b'[' | b'{') => text_cell(json.to_owned()),
        Some(b't' | b'f') => Cell {
            text: json.to_owned(),
            bytes: json.len() as u64,
            value: Typed::Integer(i64::from(json == "true")),
        },
        Some(b'n') => Cell {
            text: "null".to_owned(),
            bytes: 4,
            value: Typed::Null,
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
        value: Typed::Text,
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
