//! A row that does not fit on a page, in parts: whole values one below the other, up to a place in the row at which the
//! next page goes on.

use super::{Cell, Row};
use crate::limits;
use crate::path::query::At;
use crate::sqlite::line;
use crate::window::Limit;
use omniread_tokens::{Tally, estimate};

/// The room for a part of a row.
#[derive(Clone, Copy)]
pub struct PartRoom {
    /// The maximum size of the text in bytes.
    pub bytes: usize,
    /// The maximum number of tokens of the text, if limited.
    pub tokens: Option<u64>,
}

/// A part of a row.
pub struct Part {
    /// The lines, each with a line ending.
    pub text: String,
    /// The names of the columns of which the part has values.
    pub columns: Vec<String>,
    /// The place at which the row goes on. `None` at its end.
    pub rest: Option<At>,
    /// The limit that ended the part.
    pub limit: Option<Limit>,
    /// The columns of which the row has only the start of the value, each with the size of the whole value in bytes.
    pub unread: Vec<(String, u64)>,
}

/// The least number of characters of a value on a page, so that each page reads on.
const LEAST: usize = limits::MIN_COLUMN_WIDTH;

impl Part {
    /// The part of a row from a place on. `name` returns the name of a column by its index. A part has at least the first
    /// characters of a value.
    pub fn of(row: &Row, name: &dyn Fn(usize) -> String, at: At, room: PartRoom) -> Self {
        let first = usize::try_from(at.column.saturating_sub(1)).unwrap_or(usize::MAX);
        let from = match (at.column, at.character) {
            (1, 1) => String::new(),
            _ => format!(", from {at}"),
        };
        let mut part = Self {
            text: format!("── Row {}{from} ──\n", row.number),
            columns: Vec::new(),
            rest: None,
            limit: None,
            unread: Vec::new(),
        };
        let mut tally = Tally::default();
        tally.add(&part.text);
        let half = room.tokens.map(|tokens| tokens / 2);
        for (index, cell) in row.cells.iter().enumerate().skip(first) {
            let from = if index == first { at.character } else { 1 };
            let skipped = usize::try_from(from.saturating_sub(1)).unwrap_or(usize::MAX);
            let start = cell.text.char_indices().nth(skipped);
            let start = start.map_or(cell.text.len(), |(start, _)| start);
            let text = cell.text.get(start..).unwrap_or_default();
            if text.is_empty() && !is_unread(cell) {
                continue;
            }
            let mut name = name(index);
            let end = name.floor_char_boundary(limits::COLUMN_WIDTH);
            if end < name.len() && half.is_some_and(|half| estimate(&name) > half) {
                name.truncate(end);
                name.push('…');
            }
            let left = Left {
                bytes: room.bytes.saturating_sub(part.text.len()),
                tokens: room.tokens.map(|most| (most, tally)),
            };
            let shown = match left.whole(&name, text, is_unread(cell)) {
                Ok(whole) => {
                    tally.add(&whole);
                    part.text.push_str(&whole);
                    part.columns.push(name.clone());
                    if is_unread(cell) {
                        part.unread.push((name, cell.bytes));
                    }
                    continue;
                }
                Err(limit) => {
                    part.limit = Some(match (limit, room.tokens) {
                        (Limit::Tokens(_), Some(tokens)) => Limit::Tokens(tokens),
                        _ => Limit::Bytes(room.bytes as u64),
                    });
                    let has_room = match (half, room.tokens) {
                        (Some(half), Some(tokens)) => tokens.saturating_sub(tally.tokens()) >= half,
                        _ => left.bytes >= room.bytes / 2,
                    };
                    if part.columns.is_empty() || has_room {
                        left.start(&name, text)
                    } else {
                        ""
                    }
                }
            };
            if !shown.is_empty() {
                part.text.push_str(&format!("{name}: {}…\n", line(shown)));
                part.columns.push(name);
            }
            part.rest = Some(At {
                column: (index as u64).saturating_add(1),
                character: from.saturating_add(shown.chars().count() as u64),
            });
            return part;
        }
        if part.columns.is_empty() {
            part.text.push_str("(no more values)\n");
        }
        part
    }
}

/// Whether only the start of the value was read.
fn is_unread(cell: &Cell) -> bool {
    (cell.text.len() as u64) < cell.bytes
}

/// The room that a part has left.
#[derive(Clone, Copy)]
struct Left {
    bytes: usize,
    /// The tokens of the whole part, if limited, and those of the lines before.
    tokens: Option<(u64, Tally)>,
}

impl Left {
    /// Whether the part with this line keeps the limit of tokens.
    fn has_tokens(self, line: &str) -> bool {
        self.tokens.is_none_or(|(most, mut tally)| {
            tally.add(line);
            tally.tokens() <= most
        })
    }

    /// The line of a whole value.
    ///
    /// # Errors
    /// Returns the limit that the line is over.
    fn whole(self, name: &str, text: &str, is_unread: bool) -> Result<String, Limit> {
        let bytes = Limit::Bytes(self.bytes as u64);
        // A line is not shorter than its text.
        if text.len() > self.bytes {
            return Err(bytes);
        }
        let mark = if is_unread { "…" } else { "" };
        let whole = format!("{name}: {}{mark}\n", line(text));
        if let Some((most, _)) = self.tokens.filter(|_| !self.has_tokens(&whole)) {
            return Err(Limit::Tokens(most));
        }
        if whole.len() > self.bytes {
            return Err(bytes);
        }
        Ok(whole)
    }

    /// The longest start of a value that fits, but at least a few characters.
    fn start<'t>(self, name: &str, text: &'t str) -> &'t str {
        let around = format!("{name}: …\n");
        let bytes = self.bytes.saturating_sub(around.len());
        let text = text
            .get(..text.floor_char_boundary(limits::VALUE_BYTES))
            .unwrap_or(text);
        let ends: Vec<usize> = text
            .char_indices()
            .map(|(at, c)| at.saturating_add(c.len_utf8()))
            .collect();
        let fits = |end: &usize| {
            let shown = line(text.get(..*end).unwrap_or_default());
            shown.len() <= bytes && self.has_tokens(&format!("{name}: {shown}…\n"))
        };
        let count = ends.partition_point(fits).max(LEAST).min(ends.len());
        let end = count.checked_sub(1).and_then(|last| ends.get(last));
        text.get(..end.copied().unwrap_or(0)).unwrap_or(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(index: usize) -> String {
        format!("column {index}")
    }

    proptest! {
        #[test]
        fn parts_of_a_row_have_all_of_its_values(
            values in prop::collection::vec("[a-zäß .]{0,90}", 1..30),
            tokens in prop::option::of(1u64..200),
            bytes in 60usize..900,
        ) {
            let cells = values.iter().cloned().map(Cell::of_text).collect();
            let row = Row { number: 7, cells };
            let mut read = vec![String::new(); values.len()];
            let mut at = At::START;
            loop {
                let part = Part::of(&row, &name, at, PartRoom { bytes, tokens });
                if let Some(tokens) = tokens.filter(|tokens| *tokens >= 40) {
                    prop_assert!(estimate(&part.text) <= tokens + 2, "{}", part.text);
                }
                prop_assert_eq!(part.rest.is_some(), part.limit.is_some());
                let cut = part.rest.is_some_and(|rest| rest.character > 1);
                let count = part.columns.len();
                for (index, shown) in part.text.lines().skip(1).enumerate() {
                    let Some((name, value)) = shown.split_once(": ") else { continue };
                    let value = if cut && index + 1 == count {
                        value.strip_suffix('…').unwrap()
                    } else {
                        value
                    };
                    let column: usize = name.strip_prefix("column ").unwrap().parse().unwrap();
                    read[column] += value;
                }
                let Some(rest) = part.rest else { break };
                prop_assert!((rest.column, rest.character) > (at.column, at.character));
                at = rest;
            }
            prop_assert_eq!(read, values);
        }
    }
}
