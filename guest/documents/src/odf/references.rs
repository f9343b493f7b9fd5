//! The notes of a document so far.

use crate::model::Block;
use crate::word::notes::NoteKind;
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
    /// The numbers of notes so far.
    counts: BTreeMap<NoteKind, usize>,
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
    pub fn label(&mut self, kind: NoteKind) -> String {
        let count = self.counts.entry(kind).or_default();
        *count = count.saturating_add(1);
        kind.label(*count)
    }
}
