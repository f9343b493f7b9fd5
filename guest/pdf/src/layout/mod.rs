//! Layout analysis: the content of a page without tags → blocks.

use crate::page::PageContent;
use omniread_documents::model::Block;

/// What is known of the document when a page is analysed. It comes from the facts of the file and
/// from a fixed sample of its pages, so that it does not depend on which page is read.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The content of the sampled pages, with the number of each page from 0.
    pub sample: Vec<(usize, PageContent)>,
    /// The number of pages.
    pub pages: usize,
    /// The entries of the outline: level from 1, title, page from 0.
    pub outline: Vec<(u8, String, Option<usize>)>,
    /// The title in the metadata. It may be empty.
    pub title: String,
}

/// What is derived once from the context: sizes of headings, running heads, words.
#[derive(Clone, Debug, Default)]
pub struct Document {}

impl Document {
    /// Derives it. The sample can be dropped afterwards.
    pub fn new(_context: &Context) -> Self {
        Self {}
    }
}

/// The pages before and after a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbours<'a> {
    /// The page before.
    pub before: Option<&'a PageContent>,
    /// The page after.
    pub after: Option<&'a PageContent>,
}

/// Returns the blocks of a page. `index` is the number of the page, from 0.
pub fn blocks(
    _document: &Document,
    _index: usize,
    _page: &PageContent,
    _neighbours: Neighbours<'_>,
) -> Vec<Block> {
    Vec::new()
}
