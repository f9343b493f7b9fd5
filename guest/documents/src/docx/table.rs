//! Tables, with cells that are merged over columns and rows.

use super::body::flat_text;
use super::convert::Converter;
use crate::limits;
use crate::model::{Block, Cell};
use crate::word::table::{Builder, Merge};
use crate::xml::Element;

impl Converter<'_> {
    /// Converts a table. A table of one cell is a frame around its content.
    pub fn table(&mut self, element: Element, depth: usize, out: &mut Vec<Block>) {
        let mut builder = Builder::default();
        self.rows(element, depth.saturating_add(1), &mut builder);
        builder.finish(out);
    }

    fn rows(&mut self, parent: Element, depth: usize, builder: &mut Builder) {
        if depth >= limits::DEPTH {
            self.report.flattened = true;
            builder.start_row();
            builder.push(Cell::text(flat_text(parent)), Merge::None);
            return;
        }
        let deeper = depth.saturating_add(1);
        for child in parent.children() {
            match child.name() {
                "tr" => {
                    let properties = child.child("trPr");
                    let deleted = properties.is_some_and(|it| it.child("del").is_some());
                    if deleted {
                        self.report.changes = true;
                        continue;
                    }
                    builder.start_row();
                    let before = properties.and_then(|it| it.val("gridBefore"));
                    let before = before.and_then(|it| it.parse::<usize>().ok());
                    if let Some(columns @ 1..) = before {
                        let mut cell = Cell::new(Vec::new());
                        cell.columns = columns.min(limits::COLUMNS);
                        builder.push(cell, Merge::None);
                    }
                    self.cells(child, deeper, builder);
                }
                "sdt" => {
                    if let Some(content) = child.child("sdtContent") {
                        self.rows(content, deeper, builder);
                    }
                }
                "ins" | "moveTo" | "customXml" => self.rows(child, deeper, builder),
                _ => {}
            }
        }
    }

    fn cells(&mut self, parent: Element, depth: usize, builder: &mut Builder) {
        if depth >= limits::DEPTH {
            self.report.flattened = true;
            builder.push(Cell::text(flat_text(parent)), Merge::None);
            return;
        }
        let deeper = depth.saturating_add(1);
        for child in parent.children() {
            match child.name() {
                "tc" => {
                    let properties = child.child("tcPr");
                    let span = properties.and_then(|it| it.val("gridSpan"));
                    let span = span.and_then(|span| span.parse().ok()).unwrap_or(1_usize);
                    let is_continued = |name| {
                        let merge = properties?.child(name)?;
                        Some(merge.attr("val") != Some("restart"))
                    };
                    let blocks = self.blocks(child, deeper);
                    if is_continued("hMerge") == Some(true) {
                        builder.widen();
                        continue;
                    }
                    let mut cell = Cell::new(blocks);
                    cell.columns = span.clamp(1, limits::COLUMNS);
                    let merge = match is_continued("vMerge") {
                        None => Merge::None,
                        Some(false) => Merge::First,
                        Some(true) => Merge::Continued,
                    };
                    builder.push(cell, merge);
                }
                "sdt" => {
                    if let Some(content) = child.child("sdtContent") {
                        self.cells(content, deeper, builder);
                    }
                }
                "ins" | "moveTo" | "customXml" => self.cells(child, deeper, builder),
                _ => {}
            }
        }
    }
}
