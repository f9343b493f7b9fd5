//! Tables, with cells that are merged over columns and rows.

use super::Converter;
use super::body::flat_text;
use crate::limits;
use crate::model::{Block, Cell, Table};
use crate::xml::Element;
use std::collections::BTreeMap;

/// The role of a cell in a column of merged cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// It is not merged.
    None,
    /// It covers the cells below that continue it.
    First,
    /// It is covered by the cell above.
    Continued,
}

impl Converter<'_> {
    /// Converts a table. A table of one cell is a frame around its content.
    pub fn table(&mut self, element: Element, depth: usize, out: &mut Vec<Block>) {
        let mut builder = Builder::default();
        self.rows(element, depth.saturating_add(1), &mut builder);
        builder.drop_empty_row();
        let mut rows = builder.rows;
        if let [row] = &mut rows[..]
            && let [cell] = &mut row[..]
        {
            out.append(&mut cell.blocks);
        } else if !rows.is_empty() {
            out.push(Block::Table(Table { rows }));
        }
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
                    for _ in 0..before.unwrap_or_default().min(63) {
                        builder.push(Cell::new(Vec::new()), Merge::None);
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

/// The rows of a table so far.
#[derive(Default)]
pub struct Builder {
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// The row and the place in it of the merged cell that covers the column below.
    merged: BTreeMap<usize, (usize, usize)>,
    column: usize,
}

impl Builder {
    /// Starts a row.
    pub fn start_row(&mut self) {
        self.drop_empty_row();
        self.rows.push(Vec::new());
        self.column = 0;
    }

    /// Removes the last row if it has no cells. A row whose cells are all covered stays.
    pub fn drop_empty_row(&mut self) {
        if self.column == 0 {
            self.rows.pop();
        }
    }

    /// Adds a cell.
    pub fn push(&mut self, cell: Cell, merge: Merge) {
        let column = self.column;
        self.column = column.saturating_add(cell.columns);
        let above = self.merged.get(&column).copied();
        if merge == Merge::Continued
            && let Some((row, place)) = above
            && let Some(first) = self.rows.get_mut(row).and_then(|row| row.get_mut(place))
        {
            first.rows = first.rows.saturating_add(1);
            return;
        }
        let at = self.rows.len().saturating_sub(1);
        let Some(row) = self.rows.last_mut() else {
            return;
        };
        if merge == Merge::First {
            self.merged.insert(column, (at, row.len()));
        } else {
            self.merged.remove(&column);
        }
        row.push(cell);
    }

    /// Adds a column to the last cell.
    pub fn widen(&mut self) {
        self.column = self.column.saturating_add(1);
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) {
            cell.columns = cell.columns.saturating_add(1);
        }
    }
}
