//! A web in memory.

use crate::failure::NetworkError;
use crate::world::{Http, HttpBody, HttpRequest, HttpResponse, RequestFailure};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The number of bytes of a part of a body.
const PART: usize = 10_000;

/// A request that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The URL.
    pub url: String,
    /// The headers.
    pub headers: Vec<(String, String)>,
}

impl Sent {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The pages of the web, and the requests for them.
#[derive(Debug, Default)]
pub struct MemoryHttp {
    pages: RefCell<BTreeMap<String, MemoryResponse>>,
    requests: RefCell<Vec<Sent>>,
    /// The milliseconds that all responses took.
    time: Rc<Cell<u64>>,
}

impl MemoryHttp {
    /// Adds or replaces a page.
    pub fn page(&self, url: &str, response: MemoryResponse) {
        self.pages.borrow_mut().insert(url.to_owned(), response);
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Sent> {
        self.requests.borrow().clone()
    }
}

impl Http for MemoryHttp {
    fn send(&self, request: &HttpRequest<'_>) -> Result<HttpResponse, RequestFailure> {
        let headers = request.headers.iter();
        let sent = Sent {
            url: request.url.to_string(),
            headers: headers
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        };
        self.requests.borrow_mut().push(sent.clone());
        let pages = self.pages.borrow();
        let Some(page) = pages.get(request.url.as_str()) else {
            return Err(NetworkError::Connect("connection refused".to_owned()).into());
        };
        let time = self.time.get().saturating_add(page.millis);
        self.time.set(time);
        if page.hangs {
            return Err(NetworkError::Timeout(page.millis).into());
        }
        let page = MemoryResponse {
            time: Rc::clone(&self.time),
            ..page.clone()
        };
        Ok(page.answer(&sent))
    }

    fn millis(&self) -> u64 {
        self.time.get()
    }
}

/// A response.
#[derive(Clone, Debug)]
pub struct MemoryResponse {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    ranged: bool,
    fails: Option<NetworkError>,
    /// The time until the head and each part of the body arrive.
    millis: u64,
    /// Whether there is no response after that time.
    hangs: bool,
    time: Rc<Cell<u64>>,
}

impl MemoryResponse {
    pub fn new(status: u16, body: impl AsRef<[u8]>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.as_ref().to_vec(),
            ranged: false,
            fails: None,
            millis: 0,
            hangs: false,
            time: Rc::default(),
        }
    }

    /// There is no response, which is known after some time.
    pub fn hangs(millis: u64) -> Self {
        Self {
            hangs: true,
            ..Self::new(200, "").slow(millis)
        }
    }

    /// The head and each part of the body take some time.
    #[must_use]
    pub fn slow(mut self, millis: u64) -> Self {
        self.millis = millis;
        self
    }

    pub fn html(body: &str) -> Self {
        Self::new(200, body).header("Content-Type", "text/html; charset=utf-8")
    }

    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Answers requests for ranges with them.
    #[must_use]
    pub fn ranged(mut self) -> Self {
        self.ranged = true;
        self.header("Accept-Ranges", "bytes")
    }

    /// The body fails at its end.
    #[must_use]
    pub fn fails(mut self, error: NetworkError) -> Self {
        self.fails = Some(error);
        self
    }

    fn get(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    fn answer(&self, sent: &Sent) -> HttpResponse {
        let etag = self.get("etag");
        if etag.is_some() && sent.header("if-none-match") == etag {
            return Self {
                status: 304,
                body: Vec::new(),
                ..self.clone()
            }
            .response();
        }
        let same = sent
            .header("if-range")
            .is_none_or(|known| Some(known) == etag);
        let range = sent.header("range").filter(|_| self.ranged && same);
        let Some((first, last)) = range.and_then(|it| it.strip_prefix("bytes=")?.split_once('-'))
        else {
            return self
                .clone()
                .header("Content-Length", &self.body.len().to_string())
                .response();
        };
        let size = self.body.len();
        let first: usize = first.parse().unwrap();
        let last = last.parse::<usize>().unwrap().min(size.saturating_sub(1));
        if first >= size {
            return Self {
                status: 416,
                body: Vec::new(),
                ..self.clone()
            }
            .response();
        }
        let part = Self {
            status: 206,
            body: self.body[first..=last].to_vec(),
            ..self.clone()
        };
        part.header("Content-Range", &format!("bytes {first}-{last}/{size}"))
            .response()
    }

    pub fn response(self) -> HttpResponse {
        let headers = self.headers.into_iter();
        HttpResponse {
            status: self.status,
            headers: headers
                .map(|(name, value)| (name, value.into_bytes()))
                .collect(),
            body: Box::new(MemoryBody {
                bytes: self.body,
                at: 0,
                fails: self.fails,
                millis: self.millis,
                time: self.time,
            }),
        }
    }
}

struct MemoryBody {
    bytes: Vec<u8>,
    at: usize,
    fails: Option<NetworkError>,
    millis: u64,
    time: Rc<Cell<u64>>,
}

impl HttpBody for MemoryBody {
    fn next(&mut self) -> Result<Option<Vec<u8>>, RequestFailure> {
        self.time.set(self.time.get().saturating_add(self.millis));
        let end = (self.at + PART).min(self.bytes.len());
        let part = self.bytes[self.at..end].to_vec();
        self.at = end;
        match self.fails.take_if(|_| part.is_empty()) {
            Some(error) => Err(error.into()),
            None => Ok(Some(part).filter(|part| !part.is_empty())),
        }
    }
}
