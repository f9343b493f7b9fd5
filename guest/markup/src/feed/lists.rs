//! OPML and sitemaps as lists of links.

use super::render::label;
use super::text::one_line;
use super::tree::Tree;
use super::vocabulary::Vocabulary;
use crate::Converted;
use crate::dates;
use crate::limits::{FEED_LINKS, VERSION_CHARS, XML_LEVELS};
use crate::url;
use omniread_document::markdown::escape::destination;

/// OPML as a nested list.
pub fn outline(tree: &Tree<'_>, root: usize) -> Converted {
    let version = tree.attribute(root, "version").unwrap_or_default();
    let version: String = version.chars().take(VERSION_CHARS).collect();
    let head = tree.child(root, "head");
    let fact = |name| {
        let text = head
            .and_then(|head| tree.child(head, name))
            .map(|index| one_line(&tree.text(index)));
        text.filter(|text| !text.is_empty())
    };
    let title = fact("title");
    let mut text = title
        .iter()
        .map(|title| format!("# {title}\n"))
        .collect::<String>();
    let mut count = 0usize;
    let mut lines = String::new();
    // The open outlines: the level of an outline is the number of outlines around it.
    let mut open: Vec<usize> = Vec::new();
    for index in tree.all().filter(|&index| tree.is(index, "outline")) {
        let parent = tree.element(index).map_or(0, |element| element.parent);
        while open.last().is_some_and(|&last| last != parent) {
            open.pop();
        }
        count = count.saturating_add(1);
        if count <= FEED_LINKS {
            lines.push('\n');
            lines.extend(std::iter::repeat_n("  ", open.len().min(XML_LEVELS)));
            lines.push_str("- ");
            lines.push_str(&outline_text(tree, index));
        }
        open.push(index);
    }
    text.push_str(&lines);
    let metadata = [
        Some(("format", format!("OPML {version}").trim_end().to_owned())),
        title.map(|title| ("title", title)),
        fact("dateModified").map(|date| ("updated", dates::normalized(&date))),
        fact("ownerName").map(|name| ("author", name)),
        Some(("items", count.to_string())),
    ];
    Converted {
        text: text.trim_matches('\n').to_owned(),
        metadata: metadata.into_iter().flatten().collect(),
        notes: omitted(count).into_iter().collect(),
        ..Converted::default()
    }
}

/// A link to the feed, and one to its page.
fn outline_text(tree: &Tree<'_>, index: usize) -> String {
    let value = |name| tree.attribute(index, name);
    let text = value("text")
        .or_else(|| value("title"))
        .map(|text| one_line(&text))
        .unwrap_or_default();
    let links = [value("xmlUrl"), value("htmlUrl"), value("url")];
    let mut links = links
        .into_iter()
        .flatten()
        .filter_map(|link| url::resolve("", &link));
    let mut line = match links.next() {
        Some(link) => {
            let shown = if text.is_empty() {
                link.as_str()
            } else {
                text.as_str()
            };
            format!("[{}]({})", label(shown), destination(&link))
        }
        None => text,
    };
    if let Some(page) = links.next() {
        line.push_str(&format!(" ([page]({}))", destination(&page)));
    }
    line
}

/// A sitemap, or an index of sitemaps, as a list of links with dates.
pub fn sitemap(tree: &Tree<'_>, root: usize, url: Option<&str>) -> Converted {
    let base = url.unwrap_or_default();
    let index = tree.is(root, "sitemapindex");
    let mut count = 0usize;
    let mut lines = Vec::new();
    for entry in tree
        .children(root)
        .filter(|&entry| tree.is(entry, "url") || tree.is(entry, "sitemap"))
    {
        let text = |name| {
            tree.child(entry, name)
                .map(|index| one_line(&tree.text(index)))
        };
        let Some(link) = text("loc")
            .filter(|link| !link.is_empty())
            .and_then(|link| url::resolve(base, &link))
        else {
            continue;
        };
        count = count.saturating_add(1);
        if count > FEED_LINKS {
            continue;
        }
        let mut line = match title(tree, entry) {
            Some(title) => format!("- [{}]({})", label(&title), destination(&link)),
            None => format!("- {link}"),
        };
        if let Some(date) = text("lastmod").filter(|date| !date.is_empty()) {
            line.push_str(" · ");
            line.push_str(&dates::normalized(&date));
        }
        lines.push(line);
    }
    let format = if index { "sitemap index" } else { "sitemap" };
    Converted {
        text: lines.join("\n"),
        metadata: vec![("format", format.to_owned()), ("items", count.to_string())],
        notes: omitted(count).into_iter().collect(),
        ..Converted::default()
    }
}

/// The title that an extension for news or videos gives.
fn title(tree: &Tree<'_>, entry: usize) -> Option<String> {
    let extension = |index: &usize| {
        tree.element(*index)
            .is_some_and(|element| element.vocabulary == Vocabulary::Sitemap)
    };
    let named = |index: &usize| {
        tree.element(*index)
            .is_some_and(|element| element.name.eq_ignore_ascii_case("title"))
    };
    let mut titles = tree
        .children(entry)
        .filter(extension)
        .filter_map(|news| tree.children(news).find(named));
    titles
        .next()
        .map(|index| one_line(&tree.text(index)))
        .filter(|title| !title.is_empty())
}

fn omitted(count: usize) -> Option<String> {
    (count > FEED_LINKS).then(|| format!("{FEED_LINKS} of {count} links are shown"))
}
