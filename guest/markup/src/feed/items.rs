//! The elements of an item or entry.

use super::duration::duration;
use super::fields::{author, link, tags};
use super::model::{Author, File, Item};
use super::text::{Default as Unspecified, Text, one_line};
use super::tree::Tree;
use super::vocabulary::Vocabulary;
use crate::dates;
use crate::limits::ITEM_FACTS;
use crate::url;

/// Reads an item. Relative links are resolved against `base`.
pub fn item(tree: &Tree<'_>, index: usize, atom: bool, base: &str) -> Item {
    let mut reader = Reader {
        tree,
        atom,
        item: Item::default(),
        fallback: Fallback::default(),
    };
    reader.item.link = tree
        .attribute(index, "href")
        .and_then(|href| tree.resolve(index, &href));
    let modified = tree
        .attribute(index, "lastmod")
        .map(|date| dates::normalized(&date));
    reader.item.updated = modified;
    for field in tree.children(index) {
        reader.field(field);
        // Media RSS puts facts into groups and files.
        if is_media(tree, field, &["group", "content"]) {
            for field in tree.children(field) {
                reader.field(field);
                if is_media(tree, field, &["content"]) {
                    tree.children(field).for_each(|field| reader.field(field));
                }
            }
        }
    }
    let about = tree
        .attribute(index, "about")
        .and_then(|about| tree.resolve(index, &about));
    let fallback = reader.fallback;
    let mut item = reader.item;
    let or = |value: Option<String>, other: Option<String>| {
        value.filter(|value| !value.is_empty()).or(other)
    };
    item.title = or(Some(item.title), fallback.title).unwrap_or_default();
    let link =
        or(item.link.take(), fallback.link).or(about.filter(|about| url::is_absolute(about)));
    item.link = link.and_then(|link| url::resolve(base, &link));
    item.published = item.published.take().or(fallback.date).or(fallback.created);
    item.summary = item.summary.take().or(fallback.summary);
    if item.authors.is_empty() {
        item.authors = fallback.authors;
    }
    item.image = item
        .image
        .take()
        .and_then(|image| url::resolve(base, &image));
    item.files.truncate(ITEM_FACTS);
    item.links.truncate(ITEM_FACTS);
    item.tags.truncate(ITEM_FACTS);
    item.authors.truncate(ITEM_FACTS);
    item.contributors.truncate(ITEM_FACTS);
    for (_, _, link) in &mut item.links {
        *link = url::resolve(base, link).unwrap_or_default();
    }
    for file in &mut item.files {
        file.url = url::resolve(base, &file.url).unwrap_or_default();
    }
    for author in item.authors.iter_mut().chain(&mut item.contributors) {
        author.url = author.url.take().and_then(|page| url::resolve(base, &page));
    }
    item
}

fn is_media(tree: &Tree<'_>, index: usize, names: &[&str]) -> bool {
    tree.element(index).is_some_and(|element| {
        element.vocabulary == Vocabulary::Media && names.contains(&element.name)
    })
}

/// Values that count if an item has no better ones.
#[derive(Debug, Default)]
struct Fallback {
    title: Option<String>,
    link: Option<String>,
    date: Option<String>,
    created: Option<String>,
    summary: Option<Text>,
    authors: Vec<Author>,
    duration: Option<String>,
}

struct Reader<'a, 't> {
    tree: &'t Tree<'a>,
    atom: bool,
    item: Item,
    fallback: Fallback,
}

impl Reader<'_, '_> {
    fn field(&mut self, index: usize) {
        use Vocabulary::{Content, Core, Dc, DcTerms, Feedburner, Itunes, Media, Rdf, Xhtml};
        let tree = self.tree;
        let Some(element) = tree.element(index) else {
            return;
        };
        let typed = if self.atom {
            Unspecified::Plain
        } else {
            Unspecified::Guess
        };
        let line = || {
            Text::of(tree, index, typed)
                .map(|text| text.line())
                .filter(|line| !line.is_empty())
        };
        let date = || Some(dates::normalized(&tree.text(index))).filter(|date| !date.is_empty());
        let item = &mut self.item;
        match (
            element.vocabulary,
            element.name.to_ascii_lowercase().as_str(),
        ) {
            (Core, "title") => item.title = line().unwrap_or_default(),
            (Dc | Media | Itunes, "title") => {
                self.fallback.title = line().or(self.fallback.title.take());
            }
            (Core, "link" | "a") => self.link(index),
            (Feedburner, "origlink") => item.link = tree.resolve(index, &tree.text(index)),
            (Core, "guid" | "id") => self.identifier(index),
            (Core, "pubdate" | "published" | "issued") | (DcTerms, "issued") => {
                item.published = date();
            }
            (Core, "updated" | "modified") | (DcTerms, "modified") => item.updated = date(),
            (Dc | DcTerms, "date") => self.fallback.date = date(),
            (Core | DcTerms, "created") => self.fallback.created = date(),
            (Core, "expirationdate" | "expires") => item.expires = date(),
            (Core, "author") | (Dc, "creator" | "author") => {
                item.authors.extend(author(tree, index));
            }
            (Itunes, "author") => self.fallback.authors.extend(author(tree, index)),
            (Core | Dc, "contributor") => item.contributors.extend(author(tree, index)),
            (Core | Media | Itunes, "category" | "keywords") | (Dc, "subject") => {
                tags(tree, index, &mut item.tags);
            }
            (Core, "description" | "summary" | "abstract" | "tagline" | "subtitle") => {
                self.summary(index);
            }
            (Core, "content" | "body" | "fullitem")
            | (Content, "encoded")
            | (Xhtml, "body" | "div") => self.content(index),
            (Dc | Media, "description") | (Itunes, "summary" | "subtitle") => {
                let text = Text::of(tree, index, Unspecified::Guess);
                self.fallback.summary = self.fallback.summary.take().or(text);
            }
            (Core | Rdf, "enclosure") => self.enclosure(index),
            (Media, "content") => self.media(index),
            (Media, "thumbnail") => {
                let image = tree
                    .attribute(index, "url")
                    .and_then(|image| tree.resolve(index, &image));
                item.image = item.image.take().or(image);
            }
            (Media, "player") => {
                let player = tree
                    .attribute(index, "url")
                    .and_then(|player| tree.resolve(index, &player));
                self.fallback.link = self.fallback.link.take().or(player);
            }
            (Itunes, "duration") => {
                let duration = duration(&tree.text(index));
                match item.files.first_mut() {
                    Some(file) => file.duration = duration,
                    None => self.fallback.duration = Some(duration),
                }
            }
            (Core, "comments") => self.other("Comments", String::new(), &tree.text(index), index),
            (Core, "source") => self.source(index),
            _ => {}
        }
    }

    fn other(&mut self, label: &str, text: String, href: &str, index: usize) {
        let href = self
            .tree
            .resolve(index, href)
            .filter(|href| !href.is_empty());
        if let Some(href) = href {
            self.item.links.push((label.to_owned(), text, href));
        }
    }

    fn link(&mut self, index: usize) {
        let tree = self.tree;
        let (rel, mime, href) = link(tree, index);
        let Some(href) = href else { return };
        let title = one_line(&tree.attribute(index, "title").unwrap_or_default());
        let label = match rel.as_str() {
            "alternate" => {
                if self.item.link.is_none() || mime.contains("html") {
                    self.item.link = Some(href);
                }
                return;
            }
            "enclosure" => return self.enclosure(index),
            "self" => {
                self.fallback.link = self.fallback.link.take().or(Some(href));
                return;
            }
            "related" => "Related",
            "via" => "Via",
            "simple-chapters" => "Chapters",
            "replies" if mime.contains("html") => "Comments",
            // The others are for programs: `edit`, `service.post`, `hub`.
            _ => return,
        };
        self.item.links.push((label.to_owned(), title, href));
    }

    /// A permanent identifier that is a URL is the link of an item without one.
    fn identifier(&mut self, index: usize) {
        let tree = self.tree;
        let text = tree.text(index);
        let permanent = tree
            .attribute(index, "isPermaLink")
            .is_none_or(|value| !value.eq_ignore_ascii_case("false"));
        let web = text
            .get(..4)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
        if permanent && web {
            self.fallback.link = tree.resolve(index, &text).or(self.fallback.link.take());
        }
    }

    fn summary(&mut self, index: usize) {
        let text = Text::of(self.tree, index, Unspecified::Guess);
        match self.item.summary {
            None => self.item.summary = text,
            Some(_) if self.item.content.len() < ITEM_FACTS => self.item.content.extend(text),
            Some(_) => {}
        }
    }

    fn content(&mut self, index: usize) {
        if self.item.content.len() >= ITEM_FACTS {
            return;
        }
        self.item
            .content
            .extend(Text::of(self.tree, index, Unspecified::Guess));
        if let Some(source) = self.tree.attribute(index, "src").filter(|_| self.atom) {
            self.other("Content", String::new(), &source, index);
        }
    }

    fn file(&mut self, file: File) {
        if file.url.is_empty() || self.item.files.len() >= ITEM_FACTS {
            return;
        }
        match self
            .item
            .files
            .iter_mut()
            .find(|other| other.url == file.url)
        {
            Some(other) => {
                other.size = other.size.or(file.size);
                if other.duration.is_empty() {
                    other.duration = file.duration;
                }
            }
            None => {
                let duration = self.fallback.duration.take().unwrap_or(file.duration);
                self.item.files.push(File { duration, ..file });
            }
        }
    }

    fn enclosure(&mut self, index: usize) {
        let tree = self.tree;
        let value = |names: &[&str]| {
            names
                .iter()
                .find_map(|name| tree.attribute(index, name))
                .unwrap_or_default()
        };
        let file = File {
            url: tree
                .resolve(index, &value(&["url", "href", "resource"]))
                .unwrap_or_default(),
            title: one_line(&value(&["title"])),
            mime: value(&["type"]),
            size: value(&["length"]).parse().ok().filter(|&size| size > 0),
            duration: String::new(),
        };
        if !value(&["url", "href", "resource"]).is_empty() {
            self.file(file);
        }
    }

    fn media(&mut self, index: usize) {
        let tree = self.tree;
        let value = |name| tree.attribute(index, name).unwrap_or_default();
        let Some(url) = Some(value("url"))
            .filter(|url| !url.is_empty())
            .and_then(|url| tree.resolve(index, &url))
        else {
            return;
        };
        if value("medium") == "image" || value("type").starts_with("image/") {
            self.item.image = self.item.image.take().or(Some(url));
            return;
        }
        // YouTube's feeds still have files for a player that no longer exists.
        if value("type") == "application/x-shockwave-flash" {
            return;
        }
        self.file(File {
            url,
            title: String::new(),
            mime: value("type"),
            size: value("fileSize").parse().ok().filter(|&size| size > 0),
            duration: duration(&value("duration")),
        });
    }

    /// The feed from which an item was copied.
    fn source(&mut self, index: usize) {
        let tree = self.tree;
        let title = tree.child(index, "title");
        let line = |index| {
            Text::of(tree, index, Unspecified::Guess)
                .map(|text| text.line())
                .unwrap_or_default()
        };
        let element = tree.element(index);
        let (text, href) = match element.map(|element| element.markup) {
            Some(true) => {
                let links = tree.children(index).filter(|&child| tree.is(child, "link"));
                let found = links
                    .map(|index| link(tree, index))
                    .find(|(rel, _, _)| rel == "alternate");
                (
                    title.map(line).unwrap_or_default(),
                    found.and_then(|(_, _, href)| href),
                )
            }
            _ => (line(index), tree.attribute(index, "url")),
        };
        let href = href
            .and_then(|href| tree.resolve(index, &href))
            .unwrap_or_default();
        if !(text.is_empty() && href.is_empty()) {
            self.item.links.push(("Source".to_owned(), text, href));
        }
    }
}
