//! A repository of GitHub or of GitHub Enterprise, its addresses, and requests to its API.

use crate::nested;
use crate::service::{Fault, Reply, Request, Service};
use crate::text::{self, count};
use crate::value::Fields;
use serde_json::Value;

/// The media types of <https://docs.github.com/en/rest/using-the-rest-api/media-types>.
pub(super) const JSON: &str = "application/vnd.github+json";
/// The bytes of a file.
pub(super) const RAW: &str = "application/vnd.github.raw+json";
/// The facts of a file or directory, of any size.
pub(super) const OBJECT: &str = "application/vnd.github.object+json";
/// A unified diff.
pub(super) const DIFF: &str = "application/vnd.github.diff";

/// The starts of the headings of comments. No text of a user may imitate them, not even in code.
pub(super) const OWN_HEADINGS: &[&str] = &["Comment by ", "Comment on ", "Review by "];

/// The host of GitHub itself.
pub const PUBLIC_HOST: &str = "github.com";
const PUBLIC_API: &str = "https://api.github.com";

/// An issue or a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An issue.
    Issue,
    /// A pull request.
    Pull,
}

impl Kind {
    /// The name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Issue => "issue",
            Self::Pull => "pull request",
        }
    }

    /// The scheme of internal URLs.
    pub fn scheme(self) -> &'static str {
        match self {
            Self::Issue => "issue",
            Self::Pull => "pr",
        }
    }

    /// The segment of the page of one.
    pub(super) fn segment(self) -> &'static str {
        match self {
            Self::Issue => "issues",
            Self::Pull => "pull",
        }
    }
}

/// How a rendering names what it leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// By internal URLs, such as `pr://OWNER/REPO/12/diff`.
    Scheme,
    /// By the URLs of the site.
    Site,
}

/// A repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forge {
    /// The host of the site, with its port if it is not the default.
    pub host: String,
    /// The user or organisation.
    pub owner: String,
    /// The name.
    pub repo: String,
    /// The base of the API, without a slash at its end.
    pub api_base: String,
    /// The scheme of the pages: `http` or `https`.
    pub scheme: &'static str,
}

impl Forge {
    /// A repository of a host. The base of the API is that which is given, or what the host documents:
    /// `https://api.github.com`, `https://api.SUBDOMAIN.ghe.com`, or `https://HOST/api/v3`. It has the scheme
    /// `http` on the host itself (`localhost`, `127.0.0.1`). Pages have the scheme of a given base on their host.
    pub fn new(host: &str, owner: &str, repo: &str, api: Option<&str>) -> Self {
        let host = host.to_ascii_lowercase();
        let host = match host.strip_suffix(":443").unwrap_or(&host) {
            "www.github.com" => PUBLIC_HOST,
            host => host,
        };
        let api_base = match api {
            Some(base) => base.trim_end_matches('/').to_owned(),
            None if host == PUBLIC_HOST => PUBLIC_API.to_owned(),
            None if host.ends_with(".ghe.com") => format!("https://api.{host}"),
            None => format!("{}://{host}/api/v3", scheme(host)),
        };
        let given = api_base.split_once("://").filter(|(_, rest)| {
            let name = rest.split('/').next().unwrap_or_default();
            name.eq_ignore_ascii_case(host)
        });
        let scheme = match given {
            Some(("http", _)) => "http",
            Some(("https", _)) => "https",
            _ => scheme(host),
        };
        Self {
            scheme,
            host: host.to_owned(),
            owner: owner.to_owned(),
            repo: repo.to_owned(),
            api_base,
        }
    }

    /// Whether the files of public repositories are at `raw.githubusercontent.com`.
    pub(super) fn is_public(&self) -> bool {
        self.host == PUBLIC_HOST && self.api_base == PUBLIC_API
    }

    /// `OWNER/REPO`, with the host if it is not GitHub itself.
    pub fn name(&self) -> String {
        if self.host == PUBLIC_HOST {
            format!("{}/{}", self.owner, self.repo)
        } else {
            format!("{}/{}/{}", self.host, self.owner, self.repo)
        }
    }

    /// The URL in the API of a path in the repository. The path starts with a slash, or is empty.
    pub fn api(&self, path: &str) -> String {
        format!("{}/repos/{}/{}{path}", self.api_base, self.owner, self.repo)
    }

    /// The URL of the page of a path in the repository.
    pub fn page(&self, path: &str) -> String {
        let Self {
            host,
            owner,
            repo,
            scheme,
            ..
        } = self;
        format!("{scheme}://{host}/{owner}/{repo}{path}")
    }

    /// The path or URL of an issue or pull request.
    pub fn thread(&self, links: Links, kind: Kind, number: u64) -> String {
        match links {
            Links::Scheme => format!("{}://{}/{number}", kind.scheme(), self.name()),
            Links::Site => self.page(&format!("/{}/{number}", kind.segment())),
        }
    }
}

/// The scheme of URLs of a host. A server on the machine itself has no certificate.
fn scheme(host: &str) -> &'static str {
    let name = host.split(':').next().unwrap_or_default();
    if matches!(name, "localhost" | "127.0.0.1") {
        "http"
    } else {
        "https"
    }
}

/// Whether a text may be the name of a user or of a repository. Users have letters, digits and hyphens, and an
/// underscore if an organisation manages them; repositories also have points.
pub fn is_name(text: &str) -> bool {
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (1..=100).contains(&text.len()) && text.chars().all(valid) && !matches!(text, "." | "..")
}

/// Whether a text may be a host with a port.
pub(super) fn is_host(text: &str) -> bool {
    let (host, port) = text.split_once(':').unwrap_or((text, "443"));
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let is_number = !port.is_empty() && port.chars().all(|c| c.is_ascii_digit());
    (1..=253).contains(&host.len())
        && host.chars().all(valid)
        && !host.starts_with('.')
        && !host.contains("..")
        && is_number
        && port.parse::<u16>().is_ok()
}

/// Requests JSON of the API.
pub(super) fn get(
    service: &mut dyn Service,
    url: &str,
    accept: &'static str,
) -> Result<Reply, Fault> {
    service.get(&Request { url, accept })
}

/// Requests an object.
pub(super) fn object(service: &mut dyn Service, url: &str) -> Result<Value, Fault> {
    expect_object(get(service, url, JSON)?.json()?)
}

pub(super) fn expect_object(value: Value) -> Result<Value, Fault> {
    if value.is_object() {
        Ok(value)
    } else {
        Err(Fault::Wrong("JSON that is not an object".to_owned()))
    }
}

/// Requests a list. The second value is whether there is a next page.
pub(super) fn list(service: &mut dyn Service, url: &str) -> Result<(Vec<Value>, bool), Fault> {
    let reply = get(service, url, JSON)?;
    match reply.json()? {
        Value::Array(list) => Ok((list, reply.has_next)),
        _ => Err(Fault::Wrong("JSON that is not a list".to_owned())),
    }
}

/// A time such as `2011-04-22T13:33:48Z` as `2011-04-22 13:33 UTC`.
pub(super) fn date(value: &Value, path: &str) -> Option<String> {
    let text = value.line(path)?;
    let (day, time) = text.split_once('T').unwrap_or((&text, ""));
    let minute = time.get(..5).filter(|_| time.ends_with('Z'));
    Some(match minute {
        Some(minute) => format!("{day} {minute} UTC"),
        None => text,
    })
}

/// The user at a path as `@login`. A user whose account is deleted is `null`.
pub(super) fn user(value: &Value, path: &str) -> String {
    let login = value.line(&format!("{path}.login"));
    login.map_or_else(|| "a deleted user".to_owned(), |login| format!("@{login}"))
}

/// The user who wrote something, with the association that the service states.
pub(super) fn author(value: &Value) -> String {
    let mut out = user(value, "user");
    let association = value
        .line("author_association")
        .filter(|text| text != "NONE");
    out.extend(association.map(|text| format!(" ({text})")));
    out
}

/// The reactions that someone gave, with their numbers.
pub(super) fn reactions(value: &Value) -> Option<String> {
    const KNOWN: [(&str, &str); 8] = [
        ("+1", "👍"),
        ("-1", "👎"),
        ("laugh", "😄"),
        ("hooray", "🎉"),
        ("confused", "😕"),
        ("heart", "❤️"),
        ("rocket", "🚀"),
        ("eyes", "👀"),
    ];
    let given: Vec<String> = KNOWN
        .iter()
        .filter_map(|(field, sign)| {
            let number = value
                .number(&format!("reactions.{field}"))
                .filter(|n| *n > 0)?;
            Some(format!("{sign} {number}"))
        })
        .collect();
    (!given.is_empty()).then(|| given.join(" "))
}

/// The text of a user at a path as a part of a page. Counts the HTML comments that are left out.
pub(super) fn body(value: &Value, path: &str, hidden: &mut usize) -> Option<String> {
    let text = value.at(path)?.as_str()?;
    let body = nested::body(text, OWN_HEADINGS);
    *hidden = hidden.saturating_add(body.hidden);
    (!body.markdown.is_empty()).then_some(body.markdown)
}

/// The note about HTML comments that are left out.
pub(super) fn hidden_note(hidden: usize) -> Option<String> {
    let number = u64::try_from(hidden).unwrap_or(u64::MAX);
    let comments = count(number, "HTML comment");
    (hidden > 0).then(|| format!("{comments}, which the page does not show, left out"))
}

/// A text in one line, or a text for a missing one.
pub(super) fn or(value: &Value, path: &str, missing: &str) -> String {
    value.line(path).unwrap_or_else(|| missing.to_owned())
}

/// The first line of a text.
pub(super) fn first_line(value: &Value, path: &str) -> Option<String> {
    let block = value.block(path)?;
    let first = block.lines().next().unwrap_or_default();
    Some(text::line(first, crate::limits::LINE_CHARS)).filter(|line| !line.is_empty())
}
