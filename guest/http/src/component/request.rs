//! Requests.

use crate::bindings::wasi::http::types::{Fields, IncomingRequest, Method};
use crate::bindings::wasi::io::streams::StreamError;
use crate::limits::BODY_BYTES;
use crate::refused::Refused;

/// A request.
pub struct Request {
    request: IncomingRequest,
    headers: Fields,
}

impl Request {
    pub fn new(request: IncomingRequest) -> Self {
        let headers = request.headers();
        Self { request, headers }
    }

    /// The method in upper case, as clients send it.
    pub fn method(&self) -> String {
        let method = match self.request.method() {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Delete => "DELETE",
            Method::Connect => "CONNECT",
            Method::Options => "OPTIONS",
            Method::Trace => "TRACE",
            Method::Patch => "PATCH",
            Method::Other(name) => return name,
        };
        method.to_owned()
    }

    pub fn is_head(&self) -> bool {
        matches!(self.request.method(), Method::Head)
    }

    /// The path and the query.
    pub fn target(&self) -> String {
        self.request.path_with_query().unwrap_or_default()
    }

    /// The first value of a header, if it is text.
    pub fn header(&self, name: &str) -> Option<String> {
        let value = self.headers.get(name).into_iter().next()?;
        String::from_utf8(value).ok()
    }

    /// The values of a header that is a list, as one list.
    pub fn list(&self, name: &str) -> Option<String> {
        let values = self.headers.get(name).into_iter();
        let values: Vec<String> = values
            .filter_map(|value| String::from_utf8(value).ok())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// The host that the request names, with its port.
    pub fn host(&self) -> Option<String> {
        self.header("host").or_else(|| self.request.authority())
    }

    /// The body.
    ///
    /// # Errors
    /// Fails if the body is too large, is not UTF-8, or ends too early.
    pub fn body(&self) -> Result<String, Refused> {
        let lost = || {
            Refused::invalid(
                "the body of the request ended too early",
                "send the request again",
            )
        };
        let large = || {
            Refused::new(
                413,
                "limit",
                format!("the body of the request is larger than {BODY_BYTES} bytes"),
                "send the arguments of one call",
            )
        };
        let stated = self.header("content-length");
        if stated.is_some_and(|stated| {
            stated
                .parse()
                .is_ok_and(|size: u64| size > BODY_BYTES as u64)
        }) {
            return Err(large());
        }
        let body = self.request.consume().map_err(|()| lost())?;
        let stream = body.stream().map_err(|()| lost())?;
        let mut bytes = Vec::new();
        loop {
            match stream.blocking_read(1 << 16) {
                Ok(part) => bytes.extend_from_slice(&part),
                Err(StreamError::Closed) => break,
                Err(StreamError::LastOperationFailed(_)) => return Err(lost()),
            }
            if bytes.len() > BODY_BYTES {
                return Err(large());
            }
        }
        String::from_utf8(bytes).map_err(|_| {
            Refused::invalid(
                "the body of the request is not UTF-8",
                "send the arguments as one JSON object in UTF-8",
            )
        })
    }
}
