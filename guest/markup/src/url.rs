//! Addresses of links and images: which ones a reader can use, and relative ones made absolute.
//!
//! References are resolved as RFC 3986, section 5 specifies.

use crate::limits::URL_BYTES;
use std::borrow::Cow;

/// Schemes that are never shown as links: they are programs or data.
const UNSAFE: &[&str] = &[
    "javascript",
    "vbscript",
    "data",
    "livescript",
    "mocha",
    "about",
    "blob",
];

/// The parts of a URL, without its fragment.
#[derive(Clone, Copy, Debug, Default)]
struct Parts<'a> {
    scheme: &'a str,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

/// Whether browsers read a backslash in the path of a URL with this scheme as a slash.
fn has_backslashes(scheme: &str) -> bool {
    ["http", "https", "ftp", "file"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known))
}

fn is_unsafe(scheme: &str) -> bool {
    UNSAFE
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known))
}

fn scheme(url: &str) -> Option<(&str, &str)> {
    let colon = memchr::memchr(b':', url.as_bytes())?;
    let (scheme, rest) = (url.get(..colon)?, url.get(colon.checked_add(1)?..)?);
    let mut bytes = scheme.bytes();
    let first = bytes.next()?;
    let valid = first.is_ascii_alphabetic()
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    valid.then_some((scheme, rest))
}

fn parts(url: &str) -> Parts<'_> {
    let (url, fragment) = split(url, '#');
    let (url, query) = split(url, '?');
    let (scheme, rest) = scheme(url).unwrap_or(("", url));
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            // `http:///host/` is read as browsers read it.
            let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
            let rest = if web {
                rest.trim_start_matches('/')
            } else {
                rest
            };
            let end = rest.find('/').unwrap_or(rest.len());
            let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
            (Some(authority), path)
        }
        None => (None, rest),
    };
    Parts {
        scheme,
        authority,
        path,
        query,
        fragment,
    }
}

fn split(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Resolves a reference. The base may be empty or relative itself. `None` if the reference has an
/// unsafe scheme or is too long.
pub fn resolve(base: &str, reference: &str) -> Option<String> {
    let mut reference: String = reference
        .trim()
        .chars()
        .filter(|c| !c.is_control())
        .collect();
    if reference.len() > URL_BYTES {
        return None;
    }
    let base = parts(base);
    let own = scheme(&reference).map(|(scheme, _)| scheme);
    if own.is_some_and(is_unsafe) {
        return None;
    }
    if has_backslashes(own.unwrap_or(base.scheme)) {
        reference = with_slashes(reference);
    }
    let parsed = parts(&reference);
    if !parsed.scheme.is_empty() && parsed.authority.is_none() {
        return Some(reference);
    }
    let mut result = if parsed.scheme.is_empty() {
        base
    } else {
        parsed
    };
    result.fragment = parsed.fragment;
    let path = if !parsed.scheme.is_empty() {
        without_dots(parsed.path)
    } else if parsed.authority.is_some() {
        result.authority = parsed.authority;
        result.query = parsed.query;
        without_dots(parsed.path)
    } else if parsed.path.is_empty() {
        result.query = parsed.query.or(base.query);
        base.path.to_owned()
    } else {
        result.query = parsed.query;
        without_dots(&merged(base, parsed.path))
    };
    let mut out = String::with_capacity(reference.len().saturating_add(path.len()));
    if !result.scheme.is_empty() {
        out.push_str(result.scheme);
        out.push(':');
    }
    if let Some(authority) = result.authority {
        out.push_str("//");
        out.push_str(authority);
    }
    out.push_str(&path);
    for (separator, part) in [('?', result.query), ('#', result.fragment)] {
        if let Some(part) = part {
            out.push(separator);
            out.push_str(part);
        }
    }
    (out.len() <= URL_BYTES.saturating_mul(2)).then_some(out)
}

/// A URL with slashes in place of the backslashes before its query and fragment.
fn with_slashes(url: String) -> String {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    match url.split_at_checked(end) {
        Some((path, rest)) if path.contains('\\') => path.replace('\\', "/") + rest,
        _ => url,
    }
}

/// The path of a reference relative to a base, with its dot segments.
fn merged(base: Parts<'_>, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    match base.path.rsplit_once('/') {
        Some((directory, _)) => format!("{directory}/{path}"),
        None if base.authority.is_some() => format!("/{path}"),
        None => path.to_owned(),
    }
}

/// A path without `.` and `..` segments.
fn without_dots(path: &str) -> String {
    if !path.starts_with('.') && !path.contains("/.") {
        return path.to_owned();
    }
    let absolute = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." && !(kept.is_empty() && absolute) {
                    match kept.last() {
                        Some(&"..") | None => kept.push(".."),
                        Some(_) => drop(kept.pop()),
                    }
                }
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    let path = kept.join("/");
    if absolute { format!("/{path}") } else { path }
}

/// Whether a URL has a scheme and a host.
pub fn is_absolute(url: &str) -> bool {
    let parts = parts(url);
    !parts.scheme.is_empty()
        && parts
            .authority
            .is_some_and(|authority| !authority.is_empty())
}

/// Whether a URL is the absolute address of a page of the web.
pub fn is_web(url: &str) -> bool {
    let scheme = parts(url).scheme;
    is_absolute(url)
        && (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
}

/// The name of the file that a URL refers to. Empty if it has none.
pub fn file_name(url: &str) -> &str {
    parts(url).path.rsplit('/').next().unwrap_or_default()
}

/// Whether a reader can use an address: it is not a program and does not contain data.
pub fn is_usable(address: &str) -> bool {
    !scheme(address.trim_start()).is_some_and(|(scheme, _)| is_unsafe(scheme))
}

/// The address of a link or image for a reader. `base` is the URL to which it is
/// relative. `None` if a reader cannot use the address.
pub fn for_reader<'a>(address: &'a str, base: Option<&str>) -> Option<Cow<'a, str>> {
    let address = address.trim();
    if address.is_empty() || !is_usable(address) {
        return None;
    }
    let absolute = match base {
        Some(base) => resolve(base, address)?.into(),
        // The scheme is that of the page, which is not known.
        None if address.starts_with("//") => format!("https:{address}").into(),
        None => Cow::Borrowed(address),
    };
    Some(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_rfc_3986_are_resolved() {
        let base = "http://a/b/c/d;p?q";
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
        ] {
            assert_eq!(
                resolve(base, reference).as_deref(),
                Some(expected),
                "{reference}"
            );
        }
    }

    #[test]
    fn dots_of_an_absolute_reference_are_resolved() {
        for (reference, expected) in [
            ("https://h/a/../b/./c", "https://h/b/c"),
            ("https://h/.", "https://h/"),
            ("https://h", "https://h"),
            ("https://h/a?x=/../y#/../z", "https://h/a?x=/../y#/../z"),
        ] {
            assert_eq!(
                resolve("http://base/d/", reference).as_deref(),
                Some(expected)
            );
        }
    }

    #[test]
    fn backslashes_of_the_web_are_slashes() {
        for (base, reference, expected) in [
            ("http://h/d/", r"img\a.png", "http://h/d/img/a.png"),
            ("http://h/d/", r"..\a.png", "http://h/a.png"),
            ("http://h/d/", r"\\other\a", "http://other/a"),
            ("", r"HTTPS:\\h\a?b=\#\", r"HTTPS://h/a?b=\#\"),
            ("http://h/d/", r"custom:a\b", r"custom:a\b"),
            ("feed/", r"a\b", r"feed/a\b"),
        ] {
            assert_eq!(resolve(base, reference).as_deref(), Some(expected));
        }
    }

    #[test]
    fn base_may_be_empty_or_relative() {
        assert_eq!(resolve("", "a/../b").as_deref(), Some("b"));
        assert_eq!(resolve("feed/base/", "x").as_deref(), Some("feed/base/x"));
        assert_eq!(resolve("a/", "../../x").as_deref(), Some("../x"));
        assert_eq!(resolve("http://h", "x").as_deref(), Some("http://h/x"));
    }

    #[test]
    fn unsafe_scheme_is_refused() {
        assert_eq!(resolve("http://h/", " JavaScript:alert(1)"), None);
        assert_eq!(resolve("http://h/", "java\nscript:alert(1)"), None);
    }

    #[test]
    fn extra_slashes_are_removed() {
        assert_eq!(
            resolve("", "http:///example.com/test/").as_deref(),
            Some("http://example.com/test/")
        );
    }

    #[test]
    fn unusable_addresses_are_left_out() {
        for address in [
            "javascript:void(0)",
            "JavaScript:x",
            " data:image/png;base64,xx",
            "",
            "  ",
        ] {
            assert_eq!(for_reader(address, None), None, "{address}");
        }
        let address = for_reader("a b(c).html", Some("https://x.org/y/"));
        assert_eq!(address.as_deref(), Some("https://x.org/y/a b(c).html"));
    }

    proptest::proptest! {
        #[test]
        fn any_url_is_accepted(base in "[a-z:/.?#]{0,20}|.{0,10}", reference in "[a-z:/.?#]{0,20}|.{0,10}") {
            let resolved = resolve(&base, &reference);
            proptest::prop_assert!(resolved.is_none_or(|url| url.len() <= base.len() + reference.len() + 4));
        }
    }
}
