//! Links of cells by their formulas.

use super::sheet::{CellTag, row_tag};
use super::text::text;
use crate::limits;
use crate::workbook::hyperlink::{NAME, address};
use crate::workbook::{CellLink, LAST_COLUMN, LAST_ROW, Range};
use crate::xml::tags::Tags;
use memchr::memmem;

/// Adds the links of the formulas in the XML of the rows. `row` is the number of the row before them.
/// Returns whether there are too many.
pub fn add(data: &str, mut row: u32, found: &mut Vec<CellLink>) -> bool {
    // Most sheets have none, and are not read for them.
    if memmem::find(data.as_bytes(), NAME.as_bytes()).is_none() {
        return false;
    }
    let mut column = 0;
    let mut tags = Tags::new(data, 0);
    while let Some(tag) = tags.next() {
        match tag.name {
            "row" if !tag.is_end => {
                row = row_tag(&tag, row).0;
                column = 0;
            }
            "c" if !tag.is_end => column = CellTag::read(&tag, column).column,
            "f" if !tag.is_end && !tag.is_empty => {
                let inside = (1..=LAST_ROW).contains(&row) && (1..=LAST_COLUMN).contains(&column);
                let Some(url) = address(&text(tags.text())).filter(|_| inside) else {
                    continue;
                };
                if found.len() >= limits::SHEET_OBJECTS {
                    return true;
                }
                let range = Range {
                    first_row: row,
                    first_column: column,
                    last_row: row,
                    last_column: column,
                };
                found.push(CellLink { range, url });
            }
            _ => {}
        }
    }
    false
}
