//! A feed as Markdown.

use std::collections::BTreeSet;

use super::duration;
use super::excerpt::Shown;
use super::model::{Author, Feed, File, Item};
use super::text::{Text, one_line};
use crate::Converted;
use crate::limits::{COMPARED_TEXTS, FEED_ITEMS, FEED_NOTES, HEADING_CHARS, LINE_CHARS};
use crate::url;
use omniread_document::markdown::escape::destination;

/// The Markdown of a feed, its facts and its notes.
pub fn converted(feed: &Feed) -> Converted {
    let mut renderer = Renderer::new(feed);
    let mut blocks = Vec::new();
    if !feed.title.is_empty() {
        blocks.push(format!("# {}", feed.title));
    }
    if !feed.description.is_empty() && feed.description != feed.title {
        blocks.push(not_heading(&limited(&feed.description, LINE_CHARS)));
    }
    for (index, item) in feed.items.iter().enumerate() {
        renderer.item(item, index, &mut blocks);
    }
    if let Some(next) = &feed.next {
        blocks.push(format!("Next part of the feed: {next}"));
    }
    let mut notes = feed.notes.clone();
    if feed.count > feed.items.len() {
        notes.push(format!("{FEED_ITEMS} of {} items are shown", feed.count));
    }
    notes.extend(renderer.notes());
    Converted {
        text: blocks.join("\n\n"),
        metadata: metadata(feed),
        notes,
        ..Converted::default()
    }
}

fn metadata(feed: &Feed) -> Vec<(&'static str, String)> {
    let persons = |persons: &[Author]| {
        let persons: Vec<String> = persons.iter().map(fact).collect();
        persons.join(", ")
    };
    let facts = [
        ("title", Some(feed.title.clone())),
        ("link", feed.link.clone()),
        ("updated", feed.updated.clone()),
        (
            "published",
            feed.published
                .clone()
                .filter(|date| Some(date) != feed.updated.as_ref()),
        ),
        ("author", Some(persons(&feed.authors))),
        ("language", feed.language.clone()),
        ("description", Some(limited(&feed.description, LINE_CHARS))),
        ("tags", Some(feed.tags.join(", "))),
        ("contributors", Some(persons(&feed.contributors))),
        ("rights", Some(limited(&feed.rights, LINE_CHARS))),
        ("format", Some(feed.format.clone())),
        ("items", Some(feed.count.to_string())),
    ];
    let present = facts
        .into_iter()
        .filter_map(|(name, value)| Some((name, one_line(&value?))));
    present.filter(|(_, value)| !value.is_empty()).collect()
}

/// The first characters of a line, up to the end of a word.
fn limited(text: &str, limit: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return text.to_owned();
    };
    let start = text.get(..end).unwrap_or_default();
    // Texts in Chinese or Japanese have no spaces.
    let word = start
        .rfind(' ')
        .filter(|&space| space > end.wrapping_div(2))
        .unwrap_or(end);
    format!("{}…", start.get(..word).unwrap_or_default().trim_end())
}

/// A text for a link: brackets would end it.
pub fn label(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '[' | ']') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn link(text: &str, url: &str) -> String {
    if text.is_empty() || text == url {
        url.to_owned()
    } else {
        format!("[{}]({})", label(text), destination(url))
    }
}

/// A person: the name, with the page and the address if `all`.
fn person(author: &Author, all: bool) -> String {
    let name = if author.name.is_empty() {
        &author.email
    } else {
        &author.name
    };
    let mut text = match &author.url {
        Some(url) if all => link(name, url),
        Some(url) if name.is_empty() => url.clone(),
        _ => name.clone(),
    };
    if all && !author.email.is_empty() && *name != author.email {
        text.push_str(&format!(" ({})", author.email));
    }
    text
}

/// A person as a fact, which is not Markdown: `name (address) page`.
fn fact(author: &Author) -> String {
    let email = match author.name.as_str() {
        "" => author.email.clone(),
        _ if author.email.is_empty() => String::new(),
        _ => format!("({})", author.email),
    };
    let url = author.url.as_deref().unwrap_or_default();
    one_line(&[author.name.as_str(), &email, url].join(" "))
}

/// Whether a text has an image, perhaps in another size.
fn shows(body: &str, image: &str) -> bool {
    let name = url::file_name(image);
    body.contains(if name.is_empty() { image } else { name })
}

/// A line that is not a heading.
fn not_heading(line: &str) -> String {
    let escape = if line.starts_with('#') { "\\" } else { "" };
    format!("{escape}{line}")
}

#[derive(Debug)]
struct Renderer<'f> {
    /// The address to which links of items are relative.
    base: &'f str,
    /// The name of the author of the feed, which items do not repeat.
    author: Option<&'f str>,
    /// Authors whose page and address were shown.
    authors: BTreeSet<(String, String, Option<String>)>,
    /// Notes of conversions with the number of items.
    found: Vec<(String, usize)>,
}

impl<'f> Renderer<'f> {
    fn new(feed: &'f Feed) -> Self {
        Self {
            base: &feed.base,
            author: feed.authors.first().map(|author| author.name.as_str()),
            authors: BTreeSet::new(),
            found: Vec::new(),
        }
    }

    fn item(&mut self, item: &Item, index: usize, blocks: &mut Vec<String>) {
        let base = self.base;
        let number = index.saturating_add(1);
        let bodies = Self::bodies(item);
        let title = match bodies.first() {
            _ if !item.title.is_empty() => item.title.clone(),
            Some(body) if !body.line.is_empty() => limited(&body.line, HEADING_CHARS),
            _ => item
                .link
                .clone()
                .unwrap_or_else(|| format!("Item {number}")),
        };
        blocks.push(match &item.link {
            Some(url) => format!("## [{}]({})", label(&title), destination(url)),
            None => format!("## {title}"),
        });
        let facts = self.facts(item);
        if !facts.is_empty() {
            blocks.push(not_heading(&facts.join(" · ")));
        }
        for body in &bodies {
            // The heading of an item without a title may be all of its text.
            if item.title.is_empty() && body.line == title && !has_markup(body.text) {
                continue;
            }
            let (markdown, notes) = body.text.markdown(base);
            for note in notes {
                self.note(note);
            }
            if !markdown.trim().is_empty() {
                blocks.push(markdown);
            }
        }
        let is_shown = |text: &Text| bodies.iter().any(|body| body.text == text);
        let left_out = item.summary.as_ref().filter(|summary| !is_shown(summary));
        let images = [
            item.image.clone(),
            left_out.and_then(|summary| image(summary, base)),
        ];
        let end = blocks.len();
        for image in images.into_iter().flatten() {
            let mut around = blocks.iter().skip(end.saturating_sub(1));
            if !around.any(|block| shows(block, &image)) {
                blocks.push(format!("Image: {image}"));
            }
        }
        let mut lines: Vec<String> = item
            .files
            .iter()
            .filter(|file| !file.url.is_empty())
            .map(enclosure)
            .collect();
        for (name, text, url) in item
            .links
            .iter()
            .filter(|(_, text, url)| !(text.is_empty() && url.is_empty()))
        {
            let shown = if url.is_empty() {
                text.clone()
            } else {
                link(text, url)
            };
            lines.push(format!("{name}: {shown}"));
        }
        if !lines.is_empty() {
            blocks.push(lines.join("\n"));
        }
    }

    /// The texts of an item, without those that repeat another.
    fn bodies(item: &Item) -> Vec<Shown<'_>> {
        let mut bodies: Vec<Shown<'_>> = Vec::new();
        let is_repeated = |text: &Shown<'_>, bodies: &[Shown<'_>]| {
            let mut compared = bodies.iter().take(COMPARED_TEXTS);
            compared.any(|other| text.repeats(other, item))
        };
        for text in &item.content {
            let text = Shown::new(text);
            if !is_repeated(&text, &bodies) {
                bodies.push(text);
            }
        }
        if let Some(summary) = &item.summary {
            let text = Shown::new(summary);
            let title = text.is_equal(&item.title) && !has_markup(summary);
            if !title && !is_repeated(&text, &bodies) {
                bodies.insert(0, text);
            }
        }
        bodies
    }

    /// The facts of an item in one line.
    fn facts(&mut self, item: &Item) -> Vec<String> {
        let mut facts = Vec::new();
        let changed = item
            .updated
            .as_ref()
            .filter(|date| item.published.as_ref() != Some(date));
        match (&item.published, changed) {
            (Some(published), Some(updated)) => {
                facts.push(format!("{published} (updated {updated})"));
            }
            (published, updated) => facts.extend(published.as_ref().or(updated).cloned()),
        }
        facts.extend(item.expires.as_ref().map(|date| format!("expires {date}")));
        let authors = self.persons(&item.authors, self.author);
        facts.extend(Some(authors).filter(|authors| !authors.is_empty()));
        let others = self.persons(&item.contributors, None);
        facts.extend(
            Some(others)
                .filter(|others| !others.is_empty())
                .map(|others| format!("with {others}")),
        );
        if !item.tags.is_empty() {
            facts.push(format!("tags: {}", item.tags.join(", ")));
        }
        facts
    }

    /// Persons. The page and the address of each are shown once, as feeds repeat them.
    fn persons(&mut self, persons: &[Author], fixed: Option<&str>) -> String {
        let texts = persons.iter().map(|author| {
            let known = (
                author.name.clone(),
                author.email.clone(),
                author.url.clone(),
            );
            let first = self.authors.insert(known);
            person(author, first && fixed != Some(author.name.as_str()))
        });
        texts.collect::<Vec<_>>().join(", ")
    }

    fn note(&mut self, note: String) {
        if let Some((_, count)) = self.found.iter_mut().find(|(known, _)| *known == note) {
            *count = count.saturating_add(1);
        } else if self.found.len() < FEED_NOTES {
            self.found.push((note, 1));
        }
    }

    fn notes(self) -> impl Iterator<Item = String> {
        self.found.into_iter().map(|(note, count)| match count {
            1 => note,
            _ => format!("{note} (in {count} items)"),
        })
    }
}

/// The first image of a text.
fn image(text: &Text, base: &str) -> Option<String> {
    if !has_markup(text) {
        return None;
    }
    let (markdown, _) = text.markdown(base);
    let (_, image) = markdown.split_once("![")?;
    let (_, url) = image.split_once("](")?;
    let end = url.find([')', ' ']).unwrap_or(url.len());
    url.get(..end).map(str::to_owned)
}

/// Whether a text has more than its characters.
fn has_markup(text: &Text) -> bool {
    matches!(&text.body, super::text::Body::Html(html) if html.contains("<a") || html.contains("<img"))
}

/// An attached file in one line.
fn enclosure(file: &File) -> String {
    let name = [
        file.title.as_str(),
        url::file_name(&file.url),
        file.url.as_str(),
    ];
    let name = name
        .into_iter()
        .find(|name| !name.is_empty())
        .unwrap_or_default();
    let size = file.size.map(duration::size).unwrap_or_default();
    let facts: Vec<&str> = [file.mime.trim(), &size, &file.duration]
        .into_iter()
        .filter(|fact| !fact.is_empty())
        .collect();
    let facts = if facts.is_empty() {
        String::new()
    } else {
        format!(" ({})", one_line(&facts.join(", ")))
    };
    format!("Enclosure: {}{facts}", link(name, &file.url))
}
