//! The types of the facts about a page.

use crate::dom::Id;

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
