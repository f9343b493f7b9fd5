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
    let first_part = |level: Tag| {
        headings
            .iter()
            .enumerate()
            .filter(move |(_, (id, _))| document.is(*id, level))
            .find_map(|(at, (id, text))| {
                let part = parts(title, false).find(|part| key(part) == key(text))?;
                Some((at, part.trim(), *id))
            })
    };
    if let Some((_, part, id)) = first_part(Tag::H1) {
        return Some((part, id));
    }
    let below = first_part(Tag::H2);
    let mut level_1 = headings
        .iter()
        .enumerate()
        .filter(|(_, (id, _))| document.is(*id, Tag::H1));
    if let (Some((at, (id, text))), None) = (level_1.next(), level_1.next())
        && let Some(part) = parts(title, true).find(|part| key(part) == key(text))
    {
        // The heading of level 1 is the name of the site if that of level 2 under it has the title.
        let next = headings.get(at.saturating_add(1)).map(|(next, _)| *next);
        return match below {
            Some((_, part, below)) if Some(below) == next => Some((part, below)),
            _ => Some((part.trim(), *id)),
        };
    }
    // A part of one or two words may be the name of a section.
    below
        .filter(|(_, part, _)| part.split_whitespace().count() > 2)
        .map(|(_, part, id)| (part, id))
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

#[cfg(test)]
mod tests {
    use crate::dom;
    use crate::metadata::of;

    fn title(html: &str) -> Option<String> {
        of(&dom::parse(html)).title
    }

    #[test]
    fn site_in_heading_of_level_1_is_not_the_title() {
        let found = title(
            "<title>Hooks | Lib v1 Manual</title><h1>Lib v1 manual</h1><h2>Hooks</h2><h2>Use</h2>",
        );
        assert_eq!(found.as_deref(), Some("Hooks"));
    }

    #[test]
    fn section_in_heading_of_level_2_is_not_the_title() {
        let found = title("<title>News - A storm</title><h2>News</h2><h1>A storm</h1>");
        assert_eq!(found.as_deref(), Some("A storm"));
        let found =
            title("<title>News - A storm</title><h1>A storm</h1><h2>Boats</h2><h2>News</h2>");
        assert_eq!(found.as_deref(), Some("A storm"));
        let found = title("<title>Paris - Dakar</title><h1>Races</h1><h2>Paris</h2>");
        assert_eq!(found.as_deref(), Some("Paris - Dakar"));
    }

    #[test]
    fn long_heading_of_level_2_is_the_title_without_site() {
        let found = title(
            "<title>How to sail a boat | Code | Ann Bee</title><h1>Hi</h1><h2>How to sail a boat</h2>",
        );
        assert_eq!(found.as_deref(), Some("How to sail a boat"));
    }
}
