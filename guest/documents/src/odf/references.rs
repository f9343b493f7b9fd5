//! The notes of a document so far.

use crate::model::Block;
use std::collections::BTreeMap;

/// The notes of a document so far.
#[derive(Default)]
pub struct References {
    /// The texts of footnotes.
    pub footnotes: Vec<Block>,
    /// Those of endnotes.
    pub endnotes: Vec<Block>,
    /// Those of comments.
    pub comments: Vec<Block>,
    /// The numbers of the last footnote, endnote and comment.
    counts: [usize; 3],
    /// The comments whose range is open, by name.
    pub open: BTreeMap<String, Vec<Block>>,
}

impl References {
    /// Returns the texts of the notes: footnotes, endnotes and comments.
    pub fn take(&mut self) -> Vec<Block> {
        let mut all = std::mem::take(&mut self.footnotes);
        all.append(&mut self.endnotes);
        all.append(&mut self.comments);
        all
    }

    /// Returns the label of the next note of a kind.
    pub fn label(&mut self, kind: usize, prefix: &str) -> String {
        let Some(count) = self.counts.get_mut(kind) else {
            return String::new();
        };
        *count = count.saturating_add(1);
        format!("{prefix}{count}")
    }
}
