//! Sheets of workbooks in the types of the imported interface.

use crate::bindings::omniread::parts::documents as wit;
use omniread_document::workbook::{
    Cell, CellLink, NamedTable, Range, Row, Rows, SheetFacts, Value, Window,
};

fn range(range: wit::Range) -> Range {
    Range {
        first_row: range.first_row,
        first_column: range.first_column,
        last_row: range.last_row,
        last_column: range.last_column,
    }
}

/// The window for the engine.
pub fn window(window: &Window) -> wit::Window {
    let range = window.range;
    wit::Window {
        cells: wit::Range {
            first_row: range.first_row,
            first_column: range.first_column,
            last_row: range.last_row,
            last_column: range.last_column,
        },
        formulas: window.formulas,
        count: u32::try_from(window.cells).unwrap_or(u32::MAX),
    }
}

/// The facts about a sheet. The engine does not pass the addresses of links.
pub fn facts(facts: wit::SheetFacts) -> SheetFacts {
    let tables = facts.tables.into_iter().map(|table| NamedTable {
        name: table.name,
        range: range(table.cells),
        header: table.header,
    });
    let links = facts.links.into_iter().map(|cells| CellLink {
        range: range(cells),
        url: String::new(),
    });
    SheetFacts {
        used: facts.used.map(range),
        rows: facts.rows,
        tables: tables.collect(),
        charts: facts.charts,
        merged: facts.merged.into_iter().map(range).collect(),
        links: links.collect(),
        hidden_columns: facts.hidden_columns,
        notes: facts.notes,
    }
}

/// The rows that the engine packed.
pub fn rows(rows: wit::Rows) -> Rows {
    let mut cells = rows.cells.into_iter();
    let mut text = rows.text.as_str();
    let unpacked = rows.rows.into_iter().map(|row| Row {
        number: row.number,
        hidden: row.hidden,
        cells: cells
            .by_ref()
            .take(place(row.cells))
            .map(|cell| unpack(&cell, &mut text))
            .collect(),
    });
    Rows {
        rows: unpacked.collect(),
        more: rows.more,
        notes: rows.notes,
    }
}

/// Removes the texts of a cell from the start of `text`.
fn unpack(cell: &wit::Cell, text: &mut &str) -> Cell {
    let mut next = |length: u32| {
        let (part, rest) = text.split_at_checked(place(length)).unwrap_or((text, ""));
        *text = rest;
        part
    };
    let value = next(cell.length);
    Cell {
        column: cell.column,
        value: match cell.kind {
            wit::CellKind::Text => Value::Text(value.into()),
            wit::CellKind::Number => Value::Number(cell.number),
            wit::CellKind::Date => Value::Date(value.to_owned()),
            wit::CellKind::Boolean => Value::Bool(cell.number != 0.0),
            wit::CellKind::Error => Value::Error(value.to_owned()),
        },
        shown: cell.shown.map(&mut next).map(str::to_owned),
        formula: cell.formula.map(&mut next).map(str::to_owned),
    }
}

/// The number as a length of this machine.
fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
