//! Feeds as Markdown.
//!
//! ```text
//! render      a feed → Markdown
//! channel     elements → a feed
//! items       elements → its items
//! fields      links, persons and categories
//! json        JSON Feed → a feed
//! lists       OPML and sitemaps → Markdown
//! text        elements → plain text, HTML
//! tree        a document → elements
//! vocabulary  namespaces
//! excerpt     summaries that repeat the content
//! ```

mod channel;
mod duration;
mod excerpt;
mod fields;
mod headings;
mod items;
mod json;
mod lists;
mod model;
mod render;
mod text;
mod tree;
mod vocabulary;

use crate::Converted;
use crate::detect::{Format, root_format};
use crate::limits::{FEED_ELEMENTS, FEED_HEAD, FEED_ROOT_ELEMENTS, JUNK};
use crate::xml::tokens::slice;
use tree::Tree;

/// Converts a feed. `None` if the text is not a feed. `url` is the URL to which links are relative.
pub fn convert(text: &str, url: Option<&str>) -> Option<Converted> {
    let text = text.trim_start_matches(|c: char| c == '\u{FEFF}' || c.is_whitespace() || c == '\0');
    if text.starts_with('{') {
        return json::feed(text, url).map(|feed| render::converted(&feed));
    }
    let declaration = memchr::memmem::find(text.as_bytes(), b"<?xml").filter(|&at| at <= JUNK);
    let text = text.get(declaration.unwrap_or_default()..)?;
    let tree = Tree::new(text);
    let root = tree.all().take(FEED_ROOT_ELEMENTS).find(|&index| {
        let name = tree.element(index).map_or("", |element| element.name);
        [
            "rss",
            "rdf",
            "feed",
            "entry",
            "channel",
            "opml",
            "urlset",
            "sitemapindex",
        ]
        .iter()
        .any(|root| root.eq_ignore_ascii_case(name))
    })?;
    if root_format(head(text, &tree, root)) != Some(Format::Feed) {
        return None;
    }
    let mut converted = match tree.element(root)?.name.to_ascii_lowercase().as_str() {
        "opml" => lists::outline(&tree, root),
        "urlset" | "sitemapindex" => lists::sitemap(&tree, root, url),
        _ => render::converted(&channel::feed(&tree, root, url)),
    };
    if let Some(fault) = tree.fault {
        let line = memchr::memchr_iter(b'\n', slice(text, 0, fault.at).as_bytes())
            .count()
            .saturating_add(1);
        converted.notes.push(format!(
            "damaged XML: {} (line {line}); the feed is read as far as possible",
            fault.reason
        ));
    }
    if tree.has_unknown_entity() {
        converted
            .notes
            .push("entities of the DTD are not expanded".to_owned());
    }
    if tree.truncated {
        converted.notes.push(format!(
            "the feed has more than {FEED_ELEMENTS} elements; the rest is not read"
        ));
    }
    Some(converted)
}

/// The beginning of a document from its root element.
fn head<'a>(text: &'a str, tree: &Tree<'a>, root: usize) -> &'a str {
    let start = tree.start_of(root);
    let end = text.floor_char_boundary(start.saturating_add(FEED_HEAD));
    slice(text, start, end)
}

#[cfg(test)]
mod tests;
