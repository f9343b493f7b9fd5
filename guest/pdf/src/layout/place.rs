//! A line and what is around it.

use super::lines::Line;
use super::margins::Margins;

/// A line of a region, and what is around it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The margins of the region.
    pub margins: &'a Margins,
    /// The line before it.
    pub before: Option<&'a Line>,
    /// The line.
    pub line: &'a Line,
    /// The line and those after it.
    pub lines: &'a [Line],
}

impl<'a> Place<'a> {
    /// The line after it.
    pub fn after(&self) -> Option<&'a Line> {
        self.lines.get(1)
    }
}
