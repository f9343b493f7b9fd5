//! The replies are written by hand after the documentation of the REST API of GitHub; each names its page. Each has
//! a field that is unknown, one that is null, and lacks some of those that are documented.

mod diffs;
mod faults;
mod files;
mod lists;
mod mutations;
mod pages;
mod replies;
mod schemes;
mod threads;

use super::GitHub;
use crate::canned::Canned;
use crate::handler::{Found, Handler, Page};
use crate::service::{Fault, Reply};
use serde_json::Value;
use url::Url;

const API: &str = "https://api.github.com/repos/octocat/Hello-World";
const SITE: &str = "https://github.com/octocat/Hello-World";

/// A service with replies at paths of the repository in the API.
fn service(replies: &[(&str, Value)]) -> Canned {
    replies
        .iter()
        .fold(Canned::default(), |canned, (path, value)| {
            canned.json(&format!("{API}{path}"), value)
        })
}

/// A reply in JSON after which there is another page.
fn with_next(value: &Value) -> Reply {
    Reply {
        mime: Some("application/json".to_owned()),
        has_next: true,
        body: value.to_string().into_bytes(),
        ..Reply::default()
    }
}

/// What the handler finds at a URL.
fn read(url: &str, canned: &mut Canned) -> Option<Result<Found, Fault>> {
    GitHub::default().read(&Url::parse(url).unwrap(), canned)
}

fn page(url: &str, canned: &mut Canned) -> Page {
    match read(url, canned) {
        Some(Ok(Found::Page(page))) => page,
        other => panic!("{url}: {other:?}"),
    }
}

/// The URL, `Accept` and notes of a file.
fn file(url: &str, canned: &mut Canned) -> (String, &'static str, Vec<String>) {
    match read(url, canned) {
        Some(Ok(Found::File { url, accept, notes })) => (url.to_string(), accept, notes),
        other => panic!("{url}: {other:?}"),
    }
}

fn fault(url: &str, canned: &mut Canned) -> Fault {
    match read(url, canned) {
        Some(Err(fault)) => fault,
        other => panic!("{url}: {other:?}"),
    }
}

/// Fails if a text lacks one of the parts.
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}
