//! The names of the authors in the pieces of a byline.

use super::values::person;
use crate::limits;

/// Words before a name.
const BY: &[&str] = &["by", "written by", "posted by"];

/// Words of other languages before a name. In upper case, they are also parts of names, such as `Von
/// Miller`.
const LOWER_BY: &[&str] = &["door", "par", "por", "von"];

/// First words of texts in bylines that are not names.
const NOT_NAMES: &[&str] = &[
    "about",
    "all",
    "author",
    "by",
    "click",
    "comments",
    "contact",
    "edited",
    "email",
    "filed",
    "follow",
    "for",
    "in",
    "latest",
    "more",
    "on",
    "photo",
    "photos",
    "posted",
    "published",
    "read",
    "recent",
    "share",
    "subscribe",
    "the",
    "this",
    "updated",
    "view",
    "written",
];

/// Words of names that start with a lower-case letter, and words between two names.
const PARTICLES: &[&str] = &[
    "&", "al", "and", "bin", "da", "de", "del", "den", "der", "di", "do", "dos", "du", "et", "la",
    "le", "ten", "ter", "und", "van", "von", "y",
];

/// Words of roles, employers and places after a name.
#[rustfmt::skip]
const ROLES: &[&str] = &[
    "agency", "analyst", "assistant", "associate", "associated", "bureau", "chair", "chief", "co-founder",
    "college", "columnist", "consultant", "contributing", "contributor", "correspondent", "critic",
    "department", "deputy", "designer", "developer", "director", "east", "editor", "engineer", "executive",
    "fellow", "founder", "freelance", "group", "head", "hong", "inc", "institute", "journalist", "las",
    "lead", "llc", "los", "magazine", "manager", "managing", "media", "minister", "network", "new", "news",
    "north", "officer", "photographer", "post", "president", "press", "producer", "professor", "project",
    "reporter", "researcher", "reuters", "san", "santa", "scientist", "senior", "south", "special", "staff",
    "strategist", "technologist", "times", "united", "university", "vice", "washington", "west", "writer",
];

/// The names at the start of a byline, without the dates in its pieces.
pub fn of(pieces: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut by = false;
    for text in pieces {
        let text = text.trim_matches(|character: char| {
            character.is_whitespace() || matches!(character, ',' | '|' | '·' | '•' | '-' | '–')
        });
        let lower = text.to_lowercase();
        let label = lower.trim_end_matches(':');
        if BY.contains(&label) || LOWER_BY.contains(&text.trim_end_matches(':')) {
            by = true;
            continue;
        }
        if text.is_empty() || (PARTICLES.contains(&label) && !names.is_empty()) {
            continue;
        }
        let found = in_piece(text, by);
        if found.is_empty() {
            break;
        }
        for name in found {
            if !names.contains(&name) && names.len() < limits::AUTHORS {
                names.push(name);
            }
        }
    }
    names
}

/// The names in a piece of a byline. `by` says that a label precedes it.
fn in_piece(text: &str, by: bool) -> Vec<String> {
    let lower = text.to_lowercase();
    let is_prefix = |text: &str, by: &str| {
        text.strip_prefix(by)
            .is_some_and(|rest| rest.starts_with([' ', ':']))
    };
    let prefix = BY
        .iter()
        .filter(|by| is_prefix(&lower, by))
        .chain(LOWER_BY.iter().filter(|by| is_prefix(text, by)))
        .map(|by| by.len())
        .max();
    let by = by || prefix.is_some();
    let text = text.get(prefix.unwrap_or_default()..).unwrap_or_default();
    let text = text.trim_start_matches([' ', ':']);
    if let Some(names) = list(text) {
        return names;
    }
    // A role or a place follows the name, unless there are several names.
    let text = match text.split_once(',') {
        Some((name, _)) if !text.contains(" and ") => name,
        _ => text,
    };
    name(text, by).into_iter().collect()
}

/// The names in a list with commas. `None` if a part is not certainly a name.
fn list(text: &str) -> Option<Vec<String>> {
    if !text.contains(',') {
        return None;
    }
    let parts = text.split(',').flat_map(|part| part.split(" and "));
    let parts = parts
        .map(|part| part.trim().trim_start_matches("and ").trim_start())
        .filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let mut words = part.split_whitespace();
            let is_role = words.any(|word| ROLES.contains(&word.to_lowercase().as_str()));
            name(part, false).filter(|_| !is_role)
        })
        .collect()
}

/// The name in a text. `by` says that a label precedes it.
fn name(text: &str, by: bool) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first()?.to_lowercase();
    let is_name = (by || words.len() > 1)
        && words.len() <= limits::NAME_WORDS
        && !NOT_NAMES.contains(&first.as_str())
        && words.iter().all(|word| {
            PARTICLES.contains(word)
                || word.starts_with(|character: char| {
                    character.is_alphabetic() && !character.is_lowercase()
                })
        })
        && !text.contains(|character: char| {
            character.is_ascii_digit() || matches!(character, '/' | '@' | '!' | '?' | ':')
        });
    person(text).filter(|_| is_name)
}
