//! Commits, their lists, comparisons, and the diffs of pull requests.

use super::address::encoded;
use super::cursor::Cursor;
use super::diff;
use super::forge::{self, Forge, Kind, Links, date, first_line};
use crate::address::encode;
use crate::code::{code, fenced};
use crate::handler::Page;
use crate::limits;
use crate::service::{Fault, Reply, Service};
use crate::text::count;
use crate::value::Fields;
use serde_json::Value;

/// Writes a commit with its diff (<https://docs.github.com/en/rest/commits/commits#get-a-commit>).
pub(super) fn commit(service: &mut dyn Service, forge: &Forge, sha: &str) -> Result<Page, Fault> {
    let url = forge.api(&format!("/commits/{sha}"));
    let mut note = None;
    let reply = match forge::get(service, &url, forge::JSON) {
        Err(fault @ Fault::TooLarge(_)) => {
            note = Some(fault.to_string());
            first_files(service, &url)?
        }
        reply => reply?,
    };
    let value = forge::expect_object(reply.json()?)?;
    let found = value.line("sha").unwrap_or_else(|| sha.to_owned());
    if !found
        .to_ascii_lowercase()
        .starts_with(&sha.to_ascii_lowercase())
    {
        return Err(Fault::Wrong(format!(
            "the commit {} instead of {sha}",
            crate::text::line(&found, 64)
        )));
    }
    let title =
        first_line(&value, "commit.message").unwrap_or_else(|| "(without a message)".to_owned());
    let mut page = Page {
        markdown: format!("# {title} ({})\n\n", forge.name()),
        notes: Vec::new(),
    };
    let out = &mut page.markdown;
    let parents = value.lines("parents", "sha");
    let verified = value
        .is("commit.verification.verified")
        .then(|| "verified".to_owned());
    let stats = value.at("stats").map(|stats| {
        let number = |field: &str| stats.number(field).unwrap_or(0);
        format!("+{} -{}", number("additions"), number("deletions"))
    });
    let facts = [
        ("Commit", Some(code(&found))),
        ("Author", person(&value, "author")),
        (
            "Committer",
            person(&value, "committer")
                .filter(|committer| Some(committer) != person(&value, "author").as_ref()),
        ),
        ("Parents", (!parents.is_empty()).then(|| parents.join(", "))),
        ("Signature", verified),
        ("Lines", stats),
        ("URL", value.line("html_url")),
    ];
    for (name, text) in facts {
        out.extend(text.map(|text| format!("- {name}: {text}\n")));
    }
    let message = value.block("commit.message").unwrap_or_default();
    if message.contains('\n') {
        // The message of a commit is plain text.
        out.push_str(&format!("\n{}\n", fenced(&message, "")));
    }
    let files = value.list("files");
    out.push_str(&files_text(files));
    if reply.has_next {
        let all = forge.page(&format!("/commit/{found}.diff"));
        let why = note.map_or_else(String::new, |why| format!("{why}, so "));
        page.notes.push(format!(
            "{why}only the first {} are shown: `{all}` has all",
            count(files.len() as u64, "file")
        ));
    }
    Ok(page)
}

/// Requests a commit with as many of its first files as a reply may have.
fn first_files(service: &mut dyn Service, url: &str) -> Result<Reply, Fault> {
    let mut cursor = Cursor::new(100);
    loop {
        match forge::get(service, &format!("{url}?{}", cursor.query()), forge::JSON) {
            Err(Fault::TooLarge(_)) if cursor.shrink() => {}
            reply => return reply,
        }
    }
}

/// The name and time in a commit, with the account if there is one.
fn person(value: &Value, who: &str) -> Option<String> {
    let name = value.line(&format!("commit.{who}.name"));
    let login = value
        .line(&format!("{who}.login"))
        .map(|login| format!("@{login}"));
    let name = match (name, login) {
        (Some(name), Some(login)) => format!("{name} ({login})"),
        (name, login) => name.or(login)?,
    };
    let date = date(value, &format!("commit.{who}.date"));
    Some(name + &date.map_or_else(String::new, |date| format!(", {date}")))
}

/// The diff of files that the API lists.
fn files_text(files: &[Value]) -> String {
    if files.is_empty() {
        return "\nNo files changed.\n".to_owned();
    }
    let diff: String = files.iter().map(diff::file_diff).collect();
    format!("\n## Files: {}\n\n{}\n", files.len(), fenced(&diff, "diff"))
}

/// Writes a list of commits (<https://docs.github.com/en/rest/commits/commits#list-commits>).
pub(super) fn commits(
    service: &mut dyn Service,
    forge: &Forge,
    segments: &[String],
    page: u64,
) -> Result<Page, Fault> {
    let per_page = limits::LIST_ENTRIES;
    // The page of a path and that of a revision with slashes have the same form.
    let splits: Vec<usize> = if segments.len() > 1 {
        vec![1, segments.len()]
    } else {
        vec![segments.len()]
    };
    let mut last = Fault::Missing(forge.page("/commits"));
    for split in splits {
        let (revision, path) = segments.split_at_checked(split).unwrap_or((segments, &[]));
        let mut query = format!("/commits?per_page={per_page}&page={page}");
        if !revision.is_empty() {
            query.push_str(&format!("&sha={}", encode(&revision.join("/"))));
        }
        if !path.is_empty() {
            query.push_str(&format!("&path={}", encode(&path.join("/"))));
        }
        match forge::list(service, &forge.api(&query)) {
            Ok((entries, has_next)) if !entries.is_empty() || path.is_empty() => {
                let mut place = revision.join("/");
                if !path.is_empty() {
                    place = format!("{place}: {}", path.join("/"));
                }
                let at = if place.is_empty() {
                    String::new()
                } else {
                    format!(" at {}", code(&place))
                };
                let mut out = format!("# Commits of {}{at}\n\n", forge.name());
                out.push_str(&commit_lines(&entries));
                let here = segments
                    .iter()
                    .map(|segment| format!("/{}", encoded(segment)))
                    .collect::<String>();
                let next = forge.page(&format!("/commits{here}?page={}", page.saturating_add(1)));
                let more = has_next.then(|| format!("there are more: read `{next}`"));
                return Ok(Page {
                    markdown: out,
                    notes: more.into_iter().collect(),
                });
            }
            Ok(_) => {}
            Err(fault @ (Fault::Missing(_) | Fault::Failed(_))) => last = fault,
            Err(fault) => return Err(fault),
        }
    }
    Err(last)
}

fn commit_lines(entries: &[Value]) -> String {
    if entries.is_empty() {
        return "There are none.\n".to_owned();
    }
    entries.iter().map(commit_line).collect()
}

fn commit_line(entry: &Value) -> String {
    let sha = entry.line("sha").unwrap_or_else(|| "?".to_owned());
    let sha = code(sha.get(..12).unwrap_or(&sha));
    let title =
        first_line(entry, "commit.message").unwrap_or_else(|| "(without a message)".to_owned());
    let by = person(entry, "author").map_or_else(String::new, |person| format!(" by {person}"));
    format!("- {sha} {title}{by}\n")
}

/// Writes the commits of a pull request
/// (<https://docs.github.com/en/rest/pulls/pulls#list-commits-on-a-pull-request>).
pub(super) fn of_pull(
    service: &mut dyn Service,
    forge: &Forge,
    number: u64,
    page: u64,
) -> Result<Page, Fault> {
    let url = forge.api(&format!("/pulls/{number}/commits?per_page=100&page={page}"));
    let (entries, has_next) = forge::list(service, &url)?;
    let here = forge.thread(Links::Site, Kind::Pull, number);
    let more = has_next.then(|| {
        format!(
            "there are more: read `{here}/commits?page={}`",
            page.saturating_add(1)
        )
    });
    Ok(Page {
        markdown: format!(
            "# Commits of {}#{number}\n\n{}",
            forge.name(),
            commit_lines(&entries)
        ),
        notes: more.into_iter().collect(),
    })
}

/// Writes the diff of a pull request.
pub(super) fn diff_of_pull(
    service: &mut dyn Service,
    forge: &Forge,
    number: u64,
) -> Result<Page, Fault> {
    let diff::Diff { text, notes } = diff::diff_text(service, forge, number)?;
    let scheme = format!("{}/diff", forge.thread(Links::Scheme, Kind::Pull, number));
    let listing = diff::listing(&text, &scheme);
    let name = format!("{}#{number}", forge.name());
    let rest = listing.strip_prefix("# ").unwrap_or(&listing);
    Ok(Page {
        markdown: format!("# Diff of {name}\n\n## {rest}\n{}\n", fenced(&text, "diff")),
        notes,
    })
}

/// Writes a comparison of two revisions
/// (<https://docs.github.com/en/rest/commits/commits#compare-two-commits>).
pub(super) fn compare(service: &mut dyn Service, forge: &Forge, spec: &str) -> Result<Page, Fault> {
    let value = forge::object(
        service,
        &forge.api(&format!("/compare/{}", encoded(spec).replace("%3A", ":"))),
    )?;
    let mut page = Page {
        markdown: format!("# Comparison {} of {}\n\n", code(spec), forge.name()),
        notes: Vec::new(),
    };
    let out = &mut page.markdown;
    let number = |field: &str| value.line(field);
    let facts = [
        ("Status", number("status")),
        ("Commits that the base lacks", number("ahead_by")),
        ("Commits that only the base has", number("behind_by")),
        (
            "Base",
            value.line("merge_base_commit.sha").map(|sha| code(&sha)),
        ),
        ("URL", number("html_url")),
    ];
    for (name, text) in facts {
        out.extend(text.map(|text| format!("- {name}: {text}\n")));
    }
    let entries = value.list("commits");
    out.push_str(&format!(
        "\n## Commits: {}\n\n{}",
        entries.len(),
        commit_lines(entries)
    ));
    let files = value.list("files");
    out.push_str(&files_text(files));
    let total = value.number("total_commits").unwrap_or(0);
    let all = forge.page(&format!(
        "/compare/{}.diff",
        encoded(spec).replace("%3A", ":")
    ));
    if let Some(left) = total
        .checked_sub(entries.len() as u64)
        .filter(|left| *left > 0)
    {
        let list = forge.page(&format!(
            "/commits/{}",
            encoded(spec.rsplit("...").next().unwrap_or(spec))
        ));
        page.notes.push(format!(
            "{} left out: `{list}` lists them",
            count(left, "commit")
        ));
    }
    if files.len() >= limits::COMPARED_FILES {
        page.notes.push(format!(
            "the service sends at most 300 files: `{all}` has all"
        ));
    }
    Ok(page)
}
