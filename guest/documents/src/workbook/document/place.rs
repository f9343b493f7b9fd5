//! Where a part of a sheet is: comments from which the address of each cell follows.
//!
//! A table without a comment starts at A1, and its rows and columns follow each other.

use super::items::Item;
use crate::limits;
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

/// How the rows or the columns that a table leaves out are shown.
pub enum LeftOut {
    /// As a list in the comment. It is empty if none are left out.
    Listed(String),
    /// By the number of each row, or the letters of each column, in the table.
    Named,
}

impl LeftOut {
    /// The rows between the first and the last one that are not in a list.
    pub fn rows(bounds: &Range, rows: &[u32]) -> Self {
        let list = missing(bounds.first_row, bounds.last_row, rows);
        let write = |row: u32| row.to_string();
        Self::of("row", list, write, limits::LEFT_OUT_ROWS_BYTES)
    }

    /// The columns between the first and the last one that are not in a list.
    pub fn columns(bounds: &Range, columns: &[u32]) -> Self {
        let list = missing(bounds.first_column, bounds.last_column, columns);
        Self::of("column", list, column_name, limits::LEFT_OUT_COLUMNS_BYTES)
    }

    fn of(
        name: &str,
        list: impl Iterator<Item = (u32, u32)>,
        write: fn(u32) -> String,
        most: usize,
    ) -> Self {
        let mut text = String::new();
        let mut many = "";
        for (first, last) in list {
            if !text.is_empty() {
                text.push_str(", ");
                many = "s";
            }
            text.push_str(&write(first));
            if first < last {
                many = "s";
                text.push(':');
                text.push_str(&write(last));
            }
            if text.len() > most {
                return Self::Named;
            }
        }
        Self::Listed(if text.is_empty() {
            text
        } else {
            format!("{name}{many} {text}")
        })
    }

    pub fn is_named(&self) -> bool {
        matches!(self, Self::Named)
    }
}

/// The rows and columns that a table leaves out, after its range: ` without column D and rows 5, 7:8`. Empty
/// if it leaves out nothing.
pub fn left_out(rows: &LeftOut, columns: &LeftOut) -> String {
    let mut text = String::new();
    let mut word = " without ";
    for part in [columns, rows] {
        if let LeftOut::Listed(list) = part
            && !list.is_empty()
        {
            text.push_str(word);
            text.push_str(list);
            word = " and ";
        }
    }
    text.push_str(match (rows, columns) {
        (LeftOut::Named, LeftOut::Named) => {
            ", with the letters of its columns and the numbers of its rows"
        }
        (LeftOut::Named, _) => ", with the numbers of its rows",
        (_, LeftOut::Named) => ", with the letters of its columns",
        _ => "",
    });
    text
}

/// The sequences of numbers that are not in a sorted list.
fn missing(first: u32, last: u32, list: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let mut next = first;
    let ends = list.iter().copied().chain([last.saturating_add(1)]);
    ends.filter_map(move |number| {
        let found = (number > next).then(|| (next, number.saturating_sub(1)));
        next = next.max(number.saturating_add(1));
        found
    })
}
