//! Sheets of workbooks in the types of the interface.

use super::wit;
use crate::Document;
use crate::workbook::{Cell, NamedTable, Range, Row, Value, Window, Workbook};

/// Returns the facts about a sheet.
pub fn sheet(document: &mut dyn Document, index: usize) -> Result<wit::SheetFacts, wit::Error> {
    let facts = workbook(document, index)?.sheet(index);
    Ok(wit::SheetFacts {
        used: facts.used.map(Into::into),
        rows: facts.rows,
        tables: facts.tables.into_iter().map(Into::into).collect(),
        charts: facts.charts,
        merged: facts.merged.into_iter().map(Into::into).collect(),
        notes: facts.notes,
    })
}

/// Reads rows of a sheet.
pub fn rows(
    document: &mut dyn Document,
    index: usize,
    window: wit::Window,
) -> Result<wit::Rows, wit::Error> {
    let window = Window {
        range: window.cells.into(),
        formulas: window.formulas,
        cells: super::place(window.count),
    };
    let rows = workbook(document, index)?.rows(index, &window);
    Ok(wit::Rows {
        rows: rows.rows.into_iter().map(Into::into).collect(),
        more: rows.more,
        notes: rows.notes,
    })
}

/// The document as a workbook that has a sheet with this index.
fn workbook(document: &mut dyn Document, index: usize) -> Result<&mut dyn Workbook, wit::Error> {
    let workbook = document.workbook();
    workbook
        .filter(|workbook| index < workbook.sheets().len())
        .ok_or_else(|| wit::Error::Unsupported("a sheet that it does not have".to_owned()))
}

impl From<Range> for wit::Range {
    fn from(range: Range) -> Self {
        Self {
            first_row: range.first_row,
            first_column: range.first_column,
            last_row: range.last_row,
            last_column: range.last_column,
        }
    }
}

impl From<wit::Range> for Range {
    fn from(range: wit::Range) -> Self {
        Self {
            first_row: range.first_row,
            first_column: range.first_column,
            last_row: range.last_row,
            last_column: range.last_column,
        }
    }
}

impl From<NamedTable> for wit::NamedTable {
    fn from(table: NamedTable) -> Self {
        Self {
            name: table.name,
            cells: table.range.into(),
            header: table.header,
        }
    }
}

impl From<Row> for wit::Row {
    fn from(row: Row) -> Self {
        Self {
            number: row.number,
            hidden: row.hidden,
            cells: row.cells.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Cell> for wit::Cell {
    fn from(cell: Cell) -> Self {
        Self {
            column: cell.column,
            value: match cell.value {
                Value::Text(text) => wit::CellValue::Text(text),
                Value::Number(number) => wit::CellValue::Number(number),
                Value::Date(date) => wit::CellValue::Date(date),
                Value::Bool(value) => wit::CellValue::Boolean(value),
                Value::Error(error) => wit::CellValue::Error(error),
            },
            shown: cell.shown,
            formula: cell.formula,
        }
    }
}
