//! Copies of responses that the session keeps, so that the pages of a text are of one version.

use super::head::{Head, Validator};
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
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

impl Copy {
    /// The parts of the copy that are stored.
    pub fn parts(&self) -> Parts<'_> {
        Parts {
            url: &self.url,
            redirects: &self.redirects,
            fragment: self.fragment.as_deref(),
            head: &self.head,
            body: &self.body,
            time: self.time,
        }
    }
}

/// The parts of a response of which a copy is stored.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'r> {
    /// The URL of the response, after redirects.
    pub url: &'r Url,
    /// The URLs that were redirected, in order.
    pub redirects: &'r [String],
    /// The fragment that a redirect added.
    pub fragment: Option<&'r str>,
    /// The headers.
    pub head: &'r Head,
    /// The decoded body.
    pub body: &'r [u8],
    /// The time at which it was read, in seconds since 1970.
    pub time: u64,
}

/// A copy as the session stores it, before the body.
#[derive(Deserialize, Serialize)]
struct Stored<'r> {
    url: Cow<'r, str>,
    status: u16,
    content_type: Option<Cow<'r, str>>,
    file_name: Option<Cow<'r, str>>,
    retry_after: Option<Cow<'r, str>>,
    markdown_tokens: Option<u64>,
    content_signal: Option<Cow<'r, str>>,
    #[serde(default)]
    has_next: bool,
    etag: Option<Cow<'r, str>>,
    modified: Option<Cow<'r, str>>,
    time: u64,
}

/// The key of the copy of a URL.
fn key(mode: Mode, url: &str) -> String {
    ["web ", mode.name(), " ", url].concat()
}

/// The key of the final URL of a URL that was redirected.
fn alias(mode: Mode, url: &str) -> String {
    ["web-redirect ", mode.name(), " ", url].concat()
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
pub fn store(mode: Mode, requested: &Url, copy: Parts<'_>, world: &mut dyn World) {
    let own = forget(mode, requested, copy.url, world);
    let Some(stored) = encode(copy) else {
        return;
    };
    world.cache(&own, &stored);
    if requested != copy.url {
        let way = Way {
            url: copy.url.to_string(),
            redirects: copy.redirects.to_vec(),
            fragment: copy.fragment.map(str::to_owned),
        };
        let way = serde_json::to_vec(&way).unwrap_or_default();
        world.cache(&alias(mode, requested.as_str()), &way);
    }
}

/// Forgets the copies of a requested URL and of the URL of its response. An empty entry is no copy. Returns the key of
/// the copy of the URL of the response.
pub fn forget(mode: Mode, requested: &Url, url: &Url, world: &mut dyn World) -> String {
    let mut forget = |entry: &str| {
        if world.cached(entry).is_some_and(|value| !value.is_empty()) {
            world.cache(entry, &[]);
        }
    };
    let own = key(mode, url.as_str());
    if requested != url {
        forget(&key(mode, requested.as_str()));
    }
    forget(&alias(mode, requested.as_str()));
    forget(&own);
    own
}

fn encode(copy: Parts<'_>) -> Option<Vec<u8>> {
    let head = copy.head;
    let stored = Stored {
        url: copy.url.as_str().into(),
        status: head.status,
        content_type: head.content_type.as_deref().map(Cow::Borrowed),
        file_name: head.file_name.as_deref().map(Cow::Borrowed),
        retry_after: head.retry_after.as_deref().map(Cow::Borrowed),
        markdown_tokens: head.markdown_tokens,
        content_signal: head.content_signal.as_deref().map(Cow::Borrowed),
        has_next: head.has_next,
        etag: head.validator.etag.as_deref().map(Cow::Borrowed),
        modified: head.validator.modified.as_deref().map(Cow::Borrowed),
        time: copy.time,
    };
    let mut out = Vec::with_capacity(copy.body.len().saturating_add(STORED_BYTES));
    serde_json::to_writer(&mut out, &stored).ok()?;
    out.push(b'\n');
    out.extend_from_slice(copy.body);
    Some(out)
}

/// The number of bytes for which a copy has room before its body, so that it is not copied while it grows.
const STORED_BYTES: usize = 512;

fn decode(stored: &[u8]) -> Option<Copy> {
    let end = memchr::memchr(b'\n', stored)?;
    let (head, body) = stored.split_at_checked(end)?;
    let stored: Stored<'_> = serde_json::from_slice(head).ok()?;
    Some(Copy {
        url: Url::parse(&stored.url).ok()?,
        redirects: Vec::new(),
        fragment: None,
        head: Head {
            status: stored.status,
            content_type: stored.content_type.map(Cow::into_owned),
            file_name: stored.file_name.map(Cow::into_owned),
            retry_after: stored.retry_after.map(Cow::into_owned),
            markdown_tokens: stored.markdown_tokens,
            content_signal: stored.content_signal.map(Cow::into_owned),
            has_next: stored.has_next,
            validator: Validator {
                etag: stored.etag.map(Cow::into_owned),
                modified: stored.modified.map(Cow::into_owned),
                ..Validator::default()
            },
            ..Head::default()
        },
        body: body.get(1..)?.to_vec(),
        time: stored.time,
    })
}
