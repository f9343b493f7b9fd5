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

/// The number of cells of the row that [`to_row`] returns.
pub fn width(row: &workbook::Row, places: &[u32]) -> usize {
    let Some(last) = row.cells.last() else {
        return 0;
    };
    // Each cell of a row is in one of the columns.
    let before = places.partition_point(|place| *place < last.column);
    before.saturating_add(1)
}

/// The cell of a row in the column with this index. `None` if it is empty.
pub fn cell<'r>(
    row: &'r workbook::Row,
    places: &[u32],
    index: usize,
) -> Option<&'r workbook::Cell> {
    let column = *places.get(index)?;
    let at = row.cells.binary_search_by_key(&column, |cell| cell.column);
    row.cells.get(at.ok()?)
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

/// The text of a cell in a table: as it is shown, and its formula.
pub fn text(cell: &workbook::Cell) -> String {
    let mut text = shown(cell);
    if let Some(formula) = &cell.formula {
        text.push_str(&format!(" `={formula}`"));
    }
    text
}

/// The size in bytes of the text of a cell in a table.
pub fn text_bytes(cell: &workbook::Cell) -> usize {
    const AROUND_FORMULA: usize = 4;
    let own = match (&cell.shown, &cell.value) {
        (Some(shown), _) => shown.len(),
        (None, workbook::Value::Text(text)) => text.len(),
        (None, workbook::Value::Date(text) | workbook::Value::Error(text)) => text.len(),
        (None, workbook::Value::Bool(true)) => 4,
        (None, workbook::Value::Bool(false)) => 5,
        (None, workbook::Value::Number(number)) => match SqlValue::of_number(*number) {
            SqlValue::Integer(whole) if whole != 0 => {
                let digits = whole.unsigned_abs().ilog10() as usize;
                digits
                    .saturating_add(1)
                    .saturating_add(usize::from(whole < 0))
            }
            _ => plain(*number).len(),
        },
    };
    let formula = cell.formula.as_ref();
    own.saturating_add(formula.map_or(0, |it| it.len().saturating_add(AROUND_FORMULA)))
}

/// The value of a cell. A condition on a date compares its form in ISO 8601.
pub fn value(cell: &workbook::Cell) -> SqlValue {
    let is_text = |own: &str| match (&cell.shown, &cell.formula) {
        (None, None) => true,
        (Some(shown), None) => shown == own,
        (_, Some(_)) => text(cell) == own,
    };
    match &cell.value {
        workbook::Value::Number(number) => SqlValue::of_number(*number),
        workbook::Value::Bool(value) => SqlValue::Integer(i64::from(*value)),
        workbook::Value::Date(date) if !is_text(date) => SqlValue::Other(date.clone()),
        workbook::Value::Text(value) if !is_text(value) => SqlValue::Other(value.to_string()),
        workbook::Value::Date(_) | workbook::Value::Text(_) | workbook::Value::Error(_) => {
            SqlValue::Text
        }
    }
}

/// A cell of a table.
pub fn of_cell(cell: &workbook::Cell) -> Cell {
    let text = text(cell);
    Cell {
        bytes: text.len() as u64,
        text,
        value: value(cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_row_are_those_of_the_whole_row() {
        use workbook::Value;
        let values = [
            (Value::Number(-1205.0), None, None),
            (Value::Number(-0.0), None, Some("A1*0")),
            (Value::Number(10.0), Some("10 %"), None),
            (Value::Text("a".into()), None, None),
            (Value::Text("b".into()), Some("[b]"), None),
            (Value::Text("c".into()), None, Some("B1")),
            (Value::Date("2024-01-31".to_owned()), Some("31/1"), None),
            (Value::Date("2024-01-31".to_owned()), None, None),
            (Value::Error("#N/A".to_owned()), None, None),
            (Value::Bool(true), None, None),
            (Value::Bool(false), None, None),
        ];
        let cells = (3u32..).step_by(2).zip(values);
        let cells = cells.map(|(column, (value, shown, formula))| workbook::Cell {
            column,
            value,
            shown: shown.map(str::to_owned),
            formula: formula.map(str::to_owned),
        });
        let row = workbook::Row {
            number: 7,
            hidden: false,
            cells: cells.collect(),
        };
        let filled: Vec<u32> = row.cells.iter().map(|cell| cell.column).collect();
        for places in [filled, (2..40).collect()] {
            let whole = to_row(&row, &places).cells;
            assert_eq!(whole.len(), width(&row, &places));
            for (index, expected) in whole.iter().enumerate() {
                let found = cell(&row, &places, index);
                assert_eq!(found.map_or(Cell::empty(), of_cell), *expected);
                let bytes = found.map_or(0, text_bytes);
                assert_eq!(bytes as u64, expected.bytes, "{expected:?}");
            }
            assert_eq!(cell(&row, &places, whole.len()), None);
        }
    }

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
