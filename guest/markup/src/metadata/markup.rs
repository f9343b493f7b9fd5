//! Metadata in the visible markup of a page.

use super::{Declared, date, person, text_of, tidy};
use crate::dom::{Document, Id, Name, Tag};
use crate::limits;

/// The facts that the visible markup states. The first of several counts.
#[derive(Debug, Default)]
pub struct Visible {
    pub title: Option<String>,
    pub item_title: Option<String>,
    pub item_authors: Vec<String>,
    pub item_published: Option<String>,
    pub item_modified: Option<String>,
    pub rel_authors: Vec<String>,
    pub byline: Option<String>,
    pub time: Option<String>,
    pub declared: Declared,
    /// Headings of levels 1 and 2 that may repeat the title.
    pub headings: Vec<Id>,
    /// The first element with the class of a byline.
    pub byline_at: Option<Id>,
}

impl Visible {
    pub fn read(&mut self, document: &Document, id: Id, tag: Tag) {
        match tag {
            Tag::Title if self.title.is_none() => {
                self.title = text_of(document, id, limits::META_CONTENT);
            }
            Tag::H1 | Tag::H2 if self.headings.len() < limits::TITLE_HEADINGS => {
                self.headings.push(id);
            }
            Tag::Time if self.time.is_none() => {
                self.time = document.attribute(id, Name::Datetime).and_then(date);
            }
            _ => {}
        }
        self.property(document, id);
        if let Some(kind) = document.attribute(id, Name::Itemtype)
            && self.declared == Declared::Nothing
        {
            self.declared = declared(kind);
        }
        if tag == Tag::A
            && self.rel_authors.is_empty()
            && let Some(rel) = document.attribute(id, Name::Rel)
            && rel.split_ascii_whitespace().any(|word| word == "author")
        {
            let name = text_of(document, id, limits::NAME);
            self.rel_authors.extend(name.as_deref().and_then(person));
        }
        if self.byline_at.is_none()
            && let Some(class) = document.attribute(id, Name::Class)
            && is_byline(class)
        {
            self.byline_at = Some(id);
        }
    }

    /// Reads a property of microdata, if the element is one.
    pub fn property(&mut self, document: &Document, id: Id) {
        let property = document.attribute(id, Name::Itemprop).unwrap_or_default();
        for word in property.split_ascii_whitespace() {
            match word {
                "headline" if self.item_title.is_none() => {
                    self.item_title = value(document, id);
                }
                "author" | "creator" if self.item_authors.is_empty() => {
                    let name = document
                        .subtree(id)
                        .skip(1)
                        .take(limits::NAME)
                        .find(|inner| document.attribute(*inner, Name::Itemprop) == Some("name"))
                        .unwrap_or(id);
                    let name = value(document, name);
                    self.item_authors.extend(name.as_deref().and_then(person));
                }
                "datePublished" | "dateCreated" if self.item_published.is_none() => {
                    self.item_published = value(document, id).as_deref().and_then(date);
                }
                "dateModified" if self.item_modified.is_none() => {
                    self.item_modified = value(document, id).as_deref().and_then(date);
                }
                _ => {}
            }
        }
    }

    /// Reads what was found but may not be needed.
    pub fn finish(&mut self, document: &Document) {
        if let Some(id) = self.byline_at {
            let text = text_of(document, id, limits::META_CONTENT);
            self.byline = text.as_deref().and_then(person);
        }
    }
}

/// The value of a property of microdata.
fn value(document: &Document, id: Id) -> Option<String> {
    document
        .attribute(id, Name::Content)
        .or_else(|| document.attribute(id, Name::Datetime))
        .and_then(tidy)
        .or_else(|| text_of(document, id, limits::META_CONTENT))
}

fn declared(kind: &str) -> Declared {
    let name = kind.trim().rsplit('/').next().unwrap_or_default();
    match name {
        "Product" => Declared::Product,
        "QAPage" | "Question" | "DiscussionForumPosting" => Declared::Discussion,
        "TechArticle" | "APIReference" => Declared::Documentation,
        "CollectionPage" | "SearchResultsPage" => Declared::List,
        "Recipe" => Declared::Article,
        _ if name.ends_with("Article") || name.ends_with("Posting") => Declared::Article,
        _ => Declared::Nothing,
    }
}

fn is_byline(class: &str) -> bool {
    class.split_ascii_whitespace().any(|word| {
        [
            "byline",
            "author",
            "author-name",
            "article-author",
            "post-author",
            "entry-author",
        ]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
    })
}
