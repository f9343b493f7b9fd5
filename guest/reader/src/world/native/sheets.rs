//! Sheets of workbooks in native builds.

use crate::world::{
    CellRange, CellValue, DocumentError, NamedTable, SheetCell, SheetFacts, SheetRow, SheetRows,
    SheetWindow,
};
use omniread_documents::Document;
use omniread_documents::workbook::{self, Range, Value, Window, Workbook};

/// Returns the facts about a sheet.
pub fn sheet(document: &mut dyn Document, index: usize) -> Result<SheetFacts, DocumentError> {
    let facts = of(document, index)?.sheet(index);
    let tables = facts.tables.iter().cloned().map(|table| NamedTable {
        name: table.name,
        cells: table.range.into(),
        header: table.header,
    });
    Ok(SheetFacts {
        used: facts.used.map(Into::into),
        rows: facts.rows,
        tables: tables.collect(),
        charts: facts.charts.clone(),
        merged: facts.merged.iter().map(|range| (*range).into()).collect(),
        links: facts.links.iter().map(|link| link.range.into()).collect(),
        hidden_columns: facts.hidden_columns.clone(),
        notes: facts.notes.clone(),
    })
}

/// Reads rows of a sheet.
pub fn rows(
    document: &mut dyn Document,
    index: usize,
    window: &SheetWindow,
) -> Result<SheetRows, DocumentError> {
    let window = Window {
        range: window.cells.into(),
        formulas: window.formulas,
        cells: usize::try_from(window.count).unwrap_or(usize::MAX),
    };
    let rows = of(document, index)?.rows(index, &window);
    Ok(SheetRows {
        rows: rows.rows.into_iter().map(Into::into).collect(),
        more: rows.more,
        notes: rows.notes,
    })
}

/// The document as a workbook that has a sheet with this index.
fn of(document: &mut dyn Document, index: usize) -> Result<&mut dyn Workbook, DocumentError> {
    let workbook = document.workbook();
    workbook
        .filter(|workbook| index < workbook.sheets().len())
        .ok_or_else(|| DocumentError::Unsupported("a sheet that it does not have".to_owned()))
}

impl From<Range> for CellRange {
    fn from(range: Range) -> Self {
        Self {
            first_row: range.first_row,
            first_column: range.first_column,
            last_row: range.last_row,
            last_column: range.last_column,
        }
    }
}

impl From<CellRange> for Range {
    fn from(range: CellRange) -> Self {
        Self {
            first_row: range.first_row,
            first_column: range.first_column,
            last_row: range.last_row,
            last_column: range.last_column,
        }
    }
}

impl From<workbook::Row> for SheetRow {
    fn from(row: workbook::Row) -> Self {
        let cells = row.cells.into_iter().map(|cell| SheetCell {
            column: cell.column,
            value: match cell.value {
                Value::Text(text) => CellValue::Text(text.into()),
                Value::Number(number) => CellValue::Number(number),
                Value::Date(date) => CellValue::Date(date),
                Value::Bool(value) => CellValue::Bool(value),
                Value::Error(error) => CellValue::Error(error),
            },
            shown: cell.shown,
            formula: cell.formula,
        });
        Self {
            number: row.number,
            hidden: row.hidden,
            cells: cells.collect(),
        }
    }
}
