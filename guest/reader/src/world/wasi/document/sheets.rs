//! Sheets of workbooks in the types of the imported interface.

use super::wit;
use crate::world::{
    CellRange, CellValue, NamedTable, SheetCell, SheetFacts, SheetRow, SheetRows, SheetWindow,
};

impl From<wit::Range> for CellRange {
    fn from(range: wit::Range) -> Self {
        Self {
            first_row: range.first_row,
            first_column: range.first_column,
            last_row: range.last_row,
            last_column: range.last_column,
        }
    }
}

impl From<SheetWindow> for wit::Window {
    fn from(window: SheetWindow) -> Self {
        let range = window.cells;
        Self {
            cells: wit::Range {
                first_row: range.first_row,
                first_column: range.first_column,
                last_row: range.last_row,
                last_column: range.last_column,
            },
            formulas: window.formulas,
            count: window.count,
        }
    }
}

impl From<wit::SheetFacts> for SheetFacts {
    fn from(facts: wit::SheetFacts) -> Self {
        let tables = facts.tables.into_iter().map(|table| NamedTable {
            name: table.name,
            cells: table.cells.into(),
            header: table.header,
        });
        Self {
            used: facts.used.map(Into::into),
            rows: facts.rows,
            tables: tables.collect(),
            charts: facts.charts,
            merged: facts.merged.into_iter().map(Into::into).collect(),
            notes: facts.notes,
        }
    }
}

impl From<wit::Rows> for SheetRows {
    fn from(rows: wit::Rows) -> Self {
        Self {
            rows: rows.rows.into_iter().map(Into::into).collect(),
            more: rows.more,
            notes: rows.notes,
        }
    }
}

impl From<wit::Row> for SheetRow {
    fn from(row: wit::Row) -> Self {
        let cells = row.cells.into_iter().map(|cell| SheetCell {
            column: cell.column,
            value: match cell.value {
                wit::CellValue::Text(text) => CellValue::Text(text),
                wit::CellValue::Number(number) => CellValue::Number(number),
                wit::CellValue::Date(date) => CellValue::Date(date),
                wit::CellValue::Boolean(value) => CellValue::Bool(value),
                wit::CellValue::Error(error) => CellValue::Error(error),
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
