//! Elements that feeds and items have: links, persons and categories.

use super::model::Author;
use super::text::one_line;
use super::tree::Tree;
use crate::limits::ITEM_FACTS;

/// The relation, the MIME type and the URL of a link.
pub fn link(tree: &Tree<'_>, index: usize) -> (String, String, Option<String>) {
    let rel = tree
        .attribute(index, "rel")
        .unwrap_or_default()
        .to_ascii_lowercase();
    let rel = rel
        .rsplit('/')
        .next()
        .filter(|rel| !rel.is_empty())
        .unwrap_or("alternate")
        .to_owned();
    let mime = tree.attribute(index, "type").unwrap_or_default();
    // An `href` may be empty: the document itself.
    let has_href = tree.attributes(index).to_ascii_lowercase().contains("href");
    let href = tree.attribute(index, "href");
    let href = match href {
        Some(href) => Some(href),
        None if has_href => Some(String::new()),
        None if rel == "alternate" => Some(tree.text(index)).filter(|text| !text.is_empty()),
        None => None,
    };
    (
        rel,
        mime,
        href.and_then(|href| tree.resolve(index, &href))
            .filter(|href| !href.is_empty()),
    )
}

/// A person. `None` if the element is empty.
pub fn author(tree: &Tree<'_>, index: usize) -> Option<Author> {
    let mut author = Author::default();
    for child in tree.children(index) {
        let Some(element) = tree.element(child) else {
            continue;
        };
        let text = || one_line(&tree.text(child));
        match element.name.to_ascii_lowercase().as_str() {
            "name" => author.name = text(),
            "email" => author.email = text(),
            "uri" | "url" | "homepage" => author.url = tree.resolve(child, &text()),
            _ => {}
        }
    }
    if author.is_empty() {
        author = Author::parse(&tree.text(index));
    } else if author.email.is_empty() {
        let url = author.url.take();
        author = Author {
            url,
            ..Author::parse(&author.name)
        };
    }
    Some(author).filter(|author| !author.is_empty())
}

/// Adds the categories of an element.
pub fn tags(tree: &Tree<'_>, index: usize, tags: &mut Vec<String>) {
    let Some(element) = tree.element(index) else {
        return;
    };
    let value = ["label", "term", "text"]
        .iter()
        .find_map(|name| tree.attribute(index, name));
    let text = value.unwrap_or_else(|| {
        if element.markup {
            String::new()
        } else {
            tree.text(index)
        }
    });
    let listed = element.name.eq_ignore_ascii_case("keywords");
    let parts = text
        .split(|c| listed && c == ',')
        .map(one_line)
        .filter(|tag| !tag.is_empty());
    for tag in parts.take(ITEM_FACTS) {
        if tags.len() < ITEM_FACTS && !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    for child in tree.children(index).take(ITEM_FACTS) {
        if let Some(text) = tree.attribute(child, "text").map(|text| one_line(&text))
            && tags.len() < ITEM_FACTS
            && !tags.contains(&text)
        {
            tags.push(text);
        }
    }
}
