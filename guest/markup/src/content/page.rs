//! A page and its type.

use super::measure::Measures;
use crate::dom::{Document, Id};
use crate::metadata::Metadata;

/// The type of a page, by which its main text is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageType {
    /// An article: its paragraphs are the text, comments are not.
    Article,
    /// Documentation: headings, code and lists of links are a part of the text.
    Documentation,
    /// A discussion: posts and replies are the text.
    Forum,
    /// A list of other pages, such as a home page or a category: the items are the text.
    List,
    /// A product for sale.
    Product,
    /// A page of another type.
    #[default]
    Other,
}

impl PageType {
    /// The name for the details of a reply. `None` for a page of another type.
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Article => "article",
            Self::Documentation => "documentation",
            Self::Forum => "discussion",
            Self::List => "list",
            Self::Product => "product",
            Self::Other => return None,
        })
    }
}

/// A page whose main text is selected.
#[derive(Clone, Copy)]
pub struct Page<'d> {
    /// Its elements and texts.
    pub document: &'d Document,
    /// The text, links and paragraphs of each element.
    pub measures: &'d Measures,
    /// The facts that it states.
    pub metadata: &'d Metadata,
    /// The type as which it is read.
    pub kind: PageType,
    /// The element with all of its text.
    pub body: Id,
}

impl Page<'_> {
    /// Whether its paragraphs are its text.
    pub fn is_prose(&self) -> bool {
        matches!(self.kind, PageType::Article | PageType::Other)
    }
}
