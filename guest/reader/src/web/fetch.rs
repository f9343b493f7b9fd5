//! The response for an address: a copy of the session, a body, or a file that is read by ranges.

use super::address::{Address, is_in_parts};
use super::body::{ACCEPTED, Body};
use super::copy::{self, Copy, Mode};
use super::exchange::{Budget, Exchange, Unanswered, get};
use super::head::{Head, content_range, name_of};
use super::ranges::Ranges;
use crate::encoding;
use crate::limits;
use crate::path::{Lines, Part, View, ends_in};
use crate::sniff::{Container, Document, Hints};
use crate::world::{Bytes, Http, HttpResponse, Source, World};
use std::rc::Rc;
use url::Url;

/// Extensions of texts whose last lines are read by ranges.
const LOGS: &[&str] = &["csv", "err", "jsonl", "log", "ndjson", "out", "tsv", "txt"];

/// What a read wants of an address.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// The way in which the address is requested.
    pub mode: Mode,
    /// Whether a copy of the session is used without a request.
    pub copy: bool,
    /// Whether a copy of the session must not be used.
    pub fresh: bool,
    /// Whether parts of the content are expected to be enough.
    pub parts: bool,
}

impl Wish {
    /// What a read of an address wants. `is_later` is true if arguments request lines after the first
    /// page.
    pub fn of(address: &Address, is_later: bool) -> Self {
        let selector = address.selector();
        let plain = address.has_member
            || selector
                .as_ref()
                .is_some_and(|it| it.raw || it.part == Part::Converted(View::Full));
        let lines = selector.as_ref().map_or(&Lines::All, |it| &it.lines);
        let units = selector
            .as_ref()
            .is_some_and(|it| matches!(it.part, Part::Units(_) | Part::Figure(_)));
        let name = name_of(&address.url);
        Self {
            mode: if plain { Mode::Plain } else { Mode::Page },
            copy: is_later || address.has_member || units || is_after_first_page(lines),
            fresh: address.fresh,
            parts: is_in_parts(&name)
                || (matches!(lines, Lines::Tail { .. }) && ends_in(&name, LOGS)),
        }
    }
}

/// Whether a selector requests lines that a page before may have shown.
fn is_after_first_page(lines: &Lines) -> bool {
    !matches!(lines, Lines::All)
}

/// A response whose content can be read.
pub struct Fetched {
    /// The URL of the response, after redirects.
    pub url: Url,
    /// The URLs that were redirected, in order.
    pub redirects: Vec<String>,
    /// The fragment that a redirect added.
    pub fragment: Option<String>,
    /// The headers.
    pub head: Head,
    /// The content.
    pub content: Content,
    /// The age in seconds of a copy.
    pub age: Option<u64>,
    /// Whether the session has a copy of the content.
    pub is_kept: bool,
    /// Notes on the content.
    pub notes: Vec<String>,
}

/// The content of a response.
pub enum Content {
    /// All of it.
    Whole(Vec<u8>),
    /// A body that was read in part.
    Body(Box<Body>),
    /// A file that is read by ranges.
    Ranges(Box<Ranges>),
}

impl Content {
    /// The number of bytes, if it is known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Whole(bytes) => Some(bytes.len() as u64),
            Self::Body(body) => body.size(),
            Self::Ranges(ranges) => Some(ranges.size()),
        }
    }

    /// The content as a source.
    pub fn source(self) -> Box<dyn Source> {
        match self {
            Self::Whole(bytes) => Box::new(Bytes::new(bytes)),
            Self::Body(body) => body,
            Self::Ranges(ranges) => ranges,
        }
    }

    /// Whether the content needs no more requests.
    pub fn has_arrived(&self) -> bool {
        !matches!(self, Self::Ranges(_))
    }

    /// Whether the content is an archive, a database or a PDF document.
    pub fn has_members(&self) -> bool {
        has_members(self.start())
    }

    /// The first bytes that have arrived.
    pub fn start(&self) -> &[u8] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Body(body) => body.bytes(),
            Self::Ranges(ranges) => ranges.first(),
        }
    }

    /// Whether the content is a web page. `name` is the name of the file.
    pub fn is_html(&self, name: &str, head: &Head) -> bool {
        let bytes = self.start();
        let start = bytes.get(..limits::MARKUP_HEAD_BYTES).unwrap_or(bytes);
        let mime = head.mime();
        let hints = Hints {
            name,
            mime: mime.as_deref(),
            charset: None,
        };
        let text = encoding::Encoding::UTF8.decoded(start, false);
        let text = String::from_utf8_lossy(&text).replace('\0', "");
        Document::of_markup(&text, hints) == Some(Document::Html)
    }
}

/// Whether the content that starts with these bytes is an archive, a database or a PDF document.
fn has_members(start: &[u8]) -> bool {
    Container::of(start).is_some() || start.starts_with(b"%PDF-")
}

/// Fetches a URL.
///
/// # Errors
/// Fails if no response arrives.
pub fn fetch(
    http: &Rc<dyn Http>,
    url: &Url,
    wish: Wish,
    budget: &mut Budget,
    world: &mut dyn World,
) -> Result<Fetched, Unanswered> {
    let copy = if wish.fresh {
        None
    } else {
        copy::find(wish.mode, url, world).or_else(|| of_other_mode(url, wish, world))
    };
    let copy = match copy {
        Some(copy) if wish.copy => {
            let age = world.now().seconds.saturating_sub(copy.time);
            return Ok(of_copy(copy, Some(age)));
        }
        copy => copy,
    };
    let condition = copy
        .as_ref()
        .and_then(|copy| copy.head.validator.condition());
    let first_range = format!("bytes=0-{}", limits::FIRST_RANGE_BYTES.saturating_sub(1));
    let mut headers = vec![("accept", wish.mode.accept())];
    if wish.parts && copy.is_none() {
        headers.push(("range", first_range.as_str()));
        headers.push(("accept-encoding", "identity"));
    } else {
        headers.push(("accept-encoding", ACCEPTED));
        headers.extend(condition);
    }
    let exchange = get(&**http, url, &headers, budget)?;
    match exchange.response.status {
        // The answer is on the copy only if it is of the same address.
        304 if let Some(mut copy) = copy.filter(|copy| copy.url == exchange.url) => {
            copy.time = world.now().seconds;
            copy::store(wish.mode, url, copy.parts(), world);
            return Ok(of_copy(copy, None));
        }
        // Another request follows if the part cannot be trusted.
        206 => {
            if let Ok(fetched) = of_part(http, exchange, wish.mode) {
                return Ok(keep(fetched, wish.mode, url, world));
            }
        }
        // The server refuses the range, for example because the file is empty.
        416 if wish.parts => {}
        304 => {}
        _ => {
            let fetched = of_body(http, exchange, wish.mode)?;
            return Ok(keep(fetched, wish.mode, url, world));
        }
    }
    let headers = [
        ("accept", wish.mode.accept()),
        ("accept-encoding", ACCEPTED),
    ];
    let fetched = of_body(http, get(&**http, url, &headers, budget)?, wish.mode)?;
    Ok(keep(fetched, wish.mode, url, world))
}

/// Fetches a URL that belongs to a page: another form of the page, or what it links to. `None` if there
/// is no such content, or if the read may not send more requests.
pub fn fetch_beside(
    url: &Url,
    later: bool,
    fresh: bool,
    budget: &mut Budget,
    world: &mut dyn World,
) -> Option<Result<Fetched, Unanswered>> {
    let http = world.http()?;
    if budget.requests == 0 {
        return None;
    }
    let wish = Wish {
        mode: Mode::Page,
        copy: later,
        fresh,
        parts: false,
    };
    Some(fetch(&http, url, wish, budget, world))
}

/// The copy of a page that is an archive, a database or a PDF document, for a read of a part of it. Such
/// files have no other form that a server could send for another `Accept`.
fn of_other_mode(url: &Url, wish: Wish, world: &mut dyn World) -> Option<Copy> {
    if wish.mode != Mode::Plain || !wish.copy {
        return None;
    }
    copy::find(Mode::Page, url, world).filter(|copy| has_members(&copy.body))
}

fn of_copy(copy: Copy, age: Option<u64>) -> Fetched {
    Fetched {
        url: copy.url,
        redirects: copy.redirects,
        fragment: copy.fragment,
        head: copy.head,
        content: Content::Whole(copy.body),
        age,
        is_kept: true,
        notes: Vec::new(),
    }
}

/// Stores the content in the session if all of it was read. Any older copy is forgotten.
fn keep(mut fetched: Fetched, mode: Mode, requested: &Url, world: &mut dyn World) -> Fetched {
    if matches!(mode, Mode::Api(_)) && !(200..300).contains(&fetched.head.status) {
        // The last answer of a service is of use while it refuses requests.
        return fetched;
    }
    let lasts = !matches!(fetched.head.status, 304 | 408 | 425 | 429 | 500..);
    match &fetched.content {
        // The notes are on damage.
        Content::Whole(body) if lasts && fetched.notes.is_empty() => {
            let copy = copy::Parts {
                url: &fetched.url,
                redirects: &fetched.redirects,
                fragment: fetched.fragment.as_deref(),
                head: &fetched.head,
                body,
                time: world.now().seconds,
            };
            copy::store(mode, requested, copy, world);
            fetched.is_kept = true;
        }
        Content::Whole(_) | Content::Body(_) | Content::Ranges(_) => {
            copy::forget(mode, requested, &fetched.url, world);
        }
    }
    fetched
}

/// The content of a response with the first part of a file. Fails if the part cannot be trusted.
fn of_part(http: &Rc<dyn Http>, exchange: Exchange, mode: Mode) -> Result<Fetched, ()> {
    let mut head = Head::of(&exchange.response);
    let Some((0, last, size)) = content_range(&exchange.response) else {
        return Err(());
    };
    let length = last.saturating_add(1);
    if !head.encodings.is_empty() || (length < size && head.validator.is_empty()) {
        return Err(());
    }
    let mut body = Body::new(exchange.response.body, &Head::default());
    body.fill(length);
    if (body.bytes().len() as u64) < length {
        return Err(());
    }
    let mut bytes = body.into_bytes();
    bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX));
    head.status = 200;
    head.length = Some(size);
    let content = if length == size {
        Content::Whole(bytes)
    } else {
        let url = exchange.url.clone();
        let http = Rc::clone(http);
        let mut ranges = Ranges::new(http, url, mode.accept(), &head, bytes);
        // All of a small file is read, so that the session has a copy for the next member.
        let small = size <= limits::SMALL_REMOTE_BYTES;
        match small.then(|| ranges.completed()).flatten() {
            Some(whole) => Content::Whole(whole),
            None => Content::Ranges(Box::new(ranges)),
        }
    };
    Ok(Fetched {
        url: exchange.url,
        redirects: exchange.redirects,
        fragment: exchange.fragment,
        head,
        content,
        age: None,
        is_kept: false,
        notes: Vec::new(),
    })
}

/// The content of a response that was not requested as a part.
fn of_body(http: &Rc<dyn Http>, exchange: Exchange, mode: Mode) -> Result<Fetched, Unanswered> {
    let head = Head::of(&exchange.response);
    let Exchange {
        url,
        fragment,
        redirects,
        response: HttpResponse { body, .. },
    } = exchange;
    let has_ranges = head.ranges && head.encodings.is_empty() && !head.validator.is_empty();
    // The rest of a large file is read by ranges.
    let first = match head.length {
        Some(size) if has_ranges && size > limits::WHOLE_BYTES => limits::FIRST_RANGE_BYTES,
        _ => limits::WHOLE_BYTES.saturating_add(1),
    };
    let mut body = Body::new(body, &head);
    body.fill(first);
    let mut notes = Vec::new();
    if head.status == 206 {
        notes.push("the server sent only a part of the file".to_owned());
    }
    let content = if body.complete() {
        Content::Whole(body.into_bytes())
    } else if let Some(damage) = body.damage() {
        if body.bytes().is_empty()
            && let Some(failure) = body.failure()
        {
            return Err(Unanswered {
                redirects,
                url: url.into(),
                failure,
            });
        }
        notes.push(format!("the body is incomplete: {damage}"));
        Content::Whole(body.into_bytes())
    } else {
        match head.length {
            Some(_) if has_ranges => {
                let first = body.into_bytes();
                let ranges = Ranges::new(Rc::clone(http), url.clone(), mode.accept(), &head, first);
                Content::Ranges(Box::new(ranges))
            }
            _ => Content::Body(Box::new(body)),
        }
    };
    Ok(Fetched {
        url,
        redirects,
        fragment,
        head,
        content,
        age: None,
        is_kept: false,
        notes,
    })
}
