//! The escape form: paths in which `\:` is a colon in a name.
//!
//! The escape form separates name and selector without access to the filesystem. A path is in
//! escape form if and only if it contains `\:`. In it, `\:` is a colon and `\\` is a backslash.
//! The first unescaped colon ends the name.

use std::borrow::Cow;

/// Converts a file name to a path that means this file, whatever other files exist. The path
/// differs from the name only if the name contains a colon, is `-`, or starts with `~`.
pub fn escape(name: &str) -> String {
    escape_all(&[&as_file(name)], false)
}

/// Prefixes a file name with `./` if the name is `-`, which would mean standard input, or starts
/// with `~`, which would mean the home directory.
pub fn as_file(name: &str) -> Cow<'_, str> {
    if name == "-" || name.starts_with('~') {
        Cow::Owned(format!("./{name}"))
    } else {
        Cow::Borrowed(name)
    }
}

/// Joins a file name and the names of members (such as files in an archive) to a path, with colons
/// between them. The path is in escape form if necessary. `more` is true if the caller appends a
/// suffix.
pub fn escape_all(parts: &[&str], more: bool) -> String {
    let last = parts.len().saturating_sub(1);
    // A backslash at the end of a name would escape the colon that follows.
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

/// Whether a path is in escape form, which means that it contains `\:`.
pub fn is_escaped(path: &str) -> bool {
    path.contains("\\:")
}

/// Splits a path in escape form into its unescaped name and the text after the first unescaped
/// colon. Returns `None` if the path is not in escape form.
pub fn unescape(path: &str) -> Option<(String, Option<&str>)> {
    is_escaped(path).then(|| split_escaped(path))
}

/// Splits a text as [`unescape`] does, but does not check that it is in escape form.
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
    fn escape_changes_only_ambiguous_names() {
        assert_eq!(escape("src/a b.rs"), "src/a b.rs");
        assert_eq!(escape("dir\\file"), "dir\\file");
        assert_eq!(escape("a:1-2"), "a\\:1-2");
        assert_eq!(escape("-"), "./-");
        assert_eq!(escape("~x"), "./~x");
    }

    #[test]
    fn unescaped_colon_ends_the_name() {
        assert_eq!(unescape("a\\:1:3-4"), Some(("a:1".into(), Some("3-4"))));
        assert_eq!(unescape("a\\:\\\\b"), Some(("a:\\b".into(), None)));
        assert_eq!(unescape("a:3"), None);
    }

    proptest! {
        #[test]
        fn selector_after_escaped_name_is_found(name in "[a:\\\\b/]{1,12}") {
            let path = escape_all(&[&name], true) + ":5-9";
            match unescape(&path) {
                Some(found) => prop_assert_eq!(found, (name, Some("5-9"))),
                None => prop_assert_eq!(path, format!("{name}:5-9")),
            }
        }

        #[test]
        fn escaped_name_unescapes_to_itself(name in "[a:\\\\b/]{0,12}") {
            let escaped = escape(&name);
            let (back, rest) = unescape(&escaped).unwrap_or((escaped.clone(), None));
            prop_assert_eq!((back, rest), (name, None));
        }
    }
}
