//! Cells → separate tables: a sheet is cut at its empty rows and columns, each part again.

use super::items::Item;
use crate::limits;
use crate::workbook::{NamedTable, Range};

/// The number of cuts, one in the other. Deeper tables stay together.
const CUTS: usize = 12;

/// The number of rows from which parts with the same rows are one table.
const LONG: u32 = 12;

/// The number of rows without a table that may be its title.
const TITLES: usize = 4;

/// Cuts the cells of a sheet into tables, in the order in which they are read. The cells of each are
/// in the order of their rows and columns. Tables that the workbook defines are not cut.
pub fn islands(items: Vec<Item>, tables: &[NamedTable]) -> Vec<Vec<Item>> {
    let Some(all) = bounds(&items) else {
        return Vec::new();
    };
    let mut items = items;
    for table in tables {
        let range = &table.range;
        if range.first_row <= all.last_row && range.first_column <= all.last_column {
            items.push(Item {
                range: *range,
                text: String::new(),
                link: None,
            });
        }
    }
    let mut found = Vec::new();
    cut(items, 0, &mut found);
    for island in &mut found {
        island.retain(|item| !item.text.is_empty());
        island.sort_by_key(|item| (item.range.first_row, item.range.first_column));
    }
    found.retain(|island| !island.is_empty());
    found
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

/// Cuts cells at empty rows, or else at empty columns.
fn cut(items: Vec<Item>, depth: usize, found: &mut Vec<Vec<Item>>) {
    if depth >= CUTS || items.len() <= 1 || found.len() >= limits::SHEET_OBJECTS {
        found.push(items);
        return;
    }
    let (items, parts) = parts(items, |it| (it.first_row, it.last_row));
    if parts.len() > 1 {
        for part in divided(items, &parts) {
            cut(part, depth.saturating_add(1), found);
        }
        return;
    }
    let (items, parts) = self::parts(items, |it| (it.first_column, it.last_column));
    let parts = with_labels(&items, parts);
    if parts.len() > 1 {
        for part in divided(items, &parts) {
            cut(part, depth.saturating_add(1), found);
        }
        return;
    }
    found.push(items);
}

/// Sorts cells by their first row or column, and returns the number of cells of each part between
/// empty ones.
fn parts(mut items: Vec<Item>, span: fn(&Range) -> (u32, u32)) -> (Vec<Item>, Vec<usize>) {
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

/// Joins the parts beside each other that are a form: a single column of labels, an empty column, and
/// what belongs to the labels. Parts with the same rows are joined as well: programs put narrow empty
/// columns into wide tables, and a part of a row says little without the others.
fn with_labels(items: &[Item], parts: Vec<usize>) -> Vec<usize> {
    let mut joined: Vec<usize> = Vec::new();
    let mut before: Option<Range> = None;
    let mut rest = items;
    for count in parts {
        let (part, after) = rest.split_at(count.min(rest.len()));
        rest = after;
        let Some(range) = bounds(part) else {
            continue;
        };
        let is_form = before.is_some_and(|left| {
            let near = range.first_column == left.last_column.saturating_add(2);
            let single = |it: &Range| it.first_column == it.last_column;
            let rows = |it: &Range| it.last_row.saturating_sub(it.first_row).saturating_add(1);
            let first = left.first_row.max(range.first_row);
            let last = left.last_row.min(range.last_row);
            let common = last.saturating_add(1).saturating_sub(first);
            let smaller = rows(&left).min(rows(&range));
            let larger = rows(&left).max(rows(&range));
            let is_wide = common >= LONG && common.saturating_mul(10) >= larger.saturating_mul(9);
            let is_form = (single(&left) || single(&range))
                && common >= 2
                && common.saturating_mul(2) >= smaller;
            near && (is_form || is_wide)
        });
        match joined.last_mut() {
            Some(last) if is_form => {
                *last = last.saturating_add(count);
                before = before.map(|left| Range {
                    first_row: left.first_row.min(range.first_row),
                    last_row: left.last_row.max(range.last_row),
                    // The next column may be a form with the last part.
                    ..range
                });
            }
            _ => {
                joined.push(count);
                before = Some(range);
            }
        }
    }
    joined
}

/// Divides cells into parts with these numbers of cells.
fn divided(items: Vec<Item>, parts: &[usize]) -> Vec<Vec<Item>> {
    let mut items = items.into_iter();
    let take = |count: &usize| items.by_ref().take(*count).collect();
    parts.iter().map(take).collect()
}

/// Takes the rows above a table that have one cell each: they are its title. The cells are in the
/// order of their rows.
pub fn take_titles(island: &mut Vec<Item>, tables: &[NamedTable]) -> Vec<Item> {
    let Some(all) = bounds(island) else {
        return Vec::new();
    };
    let mut titles = 0_usize;
    if all.first_column < all.last_column {
        let mut rest = &island[..];
        while let [first, second, ..] = rest
            && titles < TITLES
            && first.range.first_row == first.range.last_row
            && second.range.first_row > first.range.first_row
            && !tables.iter().any(|it| {
                it.range
                    .contains(first.range.first_row, first.range.first_column)
            })
        {
            titles = titles.saturating_add(1);
            rest = rest.get(1..).unwrap_or_default();
        }
        // A list is not a title: a table has a row with several cells below.
        let is_table = matches!(rest, [first, second, ..]
            if first.range.first_row == second.range.first_row);
        if !is_table {
            titles = 0;
        }
    }
    island.drain(..titles).collect()
}
