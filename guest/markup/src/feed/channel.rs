//! The elements of RSS, Atom and CDF as a feed.

use super::fields;
use super::items;
use super::model::{Author, Feed};
use super::text::{Default as Unspecified, Text};
use super::tree::Tree;
use super::vocabulary::Vocabulary;
use crate::dates;
use crate::limits::{FEED_ITEMS, ITEM_FACTS, VERSION_CHARS};
use crate::url;

/// The format of a feed by its root element.
fn format(tree: &Tree<'_>, root: usize) -> String {
    let attributes = tree.attributes(root).to_ascii_lowercase();
    let version = tree.attribute(root, "version").unwrap_or_default();
    let version: String = version.chars().take(VERSION_CHARS).collect();
    if tree.is(root, "rss") {
        format!("RSS {version}").trim_end().to_owned()
    } else if tree.is(root, "feed") || tree.is(root, "entry") {
        let name = match version.as_str() {
            _ if attributes.contains("2005/atom") => "Atom 1.0",
            "0.3" => "Atom 0.3",
            _ if attributes.contains("purl.org/atom/ns") => "Atom 0.3",
            _ => "Atom",
        };
        name.to_owned()
    } else if tree.is(root, "channel") {
        "CDF".to_owned()
    } else {
        let name = if attributes.contains("netscape.com/rdf") {
            "RSS 0.9"
        } else {
            "RSS 1.0"
        };
        name.to_owned()
    }
}

/// Whether an element is an item of the feed.
fn is_item(tree: &Tree<'_>, root: usize, index: usize) -> bool {
    let item = |index| tree.is(index, "item") || tree.is(index, "entry");
    let parent = tree.element(index).map_or(0, |element| element.parent);
    item(index)
        && (index == root
            || parent == root
            || tree.is(parent, "channel")
            || tree.is(parent, "items")
            || item(parent))
}

/// Reads a feed.
pub fn feed(tree: &Tree<'_>, root: usize, url: Option<&str>) -> Feed {
    let atom = tree.is(root, "feed") || tree.is(root, "entry");
    let mut feed = Feed {
        format: format(tree, root),
        language: tree.attribute(root, "lang"),
        ..Feed::default()
    };
    let channel = tree
        .child(root, "channel")
        .filter(|_| !atom)
        .unwrap_or(root);
    feed.link = tree
        .attribute(channel, "href")
        .and_then(|href| tree.resolve(channel, &href));
    feed.updated = tree.attribute(channel, "lastmod");
    if !tree.is(root, "entry") {
        let mut found = Fields::default();
        tree.children(channel)
            .for_each(|field| found.read(tree, field, atom, &mut feed));
        if channel != root {
            tree.children(root)
                .for_each(|field| found.read(tree, field, atom, &mut feed));
        }
        feed.base = [
            url.map(str::to_owned),
            found.self_link.clone(),
            feed.link.clone(),
        ]
        .into_iter()
        .flatten()
        .find(|url| url::is_absolute(url))
        .unwrap_or_default();
        found.finish(&mut feed);
    } else {
        url.unwrap_or_default().clone_into(&mut feed.base);
    }
    for index in tree.all().filter(|&index| is_item(tree, root, index)) {
        feed.count = feed.count.saturating_add(1);
        if feed.items.len() < FEED_ITEMS {
            feed.items.push(items::item(tree, index, atom, &feed.base));
        }
    }
    feed.tags.truncate(ITEM_FACTS);
    feed.authors.truncate(ITEM_FACTS);
    feed.contributors.truncate(ITEM_FACTS);
    feed
}

/// Fields of a feed that depend on others.
#[derive(Debug, Default)]
struct Fields {
    self_link: Option<String>,
    /// Descriptions by precedence.
    descriptions: [String; 3],
    titles: [String; 2],
    authors: [Vec<Author>; 2],
}

impl Fields {
    fn read(&mut self, tree: &Tree<'_>, index: usize, atom: bool, feed: &mut Feed) {
        use Vocabulary::{Core, Dc, DcTerms, Itunes};
        let Some(element) = tree.element(index) else {
            return;
        };
        let default = if atom {
            Unspecified::Plain
        } else {
            Unspecified::Guess
        };
        let line = || {
            Text::of(tree, index, default)
                .map(|text| text.line())
                .unwrap_or_default()
        };
        let date = || Some(dates::normalized(&tree.text(index))).filter(|date| !date.is_empty());
        let set = |slot: &mut Option<String>, value: Option<String>| *slot = value.or(slot.take());
        let [first_authors, second_authors] = &mut self.authors;
        let [first, second, third] = &mut self.descriptions;
        let [title, other_title] = &mut self.titles;
        let fill = |slot: &mut String, value: String| {
            if slot.is_empty() {
                *slot = value;
            }
        };
        match (
            element.vocabulary,
            element.name.to_ascii_lowercase().as_str(),
        ) {
            (Core, "title") => fill(title, line()),
            (Dc, "title") => fill(other_title, line()),
            (Core, "subtitle" | "tagline" | "description") => fill(first, line()),
            (Core | Itunes | Dc, "abstract" | "summary") => fill(second, line()),
            (Core, "info") | (Itunes, "subtitle") => fill(third, line()),
            (Core, "link") => self.link(tree, index, feed),
            (Core | Dc, "language") => set(&mut feed.language, Some(line())),
            (Core | Dc, "copyright" | "rights") => fill(&mut feed.rights, line()),
            (Core, "updated" | "modified" | "lastbuilddate") | (DcTerms, "modified") => {
                set(&mut feed.updated, date());
            }
            (Dc, "date") if feed.updated.is_none() => feed.updated = date(),
            (Core, "pubdate" | "published" | "issued") | (DcTerms, "issued") => {
                set(&mut feed.published, date());
            }
            (Core | DcTerms, "created") if feed.published.is_none() => feed.published = date(),
            (Core, "author" | "managingeditor") | (Dc, "creator" | "author") => {
                first_authors.extend(fields::author(tree, index));
            }
            (Core | Dc, "contributor") => feed.contributors.extend(fields::author(tree, index)),
            (Itunes, "author" | "owner") | (Core, "webmaster") => {
                second_authors.extend(fields::author(tree, index));
            }
            (Core | Itunes, "category" | "keywords") | (Dc, "subject") => {
                fields::tags(tree, index, &mut feed.tags);
            }
            _ => {}
        }
    }

    fn link(&mut self, tree: &Tree<'_>, index: usize, feed: &mut Feed) {
        let (rel, mime, href) = fields::link(tree, index);
        let Some(href) = href else { return };
        match rel.as_str() {
            "alternate" if feed.link.is_none() || mime.contains("html") => feed.link = Some(href),
            "self" => self.self_link = Some(href),
            "next" | "prev-archive" => feed.next = Some(href),
            _ => {}
        }
    }

    fn finish(self, feed: &mut Feed) {
        let first = |slots: &[String]| {
            slots
                .iter()
                .find(|slot| !slot.is_empty())
                .cloned()
                .unwrap_or_default()
        };
        feed.title = first(&self.titles);
        feed.description = first(&self.descriptions);
        let [first, second] = self.authors;
        feed.authors = if first.is_empty() { second } else { first };
        // A feed without a page is known by its own URL.
        let link = feed.link.take().or(self.self_link);
        feed.link = link.and_then(|link| url::resolve(&feed.base, &link));
        for author in feed.authors.iter_mut().chain(&mut feed.contributors) {
            author.url = author
                .url
                .take()
                .and_then(|page| url::resolve(&feed.base, &page));
        }
        feed.next = feed
            .next
            .take()
            .and_then(|next| url::resolve(&feed.base, &next));
    }
}
