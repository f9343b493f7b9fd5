//! A file on a server that is read by ranges.
//!
//! A part is requested when it is read. Every response must be of the version of the file that the
//! first one was of, so that parts of two versions are never mixed.

use super::body::Body;
use super::head::{Head, Validator, content_range};
use crate::limits;
use crate::world::{FileError, Http, HttpRequest, HttpResponse, Info, Source};
use std::collections::BTreeMap;
use std::rc::Rc;
use url::Url;

/// Why a range was not read.
enum Failed {
    /// The server does not send the requested range, or does not state its version. All of the file may
    /// still be read. Contains the reason.
    Range(String),
    /// The body has fewer bytes than the range. Contains the bytes.
    Short(Vec<u8>),
    /// Nothing can be read any more. Contains the reason.
    Lost(String),
}

impl From<Failed> for FileError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Range(why) | Failed::Lost(why) => Self::Other(why),
            Failed::Short(_) => {
                Self::Other("the server sent fewer bytes than the requested range has".to_owned())
            }
        }
    }
}

/// A file on a server.
pub struct Ranges {
    http: Rc<dyn Http>,
    url: Url,
    /// The value of `Accept`, so that the server sends the same form of the file.
    accept: &'static str,
    size: u64,
    validator: Validator,
    /// The parts that were read, by their offsets. They do not overlap.
    parts: BTreeMap<u64, Vec<u8>>,
    /// The number of bytes in `parts`.
    held: usize,
    /// The number of requests that were sent.
    requests: u32,
    /// The end of the part that was requested last, and its length.
    last: (u64, u64),
    /// A range that the reader will read as a whole.
    expected: Option<(u64, u64)>,
}

impl Ranges {
    /// The file at a URL. `head` is that of the response with all of it,
    /// and `first` are its first bytes.
    pub fn new(
        http: Rc<dyn Http>,
        url: Url,
        accept: &'static str,
        head: &Head,
        first: Vec<u8>,
    ) -> Self {
        let size = head.length.unwrap_or(first.len() as u64);
        let last = (first.len() as u64, first.len() as u64);
        Self {
            http,
            url,
            accept,
            size,
            validator: head.validator.clone(),
            held: first.len(),
            parts: BTreeMap::from([(0, first)]),
            requests: 0,
            last,
            expected: None,
        }
    }

    /// The bytes from `offset` to the end of the part that contains it.
    fn known(&self, offset: u64) -> Option<&[u8]> {
        let (start, part) = self.parts.range(..=offset).next_back()?;
        let skipped = usize::try_from(offset.checked_sub(*start)?).ok()?;
        part.get(skipped..).filter(|rest| !rest.is_empty())
    }

    /// The range to request for a read of `length` bytes from `offset`, as its first offset and the
    /// offset after it.
    fn wanted(&self, offset: u64, length: u64) -> (u64, u64) {
        // Sequential reads take larger and larger ranges.
        let sequential = match self.last {
            (end, last) if end == offset => last.saturating_mul(2).min(limits::LARGEST_RANGE),
            _ => 0,
        };
        let expected = match self.expected {
            Some((start, end)) if (start..end).contains(&offset) => {
                end.saturating_sub(offset).min(limits::EXPECTED_RANGE)
            }
            _ => limits::RANGE_BYTES,
        };
        let length = length.max(sequential).max(expected);
        let next = self.parts.range(offset..).next().map(|(start, _)| *start);
        let next = next.unwrap_or(self.size).min(self.size);
        let end = offset.saturating_add(length).min(next);
        // Before a known part, and at the end of the file, the range starts earlier: a reader that
        // goes backwards needs these bytes next.
        let previous = self.parts.range(..=offset).next_back();
        let previous = previous.map_or(0, |(start, part)| start.saturating_add(part.len() as u64));
        let start = if end == next && self.expected.is_none() {
            end.saturating_sub(limits::RANGE_BYTES)
                .max(previous)
                .min(offset)
        } else {
            offset
        };
        (start, end)
    }

    /// The first bytes of the file.
    pub fn first(&self) -> &[u8] {
        self.parts.get(&0).map_or(&[], Vec::as_slice)
    }

    /// The number of bytes of the file.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// All bytes of the file: the first ones, and the rest, which is requested. `None` if the server does not send it
    /// in one response.
    pub fn completed(&mut self) -> Option<Vec<u8>> {
        let mut all = self.first().to_vec();
        let rest = self.request(all.len() as u64, self.size).ok()?;
        all.extend_from_slice(&rest);
        Some(all)
    }

    fn request(&mut self, start: u64, end: u64) -> Result<Vec<u8>, Failed> {
        self.count()?;
        let range = format!("bytes={start}-{}", end.saturating_sub(1));
        let mut headers = vec![("range", range.as_str()), ("accept-encoding", "identity")];
        headers.extend(self.validator.strong().map(|strong| ("if-range", strong)));
        let response = self.send(&headers)?;
        match response.status {
            206 => {}
            // The answer to a range of another version.
            200 if self.validator.strong().is_some() => {
                self.check(&response)?;
                return Err(Failed::Range("the server ignores ranges".to_owned()));
            }
            412 => return Err(changed()),
            status => {
                let why = format!("the server answers a range with status {status}");
                return Err(Failed::Range(why));
            }
        }
        self.check(&response)?;
        let other =
            || Failed::Range("the server sent another range than the requested one".to_owned());
        let (first, last, size) = content_range(&response).ok_or_else(other)?;
        if first != start || last.checked_add(1) != Some(end) || size != self.size {
            return Err(other());
        }
        body(response, end.saturating_sub(start))
    }

    /// Requests the whole file.
    fn whole(&mut self) -> Result<Vec<u8>, Failed> {
        self.count()?;
        let response = self.send(&[("accept-encoding", "identity")])?;
        if response.status != 200 {
            let why = format!("the server answers with status {}", response.status);
            return Err(Failed::Lost(why));
        }
        self.check(&response)?;
        let whole = body(response, self.size.saturating_add(1)).or_else(|failed| match failed {
            Failed::Short(bytes) => Ok(bytes),
            failed => Err(failed),
        })?;
        if whole.len() as u64 == self.size {
            return Ok(whole);
        }
        // Readers have looked for parts at offsets that follow from the size.
        let (stated, sent) = (self.size, whole.len());
        Err(Failed::Lost(format!(
            "the server states that the file has {stated} bytes, and sends {sent}"
        )))
    }

    fn send(&self, headers: &[(&str, &str)]) -> Result<HttpResponse, Failed> {
        let mut all = vec![("accept", self.accept)];
        all.extend(headers);
        let headers = &all;
        let request = HttpRequest {
            url: &self.url,
            headers,
        };
        let sent = self.http.send(&request);
        sent.map_err(|failure| Failed::Lost(failure.to_string()))
    }

    fn count(&mut self) -> Result<(), Failed> {
        self.requests = self.requests.saturating_add(1);
        if self.requests <= limits::RANGE_REQUESTS {
            return Ok(());
        }
        Err(Failed::Lost(format!(
            "it needs more than {} requests; download the file, and read the copy",
            limits::RANGE_REQUESTS
        )))
    }

    /// Checks that a response is of the same version.
    fn check(&self, response: &HttpResponse) -> Result<(), Failed> {
        let (old, new) = (&self.validator, Validator::of(response));
        let differs = |old: &Option<String>, new: &Option<String>| new.is_some() && old != new;
        if differs(&old.etag, &new.etag) || differs(&old.modified, &new.modified) {
            return Err(changed());
        }
        // A part always has its tag (RFC 9110, 15.3.7). With `If-Range`, it may have no date.
        let has_date = new.modified.is_some() || old.strong().is_some();
        if new.etag != old.etag || (old.modified.is_some() && !has_date) {
            let why =
                "the server does not state the version of a part, so it may be of another one";
            return Err(Failed::Range(why.to_owned()));
        }
        Ok(())
    }

    fn keep(&mut self, start: u64, part: Vec<u8>) {
        self.held = self.held.saturating_add(part.len());
        self.parts.insert(start, part);
        while self.held as u64 > limits::BODY_BYTES {
            // The first part is read by every reader that starts again.
            let Some(other) = self
                .parts
                .keys()
                .copied()
                .find(|other| *other != 0 && *other != start)
            else {
                return;
            };
            if let Some(part) = self.parts.remove(&other) {
                self.held = self.held.saturating_sub(part.len());
            }
        }
    }
}

/// The failure for a file of another version.
fn changed() -> Failed {
    Failed::Lost("the file changed on the server while it was read; read it again".to_owned())
}

/// Reads a body of `length` bytes.
fn body(response: HttpResponse, length: u64) -> Result<Vec<u8>, Failed> {
    let mut body = Body::new(response.body, &Head::default());
    body.fill(length);
    if let Some(damage) = body.damage() {
        return Err(Failed::Lost(damage.to_owned()));
    }
    let mut bytes = body.into_bytes();
    if (bytes.len() as u64) < length {
        return Err(Failed::Short(bytes));
    }
    bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX));
    Ok(bytes)
}

impl Source for Ranges {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        if offset >= self.size || len == 0 {
            return Ok(());
        }
        if self.known(offset).is_none() {
            let (start, end) = self.wanted(offset, len as u64);
            match self.request(start, end) {
                Ok(part) => {
                    self.last = (end, end.saturating_sub(start));
                    self.keep(start, part);
                }
                // A server with wrong ranges may have a right body.
                Err(Failed::Range(_) | Failed::Short(_)) if self.size <= limits::BODY_BYTES => {
                    let whole = self.whole()?;
                    self.held = whole.len();
                    self.parts = BTreeMap::from([(0, whole)]);
                }
                Err(failed) => return Err(failed.into()),
            }
        }
        let known = self.known(offset).unwrap_or_default();
        out.extend_from_slice(known.get(..len).unwrap_or(known));
        Ok(())
    }

    fn seekable(&self) -> bool {
        true
    }

    fn remote(&self) -> bool {
        true
    }

    fn expect(&mut self, offset: u64, length: u64) {
        self.expected = Some((offset, offset.saturating_add(length)));
    }

    fn info(&mut self) -> Info {
        Info {
            size: Some(self.size),
            ..Info::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::{MemoryHttp, MemoryResponse};

    const URL: &str = "https://x.org/f";

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|n| u8::try_from(n % 251).unwrap()).collect()
    }

    fn file(content: &[u8]) -> (Rc<MemoryHttp>, Ranges) {
        let http = Rc::new(MemoryHttp::default());
        http.page(
            URL,
            MemoryResponse::new(200, content)
                .header("ETag", "\"1\"")
                .ranged(),
        );
        let head = Head {
            length: Some(content.len() as u64),
            validator: Validator {
                etag: Some("\"1\"".to_owned()),
                ..Validator::default()
            },
            ..Head::default()
        };
        let first = content.get(..1000).unwrap_or(content).to_vec();
        let url = Url::parse(URL).unwrap();
        let ranges = Ranges::new(http.clone(), url, "*/*", &head, first);
        (http, ranges)
    }

    fn read(ranges: &mut Ranges, offset: u64, len: usize) -> Result<Vec<u8>, FileError> {
        let mut out = Vec::new();
        ranges.read(offset, len, &mut out)?;
        Ok(out)
    }

    #[test]
    fn reads_are_those_of_the_whole_file() {
        let content = bytes(3 << 20);
        let (http, mut ranges) = file(&content);
        for (offset, len) in [
            (0, 10),
            (990, 50),
            (2_000_000, 70_000),
            (1_900_000, 9),
            (3 << 20, 5),
            ((3 << 20) - 3, 9),
        ] {
            let mut at = offset;
            while at < offset + len {
                let part = read(&mut ranges, at as u64, offset + len - at).unwrap();
                assert_eq!(part, content[at..at + part.len()], "{offset}");
                if part.is_empty() {
                    assert!(at >= content.len());
                    break;
                }
                at += part.len();
            }
        }
        assert!(http.requests().len() <= 5, "{:?}", http.requests());
    }

    #[test]
    fn sequential_reads_take_few_requests() {
        let content = bytes(20 << 20);
        let (http, mut ranges) = file(&content);
        let mut at = 0;
        while at < content.len() {
            at += read(&mut ranges, at as u64, 65536).unwrap().len();
        }
        assert!(http.requests().len() <= 10, "{}", http.requests().len());
    }

    #[test]
    fn reads_backwards_take_few_requests() {
        let content = bytes(2 << 20);
        let (http, mut ranges) = file(&content);
        let mut at = content.len() - 65536;
        while at > 1 << 20 {
            read(&mut ranges, at as u64, 65536).unwrap();
            at -= 65536;
        }
        assert!(http.requests().len() <= 5, "{}", http.requests().len());
    }

    #[test]
    fn expected_range_is_one_request() {
        let content = bytes(8 << 20);
        let (http, mut ranges) = file(&content);
        ranges.expect(1 << 20, 2 << 20);
        let mut at = 1 << 20;
        while at < 3 << 20 {
            at += read(&mut ranges, at as u64, 65536).unwrap().len();
        }
        assert_eq!(http.requests().len(), 1);
    }

    #[test]
    fn file_that_changes_is_not_mixed() {
        let content = bytes(2 << 20);
        let (http, mut ranges) = file(&content);
        http.page(
            URL,
            MemoryResponse::new(200, bytes(2 << 20))
                .header("ETag", "\"2\"")
                .ranged(),
        );
        let error = read(&mut ranges, 1 << 20, 10).unwrap_err();
        assert!(
            error.to_string().contains("changed on the server"),
            "{error}"
        );
    }

    #[test]
    fn part_without_a_version_is_not_used() {
        let content = bytes(2 << 20);
        let (http, mut ranges) = file(&content);
        // This server ignores `If-Range`, and the file has changed.
        http.page(URL, MemoryResponse::new(200, vec![7; 2 << 20]).ranged());
        let error = read(&mut ranges, 1 << 20, 10).unwrap_err().to_string();
        assert!(error.contains("does not state the version"), "{error}");
    }

    #[test]
    fn whole_file_is_read_if_the_ranges_are_wrong() {
        let content = bytes(2 << 20);
        let (http, mut ranges) = file(&content);
        // This server ignores the range.
        http.page(
            URL,
            MemoryResponse::new(200, &content).header("ETag", "\"1\""),
        );
        let part = read(&mut ranges, 1 << 20, 10).unwrap();
        assert_eq!(part, content[1 << 20..(1 << 20) + 10]);
        assert_eq!(http.requests().len(), 2);
        read(&mut ranges, 100_000, 10).unwrap();
        assert_eq!(http.requests().len(), 2);
    }

    #[test]
    fn wrong_range_of_a_large_file_is_refused() {
        let (http, mut ranges) = file(&bytes(2 << 20));
        ranges.size = 1 << 30;
        let wrong = MemoryResponse::new(206, "x".repeat(300_000))
            .header("Content-Range", "bytes 0-299999/2097152")
            .header("ETag", "\"1\"");
        http.page(URL, wrong);
        let error = read(&mut ranges, 1 << 20, 10).unwrap_err();
        assert!(error.to_string().contains("another range"), "{error}");
    }
}
