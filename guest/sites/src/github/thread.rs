//! Issues and pull requests with their comments: for their pages, and for `issue://` and `pr://`.
//!
//! The replies are those of <https://docs.github.com/en/rest/issues/issues#get-an-issue>,
//! <https://docs.github.com/en/rest/issues/comments#list-issue-comments>,
//! <https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request>,
//! <https://docs.github.com/en/rest/pulls/reviews#list-reviews-for-a-pull-request> and
//! <https://docs.github.com/en/rest/pulls/comments#list-review-comments-on-a-pull-request>.

use super::comments::{self, Counts};
use super::forge::{self, Forge, Kind, Links, author, date, or, reactions, user};
use crate::handler::Page;
use crate::service::{Fault, Service};
use crate::text::count;
use crate::value::Fields;
use serde_json::Value;

/// An issue or pull request that is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The kind. The number of a pull request is also that of an issue.
    pub kind: Kind,
    /// The number.
    pub number: u64,
    /// The page of 100 comments that is shown first, from 1. `None`: comments are not requested.
    pub comments: Option<u64>,
    /// How the rendering names what it leaves out.
    pub links: Links,
}

/// An issue or pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The kind that it is, whatever was asked.
    pub kind: Kind,
    /// Its title, facts and description in Markdown, with a newline at its end.
    pub head: String,
    /// Its comments in Markdown, with a newline at its end. `None` if they were not requested.
    pub comments: Option<String>,
    /// What is left out, and what differs from what was asked.
    pub notes: Vec<String>,
    /// Whether the service refused a part of the comments, so that another request may give more.
    pub is_cut: bool,
}

impl Thread {
    /// The head and the comments as one page.
    pub fn page(self) -> Page {
        let mut markdown = self.head;
        if let Some(comments) = self.comments
            && !comments.is_empty()
        {
            markdown.push('\n');
            markdown.push_str(&comments);
        }
        Page {
            markdown,
            notes: self.notes,
        }
    }
}

/// What is known of a thread before its comments.
struct Found {
    kind: Kind,
    /// Its repository, which differs from the one that was asked if the issue or the repository was moved.
    forge: Forge,
    /// The number, which differs from that which was asked if the issue was transferred.
    number: u64,
    value: Value,
    /// The URL of the issue in the API.
    api: String,
    /// The reactions of a pull request are fields of its issue.
    issue: Option<Value>,
    notes: Vec<String>,
}

/// Requests an issue or pull request with its comments.
///
/// # Errors
/// Fails if the API does not answer, or if it answers with something else. Comments that the API does not send
/// are a note.
pub fn thread(service: &mut dyn Service, forge: &Forge, ask: &Ask) -> Result<Thread, Fault> {
    let mut found = find(service, forge, ask)?;
    let mut hidden = 0_usize;
    let mut is_cut = false;
    let head = head(ask, &found, &mut hidden);
    let here = found.forge.thread(ask.links, found.kind, found.number);
    let comments = ask.comments.map(|first| {
        let counts = Counts {
            comments: found.value.number("comments"),
            lines: found.value.number("review_comments"),
        };
        let pages = comments::Pages {
            issue: &found.api,
            pull: (found.kind == Kind::Pull)
                .then(|| found.forge.api(&format!("/pulls/{}", found.number))),
            here: &here,
            first,
        };
        let shown = comments::comments(service, &pages, counts);
        found.notes.extend(shown.notes);
        is_cut = shown.is_cut;
        hidden = hidden.saturating_add(shown.hidden);
        shown.markdown
    });
    let total = found.value.number("comments").unwrap_or(0);
    if ask.comments.is_none() && total > 0 {
        found.notes.push(format!(
            "{} left out: read `{here}` for them",
            count(total, "comment")
        ));
    }
    found.notes.extend(forge::hidden_note(hidden));
    Ok(Thread {
        kind: found.kind,
        head,
        comments,
        notes: found.notes,
        is_cut,
    })
}

fn find(service: &mut dyn Service, forge: &Forge, ask: &Ask) -> Result<Found, Fault> {
    let Ask {
        kind,
        number,
        links,
        ..
    } = *ask;
    if kind == Kind::Pull {
        match one(service, forge, "pulls", number) {
            Ok(one) => {
                return Ok(Found {
                    kind,
                    api: one.forge.api(&format!("/issues/{}", one.number)),
                    notes: transferred(forge, ask, &one),
                    forge: one.forge,
                    number: one.number,
                    value: one.value,
                    issue: None,
                });
            }
            Err(Fault::Missing(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    let one_ = one(service, forge, "issues", number)?;
    let mut notes = transferred(forge, ask, &one_);
    let One {
        value,
        api,
        number: found,
        forge,
    } = one_;
    if value.at("pull_request").is_none() {
        if kind == Kind::Pull {
            let path = forge.thread(links, Kind::Issue, found);
            notes.push(format!("{found} is an issue, not a pull request: `{path}`"));
        }
        return Ok(Found {
            kind: Kind::Issue,
            forge,
            number: found,
            value,
            api,
            issue: None,
            notes,
        });
    }
    let path = forge.thread(links, Kind::Pull, found);
    if kind == Kind::Issue {
        notes.push(format!("{found} is a pull request, not an issue: `{path}`"));
    }
    let (value, issue) = match one(service, &forge, "pulls", found) {
        Ok(pull) => (pull.value, Some(value)),
        Err(fault) => {
            notes.push(format!(
                "the facts of the pull request are left out: {fault}"
            ));
            (value, None)
        }
    };
    Ok(Found {
        kind: Kind::Pull,
        forge,
        number: found,
        value,
        api,
        issue,
        notes,
    })
}

/// A reply about an issue or pull request.
struct One {
    value: Value,
    /// The URL of the reply.
    api: String,
    number: u64,
    /// The repository that the reply names.
    forge: Forge,
}

/// Requests an issue or pull request. `list` is `issues` or `pulls`.
fn one(service: &mut dyn Service, forge: &Forge, list: &str, number: u64) -> Result<One, Fault> {
    let url = &forge.api(&format!("/{list}/{number}"));
    let reply = forge::get(service, url, forge::JSON)?;
    let value = forge::expect_object(reply.json()?)?;
    if ["number", "title", "html_url", "user"]
        .iter()
        .all(|field| value.at(field).is_none())
    {
        return Err(Fault::Wrong("an object that is no issue".to_owned()));
    }
    if value.number("number").is_none() && reply.url != *url {
        return Err(Fault::Wrong("an object without a number".to_owned()));
    }
    let found = value.number("number").unwrap_or(number);
    if found == number {
        return Ok(One {
            forge: repository(forge, &value)
                .filter(|_| reply.url != *url)
                .unwrap_or_else(|| forge.clone()),
            value,
            api: url.clone(),
            number,
        });
    }
    // The API redirects to an issue that was transferred to another repository. That has another number.
    let moved = reply.url != *url && reply.url.ends_with(&format!("/{found}"));
    if moved && origin(&reply.url) == origin(url) {
        Ok(One {
            forge: repository(forge, &value).unwrap_or_else(|| forge.clone()),
            value,
            api: reply.url,
            number: found,
        })
    } else {
        Err(Fault::Wrong(format!("number {found} instead of {number}")))
    }
}

/// The scheme, host and port of a URL.
fn origin(url: &str) -> Option<url::Origin> {
    url::Url::parse(url).ok().map(|url| url.origin())
}

/// The repository that an issue or pull request names: by its page, or by its `repository_url`. `None` if it names
/// none on the same host.
fn repository(forge: &Forge, value: &Value) -> Option<Forge> {
    let text = |field: &str| value.at(field).and_then(Value::as_str);
    let site = forge.page("");
    let site = site.strip_suffix(&format!("{}/{}", forge.owner, forge.repo));
    let api = format!("{}/repos/", forge.api_base);
    let of_page = text("html_url").and_then(|url| url.strip_prefix(site?));
    let path = of_page.or_else(|| text("repository_url")?.strip_prefix(&api))?;
    let (owner, rest) = path.split_once('/')?;
    let repo = rest.split('/').next().unwrap_or_default();
    (forge::is_name(owner) && forge::is_name(repo)).then(|| Forge {
        owner: owner.to_owned(),
        repo: repo.to_owned(),
        ..forge.clone()
    })
}

fn transferred(asked: &Forge, ask: &Ask, found: &One) -> Vec<String> {
    let number = found.number;
    let name = found.forge.name();
    let is_same = name.eq_ignore_ascii_case(&asked.name());
    let moved = if number != ask.number {
        let place = if is_same {
            "there".to_owned()
        } else {
            format!("in {name}")
        };
        Some(format!(
            "issue {} was transferred, and has number {number} {place}",
            ask.number
        ))
    } else {
        (!is_same).then(|| format!("{} is now {name}", asked.name()))
    };
    moved.into_iter().collect()
}

/// The title, facts and description.
fn head(ask: &Ask, found: &Found, hidden: &mut usize) -> String {
    let (value, forge) = (&found.value, &found.forge);
    let title = or(value, "title", "(without a title)");
    let (name, number) = (forge.name(), found.number);
    let mut out = format!("# {title} ({name}#{number})\n\n");
    let mut fact = |name: &str, text: Option<String>| {
        if let Some(text) = text {
            out.push_str(&format!("- {name}: {text}\n"));
        }
    };
    let kind = found.kind.name();
    let kind = format!(
        "{}{}",
        kind.get(..1).unwrap_or_default().to_uppercase(),
        kind.get(1..).unwrap_or_default()
    );
    fact(&kind, Some(state(found.kind, value)));
    let opened = date(value, "created_at").map_or_else(String::new, |date| format!(", {date}"));
    fact("Author", Some(format!("{}{opened}", author(value))));
    let updated =
        date(value, "updated_at").filter(|_| value.at("updated_at") != value.at("created_at"));
    fact("Updated", updated);
    fact(
        "Labels",
        joined(value.lines("labels", "name"), labels_as_text(value)),
    );
    fact(
        "Assignees",
        joined(value.lines("assignees", "login"), Vec::new()),
    );
    fact("Milestone", value.line("milestone.title"));
    fact("Type", value.line("type.name"));
    fact(
        "Reviewers asked",
        joined(
            value.lines("requested_reviewers", "login"),
            value.lines("requested_teams", "slug"),
        ),
    );
    if found.kind == Kind::Pull {
        fact("Branches", branches(value));
        fact("Changes", Some(changes(ask, found)));
        fact(
            "Mergeable",
            value
                .line("mergeable_state")
                .filter(|_| value.line("state").as_deref() == Some("open")),
        );
    }
    fact(
        "Comments",
        value
            .number("comments")
            .map(|comments| match value.number("review_comments") {
                Some(lines) => format!("{comments}, and {lines} on lines"),
                None => comments.to_string(),
            }),
    );
    let locked = value
        .is("locked")
        .then(|| or(value, "active_lock_reason", "yes"));
    fact("Locked", locked);
    fact(
        "Reactions",
        reactions(value).or_else(|| reactions(found.issue.as_ref()?)),
    );
    fact(
        "URL",
        value
            .line("html_url")
            .or_else(|| Some(forge.thread(Links::Site, found.kind, number))),
    );
    out.push_str("\n## Description\n\n");
    let text = forge::body(value, "body", hidden);
    out.push_str(text.as_deref().unwrap_or("(empty)"));
    out.push('\n');
    out
}

/// The state with its reason, time and user.
fn state(kind: Kind, value: &Value) -> String {
    let mut out = or(value, "state", "of an unknown state");
    let merged = value.is("merged") || value.at("merged_at").is_some();
    if kind == Kind::Pull && merged {
        "merged".clone_into(&mut out);
        if value.at("merged_by.login").is_some() {
            out.push_str(&format!(" by {}", user(value, "merged_by")));
        }
        out.extend(date(value, "merged_at").map(|date| format!(", {date}")));
        return out;
    }
    let reason = value.line("state_reason").filter(|_| out == "closed");
    out.extend(reason.map(|reason| format!(" as {}", reason.replace('_', " "))));
    if value.at("closed_by.login").is_some() {
        out.push_str(&format!(" by {}", user(value, "closed_by")));
    }
    out.extend(date(value, "closed_at").map(|date| format!(", {date}")));
    if value.is("draft") {
        out.push_str(", draft");
    }
    out
}

fn joined(mut names: Vec<String>, more: Vec<String>) -> Option<String> {
    names.extend(more);
    (!names.is_empty()).then(|| names.join(", "))
}

/// The labels that are texts instead of objects, which the documentation allows.
fn labels_as_text(value: &Value) -> Vec<String> {
    value
        .list("labels")
        .iter()
        .filter_map(|label| label.line(""))
        .collect()
}

/// The branches of a pull request: `main ← user:topic (1234567)`.
fn branches(value: &Value) -> Option<String> {
    let base = value
        .line("base.label")
        .or_else(|| value.line("base.ref"))?;
    let head = value.line("head.label").or_else(|| value.line("head.ref"));
    let head = head.unwrap_or_else(|| "a deleted repository".to_owned());
    let commit = value.line("head.sha").map_or_else(String::new, |sha| {
        format!(" ({})", sha.get(..12).unwrap_or(&sha))
    });
    Some(format!("`{base}` ← `{head}`{commit}"))
}

fn changes(ask: &Ask, found: &Found) -> String {
    let value = &found.value;
    let number = |field: &str| value.number(field);
    let mut parts = Vec::new();
    parts.extend(number("commits").map(|n| count(n, "commit")));
    parts.extend(number("changed_files").map(|n| count(n, "file")));
    parts.extend(number("additions").map(|n| format!("+{n}")));
    parts.extend(number("deletions").map(|n| format!("-{n}")));
    let here = found.forge.thread(ask.links, Kind::Pull, found.number);
    let diff = match ask.links {
        Links::Scheme => format!("{here}/diff"),
        Links::Site => format!("{here}/files"),
    };
    let facts = parts.join(", ");
    if facts.is_empty() {
        format!("`{diff}`")
    } else {
        format!("{facts}: `{diff}`")
    }
}
