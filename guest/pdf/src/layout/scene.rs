//! What the analysis of a region needs.

use super::document::{Asked, Document};
use super::strokes::Stroke;
use super::words::Word;
use std::cell::Cell;
use std::collections::BTreeSet;

/// What the analysis of a region needs.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The words of the page.
    pub words: &'a [Word],
    /// The size of running text.
    pub body: f32,
    /// Horizontal lines and the edges of fills: position, start and end, sorted by the position.
    pub edges: &'a [Stroke],
    /// The labels of raised numbers in the text, to recognise the notes.
    pub labels: &'a BTreeSet<String>,
    /// What is known of the document.
    pub document: &'a Document,
    /// The comparisons that may still be made to find tables without lines on the page.
    pub work: &'a Cell<usize>,
    /// What was asked of the document.
    pub asked: &'a Cell<Asked>,
}

impl Scene<'_> {
    /// Notes what is asked of the document.
    pub fn ask(&self, ask: impl FnOnce(&mut Asked)) {
        let mut asked = self.asked.get();
        ask(&mut asked);
        self.asked.set(asked);
    }
}
