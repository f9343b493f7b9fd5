//! What is known of a whole document.

use super::furniture::Furniture;
use super::lines::Line;
use super::number;
use super::parts::Class;
use super::sizes;
use super::vocabulary::Vocabulary;
use crate::extremes::Extremes as _;
use std::collections::BTreeMap;

/// What is derived once from a sample of the pages: sizes of headings, running heads, words.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The size of running text in points.
    pub body: f32,
    /// The looks of headings, from the first level.
    pub levels: Vec<Class>,
    /// The words.
    pub vocabulary: Vocabulary,
    /// Running heads, feet and page numbers.
    pub furniture: Furniture,
    /// The middle of the white between two columns.
    pub gutter: Option<f32>,
    /// Sizes in which much text is written, in quarters of a point.
    pub common: Vec<usize>,
    /// The leftmost position where lines of running text start, in points. `None` without such lines.
    pub text_left: Option<f32>,
    /// Whether headings are at the side of all text.
    pub side_headings: bool,
    /// The leftmost position where lines start, in points.
    pub left: f32,
    /// Whether lines of slanted text are headings.
    pub slanted_headings: bool,
    /// Whether all text is in the font of a typewriter, so that the font is not a sign of code.
    pub typewritten: bool,
    /// The titles of the outline with their levels, without white space and in lower case.
    pub outline: BTreeMap<String, u8>,
}

impl Document {
    /// Keeps running heads, feet and page numbers as text.
    pub fn keep_furniture(&mut self) {
        self.furniture = Furniture::default();
    }

    /// Whether much text has a size.
    pub fn is_common(&self, size: f32) -> bool {
        self.common.contains(&quarters(size))
    }

    /// Whether lines of running text start where a line starts, or to the left of it. Lines from the right
    /// are not compared.
    pub fn has_text_at(&self, line: &Line) -> bool {
        line.rtl
            || self
                .text_left
                .is_some_and(|it| it <= (line.x0 + 1.0).round())
    }

    /// The level of a heading, from 1.
    pub fn level(&self, class: &Class) -> u8 {
        let at = self.levels.iter().position(|it| !comes_before(it, class));
        let at = at.unwrap_or(self.levels.len().max(1).saturating_sub(1));
        u8::try_from(at.saturating_add(1)).unwrap_or(6).min(6)
    }
}

/// A size in quarters of a point.
pub fn quarters(size: f32) -> usize {
    number::count((size.clamp(0.0, 1000.0) * 4.0).round())
}

/// The order of looks: larger, then heavier, then the number with less parts.
fn comes_before(a: &Class, b: &Class) -> bool {
    let near = sizes::tolerance(a.size.greater(b.size));
    if (a.size - b.size).abs() > near {
        return a.size > b.size;
    }
    if a.bold != b.bold {
        return a.bold;
    }
    if a.italic != b.italic {
        return b.italic;
    }
    a.depth.max(1) < b.depth.max(1)
}
