//! What is placed on a page, before it is cut into regions.

use super::strokes::Stroke;
use super::words::Word;

/// What is placed on a page: a word, or a block that is known, such as a ruled table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The left side.
    pub x0: f32,
    /// The right side.
    pub x1: f32,
    /// The upper side.
    pub top: f32,
    /// The lower side.
    pub bottom: f32,
    /// The baseline of a word.
    pub y: f32,
    /// The size of the font.
    pub size: f32,
    /// The number of characters. 0 for a block.
    pub chars: usize,
    /// Whether it is heavy.
    pub bold: bool,
    /// Whether it starts with a small letter.
    pub lower: bool,
    /// What it is.
    pub what: What,
}

/// The thing at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A word, by its index.
    Word(usize),
    /// A block, by its index.
    Block(usize),
}

impl Piece {
    /// The piece of a word.
    pub fn word(index: usize, word: &Word) -> Self {
        Self {
            x0: word.x0,
            x1: word.x1,
            top: word.top(),
            bottom: word.bottom(),
            y: word.y,
            size: word.size,
            chars: word.chars,
            bold: word.face.bold,
            lower: word.text.chars().next().is_some_and(char::is_lowercase),
            what: What::Word(index),
        }
    }
}

/// What is known of the document.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// The size of running text.
    pub body: f32,
    /// The middle of the white between two columns on other pages, if there is one.
    pub gutter: Option<f32>,
    /// Horizontal lines and edges of fills. No column of white goes through them: they are a part of a
    /// table, or of a band.
    pub edges: &'a [Stroke],
}
