//! Sheets of workbooks in the types of the interface.

use crate::bindings::exports::omniread::parts::documents as wit;
use omniread_documents::workbook::packed::Packed;
use omniread_documents::workbook::{NamedTable, Range, SheetFacts, Window, Workbook};
use omniread_documents::{Document, Error};

/// Returns the facts about a sheet.
pub fn sheet(document: &mut dyn Document, index: usize) -> Result<wit::SheetFacts, Error> {
    let facts = workbook(document, index)?.sheet(index);
    Ok(wit::SheetFacts {
        used: facts.used.map(Into::into),
        rows: facts.rows,
        tables: facts.tables.iter().cloned().map(Into::into).collect(),
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
    window: wit::Window,
) -> Result<wit::Rows, Error> {
    let window = Window {
        range: window.cells.into(),
        formulas: window.formulas,
        cells: omniread_document_engine::place(window.count),
    };
    let workbook = workbook(document, index)?;
    let (rows, cells) = size(&workbook.sheet(index), &window);
    let mut packed = Packed::with_capacity(cells);
    let mut rows = Vec::with_capacity(rows);
    let found = workbook.pass_rows(index, &window, &mut |row| {
        rows.push(wit::Row {
            number: row.number,
            hidden: row.hidden,
            cells: length(row.cells.len()),
        });
        for cell in &row.cells {
            packed.push(cell);
        }
    });
    Ok(wit::Rows {
        rows,
        cells: packed.cells,
        text: packed.text,
        more: found.more,
        notes: found.notes,
    })
}

/// The largest number of rows and cells that a window of a sheet probably has. Lists that grow to it would be copied
/// several times, each time to memory that was not used before.
fn size(facts: &SheetFacts, window: &Window) -> (usize, usize) {
    // A sheet may have a few cells in a large rectangle.
    const MOST: usize = 1 << 16;
    let Some(used) = facts.used else {
        return (0, 0);
    };
    let range = window.range;
    let common = |first: u32, last: u32| last.saturating_add(1).saturating_sub(first) as usize;
    let last_row = range.last_row.min(used.last_row);
    let rows = common(range.first_row.max(used.first_row), last_row).min(facts.rows as usize);
    let last_column = range.last_column.min(used.last_column);
    let columns = common(range.first_column.max(used.first_column), last_column);
    let cells = rows.saturating_mul(columns).min(window.cells);
    let cells = cells.min(MOST);
    (rows.min(cells), cells)
}

/// A number of cells. The memory of the engine is too small for larger ones.
fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The document as a workbook that has a sheet with this index.
fn workbook(document: &mut dyn Document, index: usize) -> Result<&mut dyn Workbook, Error> {
    let workbook = document.workbook();
    workbook
        .filter(|workbook| index < workbook.sheets().len())
        .ok_or_else(|| Error::Unsupported("a sheet that it does not have".to_owned()))
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
