//! The main text of a page.
//!
//! ```text
//! words     what classes and ids say
//! count     the size of a text in any language
//! measure   text, links and paragraphs of each element
//! phrases   what short blocks and headings say
//! kind      the type of page
//! around    the parts that are around the text, by their names
//! choose    the elements that contain the text
//! verify    facts in the metadata with which the choice is compared
//! groups    lists and tables, which are kept as a whole
//! prune     what is left out in them
//! shop      sections of the page of a product that are not about it
//! repeats   what the page has twice
//! gallery   images of a product that show it again
//! comments  comments of readers that are left out
//! ```

mod around;
mod choose;
mod comments;
mod count;
mod gallery;
mod groups;
mod kind;
mod measure;
mod phrases;
mod prune;
mod repeats;
mod shop;
mod verify;
mod words;

#[cfg(test)]
mod tests;

use crate::dom::{Document, Id, Marks};
use crate::limits;
use crate::metadata::{Declared, Metadata};
use measure::Measures;

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

/// Why a page is shown as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyWhole {
    /// The main text is shorter than [`limits::MAIN_WORDS`].
    FewWords,
    /// The main text is a smaller part of the page than [`limits::MAIN_PART`].
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

/// Selects the main text of a page.
pub fn select(document: &Document, hidden: &Marks, metadata: &Metadata) -> Selection {
    let body = document.body();
    let measures = measure::measure(document, body, hidden);
    let page = kind::of(document, &measures, metadata, body);
    let selection = select_as(document, &measures, metadata, page, body);
    let is_prose = matches!(page, PageType::Article | PageType::Other);
    // The posts of some discussions are in elements with the names of comments, and
    // the page says that it has an article.
    if is_prose
        && selection.is_short
        && selection.has_comments
        && kind::is_named_discussion(document, &measures, body)
    {
        let discussion = select_as(document, &measures, metadata, PageType::Forum, body);
        if discussion.whole.is_none() && !discussion.has_comments {
            return discussion;
        }
    }
    selection
}

/// Selects the main text of a page of a type.
fn select_as(
    document: &Document,
    measures: &Measures,
    metadata: &Metadata,
    page: PageType,
    body: Id,
) -> Selection {
    let around::Around {
        marks: around,
        mut headings,
    } = around::find(document, measures, metadata, page, body);
    // The elements of an article are found by their paragraphs.
    let main = if matches!(page, PageType::Article | PageType::Other) {
        None
    } else {
        choose::main_part(document, measures, &around, body)
    };
    let roots = choose::roots(document, measures, &around, metadata, page, body, main);
    let pruned = prune::prune(document, measures, &around, metadata, page, &roots, body);
    let dropped = pruned.dropped;
    headings.extend(pruned.headings.iter().rev());
    let mut selection = Selection {
        roots,
        dropped,
        page,
        whole: None,
        is_without_navigation: false,
        is_short: false,
        has_comments: false,
        views: 0,
        headings: Vec::new(),
        left_out: 0.0,
    };
    let whole = why_whole(document, measures, &selection, main.unwrap_or(body));
    // The page says that it is an article, so that a short one is probably complete.
    selection.is_short = whole.is_some()
        && !(main.is_some() && whole == Some(WhyWhole::SmallPart))
        && !matches!(metadata.declared, Declared::List | Declared::Nothing)
        && words(document, measures, &selection).0 >= limits::ARTICLE_WORDS
        && !selection.roots.contains(&body);
    selection.whole = whole.filter(|_| !selection.is_short);
    if selection.whole.is_some() {
        selection.roots = vec![body];
        let navigation = around::navigation(document, measures, body);
        selection.is_without_navigation = navigation.iter().next().is_some();
        selection.dropped = navigation;
    } else {
        // Refrains and formulas of a text are repeated on purpose.
        if !matches!(page, PageType::Article | PageType::Documentation) {
            repeats::drop_repeats(document, measures, &mut selection);
        }
        if page == PageType::Product {
            selection.views = gallery::drop_views(document, measures, metadata, &mut selection);
        }
        selection.has_comments = comments::are_left_out(document, measures, &selection, body);
        selection.headings = names(document, &selection, &headings);
        let whole = measures.of(body).text.max(1.0);
        selection.left_out = 1.0 - words(document, measures, &selection).1 / whole;
    }
    selection
}

/// The texts of those headings that are in the selected elements.
fn names(document: &Document, selection: &Selection, headings: &[Id]) -> Vec<String> {
    let inside = headings.iter().filter(|id| {
        let mut outer = document.ancestors(**id);
        outer.any(|id| selection.roots.contains(&id))
    });
    inside
        .filter_map(|id| measure::block_text(document, *id, phrases::LONGEST))
        .take(limits::NAMED_SECTIONS)
        .collect()
}

/// The number of words of a selection, and the amount of its text.
fn words(document: &Document, measures: &Measures, selection: &Selection) -> (f32, f32) {
    let mut words = 0.0;
    let mut text = 0.0;
    for root in &selection.roots {
        let whole = measures.of(*root);
        words += whole.words;
        text += whole.text;
        let mut elements = measures.elements(*root);
        while let Some(element) = elements.next() {
            if selection.dropped.contains(element.id) {
                words -= element.facts.words;
                text -= element.facts.text;
                elements.skip_children_of(element);
            }
        }
    }
    // Single texts are left out of elements that remain.
    for id in selection.dropped.iter() {
        if let Some(dropped) = document.text(id) {
            let counted = count::count(dropped);
            words -= counted.words;
            text -= counted.text;
        }
    }
    (words, text)
}

fn why_whole(
    document: &Document,
    measures: &Measures,
    selection: &Selection,
    body: Id,
) -> Option<WhyWhole> {
    let (words, text) = words(document, measures, selection);
    if words < limits::MAIN_WORDS {
        Some(WhyWhole::FewWords)
    } else if text < limits::MAIN_PART * measures.of(body).text {
        Some(WhyWhole::SmallPart)
    } else {
        None
    }
}
