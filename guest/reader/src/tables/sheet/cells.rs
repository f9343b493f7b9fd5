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
        workbook::Value::Number(number) => plain(*number),
        workbook::Value::Bool(true) => "TRUE".to_owned(),
        workbook::Value::Bool(false) => "FALSE".to_owned(),
    }
}

/// The text of a number. Most are whole, and those are written several times as fast as others.
fn plain(number: f64) -> String {
    match SqlValue::of_number(number) {
        SqlValue::Integer(whole) if whole != 0 => whole.to_string(),
        // Zero may be negative.
        _ => number.to_string(),
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

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn numbers_are_written_as_the_standard_library_writes_them() {
        let whole = [
            0.0,
            -0.0,
            1.0,
            -7.0,
            1e15,
            9_007_199_254_740_991.0,
            -1e16,
            1e300,
        ];
        let others = [0.5, -1.25, 1e-7, f64::MAX, f64::INFINITY, f64::NAN];
        for number in whole.into_iter().chain(others) {
            assert_eq!(plain(number), number.to_string());
        }
    }
}
