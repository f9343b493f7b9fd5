//! A table → Markdown.

use super::items::Item;
use super::place::{self, LeftOut};
use crate::limits;
use crate::markdown::{self, Context, row};
use crate::model::Inline;
use crate::workbook::{CellLink, Range, column_name};
use std::borrow::Cow;

/// The name of the column with the numbers of rows.
const ROW: &str = "Row";

/// The Markdown of a table.
pub struct Table {
    pub text: String,
    /// The rows and columns that it leaves out, as [`place::left_out`] writes them. Empty if each cell is written
    /// with its address.
    pub left_out: String,
}

/// Writes a table. The cells are in the order of their rows and columns. Rows and columns in which no
/// cell starts are left out. Merged cells repeat their text.
pub fn render(items: &[Item], bounds: &Range, links: &[CellLink]) -> Table {
    let mut text = String::new();
    let left_out = write(&mut text, items, bounds, links);
    Table { text, left_out }
}

fn write(out: &mut String, items: &[Item], bounds: &Range, links: &[CellLink]) -> String {
    let mut columns: Vec<u32> = items.iter().map(|item| item.range.first_column).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut rows: Vec<u32> = items.iter().map(|item| item.range.first_row).collect();
    rows.dedup();
    let places = rows.len().saturating_mul(columns.len());
    if places > items.len().saturating_mul(16).saturating_add(10_000) {
        list(out, items, links);
        return String::new();
    }
    let without_rows = LeftOut::rows(bounds, &rows);
    let without_columns = LeftOut::columns(bounds, &columns);
    let mut writer = Writer {
        out,
        columns: &columns,
        links,
        has_numbers: without_rows.is_named(),
        has_letters: without_columns.is_named(),
        above: Vec::new(),
        budget: limits::REPEATED_CELLS,
        bytes: limits::REPEATED_TOTAL,
        rows: Vec::new(),
    };
    let mut row = 0_u32;
    for cells in items.chunk_by(|one, next| one.range.first_row == next.range.first_row) {
        let Some(number) = cells.first().map(|it| it.range.first_row) else {
            continue;
        };
        // Rows with merged cells only have no cell that starts.
        if row > 0 {
            writer.covered_rows(row.saturating_add(1), number);
        }
        writer.row(number, cells);
        row = number;
    }
    writer.covered_rows(row.saturating_add(1), u32::MAX);
    // Rows with merged cells only are not left out.
    let without_rows = if without_rows.is_named() {
        without_rows
    } else {
        LeftOut::rows(bounds, &writer.rows)
    };
    place::left_out(&without_rows, &without_columns)
}

/// A cell that covers rows below.
struct Covering<'w> {
    /// The positions in the table.
    first: usize,
    last: usize,
    last_row: u32,
    text: Cow<'w, str>,
}

struct Writer<'w> {
    out: &'w mut String,
    columns: &'w [u32],
    links: &'w [CellLink],
    /// Whether the first column has the numbers of the rows.
    has_numbers: bool,
    /// Whether the first row has the letters of the columns.
    has_letters: bool,
    above: Vec<Covering<'w>>,
    /// How many more positions merged cells may fill, and with how many bytes.
    budget: usize,
    bytes: usize,
    /// The numbers of the rows that are written.
    rows: Vec<u32>,
}

impl<'w> Writer<'w> {
    /// Writes a row.
    fn row(&mut self, number: u32, cells: &'w [Item]) {
        self.above.retain(|covering| covering.last_row >= number);
        let mut texts: Vec<Cow<'w, str>> = vec![Cow::Borrowed(""); self.columns.len()];
        let above = std::mem::take(&mut self.above);
        for covering in &above {
            for position in covering.first..=covering.last {
                if !self.repeat(&mut texts, position, &covering.text) {
                    break;
                }
            }
        }
        self.above = above;
        for cell in cells {
            let range = &cell.range;
            let first = self.columns.partition_point(|it| *it < range.first_column);
            let end = self.columns.partition_point(|it| *it <= range.last_column);
            let last = end.saturating_sub(1).max(first);
            let text = cell_text(cell, self.links);
            let height = range.last_row.saturating_sub(range.first_row) as usize;
            let width = last.saturating_sub(first).saturating_add(1);
            let places = width
                .saturating_mul(height.saturating_add(1))
                .saturating_sub(1);
            let is_short = text.len().saturating_mul(places) <= limits::REPEATED_BYTES;
            if is_short {
                for position in first.saturating_add(1)..=last {
                    if !self.repeat(&mut texts, position, &text) {
                        break;
                    }
                }
                if height > 0 && self.above.len() < limits::COLUMNS {
                    self.above.push(Covering {
                        first,
                        last,
                        last_row: range.last_row,
                        text: text.clone(),
                    });
                }
            }
            if let Some(place) = texts.get_mut(first) {
                *place = text;
            }
        }
        self.write(number, &texts);
    }

    /// Puts the text of a merged cell to a position. Returns whether more positions may be filled:
    /// ranges in damaged files overlap.
    #[allow(clippy::ptr_arg, reason = "a borrowed text is not copied")]
    fn repeat(&mut self, texts: &mut [Cow<'w, str>], position: usize, text: &Cow<'w, str>) -> bool {
        let (Some(budget), Some(bytes)) = (
            self.budget.checked_sub(1),
            self.bytes.checked_sub(text.len()),
        ) else {
            return false;
        };
        (self.budget, self.bytes) = (budget, bytes);
        if let Some(place) = texts.get_mut(position)
            && place.is_empty()
        {
            place.clone_from(text);
        }
        true
    }

    /// Writes the rows in which no cell starts, but which merged cells cover.
    fn covered_rows(&mut self, from: u32, to: u32) {
        // A row of only one merged cell would repeat what is above.
        let last = self.above.iter().map(|it| it.last_row).max().unwrap_or(0);
        let end = to.min(last.saturating_add(1));
        if from < end && self.above.len() > 1 && end.saturating_sub(from) <= 4 {
            for number in from..end {
                self.row(number, &[]);
            }
        }
    }

    fn write(&mut self, number: u32, texts: &[Cow<str>]) {
        let is_first = self.rows.is_empty();
        if !is_first {
            self.out.push('\n');
        }
        let is_header = is_first && !self.has_letters;
        if is_first && self.has_letters {
            let letters: Vec<Cow<str>> = self
                .columns
                .iter()
                .map(|it| column_name(*it).into())
                .collect();
            self.line(ROW, &letters);
            self.rule();
            self.out.push('\n');
        }
        if is_header {
            self.line(ROW, texts);
            self.rule();
        } else if self.has_numbers {
            self.line(&number.to_string(), texts);
        } else {
            self.line("", texts);
        }
        self.rows.push(number);
    }

    /// Writes a line after the number of its row.
    fn line(&mut self, number: &str, texts: &[Cow<str>]) {
        let number = self.has_numbers.then_some(number);
        let cells = number.into_iter().chain(texts.iter().map(Cow::as_ref));
        row::row(cells, self.out);
    }

    /// Writes the line below the header.
    fn rule(&mut self) {
        let numbers = usize::from(self.has_numbers);
        self.out.push('\n');
        row::rule(self.columns.len().saturating_add(numbers), self.out);
    }
}

/// Returns the text of a cell in one line.
fn cell_text<'i>(cell: &'i Item, links: &[CellLink]) -> Cow<'i, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" .,:;-/%+$()=".contains(&byte);
    let text = cell.text.as_str();
    if cell.link.is_none() && text.bytes().all(is_plain) && !text.contains("  ") {
        return Cow::Borrowed(text.trim());
    }
    Cow::Owned(markdown::render_inline(&cell.content(links), Context::Cell))
}

/// Writes cells that are far from each other as a list of their positions and texts.
fn list(out: &mut String, items: &[Item], links: &[CellLink]) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push_str("- ");
        let mut content = vec![Inline::plain(format!("{}: ", place::address(item)))];
        content.extend(item.content(links));
        out.push_str(&markdown::render_inline(&content, Context::Cell));
    }
}
