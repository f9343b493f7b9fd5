//! Cells and rows of a sheet as those of a table.

use super::super::{Cell, Row, SqlValue};
use crate::world::{CellValue, SheetCell, SheetRow};

/// A row with a cell for each column up to its last one with a value.
pub fn to_row(row: &SheetRow, places: &[u32]) -> Row {
    let mut cells: Vec<Cell> = Vec::with_capacity(places.len());
    let mut places = places.iter();
    for cell in &row.cells {
        for place in places.by_ref() {
            if *place >= cell.column {
                break;
            }
            cells.push(Cell::empty());
        }
        cells.push(of_cell(cell));
    }
    Row {
        number: u64::from(row.number),
        cells,
    }
}

/// The text of a cell.
pub fn shown(cell: &SheetCell) -> String {
    if let Some(shown) = &cell.shown {
        return shown.clone();
    }
    match &cell.value {
        CellValue::Text(text) => text.to_string(),
        CellValue::Date(text) | CellValue::Error(text) => text.clone(),
        CellValue::Number(number) => number.to_string(),
        CellValue::Bool(true) => "TRUE".to_owned(),
        CellValue::Bool(false) => "FALSE".to_owned(),
    }
}

/// A cell of a table. A condition on a date compares its form in ISO 8601.
pub fn of_cell(cell: &SheetCell) -> Cell {
    let mut text = shown(cell);
    if let Some(formula) = &cell.formula {
        text.push_str(&format!(" `={formula}`"));
    }
    let value = match &cell.value {
        CellValue::Number(number) => SqlValue::of_number(*number),
        CellValue::Bool(value) => SqlValue::Integer(i64::from(*value)),
        CellValue::Date(date) if *date != text => SqlValue::Other(date.clone()),
        CellValue::Text(value) if **value != *text => SqlValue::Other(value.to_string()),
        CellValue::Date(_) | CellValue::Text(_) | CellValue::Error(_) => SqlValue::Text,
    };
    Cell {
        bytes: text.len() as u64,
        text,
        value,
    }
}
