//! The part of a page that is its main text.

use super::page::PageType;
use crate::dom::{Id, Marks};

/// Why a page is shown as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyWhole {
    /// The main text is shorter than [`crate::limits::MAIN_WORDS`].
    FewWords,
    /// The main text is a smaller part of the page than [`crate::limits::MAIN_PART`].
    SmallPart,
}

/// The part of a page that is its main text.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The elements that contain the text, in document order. None is in another one.
    pub roots: Vec<Id>,
    /// Nodes in the roots that are left out, with everything in them.
    pub dropped: Marks,
    /// The type of the page.
    pub page: PageType,
    /// Why the page is shown as a whole. `None` if it is not.
    pub whole: Option<WhyWhole>,
    /// Whether a page that is shown as a whole is without its navigation.
    pub is_without_navigation: bool,
    /// Whether the text is so short that the page would be shown as a whole, if the page did not
    /// say that it is an article.
    pub is_short: bool,
    /// Whether comments of readers are left out, or reviews of the customers of a product.
    pub has_comments: bool,
    /// The number of images of a product that are left out because they show it again.
    pub views: usize,
    /// The headings of sections that are left out, such as `See also`.
    pub headings: Vec<String>,
    /// The part of the visible text of the page that is left out.
    pub left_out: f32,
}
