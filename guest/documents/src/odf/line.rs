//! The content of a paragraph.

use crate::model::{Block, Inline, is_blank};

/// The content of a paragraph, and the blocks that are anchored in it.
#[derive(Default)]
pub struct Line {
    /// The text.
    pub content: Vec<Inline>,
    /// Text boxes and charts that are anchored in it.
    pub anchored: Vec<Block>,
    /// The number of these that are anchored before the text. The others are shown after the paragraph.
    pub before: usize,
    /// Whether the last character is white space, which following white space repeats.
    pub space: bool,
}

impl Line {
    /// Starts a paragraph. White space at its start is not shown.
    pub fn new() -> Self {
        Self {
            space: true,
            ..Self::default()
        }
    }

    /// Adds blocks that are anchored here.
    pub fn anchor(&mut self, blocks: impl IntoIterator<Item = Block>) {
        self.anchored.extend(blocks);
        if is_blank(&self.content) {
            self.before = self.anchored.len();
        }
    }
}
