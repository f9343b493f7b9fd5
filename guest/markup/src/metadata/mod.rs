//! The metadata of a page: title, authors, dates, language and canonical URL.
//!
//! ```text
//! json_ld   <script type="application/ld+json">
//! tags      <meta> and <link>: Open Graph, Twitter, Dublin Core, plain names
//! markup    the page itself: microdata, links to authors, times, headings
//! byline    the line next to the title: names and dates
//! names     the names in a byline
//! classes   elements with a byline
//! text      white space, texts of elements, and texts that are escaped twice
//! values    dates and names of persons
//! facts     the types of the facts
//! title     the title without the name of the site
//! ```
//!
//! Sources that a page writes for machines take precedence over its visible text.

mod byline;
mod classes;
mod facts;
mod json_ld;
mod markup;
mod names;
mod tags;
mod text;
mod title;
mod values;

use crate::dom::{Document, Id, Tag};
pub use facts::{Declared, Metadata};
pub(crate) use text::text_of;
use values::normalized;

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
