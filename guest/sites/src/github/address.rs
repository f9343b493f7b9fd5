//! The pages of GitHub that the handler knows.

use super::forge::{self, Kind, Links};
use super::list::Filter;
use super::scheme;
use crate::limits;
use url::Url;

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// The user or organisation. Empty for a gist without one.
    pub owner: String,
    /// The repository, or the id of a gist.
    pub repo: String,
    pub route: Route,
}

/// What a page shows of its repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Repository,
    /// A file: the segments of its revision and path.
    Blob(Vec<String>),
    /// A directory: the segments of its revision and path.
    Tree(Vec<String>),
    Commit(String),
    /// A list of commits: the segments of a revision and path, and the page.
    Commits(Vec<String>, u64),
    Compare(String),
    /// A list of issues or pull requests.
    List(Kind, Filter),
    /// A search in issues and pull requests, and the page.
    Search(Kind, String, u64),
    /// An issue or pull request, and the first page of its comments. `None`: without them.
    Thread(Kind, u64, Option<u64>),
    /// The diff of a pull request.
    Diff(u64),
    /// The commits of a pull request, and the page.
    PullCommits(u64, u64),
    Releases(u64),
    /// A release. `None`: the latest one.
    Release(Option<String>),
    Wiki(String),
    /// The run of a workflow.
    Run(u64),
    /// A gist, with its revision.
    Gist(Option<String>),
}

/// First segments that are not users: the pages of the site itself.
const RESERVED: [&str; 52] = [
    "about",
    "account",
    "advisories",
    "apps",
    "blog",
    "careers",
    "codespaces",
    "collections",
    "contact",
    "copilot",
    "customer-stories",
    "dashboard",
    "discussions",
    "enterprise",
    "enterprises",
    "events",
    "explore",
    "features",
    "github-copilot",
    "home",
    "issues",
    "join",
    "login",
    "logout",
    "marketplace",
    "mobile",
    "models",
    "new",
    "newsletter",
    "nonprofit",
    "notifications",
    "open-source",
    "organizations",
    "orgs",
    "partners",
    "pricing",
    "pulls",
    "readme",
    "search",
    "security",
    "sessions",
    "settings",
    "signup",
    "site",
    "solutions",
    "sponsors",
    "stars",
    "team",
    "topics",
    "trending",
    "users",
    "why-github",
];

/// Finds the page of a repository at a URL. `None` if the handler does not know the page.
pub(super) fn page(url: &Url) -> Option<Page> {
    let segments = segments(url)?;
    let mut segments = segments.iter().map(String::as_str);
    let (owner, repo) = (segments.next()?, segments.next()?);
    let rest: Vec<&str> = segments.collect();
    let reserved = RESERVED.iter().any(|name| name.eq_ignore_ascii_case(owner));
    if reserved || !forge::is_name(owner) || owner.contains('.') || !forge::is_name(repo) {
        return None;
    }
    // The address for `git clone` redirects to the repository.
    let repo = repo
        .strip_suffix(".git")
        .filter(|name| !name.is_empty())
        .unwrap_or(repo);
    Some(Page {
        owner: owner.to_owned(),
        repo: repo.to_owned(),
        route: route(url, &rest)?,
    })
}

fn route(url: &Url, rest: &[&str]) -> Option<Route> {
    let owned = |segments: &[&str]| {
        segments
            .iter()
            .map(|segment| (*segment).to_owned())
            .collect::<Vec<_>>()
    };
    Some(match rest {
        [] => {
            // A tab of the page, such as the topics, is another page.
            if url.query_pairs().any(|(key, _)| {
                key == "tab"
                    && !url
                        .query_pairs()
                        .any(|(_, value)| value == "readme-ov-file")
            }) {
                return None;
            }
            Route::Repository
        }
        ["blob" | "raw", path @ ..] if path.len() >= 2 => Route::Blob(owned(path)),
        ["tree", path @ ..] if !path.is_empty() => Route::Tree(owned(path)),
        ["commit", sha] | ["pull", _, "commits", sha] if is_commit(sha) => {
            Route::Commit((*sha).to_owned())
        }
        ["commits", path @ ..] => Route::Commits(owned(path), number_in_query(url, "page")?),
        ["compare", specs @ ..] if specs.iter().any(|spec| spec.contains("...")) => {
            compare(&specs.join("/"))?
        }
        ["issues"] => list(url, Kind::Issue)?,
        ["pulls"] => list(url, Kind::Pull)?,
        ["issues", number] => thread(url, Kind::Issue, number)?,
        ["pull", number] => thread(url, Kind::Pull, number)?,
        ["pull", number, "files" | "changes"] => Route::Diff(positive(number)?),
        ["pull", number, "commits"] => {
            Route::PullCommits(positive(number)?, number_in_query(url, "page")?)
        }
        ["releases"] => Route::Releases(number_in_query(url, "page")?),
        ["releases", "latest"] => Route::Release(None),
        ["releases", "tag", tag @ ..] if !tag.is_empty() => Route::Release(Some(tag.join("/"))),
        ["wiki"] => Route::Wiki("Home".to_owned()),
        ["wiki", page] if !page.starts_with('_') => Route::Wiki((*page).to_owned()),
        ["actions", "runs", run] => Route::Run(positive(run)?),
        _ => return None,
    })
}

/// Finds the gist at a URL of `gist.github.com`.
pub(super) fn gist(url: &Url) -> Option<Page> {
    let segments = segments(url)?;
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let (owner, id, revision) = match segments.as_slice() {
        [id] if is_gist(id) => ("", *id, None),
        [owner, id] if is_gist(id) => (*owner, *id, None),
        [owner, id, revision] if is_gist(id) && is_commit(revision) => {
            (*owner, *id, Some((*revision).to_owned()))
        }
        _ => return None,
    };
    if !owner.is_empty() && !forge::is_name(owner) {
        return None;
    }
    Some(Page {
        owner: owner.to_owned(),
        repo: id.to_owned(),
        route: Route::Gist(revision),
    })
}

/// The decoded segments of a path. `None` if one is not UTF-8, or leads out of its directory.
fn segments(url: &Url) -> Option<Vec<String>> {
    let segments = url.path_segments()?.filter(|segment| !segment.is_empty());
    segments.map(decoded).collect()
}

fn decoded(segment: &str) -> Option<String> {
    let mut out = Vec::new();
    let mut bytes = segment.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let mut digit = || char::from(bytes.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            out.push(u8::try_from(high.saturating_mul(16).saturating_add(low)).ok()?);
        } else {
            out.push(byte);
        }
    }
    let text = String::from_utf8(out).ok()?;
    let is_plain = !text.contains(char::is_control) && !matches!(text.as_str(), "." | "..");
    is_plain.then_some(text)
}

/// Encodes a segment of a path.
pub(super) fn encoded(segment: &str) -> String {
    let mut out = String::new();
    for byte in segment.bytes() {
        if byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'-' | b'_' | b'.' | b'~' | b'@' | b'+' | b'=' | b',' | b'!'
            )
        {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Encodes the segments of a path.
pub(super) fn encoded_path<S: AsRef<str>>(segments: &[S]) -> String {
    let segments: Vec<String> = segments
        .iter()
        .map(|segment| encoded(segment.as_ref()))
        .collect();
    segments.join("/")
}

fn is_commit(text: &str) -> bool {
    (4..=64).contains(&text.len()) && text.chars().all(|c| c.is_ascii_hexdigit())
}

fn is_gist(text: &str) -> bool {
    let is_old = text.len() <= 19 && text.chars().all(|c| c.is_ascii_digit());
    !text.is_empty() && (is_old || (20..=32).contains(&text.len()) && is_commit(text))
}

fn positive(text: &str) -> Option<u64> {
    let is_number = text.chars().all(|c| c.is_ascii_digit());
    text.parse().ok().filter(|number| *number > 0 && is_number)
}

/// The number that a key of the query has, from 1, or 1. `None` if it is not a number.
fn number_in_query(url: &Url, key: &str) -> Option<u64> {
    match url.query_pairs().find(|(name, _)| name == key) {
        Some((_, value)) => positive(&value).filter(|number| *number <= limits::PAGE_MAX),
        None => Some(1),
    }
}

/// The two revisions of a comparison. A page for two points has no counterpart in the API.
fn compare(spec: &str) -> Option<Route> {
    let (base, head) = spec.split_once("...")?;
    let is_text = matches!(head.rsplit_once('.'), Some((_, "diff" | "patch")));
    (!base.is_empty() && !head.is_empty() && !is_text).then(|| Route::Compare(spec.to_owned()))
}

fn list(url: &Url, kind: Kind) -> Option<Route> {
    let q = url
        .query_pairs()
        .find(|(key, _)| key == "q")
        .map(|(_, value)| value.into_owned());
    if let Some(q) = q.filter(|q| !q.trim().is_empty()) {
        return Some(Route::Search(kind, q, number_in_query(url, "page")?));
    }
    // The keys are those of the schemes. The page has other ones, which are left to it.
    let filter = scheme::filter(kind, url.query().unwrap_or_default(), &mut Vec::new()).ok()?;
    Some(Route::List(
        kind,
        Filter {
            links: Links::Site,
            ..filter
        },
    ))
}

fn thread(url: &Url, kind: Kind, number: &str) -> Option<Route> {
    let comments = match url.query_pairs().find(|(key, _)| key == "comments") {
        Some((_, value)) if value == "0" => None,
        _ => Some(number_in_query(url, "comments")?),
    };
    Some(Route::Thread(kind, positive(number)?, comments))
}
