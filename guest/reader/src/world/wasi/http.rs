//! Requests through `wasi:http`.

use crate::bindings::wasi::http::outgoing_handler;
use crate::bindings::wasi::http::types::{
    ErrorCode, Fields, IncomingBody, IncomingResponse, Method, OutgoingRequest, Scheme,
};
use crate::bindings::wasi::io::streams::{InputStream, StreamError};
use crate::failure::NetworkError;

/// The number of bytes that are requested from the host at a time.
const CHUNK: u64 = 64 * 1024;

/// The scheme, the server and the rest of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address<'a> {
    /// Whether the scheme is `https`.
    pub is_secure: bool,
    /// The host, and the port if it is not that of the scheme.
    pub authority: &'a str,
    /// The path with the query.
    pub path: &'a str,
}

/// The head of a response, whose body was not read yet.
pub struct Response {
    /// The status.
    pub status: u16,
    headers: Vec<(String, Vec<u8>)>,
    body: Body,
}

/// The body of a response.
struct Body {
    // Dropped in this order, as the interface requires.
    stream: InputStream,
    _body: IncomingBody,
}

impl Response {
    /// The first value of a header that is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(name));
        std::str::from_utf8(&found?.1).ok()
    }

    /// Reads the body, at most `most` bytes. The second value is whether there are more.
    ///
    /// # Errors
    /// Fails if the body ends early.
    pub fn read(self, most: usize) -> Result<(Vec<u8>, bool), NetworkError> {
        let mut out = Vec::new();
        loop {
            match self.body.stream.blocking_read(CHUNK) {
                Ok(bytes) => out.extend_from_slice(&bytes),
                Err(StreamError::Closed) => return Ok((out, false)),
                Err(StreamError::LastOperationFailed(error)) => {
                    let code = crate::bindings::wasi::http::types::http_error_code(&error);
                    return Err(code
                        .map_or_else(|| NetworkError::Protocol(error.to_debug_string()), failure));
                }
            }
            if out.len() > most {
                out.truncate(most);
                return Ok((out, true));
            }
        }
    }
}

/// Sends a request for a page, and waits for the head of the response.
///
/// # Errors
/// Fails if the host does not allow the request, or if no response arrives.
pub fn get(address: Address<'_>, headers: &[(&str, &str)]) -> Result<Response, NetworkError> {
    let invalid = || NetworkError::Protocol("the address is not valid".to_owned());
    let fields: Vec<(String, Vec<u8>)> = headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
        .collect();
    let fields = Fields::from_list(&fields).map_err(|_| invalid())?;
    let request = OutgoingRequest::new(fields);
    let scheme = if address.is_secure {
        Scheme::Https
    } else {
        Scheme::Http
    };
    request.set_method(&Method::Get).map_err(|()| invalid())?;
    request.set_scheme(Some(&scheme)).map_err(|()| invalid())?;
    request
        .set_authority(Some(address.authority))
        .map_err(|()| invalid())?;
    request
        .set_path_with_query(Some(address.path))
        .map_err(|()| invalid())?;
    let response = outgoing_handler::handle(request, None).map_err(failure)?;
    response.subscribe().block();
    let response: IncomingResponse = match response.get() {
        Some(Ok(response)) => response.map_err(failure)?,
        _ => return Err(NetworkError::Protocol("there is no response".to_owned())),
    };
    let status = response.status();
    let headers = response.headers().entries();
    let gone = || NetworkError::Protocol("the response has no body".to_owned());
    let body = response.consume().map_err(|()| gone())?;
    let stream = body.stream().map_err(|()| gone())?;
    Ok(Response {
        status,
        headers,
        body: Body {
            stream,
            _body: body,
        },
    })
}

/// The failure for a code. omniread's host sends its own message with a refusal.
fn failure(code: ErrorCode) -> NetworkError {
    match code {
        ErrorCode::HttpRequestDenied | ErrorCode::DestinationIpProhibited => {
            NetworkError::Refused("the addresses that the runtime allows".to_owned())
        }
        ErrorCode::DnsTimeout => NetworkError::Name("there was no answer in time".to_owned()),
        ErrorCode::DnsError(payload) => NetworkError::Name(
            payload
                .rcode
                .unwrap_or_else(|| "the name does not exist".to_owned()),
        ),
        ErrorCode::TlsCertificateError => {
            NetworkError::Certificate("its issuer, its name or its dates are wrong".to_owned())
        }
        ErrorCode::ConnectionRefused => NetworkError::Connect("connection refused".to_owned()),
        ErrorCode::InternalError(Some(message)) => NetworkError::Protocol(message),
        other => NetworkError::Protocol(format!("{other:?}")),
    }
}
