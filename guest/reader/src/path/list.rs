//! Lists of paths, such as `a.rs:10-20; b.rs`.
//!
//! ```text
//! list  = part *(";" *white-space part)
//! ```
//!
//! A `;` does not separate:
//!
//! * after a backslash: `\;` is a semicolon in a name;
//! * in a query with SQL, from `?q=`, `?where=`, `&q=` or `&where=` to the end of the list, because SQL may
//!   contain `;`. Thus such a path is the last one of its list;
//! * in a URL, which starts with `scheme://` or `www.`, unless a space follows. A URL contains no spaces.
//!
//! A part without characters is left out. Whether the whole list, or several parts with the `;` between them,
//! are the name of a file, is decided by the files that exist: [`Names`] is asked. Such a name has precedence.

use super::query::{self, is_query};
use super::{Locator, Scheme, is_address, locate};
use crate::limits;

/// A place where a list may be divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Separator {
    /// The offset of the `;`.
    at: usize,
    /// The offset of the part after it.
    next: usize,
}

/// The places where a list may be divided, and the offsets of the backslashes of `\;`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Scan {
    separators: Vec<Separator>,
    escapes: Vec<usize>,
}

/// Finds the length in bytes of the name of an existing file with which a path starts. `None` if it starts with
/// none.
pub type Names<'n> = dyn FnMut(&str) -> Option<usize> + 'n;

/// A path string that may be a list.
#[derive(Debug)]
pub struct List<'p> {
    text: &'p str,
    scan: Scan,
}

impl<'p> List<'p> {
    /// A path string that may be a list. `None` if its syntax shows that it is one path.
    pub fn of(text: &'p str) -> Option<Self> {
        if !text.contains(';') || text.len() > limits::QUERY_BYTES {
            return None;
        }
        let scan = scan(text);
        let divided = !scan.separators.is_empty() || !scan.escapes.is_empty();
        divided.then_some(Self { text, scan })
    }

    /// Whether the name of an existing file contains all of the separators, so that the whole is one path.
    pub fn is_name(&self, names: &mut Names<'_>) -> bool {
        let places = self.scan.separators.iter().map(|one| one.at);
        let last = places.chain(self.scan.escapes.iter().copied()).max();
        last.is_some_and(|last| names(self.text).is_some_and(|length| last < length))
    }

    /// Whether the whole may be the path of a member whose name contains a `;`: it starts with the name of an
    /// existing file, and the text from there to the first `;` is not a selector, which `is_selector` decides.
    pub fn may_be_member(&self, names: &mut Names<'_>, is_selector: impl Fn(&str) -> bool) -> bool {
        let Some(length) = names(self.text) else {
            return false;
        };
        let Some(first) = self.scan.separators.iter().find(|one| one.at >= length) else {
            return false;
        };
        let between = self.text.get(length..first.at).unwrap_or_default();
        between.len() > 1 && !is_selector(between)
    }

    /// The paths of the list, in order. The name of an existing file may contain separators.
    pub fn parts(&self, names: &mut Names<'_>) -> Vec<String> {
        let mut parts = Vec::new();
        let trimmed = self.text.trim_start().len();
        let mut start = self.text.len().saturating_sub(trimmed);
        let mut rest = self.scan.separators.as_slice();
        loop {
            let named = self.name_end(start, rest, names);
            let (end, next, used) = match rest.get(named) {
                Some(separator) => (separator.at, separator.next, named.saturating_add(1)),
                None => (self.text.len(), self.text.len(), rest.len()),
            };
            parts.extend(self.part(start, end, names));
            if end == self.text.len() {
                return parts;
            }
            start = next;
            rest = rest.get(used..).unwrap_or_default();
        }
    }

    /// The index in `rest` of the separator at which the part from `start` ends: the first one after the longest
    /// name of an existing file. 0 if no such name contains a separator.
    fn name_end(&self, start: usize, rest: &[Separator], names: &mut Names<'_>) -> usize {
        for count in (1..=rest.len().min(limits::NAME_SEMICOLONS)).rev() {
            let end = rest.get(count).map_or(self.text.len(), |one| one.at);
            let inside = rest.get(count.saturating_sub(1)).map_or(end, |one| one.at);
            let text = self.text.get(start..end).unwrap_or_default();
            if text.len() > limits::PATH_BYTES {
                continue;
            }
            if names(text).is_some_and(|length| inside < start.saturating_add(length)) {
                return count;
            }
        }
        0
    }

    /// The path from `start` to `end`, in which `\;` is a semicolon. `None` if it has no characters.
    fn part(&self, start: usize, end: usize, names: &mut Names<'_>) -> Option<String> {
        let text = self.text.get(start..end)?.trim_end();
        let end = start.saturating_add(text.len());
        let inside = |at: &&usize| (start..end).contains(*at);
        let escapes: Vec<usize> = self.scan.escapes.iter().filter(inside).copied().collect();
        if text.is_empty() {
            return None;
        }
        let Some(first) = escapes.first() else {
            return Some(text.to_owned());
        };
        if names(text).is_some_and(|length| *first < start.saturating_add(length)) {
            return Some(text.to_owned());
        }
        let mut part = String::with_capacity(text.len());
        let mut from = start;
        for at in escapes {
            part.push_str(self.text.get(from..at).unwrap_or_default());
            from = at.saturating_add(1);
        }
        part.push_str(self.text.get(from..end).unwrap_or_default());
        Some(part)
    }
}

/// Writes paths as a list. A space follows each `;`, so that a URL ends at it.
pub fn join<P: AsRef<str>>(paths: &[P]) -> String {
    if let [path] = paths {
        return path.as_ref().to_owned();
    }
    let mut list = String::new();
    for path in paths {
        if !list.is_empty() {
            list.push_str("; ");
        }
        let path = path.as_ref();
        let scan = scan(path);
        let mut from = 0;
        for separator in scan.separators {
            list.push_str(path.get(from..separator.at).unwrap_or_default());
            list.push('\\');
            from = separator.at;
        }
        list.push_str(path.get(from..).unwrap_or_default());
    }
    list
}

/// Whether a path is a URL, or starts as the address of a web page.
fn is_url(path: &str) -> bool {
    let scheme = matches!(
        locate(path.split(';').next().unwrap_or(path), false),
        Ok(Locator::Scheme(Scheme::Web | Scheme::Internal(_)))
    );
    scheme || is_address(path) || path.starts_with("file://")
}

fn scan(text: &str) -> Scan {
    let mut found = Scan::default();
    let mut url = is_url(text.trim_start());
    let mut in_query = false;
    let mut skipped = 0;
    for (at, c) in text.char_indices() {
        if at < skipped {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        match c {
            '?' if is_query(rest) => {
                in_query = true;
                if query::starts_sql(rest) {
                    break;
                }
            }
            '&' if in_query && query::starts_sql(rest) => break,
            '\\' if !url && rest.starts_with("\\;") => {
                found.escapes.push(at);
                skipped = at.saturating_add(2);
            }
            ';' => {
                let after = rest.get(1..).unwrap_or_default();
                let part = after.trim_ascii_start();
                let spaces = after.len().saturating_sub(part.len());
                if url && spaces == 0 && !part.is_empty() {
                    continue;
                }
                let next = at.saturating_add(1).saturating_add(spaces);
                found.separators.push(Separator { at, next });
                url = is_url(part);
                in_query = false;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(text: &str, files: &[&str]) -> Vec<String> {
        let mut names = |path: &str| {
            let ends = path.match_indices([':', '?']).map(|(at, _)| at);
            let ends = ends.chain([path.len()]);
            let names = ends.filter(|end| files.contains(&&path[..*end]));
            names.max()
        };
        match List::of(text) {
            Some(list) if !list.is_name(&mut names) => list.parts(&mut names),
            _ => vec![text.to_owned()],
        }
    }

    #[test]
    fn list_is_divided_at_semicolons_that_separate() {
        for (text, expected) in [
            ("a.rs", &["a.rs"][..]),
            ("a.rs:10-20;b.rs", &["a.rs:10-20", "b.rs"]),
            ("a.rs;  b.rs:raw ; c", &["a.rs", "b.rs:raw", "c"]),
            ("a.rs;\n\tb.rs;\r\nc", &["a.rs", "b.rs", "c"]),
            (" a;b", &["a", "b"]),
            (";a;;b; ;", &["a", "b"]),
            ("a;", &["a"]),
            (";", &[]),
            ("a\\;b;c", &["a;b", "c"]),
            ("a\\;b", &["a;b"]),
            ("x.db:t?limit=5;y", &["x.db:t?limit=5", "y"]),
            ("x.db?q=SELECT 1; y", &["x.db?q=SELECT 1; y"]),
            (
                "a; x.db:t?limit=5&where=n=';';b",
                &["a", "x.db:t?limit=5&where=n=';';b"],
            ),
            ("what?;b", &["what?", "b"]),
            ("https://x.org/a;b;c", &["https://x.org/a;b;c"]),
            ("https://x.org/a;b:1-5; c", &["https://x.org/a;b:1-5", "c"]),
            ("a;https://x.org/a;b", &["a", "https://x.org/a;b"]),
            ("www.x.org/a;b", &["www.x.org/a;b"]),
            ("https://x.org/a;", &["https://x.org/a"]),
            (
                "mcp://s/a;b; memory://c;d",
                &["mcp://s/a;b", "memory://c;d"],
            ),
            ("file:///a;b", &["file:///a;b"]),
            ("a\\:1;b", &["a\\:1", "b"]),
        ] {
            assert_eq!(parts(text, &[]), expected, "{text}");
        }
    }

    #[test]
    fn existing_name_with_semicolons_is_one_part() {
        let files = ["a;b.rs", "c", "d;e;f", "g\\;h"];
        for (text, expected) in [
            ("a;b.rs", &["a;b.rs"][..]),
            ("a;b.rs:5-9", &["a;b.rs:5-9"]),
            ("c;a;b.rs:5;c", &["c", "a;b.rs:5", "c"]),
            ("a; b.rs", &["a", "b.rs"]),
            ("d;e;f;c", &["d;e;f", "c"]),
            ("c;d;e;f", &["c", "d;e;f"]),
            ("g\\;h;c", &["g\\;h", "c"]),
            ("g\\;h", &["g\\;h"]),
        ] {
            assert_eq!(parts(text, &files), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn joined_paths_are_divided_into_the_same_paths(
            paths in prop::collection::vec("[a-c;:?#/. ]{0,6}[a-c]|https://x/[a;]{1,3}[b]", 1..6),
            sql in prop::option::of(Just("x.db?q=SELECT ';'; y".to_owned())),
        ) {
            let mut paths: Vec<String> = paths
                .into_iter()
                .map(|path| path.trim().to_owned())
                .filter(|path| !path.contains("; ") || !path.contains("://"))
                .collect();
            prop_assume!(!paths.is_empty());
            paths.extend(sql);
            let list = join(&paths);
            if paths.len() > 1 {
                prop_assert_eq!(parts(&list, &[]), paths, "{}", list);
            } else {
                prop_assert_eq!(&list, &paths[0]);
            }
        }
    }
}
