//! Sections of the page of a product that are not about it: what a shop says of every product, what
//! customers say, and other products.

use super::measure::{Measures, block_text};
use super::phrases::{self, Phrase};
use crate::dom::{Document, Id, Name, Tag};

/// Headings over what a shop says of every product, over what customers say and over other products.
const HEADINGS: &[&str] = &[
    "add the essentials",
    "best sellers",
    "bestsellers",
    "buy it with",
    "choose your add-ons",
    "compare products",
    "compare with similar",
    "complete the look",
    "complete your look",
    "complete your order",
    "complete your setup",
    "customer questions",
    "customer review",
    "customer reviews",
    "customers say",
    "delivery",
    "delivery & returns",
    "delivery and returns",
    "delivery information",
    "feedback",
    "featured products",
    "free shipping",
    "get everything you need",
    "goes well with",
    "kundenbewertungen",
    "kundenrezensionen",
    "livraison",
    "lieferung",
    "money back guarantee",
    "need help",
    "new arrivals",
    "opiniones",
    "pairs well with",
    "payment & security",
    "payment methods",
    "payment options",
    "pour compléter",
    "questions & answers",
    "ratings & reviews",
    "refund policy",
    "return policy",
    "returns",
    "reviews",
    "reviews summary",
    "reviews for",
    "shipping",
    "shipping & delivery",
    "shipping & returns",
    "shipping and delivery",
    "shipping and returns",
    "shipping information",
    "shop the look",
    "shop with confidence",
    "style with",
    "testimonials",
    "top reviews",
    "user testimonials",
    "versand",
    "warranty & returns",
    "we also recommend",
    "wear it with",
    "what customers say",
    "what our clients say",
    "what our customers say",
    "why buy from",
    "why choose",
    "why shop",
    "write a review",
    "доставка",
];

/// The text of the longest heading.
const HEADING: f32 = 60.0;

/// The words in the class or the id of an element that contains the description of a product.
const DESCRIPTION: &str = "description";

/// Finds a heading over a section that is not about the product. A short block without a link, such
/// as the label of a part that a click opens, may be one. A cell of a table is a part of its row.
pub fn heading(document: &Document, measures: &Measures, id: Id, tag: Tag) -> Option<Phrase> {
    let facts = measures.of(id);
    let is_label = tag.is_block()
        && facts.own.text > 0.0
        && facts.text <= facts.own.text
        && facts.link == 0.0
        && !matches!(tag, Tag::Td | Tag::Th);
    if facts.text > HEADING || !(tag.heading().is_some() || is_label) {
        return None;
    }
    let text = block_text(document, id, phrases::LONGEST)?;
    // `Delivery: 3 days` is a value.
    let value = text.split_once(':').map_or("", |(_, value)| value);
    if tag.heading().is_none() && !value.trim().is_empty() {
        return None;
    }
    let lower = text.to_lowercase().replace('’', "'");
    let name = lower.trim_matches(|character: char| !character.is_alphabetic());
    // The seller may write such sections in the description of the product.
    let is_in_description = || {
        let mut outer = document.ancestors(id);
        outer.any(|outer| {
            let names = [Name::Class, Name::Id].into_iter();
            !document.is(outer, Tag::Body)
                && names
                    .filter_map(|name| document.attribute(outer, name))
                    .any(is_description)
        })
    };
    (phrases::heads(name, HEADINGS) && !is_in_description()).then_some(Phrase::Shop)
}

/// Whether an element after a label is the next label of the same kind.
pub fn is_next(document: &Document, measures: &Measures, label: Id, id: Id) -> bool {
    let text = measures.of(id).text;
    document.tag(id) == document.tag(label)
        && document.attribute(id, Name::Class) == document.attribute(label, Name::Class)
        && text > 0.0
        && text <= HEADING
}

/// Whether a class or an id names a description.
fn is_description(name: &str) -> bool {
    let mut words = name.split(|character: char| !character.is_ascii_alphabetic());
    words.any(|word| word.eq_ignore_ascii_case(DESCRIPTION))
}
