//! Cells and rows of a sheet as those of a table.

use super::super::{Cell, Row, SqlValue};
use omniread_document::workbook;

/// A row with a cell for each column up to its last one with a value.
pub fn to_row(row: &workbook::Row, places: &[u32]) -> Row {
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
pub fn shown(cell: &workbook::Cell) -> String {
    if let Some(shown) = &cell.shown {
        return shown.clone();
    }
    match &cell.value {
        workbook::Value::Text(text) => text.to_string(),
        workbook::Value::Date(text) | workbook::Value::Error(text) => text.clone(),
        workbook::Value::Number(number) => number.to_string(),
        workbook::Value::Bool(true) => "TRUE".to_owned(),
        workbook::Value::Bool(false) => "FALSE".to_owned(),
    }
}

/// A cell of a table. A condition on a date compares its form in ISO 8601.
pub fn of_cell(cell: &workbook::Cell) -> Cell {
    let mut text = shown(cell);
    if let Some(formula) = &cell.formula {
        text.push_str(&format!(" `={formula}`"));
    }
    let value = match &cell.value {
        workbook::Value::Number(number) => SqlValue::of_number(*number),
        workbook::Value::Bool(value) => SqlValue::Integer(i64::from(*value)),
        workbook::Value::Date(date) if *date != text => SqlValue::Other(date.clone()),
        workbook::Value::Text(value) if **value != *text => SqlValue::Other(value.to_string()),
        workbook::Value::Date(_) | workbook::Value::Text(_) | workbook::Value::Error(_) => {
            SqlValue::Text
        }
    };
    Cell {
        bytes: text.len() as u64,
        text,
        value,
    }
}
