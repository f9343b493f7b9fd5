//! Classification of path strings: file path, standard input or URL.

use super::escape::unescape;
use super::{Suffix, strip_separator};
use crate::failure::{Failure, Reason};
use crate::limits;
use omniread_schemes::is_scheme;
use percent_encoding::percent_decode_str;

/// The scheme of a URL other than `file://`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `http://` or `https://`.
    Web,
    /// A scheme that the agent (the program that requests the read) defines, such as `skill`. If
    /// the host has no provider for the scheme and the scheme is not [known](omniread_schemes::is_known), the path is
    /// a file name instead.
    Internal(String),
}

/// A path string, classified by its syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Locator {
    /// A file path that may end in a selector. Only the names of existing files show where the file
    /// name ends and the selector begins.
    Path(String),
    /// A path in escape form: the file name, and the suffix after its colon.
    Escaped(String, Option<Suffix>),
    /// Standard input, and the suffix after the colon.
    Stdin(Option<Suffix>),
    /// A URL other than `file://`.
    Scheme(Scheme),
}

/// Classifies a path string without accessing the filesystem. `stdin` is true if `-` means
/// standard input.
///
/// # Errors
/// Returns [`Reason::InvalidPath`] if the path is empty, too long, contains a NUL, or is a
/// `file://` URL of another machine.
pub fn locate(path: &str, stdin: bool) -> Result<Locator, Failure> {
    let wrong = |message: String| Err(Failure::new(Reason::InvalidPath(path.to_owned()), message));
    if path.is_empty() {
        return wrong("the path is empty".to_owned());
    }
    if path.contains('\0') {
        return wrong("the path contains a NUL character".to_owned());
    }
    let limit = match path.find('?') {
        Some(query) if query <= limits::PATH_BYTES => limits::QUERY_BYTES,
        _ => limits::PATH_BYTES,
    };
    if path.len() > limit {
        let length = path.len();
        return wrong(format!(
            "the path has {length} bytes, more than the {limit} that a path may have"
        ));
    }
    if stdin {
        if path == "-" {
            return Ok(Locator::Stdin(None));
        }
        if let Some(rest) = path
            .strip_prefix('-')
            .filter(|rest| rest.starts_with([':', '?']))
        {
            return Ok(Locator::Stdin(strip_separator(rest).map(Suffix::of)));
        }
    }
    if let Some(rest) = strip_scheme(path, "file") {
        return match file_url(rest) {
            Some(path) => Ok(by_form(path)),
            None => wrong(format!("`{path}` is not a file URL of this machine")),
        };
    }
    if strip_scheme(path, "http").is_some() || strip_scheme(path, "https").is_some() {
        return Ok(Locator::Scheme(Scheme::Web));
    }
    if let Some((scheme, _)) = path.split_once("://").filter(|(name, _)| is_scheme(name)) {
        let scheme = scheme.to_ascii_lowercase();
        return Ok(Locator::Scheme(Scheme::Internal(scheme)));
    }
    Ok(by_form(path.to_owned()))
}

/// Whether a path looks like a web address without a scheme, such as `www.example.com`. If a file
/// of that name exists, the path means the file.
pub fn is_address(path: &str) -> bool {
    path.get(..4)
        .is_some_and(|www| www.eq_ignore_ascii_case("www."))
}

/// Whether a path string names a file by its absolute path.
pub fn is_absolute(path: &str) -> bool {
    starts_at_root(path) == Some(true)
}

/// Whether a path string names a file by a relative path.
pub fn is_relative(path: &str) -> bool {
    starts_at_root(path) == Some(false)
}

/// Whether the file path in a path string is absolute. Returns `None` if the string is not a file
/// path.
fn starts_at_root(path: &str) -> Option<bool> {
    match locate(path, false).ok()? {
        Locator::Path(name) | Locator::Escaped(name, _) => Some(name.starts_with('/')),
        Locator::Stdin(_) | Locator::Scheme(_) => None,
    }
}

/// Classifies a file path by whether it is in escape form.
pub fn by_form(path: String) -> Locator {
    match unescape(&path) {
        Some((name, rest)) => Locator::Escaped(name, rest.map(|rest| Suffix::new(rest, true))),
        None => Locator::Path(path),
    }
}

/// The rest of a URL after `scheme://`. `None` if the URL has another scheme.
fn strip_scheme<'a>(path: &'a str, scheme: &str) -> Option<&'a str> {
    let (start, rest) = path.split_at_checked(scheme.len())?;
    if start.eq_ignore_ascii_case(scheme) {
        rest.strip_prefix("://")
    } else {
        None
    }
}

/// The file that a path such as `file:/a` names, the short form of a `file://` URL (RFC 8089, appendix B).
/// It is also the path of a member of a file called `file`, so that it is tried only if that does not exist.
/// `None` if the path has another form.
pub fn short_file_url(path: &str) -> Option<Locator> {
    let (scheme, rest) = path.split_once(':')?;
    let is_short = rest.starts_with('/') && !rest.starts_with("//");
    if !scheme.eq_ignore_ascii_case("file") || !is_short {
        return None;
    }
    file_url(rest).map(by_form)
}

/// The path in a `file://` URL. `rest` is the URL after `file://`. Returns `None` if the URL is
/// invalid or its host is another machine.
fn file_url(rest: &str) -> Option<String> {
    let path = match rest.find('/') {
        Some(0) => rest,
        Some(slash) => {
            let (host, path) = rest.split_at_checked(slash)?;
            if !host.eq_ignore_ascii_case("localhost") {
                return None;
            }
            path
        }
        None => return None,
    };
    // `%3A` and `%5C` are a colon and a backslash in a name, so they need the escape form.
    let upper = path.to_ascii_uppercase();
    if upper.contains("%3A") || upper.contains("%5C") {
        let marked = path.replace('\\', "%5C");
        let marked = ["%5C", "%5c"]
            .iter()
            .fold(marked, |path, code| path.replace(code, "%5C%5C"));
        let marked = ["%3A", "%3a"]
            .iter()
            .fold(marked, |path, code| path.replace(code, "%5C%3A"));
        let escaped = percent_decode(&marked)?;
        if escaped.contains("\\:") {
            return Some(escaped);
        }
    }
    percent_decode(path)
}

/// Decodes a path of a URL. `None` if an escape is damaged, or if the path is not UTF-8 or has a NUL.
fn percent_decode(text: &str) -> Option<String> {
    let is_escape = |rest: &str| {
        let mut digits = rest.bytes().take(2);
        digits.len() == 2 && digits.all(|digit| digit.is_ascii_hexdigit())
    };
    if !text.split('%').skip(1).all(is_escape) {
        return None;
    }
    let decoded = percent_decode_str(text).decode_utf8().ok()?;
    (!decoded.contains('\0')).then(|| decoded.into_owned())
}

/// Resolves `.`, `..` and repeated slashes in a path string. A relative path that leads to a parent
/// of its start keeps its leading `..`. The parent of the root directory is the root directory.
pub fn clean(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&"..") | None if !absolute => parts.push(".."),
                _ => {
                    parts.pop();
                }
            },
            name => parts.push(name),
        }
    }
    let joined = parts.join("/");
    if absolute {
        format!("/{joined}")
    } else {
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_string_is_classified_by_scheme_and_escape() {
        for (path, locator) in [
            ("https://example.com/:80", Locator::Scheme(Scheme::Web)),
            ("www.example.com", Locator::Path("www.example.com".into())),
            (
                "skill://x",
                Locator::Scheme(Scheme::Internal("skill".into())),
            ),
            (
                "Acme+1://x",
                Locator::Scheme(Scheme::Internal("acme+1".into())),
            ),
            ("c://x", Locator::Path("c://x".into())),
            ("a b://x", Locator::Path("a b://x".into())),
            ("file:///a%20b:5", Locator::Path("/a b:5".into())),
            (
                "file:///p%5C:1",
                Locator::Escaped("/p\\".into(), Some(Suffix::new("1", true))),
            ),
            ("file:///a%3A5", Locator::Escaped("/a:5".into(), None)),
            ("file://localhost/a", Locator::Path("/a".into())),
            (
                "a\\:b:3",
                Locator::Escaped("a:b".into(), Some(Suffix::new("3", true))),
            ),
            ("-", Locator::Stdin(None)),
            ("-:-5", Locator::Stdin(Some(Suffix::of("-5")))),
        ] {
            assert_eq!(locate(path, true), Ok(locator), "{path}");
        }
        assert_eq!(locate("-", false), Ok(Locator::Path("-".into())));
    }

    #[test]
    fn absolute_and_relative_paths_are_distinguished() {
        for (path, absolute, relative) in [
            ("/a", true, false),
            ("file:///a", true, false),
            ("/a\\:b", true, false),
            ("a", false, true),
            ("./a", false, true),
            ("~/a", false, true),
            ("https://example.com", false, false),
            ("www.example.com", false, true),
            ("skill://x", false, false),
        ] {
            assert_eq!(
                (is_absolute(path), is_relative(path)),
                (absolute, relative),
                "{path}"
            );
        }
    }

    #[test]
    fn invalid_path_fails_with_the_path_in_its_reason() {
        let long = "x".repeat(5000);
        for path in [
            "",
            "a\0b",
            &long,
            "file://elsewhere/a",
            "file://",
            "file:///a%2",
            "file:///%00",
        ] {
            let failure = locate(path, false).unwrap_err();
            assert_eq!(failure.reason, Reason::InvalidPath(path.to_owned()));
        }
    }

    #[test]
    fn dots_and_slashes_are_resolved_without_the_filesystem() {
        for (path, clean_path) in [
            ("a/./b//c", "a/b/c"),
            ("a/../b", "b"),
            ("../../a", "../../a"),
            ("a/../../b", "../b"),
            ("/../a", "/a"),
            ("/a/b/../..", "/"),
            (".", ""),
        ] {
            assert_eq!(clean(path), clean_path, "{path}");
        }
    }
}
