//! The classes of elements with the author or the date of a page, and of those with other texts.

use crate::dom::{Document, Id, Name, Tag};

/// Words in classes of elements with the authors.
const AUTHOR_CLASSES: &[&str] = &["author", "authors", "byline", "writer"];

/// Words in classes of elements with a date.
const DATE_CLASSES: &[&str] = &[
    "byline",
    "date",
    "dateline",
    "datetime",
    "posted",
    "pubdate",
    "publish",
    "published",
    "time",
    "timestamp",
];

/// Words in classes of elements about an author, which are not a byline but may contain one.
const OTHER_CLASSES: &[&str] = &[
    "about", "bio", "comment", "comments", "event", "events", "popular", "related", "sidebar",
    "widget",
];

/// Words in classes of elements without a byline.
const SKIPPED_CLASSES: &[&str] = &[
    "card",
    "cards",
    "links",
    "profile",
    "pullquote",
    "quote",
    "quotes",
    "testimonial",
];

/// The parts of a page that the attributes of an element name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Nothing,
    /// A part that is not about the page.
    Skipped,
    Byline {
        author: bool,
        date: bool,
    },
}

/// Reads the attributes of an element that name its contents.
pub fn named(document: &Document, id: Id) -> Named {
    let mut author = document
        .attribute(id, Name::Rel)
        .is_some_and(|rel| rel.split_ascii_whitespace().any(|word| word == "author"));
    let mut date = document.is(id, Tag::Time);
    let mut other = false;
    for name in [Name::Class, Name::Itemprop, Name::Id] {
        let Some(value) = document.attribute(id, name) else {
            continue;
        };
        let words = || {
            value
                .split(|character: char| !character.is_ascii_alphabetic())
                .filter(|word| !word.is_empty())
        };
        let any = |list: &[&str]| {
            words().any(|word| list.iter().any(|known| word.eq_ignore_ascii_case(known)))
        };
        if any(SKIPPED_CLASSES) {
            return Named::Skipped;
        }
        other |= any(OTHER_CLASSES);
        author |= any(AUTHOR_CLASSES);
        date |= any(DATE_CLASSES) || any(AUTHOR_CLASSES);
    }
    if (author || date) && !other {
        Named::Byline { author, date }
    } else {
        Named::Nothing
    }
}

/// Whether an element is in one whose texts are not about the page.
pub fn is_outside(document: &Document, id: Id) -> bool {
    std::iter::once(id)
        .chain(document.ancestors(id))
        .any(|id| document.tag(id).is_some_and(is_other))
}

/// Whether the texts in an element are not about the page, such as a quote.
pub fn is_other(tag: Tag) -> bool {
    matches!(tag, Tag::Blockquote | Tag::Nav | Tag::Aside | Tag::Figure)
}
