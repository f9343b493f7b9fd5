//! JSON Feed: <https://www.jsonfeed.org/version/1.1/>.

mod parts;

use serde::de::DeserializeSeed;
use serde_json::{Deserializer, Value};

use super::duration::duration;
use super::model::{Author, Feed, File, Item};
use super::text::{Body, Text, one_line};
use crate::dates;
use crate::{limits, url};
use parts::{Items, Part};

/// Reads a JSON Feed. `None` if the text is not one.
pub fn feed(text: &str, url: Option<&str>) -> Option<Feed> {
    let mut json = Deserializer::from_str(text);
    let root = Part::whole().deserialize(&mut json).ok()?;
    json.end().ok()?;
    let version = string(&root, "version");
    let (_, version) = version.split_once("//jsonfeed.org/version/")?;
    let link = address(&root, "home_page_url").or_else(|| address(&root, "feed_url"));
    let bases = [
        url.map(str::to_owned),
        address(&root, "feed_url"),
        link.clone(),
    ];
    let base = bases
        .into_iter()
        .flatten()
        .find(|url| url::is_absolute(url))
        .unwrap_or_default();
    let mut items = Items::new(|value| item(value, &base));
    let read = items.deserialize(&mut Deserializer::from_str(text));
    // An error in the type of a value: the items are not an array.
    if read.is_err_and(|error| !error.is_data()) {
        return None;
    }
    let (items, count) = (items.kept, items.count);
    let resolved = |link: String| url::resolve(&base, &link);
    Some(Feed {
        format: format!(
            "JSON Feed {}",
            version
                .chars()
                .take(limits::VERSION_CHARS)
                .collect::<String>()
        ),
        title: one_line(&string(&root, "title")),
        description: one_line(&string(&root, "description")),
        link: link.and_then(resolved),
        next: address(&root, "next_url").and_then(resolved),
        authors: authors(&root, &base),
        language: Some(string(&root, "language")).filter(|language| !language.is_empty()),
        items,
        count,
        base,
        ..Feed::default()
    })
}

/// A string, or a number as a string. Empty if the member is missing.
fn string(value: &Value, name: &str) -> String {
    match value.get(name) {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn address(value: &Value, name: &str) -> Option<String> {
    Some(string(value, name)).filter(|address| !address.is_empty())
}

fn array<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value
        .get(name)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// The persons of version 1.1, or the one of version 1.
fn authors(value: &Value, base: &str) -> Vec<Author> {
    let author = |value: &Value| Author {
        name: one_line(&string(value, "name")),
        email: String::new(),
        url: address(value, "url").and_then(|page| url::resolve(base, &page)),
    };
    let mut authors: Vec<_> = array(value, "authors").map(author).collect();
    if authors.is_empty() {
        authors.extend(value.get("author").map(author));
    }
    authors.retain(|author| !author.is_empty());
    authors
}

fn item(value: &Value, base: &str) -> Item {
    let resolved = |link: String| url::resolve(base, &link);
    let date = |name| address(value, name).map(|date| dates::normalized(&date));
    let text = |body| Text {
        body,
        base: String::new(),
    };
    let html = address(value, "content_html").map(Body::Html);
    let content = html.or_else(|| address(value, "content_text").map(Body::Plain));
    let external = address(value, "external_url").and_then(resolved);
    let identifier = address(value, "id").filter(|id| url::is_absolute(id));
    let link = address(value, "url").and_then(resolved).or(identifier);
    Item {
        title: one_line(&string(value, "title")),
        published: date("date_published"),
        updated: date("date_modified"),
        authors: authors(value, base),
        tags: array(value, "tags")
            .filter_map(Value::as_str)
            .map(one_line)
            .collect(),
        summary: address(value, "summary").map(|summary| text(Body::Plain(summary))),
        content: content.map(text).into_iter().collect(),
        files: array(value, "attachments")
            .filter_map(|value| file(value, base))
            .collect(),
        links: external
            .clone()
            .filter(|_| link.is_some())
            .map(|url| ("Via".to_owned(), String::new(), url))
            .into_iter()
            .collect(),
        image: address(value, "image")
            .or_else(|| address(value, "banner_image"))
            .and_then(resolved),
        link: link.or(external),
        ..Item::default()
    }
}

fn file(value: &Value, base: &str) -> Option<File> {
    Some(File {
        url: url::resolve(base, &address(value, "url")?)?,
        title: one_line(&string(value, "title")),
        mime: string(value, "mime_type"),
        size: value
            .get("size_in_bytes")
            .and_then(Value::as_u64)
            .filter(|&size| size > 0),
        duration: duration(&string(value, "duration_in_seconds")),
    })
}
