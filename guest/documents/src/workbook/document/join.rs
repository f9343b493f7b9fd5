//! Parts of a sheet that are one table, although empty rows or columns are between them.

use super::continued::{Columns, is_word};
use super::items::{Item, bounds, parts};
use crate::workbook::Range;

/// The number of rows from which parts with the same rows are one table.
const LONG: u32 = 12;

/// The number of empty columns between the cells of a single row.
const WIDE: u32 = 3;

/// The number of rows that may have the names of the columns.
const HEADER: u32 = 2;

/// The number of parts with the same rows that are one table.
const SERIES: usize = 3;

/// Parts of cells, each with its rectangle.
fn with_bounds<'i>(items: &'i [Item], parts: &[usize]) -> Vec<(&'i [Item], Range)> {
    let mut rest = items;
    let mut found = Vec::new();
    for count in parts {
        let (part, after) = rest.split_at((*count).min(rest.len()));
        rest = after;
        found.extend(bounds(part).map(|range| (part, range)));
    }
    found
}

/// Joins the parts below each other of which one is a single row and has the columns of the other: a
/// header or a total with an empty row before it, or a table with an empty row after each row. A
/// header belongs to what is below it. Rows that continue the table above an empty row are joined, too.
pub fn rows(items: &[Item], parts: Vec<usize>) -> Vec<usize> {
    if parts.len() < 2 {
        return parts;
    }
    let list = with_bounds(items, &parts);
    let mut joined: Vec<usize> = Vec::new();
    // Whether all rows of the last part are single ones.
    let mut are_single = false;
    // The parts of the last table, the number of them that its columns count, and its columns.
    let mut first = 0_usize;
    let mut counted = 0_usize;
    let mut columns = Columns::default();
    for (index, part) in list.iter().enumerate() {
        let single = is_single(&part.1);
        let before = index.checked_sub(1).and_then(|it| list.get(it));
        let is_one = before.is_some_and(|before| {
            let is_header = single && !are_single && !has_number(part.0);
            let next = list.get(index.saturating_add(1));
            let next = next.filter(|next| is_header && !is_single(&next.1) && are_near(part, next));
            (single || are_single)
                && are_near(before, part)
                && fits(before.0, part.0)
                && !next.is_some_and(|next| fits(part.0, next.0))
                && is_whole(before.0, part.0)
        });
        let is_next = !is_one && !single && before.is_some_and(|it| are_near(it, part));
        let is_one = is_one
            || is_next && {
                if counted <= first {
                    columns = Columns::default();
                }
                for (items, _) in list.get(counted.max(first)..index).unwrap_or_default() {
                    columns.add(items);
                }
                counted = index;
                columns.continue_in(part.0, &part.1)
            };
        match joined.last_mut() {
            Some(last) if is_one => {
                *last = last.saturating_add(part.0.len());
                are_single &= single;
            }
            _ => {
                joined.push(part.0.len());
                are_single = single;
                first = index;
            }
        }
    }
    joined
}

/// Whether one empty row is between two parts.
fn are_near(above: &(&[Item], Range), below: &(&[Item], Range)) -> bool {
    below.1.first_row == above.1.last_row.saturating_add(2)
}

fn is_single(range: &Range) -> bool {
    range.first_row == range.last_row
}

/// Whether two parts have most of their columns in common.
fn fits(one: &[Item], other: &[Item]) -> bool {
    let columns = |items: &[Item]| {
        let mut columns: Vec<u32> = items.iter().map(|item| item.range.first_column).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    };
    let (one, other) = (columns(one), columns(other));
    let common = one.iter().filter(|it| other.binary_search(it).is_ok());
    let common = common.count();
    common >= 2 && common.saturating_mul(2) >= one.len().max(other.len())
}

/// Whether two parts are one table as far as their columns show.
fn is_whole(one: &[Item], other: &[Item]) -> bool {
    let both: Vec<Item> = one.iter().chain(other).cloned().collect();
    let (items, list) = parts(both, |it| (it.first_column, it.last_column));
    columns(&items, list).len() == 1
}

/// Whether a cell starts with a number.
fn has_number(items: &[Item]) -> bool {
    items.iter().any(|item| {
        let text = item.text.trim_start_matches(|c: char| !c.is_alphanumeric());
        text.starts_with(|c: char| c.is_numeric())
    })
}

/// Joins the parts beside each other that are one table.
pub fn columns(items: &[Item], parts: Vec<usize>) -> Vec<usize> {
    if parts.len() < 2 {
        return parts;
    }
    let list = with_bounds(items, &parts);
    if is_series(&list) {
        return vec![items.len()];
    }
    let mut joined: Vec<usize> = Vec::new();
    let mut before: Option<(Range, bool)> = None;
    for (part, range) in list {
        let are_one = before.is_some_and(|(left, has_labels)| {
            are_form(&left, &range) || (has_labels && are_labelled(&left, &range, part))
        });
        match joined.last_mut() {
            Some(last) if are_one => {
                *last = last.saturating_add(part.len());
                before = before.map(|(left, has_labels)| {
                    let range = Range {
                        first_row: left.first_row.min(range.first_row),
                        last_row: left.last_row.max(range.last_row),
                        // The next column may be a form with the last part.
                        ..range
                    };
                    (range, has_labels)
                });
            }
            _ => {
                joined.push(part.len());
                before = Some((range, has_letters(part, &range)));
            }
        }
    }
    joined
}

/// The number of rows of a rectangle.
fn height(range: &Range) -> u32 {
    let rows = range.last_row.saturating_sub(range.first_row);
    rows.saturating_add(1)
}

/// The number of rows that two rectangles have in common.
fn common_rows(one: &Range, other: &Range) -> u32 {
    let first = one.first_row.max(other.first_row);
    let last = one.last_row.min(other.last_row);
    last.saturating_add(1).saturating_sub(first)
}

/// Whether nearly all rows of two rectangles are the same.
fn same_rows(one: &Range, other: &Range) -> bool {
    let larger = height(one).max(height(other));
    common_rows(one, other).saturating_mul(10) >= larger.saturating_mul(9)
}

/// Whether one empty column is between two rectangles.
fn are_beside(left: &Range, right: &Range) -> bool {
    right.first_column == left.last_column.saturating_add(2)
}

/// Whether two parts are a form: a single column of labels, an empty column, and what belongs to the
/// labels. Long parts with the same rows are one table as well: programs put narrow empty columns into
/// wide tables, and a part of a row says little without the others. So are the cells of a single row.
fn are_form(left: &Range, right: &Range) -> bool {
    if is_single(left) && is_single(right) && left.first_row == right.first_row {
        let most = left.last_column.saturating_add(WIDE).saturating_add(1);
        return right.first_column <= most;
    }
    let single = |it: &Range| it.first_column == it.last_column;
    let common = common_rows(left, right);
    let smaller = height(left).min(height(right));
    let is_wide = common >= LONG && same_rows(left, right);
    let is_form =
        (single(left) || single(right)) && common >= 2 && common.saturating_mul(2) >= smaller;
    are_beside(left, right) && (is_form || is_wide)
}

/// Whether a part of numbers belongs to the part with labels left of it.
fn are_labelled(left: &Range, right: &Range, part: &[Item]) -> bool {
    are_beside(left, right)
        && common_rows(left, right) >= 2
        && same_rows(left, right)
        && !part
            .iter()
            .any(|item| item.range.first_row > right.first_row && is_word(&item.text))
}

/// Whether the first column of a part has a word below its first row.
fn has_letters(part: &[Item], range: &Range) -> bool {
    part.iter().any(|item| {
        item.range.first_column == range.first_column
            && item.range.first_row > range.first_row
            && is_word(&item.text)
    })
}

/// Whether parts are the groups of columns of one table: three or more with exactly the same rows, one
/// empty column between them, and headers of their own. Lists with the same header, such as the months
/// of a calendar, are tables beside each other.
fn is_series(list: &[(&[Item], Range)]) -> bool {
    let Some((first, all)) = list.first() else {
        return false;
    };
    let pairs = list.iter().zip(list.iter().skip(1));
    list.len() >= SERIES
        && height(all) >= 2
        && pairs.into_iter().all(|((_, left), (part, right))| {
            are_beside(left, right)
                && (left.first_row, left.last_row) == (right.first_row, right.last_row)
                && has_full_header(part, right)
                && (0..HEADER).all(|row| {
                    let own = header(part, right, row);
                    own != header(first, all, row) || !own.iter().any(|text| is_word(text))
                })
        })
}

/// The texts of a row. `row` is from 0.
fn header<'i>(part: &'i [Item], range: &Range, row: u32) -> Vec<&'i str> {
    let cells = part.iter();
    let cells = cells.filter(|item| item.range.first_row == range.first_row.saturating_add(row));
    cells.map(|item| item.text.as_str()).collect()
}

/// Whether each column of a part has a text in the first row.
fn has_full_header(part: &[Item], range: &Range) -> bool {
    let width = |range: &Range| {
        let last = range.last_column.saturating_add(1);
        last.saturating_sub(range.first_column)
    };
    let cells = part
        .iter()
        .filter(|item| item.range.first_row == range.first_row);
    let filled = cells.fold(0_u32, |sum, item| sum.saturating_add(width(&item.range)));
    filled >= width(range)
}
