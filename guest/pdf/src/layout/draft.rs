//! Tables before their text is composed, and what is known when one is looked for.

use super::strokes::Stroke;
use super::words::Word;

/// A cell of a table before its text is composed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The first column.
    pub column: usize,
    /// The number of columns.
    pub span: usize,
    /// The number of rows, from 1.
    pub height: usize,
    /// The words of each line.
    pub lines: Vec<Vec<usize>>,
}

/// A table that was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The number of lines that it takes.
    pub lines: usize,
    /// The columns: left and right end.
    pub columns: Vec<(f32, f32)>,
    /// The rows with their cells, from the left.
    pub rows: Vec<Vec<Draft>>,
}

impl Found {
    /// Whether a table in the next column of the page has the same columns.
    pub fn goes_on(&self, next: &Self) -> bool {
        let (Some(a), Some(b)) = (self.columns.first(), next.columns.first()) else {
            return false;
        };
        let near = |x: f32, y: f32| ((x - a.0) - (y - b.0)).abs() < 6.0;
        // The text of a column starts or ends at one place.
        self.columns.len() == next.columns.len()
            && self
                .columns
                .iter()
                .zip(&next.columns)
                .all(|(x, y)| near(x.0, y.0) || near(x.1, y.1))
    }
}

/// What is known when a table is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The words of the page.
    pub words: &'a [Word],
    /// Whether a line or the edge of a fill is above each of the lines.
    pub breaks: &'a [bool],
    /// Horizontal lines and the edges of fills, from the top.
    pub edges: &'a [Stroke],
    /// The size of running text.
    pub body: f32,
    /// The left and right end of the region.
    pub sides: (f32, f32),
    /// The comparisons that may still be made on the page.
    pub work: &'a std::cell::Cell<usize>,
}

impl Around<'_> {
    /// Counts comparisons. Returns whether they may be made.
    pub fn charge(&self, comparisons: usize) -> bool {
        let rest = self.work.get().checked_sub(comparisons);
        self.work.set(rest.unwrap_or_default());
        rest.is_some()
    }
}
