//! The author and the date beside the title of a page that does not declare them.
//!
//! Pages write both in one line, `by Ann Bee, May 4, 2012`, in elements whose classes say what they
//! contain. A text that may be something else gives no fact.

use super::{date, person, text_of, tidy};
use crate::dom::{Document, Id, Name, Tag};
use crate::feed::dates;
use crate::limits;

/// The number of nodes after the title that are searched. Buttons for sharing precede some bylines.
const NODES: usize = 300;

/// The number of headings with the title whose bylines are read.
const TITLES: usize = 3;

/// The number of siblings before the title, and of those before each element around it.
const BEFORE: usize = 2;

/// The number of elements around the title whose siblings are searched.
const AROUND: usize = 3;

/// The length in bytes of the longest piece of a byline. A longer one is a paragraph.
const PIECE: usize = 200;

/// The number of pieces of a byline that are read. Bylines have fewer.
const PIECES: usize = 16;

/// The number of words of the longest name.
const NAME_WORDS: usize = 8;

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

/// Words in classes of elements about an author, which are not a byline.
const OTHER_CLASSES: &[&str] = &[
    "about", "bio", "comment", "comments", "popular", "related", "sidebar", "widget",
];

/// Words before a name.
const BY: &[&str] = &["by", "door", "par", "por", "von", "written by", "posted by"];

/// Words before a date. The date after one of the last three is that of a change.
const DATE_LABELS: &[&str] = &[
    "published",
    "published on",
    "posted",
    "posted on",
    "posted at",
    "date",
    "on",
    "updated",
    "last updated",
    "modified",
];

/// First words of texts in bylines that are not names.
const NOT_NAMES: &[&str] = &[
    "about",
    "all",
    "author",
    "by",
    "click",
    "comments",
    "contact",
    "edited",
    "email",
    "filed",
    "follow",
    "for",
    "in",
    "more",
    "on",
    "photo",
    "photos",
    "posted",
    "published",
    "read",
    "share",
    "subscribe",
    "the",
    "this",
    "updated",
    "view",
    "written",
];

/// Words of names that start with a lower-case letter, and words between two names.
const PARTICLES: &[&str] = &[
    "&", "al", "and", "bin", "da", "de", "del", "den", "der", "di", "do", "dos", "du", "et", "la",
    "le", "ten", "ter", "und", "van", "von", "y",
];

/// The facts that a byline states.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Byline {
    pub authors: Vec<String>,
    pub published: Option<String>,
    pub modified: Option<String>,
}

/// Reads the element with the class of a byline, and the texts beside the title: `heading`, or one of
/// the headings with the same text.
pub fn read(
    document: &Document,
    byline: Option<Id>,
    heading: Option<Id>,
    headings: &[Id],
) -> Byline {
    let mut found = Byline::default();
    if let Some(id) = byline {
        found.element(document, id, true, true);
    }
    for title in titles(document, heading, headings) {
        found.after(document, title);
        found.before(document, title);
    }
    found
}

/// The headings with the text of the title. Some pages repeat it in a bar at the top. If no heading
/// repeats the title, the only heading of level 1.
fn titles(document: &Document, heading: Option<Id>, headings: &[Id]) -> Vec<Id> {
    let Some(heading) = heading else {
        let mut first = headings.iter().filter(|id| document.is(**id, Tag::H1));
        let only = first.next().filter(|_| first.next().is_none());
        return only.copied().into_iter().collect();
    };
    let text = text_of(document, heading, limits::META_CONTENT);
    let same = headings.iter().copied();
    same.filter(|id| *id == heading || text_of(document, *id, limits::META_CONTENT) == text)
        .take(TITLES)
        .collect()
}

impl Byline {
    /// Reads the texts between the title and the first paragraph.
    fn after(&mut self, document: &Document, heading: Id) {
        let body = document.body();
        let mut next = document.after(heading, body);
        for _ in 0..NODES {
            let Some(id) = next else {
                return;
            };
            next = document
                .first_child(id)
                .filter(|_| !document.is_hidden(id))
                .or_else(|| document.after(id, body));
            if document.is_hidden(id) {
                continue;
            }
            let Some(tag) = document.tag(id) else {
                if document
                    .text(id)
                    .is_some_and(|text| text.trim().len() > PIECE)
                {
                    return;
                }
                continue;
            };
            let (author, date) = named(document, id);
            if author || date {
                self.element(document, id, author, date);
                next = document.after(id, body);
            } else if tag.heading().is_some() {
                return;
            } else if matches!(tag, Tag::P | Tag::Div | Tag::Span)
                && document.first_child(id) == document.last_child(id)
                && let Some(text) = document.first_child(id).and_then(|id| document.text(id))
            {
                // Without a class, only a date alone is certain.
                self.date(text, true);
            }
        }
    }

    /// Reads the elements before the title whose classes say that they have an author or a date.
    fn before(&mut self, document: &Document, heading: Id) {
        let outer = document.ancestors(heading).take(AROUND);
        for id in std::iter::once(heading).chain(outer) {
            let before = std::iter::successors(document.previous_sibling(id), |id| {
                document.previous_sibling(*id)
            });
            for id in before.filter(|id| document.tag(*id).is_some()).take(BEFORE) {
                let (author, date) = named(document, id);
                if author || date {
                    self.element(document, id, author, date);
                }
            }
        }
    }

    /// Reads an element whose class says that it has an author or a date.
    fn element(&mut self, document: &Document, id: Id, author: bool, date: bool) {
        let Some(pieces) = pieces(document, id) else {
            return;
        };
        if date {
            for piece in &pieces {
                self.date(piece, false);
            }
        }
        if author && self.authors.is_empty() {
            self.names(&pieces);
        }
    }

    /// Reads the date in a piece of a byline. If `whole`, the piece has nothing else.
    fn date(&mut self, piece: &str, whole: bool) {
        if piece.len() > PIECE || date(&limited(piece)).is_none() {
            return;
        }
        let Some((range, found)) = dates::find(piece) else {
            return;
        };
        let label = piece.get(..range.start).unwrap_or_default().to_lowercase();
        let label = label.trim_matches(|character: char| !character.is_alphanumeric());
        let rest = piece.get(range.end..).unwrap_or_default();
        if whole
            && (!(label.is_empty() || DATE_LABELS.contains(&label))
                || rest.chars().any(char::is_alphanumeric))
        {
            return;
        }
        let place = if label.ends_with("updated") || label.ends_with("modified") {
            &mut self.modified
        } else {
            &mut self.published
        };
        if place.is_none() {
            *place = Some(found);
        }
    }

    /// Reads the names at the start of a byline.
    fn names(&mut self, pieces: &[String]) {
        let mut by = false;
        for piece in pieces {
            let start = dates::find(piece).map_or(piece.len(), |(range, _)| range.start);
            let text = piece.get(..start).unwrap_or_default();
            let text = text.trim_matches(|character: char| {
                character.is_whitespace() || matches!(character, ',' | '|' | '·' | '•' | '-' | '–')
            });
            let lower = text.to_lowercase();
            let label = lower.trim_end_matches(':');
            if BY.contains(&label) {
                by = true;
                continue;
            }
            if text.is_empty() || (PARTICLES.contains(&label) && !self.authors.is_empty()) {
                continue;
            }
            let Some(name) = name(text, by) else {
                break;
            };
            if !self.authors.contains(&name) && self.authors.len() < limits::AUTHORS {
                self.authors.push(name);
            }
        }
    }
}

/// The name in a piece of a byline. `by` says that a label precedes it.
fn name(text: &str, by: bool) -> Option<String> {
    let lower = text.to_lowercase();
    let prefix = BY
        .iter()
        .filter(|by| {
            lower
                .strip_prefix(*by)
                .is_some_and(|rest| rest.starts_with([' ', ':']))
        })
        .map(|by| by.len())
        .max();
    let by = by || prefix.is_some();
    let text = text.get(prefix.unwrap_or_default()..)?;
    let text = text.trim_start_matches([' ', ':']);
    // A role or a place follows the name, unless there are several names.
    let text = match text.split_once(',') {
        Some((name, _)) if !text.contains(" and ") => name,
        _ => text,
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first()?.to_lowercase();
    let is_name = (by || words.len() > 1)
        && words.len() <= NAME_WORDS
        && !NOT_NAMES.contains(&first.as_str())
        && words.iter().all(|word| {
            PARTICLES.contains(word)
                || word.starts_with(|character: char| {
                    character.is_alphabetic() && !character.is_lowercase()
                })
        })
        && !text.contains(|character: char| {
            character.is_ascii_digit() || matches!(character, '/' | '@' | '!' | '?' | ':')
        });
    person(text).filter(|_| is_name)
}

/// Whether an element says that it has the authors, and whether it says that it has a date.
fn named(document: &Document, id: Id) -> (bool, bool) {
    let mut author = document
        .attribute(id, Name::Rel)
        .is_some_and(|rel| rel.split_ascii_whitespace().any(|word| word == "author"));
    let mut date = document.is(id, Tag::Time);
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
        if any(OTHER_CLASSES) {
            return (false, false);
        }
        author |= any(AUTHOR_CLASSES);
        date |= any(DATE_CLASSES) || any(AUTHOR_CLASSES);
    }
    (author, date)
}

/// The texts in an element, each tidied. `None` if they are too long for a byline.
fn pieces(document: &Document, id: Id) -> Option<Vec<String>> {
    let mut pieces = Vec::new();
    let mut nodes = document.subtree(id);
    while let Some(node) = nodes.next() {
        match document.tag(node) {
            _ if document.is_hidden(node) => nodes.skip_children_of(node),
            Some(Tag::Script | Tag::Style | Tag::Template | Tag::Svg) => {
                nodes.skip_children_of(node);
            }
            Some(_) => {}
            None => {
                let text = document.text(node).unwrap_or_default();
                if text.len() > limits::META_CONTENT || pieces.len() >= PIECES {
                    return None;
                }
                let Some(text) = tidy(text) else {
                    continue;
                };
                if text.len() > PIECE {
                    return None;
                }
                pieces.push(text);
            }
        }
    }
    Some(pieces)
}

/// The start of a piece in which [`date`] looks for a year: names and roles may precede a date.
fn limited(piece: &str) -> String {
    piece
        .split_whitespace()
        .filter(|word| word.contains(|character: char| character.is_ascii_digit()))
        .take(8)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use crate::dom;
    use crate::metadata::{Metadata, of};

    fn metadata(body: &str) -> Metadata {
        of(&dom::parse(&format!("<title>A tale</title>{body}")))
    }

    #[test]
    fn byline_with_name_and_date_gives_both() {
        let found = metadata(
            "<h1>A tale</h1><h3 class=byline>by Anna Beta<br><span class=datetime>June 5, 2012 3:00 PM</span></h3>",
        );
        assert_eq!(found.authors, ["Anna Beta"]);
        assert_eq!(found.published.as_deref(), Some("2012-06-05T15:00:00"));
        let found = metadata(
            "<h1>A tale</h1><div class=article-author>Joe Wee Monday, February 29, 2016 11:10 PM UTC</div>",
        );
        assert_eq!(found.authors, ["Joe Wee"]);
        assert_eq!(found.published.as_deref(), Some("2016-02-29T23:10:00Z"));
    }

    #[test]
    fn byline_with_links_gives_each_author() {
        let found = metadata(
            "<h1>A tale</h1><p class=post-byline>By <a href=/a>Anna Beta</a> and <a href=/b>Carl van Delta</a>\
             <span>View more articles</span></p>",
        );
        assert_eq!(found.authors, ["Anna Beta", "Carl van Delta"]);
    }

    #[test]
    fn role_after_name_is_left_out() {
        let found = metadata(
            "<h1>A tale</h1><div class=blog-author>By Dan Kay Gill, Senior Staff Technologist, Speech Project</div>\
             <div class=updated-date>April 5, 2018 | 6:00 PM</div>",
        );
        assert_eq!(found.authors, ["Dan Kay Gill"]);
        assert_eq!(found.published.as_deref(), Some("2018-04-05"));
    }

    #[test]
    fn date_before_title_and_date_without_class_are_read() {
        let found = metadata("<h2 class=date-header>Sunday, May 8, 2016</h2><h1>A tale</h1>");
        assert_eq!(found.published.as_deref(), Some("2016-05-08"));
        let found = metadata("<h1>A tale</h1><p>Published: 12 May 2016</p><p>Text</p>");
        assert_eq!(found.published.as_deref(), Some("2016-05-12"));
        let found = metadata("<h1>A tale</h1><p>Last updated 12 May 2016</p>");
        assert_eq!(found.modified.as_deref(), Some("2016-05-12"));
        assert_eq!(found.published, None);
    }

    #[test]
    fn byline_after_repeated_title_or_only_heading_is_read() {
        let found = metadata(
            "<nav><h1>A tale</h1><h2>More</h2></nav><h1>A tale</h1><p class=date>May 4, 2012</p>",
        );
        assert_eq!(found.published.as_deref(), Some("2012-05-04"));
        let found = metadata("<h1>Of whales</h1><p class=date>May 4, 2012</p>");
        assert_eq!(found.published.as_deref(), Some("2012-05-04"));
    }

    #[test]
    fn other_texts_after_title_give_no_facts() {
        for body in [
            "<h1>A tale</h1><p>On 12 May 2016 the ship left</p>",
            "<h1>A tale</h1><p>By Popular Demand</p>",
            "<h1>A tale</h1><div class=author-bio>Anna Beta</div>",
            "<h1>A tale</h1><p class=byline-text>Written by the staff of the paper</p>",
            "<h1>A tale</h1><h2>More</h2><p class=date>12 May 2016</p>",
            "<h1>A tale</h1><p class=date>05/06/2016</p>",
        ] {
            let found = metadata(body);
            assert_eq!(found.published, None, "{body}");
            assert_eq!(found.authors, [""; 0], "{body}");
        }
    }
}
