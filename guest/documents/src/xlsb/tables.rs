//! The tables of a sheet.

use super::records::Records;
use crate::limits;
use crate::package::Package;
use crate::workbook::binary::Fields;
use crate::workbook::{NamedTable, Range, formula};
use crate::xml::{Tree, decode};

/// A table and the names of its columns.
#[derive(Debug)]
pub struct Table {
    /// The identifier, which formulas use.
    pub id: u32,
    /// The table.
    pub table: NamedTable,
    columns: Vec<String>,
}

impl Table {
    /// The names for formulas.
    pub fn columns(self) -> formula::Table {
        formula::Table {
            name: self.table.name,
            columns: self.columns,
        }
    }
}

/// Reads the tables of the sheet in a part.
pub fn read(package: &mut Package, sheet: &str) -> Vec<Table> {
    let relationships = package.relationships(sheet);
    let parts = relationships.iter().map(|(_, found)| found);
    let parts = parts.filter(|found| found.kind == "table" && !found.external);
    let names: Vec<String> = parts.map(|found| found.target.clone()).collect();
    let mut found = Vec::new();
    for name in names.iter().take(limits::SHEET_TABLES) {
        let Some(part) = package.part(name) else {
            continue;
        };
        let table = match part.bytes.first() {
            Some(b'<' | 0xef) => xml(&part.bytes),
            _ => binary(&part.bytes),
        };
        found.extend(table);
    }
    found.sort_by_key(|table| (table.table.range.first_row, table.table.range.first_column));
    found
}

/// Reads a part of records ([MS-XLSB] 2.4.116).
fn binary(bytes: &[u8]) -> Option<Table> {
    const BEGIN: u16 = 343;
    const COLUMN: u16 = 347;
    let mut table = None;
    let mut columns = Vec::new();
    for record in Records::new(bytes, 0) {
        let mut fields = Fields(record.data);
        match record.kind {
            BEGIN if table.is_none() => table = begin(&mut fields),
            COLUMN if columns.len() < limits::COLUMNS => {
                fields.skip(24);
                let name = fields.wide().unwrap_or_default();
                let caption = fields.wide().unwrap_or_default();
                columns.push(if caption.is_empty() { name } else { caption });
            }
            _ => {}
        }
    }
    let (id, table) = table?;
    Some(Table { id, table, columns })
}

fn begin(fields: &mut Fields) -> Option<(u32, NamedTable)> {
    let range = range(fields)?;
    fields.skip(4)?;
    let id = fields.u32()?;
    let header = fields.u32()? > 0;
    // The number of total rows, flags, six formats and the connection.
    fields.skip(36)?;
    let name = fields.wide()?;
    let shown = fields.wide().unwrap_or_default();
    let name = if shown.is_empty() { name } else { shown };
    Some((
        id,
        NamedTable {
            name,
            range,
            header,
        },
    ))
}

/// Reads rows and columns, which are stored from 0.
pub fn range(fields: &mut Fields) -> Option<Range> {
    let mut next = || fields.u32().map(|number| number.saturating_add(1));
    let (first_row, last_row) = (next()?, next()?);
    let (first_column, last_column) = (next()?, next()?);
    let range = Range {
        first_row,
        first_column,
        last_row: last_row.min(crate::workbook::LAST_ROW),
        last_column: last_column.min(crate::workbook::LAST_COLUMN),
    };
    let valid = first_row <= range.last_row && first_column <= range.last_column;
    valid.then_some(range)
}

/// Reads a part of XML, which some programs write.
fn xml(bytes: &[u8]) -> Option<Table> {
    let text = decode(bytes);
    let tree = Tree::parse(&text);
    let root = tree.root();
    let (from, to) = root.attr("ref")?.split_once(':')?;
    let ((first_row, first_column), (last_row, last_column)) = (address(from)?, address(to)?);
    let name = root.attr("displayName").or_else(|| root.attr("name"))?;
    let columns = root.child("tableColumns");
    let columns = columns.iter().flat_map(crate::xml::Element::children);
    let columns = columns.filter_map(|column| column.attr("name").map(str::to_owned));
    Some(Table {
        id: root.attr("id").and_then(|id| id.parse().ok()).unwrap_or(0),
        table: NamedTable {
            name: name.to_owned(),
            range: Range {
                first_row,
                first_column,
                last_row,
                last_column,
            },
            header: root.attr("headerRowCount") != Some("0"),
        },
        columns: columns.collect(),
    })
}

/// Reads an address such as `B4`: the row and the column from 1.
fn address(text: &str) -> Option<(u32, u32)> {
    let text = text.replace('$', "");
    let letters = text
        .len()
        .saturating_sub(text.trim_start_matches(char::is_alphabetic).len());
    let (letters, digits) = text.split_at_checked(letters)?;
    let row: u32 = digits.parse().ok()?;
    let mut column = 0_u32;
    for letter in letters.chars() {
        let digit = letter.to_digit(36)?.checked_sub(9)?;
        column = column.checked_mul(26)?.checked_add(digit)?;
    }
    let valid = (1..=crate::workbook::LAST_ROW).contains(&row)
        && (1..=crate::workbook::LAST_COLUMN).contains(&column);
    valid.then_some((row, column))
}
