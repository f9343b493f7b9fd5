//! docs.rs: files of source, without the line numbers and lists of the pages that show them.
//!
//! The other pages, such as those of types and modules, are complete in their HTML, so they are read as any other
//! page. The pages of files are those of <https://github.com/rust-lang/docs.rs/tree/main/templates/crate>
//! (`source.html`) and of rustdoc (<https://doc.rust-lang.org/rustdoc/>): the file is in an element `pre`.

use crate::address::{is_at, parts, segments};
use crate::code::fenced;
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::html::{elements, plain};
use crate::limits;
use crate::service::{Fault, Service};
use crate::text::line;
use crate::writer::Writer;
use url::Url;

/// Files of source.
pub struct DocsRs;

impl Handler for DocsRs {
    fn name(&self) -> &'static str {
        "docs.rs"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        if !is_at(url, &["docs.rs", "www.docs.rs"]) || url.path().ends_with('/') {
            return None;
        }
        file(url)?;
        Some(source(url, service))
    }
}

/// The file at a URL: its package and its path.
fn file(url: &Url) -> Option<(String, String)> {
    let segments = segments(url);
    match parts(&segments).as_slice() {
        ["crate", name, version, "source", path @ ..] if !path.is_empty() => {
            Some((format!("{name} {version}"), path.join("/")))
        }
        [name, version, "src", path @ .., last] if last.ends_with(".rs.html") => {
            let path = [path, &[last.trim_end_matches(".html")]].concat();
            Some((format!("{name} {version}"), path.join("/")))
        }
        _ => None,
    }
}

/// The page of a file, or some of its lines.
fn source(url: &Url, service: &mut dyn Service) -> Result<Found, Fault> {
    let mut address = url.clone();
    address.set_fragment(None);
    let reply = fetch::html(service, address.as_str())?;
    let text = reply.text();
    let Some(content) = content(&text) else {
        return Err(Fault::Wrong("a page without a file".to_owned()));
    };
    // `latest` is a redirect to a version.
    let last = Url::parse(&reply.url).ok();
    let found = last.as_ref().and_then(file).or_else(|| file(url));
    let (package, path) = found.unwrap_or_default();
    let mut page = Writer::new(&format!("{package}: {path}"));
    let language = match path.rsplit_once('.') {
        Some((_, "rs")) => "rust",
        Some((_, end)) if end.len() <= 8 && end.chars().all(|c| c.is_ascii_alphanumeric()) => end,
        _ => "",
    };
    let shown = match url.fragment().and_then(range) {
        Some((first, last)) => {
            let count = last.saturating_sub(first).saturating_add(1);
            let lines = content.lines().skip(first.saturating_sub(1)).take(count);
            let lines = lines.collect::<Vec<_>>().join("\n");
            if lines.is_empty() {
                page.note(format!(
                    "There is no line {first}: the whole file is shown."
                ));
                content
            } else {
                page.note(format!(
                    "Only the lines {first} to {last} are shown. The URL without them is the file."
                ));
                lines
            }
        }
        None => content,
    };
    page.block(&fenced(&shown, &line(language, 8)));
    Ok(page.page())
}

/// The text of the file: the longest element `pre` that has more than line numbers.
fn content(html: &str) -> Option<String> {
    let mut longest: Option<String> = None;
    for (_, element) in elements(html, "pre").into_iter().take(limits::LIST_ITEMS) {
        let text = plain(&without_numbers(element));
        let is_numbers = text
            .chars()
            .all(|c| c.is_ascii_digit() || c.is_whitespace());
        if !is_numbers && longest.as_ref().is_none_or(|it| it.len() < text.len()) {
            longest = Some(text);
        }
    }
    longest
}

/// The element without the line numbers of rustdoc: links that are marked as not part of the text.
fn without_numbers(element: &str) -> String {
    let mut out = String::with_capacity(element.len());
    let mut parts = element.split("<a ");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let number = part
            .split_once('>')
            .filter(|(attributes, _)| attributes.contains("data-nosnippet"));
        match number.and_then(|(_, after)| after.split_once("</a>")) {
            Some((_, after)) => out.push_str(after),
            None => {
                out.push_str("<a ");
                out.push_str(part);
            }
        }
    }
    out
}

/// The lines of a fragment: `10`, `10-20`, `L10-L20`.
fn range(fragment: &str) -> Option<(usize, usize)> {
    let number = |text: &str| {
        text.trim_start_matches('L')
            .parse::<usize>()
            .ok()
            .filter(|it| *it > 0)
    };
    match fragment.split_once('-') {
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some((first, last))
        }
        None => number(fragment).map(|it| (it, it)),
    }
}
