//! The interface of HTTP: one request and its response, without redirects.

use crate::failure::NetworkError;
use std::fmt;
use url::Url;

/// A request with the method GET.
#[derive(Clone, Copy, Debug)]
pub struct HttpRequest<'a> {
    /// The URL, without a fragment.
    pub url: &'a Url,
    /// The headers. The names are in lower case.
    pub headers: &'a [(&'a str, &'a str)],
}

/// A response, whose body was not read yet.
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    /// The headers: names and values.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub body: Box<dyn HttpBody>,
}

impl HttpResponse {
    /// The first value of a header, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let (_, value) = headers.find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(value).ok()
    }
}

/// The body of a response. The connection ends when it is dropped.
pub trait HttpBody {
    /// Waits for the next part, which is not empty. `None` at the end.
    ///
    /// # Errors
    /// Fails if the part does not arrive.
    fn next(&mut self) -> Result<Option<Vec<u8>>, RequestFailure>;
}

/// Why a request has no response, or why its body ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestFailure {
    /// The reason.
    pub error: NetworkError,
    /// The setting of the host that would allow the request.
    pub hint: Option<String>,
}

impl From<NetworkError> for RequestFailure {
    fn from(error: NetworkError) -> Self {
        Self { error, hint: None }
    }
}

impl fmt::Display for RequestFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hint {
            Some(hint) => write!(f, "{} ({hint})", self.error),
            None => self.error.fmt(f),
        }
    }
}

/// Sends requests.
pub trait Http {
    /// Sends a request, and waits for the head of the response.
    ///
    /// # Errors
    /// Fails if the host does not allow the request, or if no response arrives.
    fn send(&self, request: &HttpRequest<'_>) -> Result<HttpResponse, RequestFailure>;

    /// The milliseconds of real time since an arbitrary point in time. The number never decreases.
    fn millis(&self) -> u64;
}
