//! Formulas of charts → the cells that they refer to ([MS-XLS] 2.5.198.11).

use crate::workbook::Range;
use crate::workbook::binary::Fields;
use crate::xls::book::{Biff, Globals};

/// Cells of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The index of the sheet.
    pub sheet: usize,
    /// The cells.
    pub range: Range,
}

/// Returns the cells in their order. `None` if the formula is not a list of cells of this workbook.
pub fn read(globals: &Globals, tokens: &[u8]) -> Option<Vec<Area>> {
    let mut fields = Fields(tokens);
    let mut found = Vec::new();
    while let Some(token) = fields.u8() {
        match token {
            // A cell, and a range of cells.
            0x3a | 0x5a | 0x7a => found.push(area(globals, &mut fields, false)?),
            0x3b | 0x5b | 0x7b => found.push(area(globals, &mut fields, true)?),
            // A list, and parentheses.
            0x10 | 0x15 => {}
            // The size of a list before it, in some cases with a place for its value.
            0x29 | 0x49 | 0x69 => fields.skip(2)?,
            0x26 | 0x46 | 0x66 => fields.skip(6)?,
            _ => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}

fn area(globals: &Globals, fields: &mut Fields, is_range: bool) -> Option<Area> {
    let is_new = globals.biff == Biff::V8;
    let listed = if is_new {
        let link = usize::from(fields.u16()?);
        (*globals.links.targets.get(link)?)?
    } else {
        // A negative number is a sheet of this workbook.
        if fields.u16()? < 0x8000 {
            return None;
        }
        fields.skip(8)?;
        let (first, last) = (fields.u16()?, fields.u16()?);
        if first != last {
            return None;
        }
        usize::from(first)
    };
    let row = |fields: &mut Fields| {
        let row = fields.u16()?;
        Some(u32::from(if is_new { row } else { row & 0x3fff }))
    };
    let column = |fields: &mut Fields| {
        if is_new {
            return Some(u32::from(fields.u16()? & 0x3fff));
        }
        fields.u8().map(u32::from)
    };
    let first_row = row(fields)?;
    let last_row = if is_range { row(fields)? } else { first_row };
    let first_column = column(fields)?;
    let last_column = if is_range {
        column(fields)?
    } else {
        first_column
    };
    let range = Range {
        first_row: first_row.saturating_add(1),
        first_column: first_column.saturating_add(1),
        last_row: last_row.saturating_add(1),
        last_column: last_column.saturating_add(1),
    };
    let sheet = globals.listed.get(listed).copied().flatten()?;
    (first_row <= last_row && first_column <= last_column).then_some(Area { sheet, range })
}
