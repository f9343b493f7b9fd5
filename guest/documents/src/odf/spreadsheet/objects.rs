//! What sheets have beside the values of their cells: comments and drawings.

use super::cell::is_cell;
use super::content::Content;
use super::scan::{Sheet, repeated};
use crate::limits;
use crate::model::{Block, is_blank};
use crate::odf::convert::Converter;
use crate::odf::line::Line;
use crate::odf::shape::is_shape;
use crate::odf::source::Source;
use crate::odf::styles::Styles;
use crate::package::Images;
use crate::workbook::{Comment, Drawing, LAST_COLUMN, LAST_ROW, Objects};
use crate::xml::{Element, Event, Events, Start, Tree};
use std::rc::Rc;

/// Reads the objects of all sheets, so that images have their numbers in the order of the sheets.
pub fn read(
    source: &mut Source,
    images: &mut Images,
    content: &mut Content,
    sheets: &[Sheet],
) -> Vec<Objects> {
    let styles = Rc::new(Styles::default());
    let mut converter = Converter::new(source, images, styles);
    let mut found = Vec::with_capacity(sheets.len());
    for sheet in sheets {
        let mut reader = Reader::default();
        reader.sheet(&mut converter, content, sheet);
        let report = std::mem::take(&mut converter.report);
        reader.objects.notes.append(&mut report.notes());
        found.push(reader.objects);
    }
    found
}

/// The objects of a sheet so far.
#[derive(Default)]
struct Reader {
    objects: Objects,
    /// The first and the last row of the current row element.
    rows: (u32, u32),
    /// The first and the last column of the current cell.
    columns: (u32, u32),
}

impl Reader {
    /// Reads the pieces of a sheet that may have objects. Each object is in one piece.
    fn sheet(&mut self, converter: &mut Converter, content: &mut Content, sheet: &Sheet) {
        let first = sheet.start;
        let last = sheet.checkpoints.last();
        let last = last.map_or(first.piece, |(_, position)| position.piece);
        // The end of the sheet may be in the piece after its last row.
        for piece in first.piece..=last.saturating_add(1) {
            if !content.has_objects(piece) {
                continue;
            }
            let mut base = 0;
            if piece == first.piece {
                base = first.offset;
            } else {
                let at = sheet
                    .checkpoints
                    .partition_point(|(_, at)| at.piece < piece);
                let Some((row, _)) = sheet.checkpoints.get(at) else {
                    break;
                };
                self.rows.1 = row.saturating_sub(1);
            }
            let Some(text) = content.piece(converter.source, piece) else {
                break;
            };
            if self.piece(converter, text, base) {
                break;
            }
        }
    }

    /// Reads the events of a piece from an offset. Returns whether the sheet ends in it.
    fn piece(&mut self, converter: &mut Converter, text: &str, base: usize) -> bool {
        let mut events = Events::new(text.get(base..).unwrap_or_default());
        let mut before = 0;
        // The start of the drawing or comment that is open, and the depth in it.
        let mut open: Option<(usize, usize)> = None;
        while let Some(event) = events.next() {
            match (event, &mut open) {
                (Event::Start(_), Some((_, depth))) => *depth = depth.saturating_add(1),
                (Event::Start(start), None) => {
                    if start.name == "annotation" || is_shape(start.name) {
                        open = Some((before, 1));
                    } else {
                        self.start(&start);
                    }
                }
                (Event::End(_), Some((start, depth))) => {
                    *depth = depth.saturating_sub(1);
                    if *depth == 0 {
                        let range =
                            base.saturating_add(*start)..base.saturating_add(events.offset());
                        open = None;
                        self.object(converter, text, range);
                    }
                }
                (Event::End("table"), None) => return true,
                _ => {}
            }
            before = events.offset();
        }
        false
    }

    fn start(&mut self, start: &Start) {
        let number = |name: &str, most: u32| {
            let count = start.attr(name).and_then(|it| it.parse::<u32>().ok());
            count.unwrap_or(1).clamp(1, most)
        };
        match start.name {
            "table-row" => {
                let first = self.rows.1.saturating_add(1);
                let last = self.rows.1.saturating_add(repeated(start));
                self.rows = (first, last);
                self.columns = (0, 0);
            }
            name if is_cell(name) => {
                let count = number("number-columns-repeated", LAST_COLUMN);
                let first = self.columns.1.saturating_add(1);
                self.columns = (first, self.columns.1.saturating_add(count));
            }
            _ => {}
        }
    }

    /// Reads a drawing or a comment in a range of the text.
    fn object(&mut self, converter: &mut Converter, text: &str, range: std::ops::Range<usize>) {
        let row = self.rows.0.clamp(1, LAST_ROW);
        let column = self.columns.0.clamp(1, LAST_COLUMN);
        converter.slice = format!("{}-{}", range.start, range.end);
        let tree = Tree::parse(text.get(range).unwrap_or_default());
        let root = tree.root();
        if root.name() == "annotation" {
            let text = comment_text(root);
            if self.objects.comments.len() < limits::SHEET_OBJECTS && !text.is_empty() {
                let author = root.child("creator").map(|it| it.text().trim().to_owned());
                self.objects.comments.push(Comment {
                    row,
                    column,
                    author: author.unwrap_or_default(),
                    text,
                    reply: false,
                });
            }
            return;
        }
        if self.objects.drawings.len() >= limits::SHEET_PARTS {
            return;
        }
        let mut line = Line::new();
        converter.drawing(root, "", (0, 0), &mut line);
        let mut blocks = Vec::new();
        if !is_blank(&line.content) {
            blocks.push(Block::Paragraph(line.content));
        }
        blocks.append(&mut line.anchored);
        if !blocks.is_empty() {
            self.objects.drawings.push(Drawing {
                row,
                column,
                blocks,
            });
        }
    }
}

/// Returns the text of a comment: a line for each paragraph.
fn comment_text(comment: Element) -> String {
    let mut lines = Vec::new();
    for paragraph in comment.descendants().filter(|it| it.name() == "p") {
        let text = paragraph.text();
        lines.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    lines.join("\n").trim().to_owned()
}
