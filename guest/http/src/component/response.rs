//! Writes responses.

use crate::bindings::wasi::http::types::{
    Fields, OutgoingBody, OutgoingResponse, ResponseOutparam,
};
use crate::bindings::wasi::io::streams::{OutputStream, StreamError};

/// The type of a body with text.
pub const TEXT: &str = "text/plain; charset=utf-8";

/// The type of a body with JSON.
pub const JSON: &str = "application/json";

/// The size of a body up to which one call writes it: the limit of `blocking-write-and-flush`.
const ONE_CALL: usize = 4096;

/// A response with a body that is known.
pub struct Response {
    /// The status.
    pub status: u16,
    /// The MIME type of the body.
    pub kind: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// The client has closed the connection, or the host ended it.
pub struct Gone;

impl From<StreamError> for Gone {
    fn from(_: StreamError) -> Self {
        Self
    }
}

impl Response {
    /// Sends the response, without its body if the request was a HEAD.
    pub fn send(self, out: ResponseOutparam, is_head: bool) -> Result<(), Gone> {
        let length = (!is_head).then(|| self.body.len().to_string());
        let mut body = Body::start(out, self.status, self.kind, &self.headers, length)?;
        if !is_head {
            body.write(&self.body)?;
        }
        body.finish()
    }
}

/// The body of a response that has started.
pub struct Body {
    body: OutgoingBody,
    // Dropped before the body is finished, because it is a child of it.
    stream: Option<OutputStream>,
}

impl Body {
    /// Sends the head of a response. `length` is the length of the body, if it is known.
    pub fn start(
        out: ResponseOutparam,
        status: u16,
        kind: &str,
        more: &[(&str, String)],
        length: Option<String>,
    ) -> Result<Self, Gone> {
        let mut headers = vec![
            ("content-type".to_owned(), kind.as_bytes().to_vec()),
            // Files change, and their content is nobody else's.
            ("cache-control".to_owned(), b"no-store".to_vec()),
            // A browser must not take a text for a page.
            ("x-content-type-options".to_owned(), b"nosniff".to_vec()),
        ];
        for (name, value) in more {
            headers.push(((*name).to_owned(), value.as_bytes().to_vec()));
        }
        if let Some(length) = length {
            headers.push(("content-length".to_owned(), length.into_bytes()));
        }
        let headers = Fields::from_list(&headers).map_err(|_| Gone)?;
        let response = OutgoingResponse::new(headers);
        response.set_status_code(status).map_err(|()| Gone)?;
        let body = response.body().map_err(|()| Gone)?;
        ResponseOutparam::set(out, Ok(response));
        let stream = body.write().map_err(|()| Gone)?;
        Ok(Self {
            body,
            stream: Some(stream),
        })
    }

    /// Writes all bytes, and waits until the host has them.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), Gone> {
        let stream = self.stream.as_ref().ok_or(Gone)?;
        if bytes.len() <= ONE_CALL {
            return Ok(stream.blocking_write_and_flush(bytes)?);
        }
        let ready = stream.subscribe();
        while !bytes.is_empty() {
            let permitted = usize::try_from(stream.check_write()?).unwrap_or(usize::MAX);
            if permitted == 0 {
                ready.block();
                continue;
            }
            let (part, rest) = bytes.split_at(permitted.min(bytes.len()));
            stream.write(part)?;
            bytes = rest;
        }
        Ok(stream.blocking_flush()?)
    }

    /// Ends the body.
    pub fn finish(mut self) -> Result<(), Gone> {
        self.stream = None;
        OutgoingBody::finish(self.body, None).map_err(|_| Gone)
    }
}
