//! Tables: those with data become tables in Markdown, and those that only arrange a page do not.

use super::Renderer;
use super::grid::Grid;
use super::line::{Kind, Line};
use super::output::Gap;
use crate::dom::{Id, Name, Tag};
use crate::limits;

impl Renderer<'_> {
    /// Writes a table.
    pub fn table(&mut self, id: Id) {
        if self.is_code_table(id) {
            self.preformatted(id);
            return;
        }
        for caption in self.document.children(id) {
            if self.document.is(caption, Tag::Caption) && !self.is_dropped(caption) {
                self.children(caption);
            }
        }
        let rows = self.rows(id);
        if self.only_arranges(id, &rows) {
            self.arranged(&rows);
            return;
        }
        let mut grid = Grid::default();
        let mut repeated = self.repeated;
        let mut group = None;
        for (row, of) in rows {
            if of != group {
                let is_head = of.is_some_and(|of| self.document.is(of, Tag::Thead));
                grid.group(is_head, &mut repeated);
                group = of;
            }
            grid.row(&mut repeated);
            let mut next = self.document.first_child(row);
            while let Some(cell) = next {
                next = self.document.next_sibling(cell);
                if !self.is_cell(cell) {
                    continue;
                }
                let span = |name| {
                    self.attribute(cell, name)
                        .and_then(|n| n.trim().parse().ok())
                };
                grid.cell((
                    span(Name::Colspan).unwrap_or(1),
                    span(Name::Rowspan).unwrap_or(1),
                ));
                let mut line = Line::new(Kind::Cell);
                self.flat(cell, &mut line);
                grid.end_cell(&line.take(), &mut repeated);
            }
        }
        let text = grid.markdown(&mut repeated);
        self.repeated = repeated;
        self.has_table |= !text.is_empty();
        self.has_cut_spans |= grid.is_cut();
        self.out.block(&text);
    }

    fn is_cell(&self, id: Id) -> bool {
        matches!(self.document.tag(id), Some(Tag::Td | Tag::Th)) && !self.is_dropped(id)
    }

    /// The rows of a table, each with the group (`thead`, `tbody`, `tfoot`) that contains it.
    fn rows(&self, table: Id) -> Vec<(Id, Option<Id>)> {
        let mut rows = Vec::new();
        for child in self.document.children(table) {
            if self.is_dropped(child) {
                continue;
            }
            match self.document.tag(child) {
                Some(Tag::Tr) => rows.push((child, None)),
                Some(Tag::Thead | Tag::Tbody | Tag::Tfoot) => {
                    for row in self.document.children(child) {
                        if self.document.is(row, Tag::Tr) && !self.is_dropped(row) {
                            rows.push((row, Some(child)));
                        }
                    }
                }
                _ => {}
            }
        }
        rows
    }

    /// Whether a table only arranges the parts of a page: it has a single column, or its cells
    /// contain headings, other tables or long texts.
    fn only_arranges(&self, table: Id, rows: &[(Id, Option<Id>)]) -> bool {
        if matches!(
            self.attribute(table, Name::Role),
            Some("presentation" | "none")
        ) {
            return true;
        }
        let mut widest = 0usize;
        for (row, group) in rows {
            let mut width = 0usize;
            if group.is_some_and(|group| self.document.is(group, Tag::Thead)) {
                return false;
            }
            for cell in self.document.children(*row) {
                match self.document.tag(cell) {
                    Some(Tag::Th) if !self.is_dropped(cell) => return false,
                    Some(Tag::Td) if !self.is_dropped(cell) => width = width.saturating_add(1),
                    _ => {}
                }
            }
            widest = widest.max(width);
        }
        // The pages of the Web are arranged in such tables, and books are not.
        let is_book = self.settings.addresses.is_some() && rows.len() > 1;
        if widest <= 1 && !is_book {
            return true;
        }
        let cells = rows
            .iter()
            .flat_map(|(row, _)| self.document.children(*row));
        let mut cells = cells.filter(|cell| self.is_cell(*cell));
        // A table of one row with blocks puts them next to each other, such as a note and its icon.
        let is_single = rows.len() == 1;
        cells.any(|cell| (is_single && self.with_blocks_in(cell)) || self.arranges(cell))
    }

    /// Whether a cell contains what the cells of a table with data do not.
    fn arranges(&self, cell: Id) -> bool {
        let mut bytes = 0usize;
        for node in self.document.subtree(cell) {
            if let Some(text) = self.document.text(node) {
                bytes = bytes.saturating_add(text.trim().len());
            }
            match self.document.tag(node) {
                Some(Tag::Table | Tag::Form) => return true,
                Some(tag) if tag.heading().is_some() => return true,
                _ => {}
            }
        }
        bytes > limits::CELL_BYTES
    }

    /// Writes the cells of a table that only arranges a page. Cells without blocks in one row are
    /// one paragraph.
    fn arranged(&mut self, rows: &[(Id, Option<Id>)]) {
        for (row, _) in rows {
            let mut line = Line::default();
            let mut next = self.document.first_child(*row);
            while let Some(cell) = next {
                next = self.document.next_sibling(cell);
                if !self.is_cell(cell) {
                    continue;
                }
                if self.with_blocks_in(cell) {
                    self.flush(&mut line);
                    self.children(cell);
                } else {
                    line.space();
                    self.inlines(cell, &mut line);
                }
            }
            self.flush(&mut line);
        }
        self.out.gap(Gap::Blank);
    }
}
