//! What a sheet has beside its cells: comments, links, text boxes and hidden columns.

use super::book::Biff;
use super::records::{CONTINUE, Continued, Record, Records, joined};
use super::source::Source;
use crate::codepage::utf16;
use crate::limits;
use crate::model::{Block, Inline};
use crate::ole::art::{self, Properties};
use crate::ole::u16_at;
use crate::workbook::binary::{Fields, comment_text};
use crate::workbook::notes::too_many;
use crate::workbook::{CellLink, Comment, Drawing, Objects, Range};
use std::collections::BTreeMap;

/// What a sheet says of its cells and columns.
#[derive(Debug, Default)]
pub struct Marks {
    /// The links.
    pub links: Vec<CellLink>,
    /// The first and the last column of each sequence of hidden columns.
    pub hidden_columns: Vec<(u32, u32)>,
}

/// The objects of a sheet while its records are read.
#[derive(Debug, Default)]
pub struct Collector {
    objects: Objects,
    marks: Marks,
    /// The kind and the identifier of the last object.
    object: (u16, u16),
    /// The row and the column of the last drawing, from 1.
    anchor: (u32, u32),
    /// The texts of comments by the identifiers of their objects.
    texts: BTreeMap<u16, String>,
    /// The identifiers of the objects of comments, in their order.
    notes: Vec<u16>,
    /// The indexes of the drawings that are charts, with their positions in the stream.
    charts: Vec<(usize, usize)>,
    /// The type of the last record.
    last: u16,
}

/// The types of records with a drawing, an object and a text.
const DRAWING: u16 = 0xec;
const OBJECT: u16 = 0x5d;
const TEXT: u16 = 0x1b6;

/// The kind of the objects of comments.
const NOTE: u16 = 25;

/// The kinds of objects whose text is a part of the sheet: rectangles, ellipses, arcs, text boxes,
/// polygons, and shapes of later versions. The others are controls.
const SHAPES: [u16; 6] = [2, 3, 4, 6, 9, 30];

impl Collector {
    /// Reads a record.
    pub fn record(&mut self, source: Source, record: &Record) -> Option<()> {
        let mut fields = Fields(record.data);
        let (objects, marks) = (&mut self.objects, &mut self.marks);
        let last = std::mem::replace(&mut self.last, record.kind);
        match record.kind {
            // Columns of one width.
            0x7d if marks.hidden_columns.len() < limits::SHEET_OBJECTS => {
                let (first, last) = (fields.u16()?, fields.u16()?);
                fields.skip(4)?;
                if fields.u16()? & 1 != 0 && first <= last {
                    let number = |column: u16| u32::from(column).saturating_add(1);
                    marks.hidden_columns.push((number(first), number(last)));
                }
            }
            0x1b8 if marks.links.len() < limits::SHEET_OBJECTS => {
                marks.links.extend(link(fields));
            }
            DRAWING if last != DRAWING => self.drawing(&joined(source.stream, record)),
            // A drawing that is longer than a record goes on after an object.
            CONTINUE if last == OBJECT => self.drawing(&joined(source.stream, record)),
            OBJECT => {
                fields.skip(4)?;
                self.object = (fields.u16()?, fields.u16()?);
            }
            TEXT => self.text(source.stream, record)?,
            0x1c if objects.comments.len() < limits::SHEET_OBJECTS => {
                self.comment(source, record)?;
            }
            _ => {}
        }
        Some(())
    }

    /// Reads a piece of the drawings of the sheet ([MS-XLS] 2.4.170). It ends where an object or a text
    /// of a shape begins.
    fn drawing(&mut self, data: &[u8]) {
        let mut at = 0_usize;
        while let Some(record) = art::record_at(data, at) {
            at = at.saturating_add(8);
            if matches!(record.kind, art::DG_CONTAINER | art::SPGR_CONTAINER) {
                continue;
            }
            at = at.saturating_add(record.content.len());
            if record.kind != art::SP_CONTAINER {
                continue;
            }
            // Shapes of a group are where the group is.
            let anchor = record.child(art::CLIENT_ANCHOR);
            if let Some(place) = anchor.and_then(|it| place(it.content)) {
                self.anchor = place;
            }
            let properties = Properties::read(&record);
            if let Some(number) = properties.image() {
                let alt = properties.alt();
                self.draw(vec![Block::Paragraph(vec![Inline::Image { alt, number }])]);
            }
        }
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
        if kind == NOTE {
            self.texts.insert(id, text);
        } else if SHAPES.contains(&kind) {
            let lines = text.split(['\r', '\n']).map(str::trim);
            let lines = lines.filter(|line| !line.is_empty());
            let blocks: Vec<Block> = lines
                .map(|line| Block::Paragraph(vec![Inline::plain(line)]))
                .collect();
            if !blocks.is_empty() {
                self.draw(blocks);
            }
        }
        Some(())
    }

    /// Reads a comment ([MS-XLS] 2.4.179). Before Excel 97, it contains its text.
    fn comment(&mut self, source: Source, record: &Record) -> Option<()> {
        let mut fields = Continued::new(source.stream, record, 0);
        let (row, column) = (fields.u16()?, fields.u16()?);
        let mut comment = Comment {
            row: u32::from(row).saturating_add(1),
            column: u32::from(column).saturating_add(1),
            ..Comment::default()
        };
        let mut id = 0;
        if source.globals.biff == Biff::V8 {
            fields.skip(2)?;
            id = fields.u16()?;
            let count = usize::from(fields.u16()?);
            comment.author = fields.rich(count)?;
        } else {
            let count = usize::from(fields.u16()?);
            let text = fields.bytes(count.min(record.data.len()), source.globals.code_page);
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
    fn draw(&mut self, blocks: Vec<Block>) {
        if self.objects.drawings.len() >= limits::SHEET_OBJECTS {
            return;
        }
        let (row, column) = self.anchor;
        self.objects.drawings.push(Drawing {
            row: row.max(1),
            column: column.max(1),
            blocks,
        });
    }

    /// Adds a chart, which begins at a position of the stream.
    pub fn chart(&mut self, at: usize) {
        let index = self.objects.drawings.len();
        self.draw(Vec::new());
        if self.objects.drawings.len() > index {
            self.charts.push((index, at));
        }
    }

    /// Returns the objects after the last record, the marks, and the charts: the indexes of their
    /// drawings, which are empty, and their positions in the stream. Comments are joined with their
    /// texts.
    pub fn finish(mut self) -> (Objects, Marks, Vec<(usize, usize)>) {
        for (comment, id) in self.objects.comments.iter_mut().zip(&self.notes) {
            if let Some(text) = self.texts.get(id) {
                comment.text = comment_text(text, &comment.author);
            }
        }
        self.objects.comments.retain(|it| !it.text.is_empty());
        if self.objects.drawings.len() >= limits::SHEET_OBJECTS {
            self.objects.notes.push(too_many("drawings"));
        }
        (self.objects, self.marks, self.charts)
    }
}

/// Returns the row and the column, from 1, of the upper left corner of a shape ([MS-XLS] 2.5.193).
fn place(anchor: &[u8]) -> Option<(u32, u32)> {
    let (column, row) = (u16_at(anchor, 2)?, u16_at(anchor, 6)?);
    Some((
        u32::from(row).saturating_add(1),
        u32::from(column).saturating_add(1),
    ))
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
