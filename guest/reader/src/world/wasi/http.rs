//! Requests through `wasi:http`.

use crate::bindings::omniread::parts::sandbox;
use crate::bindings::wasi::clocks::monotonic_clock;
use crate::bindings::wasi::http::outgoing_handler;
use crate::bindings::wasi::http::types::{
    ErrorCode, Fields, IncomingBody, IncomingResponse, OutgoingRequest, Scheme, http_error_code,
};
use crate::bindings::wasi::io::streams::{InputStream, StreamError};
use crate::failure::{NetworkError, library_message};
use crate::limits;
use crate::world::{Http, HttpBody, HttpRequest, HttpResponse, RequestFailure};

/// Sends requests through the host.
pub struct Outgoing {
    /// Whether the host has one call for a request.
    is_short: bool,
}

impl Outgoing {
    /// `None` if the component has no network: its host says so, or it is composed with an implementation of `wasi:http`
    /// that cannot create headers.
    pub fn new() -> Option<Self> {
        let is_short = sandbox::sends_requests();
        let has_network = || sandbox::get_capabilities().network && Fields::from_list(&[]).is_ok();
        (is_short || has_network()).then_some(Self { is_short })
    }
}

impl Http for Outgoing {
    fn send(&self, request: &HttpRequest<'_>) -> Result<HttpResponse, RequestFailure> {
        let sent = if self.is_short {
            send_at_once(request)
        } else {
            None
        };
        sent.unwrap_or_else(|| send_in_steps(request))
    }

    fn millis(&self) -> u64 {
        monotonic_clock::now() / 1_000_000
    }
}

/// Sends a request with one call. `None` if it has to be sent through `wasi:http`.
fn send_at_once(request: &HttpRequest<'_>) -> Option<Result<HttpResponse, RequestFailure>> {
    let headers = request.headers.iter();
    let headers: Vec<(String, String)> = headers
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let sent = sandbox::send_request(request.url.as_str(), &headers)?;
    Some(match sent {
        Ok(response) => Ok(HttpResponse {
            status: response.status,
            headers: response.headers,
            body: Box::new(Body {
                start: response.start,
                stream: response.rest,
                _incoming: None,
            }),
        }),
        Err(failure) => Err(failure.into()),
    })
}

/// Sends a request through `wasi:http`.
fn send_in_steps(request: &HttpRequest<'_>) -> Result<HttpResponse, RequestFailure> {
    let invalid = || NetworkError::Protocol("the request is not valid".to_owned());
    let headers = request.headers.iter();
    let fields: Vec<(String, Vec<u8>)> = headers
        .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
        .collect();
    let fields = Fields::from_list(&fields).map_err(|_| invalid())?;
    let outgoing = OutgoingRequest::new(fields);
    let url = request.url;
    let scheme = match url.scheme() {
        "https" => Scheme::Https,
        _ => Scheme::Http,
    };
    let mut path = url.path().to_owned();
    if let Some(query) = url.query() {
        path.push('?');
        path.push_str(query);
    }
    // The method of a new request is GET.
    let set = [
        outgoing.set_scheme(Some(&scheme)),
        outgoing.set_authority(Some(url.authority())),
        outgoing.set_path_with_query(Some(&path)),
    ];
    if set.iter().any(Result::is_err) {
        return Err(invalid().into());
    }
    let future = outgoing_handler::handle(outgoing, None).map_err(|code| failure(&code))?;
    // A host may have waited for it already.
    let answer = future.get().or_else(|| {
        future.subscribe().block();
        future.get()
    });
    let response: IncomingResponse = match answer {
        Some(Ok(response)) => response.map_err(|code| failure(&code))?,
        _ => return Err(NetworkError::Protocol("there is no response".to_owned()).into()),
    };
    let status = response.status();
    let headers = response.headers().entries();
    let none = || NetworkError::Protocol("the response has no body".to_owned());
    let body = response.consume().map_err(|()| none())?;
    let stream = body.stream().map_err(|()| none())?;
    Ok(HttpResponse {
        status,
        headers,
        body: Box::new(Body {
            start: Vec::new(),
            stream: Some(stream),
            _incoming: Some(body),
        }),
    })
}

/// The body of a response.
struct Body {
    /// Bytes that have arrived with the head.
    start: Vec<u8>,
    // Dropped in this order, as the interface requires.
    stream: Option<InputStream>,
    _incoming: Option<IncomingBody>,
}

impl HttpBody for Body {
    fn next(&mut self) -> Result<Option<Vec<u8>>, RequestFailure> {
        if !self.start.is_empty() {
            return Ok(Some(std::mem::take(&mut self.start)));
        }
        let Some(stream) = &self.stream else {
            return Ok(None);
        };
        loop {
            // A part that has arrived takes less time.
            let read = match stream.read(limits::CHUNK_BYTES as u64) {
                Ok(bytes) if bytes.is_empty() => stream.blocking_read(limits::CHUNK_BYTES as u64),
                read => read,
            };
            return match read {
                Ok(bytes) if bytes.is_empty() => continue,
                Ok(bytes) => Ok(Some(bytes)),
                Err(StreamError::Closed) => Ok(None),
                Err(StreamError::LastOperationFailed(error)) => {
                    Err(match http_error_code(&error) {
                        Some(code) => failure(&code),
                        None => explained().unwrap_or_else(|| {
                            NetworkError::Protocol(library_message(error.to_debug_string())).into()
                        }),
                    })
                }
            };
        }
    }
}

impl From<sandbox::RequestFailure> for RequestFailure {
    fn from(failed: sandbox::RequestFailure) -> Self {
        Self {
            error: match failed.error {
                sandbox::RequestError::Refused(why) => NetworkError::Refused(why),
                sandbox::RequestError::Name(why) => NetworkError::Name(why),
                sandbox::RequestError::Connect(why) => NetworkError::Connect(why),
                sandbox::RequestError::Certificate(why) => NetworkError::Certificate(why),
                sandbox::RequestError::Protocol(why) => NetworkError::Protocol(why),
                sandbox::RequestError::Size(limit) => NetworkError::Size(limit),
                sandbox::RequestError::Timeout(limit) => NetworkError::Timeout(limit),
            },
            hint: failed.hint,
        }
    }
}

/// The reason that the host gives for the last failed request. `None` if it gives none.
fn explained() -> Option<RequestFailure> {
    sandbox::request_failed().map(RequestFailure::from)
}

/// The failure for an error code. Runtimes other than omniread's host report only the code.
fn failure(code: &ErrorCode) -> RequestFailure {
    if let Some(failure) = explained() {
        return failure;
    }
    let error = match code {
        ErrorCode::HttpRequestDenied
        | ErrorCode::DestinationIpProhibited
        | ErrorCode::DestinationIpUnroutable => {
            NetworkError::Refused("the runtime does not allow requests to this address".to_owned())
        }
        ErrorCode::DnsTimeout => {
            NetworkError::Name("the resolver did not answer in time".to_owned())
        }
        ErrorCode::DnsError(payload) => NetworkError::Name(
            payload
                .rcode
                .clone()
                .unwrap_or_else(|| "the name does not exist".to_owned()),
        ),
        ErrorCode::DestinationNotFound => NetworkError::Name("the name does not exist".to_owned()),
        ErrorCode::TlsCertificateError => {
            NetworkError::Certificate("its issuer, its name or its dates are wrong".to_owned())
        }
        ErrorCode::TlsProtocolError => NetworkError::Connect("the TLS handshake failed".to_owned()),
        ErrorCode::ConnectionRefused => NetworkError::Connect("connection refused".to_owned()),
        ErrorCode::ConnectionTimeout
        | ErrorCode::ConnectionReadTimeout
        | ErrorCode::HttpResponseTimeout => {
            NetworkError::Connect("the server did not answer in time".to_owned())
        }
        ErrorCode::ConnectionTerminated | ErrorCode::HttpResponseIncomplete => {
            NetworkError::Protocol("the connection ended early".to_owned())
        }
        ErrorCode::InternalError(Some(message)) => NetworkError::Protocol(library_message(message)),
        other => NetworkError::Protocol(library_message(format!("{other:?}"))),
    };
    error.into()
}
