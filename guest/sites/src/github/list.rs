//! Listings of issues and pull requests: for their pages, and for `issue://` and `pr://`.
//!
//! The replies are those of <https://docs.github.com/en/rest/issues/issues#list-repository-issues>,
//! <https://docs.github.com/en/rest/pulls/pulls#list-pull-requests> and
//! <https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests>.

use super::forge::{self, Forge, Kind, Links, or, user};
use crate::address::encode;
use crate::handler::Page;
use crate::limits;
use crate::service::{Fault, Service};
use crate::text::count;
use crate::value::Fields;
use serde_json::Value;

/// A state of issues and pull requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Open.
    #[default]
    Open,
    /// Closed, or merged.
    Closed,
    /// Merged. Issues have no such state.
    Merged,
    /// Any.
    All,
}

impl State {
    /// The name in a query.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Merged => "merged",
            Self::All => "all",
        }
    }

    /// The name in the API.
    fn in_api(self) -> &'static str {
        match self {
            Self::Merged => Self::Closed.name(),
            other => other.name(),
        }
    }
}

/// What a listing has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The state.
    pub state: State,
    /// The number of entries, from 1 to 100.
    pub limit: u64,
    /// The page of that many entries, from 1.
    pub page: u64,
    /// The user who opened it.
    pub author: Option<String>,
    /// Labels, each of which it has.
    pub labels: Vec<String>,
    /// How the listing names what it leaves out.
    pub links: Links,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            state: State::Open,
            limit: limits::LIST_ENTRIES,
            page: 1,
            author: None,
            labels: Vec::new(),
            links: Links::Scheme,
        }
    }
}

impl Filter {
    /// The query of another page of the listing, such as `?state=all&page=2`.
    fn query(&self, page: u64) -> String {
        let mut pairs = url::form_urlencoded::Serializer::new(String::new());
        if self.state != State::Open {
            pairs.append_pair("state", self.state.name());
        }
        if self.limit != limits::LIST_ENTRIES {
            pairs.append_pair("limit", &self.limit.to_string());
        }
        if let Some(author) = &self.author {
            pairs.append_pair("author", author);
        }
        for label in &self.labels {
            pairs.append_pair("label", label);
        }
        pairs.append_pair("page", &page.to_string());
        format!("?{}", pairs.finish())
    }

    /// The query of a search for the same entries.
    fn search(&self, kind: Kind) -> String {
        let mut out = is_kind_query(kind).to_owned();
        match self.state {
            State::All => {}
            State::Merged => out.push_str(" is:merged"),
            state => out.push_str(&format!(" state:{}", state.name())),
        }
        out.extend(self.author.iter().map(|author| format!(" author:{author}")));
        out.extend(
            self.labels
                .iter()
                .map(|label| format!(" label:\"{label}\"")),
        );
        out
    }

    /// The facts after the name of the repository: ` by @a with the label b`.
    fn described(&self) -> String {
        let mut out = String::new();
        out.extend(self.author.as_ref().map(|author| format!(" by @{author}")));
        let labels = self.labels.join(", ");
        if !labels.is_empty() {
            let plural = if self.labels.len() == 1 { "" } else { "s" };
            out.push_str(&format!(" with the label{plural} {labels}"));
        }
        if out.is_empty() {
            return out;
        }
        format!(" {}", crate::text::line(&out, limits::LINE_CHARS))
    }
}

/// The elements that one request or several found.
struct Found {
    entries: Vec<Value>,
    has_next: bool,
    notes: Vec<String>,
}

/// Requests a listing, with the newest entries first.
///
/// # Errors
/// Fails if the API does not answer, or if it answers with something else.
pub fn list(
    service: &mut dyn Service,
    forge: &Forge,
    kind: Kind,
    filter: &Filter,
) -> Result<Page, Fault> {
    let is_plain =
        filter.author.is_none() && filter.labels.is_empty() && filter.state != State::Merged;
    let found = if kind == Kind::Pull && is_plain {
        let (limit, page) = (filter.limit, filter.page);
        let state = filter.state.in_api();
        let query = format!(
            "/pulls?state={state}&sort=created&direction=desc&per_page={limit}&page={page}"
        );
        let (entries, has_next) = forge::list(service, &forge.api(&query))?;
        Found {
            entries,
            has_next,
            notes: Vec::new(),
        }
    } else {
        mixed(service, forge, kind, filter)?
    };
    let (noun, place) = (format!("{}s", kind.name()), forge.name());
    let state = match filter.state {
        State::All => String::new(),
        state => format!("{} ", state.name()),
    };
    let what = format!("{state}{noun}");
    let first = what.get(..1).unwrap_or_default().to_uppercase();
    let rest = what.get(1..).unwrap_or_default();
    let mut out = format!("# {first}{rest} of {place}{}\n\n", filter.described());
    let mut notes = found.notes;
    if found.entries.is_empty() {
        out.push_str(&format!("There are no such {noun}"));
        out.push_str(if filter.page > 1 {
            " on this page.\n"
        } else {
            ".\n"
        });
    }
    let entries = || {
        found
            .entries
            .iter()
            .take(usize::try_from(filter.limit).unwrap_or(usize::MAX))
    };
    for entry in entries() {
        out.push_str(&entry_line(entry));
    }
    if let Some(number) = entries().find_map(|entry| entry.number("number")) {
        let one = forge.thread(filter.links, kind, number);
        notes.push(format!(
            "read one with its comments by its number, such as `{one}`"
        ));
    }
    let sent = found.entries.len() as u64;
    if found.has_next || sent > filter.limit {
        let next = filter.query(filter.page.saturating_add(1));
        let here = match filter.links {
            Links::Scheme => format!("{}://{place}", kind.scheme()),
            Links::Site => forge.page(&format!("/{}", listed(kind))),
        };
        notes.push(format!("there are more: read `{here}{next}`"));
    }
    Ok(Page {
        markdown: out,
        notes,
    })
}

/// Requests the list of the API that has both issues and pull requests, and keeps those of a kind.
fn mixed(
    service: &mut dyn Service,
    forge: &Forge,
    kind: Kind,
    filter: &Filter,
) -> Result<Found, Fault> {
    let mut query = format!(
        "state={}&sort=created&direction=desc&per_page=100",
        filter.state.in_api()
    );
    if let Some(author) = &filter.author {
        query.push_str(&format!("&creator={}", encode(author)));
    }
    if !filter.labels.is_empty() {
        query.push_str(&format!("&labels={}", encode(&filter.labels.join(","))));
    }
    let mut found = Found {
        entries: Vec::new(),
        has_next: false,
        notes: Vec::new(),
    };
    let mut skip = filter.page.saturating_sub(1).saturating_mul(filter.limit);
    for page in 1..=limits::LIST_PAGES {
        let url = forge.api(&format!("/issues?{query}&page={page}"));
        let (entries, has_next) = forge::list(service, &url)?;
        for entry in entries
            .into_iter()
            .filter(|entry| is_kind(entry, kind, filter.state))
        {
            if skip > 0 {
                skip = skip.saturating_sub(1);
            } else if (found.entries.len() as u64) < filter.limit {
                found.entries.push(entry);
            } else {
                found.has_next = true;
                return Ok(found);
            }
        }
        if !has_next {
            return Ok(found);
        }
    }
    let read = limits::LIST_PAGES.saturating_mul(100);
    let search = forge.page(&format!("/issues?q={}", encode(&filter.search(kind))));
    found.notes.push(format!(
        "only the newest {read} issues and pull requests were looked at: `{search}` searches in all"
    ));
    Ok(found)
}

fn is_kind(entry: &Value, kind: Kind, state: State) -> bool {
    let is_pull = entry.at("pull_request").is_some();
    is_pull == (kind == Kind::Pull)
        && (state != State::Merged || entry.at("pull_request.merged_at").is_some())
}

/// The segment of the page of a list.
fn listed(kind: Kind) -> &'static str {
    match kind {
        Kind::Issue => "issues",
        Kind::Pull => "pulls",
    }
}

/// The part of a query that finds entries of a kind.
fn is_kind_query(kind: Kind) -> &'static str {
    match kind {
        Kind::Issue => "is:issue",
        Kind::Pull => "is:pull-request",
    }
}

/// Searches in issues and pull requests, as the pages of both lists do for `?q=`. The API wants a query that says
/// which kind it finds.
///
/// # Errors
/// Fails if the API does not answer, or if it answers with something else.
pub(super) fn search(
    service: &mut dyn Service,
    forge: &Forge,
    (kind, q): (Kind, &str),
    page: u64,
) -> Result<Page, Fault> {
    let limit = limits::LIST_ENTRIES;
    let of_kind = q.split_whitespace().any(|word| {
        let (key, value) = word.split_once(':').unwrap_or_default();
        let kinds = ["issue", "pr", "pull-request"];
        matches!(key, "is" | "type") && kinds.contains(&value.to_ascii_lowercase().as_str())
    });
    let kinds = if of_kind {
        String::new()
    } else {
        format!(" {}", is_kind_query(kind))
    };
    let query = format!("repo:{}/{}{kinds} {q}", forge.owner, forge.repo);
    let url = format!(
        "{}/search/issues?q={}&per_page={limit}&page={page}",
        forge.api_base,
        encode(&query)
    );
    let value = forge::object(service, &url).map_err(|fault| match fault {
        // <https://docs.github.com/en/rest/search/search#access-errors-or-missing-search-results>
        Fault::Failed(422) => Fault::Missing(forge.page("")),
        fault => fault,
    })?;
    let q = crate::text::line(q, limits::LINE_CHARS);
    let total = value.number("total_count");
    let mut out = format!(
        "# Issues and pull requests of {} for `{q}`\n\n",
        forge.name()
    );
    let mut notes = Vec::new();
    for entry in value.list("items") {
        out.push_str(&entry_line(entry));
    }
    if value.list("items").is_empty() {
        out.push_str("There are none.\n");
    }
    if value.is("incomplete_results") {
        notes.push("the search ended early, so that results may be missing".to_owned());
    }
    let shown = page
        .saturating_sub(1)
        .saturating_mul(limit)
        .saturating_add(value.list("items").len() as u64);
    if let Some(left) = total
        .and_then(|total| total.checked_sub(shown))
        .filter(|left| *left > 0)
    {
        let next = page.saturating_add(1);
        let here = forge.page(&format!("/{}?q={}&page={next}", listed(kind), encode(&q)));
        notes.push(format!("{} more: read `{here}`", count(left, "result")));
    }
    Ok(Page {
        markdown: out,
        notes,
    })
}

/// One entry: `- #12 Title [label] by @user, 2026-11-29, 3 comments`.
fn entry_line(entry: &Value) -> String {
    let number = entry
        .number("number")
        .map_or_else(|| "?".to_owned(), |number| number.to_string());
    let mut out = format!("- #{number} {}", or(entry, "title", "(without a title)"));
    let labels = entry.lines("labels", "name");
    if !labels.is_empty() {
        out.push_str(&format!(" [{}]", labels.join(", ")));
    }
    out.push_str(&format!(" by {}", user(entry, "user")));
    let created = entry.line("created_at");
    out.extend(created.map(|time| format!(", {}", time.get(..10).unwrap_or(&time))));
    let merged = ["merged_at", "pull_request.merged_at"]
        .iter()
        .any(|field| entry.at(field).is_some());
    let state = if merged {
        Some("merged".to_owned())
    } else {
        entry.line("state")
    };
    out.extend(
        state
            .filter(|state| state != "open")
            .map(|state| format!(", {state}")),
    );
    if entry.is("draft") {
        out.push_str(", draft");
    }
    let comments = entry.number("comments").filter(|comments| *comments > 0);
    out.extend(comments.map(|comments| format!(", {}", count(comments, "comment"))));
    out.push('\n');
    out
}
