//! Rows as text: a Markdown table (GFM), or a block for each row if there are many columns. A row that does not fit on a
//! page is shown in parts.

use super::part::{Part, PartRoom};
use super::size::Size;
use super::tokens::RowTokens;
use super::{Row, SqlValue};
use crate::limits;
use crate::path::cells::letters;
use crate::path::query::{At, Parameters};
use crate::sqlite::{aligned_widths, line, write_aligned, write_rule, write_unaligned};
use crate::window::Limit;
use std::fmt::Write as _;

/// The heading of the column with the numbers of the rows.
const NUMBER: &str = "#";

/// The size of a row without its values: its number, the line ending, and the mark of a cut value.
const ROW_BYTES: usize = 64;

/// The size of the characters around a value.
const VALUE_AROUND_BYTES: usize = 3;

/// A value as it is shown.
struct ShownValue {
    text: String,
    /// Whether a part of the value is left out.
    is_cut: bool,
}

/// The rows of a page, as text of limited size.
///
/// The size of the text is measured as it will be formatted, so that no row is lost when the text
/// is paged. A single row that is larger than the page is shown in parts.
pub struct Page {
    columns: Vec<String>,
    /// The name of the first value after the columns. The others have letters.
    extra: Option<String>,
    /// The names of the columns that are shown, as they are formatted.
    heads: Vec<String>,
    rows: Vec<(u64, Vec<ShownValue>)>,
    size: Size,
    tokens: RowTokens,
    /// The maximum size of the text in bytes.
    room: usize,
    /// The maximum number of rows.
    limit: usize,
    /// The maximum width of an aligned table in characters. `None` for a table that is not aligned.
    width: Option<usize>,
    /// Whether the values are shown whole, as far as a page allows.
    full: bool,
    /// The place in the first row from which it is shown.
    at: Option<At>,
    /// The part of the only row, with its number, if it is not shown as others are.
    part: Option<(u64, Part)>,
    /// The limit over which a row was not added.
    ended: Option<Limit>,
}

/// Rows as text.
pub struct FormattedRows {
    /// The lines, each with a line ending.
    pub text: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The number of values that are cut.
    pub cuts: usize,
    /// The number of columns that are left out.
    pub hidden_columns: usize,
    /// The columns of which only the start of the value was read, each with the size of the whole value in bytes.
    pub unread: Vec<(String, u64)>,
}

/// The size of a page.
#[derive(Clone, Copy)]
pub struct PageSize {
    /// The maximum number of rows.
    pub limit: u64,
    /// The maximum size of the text in bytes.
    pub room: usize,
    /// The maximum number of tokens of the text, if limited.
    pub tokens: Option<u64>,
    /// The maximum width of the table in characters. `None` for a table as wide as its values.
    pub width: Option<usize>,
    /// Whether values are shown whole.
    pub full: bool,
    /// The place in the first row from which it is shown. `None` for its start.
    pub at: Option<At>,
}

impl Page {
    /// An empty page. `columns` are the names of the columns, and `extra` is the name of the first
    /// value after them.
    pub fn new(columns: &[String], extra: Option<&str>, size: PageSize) -> Self {
        let PageSize {
            limit,
            room,
            tokens,
            width,
            full,
            at,
        } = size;
        let heads = columns.iter().take(limits::SHOWN_COLUMNS);
        let heads: Vec<String> = heads.map(|name| heading(name)).collect();
        let mut size = Size::of(width);
        let mut tokens = RowTokens::new(tokens, width.is_some());
        for head in &heads {
            size.add_column(head);
            tokens.add_column(head);
        }
        Self {
            columns: columns.to_vec(),
            extra: extra.map(str::to_owned),
            heads,
            rows: Vec::new(),
            size,
            tokens,
            room,
            width,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            full,
            at,
            part: None,
            ended: None,
        }
    }

    /// Adds a row. Returns `false` and adds nothing if the page is full. The first row is always
    /// added, or a part of it.
    pub fn add(&mut self, row: &Row) -> bool {
        if self.len() >= self.limit as u64 {
            return false;
        }
        if self.part.is_some() {
            // Values of different rows are not mixed with those of a table.
            let bytes = Limit::Bytes(self.room as u64);
            self.ended = Some(self.tokens.limit().unwrap_or(bytes));
            return false;
        }
        if let Some(at) = self.at {
            self.show_part(row, at);
            return true;
        }
        let is_first = self.rows.is_empty();
        // The only row of a page shows as much of its values as the page has room for. Another row
        // that does not fit is the first one of the next page.
        let mut left = self.room;
        if is_first {
            left = left
                .min(self.tokens.row_bytes())
                .saturating_sub(self.size.bytes())
                .saturating_sub(ROW_BYTES);
        }
        let mut cells = Vec::new();
        for (index, cell) in row.cells.iter().take(limits::SHOWN_COLUMNS).enumerate() {
            let shown = self.shown(&cell.text, cell.bytes, left);
            if is_first {
                let name = self.heads.get(index).filter(|_| self.size.is_wide());
                let name = name.map_or(0, String::len);
                let around = name.saturating_add(VALUE_AROUND_BYTES);
                left = left.saturating_sub(shown.text.len().saturating_add(around));
            }
            cells.push(shown);
        }
        let (mut size, mut tokens) = (self.size.clone(), self.tokens.clone());
        let mut names = Vec::new();
        // A row with more values than columns adds columns.
        for index in self.columns.len()..row.cells.len().min(limits::SHOWN_COLUMNS) {
            let name = match &self.extra {
                Some(extra) if index == self.columns.len() && names.is_empty() => extra.clone(),
                _ => letters(index),
            };
            size.add_column(&name);
            tokens.add_column(&name);
            names.push(name);
        }
        let texts = cells.iter().map(|cell| cell.text.as_str());
        size.add_row(row.number, texts.clone(), &self.heads, &names);
        tokens.add_row(row.number, texts, &self.heads, &names);
        // Where values are shown whole, the first row of a page may go on on the next one.
        let is_cut = cells.iter().any(|cell| cell.is_cut) || row.cells.len() > cells.len();
        let over = if !tokens.fits(size.is_wide()) {
            self.tokens.limit()
        } else if size.bytes() > self.room || self.full && is_cut {
            Some(Limit::Bytes(self.room as u64))
        } else {
            None
        };
        if over.is_some() {
            if is_first {
                self.show_part(row, At::START);
            } else {
                self.ended = over;
            }
            return is_first;
        }
        (self.size, self.tokens) = (size, tokens);
        if !names.is_empty() {
            self.extra = None;
        }
        self.heads.extend(names.iter().map(|name| heading(name)));
        self.columns.extend(names);
        self.rows.push((row.number, cells));
        true
    }

    /// Shows the only row of the page from a place on, in place of what it shows of the row.
    pub fn show_part(&mut self, row: &Row, at: At) {
        self.rows.clear();
        let name = |index: usize| match self.columns.get(index) {
            Some(name) => heading(name),
            None => match &self.extra {
                Some(extra) if index == self.columns.len() => extra.clone(),
                _ => letters(index),
            },
        };
        let room = PartRoom {
            bytes: self.room,
            tokens: self.tokens.budget(),
        };
        self.part = Some((row.number, Part::of(row, &name, at, room)));
    }

    /// The place at which the next page goes on in the only row of this one. `None` if it shows whole rows.
    pub fn rest(&self) -> Option<At> {
        self.part.as_ref()?.1.rest
    }

    /// The parameters of the next page, as far as they depend on this one.
    pub fn then(&self) -> Parameters {
        Parameters {
            at: self.rest(),
            ..Parameters::default()
        }
    }

    /// Whether the page shows a part of a row.
    pub fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// The limit that ended the page before the requested number of rows.
    pub fn ended(&self) -> Option<Limit> {
        let of_part = self.part.as_ref().and_then(|(_, part)| part.limit);
        of_part.or(self.ended)
    }

    /// Removes the parts of a row that the page does not show, so that rows can be kept in memory
    /// before they are added. Returns the size of the rest in bytes, which is at most that of the
    /// row on the page.
    pub fn shorten(&self, row: &mut Row) -> usize {
        row.cells.truncate(limits::SHOWN_COLUMNS);
        let mut bytes = 0usize;
        for cell in &mut row.cells {
            let end = if self.full {
                cell.text.floor_char_boundary(limits::VALUE_BYTES)
            } else {
                let end = cell.text.char_indices().nth(limits::CELL_CHARS);
                end.map_or(cell.text.len(), |(end, _)| end)
            };
            cell.text.truncate(end);
            cell.text.shrink_to_fit();
            cell.value = SqlValue::Null;
            bytes = bytes.saturating_add(cell.text.len());
        }
        bytes
    }

    /// The maximum size of the text in bytes.
    pub fn room(&self) -> usize {
        self.room
    }

    /// A value as it is shown. `bytes` is the size of the whole value, and `room` the size that is
    /// left for it.
    fn shown(&self, text: &str, bytes: u64, room: usize) -> ShownValue {
        let cut = |text: &str| {
            let mut shown = line(text).replace('|', "\\|");
            shown.push('…');
            ShownValue {
                text: shown,
                is_cut: true,
            }
        };
        if self.full {
            let most = limits::VALUE_BYTES.min(room.max(limits::CELL_CHARS));
            if text.len() > most {
                return cut(text.get(..text.floor_char_boundary(most)).unwrap_or(text));
            }
        } else if text.len() > limits::CELL_CHARS
            && let Some((end, _)) = text.char_indices().nth(limits::CELL_CHARS)
        {
            return cut(text.get(..end).unwrap_or(text));
        }
        if (text.len() as u64) < bytes {
            return cut(text);
        }
        let mut shown = line(text);
        if shown.contains('|') {
            shown = shown.replace('|', "\\|");
        }
        ShownValue {
            text: shown,
            is_cut: false,
        }
    }

    /// The number of rows on the page.
    pub fn len(&self) -> u64 {
        (self.rows.len() as u64).saturating_add(u64::from(self.is_part()))
    }

    /// Whether the page has as many rows as were requested.
    pub fn is_complete(&self) -> bool {
        self.len() >= self.limit as u64
    }

    /// The numbers of the first and the last row on the page.
    pub fn numbers(&self) -> Option<(u64, u64)> {
        if let Some((number, _)) = &self.part {
            return Some((*number, *number));
        }
        Some((self.rows.first()?.0, self.rows.last()?.0))
    }

    /// Formats the rows. The numbers of the rows are shown unless they are 1, 2, 3 and so on.
    pub fn format(self) -> FormattedRows {
        if let Some((_, part)) = self.part {
            return FormattedRows {
                text: part.text,
                columns: part.columns,
                cuts: 0,
                hidden_columns: 0,
                unread: part.unread,
            };
        }
        let numbered = (1..)
            .zip(&self.rows)
            .any(|(expected, (number, _))| *number != expected);
        let hidden_columns = self.columns.len().saturating_sub(self.heads.len());
        let cells = self.rows.iter().flat_map(|(_, cells)| cells);
        let cuts = cells.filter(|cell| cell.is_cut).count();
        let text = if self.size.is_wide() {
            blocks(&self.heads, &self.rows)
        } else {
            table(self.heads, self.rows, numbered, self.width)
        };
        FormattedRows {
            text,
            columns: self.columns,
            cuts,
            hidden_columns,
            unread: Vec::new(),
        }
    }
}

/// The name of a column as it is shown. A name that is longer than a value may be is cut.
fn heading(name: &str) -> String {
    match name.char_indices().nth(limits::CELL_CHARS) {
        Some((end, _)) => {
            let start = name.get(..end).unwrap_or(name);
            format!("{}…", line(start).replace('|', "\\|"))
        }
        None => line(name).replace('|', "\\|"),
    }
}

/// Formats rows as a table, with aligned columns if it is not wider than `aligned`.
fn table(
    mut heads: Vec<String>,
    rows: Vec<(u64, Vec<ShownValue>)>,
    numbered: bool,
    aligned: Option<usize>,
) -> String {
    let width = heads.len();
    if width == 0 {
        return String::new();
    }
    let lines = rows.into_iter().map(|(number, cells)| {
        let mut line: Vec<String> = Vec::with_capacity(width.saturating_add(1));
        if numbered {
            line.push(number.to_string());
        }
        let missing = width.saturating_sub(cells.len());
        line.extend(cells.into_iter().map(|cell| cell.text));
        line.extend(std::iter::repeat_n(String::new(), missing));
        line
    });
    let lines: Vec<Vec<String>> = lines.collect();
    if numbered {
        heads.insert(0, NUMBER.to_owned());
    }
    let mut text = String::new();
    match aligned.and_then(|most| aligned_widths(&heads, &lines, most)) {
        Some(widths) => {
            write_aligned(&heads, &widths, &mut text);
            let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
            write_aligned(&rule, &widths, &mut text);
            for line in &lines {
                write_aligned(line, &widths, &mut text);
            }
        }
        None => {
            write_unaligned(&heads, &mut text);
            write_rule(heads.len(), &mut text);
            for line in &lines {
                write_unaligned(line, &mut text);
            }
        }
    }
    text
}

/// Formats each row as a block with one line per value. Empty values are left out.
fn blocks(heads: &[String], rows: &[(u64, Vec<ShownValue>)]) -> String {
    let mut text = String::new();
    for (number, cells) in rows {
        let _ = writeln!(text, "── Row {number} ──");
        for (name, cell) in heads.iter().zip(cells) {
            if !cell.text.is_empty() {
                let _ = writeln!(text, "{name}: {}", cell.text);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests;
