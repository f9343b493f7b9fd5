//! Files and directories of a project.

use super::project::Project;
use crate::address::encode;
use crate::code::fenced;
use crate::handler::Found;
use crate::limits;
use crate::service::{Fault, JSON, Request, Service};
use crate::text::line;
use crate::value::Fields;
use crate::writer::{Writer, date};
use omniread_document::order;
use serde_json::Value;
use url::Url;

/// A file. The content of a file in LFS is requested, not its pointer.
pub fn file(
    project: &Project,
    names: &[&str],
    page: &Url,
    service: &mut dyn Service,
) -> Result<Found, Fault> {
    // The last name is that of the file.
    let before = names
        .get(..names.len().saturating_sub(1))
        .unwrap_or_default();
    let (name, commit, count) = project.split(before, service)?;
    let path = names.get(count..).unwrap_or_default().join("/");
    let url = raw(project, &path, &name);
    let mut url = Url::parse(&url).map_err(|_| Fault::Wrong("no address".to_owned()))?;
    // `#L10-20` is `#L10-L20` elsewhere.
    let fragment = page.fragment().map(|it| match it.split_once('-') {
        Some((first, last)) if first.starts_with('L') && !last.starts_with('L') => {
            format!("{first}-L{last}")
        }
        _ => it.to_owned(),
    });
    url.set_fragment(fragment.as_deref());
    Ok(Found::File {
        url,
        accept: "*/*",
        notes: vec![at(&name, &commit)],
    })
}

/// The URL of the content of a file.
fn raw(project: &Project, path: &str, name: &str) -> String {
    let path = encode(path);
    project.api(&format!(
        "repository/files/{path}/raw?ref={}&lfs=true",
        encode(name)
    ))
}

/// The commit of a ref, as a note.
fn at(name: &str, commit: &Value) -> String {
    let name = line(name, limits::LINE_CHARS);
    let id = commit.line("id").unwrap_or_default();
    let date =
        date(commit.line("committed_date")).map_or_else(String::new, |it| format!(" of {it}"));
    format!("`{name}` is commit {id}{date}.")
}

/// A directory with its README.
pub fn directory(
    project: &Project,
    names: &[&str],
    service: &mut dyn Service,
) -> Result<Found, Fault> {
    let (name, commit, count) = project.split(names, service)?;
    let path = names.get(count..).unwrap_or_default().join("/");
    let most = limits::PAGE;
    let query = format!(
        "ref={}&path={}&per_page={most}",
        encode(&name),
        encode(&path)
    );
    let url = project.api(&format!("repository/tree?{query}"));
    let reply = service.get(&Request {
        url: &url,
        accept: JSON,
    })?;
    let value = reply.json()?;
    let Some(entries) = value.as_array() else {
        return Err(crate::fetch::other_type(&value));
    };
    let title = format!("{}/{path} at {name}", project.path);
    let mut page = Writer::new(&title.replace("/ at", " at"));
    page.note(at(&name, &commit));
    let mut lines: Vec<(bool, String)> = entries.iter().filter_map(entry).collect();
    order::by(&mut lines, |a, b| a.0.cmp(&b.0));
    for (_, line) in &lines {
        page.item(line);
    }
    if lines.is_empty() {
        page.block("The directory is empty.");
    }
    if reply.has_next {
        page.block(&format!("[More entries: {url}&page=2]"));
        page.note(format!("More than {most} entries: {url}&page=2"));
    }
    readme(&mut page, project, entries, &name, service);
    Ok(page.page())
}

/// An entry in one line, and whether it is not a directory.
fn entry(entry: &Value) -> Option<(bool, String)> {
    let name = entry.line("name").or_else(|| entry.line("path"))?;
    let is_link = entry.line("mode").as_deref() == Some("120000");
    Some(match entry.line("type").as_deref() {
        Some("tree") => (false, format!("{name}/")),
        Some("commit") => {
            let commit = entry
                .line("id")
                .map_or_else(String::new, |it| format!(" at commit {it}"));
            (false, format!("{name} (submodule{commit})"))
        }
        _ if is_link => (true, format!("{name} (symbolic link)")),
        _ => (true, name),
    })
}

/// The README of a directory.
fn readme(
    page: &mut Writer,
    project: &Project,
    entries: &[Value],
    name: &str,
    service: &mut dyn Service,
) {
    let is_readme = |entry: &&Value| {
        let name = entry.line("name").unwrap_or_default().to_ascii_lowercase();
        let is_file = entry.line("type").as_deref() == Some("blob");
        is_file
            && matches!(
                name.as_str(),
                "readme" | "readme.md" | "readme.markdown" | "readme.rst" | "readme.txt"
            )
    };
    let Some(entry) = entries.iter().find(is_readme) else {
        return;
    };
    let Some(path) = entry.line("path").or_else(|| entry.line("name")) else {
        return;
    };
    let url = raw(project, &path, name);
    match service.get(&Request {
        url: &url,
        accept: "*/*",
    }) {
        Ok(reply) => {
            let text = crate::text::block(&reply.text());
            page.section(&path);
            let end = path
                .rsplit('.')
                .next()
                .unwrap_or_default()
                .to_ascii_lowercase();
            if matches!(end.as_str(), "md" | "markdown") {
                page.body(&text);
            } else {
                page.block(&fenced(&text, ""));
            }
        }
        Err(fault) => page.note(format!("The content of {path} is missing: {fault}.")),
    }
}
