//! The title of a page, without the name of its site.

use super::text_of;
use crate::dom::{Document, Id, Tag};
use crate::limits;

/// The texts from which the title is chosen.
pub struct Sources<'s> {
    /// Titles that the page declares for machines, the best first.
    pub declared: [Option<String>; 4],
    /// The content of `<title>`.
    pub page: Option<String>,
    pub headings: &'s [Id],
    pub site: Option<&'s str>,
}

/// Separators of the title and the name of the site.
const SEPARATORS: [&str; 13] = [
    " | ", " - ", " – ", " — ", " · ", " • ", " » ", " :: ", " / ", ": ", "_", "｜", "－",
];

/// Chooses the title, and the heading that repeats it.
pub fn choose(document: &Document, sources: &Sources<'_>) -> (Option<String>, Option<Id>) {
    let headings = sources.headings.iter().filter_map(|id| {
        let text = text_of(document, *id, limits::META_CONTENT)?;
        Some((*id, text))
    });
    let headings: Vec<(Id, String)> = headings.collect();
    let mut best: Option<(String, Option<Id>)> = None;
    for title in sources.declared.iter().chain([&sources.page]).flatten() {
        let title = without_site(title, sources.site);
        let found = match repeated(document, title, &headings) {
            Some((part, id)) => (part.to_owned(), Some(id)),
            None => (without_menu(document, title, &headings).to_owned(), None),
        };
        match &best {
            None => best = Some(found),
            // The title that a heading repeats is the one that readers see.
            Some((_, None)) if found.1.is_some() => best = Some(found),
            Some(_) => {}
        }
    }
    match best {
        // A declared title may differ in more than punctuation from the heading, which is the
        // only one of its level.
        Some((title, None)) => {
            let mut first = headings.iter().filter(|(id, _)| document.is(*id, Tag::H1));
            let only = first.next().filter(|_| first.next().is_none());
            let heading = only
                .filter(|(_, text)| similar(text, &title))
                .map(|(id, _)| *id);
            (Some(title), heading)
        }
        Some((title, heading)) => (Some(title), heading),
        None => match headings
            .into_iter()
            .find(|(id, _)| document.is(*id, Tag::H1))
        {
            Some((id, text)) => (Some(text), Some(id)),
            None => (None, None),
        },
    }
}

/// The title without the name of the site at its start or end.
fn without_site<'t>(title: &'t str, site: Option<&str>) -> &'t str {
    let Some(site) = site.filter(|site| !site.is_empty()) else {
        return title;
    };
    for separator in SEPARATORS {
        if let Some((before, after)) = title.rsplit_once(separator)
            && key(after) == key(site)
        {
            return before.trim();
        }
        if let Some((before, after)) = title.split_once(separator)
            && key(before) == key(site)
        {
            return after.trim();
        }
    }
    title
}

/// The part of the title that a heading repeats: the whole, or up to a separator.
fn repeated<'t>(
    document: &Document,
    title: &'t str,
    headings: &[(Id, String)],
) -> Option<(&'t str, Id)> {
    let whole = key(title);
    for level in [Tag::H1, Tag::H2] {
        for (id, text) in headings.iter().filter(|(id, _)| document.is(*id, level)) {
            if !whole.is_empty() && key(text) == whole {
                return Some((title, *id));
            }
        }
    }
    // The name of the site is more often at the end than at the start.
    let single = headings
        .iter()
        .filter(|(id, _)| document.is(*id, Tag::H1))
        .count()
        == 1;
    for last in [false, true] {
        for (id, text) in headings.iter().filter(|(id, _)| document.is(*id, Tag::H1)) {
            let part = parts(title, last).find(|part| key(part) == key(text));
            if let Some(part) = part.filter(|_| single || !last) {
                return Some((part.trim(), *id));
            }
        }
    }
    None
}

/// The title without the name of a site or a book that one of several headings repeats.
fn without_menu<'t>(document: &Document, title: &'t str, headings: &[(Id, String)]) -> &'t str {
    for (_, text) in headings.iter().filter(|(id, _)| document.is(*id, Tag::H1)) {
        for separator in SEPARATORS {
            if let Some((before, after)) = title.rsplit_once(separator)
                && key(after) == key(text)
            {
                return before.trim();
            }
        }
    }
    title
}

/// The parts of a title before each separator, or after each.
fn parts(title: &str, last: bool) -> impl Iterator<Item = &str> {
    SEPARATORS.iter().flat_map(move |separator| {
        title.match_indices(separator).filter_map(move |(at, _)| {
            let part = if last {
                title.get(at.saturating_add(separator.len())..)
            } else {
                title.get(..at)
            };
            part.filter(|part| part.chars().any(char::is_alphanumeric))
        })
    })
}

/// Letters and digits of a text in lower case, by which titles are compared.
fn key(text: &str) -> String {
    text.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether most words of the shorter text are in the longer one.
fn similar(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split_whitespace()
            .map(key)
            .filter(|word| !word.is_empty())
            .collect()
    };
    let (mut short, mut long) = (words(one), words(other));
    if short.len() > long.len() {
        std::mem::swap(&mut short, &mut long);
    }
    if short.is_empty() || long.len() > limits::TITLE_WORDS {
        return false;
    }
    let common = short.iter().filter(|word| long.contains(word)).count();
    common.saturating_mul(4) >= short.len().saturating_mul(3)
}
