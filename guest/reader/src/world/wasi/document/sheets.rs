//! Sheets of workbooks in the types of the imported interface.

use crate::bindings::omniread::parts::documents as wit;
use omniread_document::workbook::packed::Unpacked;
use omniread_document::workbook::{
    CellLink, LAST_COLUMN, NamedTable, Range, Row, Rows, SheetFacts, Window,
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
    let mut cells = Unpacked::new(&rows.cells, &rows.text);
    let unpacked = rows.rows.into_iter().map(|row| {
        let count = usize::try_from(row.cells).unwrap_or(usize::MAX);
        // The engine may be wrong.
        let mut own = Vec::with_capacity(count.min(LAST_COLUMN as usize));
        own.extend(cells.by_ref().take(count));
        Row {
            number: row.number,
            hidden: row.hidden,
            cells: own,
        }
    });
    Rows {
        rows: unpacked.collect(),
        more: rows.more,
        notes: rows.notes,
    }
}
