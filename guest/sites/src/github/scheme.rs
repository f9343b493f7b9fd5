//! The addresses of `issue://` and `pr://`.
//!
//! ```text
//! issue://                        the listing of the repository of the workspace
//! issue://12                      an issue of it
//! issue://OWNER/REPO[/12]         those of a repository of GitHub
//! issue://HOST/OWNER/REPO[/12]    those of GitHub Enterprise: the host has a point or a port
//! pr://[…/]12/diff                the files of a pull request
//! pr://[…/]12/diff/3              the diff of the third file
//! pr://[…/]12/diff/all            the whole diff
//! ```
//!
//! A listing has `?state=`, `?limit=`, `?author=`, `?label=` and `?page=`. One issue has `?comments=0`, which
//! leaves its comments out, and `?comments=2`, which starts at the second page of 100.

use super::forge::{self, Kind, Links};
use super::list::{Filter, State};
use crate::limits;
use std::fmt;

/// The repository that an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The host, if the address has one.
    pub host: Option<String>,
    /// The user or organisation.
    pub owner: String,
    /// The name.
    pub repo: String,
}

/// An address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The repository. `None`: that of the workspace.
    pub repository: Option<Repository>,
    /// What is read of it.
    pub target: Target,
    /// What of the address has no effect.
    pub notes: Vec<String>,
}

/// What an address names in its repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A listing.
    List(Filter),
    /// An issue or pull request.
    Thread {
        /// The number, at least 1.
        number: u64,
        /// The page of 100 comments that is shown first, from 1. `None`: no comments.
        comments: Option<u64>,
    },
    /// The diff of a pull request.
    Diff {
        /// The number, at least 1.
        number: u64,
        /// The part of the diff.
        part: DiffPart,
    },
}

/// The part of a diff that an address names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffPart {
    /// The list of files.
    Files,
    /// One file, from 1.
    File(u64),
    /// The whole diff.
    All,
}

/// The reason why an address is wrong. Each contains the scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongAddress {
    /// The path has none of the forms.
    Form(Kind),
    /// A number is 0, or too large. Contains it.
    Number(Kind, String),
    /// The diff of an issue, which only pull requests have.
    NoDiff,
    /// The part of a diff is neither a number from 1 nor `all`. Contains it.
    Part(String),
    /// A key of the query is unknown. Contains it, and those that are known.
    Key(String, &'static [&'static str]),
    /// A value of the query is wrong. Contains the key, the value, and the values that are valid.
    Value(String, String, &'static str),
}

impl WrongAddress {
    /// What to do next, as an imperative.
    pub fn hint(&self) -> String {
        match self {
            Self::Form(kind) | Self::Number(kind, _) => {
                let scheme = kind.scheme();
                let diff = if *kind == Kind::Pull {
                    ", `pr://12/diff`"
                } else {
                    ""
                };
                format!(
                    "write `{scheme}://`, `{scheme}://12`{diff}, `{scheme}://OWNER/REPO`, `{scheme}://OWNER/REPO/12` or \
                     `{scheme}://HOST/OWNER/REPO/12`"
                )
            }
            Self::NoDiff => "read the diff of a pull request with `pr://12/diff`".to_owned(),
            Self::Part(_) => {
                "write `/diff` for the list of files, `/diff/1` for the first one, or `/diff/all`"
                    .to_owned()
            }
            Self::Key(_, []) => "remove the query".to_owned(),
            Self::Key(_, known) => format!("use {}", known.map_keys()),
            Self::Value(key, _, valid) => format!("set `{key}` to {valid}"),
        }
    }
}

/// Names of keys as a list.
trait Keys {
    fn map_keys(&self) -> String;
}

impl Keys for [&str] {
    fn map_keys(&self) -> String {
        let keys: Vec<String> = self.iter().map(|key| format!("`{key}`")).collect();
        keys.join(", ")
    }
}

impl fmt::Display for WrongAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(kind) => write!(f, "this is not an address of `{}://`", kind.scheme()),
            Self::Number(kind, number) => {
                write!(f, "`{number}` is not the number of an {}", either(*kind))
            }
            Self::NoDiff => f.write_str("an issue has no diff"),
            Self::Part(part) => write!(f, "`{part}` is not a part of a diff"),
            Self::Key(key, _) => write!(f, "the key `{key}` of the query is unknown"),
            Self::Value(key, value, _) => write!(f, "`{key}` cannot be `{value}`"),
        }
    }
}

fn either(kind: Kind) -> &'static str {
    match kind {
        Kind::Issue => "issue",
        Kind::Pull => "issue or pull request",
    }
}

const LIST_KEYS: &[&str] = &["state", "limit", "author", "label", "page"];
const THREAD_KEYS: &[&str] = &["comments"];

/// Parses the text after `issue://` or `pr://`.
///
/// # Errors
/// Fails if the text has none of the documented forms.
pub fn parse(kind: Kind, text: &str) -> Result<Address, WrongAddress> {
    let (text, fragment) = text
        .split_once('#')
        .map_or((text, None), |(text, fragment)| (text, Some(fragment)));
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    let mut segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    let mut notes = Vec::new();
    let repository = repository(kind, &mut segments)?;
    let target = match segments.as_slice() {
        [] => Target::List(filter(kind, query, &mut notes)?),
        [number] => Target::Thread {
            number: number_of(kind, number)?,
            comments: comments(query)?,
        },
        [number, "diff", part @ ..] if part.len() <= 1 => {
            let number = number_of(kind, number)?;
            if kind == Kind::Issue {
                return Err(WrongAddress::NoDiff);
            }
            no_keys(query)?;
            let part = match part.first() {
                None => DiffPart::Files,
                Some(&"all") => DiffPart::All,
                Some(part) => {
                    let number = part.parse().ok().filter(|number| *number > 0);
                    DiffPart::File(number.ok_or_else(|| WrongAddress::Part(short(part)))?)
                }
            };
            Target::Diff { number, part }
        }
        _ => return Err(WrongAddress::Form(kind)),
    };
    if let Some(fragment) = fragment.filter(|fragment| !fragment.is_empty()) {
        let fragment = short(fragment);
        let is_number = fragment.chars().all(|c| c.is_ascii_digit());
        let instead = if is_number && matches!(target, Target::List(_)) {
            let path = path.trim_end_matches('/');
            let slash = if path.is_empty() { "" } else { "/" };
            let path = short(path);
            format!(
                ": write `{}://{path}{slash}{fragment}` for that number",
                kind.scheme()
            )
        } else {
            String::new()
        };
        notes.push(format!("the fragment `#{fragment}` has no effect{instead}"));
    }
    Ok(Address {
        repository,
        target,
        notes,
    })
}

/// Takes the repository from the start of the path.
fn repository(kind: Kind, segments: &mut Vec<&str>) -> Result<Option<Repository>, WrongAddress> {
    let is_number = |text: &&str| text.chars().all(|c| c.is_ascii_digit());
    let host = match segments.as_slice() {
        [] => return Ok(None),
        [number] if is_number(number) => return Ok(None),
        [number, "diff", ..] if is_number(number) => return Ok(None),
        [host, _, _, ..] if host.contains(['.', ':']) => Some(segments.remove(0)),
        _ => None,
    };
    let [owner, repo, ..] = segments.as_slice() else {
        return Err(WrongAddress::Form(kind));
    };
    let valid = forge::is_name(owner) && !owner.contains('.') && forge::is_name(repo);
    if !valid || host.is_some_and(|host| !forge::is_host(host)) {
        return Err(WrongAddress::Form(kind));
    }
    let repository = Repository {
        host: host.map(str::to_ascii_lowercase),
        owner: (*owner).to_owned(),
        repo: (*repo).to_owned(),
    };
    segments.drain(..2);
    // The path of the page of one, as it is copied from a browser.
    if matches!(segments.first(), Some(&("issues" | "pull" | "pulls"))) {
        segments.remove(0);
    }
    Ok(Some(repository))
}

fn number_of(kind: Kind, text: &str) -> Result<u64, WrongAddress> {
    let is_number = text.chars().all(|c| c.is_ascii_digit());
    let number = text.parse().ok().filter(|number| *number > 0 && is_number);
    number.ok_or_else(|| {
        if is_number {
            WrongAddress::Number(kind, short(text))
        } else {
            WrongAddress::Form(kind)
        }
    })
}

/// A text of the address in an error.
fn short(text: &str) -> String {
    crate::text::line(text, 80)
}

fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    let pairs = url::form_urlencoded::parse(query.as_bytes());
    pairs.map(|(key, value)| (key.into_owned(), value.into_owned()))
}

fn no_keys(query: &str) -> Result<(), WrongAddress> {
    match pairs(query).next() {
        Some((key, _)) => Err(WrongAddress::Key(short(&key), &[])),
        None => Ok(()),
    }
}

fn comments(query: &str) -> Result<Option<u64>, WrongAddress> {
    let mut comments = Some(1);
    for (key, value) in pairs(query) {
        if key != "comments" {
            return Err(WrongAddress::Key(short(&key), THREAD_KEYS));
        }
        comments = match value.parse() {
            Ok(0) => None,
            Ok(page) if page <= limits::PAGE_MAX => Some(page),
            _ => {
                let valid = "0 for none, or the number of a page of 100";
                return Err(WrongAddress::Value(key, short(&value), valid));
            }
        };
    }
    Ok(comments)
}

/// Parses the query of a listing.
pub(super) fn filter(
    kind: Kind,
    query: &str,
    notes: &mut Vec<String>,
) -> Result<Filter, WrongAddress> {
    let mut filter = Filter {
        links: Links::Scheme,
        ..Filter::default()
    };
    for (key, value) in pairs(query) {
        let wrong = |valid| WrongAddress::Value(key.clone(), short(&value), valid);
        match key.as_str() {
            "state" => {
                filter.state = match (value.to_ascii_lowercase().as_str(), kind) {
                    ("open", _) => State::Open,
                    ("closed", _) => State::Closed,
                    ("all", _) => State::All,
                    ("merged", Kind::Pull) => State::Merged,
                    (_, Kind::Pull) => return Err(wrong("`open`, `closed`, `merged` or `all`")),
                    (_, Kind::Issue) => return Err(wrong("`open`, `closed` or `all`")),
                };
            }
            "limit" => {
                let is_number = !value.is_empty() && value.chars().all(|c| c.is_ascii_digit());
                // A number that is too large for the type is too large for the list.
                let limit = value.parse().unwrap_or(u64::MAX);
                if !is_number || limit == 0 {
                    return Err(wrong("a number from 1 to 100"));
                }
                filter.limit = limit.min(limits::LIST_ENTRIES_MAX);
                if limit > filter.limit {
                    let value = short(&value);
                    let max = limits::LIST_ENTRIES_MAX;
                    notes.push(format!(
                        "`limit={value}` is more than {max}, which is the maximum"
                    ));
                }
            }
            "page" => {
                let page = value
                    .parse()
                    .ok()
                    .filter(|page| (1..=limits::PAGE_MAX).contains(page));
                filter.page = page.ok_or_else(|| wrong("a number from 1"))?;
            }
            "author" => {
                let name = value.trim_start_matches('@');
                // The names of apps end in `[bot]`.
                if !forge::is_name(name.strip_suffix("[bot]").unwrap_or(name)) {
                    return Err(wrong("the name of a user"));
                }
                filter.author = Some(name.to_owned());
            }
            "label" => {
                let labels = value
                    .split(',')
                    .map(str::trim)
                    .filter(|label| !label.is_empty());
                filter.labels.extend(labels.map(short));
                if filter.labels.is_empty() {
                    return Err(wrong("the name of a label"));
                }
            }
            _ => return Err(WrongAddress::Key(short(&key), LIST_KEYS)),
        }
    }
    Ok(filter)
}
