//! Rows as text: a Markdown table (GFM), or a block for each row if there are many columns.

use super::Row;
use crate::limits;
use crate::path::cells::letters;
use crate::sqlite::{aligned_widths, line, write_aligned};
use std::fmt::Write as _;

/// The heading of the column with the numbers of the rows.
const NUMBER: &str = "#";

/// A value as it is shown.
struct Shown {
    text: String,
    /// Whether a part of the value is left out.
    cut: bool,
}

/// The rows of a page, as text of limited size.
pub struct Page {
    columns: Vec<String>,
    rows: Vec<(u64, Vec<Shown>)>,
    /// The size of the text so far in bytes, roughly.
    bytes: usize,
    /// The maximum size of the text in bytes.
    room: usize,
    /// The maximum number of rows.
    limit: usize,
    /// Whether the values are shown whole, as far as a page allows.
    full: bool,
}

/// Rows as text.
pub struct Laid {
    /// The lines, each with a line ending.
    pub text: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The number of values that are cut.
    pub cuts: usize,
    /// The number of columns that are left out.
    pub hidden_columns: usize,
}

impl Page {
    /// An empty page. `columns` are the names of the columns.
    pub fn new(columns: &[String], limit: u64, room: usize, full: bool) -> Self {
        Self {
            columns: columns.to_vec(),
            rows: Vec::new(),
            bytes: 0,
            room,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            full,
        }
    }

    /// Adds a row. Returns `false` and adds nothing if the page is full. The first row is always
    /// added.
    pub fn add(&mut self, row: &Row) -> bool {
        if self.rows.len() >= self.limit {
            return false;
        }
        let cells = row.cells.iter().take(limits::SHOWN_COLUMNS);
        let cells: Vec<Shown> = cells
            .map(|cell| self.shown(&cell.text, cell.bytes))
            .collect();
        let bytes: usize = cells
            .iter()
            .map(|cell| cell.text.len().saturating_add(3))
            .sum();
        let bytes = bytes.saturating_add(self.bytes).saturating_add(2);
        if bytes > self.room && !self.rows.is_empty() {
            return false;
        }
        self.bytes = bytes;
        // A row with more values than columns adds columns.
        for index in self.columns.len()..row.cells.len().min(limits::SHOWN_COLUMNS) {
            self.columns.push(letters(index));
        }
        self.rows.push((row.number, cells));
        true
    }

    fn shown(&self, text: &str, bytes: u64) -> Shown {
        let cut = |text: &str| {
            let mut shown = line(text).replace('|', "\\|");
            shown.push('…');
            Shown {
                text: shown,
                cut: true,
            }
        };
        if self.full {
            let most = limits::VALUE_BYTES
                .min(self.room.saturating_sub(self.bytes).max(limits::CELL_CHARS));
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
        Shown {
            text: shown,
            cut: false,
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
    pub fn format(self) -> Laid {
        let numbered = (1..)
            .zip(&self.rows)
            .any(|(expected, (number, _))| *number != expected);
        let columns = self.columns.len();
        let hidden_columns = columns.saturating_sub(limits::SHOWN_COLUMNS);
        let heads: Vec<String> = self
            .columns
            .iter()
            .take(limits::SHOWN_COLUMNS)
            .map(|name| heading(name))
            .collect();
        let cuts = self
            .rows
            .iter()
            .flat_map(|(_, cells)| cells)
            .filter(|cell| cell.cut)
            .count();
        let text = if columns > limits::WIDE_TABLE_COLUMNS {
            blocks(&heads, &self.rows)
        } else {
            table(heads, self.rows, numbered)
        };
        Laid {
            text,
            columns: self.columns,
            cuts,
            hidden_columns,
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

/// Formats rows as a table, with aligned columns if it is narrow.
fn table(mut heads: Vec<String>, rows: Vec<(u64, Vec<Shown>)>, numbered: bool) -> String {
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
    match aligned_widths(&heads, &lines) {
        Some(widths) => {
            write_aligned(&heads, &widths, &mut text);
            let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
            write_aligned(&rule, &widths, &mut text);
            for line in &lines {
                write_aligned(line, &widths, &mut text);
            }
        }
        None => {
            write_line(&heads, &mut text);
            write_line(&vec!["---".to_owned(); heads.len()], &mut text);
            for line in &lines {
                write_line(line, &mut text);
            }
        }
    }
    text
}

fn write_line(cells: &[String], out: &mut String) {
    for cell in cells {
        out.push_str("| ");
        out.push_str(cell);
        if !cell.is_empty() {
            out.push(' ');
        }
    }
    out.push_str("|\n");
}

/// Formats each row as a block with one line per value. Empty values are left out.
fn blocks(heads: &[String], rows: &[(u64, Vec<Shown>)]) -> String {
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
