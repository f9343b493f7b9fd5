//! Metadata in `<meta>`, `<link>`, `<base>` and `<html>`.

use super::facts::Declared;
use super::text::{tidy, unescaped};
use super::values::{date, person};
use crate::dom::{Document, Id, Name, Tag};
use crate::limits;

/// The facts that the tags of a page state. The first of several counts.
#[derive(Debug, Default)]
pub struct Tags {
    pub og_title: Option<String>,
    pub title: Option<String>,
    pub authors: Vec<String>,
    pub published: Option<String>,
    pub modified: Option<String>,
    pub canonical: Option<String>,
    pub og_url: Option<String>,
    pub site: Option<String>,
    pub language: Option<String>,
    pub description: Option<String>,
    pub base: Option<String>,
    pub declared: Declared,
}

impl Tags {
    pub fn read(&mut self, document: &Document, id: Id, tag: Tag) {
        match tag {
            Tag::Html => {
                let lang = document
                    .attribute(id, Name::Lang)
                    .or_else(|| document.attribute(id, Name::XmlLang));
                set(&mut self.language, lang.unwrap_or_default());
            }
            Tag::Base => set(
                &mut self.base,
                document.attribute(id, Name::Href).unwrap_or_default(),
            ),
            Tag::Link => {
                let rel = document.attribute(id, Name::Rel).unwrap_or_default();
                let mut words = rel.split_ascii_whitespace();
                if words.any(|word| word.eq_ignore_ascii_case("canonical")) {
                    let href = document.attribute(id, Name::Href).unwrap_or_default();
                    set(&mut self.canonical, href);
                }
            }
            _ => self.meta(document, id),
        }
    }

    fn meta(&mut self, document: &Document, id: Id) {
        let Some(content) = document.attribute(id, Name::Content) else {
            return;
        };
        for name in [Name::Property, Name::Name, Name::Itemprop] {
            let Some(key) = document.attribute(id, name) else {
                continue;
            };
            if key.len() <= limits::META_NAME {
                self.named(&key.trim().to_ascii_lowercase(), content);
            }
        }
    }

    fn named(&mut self, key: &str, content: &str) {
        match key {
            "og:title" => set_text(&mut self.og_title, content),
            "twitter:title" | "dc.title" | "dcterms.title" | "citation_title" | "headline"
            | "sailthru.title" | "parsely-title" | "title" => {
                set_text(&mut self.title, content);
            }
            "author" | "article:author" | "dc.creator" | "dcterms.creator" | "citation_author"
            | "sailthru.author" | "parsely-author" | "byl" => self.author(key, content),
            "article:published_time"
            | "og:published_time"
            | "datepublished"
            | "dc.date"
            | "dc.date.issued"
            | "dcterms.date"
            | "dcterms.created"
            | "dcterms.issued"
            | "date"
            | "pubdate"
            | "publishdate"
            | "publish-date"
            | "publish_date"
            | "parsely-pub-date"
            | "sailthru.date"
            | "citation_publication_date"
            | "citation_date"
            | "article.published"
            | "article.created" => {
                set_date(&mut self.published, content);
            }
            "article:modified_time"
            | "og:updated_time"
            | "datemodified"
            | "dcterms.modified"
            | "last-modified"
            | "lastmod"
            | "article.updated" => {
                set_date(&mut self.modified, content);
            }
            "og:url" => set(&mut self.og_url, content),
            "og:site_name" | "application-name" | "dc.publisher" => {
                set_text(&mut self.site, content);
            }
            "og:description"
            | "description"
            | "twitter:description"
            | "dc.description"
            | "dcterms.description" => set_text(&mut self.description, content),
            "language" | "content-language" | "dc.language" | "dcterms.language" => {
                set(&mut self.language, content);
            }
            "og:type" => self.declare(match content.trim() {
                "article" | "blog" | "news" => Declared::Article,
                "product" | "og:product" | "product.item" => Declared::Product,
                _ => Declared::Nothing,
            }),
            "generator" => self.declare(generator(content)),
            _ => {}
        }
    }

    fn author(&mut self, key: &str, content: &str) {
        // Most tags name all authors; this one is repeated.
        let is_read = self.authors.is_empty() || key == "citation_author";
        if is_read && content.len() <= limits::META_CONTENT {
            self.authors.extend(person(&unescaped(content)));
        }
    }

    fn declare(&mut self, declared: Declared) {
        if self.declared == Declared::Nothing {
            self.declared = declared;
        }
    }
}

/// The kind of page that a program writes. Programs that write several kinds are not listed.
fn generator(content: &str) -> Declared {
    const PROGRAMS: &[(&str, Declared)] = &[
        ("antora", Declared::Documentation),
        ("asciidoc", Declared::Documentation),
        ("docfx", Declared::Documentation),
        ("docusaurus", Declared::Documentation),
        ("doxygen", Declared::Documentation),
        ("gitbook", Declared::Documentation),
        ("javadoc", Declared::Documentation),
        ("mkdocs", Declared::Documentation),
        ("pdoc", Declared::Documentation),
        ("rustdoc", Declared::Documentation),
        ("sphinx", Declared::Documentation),
        ("starlight", Declared::Documentation),
        ("typedoc", Declared::Documentation),
        ("vitepress", Declared::Documentation),
        ("discourse", Declared::Discussion),
        ("flarum", Declared::Discussion),
        ("phpbb", Declared::Discussion),
        ("vbulletin", Declared::Discussion),
        ("xenforo", Declared::Discussion),
    ];
    let content = content.to_ascii_lowercase();
    PROGRAMS
        .iter()
        .find(|(program, _)| content.contains(program))
        .map_or(Declared::Nothing, |(_, declared)| *declared)
}

fn set_date(field: &mut Option<String>, content: &str) {
    if field.is_none() {
        *field = date(content);
    }
}

/// Sets a text, which may be escaped twice.
fn set_text(field: &mut Option<String>, content: &str) {
    if field.is_none() && content.len() <= limits::META_CONTENT {
        *field = tidy(&unescaped(content));
    }
}

fn set(field: &mut Option<String>, content: &str) {
    if field.is_none() && content.len() <= limits::META_CONTENT {
        *field = tidy(content);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_or_long_text_is_not_read() {
        let mut field = None;
        set_text(
            &mut field,
            &"a".repeat(limits::META_CONTENT.saturating_add(1)),
        );
        assert_eq!(field, None);
        set_text(&mut field, "Q &amp; A");
        set_text(&mut field, "B");
        assert_eq!(field.as_deref(), Some("Q & A"));
    }
}
