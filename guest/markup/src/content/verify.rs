//! Facts in the metadata with which a selection is compared.

use super::count::count;
use super::measure::Measures;
use crate::dom::{Document, Id, Marks};
use crate::letters::letters;
use crate::metadata::Metadata;

/// The number of letters and digits at the start of a text by which a paragraph is recognised.
const START: usize = 32;

/// The number of nodes at the start of a paragraph that are read. Paragraphs in other ones are read
/// again.
const NODES: usize = 64;

/// The size of the text in JSON-LD below which it may be a summary.
const ARTICLE: f32 = 400.0;

/// The paragraph that starts as a text in the metadata does: as the text of the article or the description
/// of the product in JSON-LD, or as the summary of the page, which is often the first sentence.
pub fn first_paragraph(
    document: &Document,
    measures: &Measures,
    around: &Marks,
    metadata: &Metadata,
    body: Id,
) -> Option<Id> {
    let starts = [&metadata.text, &metadata.description];
    let starts: Vec<String> = starts
        .into_iter()
        .flatten()
        .filter_map(|text| start(std::iter::once(text.as_str())))
        .collect();
    if starts.is_empty() {
        return None;
    }
    let mut nodes = document.subtree(body);
    while let Some(id) = nodes.next() {
        if around.contains(id) {
            nodes.skip_children_of(id);
        } else if measures.of(id).is_paragraph() {
            let texts = document
                .subtree(id)
                .take(NODES)
                .filter_map(|node| document.text(node));
            if start(texts).is_some_and(|found| starts.contains(&found)) {
                return Some(id);
            }
        }
    }
    None
}

/// The size of the text in JSON-LD: that of the article, or the description of the product. `None` if
/// there is no text, or a short one.
pub fn size(metadata: &Metadata) -> Option<f32> {
    let size = count(metadata.text.as_deref()?).text;
    (size >= ARTICLE).then_some(size)
}

/// The first letters and digits of a text in lower case. `None` if the text is too short.
fn start<'t>(texts: impl Iterator<Item = &'t str>) -> Option<String> {
    let start: String = letters(texts).take(START).collect();
    (start.chars().count() == START).then_some(start)
}
