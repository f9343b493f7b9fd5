//! What a sheet has beside its cells: comments, links, text boxes and hidden columns.

use super::book::{Biff, Globals};
use super::records::{CONTINUE, Continued, Record, Records};
use crate::limits;
use crate::model::{Block, Inline};
use crate::workbook::binary::{Fields, comment_text, utf16};
use crate::workbook::{CellLink, Comment, Drawing, Objects, Range};
use std::collections::BTreeMap;

/// The objects of a sheet while its records are read.
#[derive(Debug, Default)]
pub struct Collector {
    objects: Objects,
    /// The kind and the identifier of the last object.
    object: (u16, u16),
    /// The row and the column of the last drawing, from 1.
    anchor: (u32, u32),
    /// The texts of comments by the identifiers of their objects.
    texts: BTreeMap<u16, String>,
    /// The identifiers of the objects of comments, in their order.
    notes: Vec<u16>,
}

/// The kinds of objects.
const TEXT_BOX: u16 = 6;
const NOTE: u16 = 25;

impl Collector {
    /// Reads a record.
    pub fn record(&mut self, stream: &[u8], record: &Record, globals: &Globals) -> Option<()> {
        let mut fields = Fields(record.data);
        let objects = &mut self.objects;
        match record.kind {
            // Columns of one width.
            0x7d if objects.hidden_columns.len() < limits::SHEET_OBJECTS => {
                let (first, last) = (fields.u16()?, fields.u16()?);
                fields.skip(4)?;
                if fields.u16()? & 1 != 0 && first <= last {
                    let number = |column: u16| u32::from(column).saturating_add(1);
                    objects.hidden_columns.push((number(first), number(last)));
                }
            }
            0x1b8 if objects.links.len() < limits::SHEET_OBJECTS => {
                objects.links.extend(link(fields));
            }
            // A drawing, an object, and a text.
            0xec => self.anchor = anchor(record.data).unwrap_or(self.anchor),
            0x5d => {
                fields.skip(4)?;
                self.object = (fields.u16()?, fields.u16()?);
            }
            0x1b6 => self.text(stream, record)?,
            0x1c if objects.comments.len() < limits::SHEET_OBJECTS => {
                self.comment(stream, record, globals)?;
            }
            _ => {}
        }
        Some(())
    }

    /// Reads a text and the CONTINUE record with its characters ([MS-XLS] 2.4.329).
    fn text(&mut self, stream: &[u8], record: &Record) -> Option<()> {
        let mut fields = Fields(record.data);
        fields.skip(10)?;
        let count = usize::from(fields.u16()?);
        let next = record
            .at
            .saturating_add(4)
            .saturating_add(record.data.len());
        let next = Records::new(stream, next).next()?;
        if next.kind != CONTINUE || count == 0 {
            return None;
        }
        let mut fields = Continued::new(stream, &next, 0);
        let flags = fields.u8()?;
        let text = fields.characters(count, flags);
        let (kind, id) = self.object;
        let drawings = &mut self.objects.drawings;
        if kind == NOTE {
            self.texts.insert(id, text);
        } else if kind == TEXT_BOX && drawings.len() < limits::SHEET_OBJECTS {
            let lines = text.split(['\r', '\n']).map(str::trim);
            let lines = lines.filter(|line| !line.is_empty());
            let blocks: Vec<Block> = lines
                .map(|line| Block::Paragraph(vec![Inline::plain(line)]))
                .collect();
            let (row, column) = self.anchor;
            if !blocks.is_empty() {
                drawings.push(Drawing {
                    row: row.max(1),
                    column: column.max(1),
                    blocks,
                });
            }
        }
        Some(())
    }

    /// Reads a comment ([MS-XLS] 2.4.179). Before Excel 97, it contains its text.
    fn comment(&mut self, stream: &[u8], record: &Record, globals: &Globals) -> Option<()> {
        let mut fields = Continued::new(stream, record, 0);
        let (row, column) = (fields.u16()?, fields.u16()?);
        let mut comment = Comment {
            row: u32::from(row).saturating_add(1),
            column: u32::from(column).saturating_add(1),
            ..Comment::default()
        };
        let mut id = 0;
        if globals.biff == Biff::V8 {
            fields.skip(2)?;
            id = fields.u16()?;
            let count = usize::from(fields.u16()?);
            comment.author = fields.rich(count)?;
        } else {
            let count = usize::from(fields.u16()?);
            let text = fields.bytes(count.min(record.data.len()), globals.encoding);
            if row == u16::MAX {
                // More text of the comment before.
                self.objects.comments.last_mut()?.text.push_str(&text);
                return Some(());
            }
            comment.text = text;
        }
        self.objects.comments.push(comment);
        self.notes.push(id);
        Some(())
    }

    /// Adds a drawing at the position of the last one.
    pub fn draw(&mut self, block: Block) {
        let (row, column) = self.anchor;
        self.objects.drawings.push(Drawing {
            row: row.max(1),
            column: column.max(1),
            blocks: vec![block],
        });
    }

    /// Returns the objects after the last record. Comments are joined with their texts.
    pub fn finish(mut self) -> Objects {
        for (comment, id) in self.objects.comments.iter_mut().zip(&self.notes) {
            if let Some(text) = self.texts.get(id) {
                comment.text = comment_text(text, &comment.author);
            }
        }
        self.objects.comments.retain(|it| !it.text.is_empty());
        self.objects
    }
}

/// Returns the row and the column, from 1, of the upper left corner of the last drawing in a record
/// ([MS-XLS] 2.5.193). The header of the anchor has the type F010 and the size 18.
fn anchor(data: &[u8]) -> Option<(u32, u32)> {
    const HEADER: &[u8] = &[0x10, 0xf0, 0x12, 0, 0, 0];
    let at = data.windows(HEADER.len()).rposition(|it| it == HEADER)?;
    let mut fields = Fields(data.get(at.saturating_add(HEADER.len())..)?);
    fields.skip(2)?;
    let column = u32::from(fields.u16()?).saturating_add(1);
    fields.skip(2)?;
    Some((u32::from(fields.u16()?).saturating_add(1), column))
}

/// Reads a link to an address ([MS-XLS] 2.4.140, [MS-OSHARED] 2.3.7.1). Links to places in the
/// workbook and to files are left out.
fn link(mut fields: Fields) -> Option<CellLink> {
    const URL: [u8; 16] = [
        0xe0, 0xc9, 0xea, 0x79, 0xf9, 0xba, 0xce, 0x11, 0x8c, 0x82, 0, 0xaa, 0, 0x4b, 0xa9, 0x0b,
    ];
    let mut next = || fields.u16().map(|it| u32::from(it).saturating_add(1));
    let (first_row, last_row) = (next()?, next()?);
    let (first_column, last_column) = (next()?, next()?);
    fields.skip(20)?;
    let flags = fields.u32()?;
    let text = |fields: &mut Fields| {
        let text = fields.wide()?;
        Some(text.trim_end_matches('\0').to_owned())
    };
    // The displayed text and the frame are before the address.
    for flag in [0x10, 0x80] {
        if flags & flag != 0 {
            text(&mut fields)?;
        }
    }
    if flags & 1 == 0 {
        return None;
    }
    let mut url = if flags & 0x100 != 0 {
        text(&mut fields)?
    } else {
        if fields.take(16)? != URL {
            return None;
        }
        let size = usize::try_from(fields.u32()?).ok()?;
        let url = utf16(fields.take(size)?);
        url.split('\0').next().unwrap_or_default().to_owned()
    };
    if flags & 8 != 0
        && let Some(place) = text(&mut fields)
        && !url.contains('#')
    {
        url = format!("{url}#{place}");
    }
    let range = Range {
        first_row,
        first_column,
        last_row,
        last_column,
    };
    (url.contains(':') && first_row <= last_row && first_column <= last_column)
        .then_some(CellLink { range, url })
}
