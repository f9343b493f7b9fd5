//! Files and directories of a repository at a revision.
//!
//! The replies are those of <https://docs.github.com/en/rest/repos/contents#get-repository-content> and
//! <https://docs.github.com/en/rest/git/trees#get-a-tree>. The path of a page does not say where its revision
//! ends: `blob/feature/x/a.rs` has the revision `feature` or `feature/x`. The host of raw files finds it itself.
//! For the API, the first segment is tried, and then the branches and tags that start with the first two
//! (<https://docs.github.com/en/rest/git/refs#list-matching-references>).

use super::address::{encoded, encoded_path};
use super::forge::{self, Forge, OBJECT, RAW};
use crate::address::encode;
use crate::code::code;
use crate::handler::{Found, Page};
use crate::limits;
use crate::service::{Fault, Request, Service};
use crate::text::{count, size};
use crate::value::Fields;
use serde_json::Value;
use url::Url;

/// A file or directory that a page names.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub forge: &'a Forge,
    /// The segments of the revision and the path.
    pub segments: &'a [String],
    /// The fragment of the page, such as `L10-L20`.
    pub fragment: Option<&'a str>,
}

/// Finds the content of a file. What is not a file, such as a directory or a submodule, is described.
pub(super) fn blob(service: &mut dyn Service, place: Place<'_>) -> Result<Found, Fault> {
    if place.forge.is_public() {
        let raw = raw_url(place.forge, place.segments);
        let request = Request {
            url: &raw,
            accept: "*/*",
        };
        // A private repository, a directory and a submodule have no raw file. The API knows them.
        if let Ok(reply) = service.peek(&request) {
            let start = reply
                .body
                .get(..reply.body.len().min(limits::POINTER_BYTES))
                .unwrap_or_default();
            return raw_file(service, place, &raw, start);
        }
    }
    tree(service, place)
}

/// Finds a file or directory by the API.
pub(super) fn tree(service: &mut dyn Service, place: Place<'_>) -> Result<Found, Fault> {
    let (value, at) = resolve(service, place)?;
    let path = at.path.join("/");
    match value.line("type").as_deref() {
        Some("file") => file(place, &at, &value),
        Some("symlink") => {
            let target = forge::or(&value, "target", "an unknown path");
            Ok(page(
                format!(
                    "# Symbolic link {} in {}\n\n",
                    code(&path),
                    place.forge.name()
                ),
                &format!("It leads to {}.\n", code(&target)),
            ))
        }
        Some("submodule") => Ok(submodule(place, &path, &value)),
        _ if value.is_array()
            || value.at("entries").is_some()
            || value.line("type").as_deref() == Some("dir") =>
        {
            Ok(Found::Page(directory(service, place, &at, &value)))
        }
        _ => Err(Fault::Wrong("content without a known type".to_owned())),
    }
}

fn page(title: String, text: &str) -> Found {
    Found::Page(Page {
        markdown: title + text,
        notes: Vec::new(),
    })
}

/// A revision and a path of the repository.
#[derive(Clone, Copy)]
struct At<'a> {
    revision: &'a [String],
    path: &'a [String],
}

impl At<'_> {
    /// The URL of the content in the API.
    fn api(&self, forge: &Forge) -> String {
        let (path, revision) = (encoded_path(self.path), encode(&self.revision.join("/")));
        forge.api(&format!("/contents/{path}?ref={revision}"))
    }
}

/// Requests the facts of the content, and finds where the revision ends.
fn resolve<'a>(service: &mut dyn Service, place: Place<'a>) -> Result<(Value, At<'a>), Fault> {
    let forge = place.forge;
    let split = |at: usize| {
        let (revision, path) = place
            .segments
            .split_at_checked(at)
            .unwrap_or((place.segments, &[]));
        At { revision, path }
    };
    let first = split(1);
    let missing = match forge::get(service, &first.api(forge), OBJECT) {
        Ok(reply) => return Ok((content(&reply)?, first)),
        Err(Fault::Missing(what)) => Fault::Missing(what),
        Err(fault) => return Err(fault),
    };
    let [one, two, ..] = place.segments else {
        return Err(missing);
    };
    let prefix = format!("{}/{}", encoded(one), encoded(two));
    for kind in ["heads", "tags"] {
        let url = forge.api(&format!("/git/matching-refs/{kind}/{prefix}?per_page=100"));
        let (refs, _) = forge::list(service, &url)?;
        let names = refs.iter().filter_map(|entry| {
            entry
                .at("ref")?
                .as_str()?
                .strip_prefix("refs/")?
                .split_once('/')
        });
        let lengths = names.filter_map(|(_, name)| {
            let name: Vec<&str> = name.split('/').collect();
            let start = place.segments.get(..name.len())?;
            (start == name.as_slice()).then_some(name.len())
        });
        if let Some(length) = lengths.max() {
            let at = split(length);
            let reply = forge::get(service, &at.api(forge), OBJECT)?;
            return Ok((content(&reply)?, at));
        }
    }
    Err(missing)
}

fn content(reply: &crate::service::Reply) -> Result<Value, Fault> {
    let value = reply.json()?;
    // Old versions of the server answer with a list for a directory.
    if value.is_object() || value.is_array() {
        Ok(value)
    } else {
        Err(Fault::Wrong("JSON that is not an object".to_owned()))
    }
}

/// The URL of a file at the host of raw files.
fn raw_url(forge: &Forge, segments: &[String]) -> String {
    let Forge { owner, repo, .. } = forge;
    format!(
        "https://raw.githubusercontent.com/{owner}/{repo}/{}",
        encoded_path(segments)
    )
}

fn found(
    url: &str,
    place: Place<'_>,
    accept: &'static str,
    notes: Vec<String>,
) -> Result<Found, Fault> {
    let mut url =
        Url::parse(url).map_err(|_| Fault::Wrong("a URL that is not valid".to_owned()))?;
    url.set_fragment(place.fragment);
    Ok(Found::File { url, accept, notes })
}

/// A file at the host of raw files, whose first bytes are known.
fn raw_file(
    service: &mut dyn Service,
    place: Place<'_>,
    raw: &str,
    start: &[u8],
) -> Result<Found, Fault> {
    if let Some(pointer) = Pointer::parse(start) {
        let Forge { owner, repo, .. } = place.forge;
        let path = encoded_path(place.segments);
        let media = format!("https://media.githubusercontent.com/media/{owner}/{repo}/{path}");
        let note = format!("the file is stored with Git LFS: {}", pointer.described());
        return found(&media, place, "*/*", vec![note]);
    }
    // The raw file of a symbolic link is the path to which it leads.
    if let Some(target) = link_target(start)
        && let Some((value, at)) = resolve(service, place).ok()
    {
        let real = value
            .number("size")
            .is_some_and(|size| size != start.len() as u64);
        if value.line("type").as_deref() == Some("file") && real {
            let note = format!(
                "{} is a symbolic link to {}",
                code(&at.path.join("/")),
                code(target)
            );
            return found(&at.api(place.forge), place, RAW, vec![note]);
        }
        if value.line("type").as_deref() == Some("symlink") {
            let title = format!(
                "# Symbolic link {} in {}\n\n",
                code(&at.path.join("/")),
                place.forge.name()
            );
            return Ok(page(title, &format!("It leads to {}.\n", code(target))));
        }
    }
    found(raw, place, "*/*", Vec::new())
}

/// The text of a file if it may be the target of a symbolic link: one line without its end.
fn link_target(start: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(start).ok()?;
    let is_path = (1..=255).contains(&text.len())
        && text.contains(['/', '.'])
        && !text.contains(|c: char| {
            c.is_whitespace() || c.is_control() || matches!(c, '{' | '<' | '"' | '\\')
        });
    is_path.then_some(text)
}

/// A file by the API. The API sends the bytes of files up to 100 MB.
fn file(place: Place<'_>, at: &At<'_>, value: &Value) -> Result<Found, Fault> {
    let bytes = value.number("size");
    if let Some(bytes) = bytes.filter(|bytes| *bytes > limits::CONTENT_BYTES) {
        let title = format!(
            "# {} in {}\n\n",
            code(&at.path.join("/")),
            place.forge.name()
        );
        return Ok(page(
            title,
            &format!(
                "The file has {}. The API sends no file over 100 MB: clone the repository.\n",
                size(bytes)
            ),
        ));
    }
    let small = bytes.is_some_and(|bytes| bytes < limits::POINTER_BYTES as u64);
    let encoded = value
        .at("content")
        .and_then(Value::as_str)
        .filter(|_| small);
    let decoded = encoded.map(base64).unwrap_or_default();
    let notes = Pointer::parse(&decoded).map(|pointer| {
        format!(
            "this is a pointer of Git LFS to {}, which the API does not send: run `git lfs pull` in a clone",
            pointer.described()
        )
    });
    found(
        &at.api(place.forge),
        place,
        RAW,
        notes.into_iter().collect(),
    )
}

fn submodule(place: Place<'_>, path: &str, value: &Value) -> Found {
    let mut text = String::new();
    let url = value
        .line("submodule_git_url")
        .map(|url| without_user(&url));
    text.push_str(&format!(
        "- Repository: {}\n",
        url.unwrap_or_else(|| "not stated".to_owned())
    ));
    let commit = value.line("sha");
    text.extend(commit.map(|sha| format!("- Commit: `{sha}`\n")));
    let page_url = value
        .line("html_url")
        .filter(|url| url.starts_with("https://"));
    text.extend(page_url.map(|url| format!("- URL: {url}\n")));
    page(
        format!("# Submodule {} of {}\n\n", code(path), place.forge.name()),
        &text,
    )
}

/// A URL without the name and password of a user.
fn without_user(url: &str) -> String {
    match Url::parse(url) {
        Ok(mut url) if url.password().is_some() => {
            // Fails only for URLs that cannot have them.
            let _ = url.set_password(None);
            let _ = url.set_username("");
            url.to_string()
        }
        _ => url.to_owned(),
    }
}

/// A listing of a directory with the sizes of its files.
fn directory(service: &mut dyn Service, place: Place<'_>, at: &At<'_>, value: &Value) -> Page {
    let forge = place.forge;
    let entries = if value.is_array() {
        value.list("")
    } else {
        value.list("entries")
    };
    let (revision, path) = (at.revision.join("/"), at.path.join("/"));
    let what = if path.is_empty() {
        "the top directory".to_owned()
    } else {
        code(&path)
    };
    let mut page = Page::default();
    let mut lines: Vec<String> = entries.iter().map(entry_line).collect();
    // <https://docs.github.com/en/rest/repos/contents>: a listing has at most 1000 entries.
    let mut truncated = entries.len() >= limits::CONTENT_ENTRIES;
    if truncated
        && let Some(sha) = value
            .line("sha")
            .filter(|sha| sha.chars().all(|c| c.is_ascii_hexdigit()))
    {
        let url = forge.api(&format!("/git/trees/{sha}"));
        match forge::object(service, &url) {
            Ok(tree) if tree.list("tree").len() >= entries.len() => {
                lines = tree.list("tree").iter().map(tree_line).collect();
                truncated = tree.is("truncated");
            }
            Ok(_) => {}
            Err(fault) => page
                .notes
                .push(format!("the whole listing is left out: {fault}")),
        }
        if truncated {
            page.notes.push(format!(
                "the service sends only a part of this directory: `{url}` shows the rest if it can"
            ));
        }
    } else if truncated {
        page.notes.push(
            "the service sends at most 1000 entries: clone the repository for the others"
                .to_owned(),
        );
    }
    let total = count(lines.len() as u64, "entry").replace("entrys", "entries");
    page.markdown = format!(
        "# {what} of {} at {}: {total}\n\n",
        forge.name(),
        code(&revision)
    );
    page.markdown.extend(lines);
    let slash = if path.is_empty() { "" } else { "/" };
    let base = format!(
        "{}{slash}{}",
        encoded_path(at.revision),
        encoded_path(at.path)
    );
    page.notes.push(format!(
        "read a file with `{}/NAME`",
        forge.page(&format!("/blob/{base}"))
    ));
    page
}

/// One entry of a directory.
pub(super) fn entry_line(entry: &Value) -> String {
    let name = code(&forge::or(entry, "name", "?"));
    match entry.line("type").as_deref() {
        Some("dir") => format!(
            "- {}\n",
            code(&format!("{}/", forge::or(entry, "name", "?")))
        ),
        Some("symlink") => {
            let target = entry
                .line("target")
                .map_or_else(String::new, |target| format!(" to {}", code(&target)));
            format!("- {name}, symbolic link{target}\n")
        }
        Some("submodule") => format!("- {name}, submodule\n"),
        _ => {
            // Without the media type of objects, a submodule is a file without a URL of its content.
            let is_module = entry.at("git_url").is_some() && entry.at("download_url").is_none();
            let bytes = entry.number("size").filter(|_| !is_module);
            let bytes = bytes.map_or_else(String::new, |bytes| format!(", {}", size(bytes)));
            let kind = if is_module { ", submodule" } else { "" };
            format!("- {name}{bytes}{kind}\n")
        }
    }
}

/// One entry of a tree of Git.
fn tree_line(entry: &Value) -> String {
    let path = forge::or(entry, "path", "?");
    match entry.line("type").as_deref() {
        Some("tree") => format!("- {}\n", code(&format!("{path}/"))),
        Some("commit") => format!("- {}, submodule\n", code(&path)),
        _ => {
            let link = if entry.line("mode").as_deref() == Some("120000") {
                ", symbolic link"
            } else {
                ""
            };
            let bytes = entry
                .number("size")
                .map_or_else(String::new, |bytes| format!(", {}", size(bytes)));
            format!("- {}{bytes}{link}\n", code(&path))
        }
    }
}

/// A pointer of Git LFS
/// (<https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>).
#[derive(Debug, PartialEq, Eq)]
struct Pointer {
    oid: String,
    bytes: u64,
}

impl Pointer {
    fn parse(start: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(start).ok()?;
        let rest = text.strip_prefix("version https://git-lfs.github.com/spec/v1\n")?;
        let field = |key: &str| rest.lines().find_map(|line| line.strip_prefix(key));
        let oid = field("oid sha256:")?;
        let bytes = field("size ")?.parse().ok()?;
        let is_hash = oid.len() == 64 && oid.chars().all(|c| c.is_ascii_hexdigit());
        is_hash.then(|| Self {
            oid: oid.to_owned(),
            bytes,
        })
    }

    fn described(&self) -> String {
        format!("{} with the SHA-256 {}", size(self.bytes), self.oid)
    }
}

/// Decodes base64. Other characters, such as line breaks, are skipped.
fn base64(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut value, mut bits) = (0_u32, 0_u32);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte.saturating_sub(b'A'),
            b'a'..=b'z' => byte.saturating_sub(b'a').saturating_add(26),
            b'0'..=b'9' => byte.saturating_sub(b'0').saturating_add(52),
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            _ => continue,
        };
        value = (value << 6 | u32::from(digit)) & 0xff_ffff;
        bits = bits.saturating_add(6);
        if bits >= 8 {
            bits = bits.saturating_sub(8);
            out.push(u8::try_from(value.checked_shr(bits).unwrap_or(0) & 0xff).unwrap_or(0));
        }
    }
    out
}
