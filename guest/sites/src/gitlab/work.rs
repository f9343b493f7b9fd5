//! Issues and merge requests of a project.

use super::project::Project;
use crate::fetch;
use crate::handler::Found;
use crate::limits;
use crate::service::{Fault, JSON, Request, Service};
use crate::text::{count, line};
use crate::value::Fields;
use crate::writer::{Writer, date, length};
use serde_json::Value;
use url::Url;

/// An issue with its comments.
pub fn issue(project: &Project, number: u64, service: &mut dyn Service) -> Result<Found, Fault> {
    let path = format!("issues/{number}");
    let value = item(project, &path, number, service)?;
    let mut page = start(&value, &format!("#{number}"));
    page.fact("URL", Some(project.page(&path)));
    body(&mut page, &value);
    notes(&mut page, project, &path, service);
    Ok(page.page())
}

/// A merge request with its comments.
pub fn merge_request(
    project: &Project,
    number: u64,
    service: &mut dyn Service,
) -> Result<Found, Fault> {
    let path = format!("merge_requests/{number}");
    let value = item(project, &path, number, service)?;
    let mut page = start(&value, &format!("!{number}"));
    let branches = value.line("source_branch").zip(value.line("target_branch"));
    page.fact(
        "Branches",
        branches.map(|(source, target)| format!("{source} into {target}")),
    );
    page.fact("Changed files", value.line("changes_count"));
    page.fact("Mergeable", value.line("detailed_merge_status"));
    page.fact("Merged", date(value.line("merged_at")));
    page.fact(
        "Merge commit",
        value
            .line("merge_commit_sha")
            .or_else(|| value.line("squash_commit_sha")),
    );
    page.fact("Pipeline", value.line("head_pipeline.status"));
    page.fact("URL", Some(project.page(&path)));
    page.fact("Diff", Some(project.page(&format!("{path}/diffs"))));
    body(&mut page, &value);
    notes(&mut page, project, &path, service);
    Ok(page.page())
}

/// The diff of a merge request, which the service has as a file.
pub fn diff(project: &Project, number: &str) -> Result<Found, Fault> {
    let url = Url::parse(&project.api(&format!("merge_requests/{number}/raw_diffs")));
    let url = url.map_err(|_| Fault::Wrong("no address".to_owned()))?;
    let notes = vec![format!(
        "Description and comments: {}",
        project.page(&format!("merge_requests/{number}"))
    )];
    Ok(Found::File {
        url,
        accept: "text/plain",
        notes,
    })
}

/// The commits of a merge request.
pub fn commits(project: &Project, number: &str, service: &mut dyn Service) -> Result<Found, Fault> {
    let url = project.api(&format!(
        "merge_requests/{number}/commits?per_page={}",
        limits::PAGE
    ));
    let (list, has_next) = list(&url, service)?;
    let mut page = Writer::new(&format!("Commits of {}!{number}", project.path));
    for commit in &list {
        let id = commit
            .line("short_id")
            .or_else(|| commit.line("id"))
            .unwrap_or_default();
        let title = commit.line("title").unwrap_or_default();
        let author = commit.line("author_name").unwrap_or_default();
        let date = date(
            commit
                .line("committed_date")
                .or_else(|| commit.line("created_at")),
        )
        .unwrap_or_default();
        page.item(&format!("{id} {title} ({author}, {date})"));
    }
    if list.is_empty() {
        page.block("There are no commits.");
    }
    if has_next {
        page.note(format!("More than {} commits: {url}&page=2", limits::PAGE));
    }
    Ok(page.page())
}

/// An issue or a merge request.
fn item(
    project: &Project,
    path: &str,
    number: u64,
    service: &mut dyn Service,
) -> Result<Value, Fault> {
    let value = fetch::object(service, &project.api(path))?;
    if value.number("iid") == Some(number) {
        Ok(value)
    } else {
        Err(fetch::other(
            &number.to_string(),
            value.line("iid").as_deref(),
        ))
    }
}

/// The facts that issues and merge requests have.
fn start(value: &Value, number: &str) -> Writer {
    let title = value.line("title").unwrap_or_default();
    let mut page = Writer::new(format!("{title} ({number})").trim_start());
    page.fact("State", state(value));
    let by = author(value);
    let created = date(value.line("created_at"));
    page.fact(
        "Opened",
        created
            .map(|it| format!("{it} by {by}"))
            .or(Some(format!("by {by}"))),
    );
    page.fact("Updated", date(value.line("updated_at")));
    page.fact("Closed", date(value.line("closed_at")));
    page.fact("Labels", some(&labels(value)));
    page.fact("Assignees", some(&value.lines("assignees", "username")));
    page.fact("Reviewers", some(&value.lines("reviewers", "username")));
    page.fact("Milestone", value.line("milestone.title"));
    page.fact("Due", value.line("due_date"));
    let votes = value.number("upvotes").zip(value.number("downvotes"));
    page.fact(
        "Votes",
        votes.map(|(up, down)| format!("{up} for, {down} against")),
    );
    page
}

/// The state, with what changes its meaning.
fn state(value: &Value) -> Option<String> {
    let mut state = value.line("state")?;
    for (field, text) in [
        ("draft", ", draft"),
        ("confidential", ", confidential"),
        ("discussion_locked", ", locked"),
    ] {
        if value.is(field) {
            state.push_str(text);
        }
    }
    Some(state)
}

/// The labels, which are texts, or objects with `with_labels_details`.
fn labels(value: &Value) -> Vec<String> {
    let labels = value.list("labels").iter();
    labels
        .filter_map(|it| {
            it.as_str()
                .map(|it| line(it, 100))
                .or_else(|| it.line("name"))
        })
        .collect()
}

/// The name of the author.
fn author(value: &Value) -> String {
    let name = value
        .line("author.username")
        .or_else(|| value.line("author.name"));
    name.unwrap_or_else(|| "a deleted user".to_owned())
}

/// Texts with commas. `None` if there are none.
fn some(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// The description.
fn body(page: &mut Writer, value: &Value) {
    if let Some(text) = value.block("description") {
        page.section("Description");
        page.body(&text);
    }
}

/// The comments. Notes of the system, such as those on new labels, are counted only.
fn notes(page: &mut Writer, project: &Project, path: &str, service: &mut dyn Service) {
    let query = format!("sort=asc&order_by=created_at&per_page={}", limits::PAGE);
    let url = project.api(&format!("{path}/notes?{query}"));
    let (list, has_next) = match list(&url, service) {
        Ok(found) => found,
        // Notes may be hidden from those who are not signed in, unlike the issue itself.
        Err(fault) => {
            return page.note(format!("The comments are missing: {fault}."));
        }
    };
    let comments: Vec<&Value> = list
        .iter()
        .filter(|it| !it.is("system") && it.at("body").is_some())
        .collect();
    if !comments.is_empty() {
        page.section(&count(length(&comments), "comment"));
    }
    for comment in &comments {
        let mut title = author(comment);
        if let Some(date) = date(comment.line("created_at")) {
            title.push_str(&format!(", {date}"));
        }
        if let Some(file) = comment
            .line("position.new_path")
            .or_else(|| comment.line("position.old_path"))
        {
            title.push_str(&format!(", on {file}"));
            let line = comment
                .number("position.new_line")
                .or_else(|| comment.number("position.old_line"));
            title.push_str(&line.map_or_else(String::new, |it| format!(":{it}")));
        }
        for (field, text) in [("resolved", ", resolved"), ("internal", ", internal")] {
            title.push_str(if comment.is(field) { text } else { "" });
        }
        page.part(&title);
        page.body(&comment.block("body").unwrap_or_default());
    }
    let system = length(&list).saturating_sub(length(&comments));
    if system > 0 {
        page.note(format!(
            "{} of the system left out: {}",
            count(system, "note"),
            project.page(path)
        ));
    }
    if has_next {
        page.block(&format!("[More comments: {url}&page=2]"));
        page.note(format!("More than {} notes: {url}&page=2", limits::PAGE));
    }
}

/// A list, and whether there is more.
fn list(url: &str, service: &mut dyn Service) -> Result<(Vec<Value>, bool), Fault> {
    let reply = service.get(&Request { url, accept: JSON })?;
    match reply.json()? {
        Value::Array(list) => Ok((list, reply.has_next)),
        other => Err(fetch::other_type(&other)),
    }
}
