//! The comments of an issue or pull request, its reviews and comments on lines, in the order of their times.

use super::forge::{self, Forge, author, date, reactions};
use crate::code::{code, fenced};
use crate::limits;
use crate::service::{Fault, Service};
use crate::text::{self, count};
use crate::value::Fields;
use omniread_document::order;
use serde_json::Value;

/// Where comments are.
pub(super) struct Pages<'a> {
    /// The URL of the issue in the API.
    pub issue: &'a str,
    /// The URL of the pull request in the API.
    pub pull: Option<String>,
    /// The path or URL that is being read.
    pub here: &'a str,
    /// The first page of 100, from 1.
    pub first: u64,
}

/// How many comments there are, if the service says so.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    /// Comments.
    pub comments: Option<u64>,
    /// Comments on lines.
    pub lines: Option<u64>,
}

/// Comments in Markdown.
#[derive(Default)]
pub(super) struct Shown {
    pub markdown: String,
    pub notes: Vec<String>,
    /// HTML comments that are left out.
    pub hidden: usize,
    /// Whether the service refused a part of them.
    pub is_cut: bool,
}

/// What a part of a thread is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Comment,
    Review,
    Line,
}

impl Part {
    /// The start of the fragment that the page has for one.
    fn anchor(self) -> &'static str {
        match self {
            Self::Comment => "issuecomment-",
            Self::Review => "pullrequestreview-",
            Self::Line => "discussion_r",
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Self::Comment => "comments",
            Self::Review => "reviews",
            Self::Line => "comments on lines",
        }
    }
}

/// One of the lists that a thread has.
struct List {
    part: Part,
    url: String,
    /// How many elements it has in all.
    total: Option<u64>,
    elements: Vec<Value>,
    has_next: bool,
}

/// Requests the comments of an issue or pull request from a page on.
pub(super) fn comments(service: &mut dyn Service, pages: &Pages<'_>, counts: Counts) -> Shown {
    let mut shown = Shown::default();
    let first = pages.first.clamp(1, limits::PAGE_MAX);
    let mut lists = vec![list(
        Part::Comment,
        format!("{}/comments", pages.issue),
        counts.comments,
    )];
    if let Some(pull) = &pages.pull {
        lists.push(list(Part::Review, format!("{pull}/reviews"), None));
        lists.push(list(Part::Line, format!("{pull}/comments"), counts.lines));
    }
    let end = first.saturating_add(limits::COMMENT_PAGES);
    let mut next = first;
    let mut bytes = 0_usize;
    while next < end && bytes < limits::COMMENTS_BYTES && lists.iter().any(|list| list.has_next) {
        for list in lists.iter_mut().filter(|list| list.has_next) {
            match list.request(service, next) {
                Ok(read) => bytes = bytes.saturating_add(read),
                Err(fault) => {
                    list.has_next = false;
                    let plural = list.part.plural();
                    let note = format!("the {plural} from page {next} on are left out: {fault}");
                    shown.notes.push(note);
                    shown.is_cut = true;
                }
            }
        }
        next = next.saturating_add(1);
    }
    for list in &lists {
        shown.notes.extend(rest(list, pages.here, first, next));
    }
    if first > 1 {
        let skipped = first.saturating_sub(1);
        shown.notes.push(format!(
            "the comments start at page {first} of 100 each: read `{}` for the {} before it",
            pages.here,
            count(skipped, "page")
        ));
    }
    render(&lists, &mut shown);
    shown
}

fn list(part: Part, url: String, total: Option<u64>) -> List {
    List {
        part,
        url,
        total,
        elements: Vec::new(),
        has_next: total != Some(0),
    }
}

impl List {
    /// Requests a page. Returns the number of bytes of its reply.
    fn request(&mut self, service: &mut dyn Service, page: u64) -> Result<usize, Fault> {
        let url = format!("{}?per_page=100&page={page}", self.url);
        let reply = forge::get(service, &url, forge::JSON)?;
        let Value::Array(elements) = reply.json()? else {
            return Err(Fault::Wrong("JSON that is not a list".to_owned()));
        };
        let more = self
            .total
            .is_some_and(|total| page.saturating_mul(100) < total);
        self.has_next = (reply.has_next || more) && !elements.is_empty();
        self.elements.extend(elements);
        Ok(reply.body.len())
    }
}

/// The note about elements of a list that are not shown.
fn rest(list: &List, here: &str, first: u64, next: u64) -> Option<String> {
    if !list.has_next {
        return None;
    }
    let before = first.saturating_sub(1).saturating_mul(100);
    let seen = before.saturating_add(list.elements.len() as u64);
    let plural = list.part.plural();
    let left = match list.total.and_then(|total| total.checked_sub(seen)) {
        Some(left) if left > 0 => format!("{left} more {plural}"),
        _ => format!("more {plural}"),
    };
    let last = list
        .total
        .map(|total| total.div_ceil(100))
        .filter(|last| *last > next);
    let last = last.map_or_else(String::new, |last| {
        format!(", the last ones with `{here}?comments={last}`")
    });
    Some(format!(
        "{left}: read them with `{here}?comments={next}`{last}"
    ))
}

/// Writes all elements in the order of their times.
fn render(lists: &[List], shown: &mut Shown) {
    let mut all: Vec<(String, Part, &Value)> = lists
        .iter()
        .flat_map(|list| list.elements.iter().map(move |value| (list.part, value)))
        .map(|(part, value)| {
            let time = value
                .line("created_at")
                .or_else(|| value.line("submitted_at"));
            (time.unwrap_or_default(), part, value)
        })
        .collect();
    // Times in this format have the order of their texts. The sort is stable.
    order::by(&mut all, |a, b| a.0.cmp(&b.0));
    for (_, part, value) in all {
        if part == Part::Review && is_empty_review(value) {
            continue;
        }
        if !shown.markdown.is_empty() {
            shown.markdown.push('\n');
        }
        let section = section(part, value, &mut shown.hidden);
        shown.markdown.push_str(&section);
    }
}

/// One comment with its heading.
fn section(part: Part, value: &Value, hidden: &mut usize) -> String {
    let mut out = heading(part, value);
    if part == Part::Line {
        let hunk = value
            .block("diff_hunk")
            .map(|hunk| fenced(&last_lines(&hunk), "diff"));
        out.extend(hunk.map(|hunk| format!("{hunk}\n\n")));
    }
    let text = forge::body(value, "body", hidden);
    out.push_str(text.as_deref().unwrap_or("(empty)"));
    out.push('\n');
    out.extend(reactions(value).map(|given| format!("\nReactions: {given}\n")));
    out
}

/// Requests the comment that a fragment names, such as `issuecomment-1`. `None` if it is no such fragment, or if the
/// comment is already on the page `shown`.
///
/// The replies are those of <https://docs.github.com/en/rest/issues/comments#get-an-issue-comment>,
/// <https://docs.github.com/en/rest/pulls/reviews#get-a-review-for-a-pull-request> and
/// <https://docs.github.com/en/rest/pulls/comments#get-a-review-comment-for-a-pull-request>.
pub(super) fn linked(
    service: &mut dyn Service,
    forge: &Forge,
    (number, fragment): (u64, &str),
    shown: &str,
) -> Option<Result<String, Fault>> {
    let mut parts = [Part::Comment, Part::Review, Part::Line].into_iter();
    let (part, id) = parts.find_map(|part| Some((part, fragment.strip_prefix(part.anchor())?)))?;
    let id: u64 = id.parse().ok()?;
    let anchor = format!(" (#{}{id})", part.anchor());
    let is_own = |title: &str| forge::OWN_HEADINGS.iter().any(|own| title.starts_with(own));
    let is_shown =
        |line: &str| line.strip_prefix("## ").is_some_and(is_own) && line.ends_with(&anchor);
    if shown.lines().any(is_shown) {
        return None;
    }
    let path = match part {
        Part::Comment => format!("/issues/comments/{id}"),
        Part::Review => format!("/pulls/{number}/reviews/{id}"),
        Part::Line => format!("/pulls/comments/{id}"),
    };
    Some(forge::object(service, &forge.api(&path)).and_then(|value| {
        let thread = value
            .line("issue_url")
            .or_else(|| value.line("pull_request_url"));
        let is_other = thread.is_some_and(|url| !url.ends_with(&format!("/{number}")));
        if is_other || value.number("id").is_some_and(|found| found != id) {
            return Err(Fault::Wrong("a comment on something else".to_owned()));
        }
        Ok(section(part, &value, &mut 0))
    }))
}

/// A review that has only comments on lines. They are shown themselves.
fn is_empty_review(value: &Value) -> bool {
    value.line("state").as_deref() == Some("COMMENTED") && value.line("body").is_none()
}

fn heading(part: Part, value: &Value) -> String {
    let author = author(value);
    let anchor = value.number("id");
    let anchor = anchor.map_or_else(String::new, |id| format!(" (#{}{id})", part.anchor()));
    let time = date(value, "created_at").or_else(|| date(value, "submitted_at"));
    let time = time.map_or_else(String::new, |time| format!(", {time}"));
    let edited = value.at("updated_at").is_some_and(|updated| {
        value
            .at("created_at")
            .is_some_and(|created| created != updated)
    });
    let edited = if edited && part != Part::Review {
        ", edited"
    } else {
        ""
    };
    match part {
        Part::Comment => format!("## Comment by {author}{time}{edited}{anchor}\n\n"),
        Part::Review => {
            let state = forge::or(value, "state", "without a state")
                .to_lowercase()
                .replace('_', " ");
            format!("## Review by {author}{time}: {state}{anchor}\n\n")
        }
        Part::Line => {
            let place = place(value);
            let reply = if value.at("in_reply_to_id").is_some() {
                ", reply"
            } else {
                ""
            };
            format!("## Comment on {place} by {author}{time}{edited}{reply}{anchor}\n\n")
        }
    }
}

/// The file and the lines of a comment: `` `src/a.rs` lines 3-5 ``. A comment whose lines were changed later
/// has its original lines.
fn place(value: &Value) -> String {
    let path = value
        .line("path")
        .map_or_else(|| "an unknown file".to_owned(), |path| code(&path));
    let old = value.line("side").as_deref() == Some("LEFT");
    let old = if old { "old " } else { "" };
    let lines = |start: &str, end: &str| {
        let end = value.number(end)?;
        Some(match value.number(start).filter(|start| *start < end) {
            Some(start) => format!("{old}lines {start}-{end}"),
            None => format!("{old}line {end}"),
        })
    };
    if let Some(lines) = lines("start_line", "line") {
        return format!("{path} {lines}");
    }
    match lines("original_start_line", "original_line") {
        Some(lines) => format!("{path} {lines} (outdated)"),
        None => path,
    }
}

/// The end of a hunk, which has the line that a comment is about.
fn last_lines(hunk: &str) -> String {
    let lines: Vec<&str> = hunk.lines().collect();
    let skipped = lines.len().saturating_sub(limits::HUNK_LINES);
    let kept = lines
        .iter()
        .skip(skipped)
        .map(|line| text::line_as_is(line));
    kept.collect::<Vec<_>>().join("\n")
}
