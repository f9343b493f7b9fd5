//! Formats rows as text: as a table if there are few columns, otherwise as one block per row.

use super::cells::{format_value, is_cut, line};
use crate::limits;
use crate::window::Limit;
use crate::world::Value;
use omniread_document::markdown::row;
use omniread_tokens::{Tally, estimate};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Formatted rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Laid {
    /// The index of the first row with a value that is cut.
    pub first_cut: Option<usize>,
    /// The lines, each with a line ending.
    pub text: String,
    /// The number of rows that are shown.
    pub rows: usize,
    /// The number of values that are cut.
    pub cuts: usize,
    /// The limit that ended the text before the last row, or cut a value of the only one.
    pub limit: Option<Limit>,
}

/// The room for rows.
#[derive(Clone, Copy)]
pub struct Room {
    /// The maximum size of the text in bytes.
    pub bytes: usize,
    /// The maximum number of tokens, if limited.
    pub tokens: Option<u64>,
}

impl Room {
    /// Counts the text of a row, and returns the limit that it is over. `size` is the size of the text with it.
    fn limit(self, row: &str, size: usize, tally: &mut Tally) -> Option<Limit> {
        if let Some(tokens) = self.tokens {
            tally.add(row);
            if tally.tokens() > tokens {
                return Some(Limit::Tokens(tokens));
            }
        }
        (size > self.bytes).then_some(Limit::Bytes(self.bytes as u64))
    }
}

/// Formats as many rows as fit into `room`, but at least one. `first` is the number of the
/// first of these rows in the whole result, counted from 1. `width` is the maximum width of a table in
/// characters. Without it, columns are not aligned, and only a value of more than
/// [`limits::COLUMN_WIDTH`] characters is cut.
pub fn rows(
    columns: &[String],
    rows: &[Vec<Value>],
    first: u64,
    room: Room,
    width: Option<usize>,
) -> Laid {
    if columns.len() > limits::TABLE_COLUMNS {
        let page = usize::try_from(limits::PAGE_BYTES).unwrap_or(usize::MAX);
        let bytes = room.bytes.min(page);
        return blocks(columns, rows, first, Room { bytes, ..room });
    }
    let mut laid = as_table(columns, rows, room, width, None);
    // The values of a row that is over the budget are cut, down to their least width.
    let mut cell = cell_chars(columns.len());
    let is_over = |laid: &Laid| {
        let tokens = room.tokens.filter(|_| laid.rows == 1);
        tokens.is_some_and(|most| estimate(&laid.text) > most)
    };
    while is_over(&laid) && cell > limits::MIN_COLUMN_WIDTH {
        cell = (cell / 2).max(limits::MIN_COLUMN_WIDTH);
        let first = rows.get(..1).unwrap_or_default();
        laid = as_table(columns, first, room, width, Some(cell));
        laid.limit = room.tokens.map(Limit::Tokens);
    }
    laid
}

/// Formats rows as a table with one line per row. `cell` is the maximum width of a cell in characters, if it is
/// less than usual.
fn as_table(
    columns: &[String],
    rows: &[Vec<Value>],
    room: Room,
    width: Option<usize>,
    cell: Option<usize>,
) -> Laid {
    let heads: Vec<String> = columns.iter().map(|name| line(name)).collect();
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(format_value).collect())
        .collect();
    let mut widths = match width {
        Some(most) => widths(&heads, &lines, most),
        None => vec![cell_chars(columns.len()); columns.len()],
    };
    for column in &mut widths {
        *column = cell.map_or(*column, |cell| cell.min(*column));
    }
    let write = |texts: &[String], out: &mut String| match width {
        Some(_) => write_line(texts, &widths, out),
        None => {
            let cells = texts.iter().zip(&widths);
            let cells: Vec<_> = cells.map(|(text, most)| unaligned(text, *most)).collect();
            write_cells(cells.iter().map(AsRef::as_ref), out);
        }
    };
    let mut laid = Laid::default();
    write(&heads, &mut laid.text);
    if width.is_some() {
        let rule: Vec<String> = widths.iter().map(|it| "-".repeat(*it)).collect();
        write_line(&rule, &widths, &mut laid.text);
    } else {
        write_rule(columns.len(), &mut laid.text);
    }
    let mut tally = Tally::default();
    room.limit(&laid.text, 0, &mut tally);
    for (at, (row, values)) in lines.iter().zip(rows).enumerate() {
        let before = laid.text.len();
        write(row, &mut laid.text);
        let text = laid.text.get(before..).unwrap_or_default();
        let over = room.limit(text, laid.text.len(), &mut tally);
        if over.is_some() && laid.rows > 0 {
            laid.text.truncate(before);
            laid.limit = over;
            return laid;
        }
        laid.rows = laid.rows.saturating_add(1);
        let cut = row.iter().zip(&widths).zip(values);
        let cut = cut.filter(|((text, width), value)| is_cut(value) || is_longer(text, **width));
        let cuts = cut.count();
        if cuts > 0 && laid.first_cut.is_none() {
            laid.first_cut = Some(at);
        }
        laid.cuts = laid.cuts.saturating_add(cuts);
    }
    laid
}

/// The maximum number of characters of a value in a table that is not aligned. A table with one column
/// has room for longer ones, such as the statements of a schema.
pub fn cell_chars(columns: usize) -> usize {
    if columns == 1 {
        limits::ONLY_COLUMN_WIDTH
    } else {
        limits::COLUMN_WIDTH
    }
}

/// The width of each column in characters: that of its longest name or value, between
/// [`limits::MIN_COLUMN_WIDTH`] and [`limits::COLUMN_WIDTH`]. The widest columns are narrowed until
/// the table is not wider than `most`.
fn widths(heads: &[String], rows: &[Vec<String>], most: usize) -> Vec<usize> {
    let width = |text: &String| text.chars().count();
    let mut widths: Vec<usize> = heads.iter().map(width).collect();
    for row in rows {
        for (widest, text) in widths.iter_mut().zip(row) {
            *widest = width(text).max(*widest);
        }
    }
    for width in &mut widths {
        *width = (*width).clamp(limits::MIN_COLUMN_WIDTH, limits::COLUMN_WIDTH);
    }
    while line_width(&widths) > most {
        let widest = widths.iter_mut().max_by_key(|width| **width);
        match widest.filter(|width| **width > limits::MIN_COLUMN_WIDTH) {
            Some(width) => *width = width.saturating_sub(1),
            None => break,
        }
    }
    widths
}

/// The width of a line of a table in characters.
fn line_width(widths: &[usize]) -> usize {
    // `| ` before the first column, ` | ` between columns, ` |` after the last column.
    let rules = widths.len().saturating_mul(3).saturating_add(1);
    widths.iter().sum::<usize>().saturating_add(rules)
}

/// The widths of the columns of a table in which no value is cut. `None` if such a table would be
/// wider than `most` characters.
pub fn aligned_widths(heads: &[String], rows: &[Vec<String>], most: usize) -> Option<Vec<usize>> {
    let widths = widths(heads, rows, most);
    if line_width(&widths) > most {
        return None;
    }
    let fits = |line: &[String]| {
        let mut cells = line.iter().zip(&widths);
        cells.all(|(text, width)| text.chars().count() <= *width)
    };
    (fits(heads) && rows.iter().all(|row| fits(row))).then_some(widths)
}

/// Writes a line of a table. Texts that are longer than the width of their column are cut.
pub fn write_line(texts: &[String], widths: &[usize], out: &mut String) {
    for (text, width) in texts.iter().zip(widths) {
        out.push_str("| ");
        let written = write_cut(text, *width, out);
        for _ in written..*width {
            out.push(' ');
        }
        out.push(' ');
    }
    out.push_str("|\n");
}

/// A text as a cell of a table that is not aligned: up to `most` characters, with bars escaped.
fn unaligned(text: &str, most: usize) -> Cow<'_, str> {
    let mut cell = Cow::Borrowed(text);
    if is_longer(text, most) {
        let mut cut = String::new();
        write_cut(text, most, &mut cut);
        cell = Cow::Owned(cut);
    }
    if cell.contains('|') {
        cell = Cow::Owned(cell.replace('|', "\\|"));
    }
    cell
}

/// Whether a text has more than `most` characters. A text does not have more characters than bytes.
fn is_longer(text: &str, most: usize) -> bool {
    text.len() > most && text.chars().nth(most).is_some()
}

/// Writes the line below the names of the columns of a table that is not aligned.
pub fn write_rule(columns: usize, out: &mut String) {
    row::rule(columns, out);
    out.push('\n');
}

/// Writes a line of a table without aligning it. Bars in the cells are escaped already.
pub fn write_unaligned(cells: &[String], out: &mut String) {
    write_cells(cells.iter().map(String::as_str), out);
}

fn write_cells<'t>(cells: impl Iterator<Item = &'t str>, out: &mut String) {
    row::row(cells, out);
    out.push('\n');
}

/// Writes up to `width` characters of a text, and returns their number. The last character is `…`
/// if the text is cut.
fn write_cut(text: &str, width: usize, out: &mut String) -> usize {
    let mut chars = text.chars();
    let mut written = 0usize;
    while written < width {
        let Some(c) = chars.next() else {
            return written;
        };
        let last = written.saturating_add(1) == width;
        if last && chars.as_str().chars().next().is_some() {
            out.push('…');
        } else {
            out.push(c);
        }
        written = written.saturating_add(1);
    }
    written
}

/// Formats each row as a block with one line per column: as many rows as fit into `room`, but at
/// least one. `first` is the number of the first row.
fn blocks(columns: &[String], rows: &[Vec<Value>], first: u64, room: Room) -> Laid {
    let mut laid = Laid::default();
    let mut tally = Tally::default();
    for (number, row) in (first..).zip(rows) {
        let before = laid.text.len();
        let _ = writeln!(laid.text, "── Row {number} ──");
        let mut cuts = 0usize;
        let mut start_of_row = Tally::default();
        start_of_row.add(laid.text.get(before..).unwrap_or_default());
        for (at, (name, value)) in columns.iter().zip(row).enumerate() {
            let start = laid.text.len();
            let text = format_value(value);
            let name = line(name);
            let cuts_before = cuts;
            let _ = write!(laid.text, "{name}: ");
            let width = limits::TABLE_WIDTH.saturating_sub(name.chars().count().saturating_add(2));
            let width = width.max(limits::COLUMN_WIDTH);
            write_cut(&text, width, &mut laid.text);
            laid.text.push('\n');
            if is_cut(value) || text.chars().count() > width {
                cuts = cuts.saturating_add(1);
            }
            debug_assert!(laid.text.len() > start);
            // The first row ends after the columns that fit.
            start_of_row.add(laid.text.get(start..).unwrap_or_default());
            let is_last = at.saturating_add(1) == columns.len();
            let end = if is_last { 0 } else { estimate("…\n") };
            let used = start_of_row.tokens().saturating_add(end);
            if laid.rows == 0 && at > 0 && room.tokens.is_some_and(|most| used > most) {
                laid.text.truncate(start);
                laid.text.push_str("…\n");
                laid.limit = room.tokens.map(Limit::Tokens);
                cuts = cuts_before.saturating_add(columns.len().saturating_sub(at));
                break;
            }
        }
        let text = laid.text.get(before..).unwrap_or_default();
        let over = room.limit(text, laid.text.len(), &mut tally);
        if over.is_some() && laid.rows > 0 {
            laid.text.truncate(before);
            laid.limit = over;
            return laid;
        }
        if cuts > 0 && laid.first_cut.is_none() {
            laid.first_cut = Some(laid.rows);
        }
        laid.rows = laid.rows.saturating_add(1);
        laid.cuts = laid.cuts.saturating_add(cuts);
    }
    laid
}

/// The note on values with undecodable bytes, among the first `shown` rows. `None` if no value has any.
pub fn undecoded(rows: &[Vec<Value>], shown: usize) -> Option<String> {
    let values = rows.iter().take(shown).flatten();
    let is_undecoded = |value: &&Value| matches!(value, Value::Text(text, _) if text.contains(char::REPLACEMENT_CHARACTER));
    match values.filter(is_undecoded).count() {
        0 => None,
        1 => Some("1 value has bytes that are not UTF-8, shown as U+FFFD".to_owned()),
        count => Some(format!(
            "{count} values have bytes that are not UTF-8, shown as U+FFFD"
        )),
    }
}

/// Formats the number of values that are cut.
pub fn format_cuts(cuts: usize) -> String {
    match cuts {
        1 => "1 value is cut".to_owned(),
        cuts => format!("{cuts} values are cut"),
    }
}

/// A value that is cut in a reply that shows a single row.
#[derive(Debug, PartialEq, Eq)]
pub struct Missing {
    /// The name of the column.
    pub column: String,
    /// The part of the value that is shown.
    pub shown: String,
    /// The size of the whole value in bytes.
    pub bytes: u64,
}

/// A row that is shown alone.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Alone {
    /// The lines, each with a line ending.
    pub text: String,
    /// The values that are cut. If `columns` are not all of them, only the last one can be.
    pub missing: Vec<Missing>,
    /// The number of columns that are shown, from the first on.
    pub columns: usize,
    /// The limit that the text reached before the end of the row.
    pub limit: Option<Limit>,
}

/// Formats one row, with one value per line. Long values are cut, so that the text has about as many bytes as
/// `room` at most. If tokens are limited, the text ends after the columns that fit, but has at least one.
pub fn alone(columns: &[String], row: &[Value], room: Room) -> Alone {
    if let Some(tokens) = room.tokens {
        return start_of_row(columns, row, room.bytes, tokens);
    }
    let mut out = String::new();
    let mut missing = Vec::new();
    let page = usize::try_from(limits::PAGE_BYTES).unwrap_or(usize::MAX);
    let room = room.bytes.min(page);
    // Some of each value is shown, however many columns there are.
    let share = room.checked_div(columns.len()).unwrap_or(room);
    let share = share.clamp(limits::MIN_COLUMN_WIDTH, limits::TABLE_WIDTH);
    for (name, value) in columns.iter().zip(row) {
        let _ = write!(out, "{}: ", line(name));
        match value {
            Value::Text(text, bytes) if !text.is_empty() => {
                let left = room.saturating_sub(out.len()).max(share);
                let most = limits::VALUE_BYTES.min(left);
                let shown = head(text, most);
                out.push_str(&line(shown));
                if (shown.len() as u64) < *bytes {
                    out.push('…');
                    missing.push(Missing {
                        column: name.clone(),
                        shown: shown.to_owned(),
                        bytes: *bytes,
                    });
                }
            }
            value => out.push_str(&format_value(value)),
        }
        out.push('\n');
    }
    let limit = (!missing.is_empty()).then_some(Limit::Bytes(room as u64));
    Alone {
        text: out,
        missing,
        columns: columns.len(),
        limit,
    }
}

/// Formats the columns of a row that fit into a number of tokens and bytes, but at least one. The text ends with the first
/// value that is cut, so that one path continues after it.
fn start_of_row(columns: &[String], row: &[Value], bytes: usize, tokens: u64) -> Alone {
    let page = usize::try_from(limits::PAGE_BYTES).unwrap_or(usize::MAX);
    let bytes = bytes.min(page);
    let mut shown = Alone::default();
    let mut tally = Tally::default();
    for (name, value) in columns.iter().zip(row) {
        let mut label = line(name);
        if estimate(&label) > tokens / 2 {
            let mut start = String::new();
            write_cut(&label, limits::COLUMN_WIDTH, &mut start);
            label = start;
        }
        let written = match value {
            Value::Text(text, _) if !text.is_empty() => line(head(text, limits::VALUE_BYTES)),
            value => format_value(value),
        };
        let left = tokens.saturating_sub(tally.tokens());
        let whole = format!("{label}: {written}\n");
        let fits = estimate(&whole) <= left;
        let is_full = shown.text.len().saturating_add(whole.len()) > bytes;
        if shown.columns > 0 && (is_full || !fits && left < tokens / 2) {
            break;
        }
        let part = match value {
            Value::Text(text, _) if !text.is_empty() && !fits => {
                let left = left.saturating_sub(estimate(&format!("{label}: …\n")));
                head_within(head(text, limits::VALUE_BYTES), left)
            }
            Value::Text(text, _) => head(text, limits::VALUE_BYTES),
            Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) => "",
        };
        shown.columns = shown.columns.saturating_add(1);
        match value {
            Value::Text(_, bytes) if !part.is_empty() && (part.len() as u64) < *bytes => {
                let _ = writeln!(shown.text, "{label}: {}…", line(part));
                shown.missing.push(Missing {
                    column: name.clone(),
                    shown: part.to_owned(),
                    bytes: *bytes,
                });
                break;
            }
            _ => {
                tally.add(&whole);
                shown.text.push_str(&whole);
            }
        }
    }
    let is_cut = shown.columns < columns.len() || !shown.missing.is_empty();
    shown.limit = is_cut.then_some(Limit::Tokens(tokens));
    shown
}

/// The longest start of a text that is within a number of tokens on a line, but at least
/// [`limits::MIN_COLUMN_WIDTH`] characters.
fn head_within(text: &str, tokens: u64) -> &str {
    let ends = text
        .char_indices()
        .map(|(at, c)| at.saturating_add(c.len_utf8()));
    let ends: Vec<usize> = ends.collect();
    let fits = |end: &usize| estimate(&line(text.get(..*end).unwrap_or_default())) <= tokens;
    let count = ends.partition_point(fits).max(limits::MIN_COLUMN_WIDTH);
    let end = ends.get(count.saturating_sub(1)).copied();
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

/// The longest start of a text that has at most `bytes` bytes and ends between two characters.
fn head(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(bytes: usize) -> Room {
        Room {
            bytes,
            tokens: None,
        }
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned(), text.len() as u64)
    }

    #[test]
    fn rows_with_few_columns_are_a_table() {
        let laid = rows(
            &names(&["id", "name"]),
            &[
                vec![Value::Integer(1), text("ann")],
                vec![Value::Integer(2000), Value::Null],
            ],
            1,
            bytes(1000),
            Some(120),
        );
        assert_eq!(
            laid.text,
            "| id   | name |\n| ---- | ---- |\n| 1    | ann  |\n| 2000 | NULL |\n"
        );
        assert_eq!((laid.rows, laid.cuts), (2, 0));
    }

    #[test]
    fn values_of_a_model_are_not_narrowed() {
        let mail = "someone.with.a.long.name@example.com";
        let row: Vec<Value> = (0..8).map(|_| text(mail)).collect();
        let heads: Vec<String> = (0..8).map(|n| format!("c{n}")).collect();
        let laid = rows(&heads, &[row], 1, bytes(10_000), None);
        assert_eq!(laid.text.matches(mail).count(), 8);
        assert_eq!((laid.cuts, laid.first_cut), (0, None));
        let laid = rows(
            &names(&["a", "b"]),
            &[
                vec![text("x|y"), text("")],
                vec![text(&"z".repeat(41)), Value::Null],
            ],
            1,
            bytes(1000),
            None,
        );
        let cut = "z".repeat(39);
        assert_eq!(
            laid.text,
            format!("|a|b|\n|-|-|\n|x\\|y||\n|{cut}…|NULL|\n")
        );
        assert_eq!((laid.cuts, laid.first_cut), (1, Some(1)));
        let only = rows(
            &names(&["sql"]),
            &[vec![text(&"s".repeat(500))]],
            1,
            bytes(1000),
            None,
        );
        assert_eq!(only.cuts, 0);
    }

    #[test]
    fn rows_fill_the_room_and_at_least_one_is_shown() {
        let many: Vec<Vec<Value>> = (0..100).map(|n| vec![Value::Integer(n)]).collect();
        let laid = rows(&names(&["id"]), &many, 1, bytes(80), Some(120));
        assert_eq!((laid.rows, laid.text.len()), (8, 80));
        assert_eq!(rows(&names(&["id"]), &many, 1, bytes(0), None).rows, 1);
    }

    #[test]
    fn rows_fill_the_budget_of_tokens() {
        let many: Vec<Vec<Value>> = (0..100)
            .map(|n| vec![Value::Integer(n), text("some text")])
            .collect();
        let heads: Vec<String> = (0..2).map(|n| format!("c{n}")).collect();
        let room = Room {
            bytes: 10_000,
            tokens: Some(150),
        };
        let table = rows(&heads, &many, 1, room, None);
        let used = omniread_tokens::estimate(&table.text);
        assert!((135..=151).contains(&used), "{used}");
        let blocks = blocks(&heads, &many, 1, room);
        let used = omniread_tokens::estimate(&blocks.text);
        assert!((130..=151).contains(&used), "{used}");
        let none = Room {
            tokens: Some(0),
            ..room
        };
        assert_eq!(rows(&heads, &many, 1, none, None).rows, 1);
    }

    #[test]
    fn row_over_the_budget_of_tokens_is_cut() {
        let heads: Vec<String> = (0..8).map(|n| format!("c{n}")).collect();
        let long: Vec<Value> = (0..8)
            .map(|_| text("a value of thirty characters: x"))
            .collect();
        for width in [None, Some(200)] {
            let room = Room {
                bytes: 10_000,
                tokens: Some(100),
            };
            let laid = rows(&heads, &[long.clone(), long.clone()], 1, room, width);
            let used = omniread_tokens::estimate(&laid.text);
            assert!(used <= 100, "{used}: {}", laid.text);
            assert_eq!((laid.rows, laid.cuts, laid.first_cut), (1, 8, Some(0)));
        }
    }

    #[test]
    fn table_is_never_wider_than_the_limit() {
        for columns in 1..=19 {
            let heads: Vec<String> = (0..columns).map(|n| format!("column{n}")).collect();
            let row: Vec<Value> = (0..columns).map(|_| text(&"ä".repeat(200))).collect();
            let laid = rows(&heads, &[row], 1, bytes(10_000), Some(120));
            for line in laid.text.lines() {
                assert!(line.chars().count() <= 120, "{columns}: {line}");
            }
            assert_eq!(laid.cuts, columns);
        }
    }

    #[test]
    fn rows_with_many_columns_are_blocks() {
        let heads: Vec<String> = (0..20).map(|n| format!("c{n}")).collect();
        let row: Vec<Value> = (0..20).map(Value::Integer).collect();
        let laid = rows(&heads, &[row.clone(), row], 21, bytes(10_000), None);
        assert!(laid.text.starts_with("── Row 21 ──\nc0: 0\nc1: 1\n"));
        assert_eq!(laid.text.lines().count(), 42);
        assert_eq!(laid.rows, 2);
    }

    #[test]
    fn single_row_shows_long_values() {
        let long = "x".repeat(limits::VALUE_BYTES + 5);
        let row = [text("1\n2"), text(&long)];
        let shown = alone(&names(&["a", "b"]), &row, bytes(100_000));
        let missing = shown.missing;
        assert!(shown.text.starts_with("a: 1\\n2\nb: xxx"));
        let expected = Missing {
            column: "b".to_owned(),
            shown: "x".repeat(limits::VALUE_BYTES),
            bytes: long.len() as u64,
        };
        assert_eq!(missing, [expected]);
    }

    #[test]
    fn single_row_ends_after_the_columns_in_the_budget() {
        let heads: Vec<String> = (0..60)
            .map(|n| format!("column_with_long_name_{n}"))
            .collect();
        let value = "a long value of text ".repeat(9);
        let row: Vec<Value> = heads.iter().map(|_| text(&value)).collect();
        let room = Room {
            bytes: 100_000,
            tokens: Some(100),
        };
        // The values are read again by what each part leaves over.
        let (mut at, mut from, mut parts) = (0, 0, 0);
        let mut whole = vec![String::new(); heads.len()];
        while at < heads.len() {
            let mut rest = row[at..].to_vec();
            rest[0] = text(&value[from..]);
            let shown = alone(&heads[at..], &rest, room);
            let used = omniread_tokens::estimate(&shown.text);
            assert!(used <= 102, "{used}: {}", shown.text);
            assert!(shown.columns > 0 && shown.missing.len() <= 1);
            let cut = shown.missing.first().map(|it| it.shown.clone());
            for column in 0..shown.columns {
                let last = column + 1 == shown.columns;
                let start = if column == 0 { from } else { 0 };
                whole[at + column] += match &cut {
                    Some(cut) if last => cut,
                    _ => &value[start..],
                };
            }
            let last_start = if shown.columns == 1 { from } else { 0 };
            at += shown.columns;
            from = 0;
            if let Some(cut) = cut {
                at -= 1;
                from = last_start + cut.len();
            }
            parts += 1;
            assert!(parts < 200);
        }
        assert!(whole.iter().all(|it| *it == value));
    }

    #[test]
    fn first_block_ends_after_the_columns_in_the_budget() {
        let heads: Vec<String> = (0..60)
            .map(|n| format!("column_with_long_name_{n}"))
            .collect();
        let row: Vec<Value> = heads.iter().map(|_| text("a value")).collect();
        let room = Room {
            bytes: 100_000,
            tokens: Some(100),
        };
        let laid = rows(&heads, &[row.clone(), row], 1, room, None);
        let used = omniread_tokens::estimate(&laid.text);
        assert!((80..=101).contains(&used), "{used}");
        let shown = laid.text.matches("a value").count();
        assert_eq!((laid.rows, laid.cuts), (1, 60 - shown));
        assert!(laid.text.ends_with("\n…\n"));
    }
}
