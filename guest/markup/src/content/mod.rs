//! The main text of a page.
//!
//! ```text
//! words     what classes and ids say
//! count     the size of a text in any language
//! measure   text, links and paragraphs of each element
//! phrases   what short blocks and headings say
//! page      a page and its type
//! kind      the type of a page by its text
//! selection the part of a page that is its main text
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
mod page;
mod phrases;
mod prune;
mod repeats;
mod selection;
mod shop;
mod verify;
mod words;

#[cfg(test)]
mod tests;

use crate::dom::{Document, Id, Marks};
use crate::limits;
use crate::metadata::{Declared, Metadata};
use measure::Measures;
use page::Page;
pub use page::PageType;
pub use selection::{Selection, WhyWhole};

/// Selects the main text of a page.
pub fn select(document: &Document, hidden: &Marks, metadata: &Metadata) -> Selection {
    let body = document.body();
    let measures = measure::measure(document, body, hidden);
    let page = Page {
        document,
        measures: &measures,
        metadata,
        kind: kind::of(document, &measures, metadata, body),
        body,
    };
    let selection = select_as(&page);
    // The posts of some discussions are in elements with the names of comments, and
    // the page says that it has an article.
    if page.is_prose()
        && selection.is_short
        && selection.has_comments
        && kind::is_named_discussion(document, &measures, body)
    {
        let discussion = select_as(&Page {
            kind: PageType::Forum,
            ..page
        });
        if discussion.whole.is_none() && !discussion.has_comments {
            return discussion;
        }
    }
    selection
}

/// Selects the main text of a page of a type.
fn select_as(page: &Page) -> Selection {
    let Page {
        document,
        measures,
        metadata,
        kind,
        body,
    } = *page;
    let around::Around {
        marks: around,
        mut headings,
    } = around::find(page);
    // The elements of an article are found by their paragraphs.
    let main = if page.is_prose() {
        None
    } else {
        choose::main_part(document, measures, &around, body)
    };
    let roots = choose::roots(page, &around, main);
    let pruned = prune::prune(page, &around, &roots);
    let dropped = pruned.dropped;
    headings.extend(pruned.headings.iter().rev());
    let mut selection = Selection {
        roots,
        dropped,
        page: kind,
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
        if !matches!(kind, PageType::Article | PageType::Documentation) {
            let images = repeats::drop_repeats(document, measures, &mut selection);
            if kind == PageType::Product {
                let marks = &mut selection.dropped;
                selection.views = gallery::drop_views(document, metadata, &images, marks);
            }
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
