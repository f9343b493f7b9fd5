//! Repositories, releases, wikis, gists, and runs of workflows.

use super::address::encoded;
use super::files::entry_line;
use super::forge::{self, Forge, OBJECT, RAW, date, or, user};
use crate::code::{code, fenced};
use crate::handler::{Found, Page};
use crate::limits;
use crate::nested;
use crate::service::{Fault, Request, Service};
use crate::text::{self, count, size};
use crate::value::Fields;
use serde_json::Value;
use url::Url;

/// Writes a repository: its facts, its top directory and its README.
///
/// The replies are those of <https://docs.github.com/en/rest/repos/repos#get-a-repository>,
/// <https://docs.github.com/en/rest/repos/contents#get-repository-content> and
/// <https://docs.github.com/en/rest/repos/contents#get-a-repository-readme>.
pub(super) fn repository(service: &mut dyn Service, forge: &Forge) -> Result<Page, Fault> {
    let value = forge::object(service, &forge.api(""))?;
    let mut page = Page::default();
    let out = &mut page.markdown;
    out.push_str(&format!(
        "# {}\n\n",
        value.line("full_name").unwrap_or_else(|| forge.name())
    ));
    out.extend(value.line("description").map(|text| format!("{text}\n\n")));
    let branch = value.line("default_branch");
    let texts = [
        ("Default branch", branch.as_deref().map(code)),
        ("Fork of", value.line("parent.full_name")),
        ("Home page", value.line("homepage")),
        ("Language", value.line("language")),
        (
            "License",
            value
                .line("license.spdx_id")
                .or_else(|| value.line("license.name")),
        ),
        ("Topics", topics(&value)),
        ("Last push", date(&value, "pushed_at")),
    ];
    for (name, text) in texts {
        out.extend(text.map(|text| format!("- {name}: {text}\n")));
    }
    let numbers = [
        ("Stars", "stargazers_count"),
        ("Forks", "forks_count"),
        ("Open issues and pull requests", "open_issues_count"),
    ];
    for (name, field) in numbers {
        out.extend(
            value
                .number(field)
                .map(|number| format!("- {name}: {number}\n")),
        );
    }
    let flags = ["archived", "disabled", "is_template", "private", "fork"];
    let set: Vec<String> = flags
        .iter()
        .filter(|flag| value.is(flag))
        .map(|flag| flag.replace("is_", ""))
        .collect();
    if !set.is_empty() {
        out.push_str(&format!("- This repository is: {}\n", set.join(", ")));
    }
    match forge::get(service, &forge.api("/contents/"), OBJECT).and_then(|reply| reply.json()) {
        Ok(root) => {
            let entries = if root.is_array() {
                root.list("")
            } else {
                root.list("entries")
            };
            out.push_str("\n## Files\n\n");
            out.extend(entries.iter().map(entry_line));
            if entries.is_empty() {
                out.push_str("The repository is empty.\n");
            }
            if entries.len() >= limits::CONTENT_ENTRIES {
                let tree = format!("/tree/{}", branch.as_deref().unwrap_or("HEAD"));
                page.notes.push(format!(
                    "the service sends at most 1000 entries: `{}` lists all",
                    forge.page(&tree)
                ));
            }
        }
        // A repository without commits has no content.
        Err(Fault::Missing(_)) => out.push_str("\nThe repository has no files.\n"),
        Err(fault) => page.notes.push(format!("the files are left out: {fault}")),
    }
    match forge::get(service, &forge.api("/readme"), RAW) {
        Ok(reply) => {
            let readme = nested::body(&reply.text(), forge::OWN_HEADINGS);
            page.markdown
                .push_str(&format!("\n## README\n\n{}\n", readme.markdown));
            page.notes.extend(forge::hidden_note(readme.hidden));
        }
        Err(Fault::Missing(_)) => {}
        Err(fault) => page.notes.push(format!("the README is left out: {fault}")),
    }
    Ok(page)
}

fn topics(value: &Value) -> Option<String> {
    let topics: Vec<String> = value
        .list("topics")
        .iter()
        .filter_map(|topic| topic.line(""))
        .collect();
    (!topics.is_empty()).then(|| topics.join(", "))
}

/// Writes a page of the list of releases
/// (<https://docs.github.com/en/rest/releases/releases#list-releases>).
pub(super) fn releases(
    service: &mut dyn Service,
    forge: &Forge,
    number: u64,
) -> Result<Page, Fault> {
    let query = format!("/releases?per_page={}&page={number}", limits::RELEASES);
    let (releases, has_next) = forge::list(service, &forge.api(&query))?;
    let mut page = Page {
        markdown: format!("# Releases of {}\n", forge.name()),
        notes: Vec::new(),
    };
    if releases.is_empty() {
        page.markdown.push_str("\nThere are none.\n");
    }
    let mut hidden = 0;
    for release in &releases {
        page.markdown.push_str("\n## ");
        page.markdown
            .push_str(&release_text(release, "###", &mut hidden));
    }
    page.notes.extend(forge::hidden_note(hidden));
    if has_next {
        let next = number.saturating_add(1);
        page.notes.push(format!(
            "there are more: read `{}`",
            forge.page(&format!("/releases?page={next}"))
        ));
    }
    Ok(page)
}

/// Writes the release with a tag, or the latest one
/// (<https://docs.github.com/en/rest/releases/releases#get-a-release-by-tag-name>).
pub(super) fn release(
    service: &mut dyn Service,
    forge: &Forge,
    tag: Option<&str>,
) -> Result<Page, Fault> {
    let path = match tag {
        Some(tag) => format!("/releases/tags/{}", encoded(tag)),
        None => "/releases/latest".to_owned(),
    };
    let value = forge::object(service, &forge.api(&path))?;
    if let (Some(tag), Some(found)) = (tag, value.at("tag_name").and_then(Value::as_str))
        && tag != found
    {
        return Err(Fault::Wrong(format!(
            "the release {} instead of {tag}",
            text::line(found, 80)
        )));
    }
    let mut hidden = 0;
    let text = release_text(&value, "##", &mut hidden);
    Ok(Page {
        markdown: format!("# {}: {text}", forge.name()),
        notes: forge::hidden_note(hidden).into_iter().collect(),
    })
}

/// A release after the signs of its heading.
fn release_text(value: &Value, level: &str, hidden: &mut usize) -> String {
    let tag = value.line("tag_name");
    let name = value.line("name").or_else(|| tag.clone());
    let mut out = format!(
        "{}\n\n",
        name.unwrap_or_else(|| "(release without a name)".to_owned())
    );
    out.extend(tag.map(|tag| format!("- Tag: {}\n", code(&tag))));
    let author = value
        .at("author.login")
        .map(|_| format!(" by {}", user(value, "author")));
    let published = date(value, "published_at").or_else(|| date(value, "created_at"));
    let published = published.unwrap_or_else(|| "at an unknown time".to_owned());
    out.push_str(&format!(
        "- Published: {published}{}\n",
        author.unwrap_or_default()
    ));
    for flag in ["draft", "prerelease"].iter().filter(|flag| value.is(flag)) {
        out.push_str(&format!("- This release is a {flag}\n"));
    }
    out.extend(value.line("html_url").map(|url| format!("- URL: {url}\n")));
    let notes = forge::body(value, "body", hidden);
    out.push_str(&format!(
        "\n{}\n",
        notes.as_deref().unwrap_or("(without notes)")
    ));
    let assets = value.list("assets");
    if !assets.is_empty() {
        out.push_str(&format!("\n{level} Release files\n\n"));
    }
    for asset in assets {
        let bytes = asset
            .number("size")
            .map_or_else(String::new, |bytes| format!(", {}", size(bytes)));
        let url = asset
            .line("browser_download_url")
            .map_or_else(String::new, |url| format!(": {url}"));
        out.push_str(&format!(
            "- {}{bytes}{url}\n",
            code(&or(asset, "name", "?"))
        ));
    }
    out
}

/// Finds the source of a page of a wiki, which only GitHub itself publishes. Its pages are files with the names
/// of their titles.
pub(super) fn wiki(service: &mut dyn Service, forge: &Forge, name: &str) -> Result<Found, Fault> {
    let Forge { owner, repo, .. } = forge;
    let base = format!(
        "https://raw.githubusercontent.com/wiki/{owner}/{repo}/{}",
        encoded(name)
    );
    let mut missing = Fault::Missing(base.clone());
    for extension in ["md", "rst", "asciidoc"] {
        let url = format!("{base}.{extension}");
        match service.peek(&Request {
            url: &url,
            accept: "*/*",
        }) {
            Ok(_) => {
                let url = Url::parse(&url)
                    .map_err(|_| Fault::Wrong("a URL that is not valid".to_owned()))?;
                return Ok(Found::File {
                    url,
                    accept: "*/*",
                    notes: Vec::new(),
                });
            }
            Err(Fault::Missing(_)) => {}
            Err(fault) => missing = fault,
        }
    }
    Err(missing)
}

/// Finds the files of a gist. The base of the API is that of `forge`, whose repository is the id of the gist
/// (<https://docs.github.com/en/rest/gists/gists#get-a-gist>).
pub(super) fn gist(
    service: &mut dyn Service,
    forge: &Forge,
    revision: Option<&str>,
) -> Result<Found, Fault> {
    let Forge {
        api_base,
        owner,
        repo: id,
        ..
    } = forge;
    let revision = revision.map_or_else(String::new, |revision| format!("/{revision}"));
    let value = forge::object(service, &format!("{api_base}/gists/{id}{revision}"))?;
    if let Some(found) = value.line("id").filter(|found| found != id) {
        return Err(Fault::Wrong(format!(
            "gist {} instead of {id}",
            text::line(&found, 40)
        )));
    }
    let empty = serde_json::Map::new();
    let files = value
        .at("files")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let mut notes = Vec::new();
    let comments = value.number("comments").filter(|comments| *comments > 0);
    notes.extend(comments.map(|comments| format!("{} left out", count(comments, "comment"))));
    if value.is("truncated") {
        notes.push(
            "the service sends only the first 300 files: clone the gist for the others".to_owned(),
        );
    }
    // A single file is read as what it is.
    if let (1, Some((_, file))) = (files.len(), files.iter().next())
        && let Some(url) = raw_of(file)
    {
        let description = value
            .line("description")
            .map(|text| format!("description: {text}"));
        notes.splice(0..0, description);
        return Ok(Found::File {
            url,
            accept: "*/*",
            notes,
        });
    }
    let owner = value.line("owner.login").unwrap_or_else(|| owner.clone());
    let title = if owner.is_empty() {
        id.clone()
    } else {
        format!("{owner}/{id}")
    };
    let mut markdown = format!("# Gist {title}\n\n");
    markdown.extend(value.line("description").map(|text| format!("{text}\n\n")));
    markdown.extend(date(&value, "updated_at").map(|date| format!("- Updated: {date}\n")));
    markdown.push_str(&format!("- Files: {}\n", files.len()));
    for (name, file) in files {
        let name = file
            .line("filename")
            .unwrap_or_else(|| text::line(name, limits::LINE_CHARS));
        let bytes = file
            .number("size")
            .map_or_else(String::new, |bytes| format!(", {}", size(bytes)));
        markdown.push_str(&format!("\n## {}{bytes}\n\n", code(&name)));
        let raw = raw_of(file);
        let content = file.at("content").and_then(Value::as_str);
        match content {
            Some(content) => markdown.push_str(&format!("{}\n", fenced(content, &language(file)))),
            None => markdown.push_str("(without content)\n"),
        }
        if file.is("truncated") || content.is_none() {
            let whole = raw.map_or_else(String::new, |url| format!(": read `{url}`"));
            notes.push(format!("{} is not complete{whole}", code(&name)));
        }
    }
    Ok(Found::Page(Page { markdown, notes }))
}

/// The name of a language after a fence.
fn language(file: &Value) -> String {
    let language = file.line("language").unwrap_or_default().to_lowercase();
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-');
    if language.chars().all(valid) {
        language
    } else {
        String::new()
    }
}

/// The URL of the bytes of a file of a gist, if it is of the host for them.
fn raw_of(file: &Value) -> Option<Url> {
    let url = Url::parse(file.at("raw_url")?.as_str()?).ok()?;
    (url.scheme() == "https" && url.host_str() == Some("gist.githubusercontent.com")).then_some(url)
}

/// Writes the run of a workflow with its jobs and the steps that did not succeed.
///
/// The replies are those of <https://docs.github.com/en/rest/actions/workflow-runs#get-a-workflow-run> and
/// <https://docs.github.com/en/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run>.
pub(super) fn run(service: &mut dyn Service, forge: &Forge, id: u64) -> Result<Page, Fault> {
    let value = forge::object(service, &forge.api(&format!("/actions/runs/{id}")))?;
    if let Some(found) = value.number("id").filter(|found| *found != id) {
        return Err(Fault::Wrong(format!("run {found} instead of {id}")));
    }
    let title = value.line("display_title").or_else(|| value.line("name"));
    let title = title.unwrap_or_else(|| "(without a title)".to_owned());
    let mut page = Page {
        markdown: format!("# {title} ({} run {id})\n\n", forge.name()),
        notes: Vec::new(),
    };
    let out = &mut page.markdown;
    let facts = [
        ("Workflow", value.line("name")),
        ("Status", Some(outcome(&value))),
        ("Event", value.line("event")),
        (
            "Branch",
            value.line("head_branch").map(|branch| code(&branch)),
        ),
        ("Commit", value.line("head_sha").map(|sha| code(&sha))),
        ("Attempt", value.line("run_attempt")),
        (
            "Started",
            date(&value, "run_started_at").or_else(|| date(&value, "created_at")),
        ),
        ("URL", value.line("html_url")),
    ];
    for (name, text) in facts {
        out.extend(text.map(|text| format!("- {name}: {text}\n")));
    }
    match forge::object(
        service,
        &forge.api(&format!("/actions/runs/{id}/jobs?per_page=100")),
    ) {
        Ok(jobs) => {
            out.push_str("\n## Jobs\n\n");
            for job in jobs.list("jobs") {
                out.push_str(&format!("- {}: {}\n", or(job, "name", "?"), outcome(job)));
                let good = |step: &&Value| {
                    !matches!(
                        step.line("conclusion").as_deref(),
                        Some("success" | "skipped")
                    )
                };
                for step in job.list("steps").iter().filter(good) {
                    out.push_str(&format!(
                        "  - {}: {}\n",
                        or(step, "name", "?"),
                        outcome(step)
                    ));
                }
            }
            let shown = jobs.list("jobs").len() as u64;
            let left = jobs
                .number("total_count")
                .and_then(|total| total.checked_sub(shown));
            page.notes.extend(
                left.filter(|left| *left > 0)
                    .map(|left| format!("{} left out", count(left, "more job"))),
            );
            page.notes
                .push("steps that succeeded or were skipped are left out".to_owned());
        }
        Err(fault) => page.notes.push(format!("the jobs are left out: {fault}")),
    }
    Ok(page)
}

fn outcome(value: &Value) -> String {
    let status = or(value, "status", "of an unknown status");
    value.line("conclusion").unwrap_or(status).replace('_', " ")
}
