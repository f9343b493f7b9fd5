//! Patterns of files, such as `src/**/*.rs`.

use crate::expand::incomplete;
use crate::limits;
use crate::listing::escaped;
use crate::names::{Excluded, is_hidden, join};
use crate::queue::{Child, What};
use globset::{Glob, GlobBuilder, GlobMatcher};
use omniread::{CancelToken, Reader};

/// Whether an argument is a pattern: it has a `*` before any `?` or colon. These begin a query and a selector.
pub fn is_pattern(argument: &str) -> bool {
    let name = argument.split(['?', ':']).next().unwrap_or_default();
    name.contains('*')
}

/// The files that a pattern leads to, sorted by directory. `*` matches no slash, and no dot at the start of a name. A directory
/// that cannot be listed whole has a row with an error. If nothing is found, the pattern may have a selector after a
/// colon, which is then added to the path of each file.
///
/// # Errors
/// Fails if the pattern has no meaning.
pub(crate) fn files(
    reader: &Reader,
    token: &CancelToken,
    excluded: &Excluded,
    pattern: &str,
) -> Result<Vec<Child>, globset::Error> {
    let found = Pattern::new(pattern)?.files(reader, token);
    let found = match pattern.split_once(':') {
        Some((files, selector)) if found.is_empty() => {
            let mut found = Pattern::new(files)?.files(reader, token);
            for child in &mut found {
                if matches!(child.what, What::Path { .. }) && !excluded.has(&child.path) {
                    child.path = format!("{}:{selector}", escaped(&child.path));
                }
            }
            found
        }
        _ => found,
    };
    let is_own =
        |child: &Child| matches!(child.what, What::Path { .. }) && excluded.has(&child.path);
    Ok(found.into_iter().filter(|child| !is_own(child)).collect())
}

/// The directory in which the files of a pattern are searched: the part before the first wildcard.
pub(crate) fn start(pattern: &str) -> &str {
    let wild = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let before = pattern.get(..wild).unwrap_or_default();
    let slash = before.rfind('/').map_or(0, |slash| slash + 1);
    before.get(..slash).unwrap_or_default()
}

/// A pattern.
struct Pattern<'p> {
    whole: GlobMatcher,
    /// The directory in which the search starts.
    start: &'p str,
    /// The names after it. Empty if they are not between slashes, as in `{a/b,c}`.
    names: Vec<(&'p str, GlobMatcher)>,
    /// The number of directories in each other in which files are searched.
    deepest: usize,
    /// Whether there may be files below these.
    is_open: bool,
}

impl<'p> Pattern<'p> {
    fn new(pattern: &'p str) -> Result<Self, globset::Error> {
        let whole = glob(pattern)?.compile_matcher();
        let (start, rest) = pattern.split_at(start(pattern).len());
        let names = rest
            .split('/')
            .map(|name| Ok((name, glob(name)?.compile_matcher())));
        let names: Result<Vec<_>, globset::Error> = names.collect();
        let is_open = pattern.contains("**");
        Ok(Self {
            whole,
            start,
            names: names.unwrap_or_default(),
            deepest: if is_open {
                limits::DEPTH
            } else {
                rest.matches('/').count()
            },
            is_open,
        })
    }

    fn files(&self, reader: &Reader, token: &CancelToken) -> Vec<Child> {
        let mut found = Vec::new();
        // The directories that are examined later, the next one last.
        let mut left = vec![(String::new(), 0)];
        while let Some((directory, depth)) = left.pop() {
            if token.is_cancelled() {
                break;
            }
            let here = format!("{}{directory}", self.start);
            let shown = if here.is_empty() { "." } else { &here };
            let Some(entries) = reader.entries(shown, token) else {
                // If there is nothing, the read of the pattern says so.
                if depth > 0 {
                    found.push(incomplete(&here));
                }
                continue;
            };
            let mut below = Vec::new();
            let mut is_complete = entries.is_complete;
            for name in entries.names {
                let path = join(&directory, &name);
                match name.strip_suffix('/') {
                    Some(name) if is_hidden(name) && !self.may_show(name) => {}
                    Some(_) if depth < self.deepest => below.push((path, depth + 1)),
                    Some(_) => is_complete &= !self.is_open,
                    None if self.matches(&path) => {
                        let path = format!("{}{path}", self.start);
                        found.push(Child::new(path, What::Path { is_listed: true }));
                    }
                    None => {}
                }
            }
            if found.len() > limits::NAMES || left.len() > limits::NAMES {
                found.push(incomplete(shown));
                break;
            }
            if !is_complete {
                found.push(incomplete(shown));
            }
            left.extend(below.into_iter().rev());
        }
        found
    }

    /// Whether the pattern leads to a path below the start.
    fn matches(&self, path: &str) -> bool {
        if !self.whole.is_match(format!("{}{path}", self.start)) {
            return false;
        }
        let names: Vec<&str> = path.split('/').collect();
        !names.iter().any(|name| is_hidden(name)) || shows(&self.names, &names)
    }

    /// Whether the pattern can lead to something in a hidden directory.
    fn may_show(&self, hidden: &str) -> bool {
        let mut names = self.names.iter();
        names.any(|(name, glob)| is_hidden(name) && glob.is_match(hidden))
    }
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}

/// Whether names match those of a pattern, and each hidden one a name of it that starts with a dot.
fn shows(pattern: &[(&str, GlobMatcher)], names: &[&str]) -> bool {
    let Some(((text, glob), rest)) = pattern.split_first() else {
        return names.is_empty();
    };
    if *text == "**" && shows(rest, names) {
        return true;
    }
    let Some((name, after)) = names.split_first() else {
        return false;
    };
    if is_hidden(name) && !is_hidden(text) {
        return false;
    }
    if *text == "**" {
        return shows(pattern, after);
    }
    glob.is_match(name) && shows(rest, after)
}

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

    #[test]
    fn hidden_name_needs_a_dot_in_its_place() {
        for (pattern, path, expected) in [
            ("../*", "a", true),
            ("../*", ".a", false),
            ("../**/*.rs", ".git/a.rs", false),
            ("../**/*.rs", "src/a.rs", true),
            (".*/*.rs", ".git/a.rs", true),
            (".*/*.rs", ".git/.a.rs", false),
            ("**/.*/*.rs", "a/.git/b.rs", true),
            ("**/.*/*.rs", ".a/.git/b.rs", false),
            ("./.github/*", "a.yml", true),
            ("{a/b,.c}*", ".c", false),
        ] {
            let found = Pattern::new(pattern).expect("a pattern").matches(path);
            assert_eq!(found, expected, "{pattern} {path}");
        }
    }
}
