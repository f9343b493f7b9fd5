//! The streams of a document.

use std::collections::BTreeMap;

/// The streams of a document.
#[derive(Default)]
pub struct Streams {
    /// The stream `WordDocument`: the text and its properties.
    pub word: Vec<u8>,
    /// The stream `0Table` or `1Table`: where they are.
    pub table: Vec<u8>,
    /// The stream `Data`: pictures.
    pub data: Vec<u8>,
    /// The formulas that are embedded, by the numbers of their objects.
    pub formulas: BTreeMap<usize, String>,
}
