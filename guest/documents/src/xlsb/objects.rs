//! Comments of a sheet ([MS-XLSB] 2.1.7.16).

use super::records::Records;
use super::tables::range;
use crate::limits;
use crate::package::{Package, Relationships};
use crate::workbook::Comment;
use crate::workbook::binary::Fields;

/// Reads the comments of a sheet, except of cells that have one in `found`.
pub fn comments(package: &mut Package, sheet: &Relationships, found: &mut Vec<Comment>) {
    let known: std::collections::BTreeSet<(u32, u32)> =
        found.iter().map(|it| (it.row, it.column)).collect();
    let parts = sheet.iter().filter(|(_, it)| it.kind == "comments");
    for (_, target) in parts.take(limits::SHEET_PARTS) {
        if let Some(part) = package.part(&target.target) {
            let mut own = read(&part.bytes);
            own.retain(|it| !known.contains(&(it.row, it.column)));
            found.append(&mut own);
        }
    }
    found.truncate(limits::SHEET_OBJECTS);
}

fn read(bytes: &[u8]) -> Vec<Comment> {
    const AUTHOR: u16 = 632;
    const COMMENT: u16 = 635;
    const TEXT: u16 = 637;
    let mut authors = Vec::new();
    let mut found: Vec<Comment> = Vec::new();
    for record in Records::new(bytes, 0) {
        let mut fields = Fields(record.data);
        match record.kind {
            AUTHOR if authors.len() < limits::SHEET_OBJECTS => {
                authors.push(fields.wide().unwrap_or_default());
            }
            COMMENT if found.len() < limits::SHEET_OBJECTS => {
                let author = fields.u32().and_then(|it| usize::try_from(it).ok());
                let author = author.and_then(|it| authors.get(it)).cloned();
                if let Some(range) = range(&mut fields) {
                    found.push(Comment {
                        row: range.first_row,
                        column: range.first_column,
                        author: author.unwrap_or_default(),
                        ..Comment::default()
                    });
                }
            }
            TEXT => {
                fields.skip(1);
                let text = fields.wide().unwrap_or_default();
                if let Some(last) = found.last_mut() {
                    last.text = crate::workbook::binary::comment_text(&text, &last.author);
                }
            }
            _ => {}
        }
    }
    found
}
