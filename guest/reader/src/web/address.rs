//! Web addresses in paths: the URL, and the suffix that selects a part of its content.
//!
//! | path | URL | suffix |
//! |---|---|---|
//! | `https://x.org/a:5-9` | `https://x.org/a` | `5-9` |
//! | `https://x.org:8080` | `https://x.org:8080` | |
//! | `https://x.org/:80` | `https://x.org/` | `80` |
//! | `https://x.org/a.zip:README.md:5` | `https://x.org/a.zip` | `README.md:5` |
//! | `https://x.org/a.db?v=2:users?limit=5` | `https://x.org/a.db?v=2` | `users?limit=5` |
//! | `https://x.org/wiki/Help:Contents` | all of it | |
//! | `https://x.org/a#install:5-9` | `https://x.org/a` | section `install`, lines `5-9` |
//!
//! Suffixes are removed from the end: lines, `raw`, `full` and `fresh` in any order. A member
//! follows a name with the extension of a file that contains others.

use crate::failure::{Failure, Reason};
use crate::path::{Suffix, ends_in};
use crate::sniff::{Document, Hints, TableFormat, is_named_database};
use url::Url;

/// Extensions of archives and compressed files, in which a path names members.
const ARCHIVES: &[&str] = &[
    "7z", "a", "apk", "ar", "bz2", "cpio", "crate", "deb", "gem", "gz", "jar", "lz4", "lzma",
    "nupkg", "rpm", "tar", "tbz2", "tgz", "txz", "tzst", "vsix", "war", "whl", "xpi", "xz", "z",
    "zip", "zst",
];

/// Extensions of mails, in which a path names attachments.
const MAILS: &[&str] = &["eml", "mbox", "msg"];

/// The word of the suffix that requests a copy of the session not to be used.
const FRESH: &str = "fresh";
/// The word of the suffix that selects the whole page.
const FULL: &str = "full";

/// A web address in a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The URL that is requested. It has no fragment.
    pub url: Url,
    /// The address as the user typed it, without its suffix and its fragment.
    pub typed: String,
    /// The text after the URL: a selector or a member.
    pub suffix: Option<String>,
    /// Whether the suffix names a member, and is not a selector.
    pub has_member: bool,
    /// The id of the section after `#`.
    pub fragment: Option<String>,
    /// Whether a copy of the session must not be used.
    pub fresh: bool,
}

impl Address {
    /// Parses a path that starts with `http://` or `https://`.
    ///
    /// # Errors
    /// Returns [`Reason::InvalidPath`] if the path is not a valid address, or if it has a user name or
    /// a password. Returns [`Reason::InvalidSelector`] if its selector has invalid numbers.
    pub fn parse(path: &str) -> Result<Self, Failure> {
        let start = path.find("://").map_or(0, |at| at.saturating_add(3));
        let begins = |(at, c): &(usize, char)| *at >= start && matches!(c, '/' | '?' | '#' | '\\');
        let end = path.char_indices().find(begins);
        let (server, rest) = path
            .split_at_checked(end.map_or(path.len(), |(at, _)| at))
            .unwrap_or((path, ""));
        let Split {
            at,
            suffix,
            fresh,
            has_member,
        } = split(rest)?;
        let address = format!("{server}{}", rest.get(..at).unwrap_or(rest));
        Self::new(&address, suffix, has_member, fresh, path)
    }

    fn new(
        address: &str,
        suffix: Option<String>,
        has_member: bool,
        fresh: bool,
        path: &str,
    ) -> Result<Self, Failure> {
        let (typed, fragment) = match address.split_once('#') {
            Some((typed, id)) => (typed, Some(id).filter(|id| !id.is_empty())),
            None => (address, None),
        };
        Ok(Self {
            url: url(typed, path)?,
            typed: typed.to_owned(),
            suffix,
            has_member,
            fragment: fragment.map(str::to_owned),
            fresh,
        })
    }

    /// The address that ends at the first colon of its path, with the text after it as its member. `None` if it has no such colon, or if it has a member already.
    pub fn at_colon(&self) -> Option<Self> {
        if self.has_member {
            return None;
        }
        let start = self.typed.find("://")?.checked_add(3)?;
        let path = self.typed.get(start..)?.find('/')?.checked_add(start)?;
        let end = self.typed.get(path..)?.find(['?', '#']);
        let end = end.map_or(self.typed.len(), |end| end.saturating_add(path));
        let colon = self.typed.get(path..end)?.find(':')?.checked_add(path)?;
        let mut member = self.typed.get(colon.checked_add(1)?..)?.to_owned();
        if member.is_empty() {
            return None;
        }
        if let Some(suffix) = &self.suffix {
            member = format!("{member}:{suffix}");
        }
        let typed = self.typed.get(..colon)?;
        Self::new(typed, Some(member), true, self.fresh, typed).ok()
    }

    /// The selector of the suffix, as far as it is one.
    pub fn selector(&self) -> Option<crate::path::Selector> {
        let suffix = self.suffix.as_deref().filter(|_| !self.has_member)?;
        Suffix::new(suffix, false).selector().ok().flatten()
    }
}

/// The parts of the text after the server of an address.
struct Split {
    /// The offset at which the URL ends.
    at: usize,
    suffix: Option<String>,
    fresh: bool,
    has_member: bool,
}

/// Splits the text after the server of an address into the URL and its suffix.
fn split(rest: &str) -> Result<Split, Failure> {
    let query = rest.find(['?', '#']).unwrap_or(rest.len());
    for (at, _) in rest.char_indices().filter(|(_, c)| *c == ':') {
        let (url, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let after = after.strip_prefix(':').unwrap_or(after);
        match selector(after) {
            Ok(Some((suffix, fresh))) => {
                return Ok(Split {
                    at,
                    suffix,
                    fresh,
                    has_member: false,
                });
            }
            // A query may contain any numbers, such as times.
            Err(mistake) if at < query && !after.contains(':') => return Err(mistake),
            Ok(None) | Err(_) => {}
        }
        let path = url.get(..query.min(at)).unwrap_or(url);
        let name = path.rsplit('/').next().unwrap_or(path);
        if has_members(name) {
            let (member, fresh) = without_fresh(after);
            return Ok(Split {
                at,
                suffix: Some(member),
                fresh,
                has_member: true,
            });
        }
    }
    Ok(Split {
        at: rest.len(),
        suffix: None,
        fresh: false,
        has_member: false,
    })
}

/// Parses the text after a colon as a selector, with `fresh` and `full` at any place. The selector is
/// `None` if there is only `fresh`.
fn selector(text: &str) -> Result<Option<(Option<String>, bool)>, Failure> {
    let is = |part: &&str, word: &str| part.eq_ignore_ascii_case(word);
    let parts: Vec<&str> = text.split(':').collect();
    let fresh = parts.iter().any(|part| is(part, FRESH));
    let full = parts.iter().any(|part| is(part, FULL));
    let rest: Vec<&str> = parts
        .into_iter()
        .filter(|part| !is(part, FRESH) && !is(part, FULL))
        .collect();
    if fresh && !full && rest.is_empty() {
        return Ok(Some((None, true)));
    }
    let mut normal = rest.join(":");
    if full {
        normal = if normal.is_empty() {
            FULL.to_owned()
        } else {
            format!("{FULL}:{normal}")
        };
    }
    let parsed = Suffix::new(&normal, false).selector()?;
    Ok(parsed.map(|_| (Some(normal), fresh)))
}

/// Removes `fresh` from the text of a member, if it is the last part or only a selector follows it.
fn without_fresh(member: &str) -> (String, bool) {
    let parts: Vec<&str> = member.split(':').collect();
    let is_fresh = |at: &usize| {
        let after = parts.get(at.saturating_add(1)..).unwrap_or_default();
        let is_selector = || {
            let selector = Suffix::new(&after.join(":"), false).selector();
            matches!(selector, Ok(Some(_)))
        };
        after.is_empty() || is_selector()
    };
    let named = |at: &usize| {
        parts
            .get(*at)
            .is_some_and(|it| it.eq_ignore_ascii_case(FRESH))
    };
    match (0..parts.len()).find(|at| named(at) && is_fresh(at)) {
        Some(found) => {
            let rest = parts.iter().enumerate().filter(|(at, _)| *at != found);
            let rest: Vec<&str> = rest.map(|(_, part)| *part).collect();
            (rest.join(":"), true)
        }
        None => (member.to_owned(), false),
    }
}

/// Whether a file with this name contains members, tables, pages or attachments.
pub fn has_members(name: &str) -> bool {
    let hints = Hints {
        name,
        ..Hints::default()
    };
    is_in_parts(name)
        || ends_in(name, MAILS)
        || TableFormat::of(hints).is_some()
        || Document::of_name(name).is_some_and(|document| !is_markup(document))
}

/// Whether a document is markup, which has no members.
fn is_markup(document: Document) -> bool {
    matches!(
        document,
        Document::Html | Document::Feed | Document::Xml | Document::Svg
    )
}

/// Whether a file with this name is read in parts: an archive, a database or a PDF document.
pub fn is_in_parts(name: &str) -> bool {
    ends_in(name, ARCHIVES) || is_named_database(name) || ends_in(name, &["pdf"])
}

/// Parses the URL of an address. `path` is what the user typed.
fn url(address: &str, path: &str) -> Result<Url, Failure> {
    let wrong = |why: &str| {
        let message = format!("`{path}` is not a valid web address: {why}");
        Failure::new(Reason::InvalidPath(path.to_owned()), message)
    };
    if address.chars().any(char::is_control) {
        return Err(wrong("it contains a control character"));
    }
    if address.contains('\\') {
        return Err(wrong("it contains a backslash"));
    }
    let url = Url::parse(address).map_err(|error| wrong(&error.to_string()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it contains a user name or a password")
            .hint("leave out the part before `@`; a host sends tokens in headers"));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(wrong("it has no host"));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(path: &str) -> (String, Option<String>, Option<String>) {
        let address = Address::parse(path).unwrap();
        (address.url.to_string(), address.suffix, address.fragment)
    }

    #[test]
    fn suffixes_are_removed_from_the_end() {
        for (path, url, suffix) in [
            ("https://x.org", "https://x.org/", None),
            ("https://x.org:8080", "https://x.org:8080/", None),
            ("https://x.org/:80", "https://x.org/", Some("80")),
            ("https://x.org/a:5-9", "https://x.org/a", Some("5-9")),
            (
                "https://x.org/a:5-9:raw",
                "https://x.org/a",
                Some("5-9:raw"),
            ),
            (
                "https://x.org/a:5-9:full",
                "https://x.org/a",
                Some("full:5-9"),
            ),
            (
                "https://x.org/a:full:raw",
                "https://x.org/a",
                Some("full:raw"),
            ),
            ("https://x.org/a:fresh", "https://x.org/a", None),
            (
                "https://x.org/a:raw:fresh:2",
                "https://x.org/a",
                Some("raw:2"),
            ),
            ("https://x.org/a:", "https://x.org/a", Some("")),
            ("https://x.org/a:page:2", "https://x.org/a", Some("page:2")),
            ("https://x.org/a:#b", "https://x.org/a", Some("#b")),
            (
                "https://x.org/wiki/Help:Contents",
                "https://x.org/wiki/Help:Contents",
                None,
            ),
            (
                "https://x.org/wiki/Help:Contents:7",
                "https://x.org/wiki/Help:Contents",
                Some("7"),
            ),
            ("https://x.org/a?q=x:y", "https://x.org/a?q=x:y", None),
            ("https://x.org/a?t=10:00", "https://x.org/a?t=10:00", None),
            ("https://x.org/a%3A5", "https://x.org/a%3A5", None),
            ("https://x.org?q=1:7", "https://x.org/?q=1", Some("7")),
        ] {
            let found = parts(path);
            assert_eq!(
                (found.0.as_str(), found.1.as_deref()),
                (url, suffix),
                "{path}"
            );
        }
        assert!(Address::parse("https://x.org/a:fresh").unwrap().fresh);
        assert!(Address::parse("https://x.org/a:0").is_err());
        assert!(Address::parse("https://x.org/a:9-3").is_err());
    }

    #[test]
    fn member_follows_the_name_of_a_container() {
        for (path, url, member) in [
            (
                "https://x.org/a.zip:README.md",
                "https://x.org/a.zip",
                "README.md",
            ),
            (
                "https://x.org/a.zip:b.tar:c.md:1-5",
                "https://x.org/a.zip",
                "b.tar:c.md:1-5",
            ),
            (
                "https://x.org/a.zip:d/e.md:fresh",
                "https://x.org/a.zip",
                "d/e.md",
            ),
            (
                "https://x.org/a.zip:d/e.md:fresh:2-3",
                "https://x.org/a.zip",
                "d/e.md:2-3",
            ),
            (
                "https://x.org/a.zip:fresh:e.md",
                "https://x.org/a.zip",
                "fresh:e.md",
            ),
            ("https://x.org/a.zip?v=1:b", "https://x.org/a.zip?v=1", "b"),
            (
                "https://x.org/a.db:users?limit=5",
                "https://x.org/a.db",
                "users?limit=5",
            ),
            (
                "https://x.org/a.db:?q=SELECT 1",
                "https://x.org/a.db",
                "?q=SELECT 1",
            ),
            (
                "https://x.org/m.eml:a.docx:3",
                "https://x.org/m.eml",
                "a.docx:3",
            ),
            (
                "https://x.org/b.xlsx:Sales?limit=1",
                "https://x.org/b.xlsx",
                "Sales?limit=1",
            ),
        ] {
            let found = parts(path);
            assert_eq!(
                (found.0.as_str(), found.1.as_deref()),
                (url, Some(member)),
                "{path}"
            );
        }
        let address = Address::parse("https://x.org/a.pdf:page:2").unwrap();
        assert_eq!(
            (address.suffix.as_deref(), address.has_member),
            (Some("page:2"), false)
        );
    }

    #[test]
    fn fragment_is_not_part_of_the_url() {
        let found = parts("https://x.org/a#install:5-9");
        assert_eq!(
            found,
            (
                "https://x.org/a".into(),
                Some("5-9".into()),
                Some("install".into())
            )
        );
        assert_eq!(parts("https://x.org/a#").2, None);
    }

    #[test]
    fn text_after_a_colon_may_be_a_member() {
        let address = Address::parse("https://x.org/get/a:src/b.rs:7").unwrap();
        let inside = address.at_colon().unwrap();
        assert_eq!(inside.url.as_str(), "https://x.org/get/a");
        assert_eq!(inside.suffix.as_deref(), Some("src/b.rs:7"));
        assert_eq!(
            Address::parse("https://x.org:80/a").unwrap().at_colon(),
            None
        );
    }

    #[test]
    fn address_that_misleads_is_refused() {
        for path in [
            "http://a@127.0.0.1/",
            "http://a:b@x.org/",
            "http://x.org\\@127.0.0.1/",
            "http://x.org/a\r\nHost: y",
            "http://x.org/a\tb",
            "http://",
            "http://x.org:99999/",
            "http://[::1/",
            "https://exa mple.org/",
        ] {
            let failure = Address::parse(path).unwrap_err();
            assert_eq!(
                failure.reason,
                Reason::InvalidPath(path.to_owned()),
                "{path}"
            );
        }
        for (typed, url) in [
            ("http://127.1/", "http://127.0.0.1/"),
            ("http://0x7f000001/", "http://127.0.0.1/"),
            ("http://127。0。0。1/", "http://127.0.0.1/"),
            ("http://аpple.com/", "http://xn--pple-43d.com/"),
        ] {
            assert_eq!(Address::parse(typed).unwrap().url.as_str(), url);
        }
    }
}
