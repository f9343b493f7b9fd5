//! Which world a path string belongs to.

use super::escape::unescape;
use super::{Rest, behind};
use crate::failure::{Failure, Reason};
use crate::limits;

/// A scheme other than `file://`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `http://` or `https://`.
    Web,
    /// A scheme of the agent itself, such as `skill://`. Where the host does not answer
    /// it, and it is not [known](is_known), the path is the name of a file.
    Internal(String),
}

/// Where a path string leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Locator {
    /// A path of the filesystem, perhaps with a selector: the disk decides
    /// where the name ends.
    Path(String),
    /// A path in escape form: the name, and what follows its colon.
    Escaped(String, Option<Rest>),
    /// Standard input, and what follows the colon.
    Stdin(Option<Rest>),
    /// Something that is not on a filesystem, or not necessarily.
    Scheme(Scheme),
}

/// The schemes that agents give to their own resources: no file has such a name.
const INTERNAL: &[&str] = &[
    "agent",
    "artifact",
    "attachment",
    "conflict",
    "issue",
    "local",
    "mcp",
    "memory",
    "omp",
    "pr",
    "rule",
    "skill",
];

/// Tells where a path string leads, without asking the disk.
///
/// # Errors
/// [`Reason::Path`] if it leads nowhere: empty, too long, or with a NUL.
pub fn locate(path: &str, stdin: bool) -> Result<Locator, Failure> {
    let wrong = |message: String| Err(Failure::new(Reason::Path(path.to_owned()), message));
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
            return Ok(Locator::Stdin(behind(rest).map(Rest::of)));
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

/// Whether a word may be a scheme, by RFC 3986, section 3.1. A single letter is a drive.
fn is_scheme(word: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    word.len() > 1 && word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(part)
}

/// Whether agents give this scheme to their own resources.
pub fn is_known(scheme: &str) -> bool {
    INTERNAL.contains(&scheme)
}

/// Whether a path that is no file is the address of a web page.
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

/// `None` if it names no file.
fn starts_at_root(path: &str) -> Option<bool> {
    match locate(path, false).ok()? {
        Locator::Path(name) | Locator::Escaped(name, _) => Some(name.starts_with('/')),
        Locator::Stdin(_) | Locator::Scheme(_) => None,
    }
}

/// Where the name of a file leads.
pub fn by_form(path: String) -> Locator {
    match unescape(&path) {
        Some((name, rest)) => Locator::Escaped(name, rest.map(|rest| Rest::new(rest, true))),
        None => Locator::Path(path),
    }
}

/// What follows `scheme://`.
fn strip_scheme<'a>(path: &'a str, scheme: &str) -> Option<&'a str> {
    let (start, rest) = path.split_at_checked(scheme.len())?;
    if start.eq_ignore_ascii_case(scheme) {
        rest.strip_prefix("://")
    } else {
        None
    }
}

/// The path of a file URL, after `file://`: its host must be this machine.
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
    // What is written as `%3A` or `%5C` is part of a name.
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

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high.checked_mul(16)?.checked_add(low)?).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    let decoded = String::from_utf8(bytes).ok()?;
    (!decoded.contains('\0')).then_some(decoded)
}

/// Resolves `.`, `..` and doubled slashes in the text of a path. A relative
/// path that climbs keeps its leading `..`; the root of an absolute one is its
/// own parent.
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
    fn schemes_are_told_from_names() {
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
                Locator::Escaped("/p\\".into(), Some(Rest::new("1", true))),
            ),
            ("file:///a%3A5", Locator::Escaped("/a:5".into(), None)),
            ("file://localhost/a", Locator::Path("/a".into())),
            (
                "a\\:b:3",
                Locator::Escaped("a:b".into(), Some(Rest::new("3", true))),
            ),
            ("-", Locator::Stdin(None)),
            ("-:-5", Locator::Stdin(Some(Rest::of("-5")))),
        ] {
            assert_eq!(locate(path, true), Ok(locator), "{path}");
        }
        assert_eq!(locate("-", false), Ok(Locator::Path("-".into())));
    }

    #[test]
    fn absolute_is_told_from_relative() {
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
    fn paths_that_lead_nowhere_are_named() {
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
            assert_eq!(failure.reason, Reason::Path(path.to_owned()));
        }
    }

    #[test]
    fn cleaning_is_lexical() {
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
