//! The cells of a sheet with their displayed texts.

use crate::limits;
use crate::model::Inline;
use crate::workbook::{CellLink, Range, SheetFacts, Window, Workbook};
use std::collections::BTreeMap;

/// A cell with a text, and the cells that are merged with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The cells.
    pub range: Range,
    /// The displayed text.
    pub text: String,
    /// The position of its link in the list of links.
    pub link: Option<usize>,
}

impl Item {
    /// The content of the cell.
    pub fn content(&self, links: &[CellLink]) -> Vec<Inline> {
        let content = lines(&self.text);
        match self.link.and_then(|it| links.get(it)) {
            Some(link) => vec![Inline::Link {
                url: link.url.clone(),
                content,
            }],
            None => content,
        }
    }
}

/// Splits a text at its line ends.
fn lines(text: &str) -> Vec<Inline> {
    let mut content = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if index > 0 {
            content.push(Inline::Break);
        }
        content.push(Inline::plain(line));
    }
    content
}

/// The rectangle around cells.
pub fn bounds(items: &[Item]) -> Option<Range> {
    let mut all = items.first()?.range;
    for item in items {
        let range = &item.range;
        all.first_row = all.first_row.min(range.first_row);
        all.first_column = all.first_column.min(range.first_column);
        all.last_row = all.last_row.max(range.last_row);
        all.last_column = all.last_column.max(range.last_column);
    }
    Some(all)
}

/// Sorts cells by their first row or column, and returns the number of cells of each part between
/// empty ones.
pub fn parts(mut items: Vec<Item>, span: fn(&Range) -> (u32, u32)) -> (Vec<Item>, Vec<usize>) {
    items.sort_by_key(|item| span(&item.range).0);
    let mut parts = Vec::new();
    let mut count = 0_usize;
    let mut end = u32::MAX;
    for item in &items {
        let (first, last) = span(&item.range);
        if count > 0 && first > end.saturating_add(1) {
            parts.push(count);
            count = 0;
        }
        end = if count == 0 { last } else { end.max(last) };
        count = count.saturating_add(1);
    }
    parts.push(count);
    (items, parts)
}

/// The cells of a sheet.
#[derive(Debug, Default)]
pub struct Items {
    /// The cells in the order of their rows and columns.
    pub list: Vec<Item>,
    /// The first and the last row of each sequence of hidden rows.
    pub hidden_rows: Vec<(u32, u32)>,
    /// Notes on damage, and on what is left out.
    pub notes: Vec<String>,
}

/// Reads the cells of a sheet, up to the limits.
pub fn read(workbook: &mut dyn Workbook, sheet: usize, facts: &SheetFacts) -> Items {
    let mut found = Items::default();
    let Some(used) = facts.used else {
        return found;
    };
    let merged: BTreeMap<(u32, u32), &Range> = facts
        .merged
        .iter()
        .map(|range| ((range.first_row, range.first_column), range))
        .collect();
    let links = Links::new(&facts.links);
    let mut bytes = 0_usize;
    let mut window = Window {
        range: used,
        formulas: false,
        cells: limits::SHEET_WINDOW,
    };
    loop {
        let rows = workbook.rows(sheet, &window);
        if found.notes.len() < limits::NOTES {
            found.notes.extend(rows.notes);
        }
        let Some(last) = rows.rows.last().map(|row| row.number) else {
            break;
        };
        for row in rows.rows {
            if row.hidden {
                match found.hidden_rows.last_mut() {
                    Some((_, end)) if end.saturating_add(1) == row.number => *end = row.number,
                    _ => found.hidden_rows.push((row.number, row.number)),
                }
            }
            for cell in row.cells {
                let text = cell.shown.unwrap_or_else(|| cell.value.plain());
                if text.trim().is_empty() {
                    continue;
                }
                bytes = bytes.saturating_add(text.len());
                let at = (row.number, cell.column);
                let own = Range {
                    first_row: row.number,
                    first_column: cell.column,
                    last_row: row.number,
                    last_column: cell.column,
                };
                let range = merged.get(&at).map_or(own, |range| Range {
                    last_row: range.last_row.min(used.last_row),
                    last_column: range.last_column.min(used.last_column),
                    ..own
                });
                found.list.push(Item {
                    range,
                    text,
                    link: links.find(row.number, cell.column),
                });
            }
        }
        let full = found.list.len() >= limits::SHEET_CELLS || bytes >= limits::SHEET_BYTES;
        if !rows.more || last >= used.last_row {
            break;
        }
        if full {
            let name = workbook
                .sheets()
                .get(sheet)
                .map_or("", |it| it.name.as_str());
            let next = last.saturating_add(1);
            found.notes.push(format!(
                "The text of the sheet `{name}` ends at row {last} of {}. Append `:{name}:{next}` to the \
                 path of the workbook to read the next rows.",
                used.last_row
            ));
            break;
        }
        window.range.first_row = last.saturating_add(1);
    }
    found
}

/// Links by their cells.
struct Links<'l> {
    all: &'l [CellLink],
    /// The links of one cell.
    single: BTreeMap<(u32, u32), usize>,
    /// The links of several cells.
    wide: Vec<usize>,
}

impl<'l> Links<'l> {
    /// The number of links of several cells that are looked at for each cell.
    const WIDE: usize = 64;

    fn new(all: &'l [CellLink]) -> Self {
        let mut single = BTreeMap::new();
        let mut wide = Vec::new();
        for (index, link) in all.iter().enumerate() {
            let range = &link.range;
            let is_cell =
                range.first_row == range.last_row && range.first_column == range.last_column;
            if is_cell {
                single
                    .entry((range.first_row, range.first_column))
                    .or_insert(index);
            } else if wide.len() < Self::WIDE {
                wide.push(index);
            }
        }
        Self { all, single, wide }
    }

    fn find(&self, row: u32, column: u32) -> Option<usize> {
        if let Some(found) = self.single.get(&(row, column)) {
            return Some(*found);
        }
        let contains = |index: &&usize| {
            let link = self.all.get(**index);
            link.is_some_and(|it| it.range.contains(row, column))
        };
        self.wide.iter().find(contains).copied()
    }
}
