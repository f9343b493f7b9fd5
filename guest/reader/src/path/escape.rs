//! The escape form: names that hold a colon, written so that no disk is needed
//! to tell name from selector.
//!
//! A path is in escape form exactly if it contains `\:`. Then `\:` is a colon
//! and `\\` a backslash inside a name, and the first bare colon ends the name.

use std::borrow::Cow;

/// Writes a name so that it reads the same whatever lies on the disk: as it
/// is, unless it has a colon or starts like something else.
pub fn escape(name: &str) -> String {
    escape_all(&[&as_file(name)], false)
}

/// Writes the name of a file so that it is not taken for standard input or for
/// one in the home directory.
pub fn as_file(name: &str) -> Cow<'_, str> {
    if name == "-" || name.starts_with('~') {
        Cow::Owned(format!("./{name}"))
    } else {
        Cow::Borrowed(name)
    }
}

/// Writes a path into archives: the file, and what is asked of each. `more`
/// tells that something follows.
pub fn escape_all(parts: &[&str], more: bool) -> String {
    let last = parts.len().saturating_sub(1);
    // A backslash before the colon would make it part of the name.
    let needed = parts
        .iter()
        .enumerate()
        .any(|(at, part)| part.contains(':') || ((more || at < last) && part.ends_with('\\')));
    let mut out = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push(':');
        }
        for c in part.chars() {
            if needed && matches!(c, ':' | '\\') {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}

/// Whether a path is in escape form.
pub fn is_escaped(path: &str) -> bool {
    path.contains("\\:")
}

/// Splits a path in escape form into its name, unescaped, and what follows the
/// first bare colon. `None` if the path is not in escape form.
pub fn unescape(path: &str) -> Option<(String, Option<&str>)> {
    is_escaped(path).then(|| split_escaped(path))
}

/// The same of something that is known to be in that form.
pub fn split_escaped(path: &str) -> (String, Option<&str>) {
    let mut name = String::with_capacity(path.len());
    let mut chars = path.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.clone().next() {
                Some((_, next @ (':' | '\\'))) => {
                    name.push(next);
                    chars.next();
                }
                _ => name.push('\\'),
            },
            ':' => return (name, path.get(at.saturating_add(1)..)),
            _ => name.push(c),
        }
    }
    (name, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_names_that_need_it_change() {
        assert_eq!(escape("src/a b.rs"), "src/a b.rs");
        assert_eq!(escape("dir\\file"), "dir\\file");
        assert_eq!(escape("a:1-2"), "a\\:1-2");
        assert_eq!(escape("-"), "./-");
        assert_eq!(escape("~x"), "./~x");
    }

    #[test]
    fn a_bare_colon_ends_the_name() {
        assert_eq!(unescape("a\\:1:3-4"), Some(("a:1".into(), Some("3-4"))));
        assert_eq!(unescape("a\\:\\\\b"), Some(("a:\\b".into(), None)));
        assert_eq!(unescape("a:3"), None);
    }

    proptest! {
        #[test]
        fn a_selector_is_found_again(name in "[a:\\\\b/]{1,12}") {
            let path = escape_all(&[&name], true) + ":5-9";
            match unescape(&path) {
                Some(found) => prop_assert_eq!(found, (name, Some("5-9"))),
                None => prop_assert_eq!(path, format!("{name}:5-9")),
            }
        }

        #[test]
        fn what_is_escaped_comes_back(name in "[a:\\\\b/]{0,12}") {
            let escaped = escape(&name);
            let (back, rest) = unescape(&escaped).unwrap_or((escaped.clone(), None));
            prop_assert_eq!((back, rest), (name, None));
        }
    }
}
