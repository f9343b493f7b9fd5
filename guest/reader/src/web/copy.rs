//! Copies of responses that the session keeps, so that the pages of a text are of one version.

use super::head::{Head, Validator};
use crate::world::World;
use serde::{Deserialize, Serialize};
use url::Url;

/// The way in which an address is requested. Servers may send other content for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As a page to be read: Markdown is preferred.
    Page,
    /// As it is: the exact body, a file with members, or the whole page.
    Plain,
    /// From the API of a service, in the form that this value of `Accept` requests.
    Api(&'static str),
}

impl Mode {
    /// The value of `Accept`.
    pub fn accept(self) -> &'static str {
        match self {
            Self::Page => "text/markdown, text/html;q=0.9, */*;q=0.5",
            Self::Plain => "*/*",
            Self::Api(accept) => accept,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Plain => "plain",
            Self::Api(accept) => accept,
        }
    }
}

/// A response with its whole body.
#[derive(Clone, Debug)]
pub struct Copy {
    /// The URL of the response, after redirects.
    pub url: Url,
    /// The URLs that were redirected, in order.
    pub redirects: Vec<String>,
    /// The fragment that a redirect added.
    pub fragment: Option<String>,
    /// The headers.
    pub head: Head,
    /// The decoded body.
    pub body: Vec<u8>,
    /// The time at which it was read, in seconds since 1970.
    pub time: u64,
}

/// A copy as the session stores it, before the body.
#[derive(Deserialize, Serialize)]
struct Stored {
    url: String,
    status: u16,
    content_type: Option<String>,
    file_name: Option<String>,
    retry_after: Option<String>,
    markdown_tokens: Option<u64>,
    content_signal: Option<String>,
    #[serde(default)]
    has_next: bool,
    etag: Option<String>,
    modified: Option<String>,
    time: u64,
}

/// The key of the copy of a URL.
fn key(mode: Mode, url: &str) -> String {
    format!("web {} {url}", mode.name())
}

/// The key of the final URL of a URL that was redirected.
fn alias(mode: Mode, url: &str) -> String {
    format!("web-redirect {} {url}", mode.name())
}

/// The way from a URL that was redirected to that of its copy.
#[derive(Deserialize, Serialize)]
struct Way {
    url: String,
    redirects: Vec<String>,
    fragment: Option<String>,
}

/// Finds the copy of a URL. The URL may be the requested one or that of the response.
pub fn find(mode: Mode, url: &Url, world: &mut dyn World) -> Option<Copy> {
    if let Some(copy) = world.cached(&key(mode, url.as_str()))
        && let Some(copy) = decode(&copy)
    {
        return Some(copy);
    }
    let way = world.cached(&alias(mode, url.as_str()))?;
    let way: Way = serde_json::from_slice(&way).ok()?;
    let copy = decode(&world.cached(&key(mode, &way.url))?)?;
    Some(Copy {
        redirects: way.redirects,
        fragment: way.fragment,
        ..copy
    })
}

/// Stores a copy. `requested` is the requested URL.
pub fn store(mode: Mode, requested: &Url, copy: &Copy, world: &mut dyn World) {
    forget(mode, requested, &copy.url, world);
    let Some(stored) = encode(copy) else {
        return;
    };
    world.cache(&key(mode, copy.url.as_str()), &stored);
    if *requested != copy.url {
        let way = Way {
            url: copy.url.to_string(),
            redirects: copy.redirects.clone(),
            fragment: copy.fragment.clone(),
        };
        let way = serde_json::to_vec(&way).unwrap_or_default();
        world.cache(&alias(mode, requested.as_str()), &way);
    }
}

/// Forgets the copies of a requested URL and of the URL of its response. An empty entry is no copy.
pub fn forget(mode: Mode, requested: &Url, url: &Url, world: &mut dyn World) {
    let redirected = (requested != url).then(|| key(mode, url.as_str()));
    let entries = [
        key(mode, requested.as_str()),
        alias(mode, requested.as_str()),
    ];
    for entry in entries.into_iter().chain(redirected) {
        if world.cached(&entry).is_some_and(|value| !value.is_empty()) {
            world.cache(&entry, &[]);
        }
    }
}

fn encode(copy: &Copy) -> Option<Vec<u8>> {
    let head = &copy.head;
    let stored = Stored {
        url: copy.url.to_string(),
        status: head.status,
        content_type: head.content_type.clone(),
        file_name: head.file_name.clone(),
        retry_after: head.retry_after.clone(),
        markdown_tokens: head.markdown_tokens,
        content_signal: head.content_signal.clone(),
        has_next: head.has_next,
        etag: head.validator.etag.clone(),
        modified: head.validator.modified.clone(),
        time: copy.time,
    };
    let mut out = serde_json::to_vec(&stored).ok()?;
    out.push(b'\n');
    out.extend_from_slice(&copy.body);
    Some(out)
}

fn decode(stored: &[u8]) -> Option<Copy> {
    let end = memchr::memchr(b'\n', stored)?;
    let (head, body) = stored.split_at_checked(end)?;
    let stored: Stored = serde_json::from_slice(head).ok()?;
    Some(Copy {
        url: Url::parse(&stored.url).ok()?,
        redirects: Vec::new(),
        fragment: None,
        head: Head {
            status: stored.status,
            content_type: stored.content_type,
            file_name: stored.file_name,
            retry_after: stored.retry_after,
            markdown_tokens: stored.markdown_tokens,
            content_signal: stored.content_signal,
            has_next: stored.has_next,
            validator: Validator {
                etag: stored.etag,
                modified: stored.modified,
                ..Validator::default()
            },
            ..Head::default()
        },
        body: body.get(1..)?.to_vec(),
        time: stored.time,
    })
}
