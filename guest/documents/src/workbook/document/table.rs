//! A table → Markdown.

use super::items::Item;
use super::place;
use crate::limits;
use crate::markdown::{self, Context};
use crate::model::Inline;
use crate::workbook::CellLink;
use std::borrow::Cow;

/// The Markdown of a table, and its rows and columns.
pub struct Table {
    pub text: String,
    /// The rows and the columns in ascending order. `None` if each cell is written with its address.
    pub places: Option<(Vec<u32>, Vec<u32>)>,
}

/// Writes a table. The cells are in the order of their rows and columns. Rows and columns in which no
/// cell starts are left out. Merged cells repeat their text.
pub fn render(items: &[Item], links: &[CellLink]) -> Table {
    let mut text = String::new();
    let places = write(&mut text, items, links);
    Table { text, places }
}

fn write(out: &mut String, items: &[Item], links: &[CellLink]) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut columns: Vec<u32> = items.iter().map(|item| item.range.first_column).collect();
    columns.sort_unstable();
    columns.dedup();
    let rows = items
        .chunk_by(|one, next| one.range.first_row == next.range.first_row)
        .count();
    let places = rows.saturating_mul(columns.len());
    if places > items.len().saturating_mul(16).saturating_add(10_000) {
        list(out, items, links);
        return None;
    }
    let mut writer = Writer {
        out,
        columns: &columns,
        links,
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
    let rows = writer.rows;
    Some((rows, columns))
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
        self.out.push('|');
        for text in texts {
            if !text.is_empty() {
                self.out.push(' ');
                self.out.push_str(text);
            }
            self.out.push_str(" |");
        }
        if is_first {
            self.out.push_str("\n|");
            for _ in texts {
                self.out.push_str(" --- |");
            }
        }
        self.rows.push(number);
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
