//! The author and the date next to the title of a page that does not declare them.
//!
//! Pages write both in one line, `by Ann Bee, May 4, 2012`, in elements whose classes name the
//! contents. A text that may be something else gives no fact.

use super::classes::{Named, is_other, named};
use super::names;
use super::text::{text_of, tidy};
use super::values::{date, normalized};
use crate::dates;
use crate::dom::{Document, Id, Name, Tag};
use crate::limits;

/// Words before a date without a class. The date after one of the last three is that of a change.
const DATE_LABELS: &[&str] = &[
    "published",
    "published on",
    "posted",
    "posted on",
    "posted at",
    "updated",
    "last updated",
    "modified",
];

/// The facts that a byline states.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Byline {
    pub authors: Vec<String>,
    pub published: Option<String>,
    pub modified: Option<String>,
    /// The number of pieces that were read.
    read: usize,
}

/// A text in a byline.
struct Piece {
    /// The text, tidied.
    text: String,
    /// The date of the `<time>` whose text it is. The text before it may be its label.
    time: Option<String>,
    /// Whether the class of the `<time>` is that of a change.
    change: bool,
}

/// Reads the element with the class of a byline, and the texts next to the title: `heading`, or one
/// of the headings with the same text.
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
        .take(limits::BYLINE_TITLES)
        .collect()
}

impl Byline {
    /// Reads the texts between the title and the first paragraph.
    fn after(&mut self, document: &Document, heading: Id) {
        let body = document.body();
        let mut next = document.after(heading, body);
        for _ in 0..limits::BYLINE_NODES {
            let Some(id) = next else {
                return;
            };
            let other = document.tag(id).is_some_and(is_other);
            next = document
                .first_child(id)
                .filter(|_| !document.is_hidden(id) && !other)
                .or_else(|| document.after(id, body));
            if document.is_hidden(id) || other {
                continue;
            }
            let Some(tag) = document.tag(id) else {
                if document
                    .text(id)
                    .is_some_and(|text| text.trim().len() > limits::BYLINE_BYTES)
                {
                    return;
                }
                continue;
            };
            let named = named(document, id);
            if named == Named::Skipped {
                next = document.after(id, body);
            } else if let Named::Byline { author, date } = named {
                self.element(document, id, author, date);
                next = document.after(id, body);
            } else if tag.heading().is_some() {
                return;
            } else if matches!(tag, Tag::P | Tag::Div | Tag::Span)
                && document.first_child(id) == document.last_child(id)
                && let Some(text) = document.first_child(id).and_then(|id| document.text(id))
                && text.len() <= limits::BYLINE_BYTES
                && has_year(text)
                && self.may_read()
            {
                // Without a class, only a date with a label is certain.
                self.date(text);
            }
        }
    }

    /// Reads the elements before the title whose classes name an author or a date.
    fn before(&mut self, document: &Document, heading: Id) {
        let outer = document.ancestors(heading).take(limits::BYLINE_AROUND);
        for id in std::iter::once(heading).chain(outer) {
            let before = document.siblings_before(id);
            let before = before.filter(|id| document.tag(*id).is_some());
            for id in before.take(limits::BYLINE_BEFORE) {
                if let Named::Byline { author, date } = named(document, id)
                    && !document.is_hidden(id)
                    && !document.tag(id).is_some_and(is_other)
                {
                    self.element(document, id, author, date);
                }
            }
        }
    }

    /// Reads an element whose class names an author or a date.
    fn element(&mut self, document: &Document, id: Id, author: bool, date: bool) {
        let Some(pieces) = self.pieces(document, id) else {
            return;
        };
        let mut starts = Vec::new();
        let mut label = "";
        for piece in &pieces {
            if let Some(time) = &piece.time {
                if date {
                    let change = piece.change || is_change(label) || is_change(&piece.text);
                    self.set(change, time.clone());
                }
                starts.push("");
            } else {
                let found = dates::find(&piece.text);
                let start = found.as_ref().map(|(range, _)| range.start);
                starts.push(start.map_or(piece.text.as_str(), |start| {
                    piece.text.get(..start).unwrap_or_default()
                }));
                if date && has_year(&piece.text) {
                    let before = starts.last().copied().unwrap_or_default();
                    let before = if before.is_empty() { label } else { before };
                    if let Some((_, found)) = found {
                        self.set(is_change(before), found);
                    }
                }
            }
            label = &piece.text;
        }
        if author && self.authors.is_empty() {
            self.authors = names::of(&starts);
        }
    }

    /// The texts in an element. `None` if they are too long for a byline.
    fn pieces(&mut self, document: &Document, id: Id) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut nodes = document.subtree(id);
        let mut visited = 0_usize;
        while let Some(node) = nodes.next() {
            visited = visited.saturating_add(1);
            if visited > limits::TEXT_NODES {
                return None;
            }
            let (mut time, mut change) = (None, false);
            let text = match document.tag(node) {
                _ if document.is_hidden(node) => None,
                Some(Tag::Script | Tag::Style | Tag::Template | Tag::Svg) => None,
                Some(Tag::Time) => {
                    let value = document.attribute(node, Name::Datetime);
                    time = value.and_then(date).map(normalized);
                    if time.is_none() {
                        continue;
                    }
                    let class = document.attribute(node, Name::Class).unwrap_or_default();
                    change = is_change(class) && !class.contains("published");
                    Some(text_of(document, node, limits::BYLINE_BYTES).unwrap_or_default())
                }
                Some(tag) if is_other(tag) => None,
                Some(_) => continue,
                None => {
                    let text = document.text(node).unwrap_or_default();
                    if text.len() > limits::META_CONTENT {
                        return None;
                    }
                    let Some(text) = tidy(text) else {
                        continue;
                    };
                    Some(text)
                }
            };
            nodes.skip_children_of(node);
            let Some(text) = text else {
                continue;
            };
            let is_long = text.len() > limits::BYLINE_BYTES;
            if is_long || pieces.len() >= limits::BYLINE_PIECES || !self.may_read() {
                return None;
            }
            pieces.push(Piece { text, time, change });
        }
        Some(pieces)
    }

    /// Counts the pieces of all bylines.
    fn may_read(&mut self) -> bool {
        self.read = self.read.saturating_add(1);
        self.read <= limits::PAGE_PIECES
    }

    /// Reads a text that consists of a label and a date, without a class that names it.
    fn date(&mut self, text: &str) {
        let Some((range, found)) = dates::find(text) else {
            return;
        };
        let label = text.get(..range.start).unwrap_or_default().to_lowercase();
        let label = label.trim_matches(|character: char| !character.is_alphanumeric());
        let rest = text.get(range.end..).unwrap_or_default();
        if DATE_LABELS.contains(&label) && !rest.chars().any(char::is_alphanumeric) {
            self.set(is_change(label), found);
        }
    }

    fn set(&mut self, change: bool, date: String) {
        let place = if change {
            &mut self.modified
        } else {
            &mut self.published
        };
        place.get_or_insert(date);
    }
}

/// Whether a label or a class is that of the date of a change.
fn is_change(label: &str) -> bool {
    let label = label.to_lowercase();
    let label = label.trim_end_matches(|character: char| !character.is_alphanumeric());
    ["updated", "updated on", "modified", "modified on"]
        .iter()
        .any(|end| label.ends_with(end))
}

/// Whether a piece has a year. Names and roles may precede a date.
fn has_year(piece: &str) -> bool {
    /// The number of words with digits in a date with a time.
    const NUMBERS: usize = 8;
    let numbers: Vec<&str> = piece
        .split_whitespace()
        .filter(|word| word.contains(|character: char| character.is_ascii_digit()))
        .take(NUMBERS)
        .collect();
    date(&numbers.join(" ")).is_some()
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
            "<h1>A tale</h1><p>12 May 2027</p>",
            "<h1>A tale</h1><p>Date: 12 May 2027</p>",
            "<h1>A tale</h1><p class=event-date>12 May 2027</p>",
            "<h1>A tale</h1><blockquote>Be yourself.<cite class=quote-author>Oscar Wilde</cite></blockquote>",
            "<h1>A tale</h1><blockquote>Be yourself.<cite class=author>Oscar Wilde</cite></blockquote>",
            "<h1>A tale</h1><p class=pull-quote><span class=name-author>Oscar Wilde</span></p>",
            "<h1>A tale</h1><figure><span class=author>Ann Bee</span></figure>",
            "<h1>A tale</h1><div class=author-links><a>Latest Posts</a></div>",
            "<h1>A tale</h1><div class=entry-authors><a>Latest Posts</a></div>",
        ] {
            let found = metadata(body);
            assert_eq!(found.published, None, "{body}");
            assert_eq!(found.authors, [""; 0], "{body}");
        }
    }

    #[test]
    fn names_with_commas_are_split() {
        let authors = |byline: &str| {
            metadata(&format!("<h1>A tale</h1><p class=post-byline>{byline}</p>")).authors
        };
        assert_eq!(authors("By Ann Bee, Carl Dee"), ["Ann Bee", "Carl Dee"]);
        assert_eq!(
            authors("By Ann Bee, Carl Dee and Eva van Fox, May 4, 2012"),
            ["Ann Bee", "Carl Dee", "Eva van Fox"]
        );
        for role in ["Senior Editor", "New York", "PhD", "Daily News"] {
            assert_eq!(
                authors(&format!("By Ann Bee, {role}")),
                ["Ann Bee"],
                "{role}"
            );
        }
    }

    #[test]
    fn label_in_another_language_counts_in_lower_case() {
        let author = |name: &str| {
            metadata(&format!(
                "<h1>A tale</h1><span class=post-author>{name}</span>"
            ))
            .authors
        };
        assert_eq!(author("Von Miller"), ["Von Miller"]);
        assert_eq!(author("von Ann Bee"), ["Ann Bee"]);
        let found = metadata("<h1>A tale</h1><p class=the-author>Von Miller</p>");
        assert_eq!(found.authors, ["Von Miller"]);
    }

    #[test]
    fn time_next_to_title_counts_before_clock() {
        let clock = "<header><time datetime=2026-11-24T10:00>10:00</time></header>";
        let found = metadata(&format!(
            "{clock}<p>Menu</p><p>News</p><main><h1>A tale</h1><p>By <b>Ann</b> \
             <time datetime=2012-05-04>May 4</time></p></main>"
        ));
        assert_eq!(found.published.as_deref(), Some("2012-05-04"));
        let found = metadata(&format!(
            "{clock}<p>Menu</p><p>News</p><main><h1>A tale</h1><p class=date>May 4, 2012, updated \
             <time datetime=2012-05-06>Sunday</time></p></main>"
        ));
        assert_eq!(found.published.as_deref(), Some("2012-05-04"));
        assert_eq!(found.modified.as_deref(), Some("2012-05-06"));
        let found = metadata(&format!(
            "{clock}<h1>A tale</h1><h2>Part 1</h2><time datetime=2012-05-04>May 4</time>"
        ));
        assert_eq!(found.published.as_deref(), Some("2012-05-04"));
    }

    #[test]
    fn change_is_read_if_only_publication_is_declared() {
        let found = metadata(
            "<meta name=date content=2012-05-04><meta name=author content='Ann Bee'>\
             <h1>A tale</h1><p>Last updated: 12 May 2016</p>",
        );
        assert_eq!(found.published.as_deref(), Some("2012-05-04"));
        assert_eq!(found.modified.as_deref(), Some("2016-05-12"));
    }

    #[test]
    fn pieces_of_all_bylines_are_bounded() {
        let words = "2004 ".repeat(40);
        let byline = format!("<p class=date>{words}</p>").repeat(100);
        let document = dom::parse(&format!("<h1>A tale</h1>{byline}<h1>A tale</h1>{byline}"));
        let headings: Vec<dom::Id> = document.with_tag(dom::Tag::H1).collect();
        let found = super::read(&document, None, headings.first().copied(), &headings);
        assert!(found.read > super::limits::PAGE_PIECES);
        assert_eq!(found.published, None);
    }
}
