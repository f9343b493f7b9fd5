//! Where a part of a sheet is: comments from which the address of each cell follows.
//!
//! A table without a comment starts at A1, and its rows and columns follow each other.

use super::items::Item;
use crate::workbook::{Range, column_name};

/// The address of the first cell of an item.
pub fn address(item: &Item) -> String {
    let range = &item.range;
    format!("{}{}", column_name(range.first_column), range.first_row)
}

/// The addresses of texts that are not in a table. `None` if they are the first ones of a sheet, one
/// below the other from A1 on.
pub fn of_texts(items: &[Item], is_first: bool) -> Option<String> {
    let mut rows = items.iter().zip(1_u32..);
    let is_plain =
        |item: &Item, row: u32| item.range.first_row == row && item.range.first_column == 1;
    if is_first && rows.all(|(item, row)| is_plain(item, row)) {
        return None;
    }
    let addresses: Vec<String> = items.iter().map(address).collect();
    Some(addresses.join(", "))
}

/// A rectangle of cells, such as `B2:F9`.
pub fn range(range: &Range) -> String {
    let first = format!("{}{}", column_name(range.first_column), range.first_row);
    let last = format!("{}{}", column_name(range.last_column), range.last_row);
    format!("{first}:{last}")
}

/// The rows and columns that a table leaves out: ` without column D and rows 5, 7:8`. Empty if there
/// are none.
pub fn left_out(bounds: &Range, rows: &[u32], columns: &[u32]) -> String {
    let mut text = String::new();
    let columns = missing(bounds.first_column, bounds.last_column, columns);
    let rows = missing(bounds.first_row, bounds.last_row, rows);
    let mut word = " without";
    for (name, list, write) in [
        ("column", &columns, column_name as fn(u32) -> String),
        ("row", &rows, |row: u32| row.to_string()),
    ] {
        let one = |(first, last): &(u32, u32)| {
            if first == last {
                write(*first)
            } else {
                format!("{}:{}", write(*first), write(*last))
            }
        };
        let many = match list.as_slice() {
            [] => continue,
            [(first, last)] if first == last => "",
            _ => "s",
        };
        let list: Vec<String> = list.iter().map(one).collect();
        text.push_str(&format!("{word} {name}{many} {}", list.join(", ")));
        word = " and";
    }
    text
}

/// The sequences of numbers that are not in a sorted list.
fn missing(first: u32, last: u32, list: &[u32]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut next = first;
    for number in list {
        if *number > next {
            found.push((next, number.saturating_sub(1)));
        }
        next = next.max(number.saturating_add(1));
    }
    if next <= last {
        found.push((next, last));
    }
    found
}
