//! Rows as text: a Markdown table (GFM), or a block for each row if there are many columns.

use super::size::Size;
use super::tokens::RowTokens;
use super::{Row, SqlValue};
use crate::limits;
use crate::path::cells::letters;
use crate::sqlite::{aligned_widths, line, write_aligned, write_rule, write_unaligned};
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
/// is paged. Only a single row may be larger than the page. Its last columns are left out.
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
    /// The number of columns that are left out of the only row, because it is larger than a page.
    too_large: usize,
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
    /// Whether columns are left out because the only row is larger than the page.
    pub is_too_large: bool,
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
            too_large: 0,
        }
    }

    /// Adds a row. Returns `false` and adds nothing if the page is full. The first row is always
    /// added.
    pub fn add(&mut self, row: &Row) -> bool {
        if self.rows.len() >= self.limit || self.too_large > 0 {
            return false;
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
        let fits = size.bytes() <= self.room && tokens.fits(size.is_wide());
        if !fits && !is_first {
            return false;
        }
        (self.size, self.tokens) = (size, tokens);
        if !names.is_empty() {
            self.extra = None;
        }
        self.heads.extend(names.iter().map(|name| heading(name)));
        self.columns.extend(names);
        self.rows.push((row.number, cells));
        if !fits {
            self.cut_columns();
        }
        true
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

    /// Leaves out the last columns of the only row, so that its text fits into the page.
    fn cut_columns(&mut self) {
        let Some((number, cells)) = self.rows.first_mut() else {
            return;
        };
        let fits = |columns: usize| {
            let mut size = Size::of_many_columns(self.size.is_wide(), self.width);
            let mut tokens = self.tokens.emptied();
            let heads = self.heads.get(..columns).unwrap_or_default();
            for head in heads {
                size.add_column(head);
                tokens.add_column(head);
            }
            let texts = cells.iter().take(columns).map(|cell| cell.text.as_str());
            size.add_row(*number, texts.clone(), heads, &[]);
            tokens.add_row(*number, texts, heads, &[]);
            size.bytes() <= self.room && tokens.fits(size.is_wide())
        };
        // The number of columns that fit, by bisection. One is always shown.
        let (mut most, mut end) = (1usize, self.heads.len());
        while most.saturating_add(1) < end {
            let middle = most.midpoint(end);
            if fits(middle) {
                most = middle;
            } else {
                end = middle;
            }
        }
        self.too_large = self.heads.len().saturating_sub(most);
        self.heads.truncate(most);
        cells.truncate(most);
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
        self.rows.len() as u64
    }

    /// Whether the page has as many rows as were requested.
    pub fn is_complete(&self) -> bool {
        self.rows.len() >= self.limit
    }

    /// The numbers of the first and the last row on the page.
    pub fn numbers(&self) -> Option<(u64, u64)> {
        Some((self.rows.first()?.0, self.rows.last()?.0))
    }

    /// Formats the rows. The numbers of the rows are shown unless they are 1, 2, 3 and so on.
    pub fn format(self) -> FormattedRows {
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
            is_too_large: self.too_large > 0,
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
