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
            links: facts.links.into_iter().map(Into::into).collect(),
            hidden_columns: facts.hidden_columns,
            notes: facts.notes,
        }
    }
}

impl From<wit::Rows> for SheetRows {
    fn from(rows: wit::Rows) -> Self {
        let mut cells = rows.cells.into_iter();
        let mut text = rows.text.as_str();
        let unpacked = rows.rows.into_iter().map(|row| SheetRow {
            number: row.number,
            hidden: row.hidden,
            cells: cells
                .by_ref()
                .take(place(row.cells))
                .map(|cell| unpack(&cell, &mut text))
                .collect(),
        });
        Self {
            rows: unpacked.collect(),
            more: rows.more,
            notes: rows.notes,
        }
    }
}

/// Removes the texts of a cell from the start of `text`.
fn unpack(cell: &wit::Cell, text: &mut &str) -> SheetCell {
    let mut next = |length: u32| {
        let (part, rest) = text.split_at_checked(place(length)).unwrap_or((text, ""));
        *text = rest;
        part.to_owned()
    };
    let value = next(cell.length);
    SheetCell {
        column: cell.column,
        value: match cell.kind {
            wit::CellKind::Text => CellValue::Text(value.into()),
            wit::CellKind::Number => CellValue::Number(cell.number),
            wit::CellKind::Date => CellValue::Date(value),
            wit::CellKind::Boolean => CellValue::Bool(cell.number != 0.0),
            wit::CellKind::Error => CellValue::Error(value),
        },
        shown: cell.shown.map(&mut next),
        formula: cell.formula.map(&mut next),
    }
}

/// The number as a length of this machine.
fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
