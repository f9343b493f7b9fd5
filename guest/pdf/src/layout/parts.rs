//! The parts of a page, before their text is composed.

use super::draft::Found;
use super::lines::Line;
use super::marker::Marker;
use serde::{Deserialize, Serialize};

/// A part of a page, before its text is composed.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is.
    pub kind: Kind,
    /// The lines of its text.
    pub lines: Vec<Line>,
    /// Whether the last line is full, so that the text may go on.
    pub full: bool,
    /// Whether the first line is indented.
    pub indented: bool,
}

/// What a part is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A heading.
    Heading(Class),
    /// A paragraph.
    Paragraph,
    /// A list item with its marker, and the left end of the marker.
    Item {
        /// The marker.
        marker: Marker,
        /// The left end of the marker.
        x: f32,
        /// The left end of the text.
        text_x: f32,
    },
    /// A paragraph inside the item before.
    More,
    /// A line of code each.
    Code,
    /// A line of a table of contents each, with leader dots.
    Contents,
    /// A table without lines.
    Table(Found),
    /// A list of terms with their definitions, and its parts. It may be the rest of a table.
    Terms(Found, Vec<Part>),
    /// A block that is known, by its index.
    Block(usize),
    /// A footnote with its label.
    Note(String),
}

/// The look of a heading. Headings with one look have one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// The size in points.
    pub size: f32,
    /// Whether it is heavy.
    pub bold: bool,
    /// Whether it is only slanted.
    pub italic: bool,
    /// The depth of its number: 1 for `2`, 2 for `2.1`. 0 if it has none.
    pub depth: usize,
}
