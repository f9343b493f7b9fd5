//! The parts of a slide: its title, a mark if it is hidden, its shapes, and its notes.

use crate::markdown;
use crate::model::{Block, Inline, Style};

/// The note on groups above the limit on their depth.
pub const DEEP_GROUPS: &str = "Groups that are nested too deeply are left out.";

/// Returns the note on a slide that the list of slides names.
pub fn missing(number: usize) -> String {
    format!("Slide {number} is missing in the file.")
}

/// Returns the Markdown that marks a hidden slide.
pub fn hidden_mark() -> String {
    let mark = Inline::Text {
        text: "Hidden slide".to_owned(),
        style: Style::ITALIC,
    };
    markdown::render(&[Block::Paragraph(vec![mark])])
}

/// Joins the parts of a slide, without empty ones.
pub fn joined(mut parts: Vec<String>) -> String {
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}
