//! The row of a sheet that has the names of the columns.

use super::super::names::unique;
use super::cells::shown;
use crate::path::cells::{index, letters};
use omniread_document::workbook;
use std::collections::BTreeMap;

/// Finds the row that has the names of the columns: the header of a table of the workbook, or the
/// first row of texts that is about as wide as the rows after it. `rows` are the first ones.
pub fn find(rows: &[&workbook::Row], facts: &workbook::SheetFacts) -> Option<u32> {
    let of_table = |table: &&workbook::NamedTable| {
        table.header && rows.iter().any(|row| row.number == table.range.first_row)
    };
    let size =
        |table: &&workbook::NamedTable| table.range.last_row.saturating_sub(table.range.first_row);
    if let Some(table) = facts.tables.iter().filter(of_table).max_by_key(size) {
        return Some(table.range.first_row);
    }
    let widest = rows.iter().map(|row| row.cells.len()).max()?;
    let is_wide = |row: &workbook::Row| {
        let cells = row.cells.len();
        cells.saturating_mul(2) > widest && (cells > 1 || widest == 1)
    };
    let (place, header) = rows.iter().enumerate().find(|(_, row)| is_wide(row))?;
    let is_name = |cell: &workbook::Cell| match &cell.value {
        workbook::Value::Text(text) => !text.trim().is_empty(),
        // Years and dates name columns too, but not alone.
        workbook::Value::Date(_) => true,
        workbook::Value::Number(number) => (1900.0..=2100.0).contains(number),
        workbook::Value::Bool(_) | workbook::Value::Error(_) => false,
    };
    let has_text = header
        .cells
        .iter()
        .any(|cell| matches!(cell.value, workbook::Value::Text(_)));
    let followed = rows.get(place.saturating_add(1)).is_some();
    (has_text && followed && header.cells.iter().all(is_name)).then_some(header.number)
}

/// Names the columns `places` by the row with the number `header`, or by letters. Merged cells name
/// each of their columns: the value is only in the first one.
pub fn names(
    header: Option<u32>,
    rows: &[&workbook::Row],
    places: &[u32],
    merged: &[workbook::Range],
) -> Vec<String> {
    let cell = |row: u32, column: u32| {
        let at = rows.binary_search_by_key(&row, |row| row.number).ok()?;
        let cells = &rows.get(at)?.cells;
        let at = cells.binary_search_by_key(&column, |cell| cell.column);
        cells.get(at.ok()?)
    };
    let in_header = merged.iter().filter(|range| {
        header.is_some_and(|row| (range.first_row..=range.last_row).contains(&row))
    });
    let mut covering: BTreeMap<u32, &workbook::Range> = BTreeMap::new();
    // Unlike `collect`, this does not sort first, which takes 5 KB of code.
    covering.extend(in_header.map(|range| (range.first_column, range)));
    let name = |column: u32| {
        let own = cell(header?, column);
        own.or_else(|| {
            // Merged cells do not overlap, so that only the last one before the column can cover it.
            let (first, range) = covering.range(..=column).next_back()?;
            let covers = column <= range.last_column;
            covers.then(|| cell(range.first_row, *first)).flatten()
        })
    };
    let names = places.iter().map(|place| {
        let name = name(*place).map(shown).unwrap_or_default();
        let words: Vec<&str> = name.split_whitespace().collect();
        match words.join(" ") {
            name if name.is_empty() => letters(index(*place)),
            name => name,
        }
    });
    unique(names.collect::<Vec<_>>().into_iter())
}
