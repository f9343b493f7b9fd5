//! Cells → separate tables: a sheet is cut at its empty rows and columns, each part again.

use super::items::{Item, bounds, parts};
use super::join;
use crate::limits;
use crate::workbook::NamedTable;

/// The number of cuts, one in the other. Deeper tables stay together.
const CUTS: usize = 12;

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

/// Cuts cells at empty rows, or else at empty columns.
fn cut(items: Vec<Item>, depth: usize, found: &mut Vec<Vec<Item>>) {
    if depth >= CUTS || items.len() <= 1 || found.len() >= limits::SHEET_OBJECTS {
        found.push(items);
        return;
    }
    let (items, list) = parts(items, |it| (it.first_row, it.last_row));
    let list = join::rows(&items, list);
    if list.len() > 1 {
        for part in divided(items, &list) {
            cut(part, depth.saturating_add(1), found);
        }
        return;
    }
    let (items, list) = parts(items, |it| (it.first_column, it.last_column));
    let list = join::columns(&items, list);
    if list.len() > 1 {
        for part in divided(items, &list) {
            cut(part, depth.saturating_add(1), found);
        }
        return;
    }
    found.push(items);
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
