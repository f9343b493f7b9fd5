//! Ranges of a body, and the validators with which a client knows its version.

use super::{Page, Request};

/// The range of a body that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// No range: the whole body.
    Whole,
    /// The bytes from the first offset to the one before the second.
    Part(u64, u64),
    /// A range that the body does not have.
    Unsatisfiable,
}

/// The range of a page that a request asks for. `length` is the number of bytes of the page.
pub fn asked(request: &Request, page: &Page, length: u64) -> Asked {
    let Some(range) = request.header("range") else {
        return Asked::Whole;
    };
    // The client has a part of another version.
    if let Some(validator) = request.header("if-range")
        && !validators(page).any(|own| own == validator && !own.starts_with("W/"))
    {
        return Asked::Whole;
    }
    match range
        .strip_prefix("bytes=")
        .and_then(|range| bounds(range, length))
    {
        Some((start, end)) if start < end => Asked::Part(start, end),
        Some(_) => Asked::Unsatisfiable,
        None => Asked::Whole,
    }
}

/// The start and the end of a single range. `None` if it is not one.
fn bounds(range: &str, length: u64) -> Option<(u64, u64)> {
    let (first, last) = range.split_once('-')?;
    if first.is_empty() {
        let suffix: u64 = last.parse().ok()?;
        return Some((length.saturating_sub(suffix), length));
    }
    let start: u64 = first.parse().ok()?;
    let end = match last {
        "" => length,
        last => last.parse::<u64>().ok()?.saturating_add(1).min(length),
    };
    Some((start, end))
}

/// Whether the client has the current version of a page.
pub fn is_current(request: &Request, page: &Page) -> bool {
    let weak = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    if let Some(tags) = request.header("if-none-match") {
        let own = page.find_header("etag").map(weak);
        return tags == "*" || tags.split(',').any(|tag| Some(weak(tag)) == own);
    }
    let date = request.header("if-modified-since");
    date.is_some() && date == page.find_header("last-modified")
}

fn validators(page: &Page) -> impl Iterator<Item = &str> {
    let names = ["etag", "last-modified"].into_iter();
    names.filter_map(|name| page.find_header(name))
}

impl Page {
    /// The value of a header. `name` is in lower case.
    fn find_header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let (_, value) = headers.find(|(found, _)| found.eq_ignore_ascii_case(name))?;
        Some(value)
    }
}
