//! What a URL `mcp://…` names.

use super::config::is_name;
use super::limits;

/// The scheme.
pub const SCHEME: &str = "mcp";

/// What a URL names.
#[derive(Debug, PartialEq, Eq)]
pub enum Address<'u> {
    /// `mcp://`: the list of the servers.
    Servers,
    /// `mcp://SERVER` and `mcp://SERVER/`: the list of the resources of a server.
    Server(&'u str),
    /// `mcp://SERVER/RESOURCE-URI`: a resource of a server.
    Resource(&'u str, &'u str),
    /// `mcp://RESOURCE-URI`: a resource of the server that lists it, or whose template matches best.
    Uri(&'u str),
    /// `mcp://SERVER:SELECTOR`: a selector without the slash before it.
    NoSlash(&'u str, &'u str),
    /// A word that is neither the name of a server nor a URI.
    Unknown(&'u str),
}

impl<'u> Address<'u> {
    /// The meaning of a URL. `is_server` says whether a name is that of a server. The name of a server comes
    /// first. URIs are opaque: not a byte of them is changed.
    pub fn of(url: &'u str, is_server: &dyn Fn(&str) -> bool) -> Self {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        if rest.is_empty() {
            return Self::Servers;
        }
        match rest.split_once('/') {
            Some((name, "")) if is_server(name) => Self::Server(name),
            Some((name, uri)) if is_server(name) => Self::Resource(name, uri),
            None if is_server(rest) => Self::Server(rest),
            None if rest.contains(':') => {
                let (name, selector) = rest.split_once(':').unwrap_or((rest, ""));
                let is_selector = selector.split(':').all(may_be_selector);
                if is_server(name) && is_selector {
                    Self::NoSlash(name, selector)
                } else {
                    Self::Uri(rest)
                }
            }
            _ if rest.contains(':') => Self::Uri(rest),
            _ => {
                let name = rest.split('/').next().unwrap_or(rest);
                Self::Unknown(if is_name(name) { name } else { rest })
            }
        }
    }
}

/// The texts before the selectors that may end a URI, the longest first: `a:b:raw:1-20` has `a:b:raw` and
/// `a:b`.
pub fn without_selectors(uri: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let mut rest = uri;
    while let Some((start, selector)) = rest.rsplit_once(':') {
        if !may_be_selector(selector) || starts.len() >= limits::SELECTORS {
            break;
        }
        starts.push(start);
        rest = start;
    }
    starts
}

/// Whether a text has the form of a selector of lines: ranges, `raw`, `full` or `fresh`, or nothing.
fn may_be_selector(text: &str) -> bool {
    let is_word = ["raw", "full", "fresh"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    is_word
        || text
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, 'L' | 'l' | '-' | '+' | ',' | '.' | '@'))
}

/// The resource and the number of one of its contents: `URI#part=2`.
pub fn part(uri: &str) -> Option<(&str, usize)> {
    let (uri, number) = uri.rsplit_once("#part=")?;
    let number = number.parse().ok().filter(|number| *number > 0)?;
    Some((uri, number))
}

/// The bytes with which two texts begin and end alike.
pub fn common(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let left = one.len().min(other.len()).saturating_sub(start);
    let ends = one.iter().rev().zip(other.iter().rev()).take(left);
    let end = ends.take_while(|(a, b)| a == b).count();
    start.saturating_add(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_name_servers_and_resources() {
        fn of(url: &str) -> Address<'_> {
            Address::of(url, &|name| name == "files")
        }
        assert_eq!(of("mcp://"), Address::Servers);
        assert_eq!(of("mcp://files"), Address::Server("files"));
        assert_eq!(of("MCP://files/"), Address::Server("files"));
        for uri in ["file:///a//b/", "urn:x:y", "a%2Fb", "/", "notes", "a:b#c?d"] {
            let url = format!("mcp://files/{uri}");
            assert_eq!(of(&url), Address::Resource("files", uri));
        }
        for uri in ["file:///a/b/", "urn:x:y", "Files:a", "demo://x/1"] {
            let url = format!("mcp://{uri}");
            assert_eq!(of(&url), Address::Uri(uri));
        }
        assert_eq!(of("mcp://file"), Address::Unknown("file"));
        assert_eq!(of("mcp://files:1-5"), Address::NoSlash("files", "1-5"));
        assert_eq!(of("mcp://file/notes"), Address::Unknown("file"));
    }

    #[test]
    fn selectors_at_the_end_may_be_a_part_of_the_uri() {
        assert_eq!(without_selectors("a:b"), Vec::<&str>::new());
        assert_eq!(without_selectors("a://b:10-20"), ["a://b"]);
        assert_eq!(without_selectors("a:b:raw:L1+2"), ["a:b:raw", "a:b"]);
        assert_eq!(without_selectors("a:"), ["a"]);
        assert_eq!(without_selectors(":1-5"), [""]);
        assert_eq!(without_selectors("plain"), Vec::<&str>::new());
    }

    #[test]
    fn parts_are_numbered_from_one() {
        assert_eq!(part("a:b#part=2"), Some(("a:b", 2)));
        for other in ["a:b", "a:b#part=0", "a:b#part=x", "a:b#part"] {
            assert_eq!(part(other), None);
        }
    }
}
