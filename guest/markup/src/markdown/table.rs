//! Tables: those with data become tables in Markdown, and those that only arrange a page do not.

use super::renderer::Renderer;
use crate::dom::{Id, Name, Tag};
use crate::limits;
use omniread_document::markdown::escape::TypedLists;
use omniread_document::markdown::{Context, Gap, Grid, Line};

/// What a cell of a table without a header contains.
enum Content {
    /// Text, images and lists.
    Text,
    /// A heading or another table too.
    Parts,
    /// So much that it is a part of a page.
    Page,
}

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
        let mut line = Line::new(Context::Cell, TypedLists::Text);
        let mut group = None;
        let mut left = rows.len();
        for (row, of) in rows {
            if of != group {
                let is_head = of.is_some_and(|of| self.document.is(of, Tag::Thead));
                grid.group(is_head, &mut self.spans);
                group = of;
            }
            grid.row(&mut self.spans);
            let mut next = self.document.first_child(row);
            while let Some(cell) = next {
                next = self.document.next_sibling(cell);
                if !self.is_cell(cell) {
                    continue;
                }
                let span = |name| {
                    let span = self.attribute(cell, name);
                    span.and_then(|n| n.trim().parse().ok()).unwrap_or(1)
                };
                let columns = span(Name::Colspan).clamp(1, limits::SPANNED_COLUMNS);
                let rows = match span(Name::Rowspan) {
                    // It extends to the end of the group.
                    0 => left,
                    rows => rows.min(left),
                };
                self.flat(cell, &mut line);
                let text = line.take();
                grid.cell(&text, columns, rows, &mut self.spans);
                line.reuse(text);
            }
            left = left.saturating_sub(1);
        }
        let text = grid.markdown(&mut self.spans);
        self.has_table |= !text.is_empty();
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

    /// Whether a table only arranges the parts of a page: it has a single column, most of its cells
    /// contain headings or other tables, its rows have different numbers of columns, or a cell has a
    /// long text.
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
        let cells = cells.filter(|cell| self.is_cell(*cell));
        // A table of one row with blocks puts them next to each other, such as a note and its icon.
        let is_single = rows.len() == 1;
        let (mut plain, mut with_parts) = (0usize, 0usize);
        for cell in cells {
            match self.content(cell) {
                _ if is_single && self.with_blocks_in(cell) => return true,
                Content::Text => plain = plain.saturating_add(1),
                Content::Parts => with_parts = with_parts.saturating_add(1),
                Content::Page => return true,
            }
        }
        // Data has a cell in each column of each row, and headings or tables in a few cells.
        with_parts > 0 && (with_parts > plain || !self.is_regular(rows))
    }

    /// Whether the rows have the same number of columns, apart from those that cells of rows above
    /// span.
    fn is_regular(&self, rows: &[(Id, Option<Id>)]) -> bool {
        let mut widths = rows.iter().map(|(row, _)| {
            let cells = self.document.children(*row);
            let spans = cells.filter(|cell| self.is_cell(*cell)).map(|cell| {
                if self.document.has(cell, Name::Rowspan) {
                    return None;
                }
                let span = self.attribute(cell, Name::Colspan);
                Some(
                    span.and_then(|span| span.trim().parse::<usize>().ok())
                        .unwrap_or(1),
                )
            });
            spans.sum::<Option<usize>>()
        });
        let first = widths.next().flatten();
        // The rows under a cell that spans some of them have fewer cells.
        widths.all(|width| width == first || width.is_none() || first.is_none())
    }

    /// What a cell contains.
    fn content(&self, cell: Id) -> Content {
        let mut bytes = 0usize;
        let mut headings = 0usize;
        let mut tables = 0usize;
        for node in self.document.subtree(cell) {
            if let Some(text) = self.document.text(node) {
                bytes = bytes.saturating_add(text.trim().len());
            }
            match self.document.tag(node) {
                Some(Tag::Form) => return Content::Page,
                Some(Tag::Table) => tables = tables.saturating_add(1),
                Some(tag) if tag.heading().is_some() => headings = headings.saturating_add(1),
                _ => {}
            }
            if bytes > limits::CELL_BYTES || tables > 1 || headings > 2 {
                return Content::Page;
            }
        }
        if tables > 0 || headings > 0 {
            Content::Parts
        } else {
            Content::Text
        }
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
