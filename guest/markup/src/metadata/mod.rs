//! The metadata of a page: title, authors, dates, language and canonical URL.
//!
//! ```text
//! json_ld   <script type="application/ld+json">
//! tags      <meta> and <link>: Open Graph, Twitter, Dublin Core, plain names
//! markup    the page itself: microdata, links to authors, times, headings
//! byline    the line next to the title: names and dates
//! names     the names in a byline
//! classes   elements with a byline
//! text      white space, and texts that are escaped twice
//! title     the title without the name of the site
//! ```
//!
//! Sources that a page writes for machines take precedence over its visible text.

mod byline;
mod classes;
mod json_ld;
mod markup;
mod names;
mod tags;
mod text;
mod title;

use crate::dates;
use crate::dom::{Document, Id, Tag};
use text::{tidied, tidy, unescaped};

/// The kind of page that its metadata declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Declared {
    /// Nothing, or a kind that does not say how the page is built.
    #[default]
    Nothing,
    /// A news article, a blog post or another text.
    Article,
    /// A product for sale.
    Product,
    /// A question with answers, or the posts of a discussion.
    Discussion,
    /// A list of other pages, such as a category.
    List,
    /// Documentation: a manual, or the reference of an interface.
    Documentation,
}

/// Facts about a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The title, without the name of the site.
    pub title: Option<String>,
    /// The names of the authors.
    pub authors: Vec<String>,
    /// The date of publication: as RFC 3339 if it is clear, otherwise as in the source.
    pub published: Option<String>,
    /// The date of the last change, as [`Metadata::published`].
    pub modified: Option<String>,
    /// The canonical URL, as in the source. It may be relative.
    pub canonical: Option<String>,
    /// The name of the site.
    pub site: Option<String>,
    /// The language, such as `en` or `pt-BR`.
    pub language: Option<String>,
    /// A summary.
    pub description: Option<String>,
    /// The URL to which links are relative, as in the source. It may itself be relative.
    pub base: Option<String>,
    /// The kind of page.
    pub declared: Declared,
    /// The text of the article, or the description of the product, in JSON-LD. A selection is compared
    /// with it.
    pub text: Option<String>,
    /// The heading that repeats the title.
    pub heading: Option<Id>,
}

/// Reads the metadata of a page. Text that a browser does not show is not read, apart from data for
/// machines.
pub fn of(document: &Document) -> Metadata {
    let mut sources = Sources::default();
    let mut nodes = document.subtree(Id::ROOT);
    while let Some(id) = nodes.next() {
        let Some(tag) = document.tag(id) else {
            continue;
        };
        if document.is_hidden(id) {
            for inner in document.subtree(id) {
                if let Some(tag) = document.tag(inner) {
                    sources.data(document, inner, tag);
                    sources.visible.property(document, inner, false);
                }
            }
            nodes.skip_children_of(id);
            continue;
        }
        sources.data(document, id, tag);
        sources.visible.read(document, id, tag);
        if matches!(tag, Tag::Style | Tag::Template | Tag::Svg) {
            nodes.skip_children_of(id);
        }
    }
    sources.visible.finish(document);
    merge(document, sources.tags, sources.linked, sources.visible)
}

/// The metadata of a page by the place where it is written.
#[derive(Default)]
struct Sources {
    tags: tags::Tags,
    linked: json_ld::Linked,
    visible: markup::Visible,
}

impl Sources {
    /// Reads an element with data for machines.
    fn data(&mut self, document: &Document, id: Id, tag: Tag) {
        match tag {
            Tag::Meta | Tag::Link | Tag::Base | Tag::Html => self.tags.read(document, id, tag),
            Tag::Script => self.linked.read(document, id),
            _ => {}
        }
    }
}

fn merge(
    document: &Document,
    tags: tags::Tags,
    linked: json_ld::Linked,
    visible: markup::Visible,
) -> Metadata {
    let site = tags.site.or(linked.site);
    let (title, heading) = title::choose(
        document,
        &title::Sources {
            declared: [linked.title, tags.og_title, tags.title, visible.item_title],
            page: visible.title,
            headings: &visible.headings,
            site: site.as_deref(),
        },
    );
    let authors = [linked.authors, tags.authors, visible.item_authors]
        .into_iter()
        .chain([visible.rel_authors, visible.byline.into_iter().collect()])
        .find(|authors| !authors.is_empty())
        .unwrap_or_default();
    let declared = [linked.declared, tags.declared, visible.declared]
        .into_iter()
        .find(|declared| *declared != Declared::Nothing)
        .unwrap_or_default();
    let published = linked.published.or(tags.published);
    let published = published.or(visible.item_published).map(normalized);
    let modified = linked.modified.or(tags.modified).or(visible.item_modified);
    let modified = modified.map(normalized);
    let mut byline = byline::Byline::default();
    if authors.is_empty() || published.is_none() || modified.is_none() {
        byline = byline::read(document, visible.byline_at, heading, &visible.headings);
    }
    Metadata {
        title,
        authors: if authors.is_empty() {
            byline.authors
        } else {
            authors
        },
        published: published.or_else(|| {
            // The first time of a page may be that of a clock.
            let time = visible.time_after_title.or(visible.time).map(normalized);
            match (byline.published, time) {
                (Some(date), Some(time)) if time.starts_with(&date) => Some(time),
                (date, time) => date.or(time),
            }
        }),
        modified: modified.or(byline.modified),
        canonical: tags.canonical.or(tags.og_url).or(linked.url),
        site,
        language: tags.language.or(linked.language),
        description: tags.description.or(linked.description),
        base: tags.base,
        declared,
        text: linked.text,
        heading,
    }
}

/// A date, as it is in the source. `None` if the text has no year, or the year of a template.
fn date(text: &str) -> Option<String> {
    if text.len() > crate::limits::DATE {
        return None;
    }
    let mut year = false;
    for number in text.split(|character: char| !character.is_ascii_digit()) {
        year |= match number.len() {
            4 | 8 => number
                .get(..4)
                .is_some_and(|year| ("1900".."2100").contains(&year)),
            _ => false,
        };
    }
    year.then(|| tidy(text))?
}

/// A date as RFC 3339, or as it is if it is not clear.
fn normalized(date: String) -> String {
    // `Updated: Feb 17, 2018`
    let label = date.split_once(": ");
    let is_label = |label: &str| label.chars().all(char::is_alphabetic);
    let value = label.map_or(
        date.as_str(),
        |(label, value)| {
            if is_label(label) { value } else { &date }
        },
    );
    dates::clear(value).unwrap_or(date)
}

/// The visible text of an element, tidied. `limit` is a maximum in bytes, after which the text is
/// not read.
pub(crate) fn text_of(document: &Document, id: Id, limit: usize) -> Option<String> {
    // Most texts are short, and the limit may be large.
    let mut text = String::with_capacity(limit.min(128));
    let mut nodes = document.subtree(id);
    let mut visited = 0_usize;
    while let Some(node) = nodes.next() {
        visited = visited.saturating_add(1);
        if visited > crate::limits::TEXT_NODES {
            return None;
        }
        match document.tag(node) {
            _ if node != id && document.is_hidden(node) => nodes.skip_children_of(node),
            None => text.push_str(document.text(node).unwrap_or_default()),
            Some(Tag::Script | Tag::Style | Tag::Template | Tag::Svg) => {
                nodes.skip_children_of(node);
            }
            Some(tag) if tag.is_block() || tag == Tag::Br => {
                if !text.is_empty() && !text.ends_with(' ') {
                    text.push(' ');
                }
            }
            Some(_) => {}
        }
        if text.len() > limit {
            return None;
        }
    }
    tidied(text)
}

/// The name in a byline, without `By` and without other facts after it. `None` if the text is
/// not a name.
fn person(text: &str) -> Option<String> {
    let text = tidy(text).filter(|text| text.len() <= crate::limits::META_CONTENT)?;
    let mut name = text.as_str();
    for prefix in [
        "by:",
        "by ",
        "written by ",
        "posted by ",
        "door ",
        "par ",
        "por ",
        "von ",
    ] {
        // `Von Miller` is a name.
        let same_case = matches!(prefix, "door " | "par " | "por " | "von ");
        if let Some(start) = name.get(..prefix.len())
            && start.eq_ignore_ascii_case(prefix)
            && (start == prefix || !same_case)
        {
            name = name.get(prefix.len()..).unwrap_or_default().trim();
        }
    }
    // A label precedes the name, or a date follows it.
    let name = name.rsplit_once(": ").map_or(name, |(_, name)| name);
    let end = name
        .find(['|', '•', '·', '(', '\u{2022}'])
        .unwrap_or(name.len());
    let name = name
        .get(..end)?
        .trim()
        .trim_end_matches([',', '-', '–', '@']);
    let words = name.split(' ').count();
    let is_name = !name.is_empty()
        && words <= crate::limits::NAME_WORDS
        && name.len() <= crate::limits::NAME
        && !name.contains("://")
        && name.bytes().filter(u8::is_ascii_digit).count() < 3
        && name.chars().any(char::is_alphabetic);
    is_name.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom;

    fn metadata(html: &str) -> Metadata {
        of(&dom::parse(html))
    }

    #[test]
    fn open_graph_gives_title_site_and_dates() {
        let found = metadata(
            "<html lang=de><head><title>Titel | Blatt</title>\
             <meta property=og:title content='Titel'><meta property=og:site_name content=Blatt>\
             <meta property=og:type content=article>\
             <meta property=article:published_time content=2024-05-01T10:00:00Z>\
             <meta property=article:modified_time content=2024-05-02>\
             <meta name=author content='By Anna Beta'>\
             <link rel='canonical' href='https://example.org/a'></head>",
        );
        assert_eq!(found.title.as_deref(), Some("Titel"));
        assert_eq!(found.site.as_deref(), Some("Blatt"));
        assert_eq!(found.published.as_deref(), Some("2024-05-01T10:00:00Z"));
        assert_eq!(found.modified.as_deref(), Some("2024-05-02"));
        assert_eq!(found.authors, ["Anna Beta"]);
        assert_eq!(found.canonical.as_deref(), Some("https://example.org/a"));
        assert_eq!(found.language.as_deref(), Some("de"));
        assert_eq!(found.declared, Declared::Article);
    }

    #[test]
    fn title_equal_to_heading_and_site_loses_site() {
        let found = metadata("<title>How to sail – The Boat Log</title><h1>How to sail</h1>");
        assert_eq!(found.title.as_deref(), Some("How to sail"));
        assert!(found.heading.is_some());
    }

    #[test]
    fn title_with_dash_without_proof_is_kept() {
        let found = metadata("<title>Paris – Dakar</title><h1>News</h1>");
        assert_eq!(found.title.as_deref(), Some("Paris – Dakar"));
    }

    #[test]
    fn microdata_and_byline_give_author_and_date() {
        let found = metadata(
            "<div itemscope itemtype='http://schema.org/BlogPosting'><h1 itemprop=headline>A tale</h1>\
             <span itemprop=author itemscope><span itemprop=name>C. Delta</span></span>\
             <time itemprop=datePublished datetime=2020-01-02>2 January</time></div>",
        );
        assert_eq!(found.authors, ["C. Delta"]);
        assert_eq!(found.published.as_deref(), Some("2020-01-02"));
        assert_eq!(found.title.as_deref(), Some("A tale"));
        assert_eq!(found.declared, Declared::Article);
        let found =
            metadata("<p class=byline>By Emil Foo | Staff</p><time datetime=2021-02-03>x</time>");
        assert_eq!(found.authors, ["Emil Foo"]);
        assert_eq!(found.published.as_deref(), Some("2021-02-03"));
    }

    #[test]
    fn times_without_year_are_not_dates() {
        let found = metadata(
            "<meta property=article:published_time content=0001-01-01T00:00:00Z>\
             <time datetime='12:55 AM'>12:55</time><time datetime=20210203T101500>x</time>",
        );
        assert_eq!(found.published.as_deref(), Some("2021-02-03T10:15:00"));
    }

    #[test]
    fn byline_with_label_or_date_gives_name() {
        let found = metadata("<p class=byline>Text: Emil Foo</p>");
        assert_eq!(found.authors, ["Emil Foo"]);
        let found = metadata("<p class=byline>Emil Foo Monday, 4 May 2020</p>");
        assert_eq!(found.authors, ["Emil Foo"]);
        assert_eq!(found.published.as_deref(), Some("2020-05-04"));
    }

    #[test]
    fn clear_dates_are_normalized_and_others_stay() {
        for (content, expected) in [
            ("19 Nov 2019 07:09 GMT", "2019-11-19T07:09:00Z"),
            ("Updated: November 19, 2019", "2019-11-19"),
            ("2019-11-19T11:00:09.000+0100", "2019-11-19T11:00:09+01:00"),
            ("03/04/2019", "03/04/2019"),
            ("Dienstag 19. November 2019", "Dienstag 19. November 2019"),
        ] {
            let found = metadata(&format!("<meta name=date content='{content}'>"));
            assert_eq!(found.published.as_deref(), Some(expected));
        }
    }

    #[test]
    fn titles_and_descriptions_that_are_escaped_twice_are_decoded() {
        let found = metadata(
            "<meta property=og:title content='Q &amp;amp; A: &amp;quot;Tom&amp;#39;s&amp;quot;'>\
             <meta name=description content='The &amp;lt; sign'>\
             <meta name=author content='Pat O&amp;#39;Hara'>",
        );
        assert_eq!(found.title.as_deref(), Some("Q & A: \"Tom's\""));
        assert_eq!(found.description.as_deref(), Some("The &lt; sign"));
        assert_eq!(found.authors, ["Pat O'Hara"]);
    }

    #[test]
    fn dublin_core_names_are_read() {
        let found = metadata(
            "<meta name=DC.title content='On owls'><meta name=DC.creator content='G. Hill'>\
             <meta name=dcterms.date content=1999-12-31><meta name=DC.language content=en>",
        );
        assert_eq!(found.title.as_deref(), Some("On owls"));
        assert_eq!(found.authors, ["G. Hill"]);
        assert_eq!(found.published.as_deref(), Some("1999-12-31"));
        assert_eq!(found.language.as_deref(), Some("en"));
    }
}
