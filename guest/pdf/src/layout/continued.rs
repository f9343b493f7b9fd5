//! Tables that go on on the next page.
//!
//! A page can be read alone, so that its part of the table has the header of the table. Where pages
//! are joined, a header that is equal is left out.

use super::analysis::{Analysis, Known};
use super::blocks;
use super::document::Document;
use super::draft::Found;
use super::parts::Kind;
use omniread_document::model::{Block, Table, plain_text};

/// The place of a table: its columns, or its sides and the number of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    columns: usize,
    /// Left and right ends of each column, or of the whole.
    ends: Vec<(f32, f32)>,
}

impl Shape {
    fn matches(&self, other: &Self) -> bool {
        // Columns without lines are as wide as their text.
        let near = if self.ends.len() > 1 { 0.0 } else { 4.0 };
        self.columns == other.columns
            && self.ends.len() == other.ends.len()
            && self.ends.iter().zip(&other.ends).all(|(a, b)| {
                if near > 0.0 {
                    (a.0 - b.0).abs() < near && (a.1 - b.1).abs() < near
                } else {
                    a.0 < b.1 && b.0 < a.1
                }
            })
    }
}

impl Analysis {
    /// Makes the list of terms at the start of a page a table, if it is the rest of the table at the end of
    /// the page before. Returns the list for [`Self::restore`].
    pub fn continue_table(&mut self, before: &Self) -> Option<Kind> {
        let (first, last) = (self.parts.first_mut()?, before.last_table()?);
        if let Kind::Terms(found, _) = &first.kind
            && shape(found).matches(&last)
        {
            let table = Kind::Table(found.clone());
            return Some(std::mem::replace(&mut first.kind, table));
        }
        None
    }

    /// Makes the table that continues another one the list again that it was.
    pub fn restore(&mut self, terms: Option<Kind>) {
        if let (Some(first), Some(terms)) = (self.parts.first_mut(), terms) {
            first.kind = terms;
        }
    }

    /// Whether a list of terms is at the start of the page.
    pub fn starts_with_terms(&self) -> bool {
        matches!(self.parts.first().map(|it| &it.kind), Some(Kind::Terms(..)))
    }

    /// The table at the start of the page.
    pub fn first_table(&self) -> Option<Shape> {
        self.shape(self.parts.first().map(|it| &it.kind)?)
    }

    /// The table at the end of the page, unless it is at the start as well.
    fn last_table(&self) -> Option<Shape> {
        self.shape(self.parts.last().map(|it| &it.kind)?)
    }

    fn shape(&self, kind: &Kind) -> Option<Shape> {
        match kind {
            Kind::Table(found) => Some(shape(found)),
            Kind::Block(index) => match self.known.get(*index) {
                Some(Known::Grid(grid)) => Some(Shape {
                    columns: grid.columns,
                    ends: vec![(grid.rect.x0, grid.rect.x1)],
                }),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The place of a table without lines.
fn shape(found: &Found) -> Shape {
    Shape {
        columns: found.columns.len(),
        ends: found.columns.clone(),
    }
}

/// Adds the header of the table at the end of the page before to a table that continues it, unless it
/// has a header.
pub fn header(document: &Document, before: &Analysis, shape: &Shape, table: &mut Table) {
    if !before.last_table().is_some_and(|it| it.matches(shape)) {
        return;
    }
    // The first row of a table that continues one itself is no header.
    if before.parts.len() < 2 {
        return;
    }
    let mut blocks = blocks::blocks(document, before);
    let Some(Block::Table(last)) = blocks.pop() else {
        return;
    };
    let Some(header) = last.rows.first() else {
        return;
    };
    let simple = header.iter().all(|it| it.rows == 1);
    let own = table.rows.first();
    if simple && own.is_some_and(|own| text(own) != text(header)) && !has_header(table) {
        table.rows.insert(0, header.clone());
    }
}

/// The text of a row.
fn text(row: &[omniread_document::model::Cell]) -> Vec<String> {
    row.iter()
        .map(|cell| {
            cell.blocks
                .iter()
                .map(|it| match it {
                    Block::Paragraph(content) => plain_text(content),
                    _ => String::new(),
                })
                .collect()
        })
        .collect()
}

/// Whether the first row has no numbers, while the others have.
fn has_header(table: &Table) -> bool {
    let digits = |row: &[omniread_document::model::Cell]| {
        text(row)
            .iter()
            .filter(|it| it.chars().any(|it| it.is_ascii_digit()))
            .count()
    };
    let mut rows = table.rows.iter().map(|it| digits(it));
    rows.next() == Some(0) && rows.next().is_some_and(|it| it > 0)
}
