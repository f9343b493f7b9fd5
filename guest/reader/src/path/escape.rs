//! The escape form: names that hold a colon, written so that no disk is needed
//! to tell name from selector.
//!
//! A path is in escape form exactly if it contains `\:`. Then `\:` is a colon
//! and `\\` a backslash inside a name, and the first bare colon ends the name.

/// Writes a name so that it reads the same whatever lies on the disk: as it
/// is, unless it has a colon or starts like something else.
pub fn escape(name: &str) -> String {
    escaped(name, name.contains(':'))
}

/// Writes a name and what is asked of it.
pub fn escape_with(name: &str, selector: &impl std::fmt::Display) -> String {
    // A backslash before the colon would make it part of the name.
    let name = escaped(name, name.contains(':') || name.ends_with('\\'));
    format!("{name}:{selector}")
}

/// Writes a path into archives: the file, and what is asked of each.
pub fn escape_all(parts: &[&str]) -> String {
    let last = parts.len().saturating_sub(1);
    let needed = parts
        .iter()
        .enumerate()
        .any(|(at, part)| part.contains(':') || (at < last && part.ends_with('\\')));
    let mut parts = parts.iter();
    let mut out = parts
        .next()
        .map_or_else(String::new, |file| escaped(file, needed));
    for part in parts {
        out.push(':');
        for c in part.chars() {
            if needed && matches!(c, ':' | '\\') {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}

fn escaped(name: &str, needed: bool) -> String {
    let mut out = String::with_capacity(name.len());
    if name == "-" || name.starts_with('~') {
        out.push_str("./");
    }
    for c in name.chars() {
        if needed && matches!(c, ':' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Splits a path in escape form into its name, unescaped, and what follows the
/// first bare colon. `None` if the path is not in escape form.
pub fn unescape(path: &str) -> Option<(String, Option<&str>)> {
    if !path.contains("\\:") {
        return None;
    }
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
            ':' => return Some((name, path.get(at.saturating_add(1)..))),
            _ => name.push(c),
        }
    }
    Some((name, None))
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
            let path = escape_with(&name, &"5-9");
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
