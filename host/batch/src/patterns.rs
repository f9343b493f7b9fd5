//! Patterns of files, such as `src/**/*.rs`.

use crate::limits;
use crate::names::{is_hidden, join};
use globset::GlobBuilder;
use omniread::Reader;

/// Whether an argument is a pattern: it has a `*` before any `?` or colon. These begin a query and a selector.
pub fn is_pattern(argument: &str) -> bool {
    let name = argument.split(['?', ':']).next().unwrap_or_default();
    name.contains('*')
}

/// The files that a pattern leads to, sorted by directory. `*` matches no slash, and no dot at the start of a name. Empty if the pattern has
/// no meaning.
///
/// # Errors
/// Fails if there are too many.
pub(crate) fn files(reader: &Reader, pattern: &str) -> Result<Vec<String>, TooMany> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    let Ok(glob) = glob else {
        return Ok(Vec::new());
    };
    let matcher = glob.compile_matcher();
    let wild = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let start = pattern.get(..wild).unwrap_or_default();
    let start = start
        .rfind('/')
        .map_or("", |slash| start.get(..=slash).unwrap_or_default());
    let deepest = if pattern.contains("**") {
        limits::DEPTH
    } else {
        pattern
            .get(start.len()..)
            .unwrap_or_default()
            .matches('/')
            .count()
    };
    let shows_hidden = pattern.starts_with('.') && !pattern.starts_with("./")
        || pattern
            .match_indices("/.")
            .any(|(at, _)| !pattern[at..].starts_with("/./"));
    let mut found = Vec::new();
    // The directories that are examined later, the next one last.
    let mut left = vec![(start.to_owned(), 0)];
    while let Some((directory, depth)) = left.pop() {
        let here = if directory.is_empty() {
            "."
        } else {
            &directory
        };
        let Some(entries) = reader.entries(here) else {
            continue;
        };
        let mut below = Vec::new();
        for name in entries.names {
            if is_hidden(&name) && !shows_hidden {
                continue;
            }
            let path = join(&directory, &name);
            match name.strip_suffix('/') {
                Some(_) if depth < deepest => below.push((path, depth + 1)),
                None if matcher.is_match(&path) => found.push(path),
                Some(_) | None => {}
            }
        }
        if found.len() > limits::NAMES || left.len() > limits::NAMES || !entries.is_complete {
            return Err(TooMany);
        }
        left.extend(below.into_iter().rev());
    }
    Ok(found)
}

/// A pattern leads to more files than are kept in memory, or to a directory that cannot be listed whole.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star_before_a_selector_is_a_pattern() {
        for pattern in ["*", "src/**/*.rs", "a*b", "/tmp/*.md"] {
            assert!(is_pattern(pattern), "{pattern}");
        }
        for path in [
            "a",
            "a?b",
            "x.csv?where=a*2",
            "app.db:select * from t",
            "a[1]",
            "a{b}",
        ] {
            assert!(!is_pattern(path), "{path}");
        }
    }
}
