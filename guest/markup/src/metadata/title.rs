//! The title of a page, without the name of its site.

use super::text::text_of;
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

/// A heading that may repeat the title.
struct Heading {
    id: Id,
    tag: Option<Tag>,
    text: String,
    key: String,
}

/// A part of a title, or all of it.
struct Part<'t> {
    text: &'t str,
    key: String,
}

impl<'t> Part<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text: text.trim(),
            key: key(text),
        }
    }
}

/// Chooses the title, and the heading that repeats it.
pub fn choose(document: &Document, sources: &Sources<'_>) -> (Option<String>, Option<Id>) {
    let headings = sources.headings.iter().filter_map(|id| {
        let text = text_of(document, *id, limits::META_CONTENT)?;
        Some(Heading {
            id: *id,
            tag: document.tag(*id),
            key: key(&text),
            text,
        })
    });
    let headings: Vec<Heading> = headings.collect();
    let site = sources.site.map(key).unwrap_or_default();
    let mut best: Option<(String, Option<Id>)> = None;
    for title in sources.declared.iter().chain([&sources.page]).flatten() {
        let found = if title.len() > limits::TITLE_BYTES {
            (title.clone(), None)
        } else {
            let title = without_site(title, &site);
            match repeated(title, &headings) {
                Some((part, id)) => (part.to_owned(), Some(id)),
                None => (without_menu(title, &headings).to_owned(), None),
            }
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
            let mut first = of_level(&headings, Tag::H1);
            let only = first.next().filter(|_| first.next().is_none());
            let heading = only
                .filter(|heading| similar(&heading.text, &title))
                .map(|heading| heading.id);
            (Some(title), heading)
        }
        Some((title, heading)) => (Some(title), heading),
        None => match headings
            .into_iter()
            .find(|heading| heading.tag == Some(Tag::H1))
        {
            Some(heading) => (Some(heading.text), Some(heading.id)),
            None => (None, None),
        },
    }
}

fn of_level(headings: &[Heading], level: Tag) -> impl Iterator<Item = &Heading> {
    headings
        .iter()
        .filter(move |heading| heading.tag == Some(level))
}

/// The title without the name of the site, which has the key `site`, at its start or end.
fn without_site<'t>(title: &'t str, site: &str) -> &'t str {
    if site.is_empty() {
        return title;
    }
    for separator in SEPARATORS {
        if let Some((before, after)) = title.rsplit_once(separator)
            && key(after) == site
        {
            return before.trim();
        }
        if let Some((before, after)) = title.split_once(separator)
            && key(before) == site
        {
            return after.trim();
        }
    }
    title
}

/// The part of the title that a heading repeats: the whole, or up to a separator.
fn repeated<'t>(title: &'t str, headings: &[Heading]) -> Option<(&'t str, Id)> {
    let whole = key(title);
    for level in [Tag::H1, Tag::H2] {
        for heading in of_level(headings, level) {
            if !whole.is_empty() && heading.key == whole {
                return Some((title, heading.id));
            }
        }
    }
    // The name of the site is more often at the end than at the start.
    let first = parts(title, false);
    let first_part = |level: Tag| {
        headings
            .iter()
            .enumerate()
            .filter(move |(_, heading)| heading.tag == Some(level))
            .find_map(|(at, heading)| {
                let part = first.iter().find(|part| part.key == heading.key)?;
                Some((at, part.text, heading.id))
            })
    };
    if let Some((_, part, id)) = first_part(Tag::H1) {
        return Some((part, id));
    }
    let below = first_part(Tag::H2);
    let mut level_1 = headings
        .iter()
        .enumerate()
        .filter(|(_, heading)| heading.tag == Some(Tag::H1));
    if let (Some((at, heading)), None) = (level_1.next(), level_1.next())
        && let Some(part) = parts(title, true)
            .iter()
            .find(|part| part.key == heading.key)
    {
        // The heading of level 1 is the name of the site if that of level 2 under it has the title.
        let next = headings.get(at.saturating_add(1)).map(|next| next.id);
        return match below {
            Some((_, part, below)) if Some(below) == next => Some((part, below)),
            _ => Some((part.text, heading.id)),
        };
    }
    // A part of one or two words may be the name of a section.
    below
        .filter(|(_, part, _)| part.split_whitespace().count() > 2)
        .map(|(_, part, id)| (part, id))
}

/// The title without the name of a site or a book that one of several headings repeats.
fn without_menu<'t>(title: &'t str, headings: &[Heading]) -> &'t str {
    let ends: Vec<(&str, String)> = SEPARATORS
        .iter()
        .filter_map(|separator| {
            let (before, after) = title.rsplit_once(separator)?;
            Some((before, key(after)))
        })
        .collect();
    for heading in of_level(headings, Tag::H1) {
        if let Some((before, _)) = ends.iter().find(|(_, key)| *key == heading.key) {
            return before.trim();
        }
    }
    title
}

/// The parts of a title before each separator, or after each.
fn parts(title: &str, last: bool) -> Vec<Part<'_>> {
    let parts = SEPARATORS.iter().flat_map(|separator| {
        title.match_indices(separator).filter_map(move |(at, _)| {
            let part = if last {
                title.get(at.saturating_add(separator.len())..)
            } else {
                title.get(..at)
            };
            part.filter(|part| part.chars().any(char::is_alphanumeric))
        })
    });
    parts.take(limits::TITLE_PARTS).map(Part::new).collect()
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

#[cfg(test)]
mod tests {
    use crate::dom;
    use crate::metadata::of;

    fn title_of(html: &str) -> Option<String> {
        of(&dom::parse(html)).title
    }

    #[test]
    fn site_in_heading_of_level_1_is_not_the_title() {
        let found = title_of(
            "<title>Hooks | Lib v1 Manual</title><h1>Lib v1 manual</h1><h2>Hooks</h2><h2>Use</h2>",
        );
        assert_eq!(found.as_deref(), Some("Hooks"));
    }

    #[test]
    fn section_in_heading_of_level_2_is_not_the_title() {
        let found = title_of("<title>News - A storm</title><h2>News</h2><h1>A storm</h1>");
        assert_eq!(found.as_deref(), Some("A storm"));
        let found =
            title_of("<title>News - A storm</title><h1>A storm</h1><h2>Boats</h2><h2>News</h2>");
        assert_eq!(found.as_deref(), Some("A storm"));
        let found = title_of("<title>Paris - Dakar</title><h1>Races</h1><h2>Paris</h2>");
        assert_eq!(found.as_deref(), Some("Paris - Dakar"));
    }

    #[test]
    fn long_heading_of_level_2_is_the_title_without_site() {
        let found = title_of(
            "<title>How to sail a boat | Code | Ann Bee</title><h1>Hi</h1><h2>How to sail a boat</h2>",
        );
        assert_eq!(found.as_deref(), Some("How to sail a boat"));
    }

    #[test]
    fn parts_of_title_are_bounded() {
        let title = "a - ".repeat(100_000);
        assert_eq!(
            super::parts(&title, false).len(),
            super::limits::TITLE_PARTS
        );
        // A key for each part and each heading would take a thousand times as long.
        let headings = "<h1>b</h1><h2>c</h2>".repeat(100);
        let long = "a_".repeat(1900);
        let metas = format!("<meta property=og:title content='{long}'>");
        let found = title_of(&format!("<title>{long}</title>{metas}{headings}"));
        assert_eq!(found.map(|title| title.len()), Some(long.len()));
    }

    #[test]
    fn empty_elements_in_headings_are_bounded() {
        let heading = format!("<h1>{}A tale</h1>", "<b></b>".repeat(100_000));
        assert_eq!(title_of(&heading), None);
    }
}
